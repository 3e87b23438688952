#include "meta/dropped_tables.h"

#include <optional>
#include <string_view>

namespace fensi::meta {
namespace {

constexpr std::string_view kPrefix = "dropping/";

std::string ColumnOf(const std::string& table) { return std::string(kPrefix) + table; }

}  // namespace

Result<bool> DroppedTables::Has(const std::string& table) const {
  const Result<std::optional<Cell>> cell = row_.Read(ColumnOf(table));
  FENSI_RETURN_IF_ERROR(cell.status());
  return cell->has_value();
}

Result<std::set<std::string>> DroppedTables::All() const {
  std::set<std::string> tables;
  const Result<SharedRow::Cells> cells = row_.ReadAll();
  if (cells.status().code() == StatusCode::kNotFound) return tables;
  FENSI_RETURN_IF_ERROR(cells.status());
  for (const auto& [column, cell] : *cells) {
    if (column.starts_with(kPrefix)) tables.insert(column.substr(kPrefix.size()));
  }
  return tables;
}

Status DroppedTables::Note(const std::string& table) const { return row_.Set(ColumnOf(table), "begun"); }

Status DroppedTables::Forget(const std::string& table) const {
  const Result<std::optional<Cell>> cell = row_.Read(ColumnOf(table));
  FENSI_RETURN_IF_ERROR(cell.status());
  return cell->has_value() ? row_.Forget({{ColumnOf(table), **cell}}) : Status();
}

}  // namespace fensi::meta
