// Puts the parts of a mutation that was too large for one message together again. No Kafka in it.
//
// For one partition and one assignment; not thread-safe. Parts of one mutation follow each other in their partition,
// with messages of other rows in between. A first part begins anew: whoever wrote it may have died and sent all of it
// again. What is not whole yet is held in memory, and its first offset must not be committed away (hold_from).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/cell.h"
#include "base/status.h"
#include "consumer/codec/event_part.h"

namespace fensi::consumer {

class PartJoiner {
 public:
  /// Mutations in parts that are held at most; the oldest is given up for a new one: its writer has died, and what it
  /// did not finish has come again from the beginning.
  static constexpr size_t kMaxOpen = 64;

  /// Events in offset order. True: `event` is a whole mutation now. False: it is held.
  /// kInvalidArgument: a part whose predecessors never came.
  Result<bool> Take(int64_t offset, const EventPart& part, ChangeEvent* event);

  /// The lowest offset of a part that is held; absent: none is.
  std::optional<int64_t> hold_from() const;

 private:
  struct Open {
    int64_t first_offset = 0;
    uint32_t last_part = 1;
    ChangeEvent event;
  };
  void Begin(const std::string& key, int64_t offset, ChangeEvent* event);
  Result<bool> Continue(const std::string& key, const EventPart& part, ChangeEvent* event);

  std::map<std::string, Open> open_;  // by table, row, region and sequence id
};

}  // namespace fensi::consumer
