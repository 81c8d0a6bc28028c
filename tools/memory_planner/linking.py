"""What to tell a toolchain to put an array into a region.

Only what a public file says is offered; each hint names it.

- GNU ld: `Using ld`, MEMORY and SECTIONS (binutils documentation): an output section goes to a region by
  `> REGION`; GCC puts a variable into a section by `__attribute__((section))`.
- ESP-IDF: docs/en/api-guides/external-ram.rst at 002cd296 and components/esp_common/include/esp_attr.h:
  MALLOC_CAP_SPIRAM, and EXT_RAM_BSS_ATTR under CONFIG_SPIRAM_ALLOW_BSS_SEG_EXTERNAL_MEMORY.
- Pico SDK: src/rp2_common/pico_platform_sections/include/pico/platform/sections.h at 0852f128:
  __in_flash, __not_in_flash.
- Teensy 4: PaulStoffregen/cores teensy4/imxrt1062_t41.ld at 033bd8cd: .dmabuffers goes to the second
  512 KiB of RAM, .externalram to PSRAM, .progmem to flash, everything else to DTCM.
- Zephyr: dts/bindings/base/zephyr,memory-region.yaml at 08ae4648 and
  include/zephyr/linker/devicetree_regions.h: a node with that compatible becomes a linker region.
"""

from __future__ import annotations

from collections.abc import Callable

from ...hardware_db import MemoryKind, Region, Target
from ...hardware_db.derived import FLASH_KINDS
from .arrangements import Arrangement
from .board import Part, Run
from .memory_plan import LinkerHint

_ARRAYS = {
    Part.ARENA: ("tensor_arena", "uint8_t tensor_arena[kTensorArenaSize]"),
    Part.PERSISTENT: ("persistent_arena", "uint8_t persistent_arena[kPersistentArenaSize]"),
    Part.WEIGHTS: ("model_data", "const unsigned char model_data[]"),
}
"""Section and definition of each array; kernels want 16-byte alignment."""
_SPIRAM = "CONFIG_SPIRAM=y, CONFIG_SPIRAM_ALLOW_BSS_SEG_EXTERNAL_MEMORY=y"
Hints = Callable[[Part, Run], LinkerHint]


def linker_hints(target: Target, each: Arrangement) -> tuple[LinkerHint, ...]:
    """One hint a part; none for targets that run an operating system with virtual memory."""
    if target.target_class.value not in ("mcu", "dsp", "npu"):
        return ()
    toolchain = _toolchain(target)
    parts = ((Part.ARENA, each.arena), (Part.PERSISTENT, each.persistent), (Part.WEIGHTS, each.weights))
    return tuple(toolchain(part, run) for part, run in parts if run)


def _toolchain(target: Target) -> Hints:
    vendor = target.vendor.casefold()
    if "espressif" in vendor:
        return _esp_idf
    if "raspberry" in vendor:
        return _pico_sdk
    if target.measured_as.startswith("teensy-4"):
        return _teensy
    return _zephyr if "nordic" in vendor else _gnu_ld


def _gnu_ld(part: Part, run: Run) -> LinkerHint:
    section = _ARRAYS[part][0]
    if part is Part.WEIGHTS and run[0].kind in FLASH_KINDS and not run[0].external:
        text = f"alignas(16) {_array(part, True)}"
        return _hint(part, run, "GCC and GNU ld", text, "", "binutils, Using ld")
    where = "_AND_".join(_region_name(region) for region in run)
    load = " AT> FLASH" if part is Part.WEIGHTS and run[0].kind not in FLASH_KINDS else ""
    kind = " (NOLOAD)" if part is not Part.WEIGHTS else ""
    script = f".{section}{kind} : ALIGN(16) {{ *(.{section}) }} > {where}{load}"
    if len(run) > 1:
        joined = " + ".join(f"LENGTH({_region_name(region)})" for region in run)
        script = (
            f"MEMORY {{ {where} (rw) : ORIGIN = ORIGIN({_region_name(run[0])}), LENGTH = {joined} }} "
            f"in place of its parts; {script}"
        )
    script += f" /* {where}: as your script names {' + '.join(r.id for r in run)} */"
    if load:
        script += "; start-up code copies it from LOADADDR"
    declared = f'alignas(16) __attribute__((section(".{section}"))) {_array(part, True)}'
    return _hint(part, run, "GCC and GNU ld", declared, script, "binutils, Using ld: MEMORY, SECTIONS")


def _esp_idf(part: Part, run: Run) -> LinkerHint:
    section, array = _ARRAYS[part]
    guide = "espressif/esp-idf docs/en/api-guides/external-ram.rst"
    if run[0].kind is MemoryKind.PSRAM:
        if part is Part.WEIGHTS:
            declared = f"{section} = heap_caps_aligned_alloc(16, kModelSize, MALLOC_CAP_SPIRAM), then memcpy"
            return _hint(part, run, "ESP-IDF", declared, "CONFIG_SPIRAM=y", guide)
        return _hint(part, run, "ESP-IDF", f"alignas(16) EXT_RAM_BSS_ATTR {array};", _SPIRAM, guide)
    if part is Part.WEIGHTS and run[0].kind in FLASH_KINDS:
        return _hint(part, run, "ESP-IDF", f"alignas(16) {array} = {{…}};", "", guide)
    if part is Part.WEIGHTS:
        declared = f"{section} = heap_caps_aligned_alloc(16, kModelSize, MALLOC_CAP_INTERNAL), then memcpy"
        return _hint(part, run, "ESP-IDF", declared, "", guide)
    return _hint(part, run, "ESP-IDF", f"alignas(16) static {array};", "", guide)


def _pico_sdk(part: Part, run: Run) -> LinkerHint:
    section, array = _ARRAYS[part]
    header = "raspberrypi/pico-sdk pico/platform/sections.h"
    if part is not Part.WEIGHTS:
        return _hint(part, run, "Pico SDK", f"alignas(16) static {array};", "", header)
    macro = "__in_flash" if run[0].kind in FLASH_KINDS else "__not_in_flash"
    return _hint(part, run, "Pico SDK", f'alignas(16) {macro}("{section}") {array} = {{…}};', "", header)


def _teensy(part: Part, run: Run) -> LinkerHint:
    """Its sections in RAM are not loaded; what has no section of its own goes to DTCM, loaded from flash."""
    section = {
        MemoryKind.PSRAM: ".externalram",
        MemoryKind.XIP_FLASH: ".progmem",
        MemoryKind.FLASH: ".progmem",
        MemoryKind.SRAM: ".dmabuffers",
    }.get(run[0].kind)
    text = f'__attribute__((section("{section}"))) ' if section else ""
    is_loaded = section in (None, ".progmem")
    script = "PaulStoffregen/cores teensy4/imxrt1062_t41.ld"
    return _hint(part, run, "Teensy 4 core", f"alignas(16) {text}{_array(part, is_loaded)}", "", script)


def _zephyr(part: Part, run: Run) -> LinkerHint:
    binding = "zephyrproject-rtos/zephyr dts/bindings/base/zephyr,memory-region.yaml"
    if part is Part.WEIGHTS and run[0].kind in FLASH_KINDS:
        return _hint(part, run, "Zephyr", f"alignas(16) {_array(part, True)}", "", binding)
    node = run[0].id.replace("-", "_")
    section = f"Z_GENERIC_SECTION(LINKER_DT_NODE_REGION_NAME_TOKEN(DT_NODELABEL({node})))"
    script = (
        f'devicetree node {node}: compatible = "zephyr,memory-region", "mmio-sram"; '
        f'zephyr,memory-region = "{_region_name(run[0])}"; where it is not zephyr,sram already'
    )
    return _hint(part, run, "Zephyr", f"alignas(16) {section} {_array(part, False)}", script, binding)


def _array(part: Part, is_loaded: bool) -> str:
    """The definition; a model in memory that nobody loads is copied by the program."""
    if part is not Part.WEIGHTS:
        return f"{_ARRAYS[part][1]};"
    if is_loaded:
        return f"{_ARRAYS[part][1]} = {{…}};"
    return "unsigned char model_data[kModelSize]; // memcpy the model here before it is used"


def _hint(part: Part, run: Run, toolchain: str, declared: str, script: str, source: str) -> LinkerHint:
    return LinkerHint(
        part=part.value,
        regions=tuple(region.id for region in run),
        toolchain=toolchain,
        declaration=declared,
        script=script,
        source=source,
    )


def _region_name(region: Region) -> str:
    """As a linker script of yours may call it; its address is in the vendor's."""
    return region.id.upper().replace("-", "_")
