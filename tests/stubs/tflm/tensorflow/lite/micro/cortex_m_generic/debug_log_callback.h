#pragma once
extern "C" inline void RegisterDebugLogCallback(void (*)(const char*)) {}
