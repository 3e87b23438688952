#include "capture/wal/entry_events.h"

#include <limits>

#include "base/bytes.h"
#include "proto/hbase_replication.pb.h"

namespace fensi::capture {
namespace {

constexpr std::string_view kBulkLoadQualifier = "HBASE::BULK_LOAD";

/// A client may give a delete a value, and a family's marker a qualifier; HBase looks at neither.
void FillCell(const WalCell& from, Cell* to) {
  to->type = static_cast<CellType>(from.type);
  to->family.assign(from.family);
  to->qualifier.assign(IsFamilyMarker(to->type) ? std::string_view() : from.qualifier);
  to->timestamp = from.timestamp;
  to->value.assign(to->type == CellType::kPut ? from.value : std::string_view());
  to->tags = ParseTags(from.tags);
}

/// Hands out events of a list that is reused, and their cells likewise.
class EventList {
 public:
  EventList(const WalEntry& entry, std::vector<ChangeEvent>* events) : entry_(entry), events_(*events) {}

  void Add(const WalCell& cell) {
    if (count_ == 0 || events_[count_ - 1].row != cell.row) Open(cell.row);
    std::vector<Cell>& cells = events_[count_ - 1].cells;
    if (cells_ == cells.size()) cells.emplace_back();
    FillCell(cell, &cells[cells_++]);
  }

  size_t Finish() {
    Close();
    return count_;
  }

 private:
  void Open(std::string_view row) {
    Close();
    if (count_ == events_.size()) events_.emplace_back();
    ChangeEvent& event = events_[count_++];
    event.table.assign(entry_.table);
    event.row.assign(row);
    event.sequence_id = entry_.sequence_id;
    event.region.assign(entry_.region);
    event.write_time = entry_.write_time;
    cells_ = 0;
  }

  void Close() {
    if (count_ > 0) events_[count_ - 1].cells.resize(cells_);
  }

  const WalEntry& entry_;
  std::vector<ChangeEvent>& events_;
  size_t count_ = 0;
  size_t cells_ = 0;  // of the event in hand
};

}  // namespace

size_t MakeEvents(const WalEntry& entry, std::vector<ChangeEvent>* events) {
  EventList list(entry, events);
  for (const WalCell& cell : entry.cells) {
    if (cell.family != kMetaFamily) list.Add(cell);
  }
  return list.Finish();
}

std::optional<std::string> BulkLoadOf(const WalCell& cell) {
  if (cell.family != kMetaFamily || cell.qualifier != kBulkLoadQualifier) return std::nullopt;
  proto::hbase::BulkLoadDescriptor descriptor;
  if (cell.value.size() > static_cast<size_t>(std::numeric_limits<int>::max()) ||
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

}  // namespace fensi::capture
