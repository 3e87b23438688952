#include "capture/publish/publisher.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <new>

#include "base/bytes.h"
#include "base/mutex.h"
#include "capture/publish/call_writer.h"
#include "capture/publish/names_once.h"
#include "capture/publish/producer_pool.h"
#include "capture/rpc/notice_limit.h"

namespace fensi::capture {
namespace {

// A failure that lasts is told again after so long.
constexpr std::chrono::milliseconds kFailurePause{10'000};
// All are counted; what a stranger sends does not fill the log.
constexpr int kAlarmLinesAMinute = 100;

void Add(const Counts& more, Counts* to) {
  to->entries += more.entries;
  to->again += more.again;
  for (const auto& [name, table] : more.tables) {
    TableCounts& of_table = to->tables[name];
    of_table.events += table.events;
    of_table.cells += table.cells;
    of_table.newest_write_time = std::max(of_table.newest_write_time, table.newest_write_time);
    to->events += table.events;
    to->cells += table.cells;
  }
  to->of_other_tables += more.of_other_tables;
  to->newest_write_time = std::max(to->newest_write_time, more.newest_write_time);
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
        labelled_table_([this](std::string_view table) { TellLabelledTable(table); }),
        context_{.topics = options_.topics,
                 .dead_letter_topic = options_.dead_letter_topic,
                 .message_limit = options_.kafka.max_message_bytes,
                 .may_be_large = options_.may_be_large,
                 .marks = marks_,
                 .alarm = alarm_,
                 .other_table = other_table_,
                 .labelled_table = labelled_table_,
                 .check_source = options_.check_source,
                 .clock = clock_},
        timings_(options_.topics),
        producers_(options_.kafka, alarm_, clock_),
        pool_(options.workers) {}

  Status Start() { return producers_.Get().status(); }

  void Handle(std::shared_ptr<Call> call) {
    boost::asio::post(pool_, [this, call = std::move(call), since = clock_->SinceBoot()] { Work(call, since); });
  }

  void Stop() {
    if (stopped_) return;
    stopped_ = true;
    pool_.join();
    producers_.Clear();  // tells of what is not delivered
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
      // What was sent of it comes again with the rest.
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
    timings_.calls.Observe(std::chrono::duration<double>(clock_->SinceBoot() - since).count());
    for (const auto& [table, counts] : yield.counts.tables) {
      const int64_t written = counts.newest_write_time;
      if (written <= 0) continue;
      timings_.delays.at(table).Observe(static_cast<double>(clock_->WallMillis() - written) / 1000);
    }
  }

  /// The answer goes even when there is no memory to count and to tell what became of the call.
  void Finish(const std::shared_ptr<Call>& call, const CallYield& yield, const Status& status) noexcept {
    try {
      Count(yield, status);
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch)
      // Counted or told in part.
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
    const Words words = "not acknowledged to HBase, which will send it again: " + status.words();
    if (PassesByItself(status)) return notices_({NoticeKind::kNotAcknowledged, words});
    AlarmOfLasting(words, yield);
  }

  /// The client tries on for minutes, while the caller has long given up: a person must not hear as late as it fails.
  void LookAtRefusal(const consumer::TrackedProducer& producer, const CallYield& yield) noexcept {
    try {
      const Status refused = producer.Refused(options_.refusal_timeout);
      if (refused.ok() || !FailureIsDue()) return;
      AlarmOfLasting("nothing is acknowledged to HBase: " + refused.words(), yield);
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch)
      // A later call tells it.
    }
  }

  bool FailureIsDue() {
    const MutexLock lock(mu_);
    const auto now = clock_->SinceBoot();
    if (now < next_failure_notice_) return false;
    next_failure_notice_ = now + kFailurePause;
    return true;
  }

  void AlarmOfLasting(const Words& words, const CallYield& yield) {
    std::string tables;
    for (const auto& [table, counts] : yield.counts.tables) {
      tables += (tables.empty() ? " (of table " : ", ") + Escape(table) + " into topic " + options_.topics.at(table);
    }
    Alarm({NoticeKind::kNothingAcknowledged,
           words + (tables.empty() ? "" : tables + ")") +
               "; this does not pass by itself, and HBase keeps its log until it is mended"});
  }

  void Alarm(const Notice& notice) { alarm_lines_.Tell(notice); }

  void TellOtherTable(std::string_view table) {
    if (!other_tables_.Add(table)) return;
    if (options_.was_captured(table)) {
      return Alarm({.kind = NoticeKind::kDroppedTable,
                    .words = Words("edits of table " + Escape(table) +
                                   ", which was captured before and then dropped (--drop), arrive and are lost "
                                   "to its stream: capture it again, or take it from the peer's TABLE_CFS"),
                    .table = Escape(table)});
    }
    notices_({.kind = NoticeKind::kOtherTable,
              .words = Words("edits of table " + Escape(table) +
                             " arrive and are not captured: name the table, or take it from the peer's "
                             "TABLE_CFS"),
              .table = Escape(table)});
  }

  void TellLabelledTable(std::string_view table) {
    if (!labelled_tables_.Add(table)) return;
    Alarm({.kind = NoticeKind::kLabelledTable,
           .words = Words("cells of table " + Escape(table) +
                          " carry visibility labels or access control lists: stream and index show them to "
                          "everybody who may read the topic and the index table"),
           .table = Escape(table)});
  }

  const PublisherOptions options_;
  const Notices notices_;
  Clock* const clock_;
  NoticeLimit alarm_lines_;
  RegionMarks marks_;
  const Notices alarm_;
  const std::function<void(std::string_view)> other_table_;
  const std::function<void(std::string_view)> labelled_table_;
  const WriterContext context_;
  Timings timings_;
  NamesOnce other_tables_;
  NamesOnce labelled_tables_;
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
