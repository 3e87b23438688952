#include "consumer/kafka/kafka_dead_letters.h"

#include "proto/dead_letter.pb.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLook{50};
constexpr milliseconds kLongestAnswer{60'000};
constexpr milliseconds kBelieveNoTopic{3000};
// A longer key chooses no partition: it is in the letter.
constexpr size_t kMaxKeyBytes = 32'768;
// What surrounds a message in its batch, and the lengths of the letter's own fields.
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

std::string_view MessageKey(const DeadLetter& letter) {
  return letter.original_key.size() <= kMaxKeyBytes ? std::string_view(letter.original_key) : std::string_view();
}

}  // namespace

std::string EncodeDeadLetter(const DeadLetter& letter, int64_t time) {
  proto::DeadLetter message = Coordinates(letter, time);
  message.set_original(letter.original);
  message.set_original_key(letter.original_key);
  return message.SerializeAsString();
}

std::vector<std::string> EncodeDeadLetterParts(const DeadLetter& letter, int64_t time, size_t max_bytes) {
  proto::DeadLetter message = Coordinates(letter, time);
  const size_t taken = message.ByteSizeLong() + MessageKey(letter).size() + kFrameBytes;
  // Coordinates that leave no room are the broker's to refuse.
  const size_t room_of_part = max_bytes > 2 * taken ? max_bytes - taken : max_bytes / 2;
  const size_t bytes = letter.original_key.size() + letter.original.size();
  if (bytes <= room_of_part) return {EncodeDeadLetter(letter, time)};
  message.set_parts(static_cast<uint32_t>((bytes + room_of_part - 1) / room_of_part));
  std::string_view key = letter.original_key;
  std::string_view original = letter.original;
  std::vector<std::string> parts;
  for (uint32_t part = 1; part <= message.parts(); ++part) {
    size_t room = room_of_part;
    message.set_part(part);
    message.set_original_key(TakePiece(&room, &key));
    message.set_original(TakePiece(&room, &original));
    parts.push_back(message.SerializeAsString());
  }
  return parts;
}

/// One message on its way. The producer tells of its delivery on a thread of its own.
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
    delivered->notify_all();  // the message may be swept away by now
  }
  std::optional<Status> outcome() const {
    const MutexLock lock(mu_);
    return outcome_;
  }
  /// To be sent once more; what became of it before does not count.
  void Again() {
    const MutexLock lock(mu_);
    outcome_.reset();
    on_its_way = false;
  }

  const int64_t number;
  const std::string key;
  const std::string value;
  bool on_its_way = false;  // the producer has it, and tells what becomes of it

 private:
  Condition* const delivered_;
  mutable Mutex mu_;
  std::optional<Status> outcome_ ABSL_GUARDED_BY(mu_);
};

Result<std::unique_ptr<KafkaDeadLetters>> KafkaDeadLetters::Create(const KafkaDeadLettersOptions& options,
                                                                   Clock* clock) {
  std::unique_ptr<KafkaDeadLetters> letters(new KafkaDeadLetters(options, clock));
  Result<std::unique_ptr<TrackedProducer>> producer =
      TrackedProducer::Create({.producer = options.producer, .max_message_bytes = options.max_message_bytes});
  if (!producer.ok()) return producer.status();
  {
    const MutexLock lock(letters->mu_);
    letters->producer_ = std::move(*producer);
  }
  return letters;
}

KafkaDeadLetters::KafkaDeadLetters(const KafkaDeadLettersOptions& options, Clock* clock)
    : options_(options), clock_(clock) {}

KafkaDeadLetters::~KafkaDeadLetters() = default;

Status KafkaDeadLetters::Send(const DeadLetter& letter) {
  const MutexLock lock(mu_);
  for (std::string& part : EncodeDeadLetterParts(letter, clock_->WallMillis(), options_.max_message_bytes)) {
    messages_.emplace_back(++sent_, MessageKey(letter), std::move(part), &delivered_);
  }
  return {};
}

Status KafkaDeadLetters::Flush() {
  const Deadline deadline(options_.flush_timeout);
  MutexLock lock(mu_);
  const int64_t last = sent_;
  for (;;) {
    if (messages_.empty() || messages_.front().number > last) return {};
    const Status failure = Turn();
    if (!failure.ok() && failure.code() != StatusCode::kUnavailable) return failure;
    if (deadline.over() && !messages_.empty()) {
      const std::string why = failure.ok() ? "no answer yet" : failure.message();
      return Status(StatusCode::kUnavailable, "dead letters wait for topic " + options_.topic + " at " +
                                                  options_.producer.cluster.brokers + ": " + why);
    }
    delivered_.wait_for(lock, kLook);
  }
}

Status KafkaDeadLetters::Turn() {
  FENSI_RETURN_IF_ERROR(FindTopic());
  FENSI_RETURN_IF_ERROR(ReplaceBroken());
  const Status handed_over = HandOver();
  if (!handed_over.ok() && handed_over.code() != StatusCode::kCancelled) return handed_over;
  return Sweep();
}

/// The topic must be there before the first message, because the producer's own question for it may create it. The
/// question outlives a Flush: Kafka may need longer for its answer. A broker that has just started knows no topic.
Status KafkaDeadLetters::FindTopic() {
  if (topic_known_) return {};
  if (admin_ == nullptr) {
    Result<std::unique_ptr<TopicAdmin>> admin = TopicAdmin::Create(options_.producer.cluster, kLongestAnswer);
    if (!admin.ok()) return admin.status();
    admin_ = std::move(*admin);
  }
  const std::optional<Status> answer = topic_question_.Take();
  topic_known_ = answer && answer->ok();
  if (topic_known_) admin_.reset();
  if (answer && answer->code() == StatusCode::kNotFound) {
    if (!missing_since_) missing_since_ = clock_->SinceBoot();
    const bool believed = clock_->SinceBoot() - *missing_since_ >= kBelieveNoTopic;
    return believed ? *answer : Status(StatusCode::kUnavailable, answer->message());
  }
  if (answer) return *answer;
  const milliseconds now = SystemClock()->SinceBoot();
  if (!topic_question_.waiting() || topic_question_.overdue(now)) {
    topic_question_.Ask(now, nullptr, [admin = admin_, topic = options_.topic](rd_kafka_t*) {
      return admin->Partitions(topic).status();
    });
  }
  return Status(StatusCode::kUnavailable, "it has not said yet whether the topic exists");
}

/// A client that has broken its promises is replaced.
Status KafkaDeadLetters::ReplaceBroken() {
  if (!producer_->broken()) return {};
  producer_.reset();  // tells what became of every message; none of it counts
  Result<std::unique_ptr<TrackedProducer>> producer =
      TrackedProducer::Create({.producer = options_.producer, .max_message_bytes = options_.max_message_bytes});
  if (!producer.ok()) return producer.status();
  producer_ = std::move(*producer);
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

/// Forgets what is acknowledged and takes back what failed; the first failure.
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
