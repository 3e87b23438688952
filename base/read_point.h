// How far the changes of a region of HBase are visible. Clients of HBase and stores of tables share it.
#pragma once

#include <cstdint>
#include <string>

namespace fensi {

/// A region, and how far its changes were visible at some time before a read.
struct ReadPoint {
  std::string region;   // encoded name, as in change events
  uint64_t number = 0;  // the read has every change of the region with a sequence id up to this one
  bool operator==(const ReadPoint&) const = default;
};

}  // namespace fensi
