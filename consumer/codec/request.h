// What the owner of a source row's partition is asked for: by a scan, that it take what was read, and by who compared
// index and source, that it look again. Requests stand in a topic of their own beside the change stream.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/cell.h"
#include "base/status.h"

namespace fensi::consumer {

/// A cell of the index that a comparison found different; without a family the whole row.
struct Suspect {
  std::string table;
  std::string row;
  std::string family;
  std::string qualifier;
  int64_t timestamp = 0;
  bool operator==(const Suspect&) const = default;
};

struct RequestedColumn {
  std::string family;
  std::string qualifier;
  bool operator==(const RequestedColumn&) const = default;
};

/// So many suspects or columns stand in one request: what is more is another request.
inline constexpr size_t kMostOfARequest = 1'000;
/// Random, of an index since it was made.
inline constexpr size_t kIncarnationDigits = 16;
inline constexpr size_t kMostJobBytes = 255;

struct Request {
  enum class Kind {
    kImage,    // cells that a raw read of the row showed
    kRecheck,  // the row is to be read and its entries written anew, whatever is known of it
  };
  Kind kind = Kind::kImage;
  std::string table;  // of the source
  std::string row;
  std::string incarnation;  // of the index, lower-case hexadecimal
  std::string job;          // that asks, in printable ASCII; empty: none
  // Of an image.
  std::vector<Cell> cells;
  int64_t read_time = 0;  // milliseconds since the epoch before the read
  bool partial = false;   // the row has more cells
  // Of a recheck.
  std::vector<Suspect> suspects;
  std::vector<RequestedColumn> columns;  // empty: all of the row
  bool operator==(const Request&) const = default;
};

/// Printable ASCII without blanks, as names in messages are; also the empty text.
bool IsPrintable(std::string_view text);

/// kInvalidArgument says what is impossible or above its bound.
Status CheckRequest(const Request& request);

}  // namespace fensi::consumer
