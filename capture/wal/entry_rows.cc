#include "capture/wal/entry_rows.h"

#include <algorithm>

#include "base/bytes.h"
#include "capture/wal/message_fields.h"

namespace fensi::capture {
namespace {

constexpr std::string_view kMetaFamily = "METAFAMILY";
constexpr std::string_view kBulkLoadQualifier = "HBASE::BULK_LOAD";
// Field numbers of BulkLoadDescriptor and StoreDescriptor (WAL.proto).
constexpr uint32_t kDescriptorStore = 3;
constexpr uint32_t kStoreFamily = 1, kStoreFile = 3;
constexpr size_t kMaxShownStores = 10;
constexpr size_t kMaxFamilyBytes = 255;  // HBase's limit

// org.apache.hadoop.hbase.TagType: access control list, and visibility in its three forms.
constexpr uint8_t kRestrictingTags[] = {1, 2, 4, 7};

std::string StoreText(std::string_view store) {
  MessageFields fields(store);
  std::string_view family;
  size_t files = 0;
  while (fields.Next()) {
    if (fields.number() == kStoreFamily) family = fields.bytes().substr(0, kMaxFamilyBytes);
    files += fields.number() == kStoreFile ? 1 : 0;
  }
  return std::to_string(files) + " files into family " + Escape(family);
}

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
  MessageFields descriptor(cell.value);
  std::string text;
  size_t stores = 0;
  while (descriptor.Next()) {
    if (descriptor.number() != kDescriptorStore || ++stores > kMaxShownStores) continue;
    text += (text.empty() ? "" : ", ") + StoreText(descriptor.bytes());
  }
  if (!descriptor.whole()) return "files of unknown number";
  if (stores > kMaxShownStores) text += ", and " + std::to_string(stores - kMaxShownStores) + " more";
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
