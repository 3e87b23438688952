// The indexes that the properties are tried on: a mapping, and by hand the entries that a row must have.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "mapping/mapping.h"
#include "tests/indexer/support/source_model.h"

namespace fensi::testing {

/// (index row, "family:qualifier") -> value.
using Entries = std::map<std::pair<std::string, std::string>, std::string>;

struct Rule {
  std::string name;
  std::string index;  // YAML of the index's body, indented by four
  std::function<void(const std::string& row, const SourceModel::VisibleRow&, Entries*)> expect;
  std::string table = "inverse";
  std::vector<std::string> period_tables = {};  // all that there can be; the index row is then TABLE/ROW in Entries
};

/// Key from one value, another value in the entry.
Rule ValueRule();
/// A key of two values of which the second may be absent: it shows what a late put brings to light.
Rule TwoPartRule();
/// Key from two values, the timestamp of one of them in the entry.
Rule CompositeRule();
/// An entry that depends on a column it does not show.
Rule ConditionRule();
/// One entry per column, key from the qualifier.
Rule QualifierRule();
/// One entry per column, key from the value.
Rule FanOutRule();
/// One entry for each item of a list inside of one value.
Rule ListRule();
/// One entry per column, all of them depending on another one.
Rule EachConditionRule();
/// Two columns of the index for one row.
Rule TwoColumnsRule();
/// Key from the row key alone.
Rule RowRule();
std::vector<Rule> AllRules();

/// A copy of one column.
Rule MirrorValueRule();
/// Of a column only when it was written.
Rule MirrorTimeRule();
/// An entry that some values give and others do not.
Rule MirrorWhenRule();
/// Columns that follow different ones.
Rule MirrorColumnsRule();
/// One entry per column, of when it was written.
Rule MirrorEachTimeRule();
/// Two index cells per column, one of them with its value.
Rule MirrorEachValueRule();
/// One entry per column that some values do not give.
Rule MirrorEachWhenRule();
/// `mode: stateless`: kept so where the source is read.
std::vector<Rule> MirrorRules();
std::vector<Rule> RulesWithSource();

/// Several source rows write one cell.
Rule SharedRule();
/// One cell that belongs to one source row at a time.
Rule UniqueRule();
/// Table for the day of a cell, kept for five days.
Rule PeriodRule();
constexpr int64_t kDayMillis = 86'400'000;

/// For test parameters: GoogleTest allows letters and digits.
std::string RuleName(const ::testing::TestParamInfo<Rule>& rule);
inline void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.name; }

/// The first index of a mapping file; throws what is wrong with it.
std::shared_ptr<const mapping::Index> CompileText(const std::string& text);
/// Table "source" with one index "inverse" by the rule; `options` are more lines of its body.
std::shared_ptr<const mapping::Index> CompileRule(const Rule& rule, const std::string& options = "");
/// `now` in milliseconds: what has expired by then is gone.
Entries Expected(const Rule& rule, const SourceModel& source, int64_t now = 0);

}  // namespace fensi::testing
