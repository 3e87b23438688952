#include "meta/versioned_meta_row.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "store/store.h"

namespace fensi::meta {

namespace {

/// A raw read shows a deleted cell and its delete marker until then.
std::string CompactionLines(const std::string& table) {
  return "flush '" + table + "', then major_compact '" + table + "'";
}

}  // namespace

store::TableDescriptor MetaTable(const std::string& name) { return {name, {{.name = kFamily, .max_versions = 10}}}; }

const Cell* FindCell(const VersionedMetaRow::Cells& cells, const std::string& qualifier) {
  const auto at = cells.find(qualifier);
  return at == cells.end() ? nullptr : &at->second;
}

std::string IndexRow(const std::string& index) { return "index:" + index; }

std::string AliasRow(const std::string& alias) { return "alias:" + alias; }

std::string JobRow(const std::string& index, const std::string& kind) { return "job:" + index + ":" + kind; }

Result<VersionedMetaRow::Cells> VersionedMetaRow::Read(const std::vector<std::string>& qualifiers) const {
  store::GetRequest request{.row = row_};
  for (const std::string& qualifier : qualifiers) request.columns.push_back({kFamily, qualifier});
  if (qualifiers.empty()) request.columns.push_back({kFamily, std::nullopt});
  FENSI_ASSIGN_OR_RETURN(std::vector<store::Row> rows, store_->Get(table_, {&request, 1}));
  Cells cells;
  for (Cell& cell : rows.front().cells) cells.emplace(cell.qualifier, std::move(cell));
  return cells;
}

Result<VersionedMetaRow::Cells> VersionedMetaRow::ReadAll() const { return Read(std::vector<std::string>()); }

Result<std::optional<Cell>> VersionedMetaRow::Read(const std::string& qualifier) const {
  FENSI_ASSIGN_OR_RETURN(Cells cells, Read(std::vector{qualifier}));
  if (cells.empty()) return std::optional<Cell>();
  return std::optional<Cell>(std::move(cells.begin()->second));
}

Cell VersionedMetaRow::CellOf(std::string qualifier, int64_t version, std::string value) {
  return {.family = kFamily, .qualifier = std::move(qualifier), .timestamp = version, .value = std::move(value)};
}

Status VersionedMetaRow::Write(std::vector<Cell> cells) const {
  const store::RowMutation mutation{row_, std::move(cells)};
  FENSI_ASSIGN_OR_RETURN(std::vector<store::RejectedRow> written, store_->Put(table_, {&mutation, 1}));
  return written.empty() ? Status() : written.front().reason;
}

Status VersionedMetaRow::Forget(const Cells& cells) const {
  if (cells.empty()) return {};
  store::RowMutation mutation{row_, {}};
  for (const auto& [qualifier, cell] : cells) {
    mutation.cells.push_back({kFamily, qualifier, cell.timestamp, CellType::kDeleteColumn, "", {}});
  }
  FENSI_ASSIGN_OR_RETURN(const std::vector<store::RejectedRow> deleted, store_->Delete(table_, {&mutation, 1}));
  return deleted.empty() ? Status() : deleted.front().reason;
}

Status UnknownValue(const std::string& table, const std::string& row, const std::string& qualifier,
                    const std::string& value) {
  return Status(StatusCode::kInternal,
                "table " + table + ", row " + Escape(row) + ", column i:" + Escape(qualifier) + " holds '" +
                    EscapeSome(value, 100) +
                    "', which this version of fensi cannot read. Use the newest version of fensi that other processes "
                    "use with this store");
}

Result<int64_t> VersionedMetaRow::NextVersion(const Cell& cell) const {
  // HBase takes the last of all times for "now".
  constexpr int64_t kHighest = INT64_MAX - 1;
  if (cell.timestamp < kHighest) return cell.timestamp + 1;
  const std::string time = std::to_string(cell.timestamp);
  return Status(StatusCode::kInternal,
                "table " + table_ + ", row " + Escape(row_) + ", column i:" + Escape(cell.qualifier) +
                    " has timestamp " + time +
                    ", above which fensi cannot put. fensi did not write it. Delete that version in the HBase "
                    "shell: delete '" +
                    table_ + "', '" + Escape(row_) + "', 'i:" + Escape(cell.qualifier) + "', " + time +
                    ". Then remove it from the files of the table: " + CompactionLines(table_));
}

Status VersionedMetaRow::RaiseAboveRaw(std::vector<Cell>* cells) const {
  std::vector<store::GetRequest::Column> columns;
  for (const Cell& cell : *cells) columns.push_back({kFamily, cell.qualifier});
  std::vector<Cell> raw;
  FENSI_RETURN_IF_ERROR(store::ForEachRawCell(store_, table_, row_, std::move(columns),
                                              [&](const Cell& found) { raw.push_back(found); }));
  for (Cell& cell : *cells) FENSI_RETURN_IF_ERROR(RaiseAboveRaw(raw, &cell));
  return {};
}

Status VersionedMetaRow::RaiseAboveRaw(const std::vector<Cell>& raw, Cell* cell) const {
  std::set<int64_t> deleted_versions;  // by markers that hide nothing else
  Cell newest{.family = kFamily, .qualifier = cell->qualifier, .timestamp = kFirstVersion - 1};
  for (const Cell& found : raw) {
    if (found.qualifier != cell->qualifier && !IsFamilyMarker(found.type)) continue;
    const bool of_version = found.type == CellType::kDelete || found.type == CellType::kDeleteFamilyVersion;
    if (of_version) deleted_versions.insert(found.timestamp);
    if (!of_version) newest.timestamp = std::max(newest.timestamp, found.timestamp);
  }
  FENSI_ASSIGN_OR_RETURN(const int64_t above, NextVersion(newest));
  cell->timestamp = std::max(cell->timestamp, above);
  while (deleted_versions.contains(cell->timestamp)) ++cell->timestamp;
  return {};
}

Status VersionedMetaRow::Hidden(const std::string& qualifier) const {
  return Status(
      StatusCode::kConfiguration,
      "table " + table_ + ", row " + Escape(row_) + ", column i:" + Escape(qualifier) +
          ": a delete marker hides what fensi puts there, because a person deleted cells of this row. Remove the "
          "marker in the HBase shell: " +
          CompactionLines(table_) + ". Then start the command again");
}

Status VersionedMetaRow::WriteShown(const std::string& qualifier, int64_t version, std::string value) const {
  FENSI_RETURN_IF_ERROR(Write(qualifier, version, std::move(value)));
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> shown, Read(qualifier));
  return shown.has_value() && shown->timestamp >= version ? Status() : Hidden(qualifier);
}

Status VersionedMetaRow::TooManyTries(const std::string& qualifier) const {
  return Status(StatusCode::kUnavailable, "table " + table_ + ", row " + Escape(row_) +
                                              ", column i:" + Escape(qualifier) +
                                              ": other processes changed the column " + std::to_string(kMostTries) +
                                              " times while fensi tried to write it. Run the command again");
}

Result<Cell> VersionedMetaRow::Replace(const std::string& qualifier, const std::optional<Cell>& known,
                                       const std::string& value, std::vector<Cell> others) const {
  constexpr std::chrono::milliseconds kFirstPause(50), kLongestPause(2'000);
  constexpr std::chrono::minutes kLongestUnknown(10);
  constexpr int kMostHidden = 10;
  FENSI_ASSIGN_OR_RETURN(const int64_t version, known ? NextVersion(*known) : Result<int64_t>(kFirstVersion));
  // Nobody would notice that one of the others is hidden.
  if (!others.empty()) FENSI_RETURN_IF_ERROR(RaiseAboveRaw(&others));
  others.push_back(CellOf(qualifier, version, value));
  store::ConditionalPut change{{row_, std::move(others)}, kFamily, qualifier, known ? known->value : ""};
  const std::chrono::milliseconds began = clock_->MonotonicNow();
  int hidden = 0;
  for (std::chrono::milliseconds pause = kFirstPause;; pause = std::min(2 * pause, kLongestPause)) {
    const Result<bool> replaced = store_->CompareAndPut(table_, change);
    // M12: after a lost reply only a read tells what was written.
    if (!replaced.ok() && replaced.status().code() != StatusCode::kUnavailable) return replaced.status();
    FENSI_ASSIGN_OR_RETURN(std::optional<Cell> now, Read(qualifier));
    if (now.has_value() && (!known || now->value != known->value)) return std::move(*now);
    if (!now.has_value() && known)
      return Status(StatusCode::kNotFound, "table " + table_ + ", row " + row_ +
                                               ": a person deleted column i:" + qualifier +
                                               " while fensi was about to change it. Run the command again");
    if (!replaced.ok() && clock_->MonotonicNow() - began >= kLongestUnknown) return replaced.status();
    if (replaced.ok() && ++hidden > kMostHidden) return Hidden(qualifier);
    // M12: above a delete marker of the cell, which would hide the record.
    if (replaced.ok()) FENSI_RETURN_IF_ERROR(RaiseAboveRaw(&change.put.cells));
    clock_->Sleep(pause);
  }
}

Status VersionedMetaRow::Set(const std::string& qualifier, const std::string& value,
                             const std::function<Status(const Cell&)>& allow) const {
  for (int tries = 0; tries < kMostTries; ++tries) {
    FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> known, Read(qualifier));
    if (known.has_value() && known->value == value) return {};
    if (known.has_value() && allow) FENSI_RETURN_IF_ERROR(allow(*known));
    FENSI_RETURN_IF_ERROR(Replace(qualifier, known, value).status());
  }
  return TooManyTries(qualifier);
}

namespace {

constexpr std::string_view kPrefix = "dropping/";

std::string ColumnOf(const std::string& table) { return std::string(kPrefix) + table; }

}  // namespace

Result<bool> DroppedTables::Has(const std::string& table) const {
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> cell, row_.Read(ColumnOf(table)));
  return cell.has_value();
}

Result<std::set<std::string>> DroppedTables::All() const {
  std::set<std::string> tables;
  const Result<VersionedMetaRow::Cells> cells = row_.ReadAll();
  if (cells.status().code() == StatusCode::kNotFound) return tables;
  FENSI_RETURN_IF_ERROR(cells.status());
  for (const auto& [column, cell] : *cells) {
    if (column.starts_with(kPrefix)) tables.insert(column.substr(kPrefix.size()));
  }
  return tables;
}

Status DroppedTables::Note(const std::string& table) const { return row_.Set(ColumnOf(table), "begun"); }

Status DroppedTables::Forget(const std::string& table) const {
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> cell, row_.Read(ColumnOf(table)));
  return cell.has_value() ? row_.Forget({{ColumnOf(table), *cell}}) : Status();
}

}  // namespace fensi::meta
