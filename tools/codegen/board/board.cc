// Answers Edgewright over a serial line: `edgewright profile MODEL -t TARGET --port PORT`.
//
// Lines of text, protocol version 1: @ew1 KIND NAME=VALUE ... *CRC, the CRC-16 (0x1021 from 0xFFFF, four hex
// digits) of all before the star. Commands: identify, run warm= runs= detail=, check. docs/board.md has all.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "board_model.h"
#include "board_port.h"
#include "model_runner.h"
#include "tensorflow/lite/micro/micro_profiler_interface.h"

#if defined(BOARD_ETHOS_U)
namespace board {
uint32_t npu_counted[kNpuEvents] = {};
}  // namespace board

// The driver calls them around each of its command streams; its own, which are weak, do nothing.
extern "C" void ethosu_inference_begin(struct ethosu_driver* driver, void*) {
  ETHOSU_PMU_Enable(driver);
  for (uint32_t at = 0; at < board::kNpuEvents; ++at) ETHOSU_PMU_Set_EVTYPER(driver, at, board::kNpuEventTypes[at]);
  ETHOSU_PMU_CNTR_Enable(driver, (1u << board::kNpuEvents) - 1);
  ETHOSU_PMU_EVCNTR_ALL_Reset(driver);
}

extern "C" void ethosu_inference_end(struct ethosu_driver* driver, void*) {
  for (uint32_t at = 0; at < board::kNpuEvents; ++at) board::npu_counted[at] += ETHOSU_PMU_Get_EVCNTR(driver, at);
  ETHOSU_PMU_Disable(driver);
}
#endif

namespace board {
namespace {

constexpr char kMark[] = "@ew1 ";
constexpr size_t kLongestLine = 320, kLongestCommand = 96, kLongestText = 40;

uint16_t Crc16(const char* text, size_t size) {
  uint16_t crc = 0xFFFF;
  for (size_t at = 0; at < size; ++at) {
    crc = static_cast<uint16_t>(crc ^ static_cast<unsigned char>(text[at]) << 8);
    for (int bit = 0; bit < 8; ++bit) {
      crc = static_cast<uint16_t>((crc & 0x8000) != 0 ? crc << 1 ^ 0x1021 : crc << 1);
    }
  }
  return crc;
}

// As zlib's; by half bytes, as a table of 256 entries takes more flash than it is worth.
uint32_t Crc32(const unsigned char* data, size_t size) {
  constexpr uint32_t kTable[16] = {0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4,
                                   0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                   0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};
  uint32_t crc = 0xFFFFFFFF;
  for (size_t at = 0; at < size; ++at) {
    crc = kTable[(crc ^ data[at]) & 15] ^ crc >> 4;
    crc = kTable[(crc ^ data[at] >> 4) & 15] ^ crc >> 4;
  }
  return ~crc;
}

// One line, sent when it goes out of scope.
class Line {
 public:
  explicit Line(const char* kind) {
    Put(kMark);
    Put(kind);
  }
  ~Line() {
    const uint16_t crc = Crc16(text_, size_);
    text_[size_++] = '*';
    for (int shift = 12; shift >= 0; shift -= 4) text_[size_++] = "0123456789ABCDEF"[crc >> shift & 15];
    text_[size_++] = '\n';
    Write(text_, size_);
  }
  Line& Field(const char* name, const char* value) {
    Name(name);
    for (size_t at = 0; at < kLongestText && value[at] != '\0'; ++at) {
      const char c = value[at];
      Put(c > ' ' && c <= '~' && c != '*' && c != '=' ? c : '_');
    }
    return *this;
  }
  Line& Field(const char* name, uint64_t value) {
    char digits[21];
    int at = 20;
    digits[at] = '\0';
    do {
      digits[--at] = static_cast<char>('0' + value % 10);
      value /= 10;
    } while (value != 0);
    return Field(name, digits + at);
  }

 private:
  void Name(const char* name) {
    Put(' ');
    Put(name);
    Put('=');
  }
  void Put(const char* text) {
    while (*text != '\0') Put(*text++);
  }
  void Put(char c) {
    if (size_ < kLongestLine - 6) text_[size_++] = c;
  }

  char text_[kLongestLine];
  size_t size_ = 0;
};

struct Reading {
  uint32_t ticks = 0;
  uint32_t events[kEvents > 0 ? kEvents : 1] = {};
};

void Since(const Reading& begin, Reading* now) {
  now->ticks -= begin.ticks;
  for (int at = 0; at < kEvents; ++at) now->events[at] -= begin.events[at];
}

// Times each operator; one within another (IF, WHILE) counts with the outer.
class Profiler : public tflite::MicroProfilerInterface {
 public:
  uint32_t BeginEvent(const char* tag) override {
    if (depth_++ == 0 && count < kOperators) {
      tags[count] = tag;
      for (int at = 0; at < kEvents; ++at) begin_.events[at] = Event(at);
      begin_.ticks = Ticks();
    }
    return 0;
  }
  void EndEvent(uint32_t) override {
    Reading now;
    now.ticks = Ticks();
    if (--depth_ != 0) return;
    if (count >= kOperators) {
      ++lost;
      return;
    }
    for (int at = 0; at < kEvents; ++at) now.events[at] = Event(at);
    Since(begin_, &now);
    taken[count++] = now;
  }
  void Clear() { count = lost = depth_ = 0; }

  const char* tags[kOperators] = {};
  Reading taken[kOperators];
  int count = 0, lost = 0;

 private:
  Reading begin_;
  int depth_ = 0;
};

Profiler profiler;
bool ready = false, counting = false;
uint32_t runs_since_boot = 0;
uint64_t set_up_ticks = 0;

void Fail(const char* of, const char* why) { Line("fail").Field("of", of).Field("why", why); }

bool Fill(int vector) {
  for (int at = 0; at < kInputCount; ++at) {
    void* to = kInputs[at].data();
    if (to == nullptr) return false;
    std::memcpy(to, kGoldenInputs[vector * kInputCount + at], kInputs[at].bytes);
  }
  return true;
}

void Identify() {
  {
    Line line("hello");
    line.Field("model", kModel).Field("target", kTarget).Field("runtime", kRuntime);
    line.Field("ready", ready ? 1u : 0u).Field("counting", counting ? 1u : 0u).Field("counter", kCounter);
    line.Field("rate_hz", TickRateHz()).Field("clock_hz", static_cast<uint64_t>(BOARD_CLOCK_HZ));
  }
  Line line("build");
  line.Field("bytes", kModelBytes).Field("crc32", Crc32(model_data, kModelBytes)).Field("arena", ArenaUsedBytes());
  line.Field("set_up", set_up_ticks).Field("runs", runs_since_boot).Field("vectors", uint64_t{kVectors});
#if defined(__OPTIMIZE__) || defined(__OPTIMIZE_SIZE__)
  line.Field("optimized", 1u);
#elif defined(__GNUC__)
  line.Field("optimized", uint64_t{0});
#endif
#if defined(__clang__)
  line.Field("compiler", "clang").Field("version", static_cast<uint64_t>(__clang_major__));
#elif defined(__GNUC__)
  line.Field("compiler", "gcc").Field("version", static_cast<uint64_t>(__GNUC__));
#endif
}

void PrintRun(uint32_t number, bool warm, uint32_t ticks, bool detailed) {
  uint64_t sum = 0;
  for (int at = 0; at < profiler.count; ++at) sum += profiler.taken[at].ticks;
  // A run of more than 2^32 ticks: its operators tell how often the counter came round.
  const uint64_t whole = sum + static_cast<uint32_t>(ticks - static_cast<uint32_t>(sum));
  const int printed = detailed ? profiler.count : 0;
  {
    Line line("run");
    line.Field("run", number).Field("warm", warm ? 1u : 0u).Field("ticks", whole);
    line.Field("operators", static_cast<uint64_t>(printed)).Field("lost", static_cast<uint64_t>(profiler.lost));
  }
  for (int at = 0; at < printed; ++at) {
    const Reading& taken = profiler.taken[at];
    Line line("op");
    line.Field("run", number).Field("i", static_cast<uint64_t>(at)).Field("tag", profiler.tags[at]);
    line.Field("ticks", taken.ticks);
    for (int event = 0; event < kEvents; ++event) line.Field(kEventNames[event], taken.events[event]);
  }
}

void Run(uint32_t warm, uint32_t runs, uint32_t detailed) {
  for (uint32_t number = 0; number < warm + runs; ++number) {
    if (kVectors > 0 && !Fill(0)) return Fail("run", "inputs");
    Line("start").Field("run", number);
    profiler.Clear();
    const uint32_t begin = Ticks();
    const bool ran = RunModel();
    const uint32_t ticks = Ticks() - begin;
    ++runs_since_boot;
    if (!ran) return Fail("run", "invoke");
    PrintRun(number, number < warm, ticks, number >= warm && number - warm < detailed);
  }
  Line("done").Field("of", "run").Field("runs", uint64_t{warm} + runs);
}

int64_t Whole(const unsigned char* at, const Tensor& of) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, of.element_bytes);  // both sides are little-endian
  if (of.type == 'i' && of.element_bytes < 8 && (bits >> (8 * of.element_bytes - 1) & 1) != 0) {
    bits |= ~uint64_t{0} << (8 * of.element_bytes);
  }
  return static_cast<int64_t>(bits);
}

float Real(const unsigned char* at) {
  float value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

float Size(float value) { return value < 0 ? -value : value; }

// The largest difference: in steps of whole numbers, in millionths of the largest value of real ones.
uint64_t Largest(const unsigned char* got, const unsigned char* expected, const Tensor& of) {
  uint64_t most = 0;
  float apart = 0, scale = 0;
  for (uint32_t at = 0; at < of.bytes; at += of.element_bytes) {
    if (of.type == 'f') {
      const float difference = Size(Real(got + at) - Real(expected + at));
      if (!(difference <= apart)) apart = difference;
      if (Size(Real(expected + at)) > scale) scale = Size(Real(expected + at));
    } else {
      const int64_t difference = Whole(got + at, of) - Whole(expected + at, of);
      const uint64_t steps = static_cast<uint64_t>(difference < 0 ? -difference : difference);
      if (steps > most) most = steps;
    }
  }
  if (of.type != 'f') return most;
  const float millionths = apart / (scale > 0 ? scale : 1) * 1e6f;
  return millionths < 1e9f ? static_cast<uint64_t>(millionths) : 1000000000;
}

void Check() {
  for (int vector = 0; vector < kVectors; ++vector) {
    if (!Fill(vector)) return Fail("check", "inputs");
    if (!RunModel()) return Fail("check", "invoke");
    ++runs_since_boot;
    for (int at = 0; at < kOutputCount; ++at) {
      const Tensor& of = kOutputs[at];
      const unsigned char* got = static_cast<const unsigned char*>(of.data());
      if (got == nullptr) return Fail("check", "outputs");
      const unsigned char* expected = kGoldenOutputs[vector * kOutputCount + at];
      uint64_t different = 0;
      for (uint32_t byte = 0; byte < of.bytes; byte += of.element_bytes) {
        if (std::memcmp(got + byte, expected + byte, of.element_bytes) != 0) ++different;
      }
      Line line("vector");
      line.Field("vector", static_cast<uint64_t>(vector)).Field("output", static_cast<uint64_t>(at));
      line.Field("elements", static_cast<uint64_t>(of.bytes / of.element_bytes)).Field("different", different);
      line.Field("most", Largest(got, expected, of)).Field("real", of.type == 'f' ? 1u : 0u);
    }
  }
  Line("done").Field("of", "check").Field("vectors", static_cast<uint64_t>(kVectors));
}

// The number of a field of a command, or what stands for it where it is missing.
uint32_t Number(const char* command, const char* field, uint32_t missing) {
  const char* at = std::strstr(command, field);
  if (at == nullptr) return missing;
  uint32_t value = 0;
  for (at += std::strlen(field); *at >= '0' && *at <= '9' && value < 100000000; ++at) {
    value = 10 * value + static_cast<uint32_t>(*at - '0');
  }
  return value;
}

// The star may be left out, so that a command can be typed.
bool Intact(char* command) {
  char* star = std::strrchr(command, '*');
  if (star == nullptr) return true;
  const uint16_t crc = Crc16(command, static_cast<size_t>(star - command));
  for (int at = 0; at < 4; ++at) {
    if (star[1 + at] != "0123456789ABCDEF"[crc >> (12 - 4 * at) & 15]) return false;
  }
  *star = '\0';
  return true;
}

void Obey(char* text) {
  char* command = std::strstr(text, kMark);
  if (command == nullptr) return;
  if (!Intact(command)) return Fail("command", "checksum");
  const char* kind = command + std::strlen(kMark);
  if (std::strncmp(kind, "identify", 8) == 0) return Identify();
  if (!ready) return Fail("command", "set_up");
  if (std::strncmp(kind, "check", 5) == 0) return Check();
  if (std::strncmp(kind, "run", 3) != 0) return Fail("command", "unknown");
  Run(Number(kind, " warm=", 0), Number(kind, " runs=", 1), Number(kind, " detail=", 1));
}

}  // namespace
}  // namespace board

tflite::MicroProfilerInterface* ModelProfiler() { return &board::profiler; }

void BoardMain() {
  board::counting = board::StartCounters();
  const uint32_t begin = board::Ticks();
  board::ready = SetUpModel();
  board::set_up_ticks = board::Ticks() - begin;
  board::Identify();
  char text[board::kLongestCommand];
  size_t size = 0;
  for (;;) {
    const int character = board::Read();
    if (character < 0) continue;
    if (character == '\n' || character == '\r') {
      text[size] = '\0';
      board::Obey(text);
      size = 0;
    } else {
      if (size == sizeof text - 1) size = 0;  // no command is so long
      text[size++] = static_cast<char>(character);
    }
  }
}
