#include "consumer/kafka/group/topic_watch.h"

#include <system_error>
#include <utility>

#include "base/text.h"
#include "consumer/kafka/client/handles.h"
#include "consumer/kafka/client/topic_facts.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBelieveMissing{3000};
// At the start a person waits for the word; later others of the brokers may still answer.
constexpr milliseconds kBelieveRefused{3000};
constexpr milliseconds kRefusedToTheEnd{30'000};

TopicWatch::Answer CheckTopic(rd_kafka_t* client, const std::string& topic, milliseconds timeout) {
  const Deadline deadline(timeout);
  const Result<TopicLayout> layout = DescribeLayout(client, topic, deadline.left());
  if (!layout.ok()) return {layout.status()};
  Result<TopicSettings> settings = SettingsOfStream(client, topic, layout->teller, deadline.left());
  if (settings.status().code() == StatusCode::kPermission) return {Status(), settings.status()};
  if (!settings.ok()) return {settings.status()};
  return {Status(), Status(), (*settings)["retention.ms"]};
}

/// The broker is away, or gives an answer that makes no sense for a topic: neither says anything about the topic.
bool MayPass(const Status& status) {
  return status.code() == StatusCode::kUnavailable || status.code() == StatusCode::kFenced ||
         status.code() == StatusCode::kInternal;
}

}  // namespace

TopicWatch::TopicWatch(std::string topic, Clock* clock, Outage* outage, Question question)
    : topic_(std::move(topic)),
      clock_(clock),
      outage_(outage),
      ask_(question ? std::move(question) : Question(CheckTopic)),
      refusal_(clock) {}

void TopicWatch::Start(std::shared_ptr<rd_kafka_t> client, milliseconds timeout) {
  client_ = std::move(client);
  timeout_ = timeout;
  started_ = clock_->MonotonicNow();
}

void TopicWatch::Ask() {
  const milliseconds now = clock_->MonotonicNow();
  if (question_.waiting() && !question_.overdue(now)) return;
  question_.Ask(now, client_, [ask = ask_, topic = topic_, timeout = timeout_](rd_kafka_t* client) {
    return ask(client, topic, timeout);
  });
}

std::optional<Status> TopicWatch::TakeVerdict() {
  const std::optional<Answer> answer = TakeAnswer();
  // Nobody reads a topic that may be compacted.
  const std::optional<Status> status =
      answer ? std::optional(answer->status.ok() ? answer->settings : answer->status) : std::nullopt;
  if (status && Unsure(*status)) return std::nullopt;
  if (status && (status->ok() || !MayPass(*status))) return status;
  if (const Status refused = refusal_.DurationRefused(kBelieveRefused); !refused.ok()) return refused;
  if (status) ShowUnanswered(*status);
  if (!status && clock_->MonotonicNow() - started_ > TopicLook::kPause) outage_->Away("");
  return std::nullopt;
}

std::optional<TopicWatch::Answer> TopicWatch::TakeAnswer() {
  std::optional<Answer> answer = question_.Take();
  if (answer && answer->status.ok() && answer->settings.ok()) NoteRetention(answer->retention_ms);
  return answer;
}

/// A setting that a broker does not report is unknown, and "-1" is no bound.
void TopicWatch::NoteRetention(const std::string& text) {
  const auto millis = ParseWhole<int64_t>(text);
  retention_ms_ = millis && *millis >= 0 ? *millis : kNoRetention;
}

std::optional<int64_t> TopicWatch::retention_ms() const {
  const int64_t millis = retention_ms_;
  return millis == kNoRetention ? std::nullopt : std::optional(millis);
}

/// An answer that says nothing about the topic; without a connection it is the client's own.
void TopicWatch::ShowUnanswered(const Status& status) {
  const bool away = status.code() == StatusCode::kUnavailable && !outage_->connected();
  away ? outage_->Away("") : outage_->Other(status.message());
}

/// A broker that has just started knows no topic yet.
bool TopicWatch::Unsure(const Status& status) {
  if (status.code() != StatusCode::kNotFound) return false;
  if (!missing_since_) missing_since_ = clock_->MonotonicNow();
  outage_->Other(status.message());
  return clock_->MonotonicNow() - *missing_since_ < kBelieveMissing;
}

Status TopicWatch::Look() {
  Status end;
  if (const std::optional<Answer> answer = TakeAnswer()) {
    const Status& status = answer->status;
    look_.Answered(status.ok() ? answer->settings : status);
    if (status.ok()) Recovered();
    if (status.ok()) ShowSettings(answer->settings);
    // Changes may be missing behind a hole: without a word that none are, nobody reads on.
    if (status.ok() && look_.unanswered()) end = answer->settings;
    if (status.code() == StatusCode::kConfiguration || status.code() == StatusCode::kPermission) end = status;
  }
  if (end.ok()) end = refusal_.DurationRefused(kRefusedToTheEnd);
  if (look_.Due(clock_->MonotonicNow(), outage_->any())) Ask();
  return end;
}

/// They were right at the start: that a broker does not tell them any more is no reason to end what it still lets read.
void TopicWatch::ShowSettings(const Status& settings) {
  outage_->Untold(settings.ok() ? ""
                                : "cannot read the settings of topic " + topic_ +
                                      " any more, so that compaction and retention are unknown (" + settings.message() +
                                      "). Grant this user DescribeConfigs on the topic");
}

void TopicWatch::Recovered() {
  outage_->Over();
  refusal_.Over();
}

}  // namespace fensi::consumer
