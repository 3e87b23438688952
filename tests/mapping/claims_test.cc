// What `check` claims of a mapping, case by case: whether two source rows can write one cell, and what is left of a
// hash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/key_layout.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::mapping {
namespace {

struct ClaimCase {
  const char* name;
  std::vector<std::string> lines;
  const char* said;  // a diagnostic's code, or a line of the key's layout
};
class Claims : public ::testing::TestWithParam<ClaimCase> {};

std::string Said(const std::vector<std::string>& lines) {
  const auto index = TryLoadIndex(lines);
  std::string said = DiagnosticsOf(lines);
  if (index == nullptr) return said;
  for (const std::string& line : KeyLayout(*index)) said += line + "\n";
  return said;
}

TEST_P(Claims, AreMadeOfWhatStandsThere) { EXPECT_THAT(Said(GetParam().lines), HasSubstr(GetParam().said)); }

constexpr const char* kApart = "two source rows never write the same cell";
constexpr const char* kOneColumn = "columns: { 'f:v': '{f:x}' }";

std::string Row(const std::string& row) { return "row: '" + row + "'"; }

INSTANTIATE_TEST_SUITE_P(
    Borders, Claims,
    ::testing::Values(
        ClaimCase{"open_before_terminated", {Row("{row}{f:x | terminated}"), kOneColumn}, "rows-collide"},
        ClaimCase{"open_before_separated", {Row("{row}{f:x | without -}-"), kOneColumn}, "rows-collide"},
        ClaimCase{"value_before_row", {Row("{f:x}-{row | terminated}"), kOneColumn}, "rows-collide"},
        ClaimCase{"ambiguous_beside_the_row",
                  {Row("{f:x}{f:y | terminated}"), "columns: { 'f:{row}': '' }"},
                  "key-ambiguous"},
        ClaimCase{"in_a_qualifier", {Row("{f:x}"), "columns: { 'f:{row}{f:y | terminated}': '' }"}, "rows-collide"},
        ClaimCase{"open_before_fixed", {Row("{row}{f:x | fixed 3}-"), kOneColumn}, kApart},
        ClaimCase{"terminated_in_front", {Row("{f:x | terminated}{row}"), kOneColumn}, kApart},
        ClaimCase{"separated_in_front", {Row("{f:x | without -}-{row}"), kOneColumn}, kApart},
        ClaimCase{"separator_comes_back_by_case", {Row("{f:x | without X | upper}X{row}"), kOneColumn}, "rows-collide"},
        ClaimCase{
            "separator_comes_back_by_lower", {Row("{f:x | without a | lower}a{row}"), kOneColumn}, "rows-collide"},
        ClaimCase{
            "separator_comes_back_by_a_host", {Row("{f:x | without e | url host}e{row}"), kOneColumn}, "rows-collide"},
        ClaimCase{
            "separator_comes_back_by_a_scheme", {Row("{f:x | upper | url scheme}e{row}"), kOneColumn}, "rows-collide"},
        ClaimCase{
            "separator_comes_back_by_percent", {Row("{f:x | without - | url host}-{row}"), kOneColumn}, "rows-collide"},
        ClaimCase{"a_host_ends_at_a_slash", {Row("{f:x | url host}/{row}"), kOneColumn}, kApart},
        ClaimCase{"a_port_ends_at_a_letter", {Row("{f:x | url port}a{row}"), kOneColumn}, kApart},
        ClaimCase{"a_path_ends_at_a_question_mark", {Row("{f:x | url path}?{row}"), kOneColumn}, kApart},
        ClaimCase{"a_query_does_not", {Row("{f:x | url query}?{row}"), kOneColumn}, "rows-collide"},
        ClaimCase{"hex_is_no_more_lower_case", {Row("{f:x | hex | upper}A{row}"), kOneColumn}, "rows-collide"},
        ClaimCase{"hex_in_upper_case_ends_at_a_letter", {Row("{f:x | hex | upper}a{row}"), kOneColumn}, kApart},
        ClaimCase{
            "items_end_at_their_separator", {"each: '{f:x | split \"|\"}'", Row("{item}|{row}"), kOneColumn}, kApart},
        ClaimCase{
            "items_of_json_do_not", {"each: '{f:x | json_list a}'", Row("{item}|{row}"), kOneColumn}, "rows-collide"}),
    [](const auto& param) { return std::string(param.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Columns, Claims,
    ::testing::Values(
        ClaimCase{"one_begins_the_other", {Row("{f:k}"), "columns: { 'f:{row}': '', 'f:x{row}': '' }"}, "rows-collide"},
        ClaimCase{"a_name_beside_the_row", {Row("{f:k}"), "columns: { 'f:{row}': '', 'f:n': '' }"}, "rows-collide"},
        ClaimCase{"one_ends_the_other", {Row("{f:k}"), "columns: { 'f:{row}': '', 'f:{row}x': '' }"}, "rows-collide"},
        ClaimCase{"different_beginnings", {Row("{f:k}"), "columns: { 'f:a{row}': '', 'f:x{row}': '' }"}, kApart},
        ClaimCase{"different_ends", {Row("{f:k}"), "columns: { 'f:{row}a': '', 'f:{row}x': '' }"}, kApart},
        ClaimCase{"two_families", {Row("{f:k}"), "columns: { 'f:{row}': '', 'g:x{row}': '' }"}, kApart},
        ClaimCase{"the_row_in_front_of_both",
                  {Row("{f:k}"), "columns: { 'f:{row | terminated}a': '', 'f:{row | terminated}ab': '' }"},
                  kApart},
        ClaimCase{"another_width",
                  {Row("{f:k}"), "columns: { 'f:{row | fixed 4}': '', 'f:{row | fixed 4}{f:k | fixed 1}': '' }"},
                  kApart},
        ClaimCase{"a_byte_that_the_other_cannot_have",
                  {Row("{f:k}"), "columns: { 'f:{row | hex}': '', 'f:x{row}': '' }"},
                  kApart},
        ClaimCase{"the_row_key_tells",
                  {Row("{f:k | terminated}{row}"), "columns: { 'f:{row}': '', 'f:x{row}': '' }"},
                  kApart}),
    [](const auto& param) { return std::string(param.param.name); });

ClaimCase HashCase(const char* name, const std::string& steps, const char* said) {
  return {name, {Row("{row | " + steps + "}"), kOneColumn}, said};
}

INSTANTIATE_TEST_SUITE_P(
    Hashes, Claims,
    ::testing::Values(HashCase("whole", "md5", "128 bits of a hash"),
                      HashCase("half", "md5 | first 8", "64 bits of a hash"),
                      HashCase("half_in_hex", "md5 | hex | first 16", "64 bits of a hash"),
                      HashCase("half_in_upper_hex", "md5 | hex | upper | last 16", "64 bits of a hash"),
                      HashCase("end_of_a_long_one", "sha256 | hex | slice 60", "rows-collide"),
                      HashCase("filling_is_no_hash", "md5 | pad 40 x | first 16", "rows-collide"),
                      HashCase("divided", "md5 | first 8 | i64 | div 1152921504606846976 | ordered 1", "rows-collide"),
                      HashCase("divided_a_little", "sha1 | first 8 | i64 | div 1 | ordered", "64 bits of a hash"),
                      HashCase("end_of_terminated", "md5 | hex | terminated | last 8", "rows-collide"),
                      HashCase("floor", "md5 | first 8 | i64 | floor 4096 | ordered", "rows-collide"),
                      HashCase("floor_day", "md5 | first 8 | i64 | from_ms | floor_day | ordered", "rows-collide"),
                      HashCase("seconds", "md5 | first 8 | i64 | from_ms | seconds | ordered", "rows-collide"),
                      HashCase("replaced", "md5 | replace a b", "rows-collide"),
                      HashCase("nothing_to_replace", "md5 | hex | replace x y", "128 bits of a hash"),
                      HashCase("of_a_hash", "crc32 | md5", "rows-collide"),
                      HashCase("of_a_wide_hash", "xxh64 | md5", "64 bits of a hash"),
                      HashCase("of_a_piece", "first 3 | md5", "rows-collide"),
                      HashCase("never_absent", "md5 | default x", "128 bits of a hash"),
                      HashCase("written_in_full", "hex | upper | lower", kApart)),
    [](const auto& param) { return std::string(param.param.name); });

TEST(TimeCycle, IsAcceptedForABirthday) {
  const std::vector<std::string> lines = {Row("{f:born | parse_time %Y-%m-%d | time %m-%d}{row}"),
                                          "columns: { 'f:v': '' }"};
  EXPECT_THAT(DiagnosticsOf(lines), HasSubstr("warning: this time repeats after 365 days"));
  std::vector<std::string> allowed = lines;
  allowed.emplace_back("ignore_warnings: [time-cycle, growing-key]");
  EXPECT_NE(TryLoadIndex(allowed), nullptr);
  EXPECT_EQ(DiagnosticsOf(allowed), "");
}

TEST(TimeCycle, IsNoneWithoutAField) {
  EXPECT_EQ(DiagnosticsOf({Row("{f:v | fixed 9}{f:born@ts | time 100%%%Y%m%d}{row}"), "columns: { 'f:v': '' }"}), "");
}

TEST(UnpaddedNumbers, AreThoseOfSeveralWidths) {
  const auto said = [](const std::string& steps) {
    return DiagnosticsOf({Row("{f:v | " + steps + "}-{row}"), "columns: { 'f:v': '' }"});
  };
  EXPECT_THAT(said("u32 | decimal | pad 9 0"), HasSubstr("[unpadded-number]"));
  EXPECT_THAT(said("u32 | decimal | pad 10 0"), ::testing::Not(HasSubstr("[unpadded-number]")));
  EXPECT_THAT(said("crc32 | u32 | mod 10 | decimal"), ::testing::Not(HasSubstr("[unpadded-number]")));
}

TEST(Splits, AreComparedWithTheBytesThatKeysCanBeginWith) {
  const auto said = [](const std::string& row) {
    return DiagnosticsOf({Row(row), "columns: { 'f:{row}': '' }", "requires: f:v", "create: { split: { hex: 16 } }"});
  };
  EXPECT_THAT(said("{row | md5 | hex | upper}"), HasSubstr("lie outside the range of row keys, such as 'a'"));
  EXPECT_THAT(said("{row | md5 | hex}"), ::testing::Not(HasSubstr("unreachable-split")));
  EXPECT_THAT(said("{row | crc32 | u32 | mod 4 | decimal 1}-{row}"), HasSubstr("unreachable-split"));
}

TEST(PackedOrders, OfNumbersInPackedValuesAreThoseOfTheNumbers) {
  const auto said = [](const std::string& steps) {
    const std::string text =
        "avros: [orders.avsc, types.avsc]\nprotos: [visitors.proto]\nsource: t\nindexes:\n  x:\n"
        "    table: x_table\n    row: '{f:x | " +
        steps + "}'\n    columns: { 'f:{row}': '' }\n";
    Diagnostics diagnostics;
    const std::vector<Mapping> mappings = Load({{"m.yaml", text}}, &diagnostics, TestEnvironment());
    return mappings.empty() ? diagnostics.Text() : KeyLayout(*mappings[0].indexes[0])[0];
  };
  EXPECT_THAT(said("avro example.Order cents | ordered"), HasSubstr("in the order of its values"));
  EXPECT_THAT(said("avro example.Order cents | descending | to_be 8"), HasSubstr("in the reverse order of its values"));
  EXPECT_THAT(said("avro example.Order cents | to_be 8"), HasSubstr("(negative ones last)"));
  EXPECT_THAT(said("avro_framed 7 types.All by_key.a | ordered"), HasSubstr("in the order of its values"));
  EXPECT_THAT(said("avro types.All twice | real | ordered"), HasSubstr("in the order of its values"));
  EXPECT_THAT(said("avro types.All price | unscaled 2 | ordered"), HasSubstr("in the order of its values"));
  EXPECT_THAT(said("avro example.Order id"), HasSubstr("order not kept"));
  EXPECT_THAT(said("proto example.VisitorsInfo visitor.0.requests | ordered"), HasSubstr("in the order of its values"));
  EXPECT_THAT(said("proto example.VisitorsInfo visitor.0.type"), HasSubstr("order not kept"));
  EXPECT_THAT(said("sha256 | avro example.Order cents | ordered"), HasSubstr("order not kept"));
}

struct OrderCase {
  const char* name;
  const char* steps;
  const char* said;
};
class Orders : public ::testing::TestWithParam<OrderCase> {};

TEST_P(Orders, AreThoseOfWhatStandsBefore) {
  const std::vector<std::string> lines = {Row("{f:x | " + std::string(GetParam().steps) + "}"),
                                          "columns: { 'f:{row}': '' }"};
  ASSERT_NE(TryLoadIndex(lines), nullptr) << DiagnosticsOf(lines);
  EXPECT_THAT(KeyLayout(*TryLoadIndex(lines))[0], HasSubstr(GetParam().said));
}

OrderCase Kept(const char* name, const char* steps) { return {name, steps, "in the order of its values"}; }
OrderCase Turned(const char* name, const char* steps) { return {name, steps, "in the reverse order of its values"}; }
OrderCase Lost(const char* name, const char* steps) { return {name, steps, "order not kept"}; }

INSTANTIATE_TEST_SUITE_P(
    All, Orders,
    ::testing::Values(Lost("digits_of_any_number", "int | decimal | pad 13 0"),
                      Kept("digits_of_one_width", "u32 | decimal | pad 10 0"),
                      Lost("digits_that_may_be_wider", "u32 | decimal | pad 9 0"),
                      Kept("wider_ones_refused", "u32 | decimal | pad 9 0 | fixed 9"),
                      Lost("digits_of_remainders", "int | mod 100 | decimal | pad 2 0"),
                      Lost("digits_turned", "int | decimal 5 | reverse | pad 9 0"),
                      Kept("padded_number", "int | decimal 13"), Kept("bytes_of_a_long", "i64 | ordered"),
                      OrderCase{"long_with_sign", "i64 | to_be 8", "in the order of its values (negative ones last)"},
                      Kept("unsigned_long", "u64 | to_be 8"), Lost("unsigned_less_something", "u64 | sub 5 | to_be 8"),
                      Lost("number_less_something", "int | sub 5 | to_be 8"),
                      Lost("number_and_something", "int | add 5 | to_be 8"),
                      OrderCase{"number_and_nothing", "int | add 0 | to_be 8", "(negative ones last)"},
                      OrderCase{"number_times_something", "int | mul 7 | to_be 8", "(negative ones last)"},
                      OrderCase{"parts_of_a_number", "int | div 7 | to_be 8", "(negative ones last)"},
                      Lost("number_turned_round", "int | mul \"-1\" | to_be 8"),
                      Lost("number_times_nothing", "int | mul 0 | to_be 8"),
                      Lost("descending_turned_round", "int | descending | mul \"-1\" | to_be 8"),
                      Lost("descending_less_something", "int | descending | sub 5 | to_be 8"),
                      Turned("descending", "int | descending | to_be 8"),
                      Kept("descending_twice", "int | descending | descending | to_be 8"),
                      Kept("descending_turned_round_with_sign", "int | descending | mul \"-1\" | ordered"),
                      Kept("never_zero", "int | descending | mul \"-1\" | sub 1 | to_be 8"),
                      Turned("never_positive", "u32 | mul \"-1\" | sub 1 | to_be 8"),
                      Lost("shifted_and_back", "int | ordered | u64 | sub 5 | to_be 8"),
                      Kept("sign_read_again", "int | to_be 8 | i64 | ordered"),
                      Lost("sign_read_of_other_bytes", "int | ordered | i64 | ordered"),
                      Lost("time_before_1970_as_digits", "int | from_ms | time %Y%m%d | int | sub 20000101 | to_be 8"),
                      Kept("unsigned_plus_something", "u64 | add 5 | to_be 8"),
                      Kept("long_as_milliseconds", "i64 | from_ms | time %Y%m%d"), Kept("upper_hex", "hex | upper"),
                      Lost("upper", "upper"), Kept("german_date", "parse_time %d.%m.%Y | time %Y%m%d"),
                      Lost("german_date_as_it_stands", "parse_time %d.%m.%Y | time %d.%m.%Y")),
    [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace fensi::mapping
