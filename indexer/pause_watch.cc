#include "indexer/pause_watch.h"

#include <exception>
#include <utility>

#include "base/bytes.h"

namespace fensi::indexer {

Result<std::string> ReadPause(const MetaRow& row) {
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> cell, row.Read(kPauseColumn));
  return cell.has_value() ? cell->value : std::string();
}

std::string PauseText(const mapping::Index& index, const std::string& paused) {
  return "index " + index.name() + " is paused (" + Escape(paused) + "); to continue: 'fensi resume MAPPING " +
         index.name() + " --execute'";
}

PauseWatch::PauseWatch(std::chrono::milliseconds period, std::function<void()> look)
    : period_(period), look_(std::move(look)), thread_([this] { Run(); }) {}

PauseWatch::~PauseWatch() {
  {
    const MutexLock lock(mu_);
    ending_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

void PauseWatch::Run() {
  while (true) {
    {
      MutexLock lock(mu_);
      const auto ending = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return ending_; };
      if (changed_.wait_for(lock, period_, ending)) return;
    }
    try {
      look_();
    } catch (const std::exception&) {
      continue;  // lack of memory: asked again
    }
  }
}

}  // namespace fensi::indexer
