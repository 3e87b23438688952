#include "capture/publish/publisher.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <new>

#include "base/bytes.h"
#include "base/mutex.h"
#include "capture/publish/call_writer.h"
#include "capture/publish/names_once.h"
#include "capture/rpc/timer.h"

namespace fensi::capture {
namespace {

// Pause between two producers of which the first has broken.
constexpr std::chrono::milliseconds kRetryPause{1'000};

}  // namespace

Result<ProducerPool::Lease> ProducerPool::Get() {
  std::list<std::unique_ptr<Member>> finished;  // ends behind the lock: it joins threads
  const MutexLock lock(mu_);
  if (!members_.empty() && !members_.back()->producer->broken()) return Lease(members_.back().get());
  std::string reason;
  if (!members_.empty()) {
    reason = members_.back()->producer->fatal();
    delivered_ = members_.back()->producer->delivered();
  }
  finished = TakeFinished();
  const auto now = clock_->MonotonicNow();
  if (now < next_try_)
    return Status(StatusCode::kUnavailable,
                  "Kafka's client failed again, and the capture creates a new client within 1 s by itself: " + reason_);
  next_try_ = now + kRetryPause;
  if (!reason.empty()) {
    reason_ = reason;
    notices_({NoticeKind::kProducerRecreated,
              RedactableText("Kafka's client failed, and the capture creates a new client by itself: " + reason +
                             ". HBase sends the unacknowledged edits again")});
  }
  consumer::TrackedProducerOptions options = options_;
  options.delivered = delivered_;
  options.lost_log = [notices = notices_](const consumer::LostLog& lost) {
    notices({NoticeKind::kTopicLost,
             RedactableText(consumer::LostLogText(lost) +
                            ". HBase does not send these changes again. Each index that reads the topic stops. Follow "
                            "the remedy in its log event index_stopped")});
  };
  auto producer = consumer::TrackedProducer::Create(options);
  if (!producer.ok()) return producer.status();
  members_.push_back(std::make_unique<Member>());
  members_.back()->producer = std::move(*producer);
  return Lease(members_.back().get());
}

/// Broken producers stay until their last messages are reported, on their own threads.
std::list<std::unique_ptr<ProducerPool::Member>> ProducerPool::TakeFinished() {
  std::list<std::unique_ptr<Member>> finished;
  for (auto member = members_.begin(); member != members_.end();) {
    const auto next = std::next(member);
    const bool idle = (*member)->writers == 0 && (*member)->producer->unacknowledged() == 0;
    if (idle) finished.splice(finished.end(), members_, member);
    member = next;
  }
  return finished;
}

void ProducerPool::Clear() {
  std::list<std::unique_ptr<Member>> all;
  const MutexLock lock(mu_);
  all.swap(members_);
}

size_t ProducerPool::size() const {
  const MutexLock lock(mu_);
  return members_.size();
}

int64_t ProducerPool::unacknowledged() const {
  const MutexLock lock(mu_);
  int64_t messages = 0;
  for (const auto& member : members_) messages += member->producer->unacknowledged();
  return messages;
}

namespace {

// A lasting failure is reported again after this time.
constexpr std::chrono::milliseconds kFailurePause{10'000};
// Edits of a table are lost for as long as they arrive. The alert FensiCaptureAlarm counts the alarms of 15 minutes.
constexpr std::chrono::minutes kTablePause{5};
// All notices are counted; untrusted clients must not fill the log.
constexpr int kAlarmLinesAMinute = 100;

void Add(const Counts& more, Counts* to) {
  to->entries += more.entries;
  to->again += more.again;
  for (const auto& [name, table] : more.tables) {
    TableCounts& of_table = to->tables[name];
    of_table.events += table.events;
    of_table.cells += table.cells;
    of_table.bulk_loads += table.bulk_loads;
    of_table.newest_write_time = std::max(of_table.newest_write_time, table.newest_write_time);
    to->events += table.events;
    to->cells += table.cells;
  }
  to->of_other_tables += more.of_other_tables;
  to->newest_write_time = std::max(to->newest_write_time, more.newest_write_time);
}

std::string LeaveOutOfPeer(std::string_view table) {
  return "Otherwise exclude the table in the HBase shell: remove_peer_tableCFs 'PEER', {\"" + Escape(table) +
         "\" => []}";
}

bool PassesByItself(const Status& status) {
  return status.code() == StatusCode::kUnavailable || status.code() == StatusCode::kCancelled;
}

}  // namespace

class Publisher::Impl {
 public:
  Impl(const PublisherOptions& options, Notices notices, Clock* clock)
      : options_(options),
        notices_(std::move(notices)),
        clock_(clock),
        alarm_lines_(notices_, clock, kAlarmLinesAMinute),
        alarm_([this](const Notice& notice) { Alarm(notice); }),
        other_table_([this](std::string_view table) { TellOtherTable(table); }),
        on_restricted_cell_([this](std::string_view table) { ReportRestrictedCells(table); }),
        context_{.topics = options_.topics,
                 .dead_letter_topic = options_.dead_letter_topic,
                 .message_limit = options_.kafka.max_message_bytes,
                 .may_be_large = options_.may_be_large,
                 .marks = marks_,
                 .alarm = alarm_,
                 .other_table = other_table_,
                 .on_restricted_cell = on_restricted_cell_,
                 .check_source = options_.check_source,
                 .clock = clock_},
        timings_(options_.topics),
        checked_tables_(clock, kTablePause),
        producers_(options_.kafka, alarm_, clock_),
        pool_(options.workers) {}

  Status Start() { return producers_.Get().status(); }

  void Handle(std::shared_ptr<Call> call) {
    boost::asio::post(pool_, [this, call = std::move(call), since = clock_->MonotonicNow()] { Work(call, since); });
  }

  void Stop() {
    if (stopped_) return;
    stopped_ = true;
    pool_.join();
    producers_.Clear();  // reports undelivered messages
  }

  Counts counts() const {
    const MutexLock lock(mu_);
    Counts counts = counts_;
    counts.alarms_of = AlarmsIn(alarm_lines_.counts());
    return counts;
  }
  const Timings& timings() const { return timings_; }
  int64_t unacknowledged() const { return producers_.unacknowledged(); }

 private:
  void Work(const std::shared_ptr<Call>& call, std::chrono::milliseconds since) {
    try {
      Write(call, since);
    } catch (const std::bad_alloc&) {
      // The messages that were sent come again with the rest.
      call->Answer(consumer::OutOfMemory());
    }
  }

  void Write(const std::shared_ptr<Call>& call, std::chrono::milliseconds since) {
    const Result<ProducerPool::Lease> producer = producers_.Get();
    if (!producer.ok()) return call->Answer(producer.status());
    auto yield = std::make_shared<CallYield>();
    CallDelivery* delivery = CallDelivery::Begin([this, call, yield, since](const Status& end) {
      if (end.ok()) Time(*yield, since);
      Finish(call, *yield, end);
    });
    const bool others_wait = producer->get()->unacknowledged() > 0;
    Status sent;
    try {
      sent = CallWriter(context_, producer->get(), *call, delivery).Write(yield.get());
    } catch (const std::bad_alloc&) {
      sent = consumer::OutOfMemory();
    }
    call->ReleaseBytes();
    if (others_wait) LookAtRefusal(*producer->get(), *yield);
    delivery->Finish(sent);
  }

  void Time(const CallYield& yield, std::chrono::milliseconds since) {
    timings_.calls.Observe(std::chrono::duration<double>(clock_->MonotonicNow() - since).count());
    for (const auto& [table, counts] : yield.counts.tables) {
      const int64_t written = counts.newest_write_time;
      if (written <= 0) continue;
      timings_.delays.at(table).Observe(static_cast<double>(clock_->WallMillis() - written) / 1000);
    }
  }

  /// Sends the answer even if there is no memory to count and to report the result of the call.
  void Finish(const std::shared_ptr<Call>& call, const CallYield& yield, const Status& status) noexcept {
    try {
      Count(yield, status);
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch)
      // Counted or reported in part.
    }
    call->Answer(status);
  }

  void Count(const CallYield& yield, const Status& status) {
    marks_.Settle(yield.newest, status.ok());
    if (status.ok()) options_.take_markers(yield.markers);
    if (status.ok()) {
      const MutexLock lock(mu_);
      Add(yield.counts, &counts_);
      ++counts_.calls;
    } else {
      TellFailure(status, yield);
    }
  }

  void TellFailure(const Status& status, const CallYield& yield) {
    {
      const MutexLock lock(mu_);
      ++counts_.failed_calls;
    }
    if (!FailureIsDue()) return;
    const RedactableText words =
        "the capture did not acknowledge a call of a region server, and HBase sends the call again: " + status.words();
    if (!PassesByItself(status)) return AlarmOfLasting(words, yield);
    notices_({NoticeKind::kNotAcknowledged,
              words + ". If this line comes once, do nothing. If it comes for 5 minutes, look for not_acknowledged in "
                      "'fensi help troubleshooting'"});
  }

  /// The client tries on for minutes, while the caller has long given up: a person must not hear as late as it fails.
  void LookAtRefusal(const consumer::TrackedProducer& producer, const CallYield& yield) noexcept {
    try {
      const Status refused = producer.Refused(options_.refusal_timeout);
      if (refused.ok() || !FailureIsDue()) return;
      AlarmOfLasting("Kafka refuses messages, so the capture acknowledges no call to HBase: " + refused.words(), yield);
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch)
      // A later call reports it.
    }
  }

  bool FailureIsDue() {
    const MutexLock lock(mu_);
    const auto now = clock_->MonotonicNow();
    if (now < next_failure_notice_) return false;
    next_failure_notice_ = now + kFailurePause;
    return true;
  }

  void AlarmOfLasting(const RedactableText& words, const CallYield& yield) {
    std::string tables;
    for (const auto& [table, counts] : yield.counts.tables) {
      tables += (tables.empty() ? " (of table " : ", ") + Escape(table) + " into topic " + options_.topics.at(table);
    }
    Alarm(
        {NoticeKind::kNothingAcknowledged, words + (tables.empty() ? "" : tables + ")") +
                                               ". Until you remove this cause, HBase keeps its logs, and HDFS fills"});
  }

  void Alarm(const Notice& notice) { alarm_lines_.Tell(notice); }

  void TellOtherTable(std::string_view table) {
    if (!checked_tables_.IsDue(table)) return;
    if (options_.was_captured(table)) {
      return Alarm({.kind = NoticeKind::kDroppedTable,
                    .words = RedactableText(
                        "edits of table " + Escape(table) +
                        " arrive and are lost to its stream, because --stop_capturing ended its capture. If an index "
                        "needs the table, stop all captures, start them with this table, and repair the index "
                        "('fensi help recovery'). " +
                        LeaveOutOfPeer(table)),
                    .table = Escape(table)});
    }
    if (!other_tables_.Add(table)) return;
    notices_({.kind = NoticeKind::kOtherTable,
              .words = RedactableText("edits of table " + Escape(table) +
                                      " arrive, and no capture of this --znode captures the table. To capture the "
                                      "table, stop all captures, and start them with this table. " +
                                      LeaveOutOfPeer(table)),
              .table = Escape(table)});
  }

  void ReportRestrictedCells(std::string_view table) {
    if (!restricted_tables_.Add(table)) return;
    Alarm({.kind = NoticeKind::kCellVisibilityIgnored,
           .words = RedactableText("cells of table " + Escape(table) +
                                   " have visibility labels or access control lists, which the stream and the index "
                                   "do not keep. Give the right to read the topic and the index table only to users "
                                   "that may see these cells"),
           .table = Escape(table)});
  }

  const PublisherOptions options_;
  const Notices notices_;
  Clock* const clock_;
  NoticeLimit alarm_lines_;
  RegionMarks marks_;
  const Notices alarm_;
  const std::function<void(std::string_view)> other_table_;
  const std::function<void(std::string_view)> on_restricted_cell_;
  const WriterContext context_;
  Timings timings_;
  NamesPaced checked_tables_;  // whose edits are discarded
  NamesOnce other_tables_;
  NamesOnce restricted_tables_;
  ProducerPool producers_;
  boost::asio::thread_pool pool_;
  bool stopped_ = false;  // of the caller's threads

  mutable Mutex mu_;
  std::chrono::milliseconds next_failure_notice_ ABSL_GUARDED_BY(mu_){0};
  Counts counts_ ABSL_GUARDED_BY(mu_);
};

Result<std::unique_ptr<Publisher>> Publisher::Create(const PublisherOptions& options, Notices notices, Clock* clock) {
  auto impl = std::make_unique<Impl>(options, std::move(notices), clock);
  FENSI_RETURN_IF_ERROR(impl->Start());
  return std::unique_ptr<Publisher>(new Publisher(std::move(impl)));
}

Publisher::Publisher(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Publisher::~Publisher() { Stop(); }
void Publisher::Handle(std::shared_ptr<Call> call) { impl_->Handle(std::move(call)); }
void Publisher::Stop() { impl_->Stop(); }
Counts Publisher::counts() const { return impl_->counts(); }

int64_t Publisher::unacknowledged() const { return impl_->unacknowledged(); }

const Timings& Publisher::timings() const { return impl_->timings(); }

}  // namespace fensi::capture
