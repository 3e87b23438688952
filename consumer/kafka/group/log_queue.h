// What was fetched of one log of a partition and waits for a worker. No Kafka in it. Not thread-safe.
//
// Its life: idle -> seeking (the client is to be told where to read) -> reading, and seeking again whenever the client
// may have skipped something.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "consumer/kafka/group/message_chunk.h"

namespace fensi::consumer {

class LogQueue {
 public:
  struct Limits {
    size_t chunk_records = 0;
    size_t chunk_bytes = 0;
    size_t bytes = 0;  // of the queue
  };
  /// What came of a message or of the end of the log.
  struct Offered {
    bool go_on = true;            // false: the queue is full, or must be read again from `expected`
    bool ready = false;           // a worker may take something that it could not take before
    bool hole = false;            // it lay behind a hole of the log, which was believed
    std::optional<int64_t> lost;  // an offset that was read once, and in none of many looks after that
  };
  enum class Flow { kAsItIs, kPause, kResume };

  /// To be read from `offset` on; the log ends at `log_end` for now. A chunk that begins before `border` ends there.
  void Begin(int64_t offset, int64_t log_end, int64_t border = 0);
  /// Idle again. What the client was told to pause stays paused.
  void Reset();
  /// The client was told where to read.
  void Reading();
  Offered Offer(const FetchedMessage& message, const Limits& limits);
  /// Everything below `offset` was offered, or is no message.
  Offered ReadToEnd(int64_t offset);
  /// What changed since the last call. Pause and resume are far apart, because a pause throws away what the client has
  /// fetched ahead.
  Flow TakeFlow(size_t limit);
  /// Why nothing comes, for people, until something does.
  void SetTrouble(std::string trouble) { trouble_ = std::move(trouble); }

  /// The next batch; it counts as held until Done. Only when there is one. It is larger than a chunk, and within
  /// `most`, when more than that is queued.
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
  /// The broker said where it ends.
  void NoteEnd(int64_t end) { log_end_ = std::max(log_end_, end); }
  /// Kafka's time of the next message to be taken; absent: nothing is queued.
  std::optional<int64_t> next_time() const {
    return chunks_.empty() ? std::nullopt : std::optional(chunks_.front()->at(0).broker_time);
  }
  bool paused() const { return paused_; }
  size_t held() const { return held_; }
  const std::string& trouble() const { return trouble_; }

 private:
  enum class State { kIdle, kSeeking, kReading };
  /// What came in place of an offset after the client was told to read from there.
  struct Hole {
    int64_t from = -1;
    int64_t next = 0;     // the lowest that came
    bool is_end = false;  // it was the end of the log
    int sightings = 0;
    int misses = 0;  // in a row
  };

  /// Whether the hole before `next` is believed; otherwise it is read again.
  bool ConfirmHole(int64_t next, bool is_end, Offered* offered);
  bool Fits(const FetchedMessage& message, const Limits& limits) const;
  /// How many chunks make a batch.
  size_t ChunksWithin(const Most& most) const;

  State state_ = State::kIdle;
  std::deque<std::shared_ptr<MessageChunk>> chunks_;
  size_t held_ = 0;  // bytes queued and in hand
  bool paused_ = false;
  int64_t expected_ = 0;
  int64_t read_to_ = 0;  // where the broker said that the log ends, after all below was queued
  int64_t border_ = 0;
  int64_t log_end_ = 0;
  bool fresh_ = true;  // nothing was read yet since the client was told where: it may have skipped some
  Hole hole_;
  std::string trouble_;
};

}  // namespace fensi::consumer
