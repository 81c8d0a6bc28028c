#ifndef STUB_MICRO_PROFILER_INTERFACE_H_
#define STUB_MICRO_PROFILER_INTERFACE_H_

#include <cstdint>

namespace tflite {

class MicroProfilerInterface {
 public:
  virtual ~MicroProfilerInterface() = default;
  virtual uint32_t BeginEvent(const char* tag) = 0;
  virtual void EndEvent(uint32_t event_handle) = 0;
};

}  // namespace tflite

#endif  // STUB_MICRO_PROFILER_INTERFACE_H_
