#pragma once
struct FakeSerial {
  void begin(long) {}
  void print(const char*) {}
};
inline FakeSerial Serial;
void setup();
void loop();
