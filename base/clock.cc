#include "base/clock.h"

#include <time.h>

#include <thread>

namespace fensi {
namespace {

class MachineClock final : public Clock {
 public:
  std::chrono::milliseconds MonotonicNow() const override {
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return std::chrono::milliseconds(now.tv_sec * 1000 + now.tv_nsec / 1'000'000);
  }
  int64_t WallMillis() const override {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
  void Sleep(std::chrono::milliseconds duration) override { std::this_thread::sleep_for(duration); }
};

}  // namespace

Clock* SystemClock() {
  static MachineClock clock;
  return &clock;
}

}  // namespace fensi
