// Registers an index in the meta table, and writes the watermarks of the partitions that this process owns, and so of
// the index.
//
// Owns a thread, so that no worker waits. A watermark stays true for ever, so it may be written late, twice, by an
// owner that has lost its partition, or not at all. Thread-safe; the record's store outlives it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "base/periodic_thread.h"
#include "base/status.h"
#include "consumer/change_source.h"
#include "meta/index_record.h"

namespace fensi::indexer {

class MarkWriter {
 public:
  /// `tell`: gets a message for a person, empty when the trouble is over; called on the writer's thread, and
  /// by Finish.
  /// `may_register`: called before the index is registered, which must not undo a drop. `confirm`: called before each
  /// write with the basis of the watermarks (MarkRule); an error: they prove nothing.
  MarkWriter(meta::IndexRecord record, meta::IndexDescriptor facts, std::chrono::milliseconds period,
             std::function<void(const RedactableText&)> tell, std::function<Status()> may_register,
             std::function<Status(const std::string& basis)> confirm);
  ~MarkWriter() { Finish(); }

  /// Records that every change of the assignment's partition up to that time is acknowledged by the store. If the
  /// assignment is lost before the write, nothing is written: it cannot be confirmed any more which stream it was.
  /// `bulk_loads`: whether HBase reports them (BulkLoadsText).
  void Note(const std::shared_ptr<consumer::Assignment>& assignment, int64_t complete, const std::string& basis,
            const std::string& bulk_loads = {});
  /// The watermark of the index, as this process read it at the start or wrote it last, in milliseconds since the
  /// epoch. Absent: none is known.
  std::optional<int64_t> complete() const;
  /// Writes the last record. Blocks as long as the store's calls do.
  void Finish();

 private:
  struct Noted {
    int64_t complete = 0;
    std::shared_ptr<consumer::Assignment> by;
  };
  struct Marks {
    std::map<int32_t, Noted> by_partition;
    std::string basis;
    std::string bulk_loads;
  };

  void Write();
  void NoteAgain(const Noted& noted, const Marks& marks);
  Status WriteNoted(const Marks& marks);
  Status Register();
  void NoteComplete(std::optional<int64_t> complete);

  const meta::IndexRecord record_;
  const meta::IndexDescriptor facts_;
  const std::function<void(const RedactableText&)> tell_;
  const std::function<Status()> may_register_;
  const std::function<Status(const std::string&)> confirm_;

  mutable Mutex mu_;
  std::optional<int64_t> complete_ ABSL_GUARDED_BY(mu_);
  Marks noted_ ABSL_GUARDED_BY(mu_);  // not written yet
  bool registered_ = false;           // used by thread_, and by Finish after it
  PeriodicThread thread_;
};

}  // namespace fensi::indexer
