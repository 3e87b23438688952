#include "capture/wal/entry_rows.h"

#include <algorithm>

#include "base/bytes.h"
#include "proto/hbase_replication.pb.h"

namespace fensi::capture {
namespace {

constexpr std::string_view kMetaFamily = "METAFAMILY";
constexpr std::string_view kBulkLoadQualifier = "HBASE::BULK_LOAD";
// A message of protobuf takes some ten times its bytes in memory.
constexpr size_t kMaxDescriptorBytes = 1 << 20;

// org.apache.hadoop.hbase.TagType: access control list, and visibility in its three forms.
constexpr uint8_t kRestrictingTags[] = {1, 2, 4, 7};

}  // namespace

bool EntryRows::Next(RowCells* row) {
  *row = {};
  CellBlockReader reader(rest_);
  WalCell cell;
  size_t end = 0;
  while (!reader.AtEnd() && reader.Next(&cell).ok()) {
    const bool of_hbase = cell.family == kMetaFamily;
    if (row->count == 0) {
      row->row = cell.row;
      row->of_hbase = of_hbase;
    } else if (cell.row != row->row || of_hbase != row->of_hbase) {
      break;
    }
    ++row->count;
    row->tag_bytes += cell.tags.size();
    end = reader.position();
  }
  row->cells = rest_.substr(0, end);
  rest_.remove_prefix(end);
  return row->count > 0;
}

void FillHead(const WalEntry& entry, std::string_view row, ChangeEvent* event) {
  event->table.assign(entry.table);
  event->row.assign(row);
  event->sequence_id = entry.sequence_id;
  event->region.assign(entry.region);
  event->write_time = entry.write_time;
}

void FillCell(const WalCell& from, Cell* to) {
  to->type = static_cast<CellType>(from.type);
  to->family.assign(from.family);
  to->qualifier.assign(IsFamilyMarker(to->type) ? std::string_view() : from.qualifier);
  to->timestamp = from.timestamp;
  to->value.assign(to->type == CellType::kPut ? from.value : std::string_view());
  to->tags = ParseTags(from.tags);
}

void FillEvent(const WalEntry& entry, const RowCells& row, ChangeEvent* event) {
  FillHead(entry, row.row, event);
  event->cells.resize(row.count);
  CellBlockReader reader(row.cells);
  WalCell cell;
  for (Cell& to : event->cells) {
    if (reader.Next(&cell).ok()) FillCell(cell, &to);
  }
}

std::optional<std::string> BulkLoadOf(const WalCell& cell) {
  if (cell.family != kMetaFamily || cell.qualifier != kBulkLoadQualifier) return std::nullopt;
  proto::hbase::BulkLoadDescriptor descriptor;
  if (cell.value.size() > kMaxDescriptorBytes ||
      !descriptor.ParseFromArray(cell.value.data(), static_cast<int>(cell.value.size()))) {
    return "files of unknown number";
  }
  std::string text;
  for (const auto& store : descriptor.stores()) {
    if (!text.empty()) text += ", ";
    text += std::to_string(store.store_file_size()) + " files into family " + Escape(store.family_name());
  }
  return text.empty() ? "no files" : text;
}

bool RestrictsReaders(const WalCell& cell) {
  for (const Tag& tag : ParseTags(cell.tags)) {
    if (std::find(std::begin(kRestrictingTags), std::end(kRestrictingTags), tag.type) != std::end(kRestrictingTags)) {
      return true;
    }
  }
  return false;
}

}  // namespace fensi::capture
