// Reads cells in place, in the form of HBase's KeyValueCodecWithTags.
//
//   cell := int32 L | int32 keyLen | int32 valLen | int16 rowLen | row | int8 famLen | family | qualifier | int64 ts
//           | int8 type | value [ | uint16 tagsLen | tags ]
//   tags := { uint16 len | uint8 type | len - 1 bytes }
//
// Big-endian. L counts the bytes after it; there are tags if L is more than key and value need. Pure; any bytes may be
// parsed, no other bytes are read and nothing is allocated for the lengths that they claim.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/cell.h"
#include "base/status.h"

namespace fensi::hbase {

/// Views into the block.
struct CellView {
  std::string_view row;
  std::string_view family;
  std::string_view qualifier;
  std::string_view value;
  std::string_view tags;  // as they are in the block, checked
  int64_t timestamp = 0;
  uint8_t type = 0;  // HBase's code, not checked: a reader of the event refuses unknown ones
};

/// True for HBase's own cells, for instance markers of bulk loads and of replication: no change of a row.
inline bool IsOfHBase(const CellView& cell) { return cell.family == "METAFAMILY"; }

class CellBlockReader {
 public:
  /// The bytes must outlive the reader and its cells.
  explicit CellBlockReader(std::string_view bytes) : bytes_(bytes) {}

  bool AtEnd() const { return at_ == bytes_.size(); }
  size_t position() const { return at_; }
  /// kInvalidArgument with the position if the bytes are no cell; the reader must not be used afterwards.
  Status Next(CellView* cell);

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

/// The tags of a cell that CellBlockReader has read.
std::vector<Tag> ParseTags(std::string_view tags);

}  // namespace fensi::hbase
