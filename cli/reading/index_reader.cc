#include "cli/reading/index_reader.h"

#include <algorithm>

#include "base/bytes.h"
#include "cli/access/row_pages.h"

namespace fensi::cli {
namespace {

using mapping::Index;

/// A Ruby string in double quotes.
std::string ShellText(std::string_view bytes) {
  std::string out = "\"";
  for (char c : Escape(bytes)) {
    if (c == '"' || c == '#') out += '\\';
    out += c;
  }
  return out + "\"";
}

/// A key whose last given part neither ends nor has a width: keys of longer values begin with the same bytes.
bool SharesPrefix(const Index& index, std::vector<std::string> parts) {
  if (parts.empty()) return false;
  const auto given = index.EncodeKey(parts);
  parts.back() += 'x';
  const auto longer = index.EncodeKey(parts);
  return given.ok() && longer.ok() && !given->complete && longer->prefixes.front().starts_with(given->prefixes.front());
}

bool IsOneRow(const Index::KeyRange& range) { return range.stop == range.start + '\0'; }

}  // namespace

Result<IndexReader> IndexReader::Plan(const Index& index, LookupRequest request) {
  IndexReader reader(index);
  // The bounds of a period table choose its tables; where the row key has no time of its own that is all they do.
  auto ranges = index.EncodeRange(request.parts, request.from, request.to);
  if (!ranges.ok() && index.table_is_template()) ranges = index.EncodeRange(request.parts, "", "");
  if (!ranges.ok()) return ranges.status();
  const bool bounded = !request.from.empty() || !request.to.empty();
  if (bounded || !index.table_is_template()) {
    auto tables = index.TablesBetween(request.from, request.to);
    if (!tables.ok()) return tables.status();
    reader.tables_ = std::move(*tables);
  }
  reader.ranges_ = std::move(*ranges);
  reader.names_ = index.key_parts();
  reader.request_ = std::move(request);
  return reader;
}

bool IndexReader::Fits(const std::vector<Index::KnownPart>& known) const {
  for (size_t i = 0; i < request_.parts.size(); ++i) {
    const auto same = [&](const Index::KnownPart& part) { return part.name == names_[i]; };
    const auto found = std::find_if(known.begin(), known.end(), same);
    if (found != known.end() && found->exact && found->value != request_.parts[i]) return false;
  }
  return true;
}

Status IndexReader::Read(store::Store* store, int64_t max_rows, const Use& use) const {
  int64_t shown = 0;
  const auto wanted = [&] { return max_rows == 0 || shown < max_rows; };
  for (const Index::KeyRange& range : ranges_) {
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
      if (!wanted()) return Status();
    }
  }
  return Status();
}

bool IndexReader::ShowRow(const std::string& table, const store::Row& row, const Use& use) const {
  bool any = false;
  for (const Cell& cell : row.cells) {
    const auto known = index_->Decode({table, row.row, cell.family, cell.qualifier, cell.value});
    if (!Fits(known)) continue;
    use({row.row, {cell}}, known);
    any = true;
  }
  return any;
}

std::string IndexReader::ShellCommands() const {
  std::string text;
  for (const std::string& table : tables_) {
    for (const Index::KeyRange& range : ranges_) {
      if (IsOneRow(range)) {
        text += "get " + ShellText(table) + ", " + ShellText(range.start) + "\n";
        continue;
      }
      text += "scan " + ShellText(table) + ", {STARTROW => " + ShellText(range.start);
      if (!range.stop.empty()) text += ", STOPROW => " + ShellText(range.stop);
      text += "}\n";
    }
  }
  if (!SharesPrefix(*index_, request_.parts)) return text;
  return text + "# no filter of HBase can tell where " + names_[request_.parts.size() - 1] +
         " ends in these row keys: leave out longer values than " + ShellText(request_.parts.back()) +
         ", as `fensi lookup` does\n";
}

}  // namespace fensi::cli
