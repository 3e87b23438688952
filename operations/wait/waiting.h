// Waits until an index is complete up to a time, by its watermark in the meta table.
//
// Blocks on the store, and until a stop signal comes; on the thread that waits for signals.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/exit_codes.h"
#include "mapping/environment.h"
#include "mapping/index.h"
#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"
#include "store/store.h"

namespace fensi::operations {

struct WaitOptions {
  int64_t until = 0;       // milliseconds since the epoch
  bool until_now = false;  // it is the time of the request, by this machine's clock
  std::chrono::milliseconds timeout{0};
  std::chrono::milliseconds clock_skew{1000};  // maximum difference between the clocks of machines
  std::string meta_table = mapping::kDefaultMetaTable;
};

class Waiting {
 public:
  Waiting(const mapping::Index* index, std::shared_ptr<store::Store> store, const WaitOptions& options)
      : index_(index),
        began_(SystemClock()->MonotonicNow()),
        options_(options),
        servers_(std::move(store)),
        store_(servers_->Guarded([this] { return CheckTimeout(); })),
        record_(meta::VersionedMetaRow(store_.get(), options_.meta_table, meta::IndexRow(index->name()))),
        until_(options.until) {}

  /// Ends at most kGrace after the timeout, also if the store is silent.
  Result<int> Run();

 private:
  static constexpr std::chrono::seconds kGrace{1};

  /// Ends a call that waits for a silent server.
  Status CheckTimeout() const;
  /// Reads the watermark; retries if the store does not answer.
  Status Look();
  /// A watermark counts if it is of this index: of its name, its tables, and the incarnation that they have.
  Status LookOnce();
  /// A watermark says nothing about a table that was recreated. Daemons check the table every minute; this reads their
  /// record.
  Status CheckTable() const;
  /// Counts the bulk loads that hold the watermark up.
  Status LearnLoads(const std::string& incarnation);
  /// Checks for a pause, which a person may end during the wait.
  Status LearnPause();

  /// A watermark is never ahead of the servers' clocks. By a slower clock, now is a moment of the past.
  bool ClockIsBehind() const;
  Status WrongClock() const;

  int Done() const;
  std::string Standing() const;
  Status TooLate() const;
  Status NoWatermark() const;

  const mapping::Index* const index_;
  const std::chrono::milliseconds began_;
  const WaitOptions options_;
  const std::shared_ptr<store::Store> servers_;
  const std::unique_ptr<store::Store> store_;  // a view of them
  const meta::IndexRecord record_;
  const int64_t until_;
  std::optional<int64_t> complete_;
  size_t loads_ = 0;    // loaded regions whose rows the index does not have yet
  std::string paused_;  // who, when and why; empty: not paused
  Status failure_;
};

}  // namespace fensi::operations
