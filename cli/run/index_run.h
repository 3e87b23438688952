// One index at work: its tables, its source, its runner and its thread. Runs share nothing but an embedded store,
// which only one opener may have, and a file of dead letters; one that ends leaves the others alone.
//
// Start and Join do not run at the same time; the rest may be called from any thread and returns at once.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "cli/run/index_expiry.h"
#include "cli/run/index_scrub.h"
#include "cli/run/sources.h"
#include "indexer/index_runner.h"
#include "mapping/index.h"
#include "store/connection_counts.h"
#include "store/measured_store.h"
#include "store/store.h"

namespace fensi::cli {

/// `waiting`: the group gave it no partition; `paused`: by a person, and no work is in hand; `mismatch`: it works, and
/// its table was made again without a proof that the entries are back; `stopped`: by a fault, which its log names.
inline constexpr std::array<const char*, 7> kIndexStates = {"starting", "running", "waiting", "paused",
                                                            "mismatch", "stopped", "finished"};

struct IndexRunParts {
  std::shared_ptr<const mapping::Index> index;
  std::string mapping_path;  // for messages that name a command
  OpenedSource stream;
  std::shared_ptr<store::Store> store;
  std::shared_ptr<store::ConnectionCounts> connections = std::make_shared<store::ConnectionCounts>();  // of the store
  std::shared_ptr<consumer::DeadLetterSink> dead_letters;
  indexer::RunnerOptions options;
  int64_t scrub_rows_per_second = 0;  // 0: no scrub
  bool scrub_repair = false;
  bool drop_expired = false;
};

class IndexRun {
 public:
  explicit IndexRun(IndexRunParts parts);
  ~IndexRun();  // Stop and Join

  void Start();
  /// Stop reading, finish what is in hand, commit.
  void Stop();
  void Join();

  bool ended() const { return ended_; }
  /// Why it ended; ok: the stream ended, or Stop was called and the stream has no end. kCancelled: Stop came before the
  /// end of a stream that has one. Meaningful once ended.
  Status status() const;

  /// Where in its stream it was when it stopped; absent: that had no place.
  std::optional<consumer::StreamPlace> failed_at() const;

  const mapping::Index& index() const { return *parts_.index; }
  const std::string& mapping_path() const { return parts_.mapping_path; }
  const std::string& name() const { return parts_.index->name(); }
  indexer::Counters counts() const;
  consumer::ChangeSource::Progress progress() const { return parts_.stream.source->progress(); }
  /// Why nothing moves at the moment, or empty.
  Words trouble() const;
  /// One of kIndexStates.
  const char* state() const;
  /// Its tables were checked, and store and stream have answered.
  bool reached() const;
  /// See IndexRunner.
  std::optional<std::chrono::milliseconds> store_away_since() const;
  consumer::StreamState stream() const { return parts_.stream.source->state(); }
  /// How it stands to its group; absent: its stream is no topic.
  std::optional<consumer::GroupState> group() const { return parts_.stream.group(); }
  const indexer::Timings& timings() const { return timings_; }
  const store::StoreMeasures& store_measures() const { return store_measures_; }
  const store::ConnectionCounts& connections() const { return *parts_.connections; }
  /// Who paused it, when and why; empty: nobody.
  std::string paused() const;
  /// Since when its table is known to have been made again without a proof that the index is right, in milliseconds
  /// since the epoch; absent: it was not.
  std::optional<int64_t> mismatch_since() const;
  /// Has it paused, or with empty words resumed, in all of its daemons. Blocks on the store, until it has taken that or
  /// `permission` has an error.
  Status SetPause(const std::string& words, const std::function<Status()>& permission) const;
  /// Absent: it has none.
  std::optional<ScrubCounts> scrub() const;

 private:
  indexer::RunnerOptions Options();
  std::unique_ptr<IndexScrub> MakeScrub();
  std::unique_ptr<IndexExpiry> MakeExpiry();
  /// It has ended, or is about to.
  bool ending() const { return stopped_ || runner_ended_ || ended_; }
  std::shared_ptr<store::Store> StoreUntilEnding() const;
  /// Why the index is no measure of its source now; empty: it is.
  std::string WhyNotToScrub() const;
  Status Work();
  /// What a stop means for this stream.
  Status Stopped() const;
  /// Repeats a check until its server was reached, the first contact has taken too long, or Stop was called.
  Status Reach(const std::function<Status()>& check) const;
  Status NoteFirstContact(const Status& answer);
  std::shared_ptr<store::Store> StoreWhileWanted() const;
  Status CheckTables();
  Status CheckTopics();
  void WarnIfEmptied() const;
  void TellOfTable(const indexer::TableNews& news) const;
  void WarnOfNoMirror() const;

  indexer::Timings timings_;
  store::StoreMeasures store_measures_;
  const IndexRunParts parts_;
  store::MeasuredStore measured_;
  std::thread thread_;
  std::atomic<bool> stopped_ = false;
  std::atomic<bool> ended_ = false;
  const std::unique_ptr<IndexScrub> scrub_;    // null: none
  const std::unique_ptr<IndexExpiry> expiry_;  // null: none
  std::atomic<bool> runner_ended_ = false;

  mutable Mutex mu_;
  std::unique_ptr<indexer::IndexRunner> runner_ ABSL_GUARDED_BY(mu_);  // set once
  Status status_ ABSL_GUARDED_BY(mu_);
  Status first_contact_ ABSL_GUARDED_BY(mu_);  // the store's answer before there is a runner
  std::optional<std::chrono::milliseconds> no_contact_since_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::cli
