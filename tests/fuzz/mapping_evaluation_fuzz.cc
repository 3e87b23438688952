// Any templates on any cells. The input is a text in two pieces with a line "---" between: the lines of one index, and
// the source row followed by its cells as "family:qualifier=value@timestamp", one a line, bytes as \xNN.
#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "base/bytes.h"
#include "mapping/lookup.h"
#include "mapping/mapping.h"
#include "tests/fuzz/bounds.h"

using fensi::Require;
using namespace fensi::mapping;

namespace {

struct OwnedCell {
  std::string family, qualifier, value;
  int64_t timestamp = 1;
};

struct Input {
  std::string mapping = "source: t\navros: r.avsc\nindexes:\n  x:\n    table: x_table\n";
  std::string row;
  std::vector<OwnedCell> cells;
};

/// A record R with every kind of type, which may contain itself.
constexpr char kSchema[] = R"({"type": "record", "name": "R", "fields": [
    {"name": "i", "type": "int"}, {"name": "s", "type": "string"}, {"name": "d", "type": "double"},
    {"name": "e", "type": {"type": "enum", "name": "E", "symbols": ["A", "B"]}},
    {"name": "f", "type": {"type": "fixed", "name": "F", "size": 2}},
    {"name": "a", "type": {"type": "array", "items": "null"}}, {"name": "l", "type": {"type": "array", "items": "R"}},
    {"name": "m", "type": {"type": "map", "values": "bytes"}}, {"name": "n", "type": ["null", "boolean", "R"]}]})";

const Environment& SchemaEnvironment() {
  static const Environment environment = {
      .read_file = [](const std::string&, const std::string&) { return fensi::Result<std::string>(kSchema); }};
  return environment;
}

std::string_view TakeLine(std::string_view* rest) {
  const size_t end = std::min(rest->find('\n'), rest->size());
  const std::string_view line = rest->substr(0, end);
  rest->remove_prefix(std::min(end + 1, rest->size()));
  return line;
}

std::string Bytes(std::string_view text) {
  const fensi::Result<std::string> bytes = fensi::Unescape(text);
  return bytes.ok() ? *bytes : std::string(text);
}

OwnedCell ParseCell(std::string_view line) {
  OwnedCell cell;
  const size_t at = line.rfind('@');
  if (at != std::string_view::npos) {
    for (char c : line.substr(at + 1, 15)) cell.timestamp = cell.timestamp * 10 + (c & 7);
    line = line.substr(0, at);
  }
  const size_t equals = std::min(line.find('='), line.size());
  const size_t colon = std::min(line.find(':'), equals);
  cell.family = Bytes(line.substr(0, colon));
  cell.qualifier = Bytes(line.substr(std::min(colon + 1, equals), equals - std::min(colon + 1, equals)));
  cell.value = Bytes(line.substr(std::min(equals + 1, line.size())));
  return cell;
}

Input Parse(std::string_view text) {
  Input input;
  while (!text.empty()) {
    const std::string_view line = TakeLine(&text);
    if (line == "---") break;
    input.mapping.append("    ").append(line).append("\n");
  }
  input.row = Bytes(TakeLine(&text));
  while (!text.empty()) input.cells.push_back(ParseCell(TakeLine(&text)));
  return input;
}

struct Derived {
  EntryList entries;
  std::vector<Unmappable> problems;
};

void Derive(const Index& index, const std::string& row, const std::vector<VisibleCell>& cells, Derived* out) {
  index.Derive({row, cells}, &out->entries, &out->problems);
}

void CheckEntries(const EntryList& entries) {
  std::vector<std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>> places;
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry entry = entries[i];
    Require(!entry.row.empty() && entry.row.size() <= 32767, "a row key is one that HBase takes");
    Require(!entry.table.empty() && !entry.family.empty(), "an entry has a table and a family");
    places.emplace_back(entry.table, entry.row, entry.family, entry.qualifier);
  }
  std::sort(places.begin(), places.end());
  Require(std::adjacent_find(places.begin(), places.end()) == places.end(), "no cell is given twice");
}

// Nothing but the row decides: not the order of its cells, not what was derived before.
void CheckSame(const Derived& a, const Derived& b) {
  Require(a.entries.size() == b.entries.size() && a.problems.size() == b.problems.size(), "evaluation is a function");
  for (size_t i = 0; i < a.entries.size(); ++i) {
    const Entry x = a.entries[i], y = b.entries[i];
    Require(std::tie(x.row, x.family, x.qualifier, x.value, x.table) ==
                std::tie(y.row, y.family, y.qualifier, y.value, y.table),
            "the same entries in the same order");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > fensi::kMostFuzzBytes) return 0;
  const fensi::TimeBound bound;
  const Input input = Parse({reinterpret_cast<const char*>(data), size});
  Diagnostics diagnostics;
  const std::vector<Mapping> mappings = Load({{"fuzz.yaml", input.mapping}}, &diagnostics, SchemaEnvironment());
  if (mappings.empty()) return 0;
  std::vector<VisibleCell> cells;
  for (const OwnedCell& cell : input.cells) cells.push_back({cell.family, cell.qualifier, cell.timestamp, cell.value});
  const auto column = [](const VisibleCell& c) { return std::tie(c.family, c.qualifier); };
  std::sort(cells.begin(), cells.end(), [&](const auto& a, const auto& b) { return column(a) < column(b); });
  cells.erase(
      std::unique(cells.begin(), cells.end(), [&](const auto& a, const auto& b) { return column(a) == column(b); }),
      cells.end());
  for (const auto& index : mappings[0].indexes) {
    Derived first, second;
    Derive(*index, input.row, cells, &first);
    CheckEntries(first.entries);
    std::reverse(cells.begin(), cells.end());
    Derive(*index, input.row, cells, &second);
    CheckSame(first, second);
    (void)EncodeKey(*index, std::vector<std::string>(KeyPartNames(*index).size(), input.row));
  }
  return 0;
}
