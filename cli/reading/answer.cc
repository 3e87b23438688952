#include "cli/reading/answer.h"

#include <utility>

#include "base/bytes.h"
#include "cli/reading/cell_text.h"

namespace fensi::cli {
namespace {

using mapping::Index;
using mapping::KnownPart;

/// True if the row key is one plain value, which needs no explanation.
bool SpeaksForItself(const Index& index, const store::Row& row, const std::vector<KnownPart>& known) {
  const std::vector<std::string> names = mapping::KeyPartNames(index);
  if (names.size() != 1) return false;
  for (const KnownPart& part : known) {
    if (part.name == names[0]) return part.value == row.row;
  }
  return false;
}

/// The source values of the row key, if it does not show them itself.
std::string MadeOf(const Index& index, const store::Row& row, const std::vector<KnownPart>& known) {
  if (SpeaksForItself(index, row, known)) return "";
  std::string text;
  for (const KnownPart& part : known) {
    text += (text.empty() ? "" : ", ") + part.name + (part.exact ? "=" : "~") + PartText(index, part);
  }
  return text;
}

/// The columns' values as lines show them: "f1:from=b".
std::string CellsText(const store::Row& row, int64_t max_cells) {
  std::string text;
  int64_t shown = 0;
  for (const Cell& cell : row.cells) {
    if (max_cells != 0 && ++shown > max_cells) return text + ", …";
    text += (text.empty() ? "" : ", ") + ColumnText(cell.family, cell.qualifier) + "=" + Escape(cell.value);
  }
  return text;
}

}  // namespace

std::vector<std::string> Answer::MoreColumns() const {
  std::vector<std::string> more;
  if (options_.source_rows || mapping::KeyPartNames(index_).size() > 1) more = {"MADE OF"};
  if (options_.source_rows) more.emplace_back("SOURCE");
  return more;
}

Result<int64_t> Answer::Read(store::Store* store, ShownCells* cells) {
  if (options_.source_rows) return ReadJoined(store, cells);
  return reader_.Read(store, options_.max_rows,
                      [&](const std::string& table, const store::Row& row, const auto& known) {
                        if (cells->Wants(row.row)) Show(table, row, known, nullptr, cells);
                      });
}

Result<int64_t> Answer::ReadJoined(store::Store* store, ShownCells* cells) {
  Status joined;
  SourceJoin join(&index_, store, [&](const JoinedEntry& joined_entry) {
    Show(*joined_entry.table, *joined_entry.entry, *joined_entry.known, &joined_entry, cells);
  });
  const Result<int64_t> rows =
      reader_.Read(store, options_.max_rows, [&](const std::string& table, const store::Row& row, const auto& known) {
        if (joined.ok() && cells->Wants(row.row)) joined = join.Add(table, row, known);
      });
  FENSI_RETURN_IF_ERROR(rows.status());
  if (joined.ok()) joined = join.Finish();
  stale_ = join.stale();
  return joined.ok() ? rows : Result<int64_t>(joined);
}

void Answer::Show(const std::string& table, const store::Row& row, const std::vector<KnownPart>& known,
                  const JoinedEntry* joined, ShownCells* cells) const {
  CellPrinter* printer = cells->printer();
  if (printer->takes_json()) {
    std::string line = DecodedCellJson(index_, row.row, row.cells[0], known);
    if (joined != nullptr) AddSourceJson(joined->source, joined->agrees, &line);
    return printer->AddJson(line);
  }
  std::vector<std::string> more;
  const std::string made_of = MadeOf(index_, row, known);
  if (joined != nullptr) {
    more = {made_of, SourceText(*joined)};
  } else if (!made_of.empty()) {
    more = {made_of};
  }
  printer->Add(table, row.row, row.cells[0], std::move(more));
}

std::string Answer::SourceText(const JoinedEntry& joined) const {
  if (joined.source == nullptr) return "unknown";
  const std::string row = Escape(joined.source->row);
  if (joined.source->cells.empty()) return "STALE " + row + " is gone";
  const char* mark = joined.agrees == false ? "STALE " : (joined.agrees ? "" : "too large to tell ");
  return mark + row + ": " + CellsText(*joined.source, options_.max_cells);
}

}  // namespace fensi::cli
