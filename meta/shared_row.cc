#include "meta/shared_row.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/bytes.h"

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

Result<Cell> SharedRow::Replace(const std::string& qualifier, const std::optional<Cell>& known,
                                const std::string& value, std::vector<Cell> others) const {
  constexpr std::chrono::milliseconds kFirstPause(50), kLongestPause(2'000);
  int64_t version = kFirstVersion;
  if (known) {
    const Result<int64_t> above = VersionAbove(*known);
    FENSI_RETURN_IF_ERROR(above.status());
    version = *above;
  }
  others.push_back(CellOf(qualifier, version, value));
  const store::ConditionalPut change{{row_, std::move(others)}, kFamily, qualifier, known ? known->value : ""};
  for (std::chrono::milliseconds pause = kFirstPause;; pause = std::min(2 * pause, kLongestPause)) {
    const Result<bool> replaced = store_->CompareAndPut(table_, change);
    if (!replaced.ok() && replaced.status().code() != StatusCode::kUnavailable) return replaced.status();
    Result<std::optional<Cell>> now = Read(qualifier);
    FENSI_RETURN_IF_ERROR(now.status());
    if (now->has_value() && (!known || (*now)->value != known->value)) return std::move(**now);
    if (!now->has_value() && known)
      return Status(StatusCode::kNotFound,
                    "row " + row_ + " of table " + table_ + " lost its column " + qualifier + " meanwhile");
    clock_->Sleep(pause);
  }
}

Status SharedRow::Set(const std::string& qualifier, const std::string& value) const {
  for (;;) {
    const Result<std::optional<Cell>> known = Read(qualifier);
    FENSI_RETURN_IF_ERROR(known.status());
    if (known->has_value() && (*known)->value == value) return {};
    FENSI_RETURN_IF_ERROR(Replace(qualifier, *known, value).status());
  }
}

}  // namespace fensi::meta
