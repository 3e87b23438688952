// One running index: its tables, its source, its runner and its thread. Runs share only an embedded store, which only
// one process may open, and a file of dead letters; a run that ends leaves the others alone.
//
// Start and Join must not run at the same time; other calls may come from any thread and return at once.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "daemon/indexes/index_expiry.h"
#include "daemon/indexes/index_loads.h"
#include "daemon/indexes/index_scrub.h"
#include "daemon/indexes/run_options.h"
#include "daemon/sources/sources.h"
#include "indexer/index_runner.h"
#include "mapping/index.h"
#include "store/gateway_security.h"
#include "store/instrumented_store.h"
#include "store/store.h"

namespace fensi::daemon {

/// `waiting`: the group gave it no partition; `paused`: by a person, and no work is in flight; `mismatch`: it runs, and
/// its table was recreated without a proof that the entries are back; `stopped`: by an error, which its log has.
inline constexpr std::array<const char*, 7> kIndexStates = {"starting", "running", "waiting", "paused",
                                                            "mismatch", "stopped", "finished"};

struct IndexRunParts {
  std::shared_ptr<const mapping::Index> index;
  std::string mapping_path;  // for messages that name a command
  OpenedSource stream;
  std::shared_ptr<store::Store> store;
  std::shared_ptr<store::ConnectionCounts> connections = std::make_shared<store::ConnectionCounts>();  // of the store
  std::shared_ptr<consumer::DeadLetterSink> dead_letters;
  std::shared_ptr<consumer::Changelog> changelog = nullptr;  // null: the index has none
  indexer::RunnerOptions options;
  RunOptions run;
};

class IndexRun {
 public:
  explicit IndexRun(IndexRunParts parts);
  ~IndexRun();  // calls Stop and Join

  void Start();
  /// Stops reading, finishes work in flight, commits.
  void Stop();
  void Join();

  bool ended() const { return ended_; }
  /// Why it ended; ok: the stream ended, or Stop was called and the stream has no end. kCancelled: Stop came before the
  /// end of a stream that has one. Valid once ended.
  Status status() const;

  /// Its position in the stream when it stopped; absent: the error had none.
  std::optional<consumer::StreamPosition> failed_at() const;

  const mapping::Index& index() const { return *parts_.index; }
  const std::string& mapping_path() const { return parts_.mapping_path; }
  const std::string& name() const { return parts_.index->name(); }
  indexer::Counters counts() const;
  consumer::ChangeSource::Progress progress() const { return parts_.stream.source->progress(); }
  /// Why nothing moves at the moment, or empty.
  RedactableText trouble() const;
  /// One of kIndexStates.
  const char* state() const;
  /// True once its tables were checked, and store and stream have answered.
  bool reached() const;
  /// See IndexRunner.
  std::optional<std::chrono::milliseconds> store_away_since() const;
  consumer::StreamState stream() const { return parts_.stream.source->state(); }
  /// Its state in its group; absent: its stream is no topic.
  std::optional<consumer::GroupState> group() const { return parts_.stream.group(); }
  const indexer::Timings& timings() const { return timings_; }
  const store::StoreMetrics& store_measures() const { return store_measures_; }
  const store::ConnectionCounts& connections() const { return *parts_.connections; }
  std::vector<store::ServerCalls> servers() const { return parts_.store->Servers(); }
  /// Who paused it, when and why; empty: not paused.
  std::string paused() const;
  /// Since when its table is known to be recreated without a proof, in milliseconds since the epoch; absent: it was
  /// not.
  std::optional<int64_t> mismatch_since() const;
  /// Its watermark in milliseconds since the epoch, as this process knows it; absent: none is known.
  std::optional<int64_t> complete() const;
  /// Pauses it in all of its daemons, or resumes it with an empty text. Blocks until the store has accepted the change
  /// or `permission` returns an error.
  Status SetPause(const std::string& words, const std::function<Status()>& permission) const;
  /// Absent: it has no scrub.
  std::optional<ScrubCounts> scrub() const;
  /// Absent: it follows no bulk loads.
  std::optional<LoadCounts> loads() const;

 private:
  indexer::RunnerOptions Options();
  std::unique_ptr<IndexScrub> MakeScrub();
  std::unique_ptr<IndexExpiry> MakeExpiry();
  std::unique_ptr<IndexLoads> MakeLoads();
  /// True if it has ended, or is about to.
  bool ending() const { return stopped_ || runner_ended_ || ended_; }
  std::shared_ptr<store::Store> StoreUntilEnding() const;
  /// Why a scrub of the index would prove nothing now; empty: it would.
  std::string WhyNotToScrub() const;
  Status Work();
  /// The status of a stop for this stream.
  Status Stopped() const;
  /// Retries a check until its server was reached, the first contact has taken too long, or Stop was called.
  Status Reach(const std::function<Status()>& check) const;
  Status NoteFirstContact(const Status& answer);
  std::shared_ptr<store::Store> StoreWhileWanted() const;
  Status CheckTables();
  Status CheckTopics();
  void WarnIfEmptied() const;
  void TellOfTable(const indexer::TableNews& news) const;
  void WarnOfNoMirror() const;

  indexer::Timings timings_;
  store::StoreMetrics store_measures_;
  const IndexRunParts parts_;
  store::InstrumentedStore measured_;
  std::thread thread_;
  std::atomic<bool> stopped_ = false;
  std::atomic<bool> ended_ = false;
  const std::unique_ptr<IndexScrub> scrub_;    // null: none
  const std::unique_ptr<IndexExpiry> expiry_;  // null: none
  const std::unique_ptr<IndexLoads> loads_;    // null: none
  std::atomic<bool> runner_ended_ = false;

  mutable Mutex mu_;
  std::unique_ptr<indexer::IndexRunner> runner_ ABSL_GUARDED_BY(mu_);  // set once
  Status status_ ABSL_GUARDED_BY(mu_);
  Status first_contact_ ABSL_GUARDED_BY(mu_);  // the store's answer before the runner exists
  std::optional<std::chrono::milliseconds> no_contact_since_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::daemon
