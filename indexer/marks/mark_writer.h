// Registers an index in the meta table, and says there how far the partitions are that this process owns, and by them
// how far the index is.
//
// Owns a thread, so that no worker waits for it. What it says is true for ever, so it may come late, twice, from an
// owner that has lost its partition, or not at all. Thread-safe; the record's store outlives it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "base/status.h"
#include "consumer/change_source.h"
#include "meta/index_record.h"

namespace fensi::indexer {

class MarkWriter {
 public:
  /// `tell`: what a person should know, empty when it is over; called on the writer's thread. `may_register`: asked
  /// before the index is registered, which an index that was dropped since must not take back. `confirm`: asked before
  /// each write whether the marks that were noted prove what they say: with their basis, see MarkRule.
  MarkWriter(meta::IndexRecord record, meta::IndexFacts facts, std::chrono::milliseconds period,
             std::function<void(const Words&)> tell, std::function<Status()> may_register,
             std::function<Status(const std::string& basis)> confirm);
  ~MarkWriter() { Finish(); }

  /// Every change of the assignment's partition up to that time is acknowledged by the store. If the assignment is lost
  /// before that is written, it is not written: nobody can confirm any more of which stream it was.
  void Note(const std::shared_ptr<consumer::Assignment>& assignment, int64_t complete, const std::string& basis);
  /// Writes what was noted last. Blocks as long as the store's calls do.
  void Finish();

 private:
  void Run();
  struct Noted {
    int64_t complete = 0;
    std::shared_ptr<consumer::Assignment> by;
  };
  struct Marks {
    std::map<int32_t, Noted> by_partition;
    std::string basis;
  };

  void Write();
  void NoteAgain(const Noted& noted, const std::string& basis);
  Status WriteNoted(const Marks& marks);

  const meta::IndexRecord record_;
  const meta::IndexFacts facts_;
  const std::chrono::milliseconds period_;
  const std::function<void(const Words&)> tell_;
  const std::function<Status()> may_register_;
  const std::function<Status(const std::string&)> confirm_;

  Mutex mu_;
  Condition changed_;
  Marks noted_ ABSL_GUARDED_BY(mu_);  // and not written
  bool registered_ = false;           // of thread_
  bool finishing_ ABSL_GUARDED_BY(mu_) = false;
  std::thread thread_;
};

}  // namespace fensi::indexer
