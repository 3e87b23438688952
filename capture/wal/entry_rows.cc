#include "capture/wal/entry_rows.h"

#include <algorithm>
#include <tuple>

#include "base/bytes.h"
#include "base/field_reader.h"
#include "consumer/codec/message.h"

namespace fensi::capture {
namespace {

constexpr std::string_view kBulkLoadQualifier = "HBASE::BULK_LOAD";
// Field numbers of BulkLoadDescriptor and StoreDescriptor (WAL.proto).
constexpr int kDescriptorStore = 3;
constexpr int kStoreFamily = 1, kStoreFile = 3;
constexpr size_t kMaxShownStores = 10;
constexpr size_t kMaxShownFamily = 255;

// org.apache.hadoop.hbase.TagType: access control list, and visibility in its three forms.
constexpr uint8_t kRestrictingTags[] = {1, 2, 4, 7};

/// Adds the family of a StoreDescriptor to the load, and its text if it is one of the first.
void AddStore(std::string_view store, bool shown, BulkLoad* load) {
  FieldReader fields(store);
  std::string_view family;
  size_t files = 0;
  while (fields.Next()) {
    if (fields.tag() == FieldReader::Length(kStoreFamily)) family = fields.bytes().substr(0, kMaxShownFamily);
    files += fields.tag() == FieldReader::Length(kStoreFile) ? 1 : 0;
  }
  load->families.emplace_back(family);
  if (!shown) return;
  load->text += (load->text.empty() ? "" : ", ") + std::to_string(files) + " files into family " + Escape(family);
}

/// False: a reader of the stream would refuse the event. Without families it stands for all of them.
bool AreFamilies(const std::vector<std::string>& families) {
  if (families.size() > consumer::kMostLoadedFamilies) return false;
  return std::all_of(families.begin(), families.end(), consumer::IsFamilyOfHBase);
}

}  // namespace

bool RowReader::ReadOwn(hbase::CellView* cell) {
  const size_t begin = reader_.position();
  if (reader_.AtEnd() || !reader_.Next(cell).ok()) return false;
  cell_bytes_ = reader_.position() - begin;
  return cell->row == row_.row && hbase::IsOfHBase(*cell) == row_.of_hbase;
}

bool RowReader::Next(hbase::CellView* cell) {
  if (runs_begun_ > 0 && ReadOwn(cell)) return true;
  if (runs_begun_ == row_.begins.size()) return false;
  reader_ = hbase::CellBlockReader(row_.block.substr(row_.begins[runs_begun_++]));
  return ReadOwn(cell);
}

EntryRows::EntryRows(const WalEntry& entry) : cells_(entry.cells), ascend_(entry.rows_ascend) {
  if (!ascend_) FindRows();
}

hbase::CellView EntryRows::CellAt(uint32_t begin) const {
  hbase::CellView cell;
  (void)hbase::CellBlockReader(cells_.substr(begin)).Next(&cell);
  return cell;
}

bool EntryRows::SameRow(uint32_t one, uint32_t other) const {
  const hbase::CellView a = CellAt(one), b = CellAt(other);
  return a.row == b.row && hbase::IsOfHBase(a) == hbase::IsOfHBase(b);
}

template <typename Take>
void EntryRows::ForEachRun(Take take) const {
  hbase::CellBlockReader reader(cells_);
  std::optional<uint32_t> last;
  for (hbase::CellView cell; !reader.AtEnd();) {
    const auto begin = static_cast<uint32_t>(reader.position());
    if (!reader.Next(&cell).ok()) return;
    if (!last || !SameRow(*last, begin)) take(begin);
    last = begin;
  }
}

void EntryRows::FindRows() {
  size_t runs = 0, rows = 0;
  ForEachRun([&runs](uint32_t) { ++runs; });
  begins_.reserve(runs);  // a vector that grows by itself takes up to three times as much
  ForEachRun([this](uint32_t begin) { begins_.push_back(begin); });
  std::sort(begins_.begin(), begins_.end(), [this](uint32_t one, uint32_t other) {
    const hbase::CellView a = CellAt(one), b = CellAt(other);
    return std::tuple(a.row, hbase::IsOfHBase(a), one) < std::tuple(b.row, hbase::IsOfHBase(b), other);
  });
  const auto begins_row = [this](size_t i) { return i == 0 || !SameRow(begins_[i - 1], begins_[i]); };
  for (size_t i = 0; i < begins_.size(); ++i) rows += begins_row(i) ? 1 : 0;
  firsts_.reserve(rows);
  for (size_t i = 0; i < begins_.size(); ++i) {
    if (begins_row(i)) firsts_.push_back(static_cast<uint32_t>(i));
  }
  std::sort(firsts_.begin(), firsts_.end(),
            [this](uint32_t one, uint32_t other) { return begins_[one] < begins_[other]; });
}

std::span<const uint32_t> EntryRows::NextBegins() {
  if (ascend_) return {&begin_, begin_ < cells_.size() ? size_t{1} : size_t{0}};
  if (next_ == firsts_.size()) return {};
  const size_t first = firsts_[next_++];
  size_t end = first + 1;
  while (end < begins_.size() && SameRow(begins_[first], begins_[end])) ++end;
  return std::span(begins_).subspan(first, end - first);
}

bool EntryRows::Next(RowCells* row) {
  begin_ = end_;
  *row = {.block = cells_, .begins = NextBegins()};
  if (row->begins.empty()) return false;
  const hbase::CellView first = CellAt(row->begins.front());
  row->row = first.row;
  row->of_hbase = hbase::IsOfHBase(first);
  RowReader reader(*row);
  for (hbase::CellView cell; reader.Next(&cell); row->bytes += reader.cell_bytes()) {
    ++row->count;
    row->tag_bytes += cell.tags.size();
  }
  end_ = begin_ + static_cast<uint32_t>(row->bytes);
  return true;
}

void FillHead(const WalEntry& entry, std::string_view row, ChangeEvent* event) {
  event->table.assign(entry.table);
  event->row.assign(row);
  event->sequence_id = entry.sequence_id;
  event->region.assign(entry.region);
  event->write_time = entry.write_time;
  event->kind = EventKind::kMutation;
  event->families.clear();
}

void FillCell(const hbase::CellView& from, Cell* to) {
  to->type = static_cast<CellType>(from.type);
  to->family.assign(from.family);
  to->qualifier.assign(IsFamilyMarker(to->type) ? std::string_view() : from.qualifier);
  to->timestamp = from.timestamp;
  to->value.assign(to->type == CellType::kPut ? from.value : std::string_view());
  to->tags = hbase::ParseTags(from.tags);
}

void FillEvent(const WalEntry& entry, const RowCells& row, ChangeEvent* event) {
  FillHead(entry, row.row, event);
  event->cells.resize(row.count);
  RowReader reader(row);
  hbase::CellView cell;
  for (Cell& to : event->cells) {
    if (reader.Next(&cell)) FillCell(cell, &to);
  }
}

std::optional<BulkLoad> BulkLoadOf(const hbase::CellView& cell) {
  if (!hbase::IsOfHBase(cell) || cell.qualifier != kBulkLoadQualifier) return std::nullopt;
  FieldReader descriptor(cell.value);
  BulkLoad load;
  size_t stores = 0;
  while (descriptor.Next()) {
    if (descriptor.tag() != FieldReader::Length(kDescriptorStore)) continue;
    AddStore(descriptor.bytes(), ++stores <= kMaxShownStores, &load);
  }
  if (!descriptor.ok()) return BulkLoad{.families = {}, .text = "files of unknown number"};
  if (stores > kMaxShownStores) load.text += ", and " + std::to_string(stores - kMaxShownStores) + " more";
  if (load.text.empty()) load.text = "files of unknown number";
  if (!AreFamilies(load.families)) load.families.clear();
  return load;
}

bool FillBulkLoad(const WalEntry& entry, const RowCells& row, ChangeEvent* event, std::string* text) {
  bool any = false, all_known = true;
  text->clear();
  std::vector<std::string> families;
  RowReader reader(row);
  for (hbase::CellView cell; reader.Next(&cell);) {
    const std::optional<BulkLoad> load = BulkLoadOf(cell);
    if (!load) continue;
    any = true;
    all_known = all_known && !load->families.empty();
    families.insert(families.end(), load->families.begin(), load->families.end());
    *text += (text->empty() ? "" : ", ") + load->text;
  }
  if (!any) return false;
  FillHead(entry, row.row, event);
  event->cells.clear();
  event->kind = EventKind::kBulkLoad;
  event->families.clear();
  if (all_known && AreFamilies(families)) event->families = std::move(families);
  return true;
}

bool RestrictsReaders(const hbase::CellView& cell) {
  for (const Tag& tag : hbase::ParseTags(cell.tags)) {
    if (std::find(std::begin(kRestrictingTags), std::end(kRestrictingTags), tag.type) != std::end(kRestrictingTags)) {
      return true;
    }
  }
  return false;
}

}  // namespace fensi::capture
