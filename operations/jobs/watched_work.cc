#include "operations/jobs/watched_work.h"

#include <exception>
#include <future>
#include <string>

#include "operations/console/console.h"
#include "operations/jobs/signals.h"

namespace fensi::operations {

using std::chrono::milliseconds;

Status Caught(const std::function<Status()>& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    return InternalError(error);
  }
}

Status RunWatched(const std::function<Status()>& work, const std::function<void()>& stop,
                  const std::function<void()>& show) {
  constexpr milliseconds kLook{50};
  auto done = std::async(std::launch::async, [&work] { return Caught(work); });
  while (done.wait_for(milliseconds(0)) != std::future_status::ready) {
    if (AwaitStopSignal(kLook) != 0) stop();
    show();
  }
  ClearProgress();
  return done.get();
}

milliseconds ProgressPause(bool drawn) { return drawn ? milliseconds(500) : milliseconds(10'000); }

}  // namespace fensi::operations
