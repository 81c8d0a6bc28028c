"""Maps of linkers, as public repositories have them."""

IAR = """\
# IAR ELF Linker V6.50.3.4676/W32 for ARM               08/Apr/2015  23:30:36 #
*** PLACEMENT SUMMARY
***

"A1":  place at 0x08000000 { ro section .intvec };
"P1":  place in [from 0x08000000 to 0x080fffff] { ro };
"P2":  place in [from 0x20000000 to 0x20020000] { rw, block CSTACK, block HEAP };

  Section            Kind        Address   Size  Object
  -------            ----        -------   ----  ------
"A1":                                     0x188
  .intvec            ro code  0x08000000  0x188  startup_stm32f4xx.o [1]
                            - 0x08000188  0x188

"P1":                                     0x538
  .text              ro code  0x08000188   0xe0  system_stm32f4xx.o [1]
  .text              ro code  0x08000268   0xa8  main.o [1]
  .text              ro code  0x08000310   0x8c  stm32f4_discovery.o [1]
  .text              ro code  0x0800039c   0x70  stm32f4xx_gpio.o [1]
  .text              ro code  0x0800040c   0x18  stm32f4xx_rcc.o [1]
  .text              ro code  0x08000424   0x2e  copy_init3.o [4]
  .text              ro code  0x08000452   0x22  zero_init3.o [4]
  .text              ro code  0x08000474   0x28  data_init.o [4]
  .iar.init_table    const    0x0800049c   0x24  - Linker created -
  .text              ro code  0x080004c0   0x16  cmain.o [4]
  .text              ro code  0x080004d6    0x4  low_level_init.o [3]
  .text              ro code  0x080004da    0x4  exit.o [3]
  .text              ro code  0x080004e0    0xa  cexit.o [4]
  .text              ro code  0x080004ec   0x14  exit.o [5]
  .text              ro code  0x08000500   0x14  stm32f4xx_it.o [1]
  .text              ro code  0x08000514   0x10  startup_stm32f4xx.o [1]
  .text              ro code  0x08000524    0xc  cstartup_M.o [4]
  .rodata            const    0x0800069c    0x0  zero_init3.o [4]
  .rodata            const    0x0800069c    0x0  copy_init3.o [4]
  Initializer bytes  ro data  0x0800069c   0x24  <for P2 s0>
                            - 0x080006c0  0x538

"P2", part 1 of 3:                         0x24
  P2 s0                       0x20000000   0x24  <Init block>
    .data            inited   0x20000000   0x14  system_stm32f4xx.o [1]
    .data            inited   0x20000014   0x10  stm32f4_discovery.o [1]
                            - 0x20000024   0x24

"P2", part 2 of 3:                          0x4
  .bss               zero     0x20000024    0x4  main.o [1]
                            - 0x20000028    0x4

"P2", part 3 of 3:                        0x400
  CSTACK                      0x20000028  0x400  <Block>
    CSTACK           uninit   0x20000028  0x400  <Block tail>
                            - 0x20000428  0x400

*** ENTRY LIST
***

AHBPrescTable           0x20000000  0x10  Data  Gb  system_stm32f4xx.o [1]
BusFault_Handler        0x08000507   0x2  Code  Gb  stm32f4xx_it.o [1]
DebugMon_Handler        0x0800050d   0x2  Code  Gb  stm32f4xx_it.o [1]
Delay                   0x080002e1  0x12  Code  Gb  main.o [1]
GPIO_CLK                0x0800038c  0x10  Data  Gb  stm32f4_discovery.o [1]
GPIO_Init               0x0800039d  0x70  Code  Gb  stm32f4xx_gpio.o [1]
GPIO_PIN                0x08000384   0x8  Data  Gb  stm32f4_discovery.o [1]
GPIO_PORT               0x20000014  0x10  Data  Gb  stm32f4_discovery.o [1]
HardFault_Handler       0x08000503   0x2  Code  Gb  stm32f4xx_it.o [1]
MemManage_Handler       0x08000505   0x2  Code  Gb  stm32f4xx_it.o [1]
NMI_Handler             0x08000501   0x2  Code  Gb  stm32f4xx_it.o [1]
PendSV_Handler          0x0800050f   0x2  Code  Gb  stm32f4xx_it.o [1]
RCC_AHB1PeriphClockCmd  0x0800040d  0x12  Code  Gb  stm32f4xx_rcc.o [1]
STM_EVAL_LEDInit        0x08000311  0x3c  Code  Gb  stm32f4_discovery.o [1]
STM_EVAL_LEDOn          0x0800034d  0x12  Code  Gb  stm32f4_discovery.o [1]
STM_EVAL_LEDToggle      0x0800035f  0x16  Code  Gb  stm32f4_discovery.o [1]
SVC_Handler             0x0800050b   0x2  Code  Gb  stm32f4xx_it.o [1]
SysTick_Handler         0x08000511   0x4  Code  Gb  stm32f4xx_it.o [1]
SystemCoreClock         0x20000010   0x4  Data  Gb  system_stm32f4xx.o [1]
SystemInit              0x08000189  0xc4  Code  Gb  system_stm32f4xx.o [1]
TimingDelay             0x20000024   0x4  Data  Lc  main.o [1]
TimingDelay_Decrement   0x080002f3   0xe  Code  Gb  main.o [1]
UsageFault_Handler      0x08000509   0x2  Code  Gb  stm32f4xx_it.o [1]
__exit                  0x080004ed  0x14  Code  Gb  exit.o [5]
__iar_copy_init3        0x08000425  0x2e  Code  Gb  copy_init3.o [4]
__iar_data_init3        0x08000475  0x28  Code  Gb  data_init.o [4]
__iar_zero_init3        0x08000453  0x22  Code  Gb  zero_init3.o [4]
__low_level_init        0x080004d7   0x4  Code  Gb  low_level_init.o [3]
exit                    0x080004db   0x4  Code  Gb  exit.o [3]
main                    0x08000269  0x78  Code  Gb  main.o [1]
[1] = \\\\psf\\Home\\Desktop\\STM32F4-Discovery_FW_V1.1.0\\Project\\STM32F4_Lab\\Empty_Project\\EWARM\\Project\\Obj
[2] = command line
[3] = dl7M_tln.a
[4] = rt7M_tl.a
[5] = shb_l.a

Errors: none
Warnings: none
"""
"""Of github.com/damianoct/STM32F4-StudentsProject EWARM/Project/List/Project.map, commit 7bb54f5, without the 91
interrupt handlers of 4 bytes each. Its own totals are 1,656 bytes of code, of which 4 in gaps, 72 of constants and
1,064 of RAM."""
IAR_HANDLERS = 91 * 4

GNU = """\
Memory Configuration

Name             Origin             Length             Attributes
FLASH            0x0000000008000000 0x0000000000100000 xr
RAM              0x0000000020000000 0x0000000000020000 xrw
*default*        0x0000000000000000 0xffffffffffffffff

Linker script and memory map

LOAD build/main.o

.text           0x0000000008000000     0x1000
 *(.text*)
 .text.main     0x0000000008000000      0x100 build/main.o
                0x0000000008000000                main
 .text._ZN6tflite12_GLOBAL__N_14EvalEP13TfLiteContextP10TfLiteNode
                0x0000000008000100      0x300 build/libtflm.a(softmax.o)
 .text          0x0000000008000400      0x200 /opt/arm/lib/libc_nano.a(lib_a-memcpy.o)
                0x0000000008000400                memcpy
                0x0000000008000480                memmove
 *fill*         0x0000000008000600        0x8
 .text.AveragePoolingEvalQuantized
                0x0000000008000608      0x400 build/libtflm.a/kernels/pooling.o

.rodata         0x0000000008001000     0x2000
 .rodata.g_kws_model_data
                0x0000000008001000     0x1f00 build/model.o
 .rodata.str1.4
                0x0000000008002f00      0x100 build/main.o

.data           0x0000000020000000       0x40 load address 0x0000000008003000
 .data.counter  0x0000000020000000        0x4 build/main.o

.bss            0x0000000020000040     0x8000 load address 0x0000000008003040
 .bss.tensor_arena
                0x0000000020000040     0x7000 build/main.o

._user_heap_stack
                0x0000000020008040      0x600 load address 0x0000000008003040

.debug_info     0x0000000000000000    0x12345
 .debug_info    0x0000000000000000     0x2345 build/main.o
.comment        0x0000000000000000       0x49
OUTPUT(firmware.elf elf32-littlearm)
"""
"""Written by hand in the form of GNU ld 2.40; that of a real Zephyr firmware with TFLM (build/zephyr/zephyr.map of
github.com/JoseGomesJr/magic_wand, commit b2f470d) was read with it: flash 319,039 of 319,072 bytes, RAM 59,198 of
59,244 by its own zephyr.stat, model 20,604 bytes."""

ARMLINK = """\
Component: ARM Compiler 6.19 Tool: armlink

Memory Map of the image

  Image Entry point : 0x08000195

  Load Region LR_IROM1 (Base: 0x08000000, Size: 0x00003440, Max: 0x00080000, ABSOLUTE)

    Execution Region ER_IROM1 (Exec base: 0x08000000, Load base: 0x08000000, Size: 0x00003400, Max: 0x00080000, ABSOLUTE)

    Exec Addr    Load Addr    Size         Type   Attr      Idx    E Section Name        Object

    0x08000000   0x08000000   0x00000100   Data   RO            3    RESET               startup_stm32f401xe.o
    0x08000100   0x08000100   0x00000300   Code   RO           81    .text.arm_convolve_s8  arm_convolve_s8.o
    0x08000400   0x08000400   0x00000002   PAD
    0x08000402   0x08000402   0x000000fe   Code   RO          742  * .text               c_w.l(exit.o)
    0x08000500   0x08000500   0x00002f00   Data   RO         1295    .rodata.s_network_weights_array_u64  network_data.o

    Execution Region RW_IRAM1 (Exec base: 0x20000000, Load base: 0x08003400, Size: 0x00001460, Max: 0x00018000, ABSOLUTE)

    Exec Addr    Load Addr    Size         Type   Attr      Idx    E Section Name        Object

    0x20000000   0x08003400   0x00000040   Data   RW          452    .data               main.o
    0x20000040        -       0x00001000   Zero   RW         1169    .bss.activations    app_x-cube-ai.o
    0x20001040        -       0x00000400   Zero   RW         1092    STACK               startup_stm32f401xe.o

==============================================================================
"""
