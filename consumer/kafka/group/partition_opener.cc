#include "consumer/kafka/group/partition_opener.h"

#include <algorithm>

#include "consumer/kafka/deadline.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{50};
constexpr milliseconds kLongestPause{2000};
constexpr milliseconds kSoon{1000};  // no answer for so long is worth a word
constexpr size_t kMostReasons = 5;

bool EndsAll(const Status& status) {
  return status.code() == StatusCode::kPermission || status.code() == StatusCode::kConfiguration;
}

}  // namespace

PartitionOpener::PartitionOpener(std::shared_ptr<rd_kafka_t> client, std::string topic, std::string group, Clock* clock,
                                 milliseconds longest)
    : client_(std::move(client)),
      topic_(std::move(topic)),
      group_(std::move(group)),
      clock_(clock),
      longest_(longest) {}

std::vector<PartitionOpener::Found> PartitionOpener::Turn(const std::vector<int32_t>& wanted) {
  std::vector<Found> found;
  TakeFacts();
  TakeLogRanges(&found);
  // One round at a time: what becomes due meanwhile waits for the next.
  if (!facts_.waiting()) ChooseDue(wanted, found);
  if (!asked_.empty() && (!facts_.waiting() || facts_.overdue(clock_->SinceBoot()))) AskForFacts();
  return found;
}

void PartitionOpener::Forget() {
  wanted_.clear();
  asked_.clear();
  facts_.Forget();
  leaders_.clear();
}

/// What has just been found is still among the wanted.
void PartitionOpener::ChooseDue(const std::vector<int32_t>& wanted, const std::vector<Found>& found) {
  asked_.clear();
  const milliseconds now = clock_->SinceBoot();
  for (const int32_t partition : wanted) {
    if (std::any_of(found.begin(), found.end(), [&](const Found& f) { return f.partition == partition; })) continue;
    Wanted& each = wanted_[partition];
    if (each.asked_at || now < each.not_before) continue;
    each.asked_at = now;
    asked_.push_back(partition);
  }
}

void PartitionOpener::AskForFacts() {
  facts_.Ask(clock_->SinceBoot(), client_,
             [topic = topic_, group = group_, asked = asked_, timeout = longest_](rd_kafka_t* client) {
               return AskFacts(client, topic, group, asked, timeout);
             });
}

PartitionOpener::FactsAnswer PartitionOpener::AskFacts(rd_kafka_t* client, const std::string& topic,
                                                       const std::string& group, const std::vector<int32_t>& partitions,
                                                       milliseconds timeout) {
  const Deadline deadline(timeout);
  Result<TopicLayout> layout = DescribeLayout(client, topic, deadline.left());
  if (!layout.ok()) return layout.status();
  FENSI_RETURN_IF_ERROR(RefuseCompacted(client, topic, layout->teller, deadline.left()));
  Facts facts{std::move(*layout), {}};
  const PartitionsHandle list = WithoutOffsets(topic, partitions);
  const rd_kafka_resp_err_t error = rd_kafka_committed(client, list.get(), deadline.left_ms());
  const std::string what = "asking for the committed offsets of group " + group;
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaStatus(error, what);
  for (int i = 0; i < list->cnt; ++i) {
    const rd_kafka_topic_partition_t& each = list->elems[i];
    const std::optional<int64_t> offset = each.offset >= 0 ? std::optional(each.offset) : std::nullopt;
    const Status status = KafkaStatus(each.err, what);
    facts.committed.emplace(each.partition, status.ok() ? Result(offset) : Result<std::optional<int64_t>>(status));
  }
  return facts;
}

void PartitionOpener::TakeFacts() {
  const std::optional<FactsAnswer> answer = facts_.Take();
  if (!answer) return;
  if (answer->ok()) return AskLeaders(**answer);
  for (const int32_t partition : asked_) Failed(partition, answer->status());
}

void PartitionOpener::AskLeaders(const Facts& facts) {
  std::map<int32_t, std::vector<int32_t>> by_leader;
  for (const int32_t partition : asked_) {
    const Result<int32_t> leader = LeaderOf(facts.layout, topic_, partition);
    const Result<std::optional<int64_t>>& committed = facts.committed.at(partition);
    if (leader.ok() && committed.ok()) {
      wanted_[partition].committed = *committed;
      by_leader[*leader].push_back(partition);
    } else {
      Failed(partition, leader.ok() ? committed.status() : leader.status());
    }
  }
  for (auto& [leader, partitions] : by_leader) AskLeader(std::move(partitions), facts.layout.partitions());
}

void PartitionOpener::AskLeader(std::vector<int32_t> partitions, int32_t partition_count) {
  LeaderQuestion& question = leaders_.emplace_back();
  question.partition_count = partition_count;
  question.inquiry.Ask(clock_->SinceBoot(), client_,
                       [topic = topic_, partitions, timeout = longest_](rd_kafka_t* client) {
                         return QueryLogRanges(client, topic, partitions, timeout);
                       });
  question.partitions = std::move(partitions);
}

void PartitionOpener::TakeLogRanges(std::vector<Found>* found) {
  for (auto question = leaders_.begin(); question != leaders_.end();) {
    const std::optional<LogRanges> answer = question->inquiry.Take();
    if (!answer) {
      ++question;
      continue;
    }
    for (const int32_t partition : question->partitions) {
      const Result<LogRange>& log = answer->at(partition);
      if (!log.ok()) {
        Failed(partition, log.status());
        continue;
      }
      found->push_back({partition, question->partition_count, wanted_[partition].committed, *log});
      wanted_.erase(partition);
    }
    question = leaders_.erase(question);
  }
}

void PartitionOpener::Failed(int32_t partition, const Status& status) {
  if (EndsAll(status) && refusal_.ok()) refusal_ = status;
  Wanted& wanted = wanted_[partition];
  wanted.asked_at.reset();
  wanted.failure = status;
  wanted.pause = std::clamp(2 * wanted.pause, kFirstPause, kLongestPause);
  wanted.not_before = clock_->SinceBoot() + wanted.pause;
}

/// Empty: nothing is wrong yet.
std::string PartitionOpener::Reason(const Wanted& wanted) const {
  if (!wanted.failure.ok()) return wanted.failure.message();
  const milliseconds waited = wanted.asked_at ? clock_->SinceBoot() - *wanted.asked_at : milliseconds(0);
  if (waited < kSoon) return "";
  return "its broker is slow or silent: no answer since " + std::to_string(waited.count() / 1000) + " s";
}

std::string PartitionOpener::trouble() const {
  std::map<std::string, std::string> partitions;  // by reason
  for (const auto& [partition, wanted] : wanted_) {
    const std::string reason = Reason(wanted);
    if (reason.empty()) continue;
    std::string& list = partitions[reason];
    list += (list.empty() ? "" : ", ") + std::to_string(partition);
  }
  std::string text;
  size_t reasons = 0;
  for (const auto& [reason, list] : partitions) {
    if (++reasons > kMostReasons) return text + "; and more";
    text += (text.empty() ? "" : "; ");
    text += "partition " + list + " of topic " + topic_ + " is not open: " + reason;
  }
  return text;
}

}  // namespace fensi::consumer
