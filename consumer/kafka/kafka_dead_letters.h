// Dead letters as protobuf messages (proto::DeadLetter) in a topic, keyed as the original message was.
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "consumer/dead_letters.h"
#include "consumer/kafka/event_producer.h"

namespace fensi::consumer {

/// The bytes of a letter, for every sink that keeps protobuf.
std::string EncodeDeadLetter(const DeadLetter& letter, int64_t time);

/// Thread-safe; the producer may be shared. The topic must exist (kNotFound). After a failed Flush the letters of that
/// time may or may not be in the topic: send them again.
class KafkaDeadLetters final : public DeadLetterSink {
 public:
  KafkaDeadLetters(std::shared_ptr<EventProducer> producer, std::string topic, Clock* clock)
      : producer_(std::move(producer)), topic_(std::move(topic)), clock_(clock) {}

  Status Send(const DeadLetter& letter) override;
  Status Flush() override { return producer_->Flush(); }

 private:
  const std::shared_ptr<EventProducer> producer_;
  const std::string topic_;
  Clock* const clock_;
};

}  // namespace fensi::consumer
