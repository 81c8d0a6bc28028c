// How this board sends characters and counts cycles. What does not hold for yours is yours to change.
//
// -DBOARD_OWN_UART      standard input and output are no serial line: define board::Write and board::Read
// -DBOARD_OWN_COUNTER   another counter: define board::StartCounters, board::Ticks and board::TickRateHz
// -DBOARD_CLOCK_HZ=...  the core's clock where it is not the planned one, such as SystemCoreClock
// Where the program has a main of its own, it calls BoardMain(), and main.cc is left out.
//
// Registers: DWT and DEMCR as in CMSIS core_cm7.h and core_cm55.h (ARM-software/CMSIS_5), the PMU and its
// events as in pmu_armv8.h there; cycles of an ESP32 as in esp_cpu.h of ESP-IDF; the PMU of an Ethos-U as in
// pmu_ethosu.h of Arm's ethos-u-core-driver, counted from ethosu_inference_begin to ethosu_inference_end.
#ifndef BOARD_PORT_H_
#define BOARD_PORT_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "board_model.h"

#if defined(ESP_PLATFORM)
#include "esp_cpu.h"
#endif
#if defined(BOARD_ETHOS_U)
#include <pmu_ethosu.h>
#endif

namespace board {

#if defined(BOARD_OWN_UART)
void Write(const char* text, size_t size);
// The next character that came in; -1 while there is none.
int Read();
#else
inline void Write(const char* text, size_t size) {
  std::fwrite(text, 1, size, stdout);
  std::fflush(stdout);
}

inline int Read() {
  const int character = std::getchar();
#if defined(__unix__) || defined(__APPLE__)
  if (character == EOF) std::exit(0);
#endif
  return character == EOF ? -1 : character;
}
#endif  // BOARD_OWN_UART

inline volatile uint32_t& Register(uintptr_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}

#if defined(__ARM_ARCH_8_1M_MAIN__) && !defined(BOARD_OWN_COUNTER)
#define BOARD_HAS_PMU 1
#define BOARD_CORE_EVENTS "inst_retired", "l1d_cache", "l1d_cache_refill", "mve_inst_retired",
// Events of 32 bits: an even counter of 16 bits, and the odd one beside it for its carry (CHAIN).
constexpr uint32_t kEventNumbers[] = {0x0008, 0x0004, 0x0003, 0x0200};
constexpr int kCoreEvents = 4;
constexpr uintptr_t kPmu = 0xE0003000;
#else
#define BOARD_CORE_EVENTS
constexpr int kCoreEvents = 0;
#endif

#if defined(BOARD_ETHOS_U)
#define BOARD_NPU_EVENTS "npu_active", "npu_idle", "mac_active", "npu_read_beats",
#if BOARD_ETHOS_U == 85
constexpr ethosu_pmu_event_type kNpuEventTypes[] = {ETHOSU_PMU_NPU_ACTIVE, ETHOSU_PMU_NPU_IDLE,
                                                    ETHOSU_PMU_MAC_ACTIVE, ETHOSU_PMU_SRAM_RD_DATA_BEAT_RECEIVED};
#else
constexpr ethosu_pmu_event_type kNpuEventTypes[] = {ETHOSU_PMU_NPU_ACTIVE, ETHOSU_PMU_NPU_IDLE,
                                                    ETHOSU_PMU_MAC_ACTIVE, ETHOSU_PMU_AXI0_RD_DATA_BEAT_RECEIVED};
#endif
constexpr int kNpuEvents = 4;
extern uint32_t npu_counted[kNpuEvents];  // board.cc
#else
#define BOARD_NPU_EVENTS
constexpr int kNpuEvents = 0;
#endif

constexpr const char* kEventNames[] = {BOARD_CORE_EVENTS BOARD_NPU_EVENTS ""};
constexpr int kEvents = kCoreEvents + kNpuEvents;

#if defined(BOARD_OWN_COUNTER)
constexpr const char* kCounter = "own";
bool StartCounters();
uint32_t Ticks();
uint32_t TickRateHz();

#elif defined(ESP_PLATFORM)
constexpr const char* kCounter = "cycles";
inline bool StartCounters() { return true; }
inline uint32_t Ticks() { return esp_cpu_get_cycle_count(); }
inline uint32_t TickRateHz() { return BOARD_CLOCK_HZ; }

#elif defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__) || defined(__ARM_ARCH_8M_MAIN__) || \
    defined(__ARM_ARCH_8_1M_MAIN__)
constexpr const char* kCounter = "dwt";
constexpr uintptr_t kDwtControl = 0xE0001000, kDwtCycles = 0xE0001004, kDwtLock = 0xE0001FB0;
constexpr uintptr_t kDebugMonitor = 0xE000EDFC;

inline bool StartCounters() {
  Register(kDebugMonitor) = Register(kDebugMonitor) | (1u << 24);  // TRCENA
#if defined(__ARM_ARCH_7EM__)
  Register(kDwtLock) = 0xC5ACCE55;  // a Cortex-M7 may keep it locked; elsewhere nothing is written there
#endif
  if ((Register(kDwtControl) & (1u << 25)) != 0) return false;  // NOCYCCNT
  Register(kDwtCycles) = 0;
  Register(kDwtControl) = Register(kDwtControl) | 1u;  // CYCCNTENA
#if defined(BOARD_HAS_PMU)
  Register(kPmu + 0xE04) = 0x6;  // CTRL: events and cycles from zero
  for (int at = 0; at < kCoreEvents; ++at) {
    Register(kPmu + 0x400 + 8 * at) = kEventNumbers[at];  // EVTYPER, even
    Register(kPmu + 0x404 + 8 * at) = 0x001E;             // CHAIN
  }
  Register(kPmu + 0xC00) = 0x800000FF;  // CNTENSET: eight events and the cycles
  Register(kPmu + 0xE04) = 0x1;
#endif
  return true;
}
inline uint32_t Ticks() { return Register(kDwtCycles); }
inline uint32_t TickRateHz() { return BOARD_CLOCK_HZ; }

#else
}  // namespace board
#include "tensorflow/lite/micro/micro_time.h"
namespace board {
constexpr const char* kCounter = "timer";  // of the library's own port
inline bool StartCounters() { return tflite::ticks_per_second() > 0; }
inline uint32_t Ticks() { return tflite::GetCurrentTimeTicks(); }
inline uint32_t TickRateHz() { return tflite::ticks_per_second(); }
#endif

// Of an event, since the start; wraps at 32 bits.
inline uint32_t Event(int at) {
#if defined(BOARD_ETHOS_U)
  if (at >= kCoreEvents) return npu_counted[at - kCoreEvents];
#endif
#if defined(BOARD_HAS_PMU)
  for (;;) {  // the carry may come between the two halves
    const uint32_t high = Register(kPmu + 8 * at + 4) & 0xFFFF;
    const uint32_t low = Register(kPmu + 8 * at) & 0xFFFF;
    if (high == (Register(kPmu + 8 * at + 4) & 0xFFFF)) return high << 16 | low;
  }
#else
  (void)at;
  return 0;
#endif
}

}  // namespace board

#endif  // BOARD_PORT_H_
