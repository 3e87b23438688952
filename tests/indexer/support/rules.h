// The indexes that the properties are tried on: a mapping, and by hand the entries that a row must have.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "mapping/mapping.h"
#include "support/source_model.h"

namespace fensi::testing {

/// (index row, "family:qualifier") -> value.
using Entries = std::map<std::pair<std::string, std::string>, std::string>;

struct Rule {
  std::string name;
  std::string index;  // YAML of the index's body, indented by four
  std::function<void(const std::string& row, const SourceModel::VisibleRow&, Entries*)> expect;
};

/// Key from one value, another value in the entry.
Rule ValueRule();
/// Key from two values, the timestamp of one of them in the entry.
Rule CompositeRule();
/// An entry that depends on a column it does not show.
Rule ConditionRule();
/// One entry per column, key from the qualifier.
Rule QualifierRule();
/// One entry per column, key from the value.
Rule FanOutRule();
/// Key from the row key alone.
Rule RowRule();
std::vector<Rule> AllRules();

/// For test parameters: GoogleTest allows letters and digits.
std::string RuleName(const ::testing::TestParamInfo<Rule>& rule);
inline void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.name; }

/// The first index of a mapping file; throws what is wrong with it.
std::shared_ptr<const mapping::Index> CompileText(const std::string& text);
/// Table "source" with one index "inverse" by the rule; `options` are more lines of its body.
std::shared_ptr<const mapping::Index> CompileRule(const Rule& rule, const std::string& options = "");
Entries Expected(const Rule& rule, const SourceModel& source);

}  // namespace fensi::testing
