#include "consumer/kafka/kafka_dead_letters.h"

#include <algorithm>
#include <limits>

#include "base/cut.h"
#include "consumer/kafka/client/topic_facts.h"
#include "proto/dead_letter.pb.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLook{50};
constexpr milliseconds kLongestAnswer{60'000};
constexpr milliseconds kBelieveNoTopic{3000};
// A longer key does not stand in front of the letter, which has it in itself; nor does one, or a row in each part, that
// takes more than this part of a message.
constexpr size_t kMaxKeyBytes = 32'768;
constexpr size_t kMostShare = 8;
constexpr size_t kShortKeyBytes = 64;
// Overhead of a message in its batch, and lengths of the dead letter's own fields.
constexpr size_t kFrameBytes = 1024;

proto::DeadLetter Coordinates(const DeadLetter& letter, int64_t time) {
  proto::DeadLetter message;
  message.set_index(letter.index);
  message.set_reason(letter.reason);
  message.set_topic(letter.topic);
  message.set_partition(letter.partition);
  message.set_offset(letter.offset);
  message.set_row(letter.row);
  message.set_time(time);
  message.set_kind(letter.kind);
  message.set_replays(letter.replays);
  return message;
}

/// Up to `room` bytes from the front of `rest`.
std::string TakePiece(size_t* room, std::string_view* rest) {
  const std::string piece(rest->substr(0, *room));
  rest->remove_prefix(piece.size());
  *room -= piece.size();
  return piece;
}

/// The topic's message limit: its own, or the default limit of clients.
Result<int64_t> TopicBytes(TopicAdmin* admin, const std::string& topic) {
  constexpr int64_t kUnknown = std::numeric_limits<int64_t>::max();
  const Result<TopicDescription> found = admin->Describe(topic);
  if (found.ok()) return found->max_message_bytes.value_or(kUnknown);
  if (found.status().code() != StatusCode::kPermission) return found.status();
  FENSI_RETURN_IF_ERROR(admin->Partitions(topic).status());
  return kUnknown;
}

}  // namespace

std::string LetterKey(std::string_view key, size_t max_bytes) {
  const bool fits = key.size() <= std::min(kMaxKeyBytes, max_bytes / kMostShare);
  return std::string(fits ? key : key.substr(0, kShortKeyBytes));
}

std::vector<std::string> EncodeDeadLetterParts(const DeadLetter& letter, int64_t time, size_t max_bytes,
                                               std::string_view key) {
  proto::DeadLetter message = Coordinates(letter, time);
  message.set_reason(CutText(letter.reason, std::max(kLeastCut, max_bytes / kMostShare)));
  const auto room = [&] {
    const size_t taken = message.ByteSizeLong() + key.size() + kFrameBytes;
    const bool fits = max_bytes >= kLeastLetterBytes || max_bytes > 2 * taken;
    return fits ? max_bytes - taken : max_bytes / 2;  // else the broker's to refuse
  };
  const size_t bytes = letter.original_key.size() + letter.original.size();
  size_t here = room();
  if (bytes <= here) {
    message.set_original(letter.original);
    message.set_original_key(letter.original_key);
    return {message.SerializeAsString()};
  }
  const bool row_in_all = letter.row.size() <= max_bytes / kMostShare;
  if (!row_in_all) message.clear_row();
  const size_t later = room();
  message.set_row(letter.row);
  message.set_parts(static_cast<uint32_t>(1 + (bytes - here + later - 1) / later));
  std::string_view rest_of_key = letter.original_key, rest = letter.original;
  std::vector<std::string> parts;
  for (uint32_t part = 1; part <= message.parts(); ++part, here = later) {
    message.set_part(part);
    message.set_original_key(TakePiece(&here, &rest_of_key));
    message.set_original(TakePiece(&here, &rest));
    parts.push_back(message.SerializeAsString());
    if (!row_in_all) message.clear_row();
  }
  return parts;
}

/// One message in flight. The producer reports its delivery on a thread of its own.
class KafkaDeadLetters::Message final : public DeliveryListener {
 public:
  Message(int64_t message_number, std::string_view message_key, std::string message_value, Condition* delivered)
      : number(message_number), key(message_key), value(std::move(message_value)), delivered_(delivered) {}

  void Delivered(const Status& status) override {
    Condition* const delivered = delivered_;
    {
      const MutexLock lock(mu_);
      outcome_ = status;
    }
    delivered->notify_all();  // the message may be destroyed by now
  }
  std::optional<Status> outcome() const {
    const MutexLock lock(mu_);
    return outcome_;
  }
  /// To be sent once more; its earlier result does not count.
  void Again() {
    const MutexLock lock(mu_);
    outcome_.reset();
    on_its_way = false;
  }

  const int64_t number;
  const std::string key;
  const std::string value;
  bool on_its_way = false;  // the producer has it, and will report its delivery

 private:
  Condition* const delivered_;
  mutable Mutex mu_;
  std::optional<Status> outcome_ ABSL_GUARDED_BY(mu_);
};

Result<std::unique_ptr<KafkaDeadLetters>> KafkaDeadLetters::Create(const KafkaDeadLettersOptions& options,
                                                                   Clock* clock) {
  std::unique_ptr<KafkaDeadLetters> letters(new KafkaDeadLetters(options, clock));
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<TrackedProducer> producer,
                         TrackedProducer::Create(letters->ProducerOptions()));
  {
    const MutexLock lock(letters->mu_);
    letters->producer_ = std::move(producer);
  }
  return letters;
}

KafkaDeadLetters::KafkaDeadLetters(const KafkaDeadLettersOptions& options, Clock* clock)
    : options_(options), clock_(clock) {}

KafkaDeadLetters::~KafkaDeadLetters() = default;

/// A topic's limit counts for the messages that travel together. A larger message than these travels alone.
TrackedProducerOptions KafkaDeadLetters::ProducerOptions() {
  TrackedProducerOptions producer{.producer = options_.producer, .max_message_bytes = options_.max_message_bytes};
  producer.producer.cluster.properties.try_emplace("batch.size", std::to_string(kLeastLetterBytes - kFrameBytes));
  producer.lost_log = [this](const LostLog& lost) {
    const MutexLock lock(lost_mu_);
    if (!lost_) lost_ = lost;
  };
  return producer;
}

Status KafkaDeadLetters::FaultOfTopic() const {
  const MutexLock lock(lost_mu_);
  if (!lost_) return {};
  return Status(StatusCode::kGap, LostLogText(*lost_) +
                                      ". The index may lack entries of rows that its dead letters named. Start 'fensi "
                                      "run' again, then enter: fensi verify MAPPING INDEX … --report FILE, and fensi "
                                      "repair MAPPING INDEX … --from_report FILE --execute");
}

Status KafkaDeadLetters::Send(const DeadLetter& letter) {
  const MutexLock lock(mu_);
  letters_.push_back({++sent_, clock_->WallMillis(), letter});
  if (message_bytes_) MakeMessages();
  return {};
}

void KafkaDeadLetters::MakeMessages() {
  for (; !letters_.empty(); letters_.pop_front()) {
    const auto& [number, time, letter] = letters_.front();
    const std::string key = LetterKey(letter.original_key, *message_bytes_);
    for (std::string& part : EncodeDeadLetterParts(letter, time, *message_bytes_, key)) {
      messages_.emplace_back(number, key, std::move(part), &delivered_);
    }
  }
}

/// Is one of the letters up to that one not durable?
bool KafkaDeadLetters::Open(int64_t last) const {
  const bool waits = !letters_.empty() && letters_.front().number <= last;
  return waits || (!messages_.empty() && messages_.front().number <= last);
}

Status KafkaDeadLetters::Flush() {
  const Deadline deadline(options_.flush_timeout);
  MutexLock lock(mu_);
  const int64_t last = sent_;
  for (;;) {
    if (!Open(last)) return FaultOfTopic();
    const Status failure = Turn();
    if (!failure.ok() && failure.code() != StatusCode::kUnavailable) return failure;
    if (deadline.over() && Open(last)) {
      const std::string why = failure.ok() ? "no answer yet" : failure.message();
      return Status(StatusCode::kUnavailable, "fensi cannot write dead letters to topic " + options_.topic + " at " +
                                                  options_.producer.cluster.brokers + ", and tries again: " + why);
    }
    delivered_.wait_for(lock, kLook);
  }
}

Status KafkaDeadLetters::Turn() {
  FENSI_RETURN_IF_ERROR(FindTopic());
  MakeMessages();
  FENSI_RETURN_IF_ERROR(ReplaceBroken());
  const Status handed_over = HandOver();
  if (!handed_over.ok() && handed_over.code() != StatusCode::kCancelled) return handed_over;
  return Sweep();
}

/// The topic must be there before the first message, because the producer's own question for it may create it. The
/// question outlives a Flush: Kafka may need longer for its answer. A broker that has just started knows no topic.
Status KafkaDeadLetters::FindTopic() {
  if (message_bytes_) return {};
  if (admin_ == nullptr) {
    FENSI_ASSIGN_OR_RETURN(std::unique_ptr<TopicAdmin> admin,
                           TopicAdmin::Create(options_.producer.cluster, kLongestAnswer));
    admin_ = std::move(admin);
  }
  const std::optional<Result<int64_t>> answer = topic_question_.Take();
  if (answer && answer->ok()) return TakeTopic(**answer);
  if (answer && answer->status().code() == StatusCode::kNotFound) {
    if (!missing_since_) missing_since_ = clock_->MonotonicNow();
    const bool believed = clock_->MonotonicNow() - *missing_since_ >= kBelieveNoTopic;
    return believed ? answer->status() : Status(StatusCode::kUnavailable, answer->status().message());
  }
  if (answer) return answer->status();
  const milliseconds now = SystemClock()->MonotonicNow();
  if (!topic_question_.waiting() || topic_question_.overdue(now)) {
    topic_question_.Ask(
        now, nullptr, [admin = admin_, topic = options_.topic](rd_kafka_t*) { return TopicBytes(admin.get(), topic); });
  }
  return Status(StatusCode::kUnavailable,
                "the broker has not reported yet whether topic " + options_.topic + " exists, and fensi asks again");
}

Status KafkaDeadLetters::TakeTopic(int64_t topic_bytes) {
  if (topic_bytes < static_cast<int64_t>(kLeastLetterBytes)) {
    return MessagesTooSmall(options_.topic, topic_bytes, "dead letter", static_cast<int64_t>(kLeastLetterBytes));
  }
  message_bytes_ = std::min(options_.max_message_bytes, static_cast<size_t>(topic_bytes));
  admin_.reset();
  return {};
}

/// A client that has broken its promises is replaced.
Status KafkaDeadLetters::ReplaceBroken() {
  if (!producer_->broken()) return {};
  TrackedProducerOptions options = ProducerOptions();
  options.delivered = producer_->delivered();
  producer_.reset();  // reports every message; none of the reports counts
  FENSI_ASSIGN_OR_RETURN(producer_, TrackedProducer::Create(options));
  for (Message& message : messages_) message.Again();
  return {};
}

/// kCancelled: the producer's queue is full for now.
Status KafkaDeadLetters::HandOver() {
  const TrackedProducer::Topic topic = producer_->OpenTopic(options_.topic);
  for (Message& message : messages_) {
    if (message.on_its_way) continue;
    message.on_its_way = true;
    const Status sent = producer_->Send(topic, message.key, message.value, &message, [] { return false; });
    if (sent.ok()) continue;
    message.on_its_way = false;
    return producer_->broken() ? Status() : sent;
  }
  return {};
}

/// Removes acknowledged messages and takes back failed ones; returns the first failure.
Status KafkaDeadLetters::Sweep() {
  Status first;
  for (auto message = messages_.begin(); message != messages_.end();) {
    const std::optional<Status> outcome = message->outcome();
    if (outcome && outcome->ok()) {
      message = messages_.erase(message);
      continue;
    }
    if (outcome && !producer_->broken()) {
      if (first.ok()) first = *outcome;
      message->Again();
    }
    ++message;
  }
  return first;
}

}  // namespace fensi::consumer
