"""Names of boards in the build systems, one usual board a chip.

Each is a folder of boards/ in zephyrproject-rtos/zephyr (board.yml, where a core or a SoC follows the slash),
or a file of boards/ in platformio/platform-ststm32 at 018acc3, platform-espressif32 at 4ed1943,
platform-nordicnrf52 at 2f3649d or platform-teensy at 66da50c. A chip that is not listed has no board there
that was read.
"""

from __future__ import annotations

from ..core.records import dataclass

_STM32, _ESP32, _NRF52, _TEENSY = "ststm32", "espressif32", "nordicnrf52", "teensy"


@dataclass(frozen=True)
class Board:
    zephyr: str | None = None
    platform: str = ""
    """PlatformIO's name for the maker's support, which the board is of."""
    platformio: str | None = None


_NUCLEO = (
    "f303re f401re f411re f429zi f446re f746zg f767zi g071rb g0b1re g431rb g474re h563zi h723zg "
    "h743zi l073rz l432kc l476rg l496zg l4r5zi wl55jc"
)
"""Of which both have a Nucleo of that name."""
_BOARDS: dict[str, Board] = {
    **{f"stm32{part}": Board(f"nucleo_{part}", _STM32, f"nucleo_{part}") for part in _NUCLEO.split()},
    "stm32f070rb": Board("nucleo_f070rb"),
    "stm32f103c8": Board(None, _STM32, "bluepill_f103c8"),
    "stm32f407vg": Board(None, _STM32, "disco_f407vg"),
    "stm32f411ce": Board(None, _STM32, "blackpill_f411ce"),
    "stm32f413zh": Board("nucleo_f413zh"),
    "stm32f746ng": Board(None, _STM32, "disco_f746ng"),
    "stm32h747xi": Board(None, _STM32, "giga_r1_m7"),
    "stm32h750vb": Board(None, _STM32, "weact_mini_h750vbtx"),
    "stm32h7a3zi": Board("nucleo_h7a3zi_q"),
    "stm32l475vg": Board("disco_l475_iot1", _STM32, "disco_l475vg_iot01a"),
    "stm32l4s5vi": Board("b_l4s5i_iot01a", _STM32, "disco_l4s5i_iot01a"),
    "stm32l552ze": Board("nucleo_l552ze_q", _STM32, "nucleo_l552ze_q"),
    "stm32n657x0": Board("nucleo_n657x0_q"),
    "stm32u385rg": Board("nucleo_u385rg_q"),
    "stm32u3c5zi": Board("nucleo_u3c5zi_q"),
    "stm32u575zi": Board("nucleo_u575zi_q", _STM32, "nucleo_u575zi_q"),
    "stm32u585ai": Board("b_u585i_iot02a", _STM32, "disco_b_u585i_iot02a"),
    "stm32u5a5zj": Board("nucleo_u5a5zj_q"),
    "stm32wb55rg": Board("nucleo_wb55rg", _STM32, "nucleo_wb55rg_p"),
    "stm32wba55cg": Board("nucleo_wba55cg"),
    "stm32wba65ri": Board("nucleo_wba65ri"),
    "esp32": Board(None, _ESP32, "esp32dev"),
    "esp32-psram": Board(None, _ESP32, "esp-wrover-kit"),
    "esp32-s2": Board(None, _ESP32, "esp32-s2-saola-1"),
    "esp32-s3": Board(None, _ESP32, "esp32-s3-devkitc-1"),
    "esp32-s3-r2": Board(None, _ESP32, "adafruit_qtpy_esp32s3_n4r2"),
    "esp32-s3-r8": Board(None, _ESP32, "seeed_xiao_esp32s3"),
    "esp32-c3": Board(None, _ESP32, "esp32-c3-devkitm-1"),
    "esp32-c6": Board(None, _ESP32, "esp32-c6-devkitc-1"),
    "nrf52832": Board("nrf52dk/nrf52832", _NRF52, "nrf52_dk"),
    "nrf52833": Board("nrf52833dk"),
    "nrf52840": Board("nrf52840dk/nrf52840", _NRF52, "nano33ble"),
    "nrf5340": Board("nrf5340dk/nrf5340/cpuapp"),
    "nrf54l15": Board("nrf54l15dk/nrf54l15/cpuapp"),
    "rp2040": Board("rpi_pico"),
    "rp2350": Board("rpi_pico2/rp2350a/m33"),
    "teensy-4.0": Board(None, _TEENSY, "teensy40"),
    "teensy-4.1": Board(None, _TEENSY, "teensy41"),
    "max32650": Board("max32650fthr"),
    "max32655": Board("max32655fthr/max32655/m4"),
    "max32666": Board("max32666fthr/max32666/cpu0"),
    "max32690": Board("max32690evkit/max32690/m4"),
    "max78000": Board("max78000fthr/max78000/m4"),
    "max78002": Board("max78002evkit/max78002/m4"),
    "imxrt1060": Board("mimxrt1060_evk@A/mimxrt1062/qspi"),
    "mcxn947": Board("frdm_mcxn947/mcxn947/cpu0"),
    "lpc55s69": Board("lpcxpresso55s69/lpc55s69/cpu0"),
    "mk64fn1m0": Board("frdm_k64f"),
    "ra4m1": Board("ek_ra4m1"),
    "ra6m4": Board("ek_ra6m4"),
    "ra6m5": Board("ek_ra6m5"),
    "ra8d1": Board("ek_ra8d1"),
    "ra8m1": Board("ek_ra8m1"),
}


def board_of(target: str) -> Board:
    """An empty one where none was read."""
    return _BOARDS.get(target, Board())
