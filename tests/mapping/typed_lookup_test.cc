// Lookups of doubles, decimals, Phoenix' types, identifiers and ISO times: given, bounded and shown as people write
// them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "tests/mapping/lookup_testing.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::mapping {
namespace {

/// Source rows of one value each, whose row key is the value's name; a lookup shows these names.
class Named {
 public:
  explicit Named(const std::string& row)
      : index_(LoadIndex({"row: '" + row + "'", "columns: { 'f:{row}': '{row}' }", "requires: f:x",
                          "ignore_warnings: [growing-key]"})),
        shelf_(*index_) {}

  Named& Add(const std::string& name, const std::string& value) {
    const VisibleCell cell{"f", "x", 1, value};
    shelf_.Put({name, {&cell, 1}});
    return *this;
  }

  std::vector<std::string> Find(const std::vector<std::string>& parts, const std::string& from = "",
                                const std::string& to = "") const {
    std::vector<std::string> typed;
    for (size_t i = 0; i < parts.size(); ++i) typed.push_back(*PartBytes(*index_, i, parts[i]));
    const auto lookup = PlanLookup(*index_, {typed, from, to});
    if (!lookup.ok()) return {lookup.status().message()};
    std::vector<std::string> names;
    for (const Shelf::Owned& cell : shelf_.Find(**lookup)) names.push_back(cell.value);
    return names;
  }
  bool ReadsNoMore(const std::string& from, const std::string& to) const {
    return (*PlanLookup(*index_, {{}, from, to}))->ranges_suffice();
  }
  const Index& index() const { return *index_; }

 private:
  std::shared_ptr<const Index> index_;
  Shelf shelf_;
};

std::string Bytes(const char* escaped) { return *Unescape(escaped); }

Named Doubles(const std::string& row) {
  Named named(row);
  named.Add("-10", Bytes("\\xC0$\\x00\\x00\\x00\\x00\\x00\\x00"))
      .Add("-1.5", Bytes("\\xBF\\xF8\\x00\\x00\\x00\\x00\\x00\\x00"))
      .Add("0.25", Bytes("?\\xD0\\x00\\x00\\x00\\x00\\x00\\x00"))
      .Add("2.5", Bytes("@\\x04\\x00\\x00\\x00\\x00\\x00\\x00"));
  return named;
}

TEST(LookupOfDoubles, TakesAndShowsDigits) {
  const Named doubles = Doubles("{f:x | f64 | ordered}{row}");
  EXPECT_THAT(doubles.Find({"2.5"}), ElementsAre("2.5"));
  EXPECT_THAT(doubles.Find({"-1.50"}), ElementsAre("-1.5"));
  EXPECT_THAT(doubles.Find({"2.6"}), IsEmpty());
  EXPECT_EQ(PartValueText(doubles.index(), {"f:x", Bytes("@\\x04\\x00\\x00\\x00\\x00\\x00\\x00")}), "2.5");
  EXPECT_EQ(PartValueText(doubles.index(), {"f:x", "short"}), std::nullopt);
  EXPECT_EQ(PartNumber(doubles.index(), {"f:x", Bytes("@\\x04\\x00\\x00\\x00\\x00\\x00\\x00")}), std::nullopt);
}

TEST(LookupOfDoubles, BetweenBoundsReadsOnlyTheRange) {
  const Named doubles = Doubles("{f:x | f64 | ordered}{row}");
  EXPECT_THAT(doubles.Find({}), ElementsAre("-10", "-1.5", "0.25", "2.5"));
  EXPECT_THAT(doubles.Find({}, "-1.5", "2.5"), ElementsAre("-1.5", "0.25"));
  EXPECT_THAT(doubles.Find({}, "-Infinity", "-1.5"), ElementsAre("-10"));
  EXPECT_THAT(doubles.Find({}, "0.2500001"), ElementsAre("2.5"));
  EXPECT_TRUE(doubles.ReadsNoMore("-1.5", "2.5"));
  EXPECT_THAT(doubles.Find({}, "dear"),
              ElementsAre(HasSubstr("--from: \"dear\" is not a number: write a number like 19.90")));
  EXPECT_THAT(doubles.Find({}, "3", "2"), ElementsAre(HasSubstr("--from is after --to")));
}

TEST(LookupOfDoubles, FindsTheSameWhereTheOrderIsTurnedRound) {
  const Named doubles = Doubles("{f:x | f64 | ordered | invert}{row}");
  EXPECT_THAT(doubles.Find({}), ElementsAre("2.5", "0.25", "-1.5", "-10"));
  EXPECT_THAT(doubles.Find({}, "-1.5", "2.5"), ElementsAre("0.25", "-1.5"));
}

TEST(LookupOfFloats, TakesBoundsThatAreNoFloats) {
  Named floats("{f:x | f32 | ordered 4}{row}");
  floats.Add("-0.1", Bytes("\\xBD\\xCC\\xCC\\xCD"))
      .Add("0.1", Bytes("=\\xCC\\xCC\\xCD"))
      .Add("2.5", Bytes("@ \\x00\\x00"));
  EXPECT_THAT(floats.Find({}, "0.1"), ElementsAre("0.1", "2.5")) << "the float lies above the double";
  EXPECT_THAT(floats.Find({}, "-0.1"), ElementsAre("-0.1", "0.1", "2.5")) << "the float lies below the double";
  EXPECT_THAT(floats.Find({}, "-1e300", "0.1"), ElementsAre("-0.1"));
  EXPECT_THAT(floats.Find({}, "", "1e300"), ElementsAre("-0.1", "0.1", "2.5"));
}

TEST(LookupOfFloats, FindsTheNearestFloat) {
  for (const char* row : {"{f:x | f32 | ordered 4}{row}", "{f:x | phoenix UNSIGNED_FLOAT | ordered 4}{row}"}) {
    Named floats(row);
    floats.Add("19.9", Bytes("A\\x9F33"));
    EXPECT_THAT(floats.Find({"19.9"}), ElementsAre("19.9")) << row;
    EXPECT_THAT(floats.Find({"19.899999618530273"}), ElementsAre("19.9")) << row;
    EXPECT_THAT(floats.Find({"19.8"}), IsEmpty()) << row;
  }
  Named ordered("{f:x | ordered_bytes FLOAT32 | ordered 4}{row}");
  ordered.Add("19.9", Bytes("0\\xC1\\x9F33"));
  EXPECT_THAT(ordered.Find({"19.9"}), ElementsAre("19.9"));
}

TEST(LookupOfBytesAsNumbers, RefusesATextThatIsNoSuchValue) {
  const auto refused = [](const char* row, const char* typed) {
    const auto index = LoadIndex({"row: '" + std::string(row) + "{row}'", "columns: { 'f:{row}': '{row}' }",
                                  "requires: f:x", "ignore_warnings: [growing-key]"});
    const auto bytes = PartBytes(*index, 0, typed);
    return bytes.ok() ? "taken" : bytes.status().message();
  };
  EXPECT_THAT(refused("{f:x | f64 | ordered}", "19.90EUR"), HasSubstr("\"19.90EUR\" is no value of this function"));
  EXPECT_THAT(refused("{f:x | i32 | ordered 4}", "2.50"), HasSubstr("is read by i32"));
  EXPECT_THAT(refused("{f:x | phoenix DATE | ordered}", "2016-1-1"), HasSubstr("is read by phoenix DATE"));
  EXPECT_THAT(refused("{f:x | ip_text}/", "10.0"), HasSubstr("is read by ip_text"));
  EXPECT_EQ(refused("{f:x | phoenix DATE | ordered}", "2016-12-19"), "taken");
}

std::string Inverted(std::string text) {
  for (char& c : text) c = static_cast<char>(~c);
  return text;
}

/// Keys hold the text, so that bounds are texts, too.
TEST(LookupOfTextsInBytes, ComparesTheTexts) {
  Named names("{f:x | phoenix VARCHAR DESC | terminated}{row}");
  names.Add("abc", Inverted("abc")).Add("abd", Inverted("abd")).Add("b", Inverted("b"));
  EXPECT_THAT(names.Find({"abd"}), ElementsAre("abd"));
  EXPECT_THAT(names.Find({}, "abc", "abd"), ElementsAre("abc"));
  EXPECT_THAT(names.Find({}, "abd"), ElementsAre("abd", "b"));
  Named strings("{f:x | ordered_bytes STRING | terminated}{row}");
  strings.Add("abc", Bytes("4abc\\x00")).Add("b", Bytes("4b\\x00"));
  EXPECT_THAT(strings.Find({"abc"}), ElementsAre("abc"));
  EXPECT_THAT(strings.Find({}, "", "abd"), ElementsAre("abc"));
  Named truths("{f:x | phoenix BOOLEAN | terminated}{row}");
  truths.Add("no", Bytes("\\x00")).Add("yes", Bytes("\\x01"));
  EXPECT_THAT(truths.Find({}, "false", "true"), ElementsAre("no"));
  EXPECT_THAT(truths.Find({}, "true"), ElementsAre("yes"));
  Named pieces("{row | phoenix_key \"BIGINT, VARCHAR DESC\" 1 | phoenix VARCHAR DESC | terminated}{f:x}");
  const std::string seven("\x80\0\0\0\0\0\0\x07", 8);
  pieces.Add(seven + Inverted("abc") + "\xFF", "1").Add(seven + Inverted("b") + "\xFF", "2");
  EXPECT_THAT(pieces.Find({}, "abc", "abd"), ElementsAre(seven + Inverted("abc") + "\xFF"));
}

TEST(LookupOfAvro, IsGivenTheValueAtThePathAndNotTheRecord) {
  Diagnostics diagnostics;
  const auto ranges = [&](const std::string& row, const LookupRequest& request) {
    const std::vector<Mapping> mappings =
        Load({{"test.yaml", "source: t\navros: [orders.avsc]\nindexes:\n  x:\n    table: x_table\n    row: '" + row +
                                "'\n    columns: { 'f:q': '' }\n"}},
             &diagnostics, TestEnvironment());
    return mappings.empty() ? std::vector<KeyRange>() : (*PlanLookup(*mappings[0].indexes[0], request))->ranges();
  };
  EXPECT_THAT(ranges("{f:x | avro example.Order buyer.name | terminated}{row}", {{"ann"}, "", ""}),
              ElementsAre(KeyRange{Bytes("ann\\x00\\x00"), Bytes("ann\\x00\\x01")}))
      << diagnostics.Text();
  EXPECT_THAT(ranges("{f:x | avro example.Order cents | ordered 2}{row}", {{"5"}, "", ""}),
              ElementsAre(KeyRange{Bytes("\\x80\\x05"), Bytes("\\x80\\x06")}))
      << diagnostics.Text();
}

TEST(LookupOfAddresses, ComparesAddressesAndNotTheirTexts) {
  Named hosts("{f:x | ip_text | terminated}{row}");
  hosts.Add("9.0.0.1", "\x09" + std::string(2, '\0') + "\x01").Add("10.0.0.1", "\x0A" + std::string(2, '\0') + "\x01");
  EXPECT_THAT(hosts.Find({}, "9.0.0.0", "10.0.0.0"), ElementsAre("9.0.0.1"));
  EXPECT_THAT(hosts.Find({}, "10.0.0.0"), ElementsAre("10.0.0.1"));
  EXPECT_THAT(hosts.Find({}, "10."), ElementsAre(HasSubstr("\"10.\" is not a text that ip_text writes")));
}

TEST(LookupOfDecimals, ComparesNumbersAndNotTheirDigits) {
  Named prices("{f:x | number | ordered | terminated}{row}");
  prices.Add("a", "19.90").Add("b", "19.9").Add("c", "9").Add("d", "-5").Add("e", "100000000000000000000.01");
  EXPECT_THAT(prices.Find({"19.900"}), ElementsAre("a", "b"));
  EXPECT_THAT(prices.Find({}, "9", "100"), ElementsAre("c", "a", "b"));
  EXPECT_THAT(prices.Find({}, "1e20"), ElementsAre("e"));
  EXPECT_THAT(prices.Find({}, "", "9"), ElementsAre("d"));
}

TEST(LookupOfPhoenix, TakesDigitsForItsBytes) {
  Named amounts("{f:x | phoenix DECIMAL | ordered | terminated}{row}");
  amounts.Add("12.5", Bytes("\\xC1\\x0D\\x33")).Add("-12.5", Bytes(">Y3f")).Add("0", Bytes("\\x80"));
  EXPECT_THAT(amounts.Find({}), ElementsAre("-12.5", "0", "12.5"));
  EXPECT_THAT(amounts.Find({"12.50"}), ElementsAre("12.5"));
  EXPECT_THAT(amounts.Find({}, "-20", "1"), ElementsAre("-12.5", "0"));
  Named ids("{f:x | phoenix BIGINT DESC | ordered}{row}");
  ids.Add("1", Bytes("\\x7F\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFE"))
      .Add("-2", Bytes("\\x80\\x00\\x00\\x00\\x00\\x00\\x00\\x01"));
  EXPECT_THAT(ids.Find({"-2"}), ElementsAre("-2"));
  EXPECT_THAT(ids.Find({}, "-1"), ElementsAre("1"));
}

TEST(LookupOfAPartThatIsReadInTwoWays, TakesItsBytes) {
  Named both("{f:x | varint | ordered}{f:x | md5}{row}");
  both.Add("300", Bytes("\\xAC\\x02")).Add("300 at length", Bytes("\\xAC\\x82\\x00"));
  EXPECT_THAT(both.Find({Bytes("\\xAC\\x82\\x00")}), ElementsAre("300 at length"));
  both.Add("51", "3");
  EXPECT_THAT(both.Find({"3"}), ElementsAre("51")) << "printable bytes, too";
  Named one("{f:x | varint | ordered}{row}");
  one.Add("300", Bytes("\\xAC\\x02")).Add("300 at length", Bytes("\\xAC\\x82\\x00"));
  EXPECT_THAT(one.Find({"300"}), ElementsAre("300", "300 at length"));
}

TEST(LookupOfUnscaledNumbers, TakesNoMorePlacesThanTheScale) {
  Named amounts("{f:x | unscaled 2 | ordered | terminated}{row}");
  amounts.Add("19.9", Bytes("\\x07\\xC6"));
  EXPECT_THAT(amounts.Find({"19.9"}), ElementsAre("19.9"));
  EXPECT_FALSE(PartBytes(amounts.index(), 0, "19.901").ok());
}

TEST(LookupOfIsoTimes, TakesInstants) {
  Named times("{f:x | iso_time | ordered}{row}");
  times.Add("utc", "2015-04-02T01:00:00Z").Add("east", "2015-04-02T09:00:00.5+08:00").Add("later", "2015-04-03");
  EXPECT_THAT(times.Find({}, "2015-04-02T01:00:00.001Z", "2015-04-03"), ElementsAre("east"));
  EXPECT_THAT(times.Find({}, "2015-04-02T09:00+08:00", "2015-04-02T02:00"), ElementsAre("utc", "east"));
}

TEST(LookupOfUuids, TakesTheirText) {
  Named ids("{f:x | uuid_text}{row}");
  ids.Add("a", Bytes("\\x12>Eg\\xE8\\x9B\\x12\\xD3\\xA4VBf\\x14\\x17@\\x00"));
  EXPECT_THAT(ids.Find({"123E4567-e89b-12d3-a456-426614174000"}), ElementsAre("a"));
  EXPECT_THAT(ids.Find({}, "123E4567-E89B-12d3-a456-426614174000"), ElementsAre("a"));
  EXPECT_THAT(ids.Find({}, "123e", "123f"), ElementsAre("a"));
  EXPECT_THAT(ids.Find({}, "123f"), IsEmpty());
  Named texts("{f:x | uuid}{row}");
  texts.Add("a", "123E4567-e89b-12d3-a456-426614174000");
  EXPECT_THAT(texts.Find({"123e4567e89b12d3a456426614174000"}), ElementsAre("a"));
}

TEST(LookupOfFloats, HasTheNearestFloatAsItsBound) {
  for (const char* row : {"{f:x | f32 | ordered 4}{row}", "{f:x | f32_le | ordered 4}{row}"}) {
    const bool little = std::string(row).find("_le") != std::string::npos;
    const Named floats = Named(row).Add("19.9", Bytes(little ? "33\\x9FA" : "A\\x9F33"));
    EXPECT_THAT(floats.Find({"19.9"}), ElementsAre("19.9")) << row;
    EXPECT_THAT(floats.Find({}, "19.9", "20"), ElementsAre("19.9")) << row;
    EXPECT_THAT(floats.Find({}, "19", "19.9"), IsEmpty()) << row;
    EXPECT_THAT(floats.Find({}, "1e300"), IsEmpty()) << row;
  }
}

TEST(LookupOfDigits, ReadsMoreThanItShowsWhereLongerNumbersLieBetween) {
  EXPECT_FALSE(Named("{f:x | int | decimal | pad 5 0}").ReadsNoMore("3", "99999"));
  EXPECT_FALSE(Named("{f:x | int | decimal 5 | default zzzzz}{row}").ReadsNoMore("3", ""));
  EXPECT_TRUE(Named("{f:x | int | decimal 5}{row}").ReadsNoMore("3", "99999"));
}

TEST(TypedParts, OfTextsAreWhatIsShown) {
  for (const char* function : {"phoenix VARCHAR DESC", "ordered_bytes STRING"}) {
    const auto index = LoadIndex({"row: '{f:x | " + std::string(function) + " | terminated}{row}'",
                                  "columns: { 'f:{row}': '' }", "requires: f:x"});
    for (const std::string text : {"C:\\tmp", "a\nb"}) {
      const Result<std::string> bytes = TypedPart(*index, 0, Escape(text));
      ASSERT_TRUE(bytes.ok()) << bytes.status().message();
      EXPECT_EQ(PartValueText(*index, {"f:x", *bytes, true}), text) << function;
    }
  }
  const auto numbers = LoadIndex({"row: '{f:x | i64 | ordered}{row}'", "columns: { 'f:{row}': '' }", "requires: f:x"});
  EXPECT_EQ(*TypedPart(*numbers, 0, "5"), Bytes("\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x05"));
  EXPECT_EQ(*TypedPart(*numbers, 0, "\\x05"), Bytes("\\x05"));
}

TEST(TypedParts, AreTheNumberOrTheTimeThatAnotherTemplateReads) {
  const auto index =
      LoadIndex({"row: '{f:t | fixed 8}{row}'", "columns: { 'f:d': '{f:t | i64 | from_ms | time %Y-%m-%d}' }"});
  const std::string bytes = *TypedPart(*index, 0, "2016-12-19T05:29:42.074Z");
  EXPECT_EQ(bytes, Bytes("\\x00\\x00\\x01Y\\x15\\x8E\\x91\\xBA"));
  EXPECT_EQ(*TypedPart(*index, 0, "1482125382074"), bytes);
}

}  // namespace
}  // namespace fensi::mapping
