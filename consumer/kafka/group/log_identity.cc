#include "consumer/kafka/group/log_identity.h"

#include <algorithm>
#include <utility>

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

// A poll thread that had no turn for so long stood still.
constexpr milliseconds kStoodStill{1000};

LogIdentity::Answer LogsWithoutCommit(rd_kafka_t* client, const Topics& topics, const std::string& group,
                                      const std::vector<LogId>& logs, milliseconds timeout) {
  FENSI_ASSIGN_OR_RETURN(const Commits commits, AskCommits(client, topics, group, logs, timeout));
  std::vector<LogId> without;
  for (const auto& [log, offset] : commits) {
    FENSI_RETURN_IF_ERROR(offset.status());
    if (!offset->has_value()) without.push_back(log);
  }
  return without;
}

/// An error that makes no sense for a query of commits says nothing about the logs: the next answer may.
Status Unanswered(const Status& error) {
  switch (error.code()) {
    case StatusCode::kPermission:
    case StatusCode::kConfiguration:
    case StatusCode::kFenced:
    case StatusCode::kCancelled:
      return error;
    default:
      return error.As(StatusCode::kUnavailable);
  }
}

}  // namespace

LogIdentity::LogIdentity(Topics topics, std::string group, Clock* clock, PartitionQueues* queues,
                         std::function<void(LogId)> gone, Question question)
    : topics_(std::move(topics)),
      group_(std::move(group)),
      clock_(clock),
      queues_(queues),
      gone_(std::move(gone)),
      ask_(question ? std::move(question)
                    : Question([topics = topics_, group = group_](rd_kafka_t* client, const std::vector<LogId>& logs,
                                                                  milliseconds timeout) {
                        return LogsWithoutCommit(client, topics, group, logs, timeout);
                      })) {}

void LogIdentity::Start(std::shared_ptr<rd_kafka_t> client, milliseconds timeout) {
  const MutexLock lock(mu_);
  client_ = std::move(client);
  timeout_ = timeout;
}

void LogIdentity::Stop() {
  std::shared_ptr<rd_kafka_t> client;  // may be the last one, whose end takes its time
  const MutexLock lock(mu_);
  client.swap(client_);
}

void LogIdentity::Ask() {
  const milliseconds now = clock_->MonotonicNow();
  if (question_.waiting() && !question_.overdue(now)) return;
  const MutexLock lock(mu_);
  question_.Ask(now, client_, [ask = ask_, logs = queues_->Witnessed(), timeout = timeout_](rd_kafka_t* client) {
    return logs.empty() ? Answer(std::vector<LogId>()) : ask(client, logs, timeout);
  });
}

std::optional<Status> LogIdentity::TakeAnswer() {
  const milliseconds now = clock_->MonotonicNow();
  const bool stood_still = now - std::exchange(last_turn_, now) > kStoodStill;
  if (stood_still) question_.Forget();
  const std::optional<Answer> answer = question_.Take();
  return answer ? std::optional(Judge(*answer)) : std::nullopt;
}

Status LogIdentity::Check(milliseconds timeout) { return CheckLogs(queues_->Witnessed(), timeout); }

Status LogIdentity::Confirm(milliseconds timeout) {
  const Deadline deadline(timeout);
  const std::optional<std::vector<LogId>> logs = queues_->AllWitnessed(deadline.left());
  if (logs) return CheckLogs(*logs, deadline.left());
  return Status(StatusCode::kUnavailable, "the first commit of group " + group_ + " in topic " + topics_.stream +
                                              " is not acknowledged yet, and fensi waits");
}

Status LogIdentity::CheckLogs(const std::vector<LogId>& logs, milliseconds timeout) {
  if (logs.empty()) return {};
  std::shared_ptr<rd_kafka_t> client;
  {
    const MutexLock lock(mu_);
    client = client_;
  }
  if (client == nullptr) return Status(StatusCode::kCancelled, "fensi has stopped reading topic " + topics_.stream);
  return Judge(ask_(client.get(), logs, timeout));
}

Status LogIdentity::Judge(const Answer& answer) const {
  if (!answer.ok()) return Unanswered(answer.status());
  for (const LogId& log : *answer) gone_(log);
  const bool stream =
      std::any_of(answer->begin(), answer->end(), [](const LogId& log) { return log.log == Log::kStream; });
  if (!stream) return {};
  return Status(StatusCode::kGap, "topic " + topics_.stream + " was deleted and created again");
}

}  // namespace fensi::consumer
