// A library for LD_PRELOAD: the program sees a time of day that differs by FENSI_TEST_CLOCK_S seconds. Its other clocks
// are those of the machine.
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

namespace {

/// Without any call that may allocate: an allocator asks for the time while it begins.
time_t Offset() {
  const char* const text = std::getenv("FENSI_TEST_CLOCK_S");
  return text == nullptr ? 0 : static_cast<time_t>(std::strtol(text, nullptr, 10));
}

timespec Now() {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
  now.tv_sec += Offset();
  return now;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) {
    *time = Now();
    return 0;
  }
  return static_cast<int>(syscall(SYS_clock_gettime, clock, time));
}

__attribute__((visibility("default"))) int gettimeofday(timeval* time, void*) noexcept {
  const timespec now = Now();
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

__attribute__((visibility("default"))) time_t time(time_t* out) noexcept {
  const time_t now = Now().tv_sec;
  if (out != nullptr) *out = now;
  return now;
}

}  // extern "C"
