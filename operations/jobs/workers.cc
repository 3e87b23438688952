#include "operations/jobs/workers.h"

#include <unistd.h>

#include <chrono>
#include <thread>
#include <vector>

#include "operations/jobs/watched_work.h"

namespace fensi::operations {
namespace {

constexpr std::chrono::milliseconds kWorkersEvery{50};
constexpr std::chrono::seconds kWatch{2};

}  // namespace

Status JobWorkers::GoOn() const {
  if (stopped_) return Status(StatusCode::kCancelled, "stopped before the end; run the same command again to continue");
  const MutexLock lock(mu_);
  return failure_;
}

void JobWorkers::Stop() {
  if (stopped_.exchange(true)) _exit(ExitCode(StatusCode::kCancelled));
}

void JobWorkers::Fail(const Status& status) {
  const MutexLock lock(mu_);
  if (failure_.ok()) failure_ = status;
}

Status JobWorkers::Run(int count, Clock* clock, const std::function<Status()>& work,
                       const std::function<Status()>& watch) {
  std::vector<std::thread> threads;
  running_ = count;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&] {
      if (const Status status = Caught(work); !status.ok()) Fail(status);
      --running_;
    });
  }
  std::chrono::milliseconds watched = clock->MonotonicNow();
  while (running_ > 0) {
    clock->Sleep(kWorkersEvery);
    if (clock->MonotonicNow() - watched < kWatch) continue;
    watched = clock->MonotonicNow();
    if (const Status status = watch(); !status.ok()) Fail(status);
  }
  for (std::thread& thread : threads) thread.join();
  return GoOn();
}

}  // namespace fensi::operations
