// Types that the headers of TFLite Micro share.
#ifndef STUB_COMMON_H_
#define STUB_COMMON_H_

#include <cstddef>
#include <cstdint>

enum TfLiteStatus { kTfLiteOk = 0, kTfLiteError = 1 };

struct TFLMRegistration {
  const char* kernel = "";
};

union TfLitePtrUnion {
  void* data;
  int8_t* int8;
};

struct TfLiteTensor {
  TfLitePtrUnion data;
  size_t bytes;
};

#endif  // STUB_COMMON_H_
