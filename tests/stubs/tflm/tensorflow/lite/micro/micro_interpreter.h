// Stands in for TFLite Micro's interpreter: tells what it was given.
#ifndef STUB_MICRO_INTERPRETER_H_
#define STUB_MICRO_INTERPRETER_H_

#include <cstdio>

#include "tensorflow/lite/micro/micro_allocator.h"
#include "tensorflow/lite/micro/micro_mutable_op_resolver.h"
#include "tensorflow/lite/micro/micro_profiler_interface.h"
#include "tensorflow/lite/micro/stub_common.h"
#include "tensorflow/lite/schema/schema_generated.h"

#define TFLITE_SCHEMA_VERSION (3)

// What a test lets a run do; nothing where it defines none.
__attribute__((weak)) bool FakeInvoke(tflite::MicroProfilerInterface* profiler, void* input, void* output);

namespace tflite {

class MicroResourceVariables;

class MicroInterpreter {
 public:
  MicroInterpreter(const Model*, const MicroOpResolver& resolver, uint8_t* arena, size_t size,
                   MicroResourceVariables* = nullptr, MicroProfilerInterface* profiler = nullptr, bool = false)
      : resolver_(resolver), arena_(arena), size_(size), profiler_(profiler) {}
  MicroInterpreter(const Model*, const MicroOpResolver& resolver, MicroAllocator* allocator,
                   MicroResourceVariables* = nullptr, MicroProfilerInterface* profiler = nullptr)
      : resolver_(resolver), size_(allocator->size), profiler_(profiler) {}

  TfLiteStatus AllocateTensors() {
    std::printf("operators %u of %u\n", resolver_.length(), resolver_.capacity());
    std::printf("arena %zu aligned %d\n", size_, reinterpret_cast<uintptr_t>(arena_) % 16 == 0);
    return kTfLiteOk;
  }
  TfLiteStatus Invoke() {
    if (FakeInvoke == nullptr) return kTfLiteOk;
    return FakeInvoke(profiler_, input_, output_) ? kTfLiteOk : kTfLiteError;
  }
  size_t arena_used_bytes() const { return size_; }
  TfLiteTensor* input(size_t) { return &tensor_; }
  TfLiteTensor* output(size_t) { return &tensor_; }
  template <class T>
  T* typed_input_tensor(int) {
    return reinterpret_cast<T*>(input_);
  }
  template <class T>
  T* typed_output_tensor(int) {
    return reinterpret_cast<T*>(output_);
  }

 private:
  const MicroOpResolver& resolver_;
  uint8_t* arena_ = nullptr;
  size_t size_;
  TfLiteTensor tensor_ = {};
  MicroProfilerInterface* profiler_;
  alignas(16) unsigned char input_[1 << 16] = {};
  alignas(16) unsigned char output_[1 << 16] = {};
};

}  // namespace tflite

#endif  // STUB_MICRO_INTERPRETER_H_
