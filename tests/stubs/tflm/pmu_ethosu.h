// A stand-in for the PMU of Arm's ethos-u-core-driver: counters that count only while they are enabled.
#pragma once
#include <cstdint>
struct ethosu_driver {
  bool enabled = false;
  uint32_t mask = 0, types[8] = {}, counters[8] = {};
};
enum ethosu_pmu_event_type {
  ETHOSU_PMU_NO_EVENT = 0,
  ETHOSU_PMU_NPU_IDLE,
  ETHOSU_PMU_NPU_ACTIVE,
  ETHOSU_PMU_MAC_ACTIVE,
  ETHOSU_PMU_AXI0_RD_DATA_BEAT_RECEIVED,
  ETHOSU_PMU_SRAM_RD_DATA_BEAT_RECEIVED,
};
inline void ETHOSU_PMU_Enable(ethosu_driver* driver) { driver->enabled = true; }
inline void ETHOSU_PMU_Disable(ethosu_driver* driver) { driver->enabled = false; }
inline void ETHOSU_PMU_Set_EVTYPER(ethosu_driver* driver, uint32_t at, ethosu_pmu_event_type type) {
  driver->types[at] = type;
}
inline void ETHOSU_PMU_CNTR_Enable(ethosu_driver* driver, uint32_t mask) { driver->mask |= mask; }
inline void ETHOSU_PMU_EVCNTR_ALL_Reset(ethosu_driver* driver) {
  for (uint32_t& counter : driver->counters) counter = 0;
}
inline uint32_t ETHOSU_PMU_Get_EVCNTR(ethosu_driver* driver, uint32_t at) { return driver->counters[at]; }
inline void FakeNpuRuns(ethosu_driver* driver) {  // as many counts as its event's number, times a thousand
  for (uint32_t at = 0; at < 8; ++at) {
    if (driver->enabled && (driver->mask >> at & 1) != 0) driver->counters[at] += 1000 * driver->types[at];
  }
}
