#ifndef STUB_MICRO_LOG_H_
#define STUB_MICRO_LOG_H_

#include <cstdio>

#define MicroPrintf(...) (std::printf(__VA_ARGS__), std::printf("\n"))

#endif  // STUB_MICRO_LOG_H_
