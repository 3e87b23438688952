// The byte format of EmbeddedStore's RocksDB database. Pure functions, any thread.
//
//   database   := { format-entry | table-entry | cell-entry }
//   format-entry:="f"                                 -> kStoreFormat, 8 bytes big-endian; written with the first table
//   table-entry:= "t" table-name                      -> JSON description, number and split keys (catalog.h)
//   cell-entry := row-prefix family 0x00 text position -> ttl value
//   row-prefix := "c" table-number text               table-number: 4 bytes, big-endian; never used again
//   text       := the bytes (row key, qualifier) with 0x00 written as 0x00 0xff, then 0x00 0x01
//   position   := 8 bytes big-endian of ~timestamp, 1 byte of ~type (HBase's code)
//   ttl        := 0x00 | 0x01 and 8 bytes big-endian milliseconds
//   value      := the cell's bytes
//
// Keys sort as HBase sorts cells: row, family, qualifier, newest first, at equal timestamps markers before the put.
// A second put at the same coordinates has the same key, so that the one written later wins.
// Family names hold no 0x00 (CheckTable), markers of families have an empty qualifier.
#pragma once

#include <rocksdb/slice_transform.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/cell.h"

namespace fensi::store {

constexpr int64_t kStoreFormat = 1;
constexpr char kFormatEntry = 'f';
constexpr char kTableEntry = 't';
constexpr char kCellEntry = 'c';

/// "c" and the table's number: the prefix of all its cells.
std::string TablePrefix(uint32_t number);

/// Appends row key or qualifier as `text`.
void AppendText(std::string_view bytes, std::string* out);

std::string RowPrefix(std::string_view table_prefix, std::string_view row);

/// Appends family 0x00 text position; the row-prefix is already there.
void AppendCoordinates(const Cell& cell, std::string* out);

/// Parses a cell's key; the views point into the key.
class ParsedKey {
 public:
  /// `key` must outlive the views. False: not a cell of this format.
  bool Parse(std::string_view key);

  std::string_view row_prefix() const { return row_prefix_; }
  std::string_view column_prefix() const { return column_prefix_; }  // row-prefix family 0x00 text
  std::string_view family() const { return family_; }
  bool qualifier_is_empty() const { return qualifier_text_.size() == 2; }
  int64_t timestamp() const { return timestamp_; }
  CellType type() const { return type_; }

  std::string Row() const;
  std::string Qualifier() const;

 private:
  std::string_view row_prefix_;
  std::string_view column_prefix_;
  std::string_view family_;
  std::string_view qualifier_text_;  // including its end
  int64_t timestamp_ = 0;
  CellType type_ = CellType::kPut;
};

/// ttl value, into `out` (cleared first).
void EncodeValue(const Cell& cell, std::string* out);

struct StoredValue {
  std::optional<int64_t> ttl_millis;
  std::string_view value;
};
StoredValue DecodeValue(std::string_view stored);

/// RocksDB's prefix for row-prefix: bloom filters answer "this row has no cells".
const rocksdb::SliceTransform* NewRowPrefixTransform();

}  // namespace fensi::store
