// A queue of fetched messages of one log of a partition, which wait for a worker. No Kafka in it. Not thread-safe.
//
// States: idle -> seeking (the client must be told where to read) -> reading, and seeking again whenever the client may
// have skipped something.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fensi::consumer {

// Consecutive messages of one partition, copied into one buffer: a batch before it is decoded.
//
// Copies, so that the bytes held are the bytes counted (a message of librdkafka holds its whole fetch response) and may
// outlive the client.

/// The owner of the bytes owns its views.
struct FetchedMessage {
  int64_t offset = 0;
  int64_t message_time = 0;
  std::string_view key;
  std::string_view value;
  uint32_t replays = 0;  // see consumer/kafka/client/replays.h
};

class MessageChunk {
 public:
  void Append(const FetchedMessage& message) {
    slots_.push_back({message.offset, message.message_time, bytes_.size(), message.key.size(), message.value.size(),
                      message.replays});
    bytes_.append(message.key).append(message.value);
  }

  /// Appends the messages of the next chunk.
  void Append(const MessageChunk& next) {
    slots_.reserve(slots_.size() + next.slots_.size());
    for (Slot slot : next.slots_) {
      slot.begin += bytes_.size();
      slots_.push_back(slot);
    }
    bytes_.append(next.bytes_);
  }

  size_t size() const { return slots_.size(); }
  /// The views are valid until the next Append.
  FetchedMessage at(size_t i) const {
    const Slot& slot = slots_[i];
    const std::string_view all = bytes_;
    return {slot.offset, slot.message_time, all.substr(slot.begin, slot.key_size),
            all.substr(slot.begin + slot.key_size, slot.value_size), slot.replays};
  }
  int64_t next_offset() const { return slots_.back().offset + 1; }

  /// The memory of a message for the bounds.
  static size_t Cost(const FetchedMessage& message) { return sizeof(Slot) + message.key.size() + message.value.size(); }
  size_t cost() const { return slots_.size() * sizeof(Slot) + bytes_.size(); }

 private:
  struct Slot {
    int64_t offset;
    int64_t message_time;
    size_t begin;
    size_t key_size;
    size_t value_size;
    uint32_t replays;
  };
  std::string bytes_;
  std::vector<Slot> slots_;
};

// A queue of fetched messages of one log of a partition.

class LogQueue {
 public:
  struct Limits {
    size_t chunk_records = 0;
    size_t chunk_bytes = 0;
    size_t bytes = 0;  // of the queue
  };
  /// The result of a message or of the end of the log.
  struct Offered {
    bool go_on = true;            // false: the queue is full, or must be read again from `expected`
    bool ready = false;           // a worker may take something new
    bool hole = false;            // it was after a hole of the log that was confirmed
    std::optional<int64_t> lost;  // an offset that was read once, and was missing in many reads after that
  };
  enum class Flow { kAsItIs, kPause, kResume };

  /// Starts at `offset`; the log ends at `log_end` for now. A chunk that begins before `border` ends there.
  void Begin(int64_t offset, int64_t log_end, int64_t border = 0);
  /// Idle again. Logs that the client was told to pause stay paused.
  void Reset();
  /// The client was told where to read.
  void Reading();
  Offered Offer(const FetchedMessage& message, const Limits& limits);
  /// Everything below `offset` was offered, or is no message.
  Offered ReadToEnd(int64_t offset);
  /// Changes since the last call. Pause and resume thresholds are far apart, because a pause discards what the client
  /// has fetched ahead.
  Flow TakeFlow(size_t limit);
  /// Sets why nothing arrives, for people, until something does.
  void SetTrouble(std::string trouble) { trouble_ = std::move(trouble); }

  /// Takes the next batch; it counts as held until Done. Call only if there is one. It has more than one chunk, within
  /// `most`, if more is queued.
  struct Most {
    size_t records = 0;
    size_t bytes = 0;
  };
  std::shared_ptr<MessageChunk> Take(const Most& most);
  std::shared_ptr<MessageChunk> Take() { return Take({}); }
  void Done();

  bool begun() const { return state_ != State::kIdle; }
  bool seeking() const { return state_ == State::kSeeking; }
  bool reading() const { return state_ == State::kReading; }
  bool queued() const { return !chunks_.empty(); }
  /// The next offset to queue.
  int64_t expected() const { return expected_; }
  /// Everything below was queued, or is no message.
  int64_t read_to() const { return std::max(expected_, read_to_); }
  /// Everything below was taken, or is no message.
  int64_t next() const { return chunks_.empty() ? read_to() : chunks_.front()->at(0).offset; }
  int64_t log_end() const { return log_end_; }
  /// The broker reported this end of the log.
  void NoteEnd(int64_t end) { log_end_ = std::max(log_end_, end); }
  /// Kafka's time of the next message to be taken; absent: nothing is queued.
  std::optional<int64_t> next_time() const {
    return chunks_.empty() ? std::nullopt : std::optional(chunks_.front()->at(0).message_time);
  }
  bool paused() const { return paused_; }
  size_t held() const { return held_; }
  const std::string& trouble() const { return trouble_; }

 private:
  enum class State { kIdle, kSeeking, kReading };
  /// A gap that arrived in place of an offset after a seek to it.
  struct Hole {
    int64_t from = -1;
    int64_t next = 0;     // lowest offset that arrived
    bool is_end = false;  // the log ended there
    int sightings = 0;
    int misses = 0;  // in a row
  };

  /// True if the hole before `next` is confirmed; otherwise it is read again.
  bool ConfirmHole(int64_t next, bool is_end, Offered* offered);
  bool Fits(const FetchedMessage& message, const Limits& limits) const;
  /// Number of chunks that make a batch.
  size_t ChunksWithin(const Most& most) const;

  State state_ = State::kIdle;
  std::deque<std::shared_ptr<MessageChunk>> chunks_;
  size_t held_ = 0;  // bytes queued and in flight
  bool paused_ = false;
  int64_t expected_ = 0;
  int64_t read_to_ = 0;  // end of the log by the broker, after all below was queued
  int64_t border_ = 0;
  int64_t log_end_ = 0;
  bool fresh_ = true;  // nothing was read yet since the seek: the client may have skipped messages
  Hole hole_;
  std::string trouble_;
};

}  // namespace fensi::consumer
