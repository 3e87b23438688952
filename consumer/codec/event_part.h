// Which part of a mutation a message is.
#pragma once

#include <cstdint>

namespace fensi::consumer {

/// A mutation too large for one message travels in parts with some of its cells each: part 1 to `count`, with the same
/// row, region and sequence id. Whoever sends it again, whole or in other parts, makes another attempt of it.
struct EventPart {
  uint32_t number = 0;  // from 1; 0: the whole mutation
  uint32_t count = 0;
  uint64_t attempt = 0;  // random, the same for all parts that were made together; 0: the writer did not say
  /// The parts hold all that its entry of HBase's log has of the row. False: the writer did not say, and another
  /// mutation may have the same row, region and sequence id.
  bool whole_row = false;
};

}  // namespace fensi::consumer
