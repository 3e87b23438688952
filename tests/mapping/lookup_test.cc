// What a reader finds: all that was asked for, and nothing else.
#include "mapping/lookup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "tests/mapping/lookup_testing.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::mapping {
namespace {

using ::testing::Each;

/// An index of one row template, and source rows of one column f:x.
class Book {
 public:
  explicit Book(std::shared_ptr<const Index> index) : index_(std::move(index)), shelf_(*index_) {}
  explicit Book(const std::vector<std::string>& lines) : Book(LoadIndex(lines)) {}
  static Book WithRow(const std::string& row) {
    return Book(std::vector<std::string>{"row: '" + row + "'", "columns: { 'f:{row}': '' }", "requires: f:x"});
  }

  const Index& index() const { return *index_; }
  Book& Add(const std::string& row, const std::vector<TestCell>& cells) {
    std::vector<VisibleCell> visible;
    for (const TestCell& cell : cells) visible.push_back({cell.family, cell.qualifier, cell.timestamp, cell.value});
    shelf_.Put({row, visible});
    return *this;
  }
  /// A source row for each value of f:x; they are named a, b, c …
  Book& Values(const std::vector<std::string>& values) {
    for (const std::string& value : values) {
      const VisibleCell cell{"f", "x", 1, value};
      shelf_.Put({std::string(1, next_++), {&cell, 1}});
    }
    return *this;
  }

  std::vector<std::string> Rows(const std::vector<std::string>& parts, const std::string& from = "",
                                const std::string& to = "") const {
    return shelf_.Rows({parts, from, to});
  }
  std::vector<std::string> Known(const std::vector<std::string>& parts = {}, const std::string& from = "",
                                 const std::string& to = "") const {
    return shelf_.Known({parts, from, to});
  }
  std::vector<std::string> KeyParts() const { return KeyPartNames(*index_); }
  size_t Ranges(const LookupRequest& request) const { return (*PlanLookup(*index_, request))->ranges().size(); }
  bool ReadsNoMore(const LookupRequest& request) const { return (*PlanLookup(*index_, request))->ranges_suffice(); }

 private:
  std::shared_ptr<const Index> index_;
  Shelf shelf_;
  char next_ = 'a';
};

TEST(RangeOfText, IsEmptyIfNoValueLiesBehindTheBound) {
  const Book pairs = Book::WithRow("{f:x | fixed 2}{row}").Values({"ab", "\xFF\xFF"});
  EXPECT_EQ(pairs.Ranges({{}, "\xFF\xFF\xFF", ""}), 0U);
  EXPECT_EQ(pairs.Rows({}, "\xFF\xFF\xFF"), std::vector<std::string>());
}

TEST(RangeOfReals, LeavesOutTheNumberBeforeTheBound) {
  const Book floats = Book::WithRow("{f:x | f64 | ordered 4}{row}")
                          .Values({{"\x41\x70\x00\x00\x00\x00\x00\x00", 8}, {"\x41\x70\x00\x00\x20\x00\x00\x00", 8}});
  EXPECT_EQ(floats.Rows({}, "16777217").size(), 1U);
  EXPECT_TRUE(floats.ReadsNoMore({{}, "16777217", ""}));
}

TEST(RangeOfText, EndsWithTheValueAndNotWithItsSeparator) {
  const Book domains =
      Book::WithRow("{f:x | without \"/\"}/{row}").Values({"www.example", "www.example.com", "www.other"});
  EXPECT_THAT(domains.Rows({}, "www.example", "www.example.com.cn"), ElementsAre("www.example.com/b", "www.example/a"));
  EXPECT_THAT(domains.Rows({}, "", "www.example.com"), ElementsAre("www.example/a"));
  EXPECT_THAT(Book::WithRow("{f:x | without \"|\"}|{row}").Values({"abc", "abd"}).Rows({}, "abc", "abcd"),
              ElementsAre("abc|a"));
}

TEST(RangeOfText, OfAPartWithAnEndReadsNoMoreThanItShows) {
  const Book terminated = Book::WithRow("{f:x | terminated}{row}").Values({"ab", "abc", "b"});
  EXPECT_THAT(terminated.Rows({}, "abc", "b"), ElementsAre("abc\\x00\\x00b"));
  EXPECT_TRUE(terminated.ReadsNoMore({{}, "abc", "b"}));
  EXPECT_FALSE(Book::WithRow("{f:x | without \"/\"}/{row}").ReadsNoMore({{}, "abc", "b"}));
}

TEST(RangeOfText, IsThatOfTheValuesWhereTheKeyHoldsTheirBeginning) {
  const Book three = Book::WithRow("{f:x | first 3 | terminated}{row}").Values({"ab", "abcz", "abd"});
  EXPECT_THAT(three.Rows({}, "", "ab"), IsEmpty());
  EXPECT_THAT(three.Rows({}, "", "abcd"), ElementsAre("ab\\x00\\x00a", "abc\\x00\\x00b"));
}

TEST(RangeOfNumbers, HoldsWhateverTheirDigits) {
  const Book padded =
      Book::WithRow("{f:x | int | decimal | pad 3 0 | terminated}{row}").Values({"-5", "7", "42", "1000"});
  EXPECT_EQ(padded.Rows({}, "5", "50").size(), 2u);
  EXPECT_EQ(padded.Rows({}, "-10", "8").size(), 2u);
  EXPECT_EQ(padded.Rows({}, "42", "").size(), 2u);
  const Book newest =
      Book::WithRow("{f:x | int | descending | decimal | pad 19 0 | terminated}{row}").Values({"7", "42", "1000"});
  EXPECT_EQ(newest.Rows({}, "7", "43").size(), 2u);
  EXPECT_THAT(Book::WithRow("a-{f:x | int | mod 10 | to_be 2}{row}").Rows({}, "1", "3"),
              ElementsAre(HasSubstr("neither keeps the order of its values nor can be read back")));
}

TEST(RangeOfNumbers, IsThatOfTheNumberWhereverOneIsRead) {
  for (const char* row : {"{f:x | int | div 3 | decimal | terminated}{f:x | terminated}{row}",
                          "{f:x | int | decimal | terminated}{f:x | terminated}{row}",
                          "{f:x | terminated}{f:x | int | div 3 | decimal | terminated}{row}",
                          "{f:x | terminated}{f:x | int | to_be 4}{row}"}) {
    const Book book = Book::WithRow(row).Values({"5", "09", "10", "+7", "9", "100"});
    EXPECT_EQ(book.Rows({}, "1", "10").size(), 4u) << row;
    EXPECT_EQ(book.Rows({}, "10", "").size(), 2u) << row;
  }
  const Book text = Book::WithRow("{f:x | crc32 | u32 | mod 4 | to_be 1}{f:x | terminated}{row}").Values({"a", "10"});
  EXPECT_EQ(text.Rows({}, "a", "b").size(), 1u) << "a number made of a hash is none of the value";
}

TEST(RangeOfNumbers, AcrossZeroIsTwoScansWhereNegativeOnesStandLast) {
  const Book signs = Book::WithRow("{f:x | int | to_be 8}{row}").Values({"-3", "-1", "0", "2"});
  EXPECT_EQ(signs.Rows({}, "-2", "1").size(), 2u);
  EXPECT_EQ(signs.Rows({}, "-5", "").size(), 4u);
  EXPECT_EQ(signs.Rows({}, "", "0").size(), 2u);
  EXPECT_EQ(signs.Rows({}, "0", "").size(), 2u);
  EXPECT_EQ(signs.Ranges({{}, "-2", "1"}), 2u);
  EXPECT_EQ(signs.Ranges({{}, "1", "3"}), 1u);
}

TEST(RangeOfNumbers, IsOneForEveryWayToWriteThemInOrder) {
  for (const char* steps : {"i64 | ordered", "i64 | descending | to_be 8", "i64 | from_ms | ordered",
                            "u64 | decimal 19", "u64 | sub 1 | ordered", "i64 | add 1 | to_be 8"}) {
    Book book = Book::WithRow("{f:x | " + std::string(steps) + "}{row}");
    for (int64_t number : {1, 5, 300}) {
      std::string bytes;
      AppendBigEndian64(number, &bytes);
      book.Values({bytes});
    }
    EXPECT_EQ(book.Rows({}, "5", "301").size(), 2u) << steps;
    EXPECT_EQ(book.Rows({}, "", "5").size(), 1u) << steps;
    EXPECT_TRUE(book.ReadsNoMore({{}, "5", "301"})) << steps;
  }
}

TEST(RangeOfNumbers, ReadsTheWholePrefixWhereOrderIsLost) {
  const Book reversed = Book::WithRow("{f:x | int | to_be 4 | reverse}{row}").Values({"1", "255", "256", "257"});
  EXPECT_EQ(reversed.Rows({}, "255", "257").size(), 2u);
  EXPECT_FALSE(reversed.ReadsNoMore({{}, "255", "257"}));
}

TEST(RangeOfTimes, IsThatOfTheValueWhereTheCellTellsIt) {
  Book hours(std::vector<std::string>{"row: '{o:user | terminated}{o:time | int | from_ms | time %Y%m%d%H}'",
                                      "columns: { 'o:{row}': '{o:time}', 'n:{row}': '{o:no}' }", "shared: true"});
  hours.Add("a", {"o:user=u", "o:time=1482138000000", "o:no=1"})
      .Add("b", {"o:user=u", "o:time=1482140000000", "o:no=2"});
  const auto sources = [&](const std::string& from, const std::string& to) { return hours.Known({"u"}, from, to); };
  EXPECT_THAT(sources("2016-12-19T09:20", "2016-12-19T10:00"), Each(HasSubstr("row=b")));
  EXPECT_EQ(sources("2016-12-19T09:20", "2016-12-19T10:00").size(), 2u);
  EXPECT_THAT(sources("1482138000000", "1482138000001"), Each(HasSubstr("row=a")));
  EXPECT_EQ(sources("1482138000000", "1482138000001").size(), 2u);
  EXPECT_EQ(sources("2016-12-19T09:00", "2016-12-19T10:00").size(), 4u);
}

TEST(RangeOfTimes, IsThatOfTheValueWhereSeveralPartsTellItTogether) {
  Book hours(
      std::vector<std::string>{"row: '{m:name | terminated}{m:at | int | from_ms | floor_hour | seconds | to_be 4}'",
                               "columns: { 'm:{m:at | int | mod 3600000 | to_be 4}{row}': '' }"});
  hours.Add("a", {"m:name=cpu", "m:at=1482138000000"}).Add("b", {"m:name=cpu", "m:at=1482140000000"});
  EXPECT_THAT(hours.Known({"cpu"}),
              ElementsAre("m:name=cpu, m:at~1482138000000, row=a", "m:name=cpu, m:at~1482140000000, row=b"));
  EXPECT_THAT(hours.Known({"cpu"}, "2016-12-19T09:20", "2016-12-19T10:00"), ElementsAre(HasSubstr("row=b")));
  EXPECT_THAT(hours.Known({"cpu"}, "1482138000000", "1482138000001"), ElementsAre(HasSubstr("row=a")));
  Book days(std::vector<std::string>{"row: '{m:v@ts | time %Y%m%d +08:00}'",
                                     "columns: { 'm:{m:v@ts | time %H%M +08:00}{row}': '' }"});
  days.Add("a", {"m:v=x@1482138061000"}).Add("b", {"m:v=x@1482140000000"});
  EXPECT_THAT(days.Known({}), ElementsAre("m:v@ts~1482138060000, row=a", "m:v@ts~1482139980000, row=b"));
  EXPECT_THAT(days.Known({}, "2016-12-19T09:01:30", "2016-12-19T09:01:40"), ElementsAre(HasSubstr("row=a")));
  EXPECT_THAT(days.Known({}, "2016-12-19T09:02", "2016-12-19T10:00"), ElementsAre(HasSubstr("row=b")));
  Book exact(std::vector<std::string>{"row: '{m:v@ts | floor_day | descending | to_be 8}'",
                                      "columns: { 'm:{m:v@ts | millis | mod 86400000 | to_be 4}{row}': '' }"});
  exact.Add("a", {"m:v=x@1482138061007"});
  EXPECT_THAT(exact.Known({}), ElementsAre("m:v@ts=1482138061007, row=a"));
  Book rewritten = Book::WithRow("{f:x@ts | to_be 8 | u64 | floor 2 | decimal 13}{row}").Add("a", {"f:x=v@1"});
  EXPECT_THAT(rewritten.Known({}), ElementsAre("f:x@ts~0, row=a"));
}

TEST(RangeOfTimes, IsThatOfTheTimeThatAnotherTemplateReads) {
  Book digits(std::vector<std::string>{"row: '{v:time | terminated}{row}'",
                                       "columns: { 'v:d': '{v:time | int | from_ms | time %Y-%m-%d}' }"});
  digits.Add("a", {"v:time=1482125382074"}).Add("b", {"v:time=1482211782074"}).Add("c", {"v:time=999999999999"});
  EXPECT_THAT(digits.Rows({}, "2016-12-19", "2016-12-20"), ElementsAre(HasSubstr("1482125382074")));
  EXPECT_THAT(digits.Rows({}, "999999999999", "1482125382075").size(), 2u) << "as numbers, and not as texts";
}

TEST(Bounds, ThatAreOutOfOrderOrBeyondThePartAreRefused) {
  const Book times = Book::WithRow("{f:x | int | from_s | seconds | to_be 4}{row}").Values({"1482125382"});
  EXPECT_THAT(times.Rows({}, "5", "4"), ElementsAre(HasSubstr("--from is after --to")));
  EXPECT_THAT(times.Rows({}, "2016-12-20", "1482125382"), ElementsAre(HasSubstr("--from is after --to")));
  EXPECT_THAT(times.Rows({}, "20161219", ""), ElementsAre(HasSubstr("write 2016-12-19")));
  EXPECT_THAT(times.Rows({}, "+20161219", ""), ElementsAre(HasSubstr("a")));
  EXPECT_THAT(times.Rows({}, "99999999999", ""), ElementsAre(HasSubstr("99999999999 does not fit 4 bytes")));
  EXPECT_THAT(times.Rows({}, "99999999999999999999", ""), ElementsAre(HasSubstr("whole number of 64 bits")));
  EXPECT_THAT(times.Rows({}, "5", "5"), IsEmpty());
}

TEST(Parts, AreComparedAsTheyStandInTheKey) {
  Book mails(std::vector<std::string>{"row: '{u:mail | lower | terminated}{row}'",
                                      "columns: { 'u:mail': '{u:mail}', 'u:n': '{u:n}' }"});
  mails.Add("a", {"u:mail=ann@x.com@1", "u:n=1"})
      .Add("b", {"u:mail=Ann@X.com@1", "u:n=2"})
      .Add("c", {"u:mail=bob@x.com@1"});
  EXPECT_EQ(mails.Rows({"ANN@X.COM"}).size(), 4u);
  EXPECT_EQ(mails.Rows({"Ann@X.com", "b"}).size(), 2u);
  EXPECT_THAT(Book::WithRow("{f:x | first 2 | terminated}{row}").Values({"abc", "abd"}).Rows({"abx"}),
              ElementsAre("ab\\x00\\x00a", "ab\\x00\\x00b"));
  EXPECT_THAT(Book::WithRow("{f:x@ts | decimal 3}{row}").Add("a", {"f:x=v@5"}).Rows({"05"}), ElementsAre("005a"));
}

TEST(Parts, OfOneValueAreGivenOneByOneWhereTheKeyHoldsNoWhole) {
  Book documents = Book::WithRow("{f:x | json city | without \"/\"}/{f:x | json id | int | decimal 3}");
  documents.Values({R"({"city":"bonn","id":7})", R"({"city":"bonn","id":8})", R"({"city":"ulm","id":7})"});
  EXPECT_THAT(documents.KeyParts(), ElementsAre("f:x | json city", "f:x | json id"));
  EXPECT_THAT(documents.Rows({"bonn"}), ElementsAre("bonn/007", "bonn/008"));
  EXPECT_THAT(documents.Rows({"bonn", "7"}), ElementsAre("bonn/007"));
  EXPECT_THAT(documents.Rows({"bonn"}, "8", ""), ElementsAre("bonn/008"));
  EXPECT_THAT(documents.Known({"ulm"}), ElementsAre("f:x | json city=ulm, f:x | json id~7, row=c"));
  Book days = Book::WithRow("{f:x | split - 0 | fixed 4}{f:x | split - 1 | fixed 2}").Values({"2016-12", "2016-11"});
  EXPECT_THAT(days.Rows({"2016", "12"}), ElementsAre("201612"));
  EXPECT_THAT(Book::WithRow("{f:x | md5 | hex | first 4}{f:x | terminated}{row}").KeyParts(),
              ElementsAre("f:x", "row"));
}

TEST(Salts, AreReadEachOnce) {
  const char* kRow = "{f:s | int | mod 16 | div 4 | decimal 1 | default z}{f:x | terminated}{row}";
  Book salted = Book::WithRow(kRow);
  salted.Add("a", {"f:s=0", "f:x=v"}).Add("b", {"f:s=15", "f:x=v"}).Add("c", {"f:x=v"}).Add("d", {"f:x=w"});
  EXPECT_THAT(salted.Rows({"v"}), ElementsAre("0v\\x00\\x00a", "3v\\x00\\x00b", "zv\\x00\\x00c"));
  EXPECT_EQ(salted.Ranges({{"v"}, "", ""}), 5u);
}

TEST(Salts, OfOneWordAreAllAsked) {
  Book salted = Book::WithRow("{row | salt 4}{f:x | terminated}{row}").Values({"v", "v", "v", "v", "v", "w"});
  EXPECT_EQ(salted.Rows({"v"}).size(), 5u);
  EXPECT_EQ(salted.Ranges({{"v"}, "", ""}), 4u);
  EXPECT_EQ(salted.Rows({"v", "c"}).size(), 1u);
  EXPECT_EQ(salted.Ranges({{"v", "c"}, "", ""}), 1u);
  EXPECT_EQ(Book::WithRow("{f:x | salt 300}{row}").Ranges({{}, "", ""}), 300u);
}

TEST(Salts, BeyondAllScansAreReadFromTheFrontAndLeftOut) {
  Book many = Book::WithRow("{row | md5 | first 4 | u32 | mod 100000 | to_be 4}{f:x | terminated}{row}");
  many.Values({"v", "w", "v"});
  EXPECT_EQ(many.Rows({"v"}).size(), 2u);
  EXPECT_FALSE(many.ReadsNoMore({{"v"}, "", ""}));
}

TEST(Known, ValuesGiveTheSameBytesWhenTheyAreTyped) {
  EXPECT_THAT(Book::WithRow("{f:n | int | to_be 8 | default 7 | terminated}{row}").Add("a", {"f:x=1"}).Known(),
              ElementsAre("row=a"));
  EXPECT_THAT(Book::WithRow("{f:x | int | from_ms | time %Y%j}{row}").Values({"1482125382074"}).Known(),
              ElementsAre("row=a"));
  EXPECT_THAT(Book::WithRow("{f:n | int | ordered 2 | default \"\" | terminated}{row}").Add("a", {"f:x=1"}).Known(),
              ElementsAre("row=a"));
  EXPECT_THAT(Book::WithRow("{f:x | default none | terminated}{row}").Values({"none", "some"}).Known(),
              ElementsAre("f:x~none, row=a", "f:x=some, row=b"));
  EXPECT_THAT(Book::WithRow("{f:x | int | from_ms | time %Y}{f:x | int | from_ms | time %m}{row}")
                  .Values({"1482125382074"})
                  .Known(),
              ElementsAre("row=a"));
}

TEST(Known, ValuesOfACellThatTwoColumnsCanWriteAreThoseOfBoth) {
  Book two(std::vector<std::string>{"row: '{f:k}'", "columns: { 'f:{row}': '', 'f:x{row}': '' }", "shared: true"});
  two.Add("xa", {"f:k=K"});
  EXPECT_THAT(two.Known({"K"}), Each(std::string("f:k=K")));
}

/// An index with a table per period, of visits.
Book Periods(const std::string& table, const std::string& row) {
  Diagnostics diagnostics;
  const auto mappings =
      Load({{"test.yaml", "source: t\nindexes:\n  x:\n    table: '" + table + "'\n    retention: 30d\n    row: '" +
                              row + "'\n    columns: { 'v:{row}': '' }\n    requires: v:time\n"}},
           &diagnostics, TestEnvironment());
  EXPECT_EQ(diagnostics.errors(), 0u) << diagnostics.Text();
  return Book(mappings.at(0).indexes.at(0));
}

TEST(PeriodTables, AreBoundedByTheirTimeAlone) {
  Book by_row = Periods("v_{v:time | int | from_ms | time %Y%m%d}", "{row}");
  by_row.Add("a", {"v:time=1482125382074"}).Add("b", {"v:time=1482211782074"});
  EXPECT_THAT(by_row.Rows({}, "2016-12-19", "2016-12-20"), ElementsAre("a"));
  EXPECT_THAT(by_row.Rows({}, "1482125382074", "1482125382075"), ElementsAre("a"));
  EXPECT_THAT(by_row.Rows({"b"}, "2016-12-19", "2016-12-21"), ElementsAre("b"));
}

// The key has the bytes of the source, and only another template reads a time out of them.
TEST(PeriodTables, AreBoundedByTheirTimeWhereTheKeyHoldsItsBytes) {
  for (const char* key : {"{v:user | terminated}{v:time | terminated}{row}", "{v:time | fixed 13}{row}"}) {
    Book digits = Periods("v_{v:time | int | from_ms | time %Y%m%d}", key);
    digits.Add("a", {"v:user=u", "v:time=1482125382074"}).Add("b", {"v:user=u", "v:time=1482211782074"});
    EXPECT_EQ(digits.Rows({}, "2016-12-19", "2016-12-20").size(), 1u) << key;
    EXPECT_EQ(digits.Rows({}, "1482125382074", "1482125382075").size(), 1u) << key;
    EXPECT_THAT(digits.Rows({}, "2016-12-19T06:00", "2016-12-20"), IsEmpty()) << key;
  }
  Book texts = Periods("v_{v:time | iso_time | time %Y%m%d}", "{v:time | terminated}{row}");
  texts.Add("a", {"v:time=2016-12-20T05:00+08:00"});
  EXPECT_EQ(texts.Rows({}, "2016-12-19", "2016-12-20").size(), 1u);
}

TEST(PeriodTables, NeedBothBounds) {
  const Book by_row = Periods("v_{v:time | int | from_ms | time %Y%m%d}", "{row}");
  EXPECT_THAT(by_row.Rows({}, "2016-12-19", ""), ElementsAre(HasSubstr("--from or --to is missing")));
}

TEST(PeriodTables, ThatNoTimeSelectsAreListedAndRead) {
  const Book by_row = Periods("v_{v:time | int | from_ms | time %Y%m%d}_{v:user}", "{row}");
  EXPECT_THAT(by_row.Rows({}, "2016-12-19", "2016-12-20"),
              ElementsAre(HasSubstr("so --from and --to cannot select its tables. List the tables with 'fensi tables "
                                    "v_', and read each table with 'fensi scan TABLE'")));
}

TEST(PeriodTables, KnowWhatTheNumbersOfTheirTimeCount) {
  Book seconds =
      Periods("v_{v:time | int | from_s | time %Y%m%d}", "{v:user | terminated}{v:time | int | to_be 4}{row}");
  seconds.Add("a", {"v:user=u", "v:time=1482125382"}).Add("b", {"v:user=u", "v:time=1482125383"});
  EXPECT_EQ(seconds.Rows({"u"}, "2016-12-19", "2016-12-20").size(), 2u);
  EXPECT_EQ(seconds.Rows({"u"}, "2016-12-19T05:29:43", "2016-12-20").size(), 1u);
  EXPECT_EQ(seconds.Rows({"u"}, "1482125383", "1482125384").size(), 1u);
}

TEST(PeriodTables, AreKnownByTheirNames) {
  const Book daily = Periods("v_{v:time | int | from_ms | time %Y%m%d}_x", "{row}");
  EXPECT_TRUE(CouldBePeriodTable(daily.index(), "v_20161219_x"));
  for (const char* other : {"v_", "v__x", "v_20161219", "v_2016121_x", "v_20161319_x", "v_20160230_x", "v_20161219_xy",
                            "v_archive_x", "w_20161219_x", "v_20161219_20161219_x", ""}) {
    EXPECT_FALSE(CouldBePeriodTable(daily.index(), other)) << other;
  }
  const Book both = Periods("v_{v:user}_{v:time | int | from_ms | time %Y}", "{row}");
  EXPECT_TRUE(CouldBePeriodTable(both.index(), "v_a_b_2016"));
  for (const char* other : {"v__2016", "v_a_b", "v_2016"})
    EXPECT_FALSE(CouldBePeriodTable(both.index(), other)) << other;
}

}  // namespace
}  // namespace fensi::mapping
