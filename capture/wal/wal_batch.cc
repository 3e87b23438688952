#include "capture/wal/wal_batch.h"

#include "base/hbase_limits.h"
#include "hbase/wire/cell_block.h"

namespace fensi::capture {
namespace {

// HBase's names have at most some hundred bytes; what is longer would only be carried around.
constexpr size_t kMaxNameBytes = 1024;

// Field numbers of HBase's messages (Admin.proto, WAL.proto, HBase.proto).
constexpr int kRequestEntry = 1, kRequestClusterId = 2;
constexpr int kEntryKey = 1, kEntryInlineCells = 2, kEntryCellCount = 3;
constexpr int kKeyRegion = 1, kKeyTable = 2, kKeySequence = 3, kKeyWriteTime = 4, kKeyCluster = 8;
constexpr int kUuidLeast = 1, kUuidMost = 2;

Status Bad(std::string message) { return InvalidArgument(std::move(message)); }

bool ReadUuid(std::string_view bytes, ClusterUuid* uuid) {
  FieldReader fields(bytes);
  *uuid = {};
  while (fields.Next()) {
    if (fields.tag() == FieldReader::Number(kUuidLeast)) uuid->least = fields.number();
    if (fields.tag() == FieldReader::Number(kUuidMost)) uuid->most = fields.number();
  }
  return fields.ok();
}

bool ReadKey(std::string_view bytes, WalEntry* entry) {
  FieldReader fields(bytes);
  bool whole = true;
  while (fields.Next()) {
    switch (fields.tag()) {
      case FieldReader::Length(kKeyRegion):
        entry->region = fields.bytes();
        break;
      case FieldReader::Length(kKeyTable):
        entry->table = CanonicalTableName(fields.bytes());
        break;
      case FieldReader::Number(kKeySequence):
        entry->sequence_id = fields.number();
        break;
      case FieldReader::Number(kKeyWriteTime):
        entry->write_time = static_cast<int64_t>(fields.number());
        break;
      case FieldReader::Length(kKeyCluster):
        whole = whole && ReadUuid(fields.bytes(), &entry->source);
        break;
      default:
        break;
    }
  }
  return whole && fields.ok();
}

Status CheckKey(const WalEntry& entry) {
  if (entry.table.empty()) return Bad("the entry names no table");
  if (entry.table.size() > kMaxNameBytes || entry.region.size() > kMaxNameBytes) {
    return Bad("the entry names a table or a region with more than " + std::to_string(kMaxNameBytes) + " bytes");
  }
  return Status();
}

/// The key, and how many cells follow.
Status ReadEntry(std::string_view bytes, WalEntry* entry, int64_t* cells) {
  FieldReader fields(bytes);
  while (fields.Next()) {
    const uint64_t tag = fields.tag();
    if (tag == FieldReader::Length(kEntryKey) && !ReadKey(fields.bytes(), entry))
      return Bad("the key of the entry cannot be decoded");
    if (tag == FieldReader::Length(kEntryInlineCells)) return Bad("the entry has its cells outside of the cell block");
    if (tag == FieldReader::Number(kEntryCellCount)) *cells = static_cast<int64_t>(fields.number());
  }
  if (!fields.ok()) return Bad("the entry cannot be decoded");
  if (*cells < 0) return Bad("the entry has a negative number of cells");
  return CheckKey(*entry);
}

/// May `next` follow `last` where each row stands once?
bool Ascends(const hbase::CellView& last, const hbase::CellView& next) {
  return last.row < next.row || (last.row == next.row && hbase::IsOfHBase(last) == hbase::IsOfHBase(next));
}

/// Takes so many cells from the front of `rest`.
Status TakeCells(int64_t count, std::string_view* rest, WalEntry* entry) {
  hbase::CellBlockReader reader(*rest);
  hbase::CellView cell, last;
  entry->rows_ascend = true;
  for (int64_t i = 0; i < count; ++i) {
    if (reader.AtEnd()) {
      return Bad("the header of the entry announces " + std::to_string(count) +
                 " cells, and the cell block ends after " + std::to_string(i) + " cells");
    }
    FENSI_RETURN_IF_ERROR(reader.Next(&cell));
    entry->rows_ascend = entry->rows_ascend && (i == 0 || Ascends(last, cell));
    last = cell;
  }
  entry->cells = rest->substr(0, reader.position());
  rest->remove_prefix(reader.position());
  return Status();
}

}  // namespace

std::string ClusterUuid::Text() const {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (int digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) text += '-';
    const uint64_t half = digit < 16 ? most : least;
    text += kDigits[half >> (60 - 4 * (digit % 16)) & 0xf];
  }
  return text;
}

Result<bool> WalBatch::Read(WalEntry* entry) {
  while (fields_.Next()) {
    if (fields_.tag() == FieldReader::Length(kRequestClusterId)) reports_bulk_loads_ = !fields_.bytes().empty();
    if (fields_.tag() != FieldReader::Length(kRequestEntry)) continue;
    *entry = {};
    int64_t count = 0;
    Status status = ReadEntry(fields_.bytes(), entry, &count);
    if (status.ok()) status = TakeCells(count, &cells_, entry);
    if (!status.ok()) return status.WithContext("WAL entry " + std::to_string(read_));
    ++read_;
    return true;
  }
  if (!fields_.ok()) return Bad("the request is no ReplicateWALEntryRequest of HBase");
  if (!cells_.empty()) {
    return Bad("the cell block has " + std::to_string(cells_.size()) +
               " more bytes after the last cell of the last entry");
  }
  return false;
}

Result<WalBatch> WalBatch::Open(std::string_view request, std::string_view cells) {
  WalBatch trial(request, cells);
  WalEntry entry;
  while (true) {
    FENSI_ASSIGN_OR_RETURN(const bool more, trial.Read(&entry));
    if (!more) break;
  }
  WalBatch batch(request, cells);
  batch.entries_ = trial.read_;
  batch.reports_bulk_loads_ = trial.reports_bulk_loads_;
  return batch;
}

bool WalBatch::Next(WalEntry* entry) {
  const Result<bool> more = Read(entry);
  return more.ok() && *more;
}

}  // namespace fensi::capture
