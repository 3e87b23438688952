// The fingerprint of an index: another definition if its entries can be others, and one for all spellings of a meaning.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <regex>

#include "base/bytes.h"
#include "mapping/functions/regex.h"
#include "mapping/lookup.h"
#include "mapping/template/compile.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::mapping {
namespace {

std::string DefinitionOf(const std::string& row, const std::string& more = "") {
  return LoadIndex({"row: '" + row + "'", "columns: { 'f:{row}': '{f:k}' }", more})->definition();
}

std::string TablesOf(const std::string& row, const std::string& more = "") {
  const std::string definition = DefinitionOf(row, more);
  const size_t at = definition.find("tables of this machine:\n");
  return at == std::string::npos ? "" : definition.substr(definition.find('\n', at) + 1);
}

TEST(Fingerprint, HasTheUnicodeOfIcuIfAFunctionGoesByIt) {
  for (const char* function : {"lower_unicode", "upper_unicode", "fold", "nfc", "nfkc"}) {
    EXPECT_TRUE(std::regex_match(TablesOf("{f:v | " + std::string(function) + "}"),
                                 std::regex("  ICU: Unicode \\d+\\.\\d+[.\\d]*\n")))
        << function;
  }
  EXPECT_EQ(TablesOf("{f:v | lower | upper | trim | md5 | hex}"), "");
  EXPECT_THAT(DefinitionOf("{f:v | collate de}"), HasSubstr("functions:\n  collate "));
}

TEST(Fingerprint, HasTheClassesOfRe2ThatAnExpressionNames) {
  const std::string digest = "[0-9a-f]{32}\n";
  const auto is = [](const std::string& tables, const std::string& pattern) {
    return std::regex_match(tables, std::regex(pattern));
  };
  EXPECT_TRUE(is(TablesOf("{f:v | match /\\pL+/}"), "  RE2: \\\\p\\{L\\} " + digest));
  EXPECT_EQ(TablesOf("{f:v | match /\\pL+/}"), TablesOf("{f:v | match /[^\\P{^L}x]/}"));
  EXPECT_TRUE(is(TablesOf("{f:v | match /\\p{Han}|\\p{Greek}/}"),
                 "  RE2: \\\\p\\{Greek\\} " + digest + "  RE2: \\\\p\\{Han\\} " + digest));
  EXPECT_TRUE(is(TablesOf("{f:v | match /(?i)[é]/}"), "  RE2: \\(\\?i\\) " + digest));
  EXPECT_NE(TablesOf("{f:v | match /\\pL/}").substr(14), TablesOf("{f:v | match /\\pN/}").substr(14));
  EXPECT_EQ(TablesOf("{f:v}", "when: [ '{f:w} matches /\\pL/' ]"), TablesOf("{f:v | match /\\pL/}"));
  for (const char* plain : {"/(?i)abc/", "/\\d+\\w/", "/[关]/", "/\\\\p{L}/", "/(?s).é/"}) {
    EXPECT_EQ(TablesOf("{f:v | match " + std::string(plain) + "}"), "") << plain;
  }
}

/// Clocks that are set once.
class OnceSet final : public TimeZone {
 public:
  OnceSet(int64_t at, int64_t after) : at_(at), after_(after) {}
  int64_t OffsetSeconds(int64_t utc_millis) const override { return utc_millis < at_ ? 0 : after_; }
  std::optional<int64_t> NextChange(int64_t utc_millis) const override {
    if (utc_millis < 0) return 0;  // a change of the zone's name alone
    return utc_millis < at_ ? std::optional(at_) : std::nullopt;
  }

 private:
  const int64_t at_, after_;
};

std::string FingerprintWith(std::shared_ptr<const TimeZone> zone, const std::string& row) {
  Environment environment = TestEnvironment();
  environment.zone = [zone](const std::string&) { return zone; };
  Diagnostics diagnostics;
  const MappingText file{"test.yaml",
                         "source: t\nindexes:\n  x:\n    table: xt\n    row: '" + row +
                             "'\n    columns: { 'f:{row}': '' }\n    ignore_warnings: [growing-key, time-cycle]\n"};
  const std::vector<Mapping> mappings = Load({file}, &diagnostics, environment);
  return mappings.empty() ? diagnostics.Text() : mappings[0].indexes[0]->fingerprint();
}

TEST(Fingerprint, HasTheRulesOfTheZonesThatAreUsed) {
  constexpr int64_t kAt = 1'000'000'000'000, kFuture = 7'000'000'000'000;
  const auto with = [](int64_t at, int64_t after, const std::string& row) {
    return FingerprintWith(std::make_shared<OnceSet>(at, after), row);
  };
  for (const std::string row : {"{f:v@ts | time %Y%m%d A/B}{row}", "{f:v | parse_time %Y%m%d A/B | ordered}{row}",
                                "{f:v | iso_time A/B | ordered}{row}"}) {
    const std::string print = with(kAt, 3600, row);
    ASSERT_EQ(print.size(), 32U) << print;
    EXPECT_EQ(print, with(kAt, 3600, row));
    EXPECT_NE(print, with(kAt + 1000, 3600, row)) << row;
    EXPECT_NE(print, with(kAt, 7200, row)) << row;
    EXPECT_NE(with(kFuture, 0, row), with(kFuture, 3600, row)) << "a rule of the future";
    EXPECT_EQ(with(kAt, 0, row), with(kFuture, 0, row)) << "a change of nothing";
  }
  const std::string fixed = "{f:v@ts | time %Y%m%d +08:00}{row}";
  EXPECT_EQ(with(kAt, 3600, fixed), with(kAt, 7200, fixed));
}

TEST(Fingerprint, IsOneForAllSpellingsOfAnArgument) {
  const std::vector<std::vector<std::string>> spellings = {
      {"pad 10 0", "pad 010 \"0\"", "pad +10 \\x30"},
      {"int | add 5 | ordered", "int | add 005 | ordered"},
      {"int | default 7 | ordered", "int | default +07 | ordered"},
      {"real | default 1.5 | ordered", "real | default 15e-1 | ordered"},
      {"number | default 19.9 | ordered", "number | default 19.90 | ordered"},
      {"parse_time %Y UTC | ordered", "parse_time %Y Z | ordered", "parse_time %Y +00:00 | ordered"},
      {"phoenix BIGINT DESC | ordered", "phoenix bigint desc | ordered"},
      {"phoenix_key \"SALTED BIGINT, VARCHAR DESC\" 1", "phoenix_key \" salted  bigint asc,varchar  desc\" 01"},
      {"url host", "url HOST"},
      {"collate zh-u-co-stroke", "collate ZH-u-CO-stroke"}};
  for (const std::vector<std::string>& same : spellings) {
    for (const std::string& other : same) {
      EXPECT_EQ(DefinitionOf("{f:v | " + same[0] + "}"), DefinitionOf("{f:v | " + other + "}"));
    }
  }
  EXPECT_NE(DefinitionOf("{f:v | default 7}"), DefinitionOf("{f:v | default 07}")) << "bytes";
}

TEST(Fingerprint, IsAnotherForAnotherMeaning) {
  const auto value = [](const std::string& text) {
    return LoadIndex({"row: '{row}'", "columns: { 'f:v': '" + text + "' }"})->definition();
  };
  const auto differ = [&](const std::string& a, const std::string& b) { EXPECT_NE(value(a), value(b)); };
  differ(R"({f:v | match /a\/ | match \/b/})", "{f:v | match /a/ | match /b/}");
  differ(R"({f:v | match /a\/}-{f:w | match \/b/})", "{f:v | match /a/}-{f:w | match /b/}");
  differ(R"({f:v | match /é\/u | match \/é/})", "{f:v | match /é/ | match /é/}");
  differ(R"({f:v | match /(a)\/ "1"/})", R"({f:v | match /(a)/ 1})");
  const auto columns = [](const std::string& cells) {
    return LoadIndex({"row: '{row}'", "columns: { " + cells + " }"})->definition();
  };
  EXPECT_NE(columns("'f:a = {f:v}': ''"), columns("'f:a': '{f:v} = '"));
  EXPECT_NE(columns("'f:a': '= {f:v}'"), columns("'f:a =': '{f:v}'"));
  const auto when = [](const std::string& condition) { return DefinitionOf("{f:v}", "when: [ '" + condition + "' ]"); };
  EXPECT_NE(when(R"({f:a}\x20==\x20b)"), when("{f:a} == b"));
  EXPECT_NE(when(R"({f:x} and {f:a} == {f:b}\x20or\x20{f:c})"), when("{f:x} and {f:a} == {f:b} or {f:c}"));
}

TEST(Fingerprint, IsAnotherForAnotherColumn) {
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"{({g:a | lower},{g:b}) | terminated}{row}", "{({g:\"a | lower\"},{g:b}) | terminated}{row}"},
      {"{({g:a}, {g:b}) | terminated}{row}", "{({g:\"a}, {g:b\"}) | terminated}{row}"},
      {"{g:a | lower | terminated}{row}", "{g:\"a | lower\" | terminated}{row}"},
      {"{g:a | terminated}-{g:b}", "{g:\"a | terminated}-{g:b\"}"},
      {"{g:a@ts | ordered}{row}", "{g:\"a@ts\" | int | ordered}{row}"},
      {"{a:b:c | terminated}{row}", "{\"a:b\":c | terminated}{row}"}};
  for (const auto& [one, other] : pairs) EXPECT_NE(DefinitionOf(one), DefinitionOf(other));
  EXPECT_NE(DefinitionOf("{row}", "requires: 'a:b:c'"), DefinitionOf("{row}", "requires: '\"a:b\":c'"));
  const auto index =
      LoadIndex({R"(row: '{g:"a | \"b\"" | terminated}{g:"a@ts"@ts | ordered}{row}')", "columns: { 'f:q': '' }"});
  EXPECT_EQ(KeyPartNames(*index), (std::vector<std::string>{R"(g:"a | \"b\"")", R"(g:"a@ts"@ts)", "row"}));
}

TEST(Fingerprint, OfOrdinaryNamesHasNoQuotes) {
  EXPECT_THAT(DefinitionOf(R"({f-1:"a-b.c:d/e=#;''\xC3\xA9\x00" | terminated}{"f":"g"@ts | ordered})"),
              HasSubstr("row: {f-1:a-b.c:d/e=#;'\\xC3\\xA9\\x00 | terminated}{f:g@ts | ordered}\n"));
}

/// Templates of columns whose names are made of what means something in a template, and what each of them means.
class RandomColumns {
 public:
  explicit RandomColumns(unsigned seed) : random_(seed) {}

  struct Drawn {
    std::string written;
    std::string meaning;  // with the length in front of each name: two templates never have the same
  };

  Drawn Template() {
    Drawn drawn = Part(true);
    for (size_t more = Below(3); more > 0; --more) {
      const Drawn next = Part(true);
      drawn = {drawn.written + "-" + next.written, drawn.meaning + "-" + next.meaning};
    }
    return drawn;
  }

 private:
  size_t Below(size_t end) { return std::uniform_int_distribution<size_t>(0, end - 1)(random_); }

  std::string Name(size_t least) {
    constexpr std::string_view kCharacters = "a| {}\"@ts():,*\\\xff\n";
    std::string name;
    for (size_t size = least + Below(5); size > 0; --size) {
      const std::vector<std::string> whole = {" | lower", "} {g:", "@ts", R"(")", R"(":")", "}, {g:b"};
      name += Below(4) == 0 ? whole[Below(whole.size())] : std::string(1, kCharacters[Below(kCharacters.size())]);
    }
    return name;
  }

  std::string Written(const std::string& name) {
    std::string out = "\"";
    for (const char c : name) {
      const bool escaped = c == '"' || c == '\\';
      out += escaped && Below(2) == 0 ? std::string("\\") + c : c == '"' ? "\\x22" : EscapeAscii(std::string(1, c));
    }
    return out + "\"";
  }

  static std::string Counted(const std::string& name) { return std::to_string(name.size()) + ":" + name; }

  Drawn Part(bool may_join) {
    if (may_join && Below(3) == 0) {
      const Drawn one = Part(false);
      const Drawn other = Part(false);
      return {"{(" + one.written + ", " + other.written + ") | terminated}",
              "(" + one.meaning + "," + other.meaning + ")"};
    }
    const std::string family = Name(1);
    const std::string qualifier = Name(0);
    const std::vector<std::string> endings = {"", " | lower", " | lower | terminated", "@ts | decimal"};
    const std::string& ending = endings[Below(endings.size())];
    return {"{" + Written(family) + ":" + Written(qualifier) + ending + "}",
            Counted(family) + Counted(qualifier) + ending};
  }

  std::mt19937 random_;
};

TEST(Fingerprint, OfAnyColumnIsReadAsThatColumnAgain) {
  RandomColumns random(7);
  std::map<std::string, std::string> meanings;
  for (int i = 0; i < 20'000; ++i) {
    const RandomColumns::Drawn drawn = random.Template();
    std::vector<Slot> slots;
    const std::optional<Template> compiled = CompileText(drawn.written, &slots);
    ASSERT_TRUE(compiled) << drawn.written;
    std::string text;
    for (const Part& part : compiled->parts) text += part.text;
    const auto [known, fresh] = meanings.emplace(text, drawn.meaning);
    ASSERT_EQ(known->second, drawn.meaning) << text;
    std::vector<Slot> again;
    const std::optional<Template> reread = CompileText(text, &again);
    ASSERT_TRUE(reread) << text;
    ASSERT_EQ(reread->text, text);
    ASSERT_EQ(again, slots) << text;
  }
}

// Slashes and blanks that can be taken for nothing else stay as they were stored.
TEST(Fingerprint, OfWhatIsClearIsThatOfEarlierVersions) {
  EXPECT_THAT(DefinitionOf(R"({f:v | match /a\/(b)/ 1})"), HasSubstr("row: {f:v | match /a/(b)/ \"1\"}\n"));
  EXPECT_THAT(DefinitionOf("a b {f:v} = c"), HasSubstr("row: a b {f:v} = c\n"));
  EXPECT_THAT(LoadIndex({"row: '{row}'", "columns: { 'f:a b {f:v} ': 'c = d' }"})->definition(),
              HasSubstr("  f:a b {f:v}  = c = d\n"));
}

}  // namespace
}  // namespace fensi::mapping
