#include "operations/mappings/index_summary.h"

#include "base/text.h"
#include "mapping/key_layout.h"
#include "mapping/lookup.h"
#include "operations/json/json_line.h"

namespace fensi::operations {
namespace {

using mapping::Index;

bool IsStateless(const Index& index) { return index.scheme() == mapping::Scheme::kStateless; }

/// The scheme of the index, and why not the cheaper one.
std::string ClassText(const Index& index) {
  constexpr char kStateless[] =
      "each index cell follows one source cell, at its timestamp, or above it after an ambiguous event";
  if (IsStateless(index)) return std::string("stateless: ") + kStateless;
  if (index.stateless_obstacle().empty()) return std::string("stateful; 'mode: stateless' is possible: ") + kStateless;
  return "stateful: " + index.stateless_obstacle();
}

/// The content of the state table, in words.
std::string StateText(const Index& index) {
  const bool each = index.state_scope() == mapping::StateScope::kColumn;
  if (!IsStateless(index)) return each ? "one cell per bound column" : "one cell per source row";
  return each ? "none per event, one small cell per column that a row ever had" : "none per event";
}

/// Each kind in one call for all rows of a batch.
const char* CostText(const Index& index) {
  return IsStateless(index) ? "1 put or 1 delete marker for each cell that follows it, no read; ambiguous (version "
                              "deletes, times at or below an earlier delete or put) 1 or 2 reads of the source cell"
                            : "at most 1 read of state (none for rows written lately); 1 write of state, 1 put and 1 "
                              "removal for each entry that changes";
}

}  // namespace

std::string IndexSummary(const Index& index) {
  std::string text = "index " + index.name() + "\n";
  text += "  table       " + index.table() + (index.table_is_template() ? "… (one table per period)" : "") + "\n";
  text += "  source      " + index.source_table() + ", topic " + index.topic() + "\n";
  text += "  class       " + ClassText(index) + "\n";
  text += "  state       " + StateText(index) + ", table " + index.state_table() + "\n";
  text += std::string("  each event  ") + CostText(index) + "\n";
  text += "  watches     " + Joined(WatchTexts(index.watches())) + "\n";
  for (const std::string& condition : index.conditions()) text += "  when        " + condition + "\n";
  text += "  key parts   " + Joined(mapping::KeyPartNames(index)) + "\n";
  for (const std::string& line : mapping::KeyLayout(index)) text += "    " + line + "\n";
  for (const std::string& table : index.machine_tables()) text += "  depends on  " + table + "\n";
  if (index.changelog() != nullptr) text += "  changelog   topic " + index.changelog()->topic + ", Debezium's form\n";
  return text + "  group       " + index.group() + ", dead letters " + index.dead_letter_topic() + "\n";
}

std::string IndexSummaryJson(const mapping::Mapping& mapping, const Index& index) {
  nlohmann::ordered_json json = {
      {"file", mapping.path},
      {"index", index.name()},
      {"table", index.table()},
      {"table_is_template", index.table_is_template()},
      {"source", index.source_table()},
      {"topic", index.topic()},
      {"shared", index.shared()},
      {"state_unit", index.state_scope() == mapping::StateScope::kColumn ? "column" : "row"},
      {"state_table", index.state_table()},
      {"mode", IsStateless(index) ? "stateless" : "stateful"},
      {"stateless_obstacle", index.stateless_obstacle()},
      {"each_event", CostText(index)},
      {"watches", WatchTexts(index.watches())},
      {"when", index.conditions()},
      {"key_parts", mapping::KeyPartNames(index)},
      {"key_layout", mapping::KeyLayout(index)},
      {"group", index.group()},
      {"dead_letter_topic", index.dead_letter_topic()},
      {"fingerprint", index.fingerprint()},
      {"machine_tables", index.machine_tables()},
  };
  if (index.changelog() != nullptr) json["changelog_topic"] = index.changelog()->topic;
  return JsonLine(json);
}

}  // namespace fensi::operations
