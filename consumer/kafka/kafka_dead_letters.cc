#include "consumer/kafka/kafka_dead_letters.h"

#include "proto/dead_letter.pb.h"

namespace fensi::consumer {

std::string EncodeDeadLetter(const DeadLetter& letter, int64_t time) {
  proto::DeadLetter message;
  message.set_index(letter.index);
  message.set_reason(letter.reason);
  message.set_topic(letter.topic);
  message.set_partition(letter.partition);
  message.set_offset(letter.offset);
  message.set_row(letter.row);
  message.set_original(letter.original);
  message.set_original_key(letter.original_key);
  message.set_time(time);
  return message.SerializeAsString();
}

Status KafkaDeadLetters::Send(const DeadLetter& letter) {
  return producer_->Send(topic_, letter.original_key, EncodeDeadLetter(letter, clock_->WallMillis()))
      .WithContext("dead letter of index " + letter.index);
}

}  // namespace fensi::consumer
