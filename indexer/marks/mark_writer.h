// Registers an index in the meta table, and says there how far the partitions are that this process owns, and by them
// how far the index is.
//
// Owns a thread, so that no worker waits for it. What it says is true for ever, so it may come late, twice, from an
// owner that has lost its partition, or not at all. Thread-safe; the record's store outlives it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "base/status.h"
#include "meta/index_record.h"

namespace fensi::indexer {

class MarkWriter {
 public:
  /// `tell`: what a person should know, empty when it is over; called on the writer's thread. `may_register`: asked
  /// before the index is registered, which an index that was dropped since must not take back.
  MarkWriter(meta::IndexRecord record, meta::IndexFacts facts, std::chrono::milliseconds period,
             std::function<void(const Words&)> tell, std::function<Status()> may_register);
  ~MarkWriter() { Finish(); }

  /// Every change of the partition up to that time is acknowledged by the store.
  void Note(int32_t partition, int32_t partitions, int64_t complete, const std::string& basis);
  /// Writes what was noted last. Blocks as long as the store's calls do.
  void Finish();

 private:
  void Run();
  void Write();
  Status WriteNoted(const meta::Marks& marks);

  const meta::IndexRecord record_;
  const meta::IndexFacts facts_;
  const std::chrono::milliseconds period_;
  const std::function<void(const Words&)> tell_;
  const std::function<Status()> may_register_;

  Mutex mu_;
  Condition changed_;
  meta::Marks noted_ ABSL_GUARDED_BY(mu_);  // and not written
  bool registered_ = false;                 // of thread_
  bool finishing_ ABSL_GUARDED_BY(mu_) = false;
  std::thread thread_;
};

}  // namespace fensi::indexer
