// Consecutive messages of one partition, copied into one buffer: a batch before it is decoded.
//
// Copies, so that the bytes held are the bytes counted (a message of librdkafka holds its whole fetch response) and
// may outlive the client.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fensi::consumer {

/// Its views are the owner's of the bytes.
struct FetchedMessage {
  int64_t offset = 0;
  int64_t broker_time = 0;
  std::string_view key;
  std::string_view value;
  uint32_t replays = 0;  // see consumer/kafka/replays.h
};

class MessageChunk {
 public:
  void Append(const FetchedMessage& message) {
    slots_.push_back({message.offset, message.broker_time, bytes_.size(), message.key.size(), message.value.size(),
                      message.replays});
    bytes_.append(message.key).append(message.value);
  }

  /// The messages of another one, which are those behind.
  void Append(const MessageChunk& next) {
    slots_.reserve(slots_.size() + next.slots_.size());
    for (Slot slot : next.slots_) {
      slot.begin += bytes_.size();
      slots_.push_back(slot);
    }
    bytes_.append(next.bytes_);
  }

  size_t size() const { return slots_.size(); }
  /// The views hold until the next Append.
  FetchedMessage at(size_t i) const {
    const Slot& slot = slots_[i];
    const std::string_view all = bytes_;
    return {slot.offset, slot.broker_time, all.substr(slot.begin, slot.key_size),
            all.substr(slot.begin + slot.key_size, slot.value_size), slot.replays};
  }
  int64_t next_offset() const { return slots_.back().offset + 1; }

  /// What a message counts against the bounds of memory.
  static size_t Cost(const FetchedMessage& message) { return sizeof(Slot) + message.key.size() + message.value.size(); }
  size_t cost() const { return slots_.size() * sizeof(Slot) + bytes_.size(); }

 private:
  struct Slot {
    int64_t offset;
    int64_t broker_time;
    size_t begin;
    size_t key_size;
    size_t value_size;
    uint32_t replays;
  };
  std::string bytes_;
  std::vector<Slot> slots_;
};

}  // namespace fensi::consumer
