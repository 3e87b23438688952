// One index as its mapping file defines it, checked and with its templates compiled.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mapping/changelog_spec.h"
#include "mapping/create_spec.h"
#include "mapping/definition/condition.h"
#include "mapping/source_row.h"
#include "mapping/template/compile.h"
#include "mapping/template/program.h"

namespace fensi::mapping {

struct ColumnRule {
  std::string family;
  Template qualifier;
  Template value;
};

struct Each {
  Fanout fanout = Fanout::kNone;
  std::vector<Watch> columns;    // kColumns
  std::optional<Template> list;  // kList: one part
  std::string text;              // canonical
};

struct IndexDefinition {
  std::string name;
  std::string source_table;
  std::string topic;
  std::string table;  // of a period table the plain text before the period
  std::optional<Template> table_template;
  Part period;  // of a period table: the steps that give the time in its name
  std::optional<int32_t> keep_seconds;
  std::string state_table;
  std::string group;
  std::string dead_letter_topic;
  Each each;
  std::vector<Slot> slots;  // columns that templates name
  Template row;
  std::vector<ColumnRule> columns;
  std::vector<Condition> when;
  std::optional<size_t> exists;  // a slot
  bool shared = false;
  bool unique = false;
  bool expire_exactly = false;
  Scheme scheme = Scheme::kState;  // as in the file
  CreateSpec create;
  std::optional<ChangelogSpec> changelog;
  std::set<std::string> allow;  // codes of warnings
};

}  // namespace fensi::mapping
