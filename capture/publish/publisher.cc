#include "capture/publish/publisher.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <condition_variable>
#include <set>
#include <vector>

#include "base/bytes.h"
#include "capture/publish/call_writer.h"

namespace fensi::capture {
namespace {

// Tables that were not asked for and are named once each; more are only counted.
constexpr size_t kNamedTables = 100;
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

}  // namespace

class Publisher::Impl {
 public:
  Impl(const PublisherOptions& options, Notices notices, Clock* clock)
      : options_(options),
        notices_(std::move(notices)),
        clock_(clock),
        alarm_([this](Severity severity, const std::string& text) { Alarm(severity, text); }),
        other_table_([this](std::string_view table) { TellOtherTable(table); }),
        context_{
            options_.topics, options_.dead_letter_topic, options_.kafka.max_message_bytes, marks_, alarm_, other_table_,
            clock_},
        pool_(options.workers) {}

  Status Start() { return Producer().status(); }

  void Handle(std::shared_ptr<Call> call) {
    boost::asio::post(pool_, [this, call = std::move(call)] { Work(call); });
  }

  void Stop() {
    if (stopped_) return;
    stopped_ = true;
    pool_.join();
    std::vector<std::unique_ptr<consumer::TrackedProducer>> producers;
    {
      const std::lock_guard lock(mu_);
      producers.swap(producers_);
    }
    producers.clear();  // tells of what is not delivered, which takes mu_
  }

  Counts counts() const {
    const std::lock_guard lock(mu_);
    return counts_;
  }

 private:
  void Work(const std::shared_ptr<Call>& call) {
    const Result<consumer::TrackedProducer*> producer = Producer();
    if (!producer.ok()) return call->Answer(producer.status());
    auto yield = std::make_shared<CallYield>();
    CallDelivery* delivery = CallDelivery::Begin([this, call, yield](const Status& end) { Finish(call, *yield, end); });
    const Status sent = CallWriter(context_, *producer, *call, delivery).Write(yield.get());
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
      TellFailure(status);
    }
    call->Answer(status);
  }

  void TellFailure(const Status& status) {
    {
      const std::lock_guard lock(mu_);
      ++counts_.failed_calls;
      const auto now = clock_->SinceBoot();
      if (now < next_failure_notice_) return;
      next_failure_notice_ = now + kFailurePause;
    }
    notices_(Severity::kWarning, "not acknowledged to HBase, which will send it again: " + status.message());
  }

  /// The producer, or a new one in place of one that has broken.
  Result<consumer::TrackedProducer*> Producer() {
    const std::lock_guard lock(mu_);
    if (!producers_.empty() && !producers_.back()->broken()) return producers_.back().get();
    Result<std::unique_ptr<consumer::TrackedProducer>> producer = consumer::TrackedProducer::Create(options_.kafka);
    if (!producer.ok()) return producer.status();
    // Old ones stay until the end: their last messages may still be told of, on their own threads.
    producers_.push_back(std::move(*producer));
    return producers_.back().get();
  }

  void Alarm(Severity severity, const std::string& text) {
    {
      const std::lock_guard lock(mu_);
      ++counts_.alarms;
    }
    notices_(severity, text);
  }

  void TellOtherTable(std::string_view table) {
    {
      const std::lock_guard lock(mu_);
      if (other_tables_.size() >= kNamedTables || !other_tables_.emplace(table).second) return;
    }
    notices_(Severity::kWarning, "edits of table " + Escape(table) +
                                     " arrive and are not captured: name the table, or take it from the peer's "
                                     "TABLE_CFS");
  }

  const PublisherOptions options_;
  const Notices notices_;
  Clock* const clock_;
  RegionMarks marks_;
  const Notices alarm_;
  const std::function<void(std::string_view)> other_table_;
  const WriterContext context_;
  boost::asio::thread_pool pool_;
  bool stopped_ = false;  // of the caller's threads

  mutable std::mutex mu_;
  // All guarded by mu_.
  std::vector<std::unique_ptr<consumer::TrackedProducer>> producers_;
  std::set<std::string, std::less<>> other_tables_;
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
