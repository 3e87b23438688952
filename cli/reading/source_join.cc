#include <utility>

#include "cli/reading/answer.h"
#include "sweep/compare/finding.h"
#include "sweep/scan/page_reader.h"

namespace fensi::cli {
namespace {

constexpr size_t kMostItems = 500;
constexpr size_t kMostItemBytes = 1 << 20;

mapping::Entry EntryOf(const std::string& table, const store::Row& row) {
  const Cell& cell = row.cells[0];
  return {table, row.row, cell.family, cell.qualifier, cell.value};
}

}  // namespace

SourceJoin::SourceJoin(const mapping::Index* index, store::Store* store, Use use)
    : index_(index), store_(store), use_(std::move(use)), derivation_(index) {}

/// All of a row, since that is what people look for; of a unit that is a column only that column.
store::GetRequest SourceJoin::RequestOf(const sweep::SourceUnit& unit) const {
  store::GetRequest request{.row = unit.row};
  return unit.column ? sweep::UnitRequest(*index_, unit) : request;
}

Status SourceJoin::Add(const std::string& table, const store::Row& entry,
                       const std::vector<mapping::KnownPart>& known) {
  std::optional<sweep::Origin> origin = sweep::SourceOfEntry(*index_, EntryOf(table, entry));
  std::optional<size_t> request;
  if (origin) {
    if (requests_.empty() || !(last_ == origin->unit)) requests_.push_back(RequestOf(origin->unit));
    last_ = std::move(origin->unit);
    request = requests_.size() - 1;
  }
  items_.push_back({table, entry, known, request});
  bytes_ += store::HeldBytes(entry);
  return items_.size() < kMostItems && bytes_ < kMostItemBytes ? Status() : Finish();
}

Status SourceJoin::Finish() {
  next_ = 0;
  FENSI_RETURN_IF_ERROR(
      sweep::GetEach(store_, index_->source_table(), requests_, [this](size_t request, const store::Row& source) {
        UseThrough(request, source);
        return Status();
      }));
  for (; next_ < items_.size(); ++next_) UseOne(items_[next_], nullptr, std::nullopt);
  items_.clear();
  requests_.clear();
  last_.reset();
  bytes_ = 0;
  return {};
}

void SourceJoin::UseThrough(size_t request, const store::Row& source) {
  mapping::EntryList entries;
  const bool whole = derivation_.DeriveAll(source, &entries);
  const sweep::EntryMap by_cell(entries);
  for (; next_ < items_.size() && items_[next_].request.value_or(request) == request; ++next_) {
    const Item& item = items_[next_];
    if (!item.request) {
      UseOne(item, nullptr, std::nullopt);
      continue;
    }
    const mapping::Entry cell = EntryOf(item.table, item.entry);
    const std::optional<mapping::Entry> said = by_cell.Find(cell);
    const bool agrees = said && said->value == cell.value;
    UseOne(item, &source, agrees || whole ? std::optional(agrees) : std::nullopt);
  }
}

void SourceJoin::UseOne(const Item& item, const store::Row* source, std::optional<bool> agrees) {
  if (agrees == false) ++stale_;
  use_({&item.table, &item.entry, &item.known, source, agrees});
}

}  // namespace fensi::cli
