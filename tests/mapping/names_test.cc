// Tables and topics that fensi keeps for itself are neither source nor index of any mapping, in whichever file they
// stand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::mapping {
namespace {

/// A file of one index; `keys` are lines of it.
std::string FileWith(const std::string& source, const std::string& index, const std::string& keys,
                     const std::string& top = "") {
  return "source: " + source + "\n" + top + "indexes:\n  " + index +
         ":\n    row: '{f:v}'\n    columns: { 'f:{row}': '' }\n" + keys;
}

std::string SaidOf(const std::vector<std::string>& files) {
  std::vector<MappingText> texts;
  for (const std::string& file : files) texts.push_back({std::to_string(texts.size()) + ".yaml", file});
  Environment environment;
  environment.meta_tables.emplace_back("our:meta");
  Diagnostics diagnostics;
  const std::vector<Mapping> mappings = Load(texts, &diagnostics, environment);
  EXPECT_EQ(mappings.size() == files.size(), diagnostics.errors() == 0);
  return diagnostics.Text();
}

struct NameCase {
  const char* what;
  std::vector<std::string> files;
  std::string said;  // empty: nothing
};

std::vector<NameCase> OwnTables() {
  const std::string other = FileWith("s", "y", "    table: y\n    state_table: y_states\n");
  const std::string period = "    retention: 400d\n    table: '%_{f:t | int | from_ms | time %Y}'\n";
  const auto of = [&](const char* begin) { return std::string(period).replace(period.find('%'), 1, begin); };
  const std::string of_fensi = "already belongs to fensi itself";
  return {
      {"index is the meta table", {FileWith("s", "x", "    table: fensi_meta\n")}, of_fensi},
      {"index is the meta table, in full", {FileWith("s", "x", "    table: 'default:fensi_meta'\n")}, of_fensi},
      {"index is the meta table of the command line", {FileWith("s", "x", "    table: 'our:meta'\n")}, of_fensi},
      {"states are in the meta table", {FileWith("s", "x", "    table: x\n    state_table: fensi_meta\n")}, of_fensi},
      {"source is the meta table", {FileWith("fensi_meta", "x", "    table: x\n")}, of_fensi},
      {"source is the meta table of the command line", {FileWith("'our:meta'", "x", "    table: x\n")}, of_fensi},
      {"index is a state table",
       {other, FileWith("s", "x", "    table: y_states\n")},
       "belongs to the row states of index 'y'"},
      {"a state table is an index", {FileWith("s", "x", "    table: y_states\n"), other}, "belongs to index 'x'"},
      {"source is a state table",
       {other, FileWith("y_states", "x", "    table: x\n")},
       "belongs to the row states of index 'y'"},
      {"a state table is a source",
       {FileWith("y_states", "x", "    table: x\n"), other},
       "is the source of another index"},
      {"source is the table of an index", {other, FileWith("y", "x", "    table: x\n")}, ""},
      {"index is a table of HBase", {FileWith("s", "x", "    table: 'hbase:meta'\n")}, "belongs to HBase itself"},
      {"source is a table of HBase", {FileWith("'hbase:acl'", "x", "    table: x\n")}, "belongs to HBase itself"},
      {"period tables beside a state table of another file",
       {FileWith("s", "z", "    table: z\n    state_table: v_2016\n"), FileWith("s", "x", of("v"))},
       "may be named 'v_2016', which is the state table of index 'z'"},
      {"a state table beside period tables of another file",
       {FileWith("s", "x", of("v")), FileWith("s", "z", "    table: z\n    state_table: v_2016\n")},
       "1.yaml:3:3: error: a table of index 'x' may be named 'v_2016', which is the state table of index 'z'"},
      {"a source beside period tables of another file",
       {FileWith("s", "x", of("v")), FileWith("v_2016", "z", "    table: z\n")},
       "may be named 'v_2016', which is the source table"},
      {"period tables beside other tables", {other, FileWith("s", "x", of("v"))}, ""},
  };
}

std::vector<NameCase> OwnTopics() {
  const std::string other = FileWith("s", "y", "    table: y\n");
  const std::string table = "    table: x\n";
  return {
      {"stream is a control topic",
       {other, FileWith("t", "x", table, "topic: y.requests\n")},
       "'y.requests' holds requests"},
      {"stream is a dead-letter topic",
       {other, FileWith("t", "x", table, "topic: y.dead\n")},
       "'y.dead' holds dead letters"},
      {"dead letters in a control topic",
       {other, FileWith("t", "x", table + "    dead_letters: y.requests\n")},
       "'y.requests' holds requests"},
      {"dead letters in a stream", {other, FileWith("t", "x", table + "    dead_letters: s\n")}, "'s' holds changes"},
      {"a control topic is a stream",
       {FileWith("t", "x", table, "topic: y.requests\n"), other},
       "'y.requests' holds changes"},
      {"stream is a topic of Kafka",
       {FileWith("t", "x", table, "topic: __consumer_offsets\n")},
       "belongs to Kafka itself"},
      {"dead letters in a topic of Kafka",
       {FileWith("t", "x", table + "    dead_letters: __transaction_state\n")},
       "belongs to Kafka itself"},
      {"two indexes share dead letters", {other, FileWith("t", "x", table + "    dead_letters: y.dead\n")}, ""},
  };
}

TEST(Names, ThatFensiKeepsForItselfAreRefused) {
  for (const auto& cases : {OwnTables(), OwnTopics()}) {
    for (const NameCase& one : cases) {
      const std::string said = SaidOf(one.files);
      if (one.said.empty()) {
        EXPECT_THAT(said, ::testing::Not(HasSubstr("error:"))) << one.what;
      } else {
        EXPECT_THAT(said, HasSubstr(one.said)) << one.what;
      }
    }
  }
}

}  // namespace
}  // namespace fensi::mapping
