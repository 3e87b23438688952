#include "operations/lookup/index_reader.h"

#include "base/hbase_limits.h"
#include "operations/access/row_pages.h"
#include "operations/shell/shell_lines.h"

namespace fensi::operations {
namespace {

using mapping::Index;
using mapping::KeyRange;

/// A key whose last given part neither ends nor has a width: keys of longer values begin with the same bytes.
bool SharesPrefix(const Index& index, std::vector<std::string> parts) {
  if (parts.empty()) return false;
  const auto given = mapping::EncodeKey(index, parts);
  parts.back() += 'x';
  const auto longer = mapping::EncodeKey(index, parts);
  return given.ok() && longer.ok() && !given->complete && longer->prefixes.front().starts_with(given->prefixes.front());
}

bool IsOneRow(const KeyRange& range) { return range.stop == RowAfter(range.start); }

}  // namespace

Result<IndexReader> IndexReader::Plan(const Index& index, mapping::LookupRequest request) {
  auto lookup = mapping::PlanLookup(index, request);
  if (!lookup.ok()) return lookup.status();
  return IndexReader(index, std::move(request), std::move(*lookup));
}

Result<int64_t> IndexReader::Read(store::Store* store, int64_t max_rows, const Use& use) const {
  int64_t shown = 0;
  const auto wanted = [&] { return max_rows == 0 || shown < max_rows; };
  for (const KeyRange& range : lookup_->ranges()) {
    for (const std::string& table : tables_) {
      store::ScanRequest request;
      request.start_row = range.start;
      request.stop_row = range.stop;
      const Status status = ScanWhile(store, table, request, [&](const store::Row& row) {
        if (wanted()) shown += ShowRow(table, row, use) ? 1 : 0;
        return wanted();
      });
      const bool gone = status.code() == StatusCode::kNotFound && index_->table_is_template();
      if (!status.ok() && !gone) return status;
      if (!wanted()) return shown;
    }
  }
  return shown;
}

bool IndexReader::ShowRow(const std::string& table, const store::Row& row, const Use& use) const {
  std::vector<mapping::Entry> cells;
  for (const Cell& cell : row.cells) cells.push_back({table, row.row, cell.family, cell.qualifier, cell.value});
  const std::vector<mapping::Lookup::Hit> hits = lookup_->Hits(cells);
  for (const auto& hit : hits) use(table, {row.row, {row.cells[hit.cell]}}, hit.known);
  return !hits.empty();
}

std::string IndexReader::ShellCommands() const {
  std::string text;
  for (const std::string& table : tables_) {
    for (const KeyRange& range : lookup_->ranges()) {
      if (IsOneRow(range)) {
        text += "get " + ShellText(table) + ", " + ShellText(range.start) + "\n";
        continue;
      }
      text += "scan " + ShellText(table) + ", {STARTROW => " + ShellText(range.start);
      if (!range.stop.empty()) text += ", STOPROW => " + ShellText(range.stop);
      text += "}\n";
    }
  }
  if (lookup_->ranges_suffice() || text.empty()) return text;
  if (request_.area) return text + "# the cells reach beyond the area: compare the positions, as `fensi lookup` does\n";
  if (!SharesPrefix(*index_, request_.parts)) {
    return text + "# this brings other row keys, too: leave out what was not asked for, as `fensi lookup` does\n";
  }
  return text + "# no filter of HBase can tell where " + mapping::KeyPartNames(*index_)[request_.parts.size() - 1] +
         " ends in these row keys: leave out longer values than " + ShellText(request_.parts.back()) +
         ", as `fensi lookup` does\n";
}

}  // namespace fensi::operations
