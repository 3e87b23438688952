#include "capture/publish/publisher.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <new>

#include "base/bytes.h"
#include "capture/publish/call_writer.h"
#include "capture/publish/names_once.h"
#include "capture/publish/producer_pool.h"

namespace fensi::capture {
namespace {

// A failure that lasts is told again after so long.
constexpr std::chrono::milliseconds kFailurePause{10'000};

void Add(const Counts& more, Counts* to) {
  to->entries += more.entries;
  to->again += more.again;
  to->events += more.events;
  to->cells += more.cells;
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
        alarm_([this](Severity severity, const std::string& text) { Alarm(severity, text); }),
        other_table_([this](std::string_view table) { TellOtherTable(table); }),
        labelled_table_([this](std::string_view table) { TellLabelledTable(table); }),
        context_{.topics = options_.topics,
                 .dead_letter_topic = options_.dead_letter_topic,
                 .message_limit = options_.kafka.max_message_bytes,
                 .marks = marks_,
                 .alarm = alarm_,
                 .other_table = other_table_,
                 .labelled_table = labelled_table_,
                 .check_source = options_.check_source,
                 .clock = clock_},
        producers_(options_.kafka, notices_, clock_),
        pool_(options.workers) {}

  Status Start() { return producers_.Get().status(); }

  void Handle(std::shared_ptr<Call> call) {
    boost::asio::post(pool_, [this, call = std::move(call)] { Work(call); });
  }

  void Stop() {
    if (stopped_) return;
    stopped_ = true;
    pool_.join();
    producers_.Clear();  // tells of what is not delivered
  }

  Counts counts() const {
    const std::lock_guard lock(mu_);
    return counts_;
  }

 private:
  void Work(const std::shared_ptr<Call>& call) {
    try {
      Write(call);
    } catch (const std::bad_alloc&) {
      // What was sent of it comes again with the rest.
      call->Answer(Status(StatusCode::kUnavailable, "there is no memory for this call at the moment"));
    }
  }

  void Write(const std::shared_ptr<Call>& call) {
    const Result<ProducerPool::Lease> producer = producers_.Get();
    if (!producer.ok()) return call->Answer(producer.status());
    auto yield = std::make_shared<CallYield>();
    CallDelivery* delivery = CallDelivery::Begin([this, call, yield](const Status& end) { Finish(call, *yield, end); });
    Status sent;
    try {
      sent = CallWriter(context_, producer->get(), *call, delivery).Write(yield.get());
    } catch (const std::bad_alloc&) {
      sent = Status(StatusCode::kUnavailable, "there is no memory for this call at the moment");
    }
    call->ReleaseBytes();
    delivery->Finish(sent);
  }

  void Finish(const std::shared_ptr<Call>& call, const CallYield& yield, const Status& status) {
    if (status.ok()) {
      marks_.Raise(yield.newest);
      const std::lock_guard lock(mu_);
      Add(yield.counts, &counts_);
      ++counts_.calls;
    } else {
      TellFailure(status, yield);
    }
    call->Answer(status);
  }

  void TellFailure(const Status& status, const CallYield& yield) {
    {
      const std::lock_guard lock(mu_);
      ++counts_.failed_calls;
      const auto now = clock_->SinceBoot();
      if (now < next_failure_notice_) return;
      next_failure_notice_ = now + kFailurePause;
    }
    const std::string text = "not acknowledged to HBase, which will send it again: " + status.message();
    if (PassesByItself(status)) return notices_(Severity::kWarning, text);
    std::string tables;
    for (const std::string& table : yield.tables) tables += (tables.empty() ? " (of table " : ", ") + table;
    Alarm(Severity::kAlarm, text + (tables.empty() ? "" : tables + ")") +
                                "; this does not pass by itself, and HBase keeps its log until it is mended");
  }

  void Alarm(Severity severity, const std::string& text) {
    {
      const std::lock_guard lock(mu_);
      ++counts_.alarms;
    }
    notices_(severity, text);
  }

  void TellOtherTable(std::string_view table) {
    if (!other_tables_.Add(table)) return;
    if (options_.was_captured(table)) {
      return Alarm(Severity::kAlarm, "edits of table " + Escape(table) +
                                         ", which was captured before and then dropped (--drop), arrive and are lost "
                                         "to its stream: capture it again, or take it from the peer's TABLE_CFS");
    }
    notices_(Severity::kWarning, "edits of table " + Escape(table) +
                                     " arrive and are not captured: name the table, or take it from the peer's "
                                     "TABLE_CFS");
  }

  void TellLabelledTable(std::string_view table) {
    if (!labelled_tables_.Add(table)) return;
    Alarm(Severity::kAlarm, "cells of table " + Escape(table) +
                                " carry visibility labels or access control lists: stream and index show them to "
                                "everybody who may read the topic and the index table");
  }

  const PublisherOptions options_;
  const Notices notices_;
  Clock* const clock_;
  RegionMarks marks_;
  const Notices alarm_;
  const std::function<void(std::string_view)> other_table_;
  const std::function<void(std::string_view)> labelled_table_;
  const WriterContext context_;
  NamesOnce other_tables_;
  NamesOnce labelled_tables_;
  ProducerPool producers_;
  boost::asio::thread_pool pool_;
  bool stopped_ = false;  // of the caller's threads

  mutable std::mutex mu_;
  // All guarded by mu_.
  std::chrono::milliseconds next_failure_notice_{0};
  Counts counts_;
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

}  // namespace fensi::capture
