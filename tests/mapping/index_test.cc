// What an index says about itself: scope of its states, names, fingerprint, keys for readers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "mapping/key_layout.h"
#include "mapping/lookup.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::mapping {
namespace {

struct ScopeCase {
  const char* name;
  std::vector<std::string> lines;
  StateScope scope;
};
class StateScopes : public ::testing::TestWithParam<ScopeCase> {};

TEST_P(StateScopes, AreDecidedWhenTheMappingIsLoaded) {
  const auto index = LoadIndex(GetParam().lines);
  EXPECT_EQ(index->state_scope(), GetParam().scope);
}

constexpr auto kRow = StateScope::kRow;
constexpr auto kColumn = StateScope::kColumn;

ScopeCase Each(const char* name, const std::string& each, const std::string& row, const std::string& columns,
               StateScope scope) {
  return {name, {"each: " + each, "row: '" + row + "'", "columns: { " + columns + " }"}, scope};
}

struct MirrorCase {
  std::vector<std::string> lines;
  std::string obstacle;  // a part of it; empty: it can be a stateless index
  bool values = false;
};

TEST(Mirrors, AreIndexesWhoseCellsFollowOneSourceCell) {
  const std::vector<MirrorCase> cases = {
      {{"row: '{row}'", "columns: { 'f:k': '{f:k}' }"}, "", true},
      {{"row: '{row | reverse}'", "columns: { 'f:k': '{f:k@ts | decimal}' }"}, ""},
      {{"row: '{row}'", "columns: { 'f:k': '' }", "requires: 'f:k'"}, ""},
      {{"row: '{row}'", "columns: { 'f:k': '{f:k}' }", "requires: 'f:k'"}, "", true},
      {{"row: '{row}'", "columns: { 'f:k': '' }", "when: ['{f:k} != a']"}, "", true},
      {{"row: '{row}'", "columns: { 'f:k': '{f:k}', 'f:v': '{f:v@ts | decimal}' }"}, "", true},
      {{"row: '{row}'", "columns: { 'f:k': '{f:k | int | decimal}', 'f:v': '{f:k}' }"}, "", true},
      {{"row: '{row}'", "columns: { 'f:k': '{f:k | int | decimal}', 'f:v': '{f:v}' }"},
       "must also remove the other columns of the entry"},
      {{"row: '{row}'", "columns: { 'f:k': '{f:k | after #}', 'f:v': '{f:v}' }"}, "", true},
      {{"row: '{row}'", "columns: { 'f:k': '{f:k}', 'f:v': 'x' }", "requires: 'f:v'"}, "depends on several columns"},
      {{"row: '{row}'", "columns: { 'f:k': '{f:k}' }", "when: ['{f:v} != a']"}, "depends on several columns"},
      {{"row: '{row}'", "columns: { 'f:k': '{f:k}{f:v}' }"}, "not made of exactly one column"},
      {{"row: '{row}'", "columns: { 'f:k': '{f:k | default x}' }", "requires: 'f:k'"}, "'default' lets an entry exist"},
      {{"row: '{f:k}'", "columns: { 'f:{row}': '' }"}, "the row key '{f:k}' has values of the source"},
      {{"row: '{row}'", "columns: { 'f:{f:k}': '' }"},
       "the qualifier of the column 'f:{f:k}' has values of the source"},
      {{"row: '{row}'", "columns: { 'f:': '{f:k}', 'f:n': '{f:v}' }"}, "", true},
      {{"row: '{row}'", "columns: { 'f:a{row}': '{f:k}', 'f:{row}': '{f:v}' }"}, "can be one cell"},
      {{"row: '{f:k}'", "columns: { 'f:k': '{row}' }", "shared: true"}, "several source rows can write"},
      {{"row: 'x'", "columns: { 'f:k': '{f:k}' }", "unique: true"}, "does not name its source row"},
      {{"row: '{row}'", "columns: { 'f:k': '{f:k}' }", "create: { families: { f: { ttl: 1d } } }", "expire: exact"},
       "'expire: exact'"},
      {{"each: f:*", "row: '{qualifier}'", "columns: { 'f:{row}': '{ts | decimal}' }"}, ""},
      {{"each: f:*", "row: '{row}'", "columns: { 'f:{qualifier}': '{value | int | decimal}' }"}, "", true},
      {{"each: f:*", "row: '{row}'", "columns: { 'f:{qualifier}': '' }", "when: ['not {value | json x}']"}, "", true},
      {{"each: f:*", "row: '{value}'", "columns: { 'f:{row}': '' }"}, "has values of the source"},
      {{"each: f:*", "row: '{row}'", "columns: { 'f:k': '{value}' }"}, "two columns of 'each:' can give one cell"},
      {{"each: f:*", "row: '{row}'", "columns: { 'f:{qualifier}': '{f:k}' }"},
       "depends on more than its column of 'each:'"},
      {{"each: '{f:k | split \",\"}'", "row: '{item}'", "columns: { 'f:{row}': '' }"},
       "'each:' over a list makes many entries of one value"},
  };
  for (const MirrorCase& one : cases) {
    const auto index = LoadIndex(one.lines);
    const std::string shown = ::testing::PrintToString(one.lines);
    EXPECT_EQ(index->scheme(), Scheme::kState) << shown;  // nobody asked
    if (one.obstacle.empty()) {
      EXPECT_EQ(index->stateless_obstacle(), "") << shown;
      EXPECT_EQ(index->mirrors_values(), one.values) << shown;
    } else {
      EXPECT_THAT(index->stateless_obstacle(), HasSubstr(one.obstacle)) << shown;
    }
  }
}

TEST(Mirrors, KnowThePlacesOfACellWithoutItsValue) {
  const auto index =
      LoadIndex({"row: 'x{row}'", "columns: { 'f:one': '{f:k}', 'f:two': '{f:v}', 'g:three': '{f:k}' }"});
  const VisibleCell key{.family = "f", .qualifier = "k"};
  EntryList places;
  index->DeriveIndexCells({"r", {&key, 1}}, &places);
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places.size(), index->CountIndexCells("f", "k"));
  EXPECT_EQ(index->CountIndexCells("f", "v"), 1u);
  EXPECT_EQ(places[0].row, "xr");
  EXPECT_EQ(places[0].qualifier, "one");
  EXPECT_EQ(places[1].family, "g");
  places.Clear();
  index->DeriveIndexCells({std::string(kMaxRowBytes, 'r'), {&key, 1}}, &places);
  EXPECT_TRUE(places.empty());  // it has no entry either
}

TEST(Mirrors, AreAskedForInTheFile) {
  const auto index = LoadIndex({"row: '{row}'", "columns: { 'f:k': '{f:k}' }", "mode: stateless"});
  EXPECT_EQ(index->scheme(), Scheme::kStateless);
  EXPECT_EQ(index->fingerprint(), LoadIndex({"row: '{row}'", "columns: { 'f:k': '{f:k}' }"})->fingerprint());
}

TEST(TableNames, AreAsHBaseWritesThem) {
  const std::string index =
      "indexes: { x: { table: 'default:x', state_table: 'default:s', row: '{f:v}', "
      "columns: { 'f:{row}': '' } } }\n";
  Diagnostics diagnostics;
  const std::vector<Mapping> mappings = Load({{"m.yaml", "source: default:t\n" + index}}, &diagnostics, {});
  ASSERT_EQ(mappings.size(), 1u) << diagnostics.Text();
  EXPECT_EQ(mappings[0].source_table, "t");
  EXPECT_EQ(mappings[0].topic, "t");
  EXPECT_EQ(mappings[0].indexes[0]->table(), "x");
  EXPECT_EQ(mappings[0].indexes[0]->state_table(), "s");
  for (const auto& [source, topic] : {std::pair("ns:t", "ns.t"), std::pair("ns.t", "default.ns.t")}) {
    EXPECT_EQ(Load({{"m.yaml", std::string("source: '") + source + "'\n" + index}}, &diagnostics, {}).at(0).topic,
              topic);
  }
  EXPECT_TRUE(Load({{"m.yaml", "source: x\n" + index}}, &diagnostics, {}).empty());
  EXPECT_THAT(diagnostics.Text(), HasSubstr("the table 'x' is also the source table of the index"));
}

TEST(TableNames, OfStatesAreInTheNamespaceOfTheIndexTable) {
  for (const auto& [table, states] :
       {std::pair("ns:x", "ns:i_state"), std::pair("default:x", "i_state"), std::pair("x", "i_state"),
        std::pair("ns:x_{f:t | int | from_ms | time %Y}", "ns:i_state")}) {
    const std::string keep = std::string(table).find('{') == std::string::npos ? "" : "retention: 400d, ";
    const std::string index = std::string("indexes: { i: { table: '") + table + "', " + keep +
                              "row: '{f:v}', columns: { 'f:{row}': '' } } }\n";
    Diagnostics diagnostics;
    const std::vector<Mapping> mappings = Load({{"m.yaml", "source: t\n" + index}}, &diagnostics, {});
    ASSERT_EQ(mappings.size(), 1u) << diagnostics.Text();
    EXPECT_EQ(mappings[0].indexes[0]->state_table(), states);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, StateScopes,
    ::testing::Values(
        ScopeCase{"row", {"row: '{row | reverse}'", "columns: { 'f:': '{f1:v}' }"}, kRow},
        ScopeCase{"row_exists", {"row: '{row}'", "columns: { 'f:': '' }", "requires: f1:v"}, kRow},
        ScopeCase{"row_of_two", {"row: '{row}'", "columns: { 'f:': '{f1:v}', 'f:w': '{f1:w}' }"}, kRow},
        ScopeCase{"row_partial", {"row: '{row}'", "columns: { 'f:': '{f1:v | int | to_be 8}' }"}, kRow},
        ScopeCase{"row_when", {"row: '{row}'", "columns: { 'f:': '{f1:v}' }", "when: [ '{f1:v} == x' ]"}, kRow},
        ScopeCase{"row_shared", {"row: '{row}'", "columns: { 'f:': '{f1:v}' }", "shared: true"}, kRow},
        ScopeCase{"value", {"row: '{f1:v}'", "columns: { 'f:{row}': '' }"}, kRow},
        Each("wide", "f1:*", "{qualifier}", "'f:{row}': '{ts | decimal}'", kColumn),
        Each("wide_two_families", "[ 'f1:*', 'f2:*' ]", "{qualifier}", "'f:{row}': ''", kRow),
        Each("wide_families_kept", "[ 'f1:*', 'f2:*' ]", "{family | terminated}{qualifier}", "'f:{row}': ''", kColumn),
        Each("wide_open_in_front_of_an_end", "f1:*", "{row | terminated}", "'f:{qualifier}{value | terminated}': ''",
             kRow),
        Each("wide_families_that_begin_alike", "[ 'f:*', 'fa:*' ]", "{row | terminated}",
             "'f:{family}{qualifier | terminated}': ''", kRow),
        Each("wide_families_of_one_width", "[ 'f:*', 'g:*' ]", "{row | terminated}",
             "'f:{family}{qualifier | terminated}': ''", kColumn),
        Each("wide_in_two_columns_that_meet", "f1:*", "{row}", "'f:{qualifier}': '', 'f:x{qualifier}': ''", kRow),
        Each("wide_in_two_columns_apart", "f1:*", "{row}", "'f:a{qualifier}': '', 'f:x{qualifier}': ''", kColumn),
        Each("wide_lossy", "f1:*", "{qualifier | lower}", "'f:{row}': ''", kRow),
        Each("wide_by_value", "f1:*", "{value}", "'f:{row | terminated}{qualifier}': ''", kColumn),
        Each("wide_and_column", "f1:*", "{qualifier}", "'f:{row}': '{g:x}'", kRow),
        Each("list", "'{f1:tags | split \",\"}'", "{item}", "'f:{row}': ''", kRow)),
    [](const auto& param) { return std::string(param.param.name); });

TEST(Index, HasNamesThatCanBeOverridden) {
  const std::vector<std::string> lines = {"row: '{f:v}'", "columns: { 'f:{row}': '' }"};
  const auto index = LoadIndex(lines);
  EXPECT_THAT((std::vector{index->name(), index->source_table(), index->topic(), index->table(), index->state_table(),
                           index->group(), index->dead_letter_topic()}),
              ElementsAre("x", "t", "t", "x_table", "x_state", "fensi-x", "x.dead"));
  std::vector<std::string> named = lines;
  named.insert(named.end(), {"state_table: ns:s", "group: g", "dead_letters: d"});
  EXPECT_EQ(LoadIndex(named)->state_table(), "ns:s");
  EXPECT_EQ(LoadIndex(named)->group(), "g");
  EXPECT_EQ(LoadIndex(named)->fingerprint(), index->fingerprint());
}

TEST(Fingerprint, DependsOnWhatDecidesEntriesAndOnNothingElse) {
  const auto print = [](const char* row, const char* more) {
    return LoadIndex({row, "columns: { 'f:{row}': '' }", more})->fingerprint();
  };
  const std::string plain = print("row: '{f:v | lower}'", "");
  EXPECT_EQ(plain.size(), 32u);
  EXPECT_EQ(plain, print("row: '{  f:v|lower }'", "create: { split: { hex: 4 } }"));
  EXPECT_NE(plain, print("row: '{f:v | upper}'", ""));
  EXPECT_NE(plain, print("row: '{f:v | lower}'", "when: [ '{f:w}' ]"));
}

// An index that exists is taken up again only while its definition reads as it was stored.
TEST(Fingerprint, OfConditionsIsThatOfEarlierVersions) {
  const auto definition = [](const std::string& when) {
    return LoadIndex({"row: '{f:v}'", "columns: { 'f:{row}': '' }", "when: [ '" + when + "' ]"})->definition();
  };
  const std::string common = "source: t\ntable: x_table\nrow: {f:v}\ncolumns:\n  f:{row} = \n";
  EXPECT_EQ(definition("{f:s | default active} != blocked"),
            common + "when:\n  {f:s | default \"active\"} != blocked\n");
  EXPECT_EQ(definition("{f:s | int}>=+10"), common + "when:\n  {f:s | int} >= 10\n");
  EXPECT_EQ(definition("{f:s}"), common + "when:\n  {f:s}\n");
  EXPECT_EQ(definition("{f:s} == \"a b\""), common + "when:\n  {f:s} == a b\n");
  EXPECT_EQ(definition("not {f:s}"), common + "conditions:\n  not {f:s}\n");
}

// An index whose entries were made of longer values than `match` takes now is to be built anew.
TEST(Fingerprint, NamesTheVersionsOfFunctionsThatGiveOtherResultsThanBefore) {
  const auto definition = [](const std::string& value) {
    return LoadIndex({"row: '{f:v}'", "columns: { 'f:{row}': '" + value + "' }"})->definition();
  };
  const std::string common = "source: t\ntable: x_table\nrow: {f:v}\ncolumns:\n  f:{row} = ";
  EXPECT_EQ(definition("{f:v | match /a/}"), common + "{f:v | match /a/}\nfunctions:\n  match 2\n");
  EXPECT_EQ(definition("{f:v | json a | lower}"), common + "{f:v | json \"a\" | lower}\nfunctions:\n  json 2\n");
}

constexpr char kOrder[] =
    "syntax = \"proto2\"; package p; message Order { optional string no = 1; optional Item item = 2; }";
constexpr char kItem[] = "message Item { enum Kind { A = 0; B = 1; } optional Kind kind = 1; }";

std::string FingerprintWith(const std::string& proto, const std::string& value) {
  Environment environment = TestEnvironment();
  environment.read_file = [&proto](const std::string&, const std::string&) { return Result<std::string>(proto); };
  Diagnostics diagnostics;
  const MappingText file{"test.yaml",
                         "source: t\nprotos: m.proto\nindexes:\n  x:\n    table: xt\n    row: '{f:v}'\n"
                         "    columns: { 'f:{row}': '" +
                             value + "' }\n"};
  const std::vector<Mapping> mappings = Load({file}, &diagnostics, environment);
  return mappings.empty() ? diagnostics.Text() : mappings[0].indexes[0]->fingerprint();
}

TEST(Fingerprint, CoversTheMessagesThatAreUsed) {
  const std::string used = "{f:v | proto p.Order no}";
  const std::string plain = FingerprintWith(kOrder + std::string(kItem), used);
  ASSERT_EQ(plain.size(), 32u) << plain;
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string proto = kOrder + std::string(kItem);
    const size_t at = proto.find(from);
    proto.replace(at, from.size(), to);
    return FingerprintWith(proto, used);
  };
  EXPECT_NE(plain, changed("string no = 1", "string no = 3"));
  EXPECT_NE(plain, changed("string no = 1", "bytes no = 1"));
  EXPECT_NE(plain, changed("string no = 1", "string no = 1 [default = \"x\"]"));
  EXPECT_NE(plain, changed("optional string no", "required string no"));
  EXPECT_NE(plain, changed("B = 1;", "C = 1;")) << "of a message inside";
  EXPECT_NE(plain, changed("message Item {", "message Item { optional bool more = 9;"));
}

TEST(Fingerprint, DoesNotDependOnHowAMessageIsWritten) {
  const std::string used = "{f:v | proto p.Order no}";
  const std::string plain = FingerprintWith(kOrder + std::string(kItem), used);
  EXPECT_EQ(plain, FingerprintWith(kOrder + std::string(" // a comment\n") + kItem + " message Other {}", used));
  EXPECT_EQ(plain, FingerprintWith("syntax = \"proto2\"; package p; " + std::string(kItem) +
                                       " message Order { optional Item item = 2; optional string no = 1; }",
                                   used));
}

constexpr char kParcel[] = R"({"type": "record", "name": "Parcel", "namespace": "p", "fields": [
    {"name": "no", "type": "string"},
    {"name": "kind", "type": ["null", {"type": "enum", "name": "Kind", "symbols": ["A", "B"]}]},
    {"name": "hash", "type": {"type": "fixed", "name": "Hash", "size": 4}}]})";

std::string FingerprintWithAvro(const std::string& schema) {
  Environment environment = TestEnvironment();
  environment.read_file = [&schema](const std::string&, const std::string&) { return Result<std::string>(schema); };
  Diagnostics diagnostics;
  const MappingText file{"test.yaml",
                         "source: t\navros: m.avsc\nindexes:\n  x:\n    table: xt\n    row: '{f:v}'\n"
                         "    columns: { 'f:{row}': '{f:v | avro p.Parcel no}' }\n"};
  const std::vector<Mapping> mappings = Load({file}, &diagnostics, environment);
  return mappings.empty() ? diagnostics.Text() : mappings[0].indexes[0]->fingerprint();
}

TEST(Fingerprint, CoversTheRecordsThatAreUsed) {
  const std::string plain = FingerprintWithAvro(kParcel);
  ASSERT_EQ(plain.size(), 32u) << plain;
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string schema = kParcel;
    schema.replace(schema.find(from), from.size(), to);
    return FingerprintWithAvro(schema);
  };
  EXPECT_NE(plain, changed("\"string\"", "\"bytes\""));
  EXPECT_NE(plain, changed("\"kind\"", "\"sort\""));
  EXPECT_NE(plain, changed("[\"A\", \"B\"]", "[\"B\", \"A\"]")) << "of a type inside";
  EXPECT_NE(plain, changed("\"size\": 4", "\"size\": 5"));
  EXPECT_NE(plain, changed("[\"null\", ", "[\"null\", \"int\", "));
  EXPECT_EQ(plain, changed("\"fields\"", "\"doc\": \"text\", \"aliases\": [\"Box\"], \"fields\""));
  EXPECT_EQ(plain, changed("\"string\"", R"({"type": "string", "logicalType": "uuid"})"));
  EXPECT_EQ(plain, changed("\"name\": \"Kind\"", "\"name\": \"p.Kind\""));
  std::string beside = kParcel;
  beside = "[" + beside + R"(, {"type": "record", "name": "Other", "fields": []}])";
  EXPECT_EQ(plain, FingerprintWithAvro(beside));
}

TEST(Index, WatchesItsColumnsPrefixesAndFamilies) {
  const auto index = LoadIndex({"each: f1:tag_*", "row: '{qualifier}{g:x | fixed 2}'", "columns: { 'f:{row}': '' }"});
  EXPECT_TRUE(index->Watches("f1", "tag_a"));
  EXPECT_FALSE(index->Watches("f1", "other"));
  EXPECT_TRUE(index->Watches("g", "x"));
  EXPECT_FALSE(index->Watches("g", "xx"));
  EXPECT_TRUE(index->WatchesFamily("g"));
  EXPECT_FALSE(index->WatchesFamily("f"));
}

std::vector<std::string> Prefixes(const Index& index, const std::vector<std::string>& parts) {
  const Result<KeyPrefix> key = EncodeKey(index, parts);
  if (!key.ok()) return {key.status().message()};
  std::vector<std::string> out;
  for (const std::string& prefix : key->prefixes) out.push_back(Escape(prefix));
  out.push_back(key->complete ? "complete" : "prefix");
  return out;
}

TEST(EncodeKey, GivesTheLongestPrefixThatThePartsDecide) {
  const auto index =
      LoadIndex({"row: 's-{o:seller | terminated}{o:time | int | to_be 8}{row}'", "columns: { 'f:': '{o:no}' }"});
  EXPECT_THAT(KeyPartNames(*index), ElementsAre("o:seller", "o:time", "row"));
  EXPECT_THAT(Prefixes(*index, {}), ElementsAre("s-", "prefix"));
  EXPECT_THAT(Prefixes(*index, {"x"}), ElementsAre("s-x\\x00\\x00", "prefix"));
  EXPECT_THAT(Prefixes(*index, {"x", "1", "r"}),
              ElementsAre("s-x\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01r", "complete"));
}

TEST(EncodeKey, RefusesTooManyPartsAndWrongValues) {
  const auto index = LoadIndex({"row: '{o:n | int | decimal 3}'", "columns: { 'f:{row}': '' }"});
  EXPECT_THAT(Prefixes(*index, {"1", "2"}),
              ElementsAre(HasSubstr("2 parts are given, but the row key of index x has only 1")));
  EXPECT_THAT(Prefixes(*index, {"abc"}), ElementsAre(HasSubstr("\"abc\" is not a whole number")));
}

TEST(EncodeKey, TriesEverySaltThatTheReaderCannotKnow) {
  const auto index = LoadIndex({"row: '{row | md5 | first 4 | u32 | mod 3 | to_be 1}{o:seller | terminated}{row}'",
                                "columns: { 'f:': '{o:no}' }"});
  EXPECT_THAT(KeyPartNames(*index), ElementsAre("o:seller", "row"));
  EXPECT_THAT(Prefixes(*index, {"s"}),
              ElementsAre("\\x00s\\x00\\x00", "\\x01s\\x00\\x00", "\\x02s\\x00\\x00", "prefix"));
  EXPECT_EQ(Prefixes(*index, {"s", "r"}).size(), 2u);
}

TEST(KeyLayout, SaysWidthAndOrderOfEveryPart) {
  const auto index = LoadIndex(
      {"row: '{o:seller | terminated}{o:time | int | descending | to_be 8}{row}'", "columns: { 'f:': '{o:no}' }"});
  EXPECT_THAT(KeyLayout(*index),
              ElementsAre("{o:seller | terminated}: 2 bytes or more, ended by 00 00, in the order of its values",
                          "{o:time | int | descending | to_be \"8\"}: 8 bytes, in the reverse order of its values",
                          "{row}: 1 byte or more, in the order of its values", "together: 11 bytes or more",
                          "two source rows never write the same cell"));
}

TEST(KeyLayout, SaysWhatUniqueDoesNotPromise) {
  const auto index = LoadIndex({"row: '{o:no}'", "columns: { 'f:': '{row}' }", "unique: true"});
  EXPECT_EQ(KeyLayout(*index).back(),
            "the index is unique: a cell has one source row at a time. A cell may be lost if it moves to another "
            "source row within the clock skew or a few milliseconds, or if several source cells give it and events of "
            "the row arrive out of order");
}

TEST(Create, ReadsFamiliesAndSplits) {
  const auto index = LoadIndex({"row: '{f:v}'", "columns: { 'g:{row}': '' }",
                                "create: { families: { g: { ttl: 2d, versions: 3, bloom: rowcol, compression: gz, "
                                "in_memory: true } }, split: { hex: 4 } }"});
  const CreateSpec& create = index->create();
  ASSERT_EQ(create.families.size(), 1u);
  EXPECT_EQ(create.families[0].ttl_seconds, 172800);
  EXPECT_EQ(create.families[0].versions, 3);
  EXPECT_EQ(create.families[0].bloom, "ROWCOL");
  EXPECT_EQ(create.families[0].compression, "GZ");
  EXPECT_EQ(create.families[0].in_memory, true);
  EXPECT_FALSE(create.families[0].block_cache.has_value());
  EXPECT_THAT(create.split_keys, ElementsAre("4", "8", "c"));
}

TEST(Create, KnowsTheFamiliesOfTheColumnsWithoutBeingTold) {
  const auto index =
      LoadIndex({"row: '{f:v}'", "columns: { 'h:{row}': '', 'g:{row}': '' }", "create: { split: { uniform: 2 } }"});
  ASSERT_EQ(index->create().families.size(), 2u);
  EXPECT_EQ(index->create().families[0].name, "g");
  EXPECT_THAT(index->create().split_keys, ElementsAre("\x80"));
}

TEST(Create, SplitsARegionForEachSalt) {
  const auto keys = [](const std::string& salts) {
    return LoadIndex({"row: '{row | salt " + salts + "}{f:v}'", "columns: { 'f:{row}': '' }",
                      "create: { split: { salt: " + salts + " } }"})
        ->create()
        .split_keys;
  };
  EXPECT_THAT(keys("4"), ElementsAre("\x01", "\x02", "\x03"));
  EXPECT_EQ(keys("300").size(), 299u);
  EXPECT_EQ(keys("300").back(), "\x01\x2b");
  EXPECT_THAT(
      DiagnosticsOf({"row: '{row | salt 4}{f:v}'", "columns: { 'f:{row}': '' }", "create: { split: { salt: 8 } }"}),
      HasSubstr("unreachable-split"));
}

}  // namespace
}  // namespace fensi::mapping
