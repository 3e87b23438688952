// Puts the parts of a mutation that was too large for one message together again. No Kafka in it.
//
// For one partition and one assignment; not thread-safe. Several writers may send one mutation, each in parts of its
// own, and any of them may die: the parts of an attempt are put together by its id, and the first attempt that is whole
// (or the mutation in one message) closes all others that have begun: what comes of them later is a repetition. If its
// parts say that they hold the whole row, what has not begun yet is a repetition, too. If they do not, another attempt
// may be another mutation: older captures made several of a row that stands in an entry of HBase's log apart, and all
// of them have the same names and sequence id. What is not whole yet is held in memory, and its first offset must not
// be committed away (hold_from). What does not become whole is given up after an hour of the broker's time, or when
// more than kMaxBytes are held: it comes out as GivenUp.
#pragma once

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
#include "consumer/codec/event_part.h"

namespace fensi::consumer {

class PartJoiner {
 public:
  /// A writer that has died is replaced within seconds, and what it did not finish comes again.
  static constexpr std::chrono::milliseconds kTimeout = std::chrono::hours(1);
  /// Of all attempts together; one mutation alone may be larger.
  static constexpr size_t kMaxBytes = size_t{64} << 20;

  /// An attempt that never became whole, and was none of a mutation that did.
  struct GivenUp {
    int64_t first_offset = 0;
    std::string reason;  // names the row and what is missing
    /// The row with the columns that are known: the cells are deletes of unknown kind, so that whoever can read the
    /// source row does.
    ChangeEvent event;
  };

  /// Events in offset order. `broker_time`: milliseconds since the epoch; 0: unknown. True: `event` is a whole mutation
  /// now. False: it is held, or repeats what was whole before. kInvalidArgument: a part that contradicts its attempt.
  Result<bool> Take(int64_t offset, int64_t broker_time, const EventPart& part, ChangeEvent* event);
  /// What was given up since the last call.
  std::vector<GivenUp> TakeGivenUp();

  /// The lowest offset of a part that is held; absent: none is.
  std::optional<int64_t> hold_from() const;
  /// Attempts that are held, and their bytes.
  size_t held() const { return attempts_.size(); }
  size_t bytes() const { return bytes_; }

 private:
  using Mutation = std::string;  // table, row, region and sequence id
  struct Key {
    Mutation mutation;
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

  bool Add(const Key& key, int64_t offset, int64_t broker_time, const EventPart& part, ChangeEvent* event);
  /// All attempts of the mutation that have begun, for it is whole; `for_good`: those that have not, too.
  void Close(const Mutation& mutation, bool for_good);
  void Remember(Key closed);
  void GiveUpOld(int64_t broker_time);
  void GiveUpForRoom(const Key& current);
  void GiveUp(std::map<Key, Attempt>::iterator attempt, const std::string& why);

  std::map<Key, Attempt> attempts_;
  size_t bytes_ = 0;
  std::vector<GivenUp> given_up_;
  // Attempts of mutations that were whole lately, so that what is left of them is known.
  std::set<Key> closed_;
  std::deque<Key> closed_order_;
};

}  // namespace fensi::consumer
