#include "consumer/kafka/group/partition_opener.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace fensi::consumer {

Result<Commits> AskCommits(rd_kafka_t* client, const Topics& topics, const std::string& group,
                           const std::vector<LogId>& logs, std::chrono::milliseconds timeout) {
  const std::string what = "reading the committed offsets of group " + group;
  const PartitionsHandle list = topics.List(logs);
  const rd_kafka_resp_err_t error = rd_kafka_committed(client, list.get(), static_cast<int>(timeout.count()));
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaStatus(error, what);
  Commits commits;
  for (int i = 0; i < list->cnt; ++i) {
    const rd_kafka_topic_partition_t& each = list->elems[i];
    const std::optional<int64_t> offset = each.offset >= 0 ? std::optional(each.offset) : std::nullopt;
    const Status status = KafkaStatus(each.err, what);
    commits.emplace(LogId(each.partition, topics.LogOf(each.topic)),
                    status.ok() ? Result(offset) : Result<std::optional<int64_t>>(status));
  }
  return commits;
}

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{50};
constexpr milliseconds kLongestPause{2000};
constexpr milliseconds kBelieveNoRequests{3000};  // a broker that has just started knows no topic yet
constexpr milliseconds kSoon{1000};               // no answer for so long is worth a word
// Between two questions of which none is answered.
constexpr milliseconds kFirstWait{1000};
constexpr milliseconds kLongestWait{32'000};
constexpr size_t kMostReasons = 5;

bool EndsAll(const Status& status) {
  return status.code() == StatusCode::kPermission || status.code() == StatusCode::kConfiguration;
}

/// Ok: there is none.
Status FirstFault(std::initializer_list<Status> all) {
  const auto* const found = std::find_if(all.begin(), all.end(), [](const Status& status) { return !status.ok(); });
  return found == all.end() ? Status() : *found;
}

}  // namespace

PartitionOpener::PartitionOpener(std::shared_ptr<rd_kafka_t> client, Topics topics, std::string group, Clock* clock,
                                 milliseconds longest)
    : client_(std::move(client)),
      topics_(std::move(topics)),
      group_(std::move(group)),
      clock_(clock),
      longest_(longest) {}

std::vector<PartitionOpener::Found> PartitionOpener::Turn(const std::vector<int32_t>& wanted) {
  std::vector<Found> found;
  TakeFacts();
  TakeLogRanges(&found);
  // One round at a time: what becomes due meanwhile waits for the next.
  if (!facts_.waiting()) ChooseDue(wanted, found);
  if (!asked_.empty() && (!facts_.waiting() || facts_.overdue(clock_->MonotonicNow()))) AskForFacts();
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
  const milliseconds now = clock_->MonotonicNow();
  for (const int32_t partition : wanted) {
    if (std::any_of(found.begin(), found.end(), [&](const Found& f) { return f.partition == partition; })) continue;
    Wanted& each = wanted_[partition];
    if (now < each.not_before) continue;
    each.wait = std::clamp(2 * each.wait, kFirstWait, kLongestWait);
    each.not_before = now + each.wait;
    if (!each.asked_at) each.asked_at = now;
    asked_.push_back(partition);
  }
}

void PartitionOpener::AskForFacts() {
  facts_.Ask(clock_->MonotonicNow(), client_,
             [topics = topics_, group = group_, asked = asked_, timeout = longest_](rd_kafka_t* client) {
               return AskFacts(client, topics, group, asked, timeout);
             });
}

PartitionOpener::FactsAnswer PartitionOpener::AskFacts(rd_kafka_t* client, const Topics& topics,
                                                       const std::string& group, const std::vector<int32_t>& partitions,
                                                       milliseconds timeout) {
  const Deadline deadline(timeout);
  FENSI_ASSIGN_OR_RETURN(TopicLayout layout, DescribeLayout(client, topics.stream, deadline.left()));
  const Status settings = SettingsOfStream(client, topics.stream, layout.teller, deadline.left()).status();
  // They were told at the start; TopicWatch says when they are not told any more.
  if (settings.code() != StatusCode::kPermission) FENSI_RETURN_IF_ERROR(settings);
  Facts facts;
  facts.layout = std::move(layout);
  // Old brokers have none. What is known of their logs is compared all the same.
  if (Result<std::string> cluster = AskClusterId(client, deadline.left()); cluster.ok()) {
    facts.cluster = std::move(*cluster);
  }
  FENSI_RETURN_IF_ERROR(AskForRequests(client, topics, deadline, &facts));
  std::vector<LogId> logs;
  for (const int32_t partition : partitions) {
    logs.emplace_back(partition);
    if (facts.requests) logs.emplace_back(partition, Log::kRequests);
  }
  FENSI_ASSIGN_OR_RETURN(facts.committed, AskCommits(client, topics, group, logs, deadline.left()));
  return facts;
}

/// Not ok: there are some that cannot be used. Who may not know of them has none, as before there were any.
Status PartitionOpener::AskForRequests(rd_kafka_t* client, const Topics& topics, const Deadline& deadline,
                                       Facts* facts) {
  if (topics.requests.empty()) return {};
  Result<TopicLayout> layout = DescribeLayout(client, topics.requests, deadline.left());
  const StatusCode code = layout.status().code();
  if (code == StatusCode::kNotFound || code == StatusCode::kPermission) return {};
  if (!layout.ok()) return layout.status();
  facts->requests_settings = SettingsOfStream(client, topics.requests, layout->teller, deadline.left()).status();
  if (facts->requests_settings.code() != StatusCode::kPermission) FENSI_RETURN_IF_ERROR(facts->requests_settings);
  // M12: with other partition counts a request would reach an owner that does not own its row.
  FENSI_RETURN_IF_ERROR(
      CheckRequestPartitions(topics.requests, layout->partitions(), topics.stream, facts->layout.partitions()));
  facts->requests = std::move(*layout);
  return {};
}

void PartitionOpener::TakeFacts() {
  const std::optional<FactsAnswer> answer = facts_.Take();
  if (!answer) return;
  const Status fault = answer->ok() ? FaultOfRequests(**answer) : answer->status();
  if (fault.ok()) return AskLeaders(**answer);
  for (const int32_t partition : asked_) Failed(partition, fault);
}

/// Settings that were reported once were right; a broker that no longer reports them changes nothing.
Status PartitionOpener::FaultOfRequests(const Facts& facts) {
  if (!BelievesRequests(facts)) {
    return MissingTopic(topics_.requests);
  }
  if (!facts.requests_settings.ok() && !requests_settings_told_) return facts.requests_settings;
  requests_settings_told_ = requests_settings_told_ || facts.requests.has_value();
  return {};
}

/// That there are some, or that there are none.
bool PartitionOpener::BelievesRequests(const Facts& facts) {
  if (topics_.requests.empty()) return true;
  const milliseconds now = clock_->MonotonicNow();
  if (facts.requests) {
    requests_missing_since_.reset();
  } else if (!requests_missing_since_) {
    requests_missing_since_ = now;
  }
  return facts.requests || now - *requests_missing_since_ >= kBelieveNoRequests;
}

void PartitionOpener::AskLeaders(const Facts& facts) {
  std::map<std::pair<Log, int32_t>, std::map<int32_t, std::optional<int64_t>>> by_leader;
  for (const int32_t partition : asked_) {
    const Result<int32_t> leader = LeaderOf(facts.layout, topics_.stream, partition);
    const Result<int32_t> of_requests =
        facts.requests ? LeaderOf(*facts.requests, topics_.requests, partition) : Result<int32_t>(-1);
    const Result<std::optional<int64_t>>& committed = facts.committed.at(partition);
    const Result<std::optional<int64_t>> none = std::optional<int64_t>();
    const Result<std::optional<int64_t>>& requests_committed =
        facts.requests ? facts.committed.at({partition, Log::kRequests}) : none;
    const Status fault =
        FirstFault({leader.status(), committed.status(), of_requests.status(), requests_committed.status()});
    if (!fault.ok()) {
      Failed(partition, fault);
      continue;
    }
    wanted_[partition].with_requests = facts.requests.has_value();
    wanted_[partition].cluster = facts.cluster;
    wanted_[partition].requests_committed = requests_committed->has_value();
    by_leader[{Log::kStream, *leader}].emplace(partition, *committed);
    if (facts.requests) by_leader[{Log::kRequests, *of_requests}].emplace(partition, *committed);
  }
  for (auto& [place, committed] : by_leader) AskLeader(place.first, std::move(committed), facts.layout.partitions());
}

void PartitionOpener::AskLeader(Log log, std::map<int32_t, std::optional<int64_t>> committed, int32_t partition_count) {
  LeaderQuestion& question = leaders_.emplace_back();
  question.number = ++questions_;
  question.log = log;
  question.partition_count = partition_count;
  std::vector<int32_t> partitions;
  for (const auto& [partition, offset] : committed) {
    partitions.push_back(partition);
    wanted_[partition].questions[log] = question.number;
  }
  question.committed = std::move(committed);
  question.inquiry.Ask(clock_->MonotonicNow(), client_,
                       [topic = topics_.of(log), partitions, timeout = longest_](rd_kafka_t* client) {
                         return QueryLogRanges(client, topic, partitions, timeout);
                       });
}

void PartitionOpener::TakeLogRanges(std::vector<Found>* found) {
  for (auto question = leaders_.begin(); question != leaders_.end();) {
    const std::optional<LogRanges> answer = question->inquiry.Take();
    if (!answer) {
      ++question;
      continue;
    }
    TakeAnswer(*question, *answer, found);
    question = leaders_.erase(question);
  }
}

/// The first answer of several queries about a log counts, and the last failure.
void PartitionOpener::TakeAnswer(const LeaderQuestion& question, const LogRanges& answer, std::vector<Found>* found) {
  for (const auto& [partition, committed] : question.committed) {
    const Result<LogRange>& log = answer.at(partition);
    Wanted& wanted = wanted_[partition];
    if (!log.ok()) {
      if (wanted.questions[question.log] == question.number) Failed(partition, log.status());
      continue;
    }
    if (question.log == Log::kRequests && !wanted.requests)
      wanted.requests = {log->start, log->end, wanted.requests_committed};
    if (question.log == Log::kStream && !wanted.found) {
      wanted.found = Found{partition, question.partition_count, {nullptr, committed, log->start, log->end}};
      wanted.found->opening.cluster = wanted.cluster;
    }
    if (!IsFound(partition, found)) continue;
    for (LeaderQuestion& other : leaders_) {
      if (&other != &question) other.committed.erase(partition);
    }
  }
}

/// Whether both logs are known; the partition is no longer wanted then.
bool PartitionOpener::IsFound(int32_t partition, std::vector<Found>* found) {
  Wanted& wanted = wanted_[partition];
  if (!wanted.found || (wanted.with_requests && !wanted.requests)) return false;
  if (wanted.with_requests) wanted.found->opening.requests = wanted.requests;
  found->push_back(std::move(*wanted.found));
  wanted_.erase(partition);
  std::erase(asked_, partition);
  return true;
}

void PartitionOpener::Failed(int32_t partition, const Status& status) {
  if (EndsAll(status) && refusal_.ok()) refusal_ = status;
  Wanted& wanted = wanted_[partition];
  wanted.asked_at.reset();
  wanted.wait = milliseconds(0);
  wanted.found.reset();
  wanted.requests.reset();
  wanted.failure = status;
  wanted.pause = std::clamp(2 * wanted.pause, kFirstPause, kLongestPause);
  wanted.not_before = clock_->MonotonicNow() + wanted.pause;
}

/// Empty: nothing is wrong yet.
std::string PartitionOpener::Reason(const Wanted& wanted) const {
  if (!wanted.failure.ok()) return wanted.failure.message();
  const milliseconds waited = wanted.asked_at ? clock_->MonotonicNow() - *wanted.asked_at : milliseconds(0);
  if (waited < kSoon) return "";
  return "its broker has not answered for " + std::to_string(waited.count() / 1000) + " s, and fensi asks again";
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
    text += "partition " + list + " of topic " + topics_.stream + " is not open: " + reason;
  }
  return text;
}

}  // namespace fensi::consumer
