#include "indexer/state/state_reads.h"

#include <algorithm>
#include <utility>

#include "indexer/state/state_table.h"

namespace fensi::indexer {
namespace {

UnitWork* OnlyUnit(RowWork* row) { return row->FindOrAdd("", ""); }

}  // namespace

bool StateReads::Add(RowWork* row) {
  if (layout_.buckets()) {
    if (OnlyUnit(row)->known) return false;
    AddToBucket(row);
  } else {
    store::GetRequest request;
    if (!MissingState(*row, row_units_, &request)) return false;
    requests_.push_back(std::move(request));
    rows_of_.push_back({row});
  }
  in_order_.push_back(row);
  return true;
}

void StateReads::AddToBucket(RowWork* row) {
  std::string bucket = BucketOf(row->row, *layout_.bucket_bits);
  const auto [place, made] = filling_.try_emplace(std::move(bucket), requests_.size());
  if (!made && rows_of_[place->second].size() == kMostUnits) place->second = requests_.size();
  const size_t number = place->second;
  if (number == requests_.size()) {
    requests_.push_back({.row = place->first});
    rows_of_.emplace_back();
  }
  requests_[number].columns.push_back({kStateFamily, row->row});
  requests_[number].columns.push_back({kMarkerFamily, row->row});
  rows_of_[number].push_back(row);
}

size_t StateReads::units(size_t request) const {
  const std::vector<store::GetRequest::Column>& columns = requests_[request].columns;
  if (layout_.buckets()) return rows_of_[request].size();
  return columns.front().qualifier ? std::max<size_t>(1, columns.size() - 1) : 0;
}

Status StateReads::Take(size_t request, store::Row answer) {
  const std::vector<RowWork*>& rows = rows_of_[request];
  if (!layout_.buckets()) return TakeState(answer, row_units_, rows.front());
  return apart_ ? TakeApart(rows.front(), std::move(answer)) : TakeBucket(rows, std::move(answer));
}

Status StateReads::TakeBucket(const std::vector<RowWork*>& rows, store::Row answer) {
  std::vector<RowWork*> sorted = rows;
  const auto before = [](const RowWork* row, const std::string& key) { return row->row < key; };
  std::sort(sorted.begin(), sorted.end(), [](const RowWork* a, const RowWork* b) { return a->row < b->row; });
  for (Cell& cell : answer.cells) {
    const auto row = std::lower_bound(sorted.begin(), sorted.end(), cell.qualifier, before);
    if (row == sorted.end() || (*row)->row != cell.qualifier) continue;
    FENSI_RETURN_IF_ERROR(TakeOfBucket(std::move(cell), *row));
  }
  for (RowWork* row : rows) {
    if (!row->noted) FENSI_RETURN_IF_ERROR(TakeState({row->row, {}}, row_units_, row));
  }
  return {};
}

Status StateReads::TakeOfBucket(Cell cell, RowWork* row) {
  if (cell.family == kMarkerFamily) {
    // M8.1: the note says that intents may be in a row of their own.
    row->noted = true;
    return {};
  }
  cell.qualifier.clear();  // as in a row of its own
  return TakeStateCell(cell, row_units_, row);
}

/// M3: the newer of both states counts; an older one in a row of its own is removed with the settled intents.
Status StateReads::TakeApart(RowWork* row, store::Row answer) {
  UnitWork* work = OnlyUnit(row);
  const int64_t in_bucket = StateVersion(work->unit);
  const auto is_state = [](const Cell& cell) {
    return cell.family == kStateFamily || cell.qualifier == DoubtQualifier();
  };
  const auto is_newer = [&](const Cell& cell) { return cell.family == kStateFamily && cell.timestamp > in_bucket; };
  // M3: the state of the higher version counts, wherever it is stored.
  row->apart = std::any_of(answer.cells.begin(), answer.cells.end(), is_newer);
  if (row->apart) {
    work->unit.doubt = {};
    work->damage.clear();
    work->unit.families->families.clear();
    return TakeState(answer, row_units_, row);
  }
  for (const Cell& cell : answer.cells) {
    if (is_state(cell) && cell.timestamp <= in_bucket) {
      work->intents.push_back({cell.family, cell.qualifier, cell.timestamp});
    }
  }
  std::erase_if(answer.cells, is_state);
  return TakeState(answer, row_units_, row);
}

bool StateReads::NextRound() {
  requests_.clear();
  rows_of_.clear();
  filling_.clear();
  if (!layout_.buckets() || std::exchange(apart_, true)) return false;
  for (RowWork* row : in_order_) {
    if (row->loaded || !row->noted) continue;
    // By column name, because a source row of two bytes has the key of a bucket.
    requests_.push_back({.row = row->row, .columns = {{kStateFamily, ""}, {kDoubtFamily, std::nullopt}}});
    rows_of_.push_back({row});
  }
  return !requests_.empty();
}

}  // namespace fensi::indexer
