// Reassembles the parts of a mutation that was too large for one message. No Kafka in it.
//
// For one partition and one assignment; not thread-safe. Several writers may send one mutation, each in parts of its
// own, and any of them may die. The parts of an attempt are joined by its id. The first complete attempt (or the
// mutation in one message) closes all others that have begun: their later parts are repetitions. If its parts say that
// they hold the whole row, attempts that have not begun yet are repetitions, too. If not, another attempt may be
// another mutation: older captures made several of a row that is in one entry of HBase's log, all with the same names
// and sequence id. Incomplete attempts are held in memory, and their first offset must not be committed away
// (first_held_offset). An attempt that stays incomplete is abandoned after an hour by the times of the messages, or if
// more than kMaxBytes are held: it comes out as AbandonedMessage. No call walks over all attempts.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/cell.h"
#include "base/status.h"
#include "consumer/codec/event_codec.h"

namespace fensi::consumer {

class MessageReassembler {
 public:
  /// A writer that has died is replaced within seconds, and its unfinished mutation comes again.
  static constexpr std::chrono::milliseconds kTimeout = std::chrono::hours(1);
  /// Bound of all attempts together; a single mutation may be larger.
  static constexpr size_t kMaxBytes = size_t{64} << 20;

  /// An attempt that stayed incomplete, of a mutation that no other attempt completed.
  struct AbandonedMessage {
    int64_t first_offset = 0;
    std::string reason;  // names the row and the missing part
    /// The row with the columns that are known. The cells are deletes of unknown kind, so that indexes with a readable
    /// source read the row.
    ChangeEvent event;
  };

  /// Takes events in offset order. `message_time`: milliseconds since the epoch; 0: unknown. True: `event` is a
  /// complete mutation now. False: it is held, or repeats a complete mutation. kInvalidArgument: a part that
  /// contradicts its attempt.
  Result<bool> Take(int64_t offset, int64_t message_time, const EventPart& part, ChangeEvent* event);
  /// Attempts that were abandoned since the last call.
  std::vector<AbandonedMessage> TakeAbandoned();

  /// The lowest offset of a part that is held; absent: none is.
  std::optional<int64_t> first_held_offset() const;
  /// Attempts that are held, and the memory that they take.
  size_t held() const { return attempts_.size(); }
  size_t bytes() const { return bytes_; }

 private:
  /// Digest of table, row, region and sequence id, which may be long.
  using Mutation = std::array<uint64_t, 2>;
  struct Key {
    Mutation mutation{};
    uint64_t attempt = 0;
    uint32_t count = 0;  // 0: every attempt
    auto operator<=>(const Key&) const = default;
  };
  struct Attempt {
    int64_t first_offset = 0;
    int64_t first_time = 0;
    size_t bytes = 0;
    ChangeEvent head;  // without cells
    std::map<uint32_t, std::vector<Cell>> parts;
  };

  using Attempts = std::map<Key, Attempt>;

  static Mutation MutationOf(const ChangeEvent& event);
  bool Add(const Key& key, int64_t offset, int64_t message_time, const EventPart& part, ChangeEvent* event);
  /// Closes all attempts of a complete mutation that have begun; `for_good`: those that have not, too.
  void Close(const Mutation& mutation, bool for_good);
  void Remember(Key closed);
  void GiveUpOld(int64_t message_time);
  void GiveUpForRoom(const Key& current);
  void GiveUp(Attempts::iterator attempt, const std::string& why);
  Attempts::iterator Forget(Attempts::iterator attempt);

  Attempts attempts_;
  std::map<int64_t, Attempts::iterator> by_offset_;  // of the first part
  size_t bytes_ = 0;
  std::vector<AbandonedMessage> given_up_;
  // Attempts of recently completed mutations, to recognise their remaining parts.
  std::set<Key> closed_;
  std::deque<Key> closed_order_;
};

}  // namespace fensi::consumer
