// HBase's cell, and one atomic mutation of one row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fensi {

/// HBase's cell types with HBase's codes (org.apache.hadoop.hbase.KeyValue.Type), and one that HBase does not have.
enum class CellType : uint8_t {
  kUnknownDelete = 0,  // a delete whose kind the stream has lost; the source row must be read
  kPut = 4,
  kDelete = 8,                // the version with exactly this timestamp
  kDeleteFamilyVersion = 10,  // every cell of the family with exactly this timestamp
  kDeleteColumn = 12,         // every version at or below this timestamp
  kDeleteFamily = 14,         // every cell of the family at or below this timestamp
};

/// True for a delete of all columns of its family.
constexpr bool IsFamilyMarker(CellType type) {
  return type == CellType::kDeleteFamily || type == CellType::kDeleteFamilyVersion;
}

/// "put", "delete", "delete_column", "delete_family", "delete_family_version", "unknown_delete".
std::string_view CellTypeName(CellType type);

/// Type of the tag that carries a cell's time to live: 8 bytes big-endian, milliseconds that count from the cell's own
/// timestamp (org.apache.hadoop.hbase.TagType.TTL_TAG_TYPE).
constexpr uint8_t kTtlTag = 8;

struct Tag {
  uint8_t type = 0;  // org.apache.hadoop.hbase.TagType
  std::string value;
  bool operator==(const Tag&) const = default;
};

Tag MakeTtlTag(int64_t millis);

struct Cell {
  std::string family;
  std::string qualifier;  // empty for family markers
  int64_t timestamp = 0;  // milliseconds in HBase's convention, but any int64 >= 0 is legal
  CellType type = CellType::kPut;
  std::string value;  // empty for deletes
  std::vector<Tag> tags;
  bool operator==(const Cell&) const = default;
};

/// Value of the cell's TTL tag, or null.
const std::string* TtlOf(const Cell& cell);

enum class EventKind : uint8_t {
  kMutation,
  kBulkLoad,  // HBase added files to a region: cells that no mutation has
};

/// One atomic mutation of one row of a source table, cells in the order in which HBase applies them. Or a bulk load,
/// without cells.
struct ChangeEvent {
  std::string table;  // "namespace:table", or "table" in the default namespace
  std::string row;    // of a bulk load: the region's first row (for the first region one zero byte)
  std::vector<Cell> cells;
  uint64_t sequence_id = 0;  // HBase's region sequence; 0: the stream has none (a scan, an Avro topic)
  std::string region;        // encoded region name; empty: unknown
  int64_t write_time = 0;    // milliseconds since the epoch at which HBase logged the mutation; 0: unknown
  EventKind kind = EventKind::kMutation;
  std::vector<std::string> families = {};  // of a bulk load: those that got files; empty: unknown
  bool operator==(const ChangeEvent&) const = default;
};

/// A region, and how far its changes were visible at some time before a read.
struct ReadPoint {
  std::string region;   // encoded name, as in change events
  uint64_t number = 0;  // the read has every change of the region with a sequence id up to this one
  bool operator==(const ReadPoint&) const = default;
};

}  // namespace fensi
