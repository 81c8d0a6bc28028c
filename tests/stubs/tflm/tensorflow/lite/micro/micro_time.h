// A timer of ten million ticks a second.
#ifndef STUB_MICRO_TIME_H_
#define STUB_MICRO_TIME_H_

#include <ctime>
#include <cstdint>

namespace tflite {

inline uint32_t ticks_per_second() { return 10000000; }

inline uint32_t GetCurrentTimeTicks() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint32_t>(now.tv_sec * 10000000ull + now.tv_nsec / 100);
}

}  // namespace tflite

#endif  // STUB_MICRO_TIME_H_
