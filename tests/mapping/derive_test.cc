#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/explain.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::mapping {
namespace {

const std::vector<std::string> kWideFrom = {"row: '{f1:from}'", "columns: { 'f1:{row}': '{f1:from@ts | decimal}' }"};

TEST(Derive, GivesTheFollowerUnderTheFollowed) {
  EXPECT_THAT(Entries(*LoadIndex(kWideFrom), "a", {"f1:from=b@7"}), ElementsAre("b f1:a=7"));
}

TEST(Derive, GivesNothingForAnAbsentKeyColumn) {
  EXPECT_THAT(Entries(*LoadIndex(kWideFrom), "a", {"f1:other=b"}), IsEmpty());
}

TEST(Derive, ReportsAnEmptyKeyAndOneThatIsTooLong) {
  EXPECT_THAT(Entries(*LoadIndex(kWideFrom), "a", {"f1:from="}),
              ElementsAre("! row '{f1:from}': the row key is empty"));
  TestCell cell("f1:from=b");
  cell.value.assign(32768, 'b');
  EXPECT_THAT(Entries(*LoadIndex(kWideFrom), "a", {cell}),
              ElementsAre("! row '{f1:from}': the row key has 32768 bytes, at most 32767 are possible"));
}

TEST(Derive, FansOutOverTheColumnsOfAFamilyInTheirOrder) {
  const auto index = LoadIndex({"each: f1:*", "row: '{qualifier}'", "columns: { 'f1:{row}': '{ts | decimal}' }"});
  EXPECT_THAT(Entries(*index, "a", {"f1:c=x@2", "f1:b=x@1", "f2:d=x"}), ElementsAre("b f1:a=1", "c f1:a=2"));
}

TEST(Derive, FansOutOverAPrefixAndSeveralFamilies) {
  const auto index = LoadIndex(
      {"each: ['f1:tag_*', 'g:*']", "row: '{family}/{qualifier | terminated}'", "columns: { 'f:{row}': '{value}' }"});
  EXPECT_THAT(Entries(*index, "a", {"f1:tag_x=1", "f1:other=2", "g:=3"}),
              ElementsAre("f1/tag_x\\x00\\x00 f:a=1", "g/\\x00\\x00 f:a=3"));
}

TEST(Derive, FansOutOverAListTrimmedWithoutEmptyOnesAndOnce) {
  const auto index = LoadIndex({"each: '{m:to | split \",\"}'", "row: '{item}'", "columns: { 'f:{row}': '{m:text}' }"});
  EXPECT_THAT(Entries(*index, "m1", {"m:to= b, a,,b ", "m:text=hi"}), ElementsAre("a f:m1=hi", "b f:m1=hi"));
}

TEST(Derive, LeavesOutOnlyTheCellWhoseValueIsAbsent) {
  const auto index = LoadIndex(
      {"row: '{o:no}'", "columns: { 'f:r{row}': '', 'f:s{row}': '{o:seller}', 'f:d{row}': '{o:x | default 0}' }"});
  EXPECT_THAT(Entries(*index, "r", {"o:no=17"}), ElementsAre("17 f:rr=", "17 f:dr=0"));
  EXPECT_THAT(Entries(*index, "r", {"o:seller=s"}), IsEmpty());
}

TEST(Derive, DropsTheWholeEntryWhenAValueIsUnmappable) {
  const auto index = LoadIndex({"row: '{o:no}'", "columns: { 'f:{row}': '', 'g:{row}': '{o:n | int | to_be 4}' }"});
  EXPECT_THAT(Entries(*index, "r", {"o:no=17", "o:n=x7"}),
              ElementsAre("! value '{o:n | int | to_be \"4\"}': \"x7\" is not a whole number"));
}

TEST(Derive, KeepsTheLaterOfEqualCells) {
  const auto index = LoadIndex({"row: '{o:no}'", "columns: { 'f:{row}': '1', 'f:{o:x}': '2' }", "unique: true"});
  EXPECT_THAT(Entries(*index, "r", {"o:no=17", "o:x=r"}), ElementsAre("17 f:r=2"));
  const auto wide = LoadIndex(
      {"each: f:*", "row: '{row}{qualifier | first 1 | fixed 1}'", "columns: { 'g:': '{qualifier}' }", "unique: true"});
  EXPECT_THAT(Entries(*wide, "r", {"f:b2=", "f:a1=", "f:b1="}), ElementsAre("ra g:=a1", "rb g:=b2"));
  std::vector<TestCell> many;
  for (int i = 0; i < 50; ++i) many.push_back(("f:q" + std::to_string(10 + i) + "=").c_str());
  EXPECT_THAT(Entries(*wide, "r", many), ElementsAre("rq g:=q59"));
}

struct WhenCase {
  const char* condition;
  const char* cell;
  bool holds;
};
class When : public ::testing::TestWithParam<WhenCase> {};

TEST_P(When, DecidesWhetherThereIsAnEntry) {
  const auto index = LoadIndex(
      {"row: '{row}'", "columns: { 'f:': '{f:v}' }", "when: [ '" + std::string(GetParam().condition) + "' ]"});
  EXPECT_EQ(!Entries(*index, "r", {"f:v=1", GetParam().cell}).empty(), GetParam().holds) << GetParam().condition;
}

INSTANTIATE_TEST_SUITE_P(
    All, When,
    ::testing::Values(WhenCase{"{f:s} == \"a b\"", "f:s=a b", true}, WhenCase{"{f:s} == a", "f:s=b", false},
                      WhenCase{"{f:s | default active} != blocked", "f:x=", true},
                      WhenCase{"{f:s | default active} != blocked", "f:s=blocked", false},
                      WhenCase{"{f:s} != blocked", "f:x=", false}, WhenCase{"{f:s}", "f:s=", true},
                      WhenCase{"{f:s}", "f:x=", false}, WhenCase{"{f:s | int} >= 10", "f:s=9", false},
                      WhenCase{"{f:s | int} >= 10", "f:s=10", true}, WhenCase{"{f:s | int} < 10", "f:s=9", true},
                      WhenCase{"{f:s@ts} > 100", "f:s=x@101", true}, WhenCase{"{f:s} < b", "f:s=a", true},
                      WhenCase{"{f:s | replace \" == \" x} == axb", "f:s=a == b", true},
                      WhenCase{"{f:s} == {f:v}", "f:s=1", true}, WhenCase{"{f:s} <= {f:v}", "f:s=2", false}));

INSTANTIATE_TEST_SUITE_P(
    BlanksAndQuotes, When,
    ::testing::Values(WhenCase{"{f:s}!=blocked", "f:s=blocked", false}, WhenCase{"{f:s}!=blocked", "f:s=ok", true},
                      WhenCase{"  {f:s}   ==   a  ", "f:s=a", true}, WhenCase{"{f:s}==\"y\"", "f:s=y", true},
                      WhenCase{"{f:s} == \"\"", "f:s=", true}, WhenCase{"{f:s} == \"{row}\"", "f:s={row}", true},
                      WhenCase{"{f:s} == \"\\x41\\\"\"", "f:s=A\\x22", true},
                      WhenCase{"{f:s} == a/b*c", "f:s=a/b*c", true},
                      WhenCase{"{f:s} == x{row}-{f:v}", "f:s=xr-1", true}, WhenCase{"{f:s | int}>-5", "f:s=-4", true}));

INSTANTIATE_TEST_SUITE_P(
    PresenceAndLists, When,
    ::testing::Values(WhenCase{"not {f:s}", "f:x=", true}, WhenCase{"not {f:s}", "f:s=", false},
                      WhenCase{"{f:s} in [a, \"b c\"]", "f:s=b c", true}, WhenCase{"{f:s} in [a, b]", "f:s=c", false},
                      WhenCase{"{f:s} in [a]", "f:x=", false}, WhenCase{"{f:s} not in [a, b]", "f:s=c", true},
                      WhenCase{"{f:s} not in [a, b]", "f:s=b", false}, WhenCase{"{f:s} not in [a]", "f:x=", false},
                      WhenCase{"{f:s | int} in [10, 2]", "f:s=+2", true},
                      WhenCase{"{f:s | int} not in [10, 2]", "f:s=010", false}));

INSTANTIATE_TEST_SUITE_P(Expressions, When,
                         ::testing::Values(WhenCase{"{f:s} matches /b+/", "f:s=abbc", true},
                                           WhenCase{"{f:s} matches /^b+$/", "f:s=abbc", false},
                                           WhenCase{"{f:s} not matches /b+/", "f:s=ac", true},
                                           WhenCase{"{f:s} not matches /b/", "f:x=", false},
                                           WhenCase{"{f:s} matches /^[关]$/", "f:s=\xE5\x85\xB3", true},
                                           WhenCase{"{f:s} matches /[关]/", "f:s=\xE5\x85\xB2", false}));

INSTANTIATE_TEST_SUITE_P(Joined, When,
                         ::testing::Values(WhenCase{"{f:s} == a or {f:s} == b", "f:s=b", true},
                                           WhenCase{"{f:s} == a or {f:v} == 1", "f:x=", true},
                                           WhenCase{"{f:s} == a and {f:v} == 2", "f:s=a", false},
                                           WhenCase{"{f:s} == a or {f:s} == b and {f:v} == 2", "f:s=a", true},
                                           WhenCase{"{f:v} == 2 and {f:s} == a or {f:s} == b", "f:s=b", true},
                                           WhenCase{"{f:v} == 1 or {f:s | int} > 1", "f:s=x", true},
                                           WhenCase{"not {f:s} or {f:s | int} > 5", "f:s=9", true}));

INSTANTIATE_TEST_SUITE_P(ZerosAndFloats, When,
                         ::testing::Values(WhenCase{"{f:s | real} == 0", "f:s=-0.0", true},
                                           WhenCase{"{f:s | real} >= 0", "f:s=-0", true},
                                           WhenCase{"{f:s | real} < 0", "f:s=-0", false},
                                           WhenCase{"{f:s | real} in [-0.0, 1]", "f:s=0", true},
                                           WhenCase{"{f:s | real} == {f:z | real | default -0}", "f:s=0", true},
                                           WhenCase{"{f:s | f32} == 19.9", "f:s=A\\x9F33", true},
                                           WhenCase{"{f:s | f32} in [19.9]", "f:s=A\\x9F33", true},
                                           WhenCase{"{f:s | f32} < 19.9", "f:s=A\\x9F33", false},
                                           WhenCase{"{f:s | f32 | default 1} == 19.9", "f:s=A\\x9F33", true},
                                           WhenCase{"{f:z | f32 | default 19.9} == 19.9", "f:s=", true},
                                           WhenCase{"{f:s | phoenix UNSIGNED_FLOAT} == 19.9", "f:s=A\\x9F33", true},
                                           WhenCase{"{f:s | f32} > 1e300", "f:s=A\\x9F33", false}));

INSTANTIATE_TEST_SUITE_P(NumbersAndTimes, When,
                         ::testing::Values(WhenCase{"{f:s | int} > {f:v | int}", "f:s=2", true},
                                           WhenCase{"{f:s | int} > {f:v | int}", "f:s=1", false},
                                           WhenCase{"{f:s@ts} < {f:v@ts}", "f:s=@0", true},
                                           WhenCase{"{f:s@ts} >= 2016-12-19", "f:s=@1482105600000", true},
                                           WhenCase{"{f:s@ts} >= 2016-12-19", "f:s=@1482105599999", false},
                                           WhenCase{"{f:s@ts} < 2016-12-19T08:00:00Z", "f:s=@1482134399999", true}));

TEST(When, ReportsWhatCannotBeCompared) {
  const auto index = LoadIndex({"row: '{row}'", "columns: { 'f:': '{f:v}' }", "when: [ '{f:v | int} > 1' ]"});
  EXPECT_THAT(Entries(*index, "r", {"f:v=x"}), ElementsAre("! when '{f:v | int} > 1': \"x\" is not a whole number"));
}

TEST(When, RefusesValuesThatAnExpressionWouldReadForSeconds) {
  const auto index =
      LoadIndex({"row: '{row}'", "columns: { 'f:': '{f:v}' }", "when: [ '{f:v} matches /(a|b){300}c/' ]"});
  const std::string value = "f:v=" + std::string(1 << 20, 'a');
  EXPECT_THAT(Entries(*index, "r", {value.c_str()}),
              ElementsAre(::testing::HasSubstr("the value has 1048576 bytes, and this regular expression of ")));
}

TEST(When, BoundsWhatAllExpressionsOfARowMayTake) {
  const auto index = LoadIndex({"row: '{row}'", "columns: { 'f:': '{f:v}' }", "each: '{f:l | split \",\"}'",
                                "when: [ '{f:v} not matches /b[ab]{40}c/ and {item} != x' ]", "unique: true"});
  const std::string value = "f:v=" + std::string(1 << 20, 'a');
  std::string list = "f:l=0";
  for (int i = 1; i < 100; ++i) list += "," + std::to_string(i);
  EXPECT_THAT(Entries(*index, "r", {value.c_str(), list.c_str()}),
              ::testing::Contains(::testing::HasSubstr("the regular expressions of one row would take too long")));
}

TEST(When, OfAlternativesMayLeaveARowWithoutColumns) {
  const std::vector<std::string> lines = {"row: '{row}'", "columns: { 'f:': 'x' }"};
  const auto loads = [&lines](const std::string& when) {
    std::vector<std::string> all = lines;
    all.push_back("when: [ '" + when + "' ]");
    return DiagnosticsOf(all).find("no-existence") == std::string::npos;
  };
  EXPECT_TRUE(loads("{f:s} or {f:x} == 1"));
  EXPECT_TRUE(loads("not {f:s} and {f:x}"));
  EXPECT_FALSE(loads("not {f:s}"));
  EXPECT_FALSE(loads("{f:s} or not {f:x}"));
  EXPECT_FALSE(loads("{f:s} or {row} == a"));
}

TEST(Explain, ShowsEachConditionAsUnderstoodItsValuesAndItsVerdict) {
  const auto index = LoadIndex({"row: '{row}'", "columns: { 'f:': '{f:v}' }",
                                "when: [ '{f:s|default active}!=blocked', '{f:n | int} in [2,1] or not {f:x}' ]"});
  EXPECT_THAT(index->conditions(),
              ElementsAre("{f:s | default \"active\"} != \"blocked\"", "{f:n | int} in [1, 2] or not {f:x}"));
  const std::vector<VisibleCell> cells = {{"f", "n", 1, "3"}, {"f", "v", 1, "a"}, {"f", "x", 1, ""}};
  EXPECT_THAT(Explain(*index, {"r", cells}),
              ElementsAre("when '{f:s | default \"active\"} != \"blocked\"': holds",
                          "  f:s = absent | default active = \"active\"",
                          "when '{f:n | int} in [1, 2] or not {f:x}': does not hold", "  f:n = \"3\" | int = 3",
                          "  f:x = \"\"", "no entry: a condition does not hold"));
}

TEST(When, IsShownAsItCanBeTypedAgain) {
  const auto load = [](const std::string& when) {
    return LoadIndex({"row: '{row}'", "columns: { 'f:': '{f:v}' }", "when: [ '" + when + "' ]"});
  };
  for (const auto& [typed, shown] : std::vector<std::pair<std::string, std::string>>{
           {R"({f:a}\x20{f:b} == "a b")", R"({f:a}\x20{f:b} == "a b")"},
           {R"({f:a}\x3d== x)", R"({f:a}\x3d == "x")"},
           {R"(\x28{f:a}\x29\x22\x2c{{\xff in [x] )", R"(\x28{f:a}\x29\x22\x2c{{\xFF in ["x"])"},
           {R"({f:a} != \x20{f:b} or {f:a}\x26 < \x27{f:c}x)", R"({f:a} != \x20{f:b} or {f:a}\x26 < \x27{f:c}x)"}}) {
    const auto index = load(typed);
    EXPECT_THAT(index->conditions(), ElementsAre(shown));
    EXPECT_EQ(load(shown)->fingerprint(), index->fingerprint());
  }
}

TEST(Exists, BindsTheEntryToAColumn) {
  const auto index = LoadIndex({"row: '{row | reverse}'", "columns: { 'f:': 'x' }", "requires: f1:from"});
  EXPECT_THAT(Entries(*index, "ab", {"f1:from=b"}), ElementsAre("ba f:=x"));
  EXPECT_THAT(Entries(*index, "ab", {"f1:other=b"}), IsEmpty());
}

TEST(Expire, TakesTheOldestCellOfTheEntryAndTheTtlOfItsFamily) {
  const auto index = LoadIndex({"row: '{f1:from}'", "columns: { 'f1:{row}': '{f1:v}' }", "expire: exact",
                                "create: { families: { f1: { ttl: 10s } } }"});
  const VisibleCell cells[] = {{"f1", "from", 5000, "b"}, {"f1", "v", 3000, "x"}};
  EntryList entries;
  std::vector<Unmappable> problems;
  index->Derive({"a", cells}, &entries, &problems);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].expires_at, 13000);
}

TEST(Expire, OfAColumnThatAnyQualifierNeedsTakesTheWholeEntry) {
  const auto index =
      LoadIndex({"row: '{f1:from}'", "columns: { 'f1:a{row}': '{f1:v}', 'f1:b{f1:no | terminated}{row}': '' }",
                 "expire: exact", "create: { families: { f1: { ttl: 10s } } }"});
  const VisibleCell cells[] = {{"f1", "from", 5000, "b"}, {"f1", "v", 4000, "x"}, {"f1", "no", 3000, "7"}};
  EntryList entries;
  std::vector<Unmappable> problems;
  index->Derive({"a", cells}, &entries, &problems);
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].expires_at, 13000);
  EXPECT_EQ(entries[1].expires_at, 13000) << "of v, which may be absent, it does not depend";
}

/// Of two columns that can be one cell, the later wins. If it ends first, no event brings the entry of the other one.
TEST(Expire, IsPossibleWhereTheEntryOfNoColumnOutlivesOneOfTheSameCell) {
  const auto accepted = [](const std::string& columns, const std::string& more = "when: ['{f:on} == y']") {
    return TryLoadIndex({"row: '{row}'", "columns: { " + columns + " }", more, "expire: exact",
                         "create: { families: { f: { ttl: 10s }, g: { ttl: 10s } } }"}) != nullptr;
  };
  EXPECT_FALSE(accepted("'f:{f:a}': '{f:x}', 'f:{f:b}': '{f:y}', 'g:': ''"));
  EXPECT_FALSE(accepted("'f:{f:a}': '', 'f:{f:b}': '{f:y}', 'g:': ''"));
  EXPECT_TRUE(accepted("'f:a{f:a}': '{f:x}', 'f:b{f:b}': '{f:y}', 'g:': ''")) << "they begin with different bytes";
  EXPECT_TRUE(accepted("'f:{f:a}': '{f:x}', 'g:{f:b}': '{f:y}'")) << "different families";
  EXPECT_TRUE(accepted("'f:{f:a}': '{f:x}', 'f:{f:a}_y': '{f:y}', 'g:': ''")) << "what they share is equal in a row";
  EXPECT_TRUE(accepted("'f:{f:a}': '{f:x}', 'f:{f:b}': '', 'g:': ''")) << "the later one is always there";
  EXPECT_TRUE(accepted("'f:{f:a}': '{f:x}{f:y}', 'f:{f:b}': '{f:y}', 'g:': ''")) << "the later one ends last";
  EXPECT_TRUE(accepted("'f:{f:a}': '{f:x}', 'f:{f:b}': '{f:x | upper}', 'g:': ''")) << "both end together";
  EXPECT_TRUE(accepted("'f:{f:a}': '1', 'f:{f:b}': '2', 'g:': ''")) << "both end together";
  EXPECT_TRUE(accepted("'f:x': '{f:x}', 'f:y': '{f:y}', 'g:': ''"));

  const std::string each = "each: 'f:q*'";
  EXPECT_FALSE(accepted("'f:{value | before #}': '1', 'f:{value | after #}': '2', 'g:': '1'", each));
  EXPECT_TRUE(accepted("'f:{value | before #}': '1', 'f:{value | after #}': '1', 'g:': '1'", each)) << "equal values";
  EXPECT_FALSE(
      accepted("'f:{qualifier | terminated}{f:a}': '{f:x}', 'f:{qualifier | terminated}{f:b}': '{f:y}', "
               "'g:{qualifier | terminated}': ''",
               each));
  EXPECT_TRUE(
      accepted("'f:{qualifier | terminated}{f:a}': '{f:x}{f:y}', 'f:{qualifier | terminated}{f:b}': '{f:y}', "
               "'g:{qualifier | terminated}': ''",
               each));

  const std::string items = "each: '{f:list | split ,}'";
  EXPECT_FALSE(accepted("'f:{item | before #}': '{f:x}', 'f:{item | after #}': '', 'g:': ''", items))
      << "the item that comes last wins, by whichever column";
  EXPECT_TRUE(accepted("'f:{item | before #}': '{f:x}1', 'f:{item | after #}': '{f:x}2', 'g:': ''", items));
}

/// What an entry's family needs to let it live as long as its newest cell.
TEST(Expire, TellsOfEachEntryTheNewestOfTheCellsItCameFrom) {
  const auto newest = [](const std::string& ttl) {
    const auto index = LoadIndex({"row: '{f1:from}'", "columns: { 'f1:a{row}': '{f1:v}', 'f1:b{row}': '' }",
                                  "when: ['{f1:on} == y']", "create: { families: { f1: " + ttl + " } }"});
    const VisibleCell cells[] = {
        {"f1", "from", 5000, "b"}, {"f1", "v", 7000, "x"}, {"f1", "on", 6000, "y"}, {"f1", "no", 9000, "z"}};
    EntryList entries;
    std::vector<Unmappable> problems;
    index->Derive({"a", cells}, &entries, &problems);
    EXPECT_EQ(entries.size(), 2u);
    return std::pair(entries[0].newest, entries[1].newest);
  };
  EXPECT_EQ(newest("{ ttl: 10s }"), std::pair(int64_t{7000}, int64_t{6000}));
  EXPECT_EQ(newest("{}"), std::pair(int64_t{0}, int64_t{0})) << "it does not expire";
  EXPECT_EQ(newest("{ ttl: 10s, min_versions: 1 }"), std::pair(int64_t{0}, int64_t{0})) << "nor here";
}

/// So it is where each column follows a cell of its own, as in a stateless index.
TEST(Derive, LeavesOutAColumnWhoseValueIsTooLongAndNoOther) {
  const auto index = LoadIndex({"row: '{row}'", "columns: { 'f1:a': '{f1:from}{f1:from}', 'f1:b': '{f1:v}' }"});
  EXPECT_EQ(index->stateless_obstacle(), "");
  const std::string half(17 << 20, 'x');
  const VisibleCell cells[] = {{"f1", "from", 1, half}, {"f1", "v", 1, "y"}};
  EntryList together, alone;
  std::vector<Unmappable> problems;
  index->Derive({"a", cells}, &together, &problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_THAT(problems[0].reason, ::testing::HasSubstr("grows beyond 32 MiB"));
  for (const VisibleCell& cell : cells) index->Derive({"a", {&cell, 1}}, &alone, &problems);
  ASSERT_EQ(together.size(), 1u);
  EXPECT_EQ(together[0].qualifier, "b");
  EXPECT_TRUE(together.SameAs(alone));
}

TEST(Derive, LosesTheEntryWhereAKeyIsTooLong) {
  const auto index =
      LoadIndex({"row: '{f1:from}'", "columns: { 'f1:a{f1:v}{f1:v}': '', 'f1:b{row}': '' }", "unique: true"});
  const std::string half(17 << 20, 'x');
  const VisibleCell cells[] = {{"f1", "from", 1, "b"}, {"f1", "v", 1, half}};
  EntryList entries;
  std::vector<Unmappable> problems;
  index->Derive({"a", cells}, &entries, &problems);
  EXPECT_TRUE(entries.empty());
  EXPECT_EQ(problems.size(), 1u);
}

TEST(CellEnds, AreThoseOfTheFamilysTtlUnlessMinVersionsKeepTheCell) {
  const auto end = [](const std::string& families, VisibleCell cell) {
    return LoadIndex({"row: '{row}'", "requires: f1:a", "columns: { 'x:': '', 'y:': '' }",
                      "create: { families: " + families + " }"})
        ->EndOf(cell);
  };
  const VisibleCell cell{"f1", "a", 1000, ""}, own{"f1", "a", 1000, "", 1500};
  EXPECT_EQ(end("{ x: { ttl: 2s }, y: { ttl: 5s } }", cell), 6000) << "the longest that the index has";
  EXPECT_EQ(end("{ x: { ttl: 2s }, y: }", cell), INT64_MAX) << "one family keeps its entries for ever";
  EXPECT_EQ(end("{ x: { ttl: 2s }, y: { ttl: 5s, min_versions: 1 } }", cell), INT64_MAX);
  EXPECT_EQ(end("{ x: { ttl: 2s }, y: { ttl: 5s }, f1: { ttl: 3s } }", cell), 4000) << "the family of its name";
  EXPECT_EQ(end("{ x: { ttl: 2s }, y: { ttl: 5s } }", own), 1500) << "its own comes first";
  EXPECT_EQ(end("{ x: , y: }", own), 1500);
}

TEST(CellEnds, MatterToEntriesOfSeveralCellsThatStay) {
  const auto matter = [](const std::vector<std::string>& lines) { return LoadIndex(lines)->ends_matter(); };
  EXPECT_TRUE(matter({"row: '{f1:a}'", "columns: { 'f:{row}': '{f1:b}' }"}));
  EXPECT_TRUE(matter({"row: '{f1:a}'", "columns: { 'f:{row}': '' }", "when: ['not {f1:b}']"}));
  EXPECT_TRUE(matter({"each: f1:*", "row: '{qualifier}'", "columns: { 'f:{row}': '' }", "when: ['{f2:on}']"}));
  EXPECT_TRUE(matter({"row: '{f1:a}'", "columns: { 'f:': '' }", "shared: true"})) << "each event writes it again";
  EXPECT_FALSE(matter({"row: '{f1:a}'", "columns: { 'f:{row}': '{f1:a@ts | decimal}' }"}));
  EXPECT_FALSE(matter({"each: f1:*", "row: '{qualifier}'", "columns: { 'f:{row}': '{value}' }"}));
  EXPECT_FALSE(matter({"row: '{f1:a}'", "columns: { 'f:{row}': '{f1:b}' }", "expire: exact",
                       "create: { families: { f: { ttl: 1d } } }"}));
}

TEST(Derive, TakesBinaryRowsValuesAndQualifiers) {
  EXPECT_THAT(Entries(*LoadIndex(kWideFrom), std::string_view("\0\xff", 2), {"f1:from=\\x00\\xFE@1"}),
              ElementsAre("\\x00\\xFE f1:\\x00\\xFF=1"));
}

TEST(Derive, KnowsQuotedQualifiersAndEscapes) {
  const auto index = LoadIndex({"row: 'a\\xff{{{f1:\"a|b}\"}'", "columns: { 'f1:{row}': '' }"});
  EXPECT_THAT(Entries(*index, "r", {"f1:a|b}=v"}), ElementsAre("a\\xFF{v f1:r="));
}

}  // namespace
}  // namespace fensi::mapping
