// Stands in for TFLite Micro's resolver: the same methods, which count instead of linking kernels.
#ifndef STUB_MICRO_MUTABLE_OP_RESOLVER_H_
#define STUB_MICRO_MUTABLE_OP_RESOLVER_H_

#include <cstdio>
#include <cstring>

#include "tensorflow/lite/micro/stub_common.h"

namespace tflite {

class MicroOpResolver {
 public:
  virtual ~MicroOpResolver() = default;
  virtual unsigned int length() const = 0;
  virtual unsigned int capacity() const = 0;
};

#define STUB_ONE_TYPE(OP, TYPE) \
  inline TFLMRegistration Register_##OP##_##TYPE() { return {#OP "_" #TYPE}; }
STUB_ONE_TYPE(ADD, INT8)
STUB_ONE_TYPE(ADD, INT16)
STUB_ONE_TYPE(AVERAGE_POOL_2D, INT8)
STUB_ONE_TYPE(AVERAGE_POOL_2D, INT16)
STUB_ONE_TYPE(BATCH_MATMUL, INT8)
STUB_ONE_TYPE(BATCH_MATMUL, INT16)
STUB_ONE_TYPE(CONV_2D, INT4)
STUB_ONE_TYPE(CONV_2D, INT8)
STUB_ONE_TYPE(CONV_2D, INT16)
STUB_ONE_TYPE(DEPTHWISE_CONV_2D, INT4)
STUB_ONE_TYPE(DEPTHWISE_CONV_2D, INT8)
STUB_ONE_TYPE(DEPTHWISE_CONV_2D, INT16)
STUB_ONE_TYPE(FULLY_CONNECTED, INT4)
STUB_ONE_TYPE(FULLY_CONNECTED, INT8)
STUB_ONE_TYPE(FULLY_CONNECTED, INT16)
STUB_ONE_TYPE(MAX_POOL_2D, INT8)
STUB_ONE_TYPE(MAX_POOL_2D, INT16)
STUB_ONE_TYPE(MAXIMUM, INT8)
STUB_ONE_TYPE(MINIMUM, INT8)
STUB_ONE_TYPE(MUL, INT8)
STUB_ONE_TYPE(SOFTMAX, INT8)
STUB_ONE_TYPE(SOFTMAX, INT16)
STUB_ONE_TYPE(SVDF, INT8)
STUB_ONE_TYPE(TRANSPOSE_CONV, INT8)
STUB_ONE_TYPE(UNIDIRECTIONAL_SEQUENCE_LSTM, INT8)
STUB_ONE_TYPE(UNIDIRECTIONAL_SEQUENCE_LSTM, INT16)

template <unsigned int tOpCount>
class MicroMutableOpResolver : public MicroOpResolver {
 public:
  unsigned int length() const override { return length_; }
  unsigned int capacity() const override { return tOpCount; }

  TfLiteStatus AddCustom(const char* name, const TFLMRegistration* registration) {
    if (registration == nullptr) return kTfLiteError;
    char text[256];
    std::snprintf(text, sizeof text, "custom %s", name);
    return Add(text, "");
  }

#define STUB_ADD(NAME) \
  TfLiteStatus Add##NAME(const TFLMRegistration& one = {}) { return Add(#NAME, one.kernel); }
#define STUB_ADD_CUSTOM(NAME) \
  TfLiteStatus Add##NAME() { return Add(#NAME, ""); }
#include "tensorflow/lite/micro/stub_methods.inc"
#undef STUB_ADD
#undef STUB_ADD_CUSTOM

 private:
  TfLiteStatus Add(const char* name, const char* kernel) {
    for (unsigned int i = 0; i < length_; ++i) {
      if (std::strcmp(names_[i], name) == 0) return kTfLiteError;
    }
    if (length_ >= tOpCount) return kTfLiteError;
    std::snprintf(names_[length_], sizeof names_[length_], "%s", name);
    ++length_;
    std::printf("add %s %s\n", name, kernel);
    return kTfLiteOk;
  }

  char names_[tOpCount][256];
  unsigned int length_ = 0;
};

}  // namespace tflite

#endif  // STUB_MICRO_MUTABLE_OP_RESOLVER_H_
