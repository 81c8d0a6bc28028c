"""What measurements call a runtime, a core, a type or a device → our name for it."""

from __future__ import annotations

RUNTIMES = {
    "TFLM+CMSIS-NN": "tflm-cmsis-nn",
    "pico-tflmicro (TFLM+CMSIS-NN)": "tflm-cmsis-nn",
    "TFLM (reference kernels)": "tflm-reference",
    "TFLM (Arduino, float reference kernels)": "tflm-reference",
    "X-CUBE-AI": "x-cube-ai",
    "ST Edge AI Core": "x-cube-ai",
    "TFLite": "litert-xnnpack",
    "TFLite benchmark_model": "litert-xnnpack",
}
CORES = {
    "Cortex-M0+": "cortex-m0plus",
    "Cortex-M4": "cortex-m4",
    "Cortex-M4F": "cortex-m4",
    "Cortex-M7": "cortex-m7",
    "Cortex-M33": "cortex-m33",
    "Cortex-M55": "cortex-m55",
    "Cortex-M85": "cortex-m85",
    "Xtensa LX6": "xtensa-lx6",
    "Cortex-A7 x1": "cortex-a7",
    "Cortex-A53 x1": "cortex-a53",
    "Cortex-A55 x1": "cortex-a55",
}
DTYPES = {"int8": "int8", "float32": "float32", "int16x8": "int16", "uint8": "int8"}
POWERED = {
    "STM32L4R5ZI": "stm32l4r5zi",
    "STM32L4R5ZIT6": "stm32l4r5zi",
    "STM32L4R5ZIT6U": "stm32l4r5zi",
    "STM32L4R5ZIT6P": "stm32l4r5zi",
    "STM32L4R5": "stm32l4r5zi",
    "STM32H7A3ZIT6Q": "stm32h7a3zi",
    "STM32U575ZIT6Q": "stm32u575zi",
    "STM32F746NG": "stm32f746ng",
    "STM32H743ZI": "stm32h743zi",
}
