// Stands in for TFLite Micro's interpreter: tells what it was given.
#ifndef STUB_MICRO_INTERPRETER_H_
#define STUB_MICRO_INTERPRETER_H_

#include <cstdio>

#include "tensorflow/lite/micro/micro_allocator.h"
#include "tensorflow/lite/micro/micro_mutable_op_resolver.h"
#include "tensorflow/lite/micro/stub_common.h"
#include "tensorflow/lite/schema/schema_generated.h"

#define TFLITE_SCHEMA_VERSION (3)

namespace tflite {

class MicroResourceVariables;

class MicroInterpreter {
 public:
  MicroInterpreter(const Model*, const MicroOpResolver& resolver, uint8_t* arena, size_t size,
                   MicroResourceVariables* = nullptr)
      : resolver_(resolver), arena_(arena), size_(size) {}
  MicroInterpreter(const Model*, const MicroOpResolver& resolver, MicroAllocator* allocator,
                   MicroResourceVariables* = nullptr)
      : resolver_(resolver), size_(allocator->size) {}

  TfLiteStatus AllocateTensors() {
    std::printf("operators %u of %u\n", resolver_.length(), resolver_.capacity());
    std::printf("arena %zu aligned %d\n", size_, reinterpret_cast<uintptr_t>(arena_) % 16 == 0);
    return kTfLiteOk;
  }
  TfLiteStatus Invoke() { return kTfLiteOk; }
  size_t arena_used_bytes() const { return size_; }
  TfLiteTensor* input(size_t) { return &tensor_; }
  TfLiteTensor* output(size_t) { return &tensor_; }
  template <class T>
  T* typed_input_tensor(int) {
    return static_cast<T*>(tensor_.data.data);
  }
  template <class T>
  T* typed_output_tensor(int) {
    return static_cast<T*>(tensor_.data.data);
  }

 private:
  const MicroOpResolver& resolver_;
  uint8_t* arena_ = nullptr;
  size_t size_;
  TfLiteTensor tensor_ = {};
};

}  // namespace tflite

#endif  // STUB_MICRO_INTERPRETER_H_
