#include "daemon/indexes/index_run.h"

#include <exception>

#include "base/text.h"
#include "daemon/log/log.h"
#include "daemon/sources/start_check.h"
#include "indexer/meta_row.h"
#include "indexer/remedies.h"
#include "operations/access/stores.h"

namespace fensi::daemon {
namespace {

// How long one attempt may hold up a stop.
constexpr std::chrono::seconds kOneAttempt{1};
// Between two looks at what HBase says of the index table: three small reads.
constexpr std::chrono::seconds kTablePeriod{60};

}  // namespace

IndexRun::IndexRun(IndexRunParts parts)
    : parts_(std::move(parts)),
      measured_(parts_.store, &store_measures_),
      scrub_(MakeScrub()),
      expiry_(MakeExpiry()),
      loads_(MakeLoads()) {}

IndexRun::~IndexRun() {
  Stop();
  Join();
}

void IndexRun::Start() {
  thread_ = std::thread([this] {
    Status status;
    try {
      status = Work();
    } catch (const std::exception& error) {  // lack of memory: this index ends, the others go on
      status = InternalError(error);
    }
    const MutexLock lock(mu_);
    status_ = status;
    ended_ = true;
  });
}

void IndexRun::Stop() {
  stopped_ = true;
  parts_.stream.source->Stop();
  const MutexLock lock(mu_);
  if (runner_ != nullptr) runner_->Stop();
}

void IndexRun::Join() {
  if (thread_.joinable()) thread_.join();
}

Status IndexRun::status() const {
  const MutexLock lock(mu_);
  return status_;
}

std::optional<consumer::StreamPosition> IndexRun::failed_at() const {
  const std::optional<consumer::StreamPosition> lost = stream().lost;
  const MutexLock lock(mu_);
  return lost || runner_ == nullptr ? lost : runner_->failed_at();
}

indexer::Counters IndexRun::counts() const {
  const MutexLock lock(mu_);
  return runner_ == nullptr ? indexer::Counters() : runner_->counts();
}

RedactableText IndexRun::trouble() const {
  const MutexLock lock(mu_);
  if (runner_ != nullptr) return runner_->trouble();
  return first_contact_.ok() ? RedactableText(parts_.stream.source->progress().trouble) : first_contact_.words();
}

const char* IndexRun::state() const {
  if (ended_) return status().ok() ? "finished" : "stopped";
  if (!reached()) return "starting";
  const consumer::StreamState stream = this->stream();
  if (stream.at_rest) return "paused";
  if (mismatch_since()) return "mismatch";
  return stream.reachable && stream.assigned == 0 ? "waiting" : "running";
}

std::string IndexRun::paused() const {
  const MutexLock lock(mu_);
  return runner_ == nullptr ? "" : runner_->paused();
}

std::optional<int64_t> IndexRun::complete() const {
  const MutexLock lock(mu_);
  return runner_ == nullptr ? std::nullopt : runner_->complete();
}

std::optional<int64_t> IndexRun::mismatch_since() const {
  const MutexLock lock(mu_);
  return runner_ == nullptr ? std::nullopt : runner_->mismatch_since();
}

Status IndexRun::SetPause(const std::string& words, const std::function<Status()>& permission) const {
  const std::shared_ptr<store::Store> store = operations::GuardedStore(parts_.store, permission);
  const indexer::MetaRow row(parts_.index.get(), store.get());
  while (true) {
    const Status status = row.Set(indexer::kPauseColumn, words);
    if (status.code() != StatusCode::kUnavailable || !permission().ok()) return status;
    SystemClock()->Sleep(std::chrono::milliseconds(100));
  }
}

bool IndexRun::reached() const {
  const MutexLock lock(mu_);
  return runner_ != nullptr && runner_->reached();
}

std::optional<std::chrono::milliseconds> IndexRun::store_away_since() const {
  const MutexLock lock(mu_);
  return runner_ == nullptr ? no_contact_since_ : runner_->store_away_since();
}

indexer::RunnerOptions IndexRun::Options() {
  indexer::RunnerOptions options = parts_.options;
  options.timings = &timings_;
  options.changelog = parts_.changelog.get();
  options.version = FENSI_VERSION;
  options.may_pause = !parts_.run.start.source.ends();
  options.opened = [this](const indexer::IndexMeta& meta) {
    if (meta.stateless_fell_back()) WarnOfNoMirror();
    if (!mismatch_since()) WarnIfEmptied();
  };
  options.table_period = kTablePeriod;
  options.table_news = [this](const indexer::TableNews& news) { TellOfTable(news); };
  return options;
}

std::unique_ptr<IndexScrub> IndexRun::MakeScrub() {
  if (parts_.run.scrub_rows_per_second == 0) return nullptr;
  return std::make_unique<IndexScrub>(IndexScrub::Parts{.index = parts_.index.get(),
                                                        .store = StoreUntilEnding(),
                                                        .meta_table = parts_.run.start.store.meta_table,
                                                        .kafka = parts_.run.start.source.kafka,
                                                        .rows_per_second = parts_.run.scrub_rows_per_second,
                                                        .repair = parts_.run.scrub_repair,
                                                        .stopped = [this] { return ending(); },
                                                        .why_suspended = [this] { return WhyNotToScrub(); }});
}

std::unique_ptr<IndexExpiry> IndexRun::MakeExpiry() {
  if (!parts_.run.drop_expired || !parts_.index->keep_millis()) return nullptr;
  return std::make_unique<IndexExpiry>(
      IndexExpiry::Parts{.index = parts_.index.get(),
                         .store = StoreUntilEnding(),
                         .options = {parts_.run.start.store.meta_table, parts_.run.meta_table_given,
                                     parts_.run.start.store.connect_timeout},
                         .stopped = [this] { return ending(); },
                         .ready = [this] { return reached(); }});
}

std::unique_ptr<IndexLoads> IndexRun::MakeLoads() {
  const SourceOptions& source = parts_.run.start.source;
  const bool has_requests = source.is_kafka() && !source.ends() && source.format == consumer::Format::kChangeEvent;
  if (!has_requests || parts_.index->shared()) return nullptr;
  return std::make_unique<IndexLoads>(IndexLoads::Parts{.index = parts_.index.get(),
                                                        .store = StoreUntilEnding(),
                                                        .meta_table = parts_.run.start.store.meta_table,
                                                        .kafka = source.kafka,
                                                        .clock_skew = parts_.run.clock_skew,
                                                        .stopped = [this] { return ending(); },
                                                        .ready = [this] { return reached(); }});
}

std::shared_ptr<store::Store> IndexRun::StoreUntilEnding() const {
  return operations::GuardedStore(
      parts_.store, [this] { return ending() ? Status(StatusCode::kCancelled, "asked to stop") : Status(); });
}

std::optional<ScrubCounts> IndexRun::scrub() const {
  return scrub_ == nullptr ? std::nullopt : std::optional(scrub_->counts());
}

std::optional<LoadCounts> IndexRun::loads() const {
  return loads_ == nullptr ? std::nullopt : std::optional(loads_->counts());
}

std::string IndexRun::WhyNotToScrub() const {
  if (!reached()) return "the index has not begun yet";
  if (store_away_since()) return "the store does not answer";
  if (loads_ != nullptr && loads_->counts().now.waiting > 0) return "the index still reads the rows of a bulk load";
  return WhyBehind(stream(), SystemClock()->WallMillis());
}

Status IndexRun::Work() {
  Status reached = Reach([this] { return NoteFirstContact(CheckTables()); });
  if (reached.ok()) reached = Reach([this] { return CheckTopics(); });
  if (stopped_) return Stopped();
  FENSI_RETURN_IF_ERROR(reached);
  indexer::IndexRunner* runner = nullptr;
  {
    const MutexLock lock(mu_);
    runner_ = std::make_unique<indexer::IndexRunner>(parts_.index, parts_.stream.source.get(), &measured_,
                                                     parts_.dead_letters.get(), SystemClock(), Options());
    runner = runner_.get();
    if (stopped_) runner->Stop();
  }
  if (scrub_ != nullptr) scrub_->Start();
  if (expiry_ != nullptr) expiry_->Start();
  if (loads_ != nullptr) loads_->Start();
  const Status status = runner->Run();
  runner_ended_ = true;
  if (scrub_ != nullptr) scrub_->Join();
  if (expiry_ != nullptr) expiry_->Join();
  if (loads_ != nullptr) loads_->Join();
  const bool asked = stopped_ && (status.ok() || status.code() == StatusCode::kCancelled);
  return asked ? Stopped() : parts_.stream.explain(status);
}

Status IndexRun::Stopped() const {
  if (!parts_.run.start.source.ends()) return Status();
  std::string text = "the run was stopped before the end of " + parts_.run.start.source.url;
  const std::optional<int64_t> left = progress().records_left;
  if (left && *left > 0) text += " (about " + Counted(*left, "event") + " left)";
  return Status(
      StatusCode::kCancelled,
      text + (parts_.run.start.source.is_standard_input()
                  ? ". Give the rest of the events to another run"
                  : ". To continue, enter the same command again. Changes that are applied twice do no harm"));
}

Status IndexRun::Reach(const std::function<Status()>& check) const {
  return operations::UntilReached([&] { return stopped_ ? Status() : check(); }, operations::kFirstContact,
                                  SystemClock());
}

/// Status and log show a store that does not answer before the index gives up.
Status IndexRun::NoteFirstContact(const Status& answer) {
  const MutexLock lock(mu_);
  first_contact_ = answer.code() == StatusCode::kUnavailable ? answer : Status();
  if (first_contact_.ok()) no_contact_since_.reset();
  if (!first_contact_.ok() && !no_contact_since_) no_contact_since_ = SystemClock()->MonotonicNow();
  return answer;
}

/// Its calls end when Stop is called: nothing is in flight yet.
std::shared_ptr<store::Store> IndexRun::StoreWhileWanted() const {
  return operations::GuardedStore(
      parts_.store, [this] { return stopped_ ? Status(StatusCode::kCancelled, "asked to stop") : Status(); });
}

/// A check that cannot be made now is skipped: the index works without the answer.
void IndexRun::WarnIfEmptied() const {
  const std::shared_ptr<store::Store> store = StoreWhileWanted();
  const Result<bool> emptied = indexer::IndexMeta(parts_.index.get(), store.get()).IsIndexTableEmpty();
  if (!emptied.ok() || !*emptied) return;
  const std::string& table = parts_.index->table();
  Log("table_emptied",
      "index " + name() + ": table " + table + " is empty, but state table " + parts_.index->state_table() +
          " has row states. Unless all source rows were deleted, entries are missing, and a replay does not bring them "
          "back. " +
          indexer::EmptiedRemedy(*parts_.index),
      {.index = name(), .table = table});
}

void IndexRun::TellOfTable(const indexer::TableNews& news) const {
  const LogFields about{.index = name(), .table = parts_.index->table()};
  switch (news.kind) {
    case indexer::TableNews::Kind::kMismatch:
      return Log(
          "table_mismatch",
          "index " + name() + ": " + indexer::MadeAgainText(*parts_.index) +
              ". Until a comparison finds no difference, the index has state 'mismatch': it applies new changes, "
              "and 'fensi wait' and 'fensi switch' refuse it",
          about);
    case indexer::TableNews::Kind::kProved:
      return Log("table_proved",
                 "index " + name() + ": a comparison or a repair has proved that table " + parts_.index->table() +
                     ", which was created again, has what its source says. The state 'mismatch' has ended",
                 about);
    case indexer::TableNews::Kind::kUnknown:
      return Log("table_unknown",
                 "index " + name() + ": the daemon cannot find out whether table " + parts_.index->table() +
                     " was dropped and created again: " + news.why.words() +
                     ". The index works, but fensi would not notice a recreated table. " +
                     (news.why.code() == StatusCode::kPermission
                          ? "Enter in the HBase shell, with the daemon's user as USER: grant 'USER', 'R', 'hbase:meta'"
                          : "Check that hbase:meta is online (hbase hbck)"),
                 about);
  }
}

void IndexRun::WarnOfNoMirror() const {
  const std::string& source = parts_.index->source_table();
  Log("stateless_fallback",
      "index " + name() + " is stateful, although its mapping says 'mode: stateless', because its source table " +
          source +
          " was not in the store when the index began. For an ambiguous event, fensi uses the earlier events of the "
          "stream, or writes a dead letter. To keep the index, write 'mode: stateful', and restart the daemon. To make "
          "the index stateless, create table " +
          source + " or name its cluster with --source_store, and build a second index under another name",
      {.index = name(), .table = source});
}

Status IndexRun::CheckTopics() {
  const Status status = parts_.stream.wait_reachable(kOneAttempt);
  return status.code() == StatusCode::kNotFound ? WithRemedy(parts_.run.start, status, parts_.mapping_path) : status;
}

Status IndexRun::CheckTables() {
  return daemon::CheckTables(parts_.run.start, *parts_.index, parts_.mapping_path, StoreWhileWanted().get(),
                             Missing::kMake);
}

}  // namespace fensi::daemon
