#include "tests/consumer/kafka/source_fixture.h"

#include "consumer/kafka/client/topic_admin.h"

namespace fensi::consumer {

using std::chrono::milliseconds;

KafkaSourceOptions KafkaSourceTest::Options(const std::string& group) {
  KafkaSourceOptions options;
  options.cluster = mock_.cluster();
  // The mock's fetches wait for their whole time when a partition has nothing new.
  options.cluster.properties = {{"fetch.wait.max.ms", "20"}, {"heartbeat.interval.ms", "100"}};
  options.topic = "changes";
  options.group = group;
  // The mock's own clock counts while the machine stands still, so that no session may be much shorter.
  options.session_timeout = milliseconds(6000);
  options.fence_margin = milliseconds(1000);
  options.commit_interval = milliseconds(20);
  options.clock = &clock_;
  return options;
}

void KafkaSourceTest::Fill(int32_t partition, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const int64_t number = filled_[partition]++;
    mock_.ProduceEvent("changes", partition, std::to_string(number), number);
  }
  mock_.Flush();
}

std::unique_ptr<KafkaSource> KafkaSourceTest::Source(const KafkaSourceOptions& options) {
  Result<std::unique_ptr<KafkaSource>> source = KafkaSource::Create(options);
  EXPECT_TRUE(source.ok()) << source.status().ToString();
  return std::move(*source);
}

Work NextBatch(KafkaSource* source) {
  for (;;) {
    Work work = source->Next();
    if (std::holds_alternative<Committed>(work)) continue;
    const auto* opening = std::get_if<Opening>(&work);
    if (opening == nullptr) return work;
    // Fenced in between: the partition comes again, here or elsewhere.
    (void)BeginAll(source, *opening);
  }
}

Status BeginAll(KafkaSource* source, const Opening& opening) {
  if (opening.requests) {
    const int64_t start = opening.requests->log_start;
    FENSI_RETURN_IF_ERROR(source->BeginRequests(opening.assignment, {start, start}));
  }
  return source->Begin(opening.assignment, opening.committed.value_or(opening.log_start));
}

Worker::Worker(KafkaSource* source, std::function<void(const Batch&)> before_done)
    : source_(source), before_done_(std::move(before_done)), thread_([this] { Run(); }) {}

Worker::~Worker() {
  source_->Stop();
  if (thread_.joinable()) thread_.join();
}

void Worker::Run() {
  for (;;) {
    Work work = source_->Next();
    if (auto* end = std::get_if<End>(&work)) {
      const std::lock_guard lock(mu_);
      end_ = end->status;
      ended_ = true;
      return;
    }
    if (auto* opening = std::get_if<Opening>(&work)) {
      if (BeginAll(source_, *opening).ok()) {
        const std::lock_guard lock(mu_);
        opened_.push_back(opening->assignment->partition());
      }
      continue;
    }
    if (std::holds_alternative<Committed>(work)) continue;
    if (const auto* requests = std::get_if<RequestBatch>(&work)) {
      {
        const std::lock_guard lock(mu_);
        std::vector<std::string>& both = both_[requests->assignment->partition()];
        for (const RequestRecord& record : requests->records) both.push_back("?" + std::string(record.key));
      }
      source_->Done(*requests);
      continue;
    }
    const Batch& batch = std::get<Batch>(work);
    if (before_done_) before_done_(batch);
    {
      const std::lock_guard lock(mu_);
      for (const Record& record : batch.records) {
        rows_[batch.assignment->partition()].push_back(record.event.row);
        both_[batch.assignment->partition()].push_back(record.event.row);
      }
    }
    source_->Done(batch);
  }
}

std::vector<std::string> Worker::rows(int32_t partition) const {
  const std::lock_guard lock(mu_);
  const auto rows = rows_.find(partition);
  return rows == rows_.end() ? std::vector<std::string>() : rows->second;
}

std::vector<std::string> Worker::both(int32_t partition) const {
  const std::lock_guard lock(mu_);
  const auto rows = both_.find(partition);
  return rows == both_.end() ? std::vector<std::string>() : rows->second;
}

size_t Worker::records() const {
  const std::lock_guard lock(mu_);
  size_t count = 0;
  for (const auto& [partition, rows] : rows_) count += rows.size();
  return count;
}

std::vector<int32_t> Worker::opened() const {
  const std::lock_guard lock(mu_);
  return opened_;
}

Status Worker::Join() {
  thread_.join();
  const std::lock_guard lock(mu_);
  return end_;
}

bool KafkaSourceTest::EventuallyInGroup(const std::function<bool()>& condition) {
  // Longer each time: after a new connection it can take half a minute until all have joined again.
  for (int connections = 1; connections < 5; ++connections) {
    if (Eventually(condition, connections * milliseconds(20'000))) return true;
    mock_.SetDown(true);
    mock_.SetDown(false);
  }
  return false;
}

std::vector<int64_t> KafkaSourceTest::Committed(const std::string& group) const {
  const auto admin = TopicAdmin::Create(mock_.cluster(), milliseconds(60'000));
  EXPECT_TRUE(admin.ok()) << admin.status().ToString();
  const auto offsets = (*admin)->groups().CommittedOffsets(group, "changes");
  EXPECT_TRUE(offsets.ok()) << offsets.status().ToString();
  std::vector<int64_t> committed;
  for (const std::optional<int64_t>& offset : *offsets) committed.push_back(offset.value_or(-1));
  return committed;
}

std::string WhatIsLeftOut(const std::vector<std::string>& rows, int64_t count) {
  int64_t last = -1;
  int64_t highest = -1;
  for (const std::string& row : rows) {
    const int64_t number = std::stoll(row);
    if (number > last + 1) return row + " follows " + std::to_string(last);
    last = number;
    highest = std::max(highest, last);
  }
  return highest == count - 1 ? "" : "ends at " + std::to_string(highest);
}

std::vector<std::string> Numbers(int64_t count, int64_t from) {
  std::vector<std::string> numbers;
  for (int64_t i = from; i < from + count; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

}  // namespace fensi::consumer
