#include "meta/shared_row.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "base/bytes.h"
#include "store/one_row.h"

namespace fensi::meta {

Result<SharedRow::Cells> SharedRow::Read(const std::vector<std::string>& qualifiers) const {
  store::GetRequest request{.row = row_};
  for (const std::string& qualifier : qualifiers) request.columns.push_back({kFamily, qualifier});
  if (qualifiers.empty()) request.columns.push_back({kFamily, std::nullopt});
  Result<std::vector<store::Row>> rows = store_->Get(table_, {&request, 1});
  FENSI_RETURN_IF_ERROR(rows.status());
  Cells cells;
  for (Cell& cell : rows->front().cells) cells.emplace(cell.qualifier, std::move(cell));
  return cells;
}

Result<SharedRow::Cells> SharedRow::ReadAll() const { return Read(std::vector<std::string>()); }

Result<std::optional<Cell>> SharedRow::Read(const std::string& qualifier) const {
  Result<Cells> cells = Read(std::vector{qualifier});
  FENSI_RETURN_IF_ERROR(cells.status());
  if (cells->empty()) return std::optional<Cell>();
  return std::optional<Cell>(std::move(cells->begin()->second));
}

Cell SharedRow::CellOf(std::string qualifier, int64_t version, std::string value) {
  return {.family = kFamily, .qualifier = std::move(qualifier), .timestamp = version, .value = std::move(value)};
}

Status SharedRow::Write(std::vector<Cell> cells) const {
  const store::RowMutation mutation{row_, std::move(cells)};
  Result<std::vector<store::RejectedRow>> written = store_->Put(table_, {&mutation, 1});
  FENSI_RETURN_IF_ERROR(written.status());
  return written->empty() ? Status() : written->front().reason;
}

Status SharedRow::Forget(const Cells& cells) const {
  if (cells.empty()) return {};
  store::RowMutation mutation{row_, {}};
  for (const auto& [qualifier, cell] : cells) {
    mutation.cells.push_back({kFamily, qualifier, cell.timestamp, CellType::kDeleteColumn, "", {}});
  }
  const Result<std::vector<store::RejectedRow>> deleted = store_->Delete(table_, {&mutation, 1});
  FENSI_RETURN_IF_ERROR(deleted.status());
  return deleted->empty() ? Status() : deleted->front().reason;
}

Result<int64_t> SharedRow::VersionAbove(const Cell& cell) const {
  // HBase takes the last of all times for "now".
  constexpr int64_t kHighest = INT64_MAX - 1;
  if (cell.timestamp < kHighest) return cell.timestamp + 1;
  const std::string time = std::to_string(cell.timestamp);
  return Status(StatusCode::kInternal,
                "table " + table_ + ", row " + Escape(row_) + ", column i:" + Escape(cell.qualifier) +
                    " has timestamp " + time +
                    ", above which nothing can be put. Somebody wrote it by hand: delete that version, in the "
                    "HBase shell: delete '" +
                    table_ + "', '" + Escape(row_) + "', 'i:" + Escape(cell.qualifier) + "', " + time);
}

Status SharedRow::RaiseAboveRaw(std::vector<Cell>* cells) const {
  std::vector<store::GetRequest::Column> columns;
  for (const Cell& cell : *cells) columns.push_back({kFamily, cell.qualifier});
  std::vector<Cell> raw;
  FENSI_RETURN_IF_ERROR(store::ForEachRawCell(store_, table_, row_, std::move(columns), nullptr,
                                              [&](const Cell& found) { raw.push_back(found); }));
  for (Cell& cell : *cells) FENSI_RETURN_IF_ERROR(RaiseAboveRaw(raw, &cell));
  return {};
}

Status SharedRow::RaiseAboveRaw(const std::vector<Cell>& raw, Cell* cell) const {
  std::set<int64_t> deleted_versions;  // by markers that hide nothing else
  Cell newest{.family = kFamily, .qualifier = cell->qualifier, .timestamp = kFirstVersion - 1};
  for (const Cell& found : raw) {
    if (found.qualifier != cell->qualifier && !IsFamilyMarker(found.type)) continue;
    const bool of_version = found.type == CellType::kDelete || found.type == CellType::kDeleteFamilyVersion;
    if (of_version) deleted_versions.insert(found.timestamp);
    if (!of_version) newest.timestamp = std::max(newest.timestamp, found.timestamp);
  }
  const Result<int64_t> above = VersionAbove(newest);
  FENSI_RETURN_IF_ERROR(above.status());
  cell->timestamp = std::max(cell->timestamp, *above);
  while (deleted_versions.contains(cell->timestamp)) ++cell->timestamp;
  return {};
}

Status SharedRow::Hidden(const std::string& qualifier) const {
  return Status(StatusCode::kConfiguration,
                "table " + table_ + ", row " + Escape(row_) + ", column i:" + Escape(qualifier) +
                    ": a delete marker hides what fensi puts there, because somebody deleted cells of this row. Run "
                    "major_compact '" +
                    table_ + "' in the HBase shell, which removes the marker, and start the command again");
}

Status SharedRow::WriteShown(const std::string& qualifier, int64_t version, std::string value) const {
  FENSI_RETURN_IF_ERROR(Write(qualifier, version, std::move(value)));
  const Result<std::optional<Cell>> shown = Read(qualifier);
  FENSI_RETURN_IF_ERROR(shown.status());
  return shown->has_value() && (*shown)->timestamp >= version ? Status() : Hidden(qualifier);
}

Status SharedRow::TooManyTries(const std::string& qualifier) const {
  return Status(StatusCode::kUnavailable, "table " + table_ + ", row " + Escape(row_) +
                                              ", column i:" + Escape(qualifier) + ": other processes changed it " +
                                              std::to_string(kMostTries) + " times meanwhile; try again");
}

Result<Cell> SharedRow::Replace(const std::string& qualifier, const std::optional<Cell>& known,
                                const std::string& value, std::vector<Cell> others) const {
  constexpr std::chrono::milliseconds kFirstPause(50), kLongestPause(2'000);
  constexpr std::chrono::minutes kLongestUnknown(10);
  constexpr int kMostHidden = 10;
  const Result<int64_t> version = known ? VersionAbove(*known) : Result<int64_t>(kFirstVersion);
  FENSI_RETURN_IF_ERROR(version.status());
  // Nobody would notice that one of the others is hidden.
  if (!others.empty()) FENSI_RETURN_IF_ERROR(RaiseAboveRaw(&others));
  others.push_back(CellOf(qualifier, *version, value));
  store::ConditionalPut change{{row_, std::move(others)}, kFamily, qualifier, known ? known->value : ""};
  const std::chrono::milliseconds began = clock_->SinceBoot();
  int hidden = 0;
  for (std::chrono::milliseconds pause = kFirstPause;; pause = std::min(2 * pause, kLongestPause)) {
    const Result<bool> replaced = store_->CompareAndPut(table_, change);
    if (!replaced.ok() && replaced.status().code() != StatusCode::kUnavailable) return replaced.status();
    Result<std::optional<Cell>> now = Read(qualifier);
    FENSI_RETURN_IF_ERROR(now.status());
    if (now->has_value() && (!known || (*now)->value != known->value)) return std::move(**now);
    if (!now->has_value() && known)
      return Status(StatusCode::kNotFound, "row " + row_ + " of table " + table_ + " lost its column " + qualifier +
                                               " meanwhile: somebody deleted it. Run the same line again");
    if (!replaced.ok() && clock_->SinceBoot() - began >= kLongestUnknown) return replaced.status();
    if (replaced.ok() && ++hidden > kMostHidden) return Hidden(qualifier);
    if (replaced.ok()) FENSI_RETURN_IF_ERROR(RaiseAboveRaw(&change.put.cells));
    clock_->Sleep(pause);
  }
}

Status SharedRow::Set(const std::string& qualifier, const std::string& value,
                      const std::function<Status(const Cell&)>& allow) const {
  for (int tries = 0; tries < kMostTries; ++tries) {
    const Result<std::optional<Cell>> known = Read(qualifier);
    FENSI_RETURN_IF_ERROR(known.status());
    if (known->has_value() && (*known)->value == value) return {};
    if (known->has_value() && allow) FENSI_RETURN_IF_ERROR(allow(**known));
    FENSI_RETURN_IF_ERROR(Replace(qualifier, *known, value).status());
  }
  return TooManyTries(qualifier);
}

}  // namespace fensi::meta
