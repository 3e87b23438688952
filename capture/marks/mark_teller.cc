#include "capture/marks/mark_teller.h"

#include <atomic>
#include <exception>
#include <optional>
#include <utility>

#include "base/mutex.h"
#include "capture/publish/publisher.h"
#include "capture/zookeeper/session_thread.h"
#include "consumer/codec/mark_codec.h"

namespace fensi::capture {

using std::chrono::milliseconds;

namespace {

// Overhead of a message in its batch.
constexpr size_t kFrameBytes = 256;

}  // namespace

/// Counts messages without a delivery report, and the results of the last ones.
class MarkDeliveries final : public consumer::DeliveryListener {
 public:
  void Delivered(const Status& status) override {
    const MutexLock lock(mu_);
    --open_;
    if (!status.ok()) failure_ = status;
  }
  void Expect() {
    const MutexLock lock(mu_);
    ++open_;
  }
  bool idle() const {
    const MutexLock lock(mu_);
    return open_ == 0;
  }
  Status TakeFailure() {
    const MutexLock lock(mu_);
    return std::exchange(failure_, Status());
  }

 private:
  mutable Mutex mu_;
  int64_t open_ ABSL_GUARDED_BY(mu_) = 0;
  Status failure_ ABSL_GUARDED_BY(mu_);
};

class MarkTeller::Impl {
 public:
  Impl(const MarkTellerOptions& options, hbase::SessionOpener open, Notices notices, Clock* clock)
      : options_(options),
        open_(std::move(open)),
        notices_(std::move(notices)),
        clock_(clock),
        collector_(clock),
        producers_(options.kafka, notices_, clock) {}

  static void Start(const std::shared_ptr<Impl>& self) {
    if (self->options_.period.count() > 0) self->thread_.Start([self] { self->Run(); });
  }

  void Stop() {
    {
      const MutexLock lock(mu_);
      stopping_ = true;
      changed_.notify_all();
    }
    thread_.Stop(options_.stop_timeout);
  }

  void Take(const CallMarkers& markers) {
    if (options_.period.count() > 0) collector_.Add(markers);
  }

  std::string trouble() const {
    const MutexLock lock(mu_);
    return trouble_;
  }

 private:
  void Run() {
    while (Wait(options_.period)) {
      try {
        Turn();
      } catch (const std::exception& error) {  // lack of memory: these watermarks are lost
        Say(InternalError(error).message());
      }
    }
    session_.reset();
    producers_.Clear();
  }

  bool Wait(milliseconds pause) {
    MutexLock lock(mu_);
    changed_.wait_for(lock, pause, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return stopping_; });
    return !stopping_;
  }

  void Turn() {
    // Without markers the list of servers is not needed.
    if (!collector_.any()) return SayUnmarked();
    if (!deliveries_.idle()) return;
    if (clock_->MonotonicNow() >= next_look_) {
      next_look_ = clock_->MonotonicNow() + options_.look_period;
      looked_ = Look();
    }
    Status status = deliveries_.TakeFailure();
    if (!looked_.ok()) status = looked_;
    // A server whose log arrives only in part must not vouch for all of it.
    if (looked_.code() != StatusCode::kConfiguration) {
      const Status told = Tell();
      if (!told.ok()) status = told;
    }
    const std::string ahead = collector_.ahead();
    if (status.ok() && !ahead.empty()) {
      return Say(
          "the clock of region server " + ahead + " is more than " + std::to_string(MarkCollector::kMostAhead / 1000) +
          " s ahead of the clock of this machine, so the capture ignores the replication markers of that server. "
          "Correct both clocks (NTP): the watermark then advances by itself");
    }
    Say(status.message());
  }

  void SayUnmarked() {
    const auto since = collector_.unmarked_since();
    if (!since || clock_->MonotonicNow() - *since < options_.longest_unmarked) return;
    Say("HBase sends changes, but no replication markers. On the region servers (HBase 2.6 or newer), set "
        "hbase.regionserver.replication.marker.enabled to true, and restart them one by one. If you need no watermark, "
        "start the capture with --watermark_interval_ms=0");
  }

  Status Look() {
    members_.reset();
    if (session_ == nullptr || session_->expired()) {
      session_.reset();
      FENSI_ASSIGN_OR_RETURN(session_, open_());
    }
    FENSI_ASSIGN_OR_RETURN(Members members, ReadMembers(session_.get(), options_.members, clock_));
    members_ = std::move(members);
    return Status();
  }

  Status Tell() {
    consumer::Mark mark{.calls = collector_.Take()};
    if (members_) {
      mark.members = std::move(members_->servers);
      mark.members_time = members_->time;
      members_.reset();
    }
    if (mark.calls.empty() && mark.members.empty()) return Status();
    mark.bulk_loads = collector_.TakeBulkLoads();
    FENSI_RETURN_IF_ERROR(consumer::CheckMark(mark));
    const Result<std::vector<consumer::Mark>> marks =
        consumer::CutMark(std::move(mark), options_.kafka.max_message_bytes - kFrameBytes);
    FENSI_RETURN_IF_ERROR(marks.status().WithContext("--message_kb is too low for a watermark"));
    FENSI_ASSIGN_OR_RETURN(const ProducerPool::Lease producer, producers_.Get());
    for (const consumer::Mark& each : *marks) SendToAll(producer.get(), consumer::EncodeMark(each));
    return Status();
  }

  void SendToAll(consumer::TrackedProducer* producer, const std::string& value) {
    for (const auto& [topic, partitions] : options_.partitions) {
      const auto handle = producer->OpenTopic(topic);
      for (int32_t partition = 0; partition < partitions; ++partition) {
        deliveries_.Expect();
        const Status sent = consumer::TrackedProducer::SendTo(handle, partition, value, &deliveries_);
        if (!sent.ok()) deliveries_.Delivered(sent);
      }
    }
  }

  /// Records the trouble, and reports changes.
  void Say(const std::string& trouble) {
    {
      const MutexLock lock(mu_);
      if (trouble == trouble_ || stopping_) return;
      trouble_ = trouble;
    }
    notices_(trouble.empty()
                 ? Notice{NoticeKind::kWatermarkResumed, RedactableText("the watermark advances again")}
                 : Notice{NoticeKind::kWatermarkStalled, RedactableText("the watermark does not advance: " + trouble)});
  }

  const MarkTellerOptions options_;
  const hbase::SessionOpener open_;
  const Notices notices_;
  Clock* const clock_;
  MarkCollector collector_;
  SessionThread thread_;
  // Used by thread_.
  MarkDeliveries deliveries_;  // outlives the producers
  ProducerPool producers_;
  std::unique_ptr<hbase::ZooKeeperSession> session_;
  std::optional<Members> members_;  // that were not sent yet
  Status looked_;                   // result of the last reading
  milliseconds next_look_{0};

  mutable Mutex mu_;
  Condition changed_;
  std::string trouble_ ABSL_GUARDED_BY(mu_);
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
};

MarkTeller::MarkTeller(const MarkTellerOptions& options, hbase::SessionOpener open, Notices notices, Clock* clock)
    : impl_(std::make_shared<Impl>(options, std::move(open), std::move(notices), clock)) {}
MarkTeller::~MarkTeller() { Stop(); }
void MarkTeller::Take(const CallMarkers& markers) { impl_->Take(markers); }
void MarkTeller::Start() { Impl::Start(impl_); }
void MarkTeller::Stop() { impl_->Stop(); }
std::string MarkTeller::trouble() const { return impl_->trouble(); }

}  // namespace fensi::capture
