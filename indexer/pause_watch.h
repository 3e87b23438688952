// Checks periodically the index's own row (indexer/index_meta.h), whether a person has paused the index and whether it
// is still the same index, and the index table (indexer/index_table.h).
//
// Owns a thread from construction to destruction, which blocks as long as a read of the store does. A failed read is
// repeated; until then the index continues as before.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "indexer/meta_row.h"

namespace fensi::indexer {

inline constexpr char kPauseColumn[] = "pause";

/// Who paused the index, when and why; empty: not paused.
Result<std::string> ReadPause(const MetaRow& row);

/// The message for commands that wait for a paused index; `paused`: as ReadPause returns it.
std::string PauseText(const mapping::Index& index, const std::string& paused);

class PauseWatch {
 public:
  /// Calls `look` on the watch's thread after each period.
  PauseWatch(std::chrono::milliseconds period, std::function<void()> look);
  ~PauseWatch();
  PauseWatch(const PauseWatch&) = delete;
  PauseWatch& operator=(const PauseWatch&) = delete;

 private:
  void Run();

  const std::chrono::milliseconds period_;
  const std::function<void()> look_;

  Mutex mu_;
  Condition changed_;
  bool ending_ ABSL_GUARDED_BY(mu_) = false;
  std::thread thread_;
};

}  // namespace fensi::indexer
