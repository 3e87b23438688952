// tests/mapping/bad/NAME.yaml beside NAME.txt: the specification of refusal. FENSI_ACCEPT=1 writes the .txt files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "mapping/codes.h"
#include "tests/mapping/mapping_testing.h"

namespace fensi::mapping {
namespace {

std::vector<std::filesystem::path> BadFiles() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(InTree("tests/mapping/bad"))) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  EXPECT_FALSE(files.empty());
  return files;
}

Diagnostics Diagnose(const std::filesystem::path& path) {
  Diagnostics diagnostics;
  Load({{path.filename(), ReadFile(path)}}, &diagnostics, TestEnvironment());
  return diagnostics;
}

TEST(BadMappings, GetExactlyTheTextBesideThem) {
  const bool accept = std::getenv("FENSI_ACCEPT") != nullptr;
  for (const std::filesystem::path& path : BadFiles()) {
    std::filesystem::path expected = path;
    expected.replace_extension(".txt");
    const std::string text = Diagnose(path).Text();
    if (accept) std::ofstream(expected, std::ios::binary) << text;
    EXPECT_FALSE(text.empty()) << path << " is not bad";
    EXPECT_EQ(text, ReadFile(expected)) << path;
  }
}

TEST(BadMappings, GetAHintWithEachMessage) {
  for (const std::filesystem::path& path : BadFiles()) {
    const Diagnostics diagnostics = Diagnose(path);
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      EXPECT_FALSE(diagnostic.notes.empty()) << path << ": " << diagnostic.message;
    }
  }
  for (const CodeInfo& info : Codes()) {
    EXPECT_EQ(info.remedy.empty(), info.severity == Severity::kWarning) << info.name;
  }
}

TEST(BadMappings, TriggerEveryCode) {
  std::set<std::string> seen = {"too-large"};  // Load.RefusesAFileOfMoreThanOneMebibyte
  for (const std::filesystem::path& path : BadFiles()) {
    const Diagnostics diagnostics = Diagnose(path);
    for (const Diagnostic& diagnostic : diagnostics.all()) seen.insert(diagnostic.code);
  }
  for (const CodeInfo& info : Codes())
    EXPECT_TRUE(seen.contains(std::string(info.name))) << "no file for " << info.name;
}

TEST(Load, RefusesAFileOfMoreThanOneMebibyte) {
  Diagnostics diagnostics;
  Load({{"big.yaml", "# " + std::string(1 << 20, 'x')}}, &diagnostics);
  ASSERT_EQ(diagnostics.errors(), 1u);
  EXPECT_EQ(diagnostics.all()[0].code, "too-large");
}

TEST(Load, RefusesAnIndexNameInTwoFilesAndNamesTheSecond) {
  const std::string text =
      "source: t\nindexes:\n  x:\n    table: x1\n    row: '{f:a}'\n    columns: { 'f:{row}': '' }\n";
  std::string other = text;
  other.replace(other.find("x1"), 2, "x2");
  Diagnostics diagnostics;
  const std::vector<Mapping> mappings = Load({{"one.yaml", text}, {"two.yaml", other}}, &diagnostics);
  EXPECT_EQ(mappings.size(), 1u);
  EXPECT_NE(diagnostics.Text().find("two.yaml:3:3: error: the index name 'x' already belongs to"), std::string::npos)
      << diagnostics.Text();
}

TEST(Load, CountsColumnsInCharactersAndPutsTheCaretUnderWideOnes) {
  Diagnostics diagnostics;
  Load({{"关注.yaml", "source: t\nindexes:\n  x: { table: x1, row: '关注é{f:关|lowr}', columns: {'f:{row}': ''} }\n"}},
       &diagnostics);
  EXPECT_EQ(diagnostics.Text(),
            "关注.yaml:3:33: error: unknown function 'lowr' [unknown-function]\n"
            "  3 |   x: { table: x1, row: '关注é{f:关|lowr}', columns: {'f:{row}': ''} }\n"
            "    |                                    ^~~~\n"
            "  hint: did you mean 'lower'?\n"
            "  hint: 'fensi help functions' shows all functions, each with an example\n");
}

// Windows puts a byte order mark in front of a text. The first line is read, and its places are counted, without it.
TEST(Load, ReadsAFileWithAByteOrderMarkAsOneWithout) {
  constexpr const char* kMark = "\xef\xbb\xbf";
  const std::string json =
      R"({"source":"t","indexes":{"x":{"table":"x1","row":"{f:v}","columns":{"f:{row}":"{f:v@ts | decimal}"}}}})";
  const std::string single = "{ source: t, indexes: { x: { table: x1, row: '{f:v}', columns: { 'f:{row}': '' } } } }\n";
  const std::string lines =
      "source: t\r\nindexes:\r\n  x:\r\n    table: x1\r\n    row: '{f:v}'\r\n    columns: { 'f:{row}': '' }\r\n";
  for (const std::string& text : {json, single, lines}) {
    Diagnostics diagnostics;
    EXPECT_EQ(Load({{"m.yaml", kMark + text}}, &diagnostics).size(), 1u) << diagnostics.Text();
  }
  const std::vector<std::string> bad = {"source: '{f:v}\n",
                                        "souce: t\n",
                                        "source: t\tt\n",
                                        "source: \"{f\\x}\"\n",
                                        "{source: t, indexes: {x: {row: {f:v}}}}",
                                        "source: &a t\r\n"};
  for (const std::string& text : bad) {
    Diagnostics without, with;
    Load({{"m.yaml", text}}, &without);
    Load({{"m.yaml", kMark + text}}, &with);
    EXPECT_GE(without.errors(), 1u);
    EXPECT_EQ(with.Text(), without.Text());
  }
  Diagnostics inside;
  Load({{"m.yaml", std::string(kMark) + kMark + "source: t\n"}}, &inside);
  EXPECT_GE(inside.errors(), 1u) << "a second mark is a character of the text";
}

TEST(Load, KeepsTheCaretUnderThePlaceInAVeryLongLine) {
  std::string wide;
  for (int i = 0; i < 500; ++i) wide += "关";
  Diagnostics diagnostics;
  Load({{"m.yaml", "source: t\nindexes: { x: { table: x1, row: '" + wide + "{f:v|lowr}" + wide +
                       "', columns: {'f:{row}': ''} } }\n"}},
       &diagnostics);
  ASSERT_EQ(diagnostics.errors(), 1u);
  const Diagnostic& found = diagnostics.all()[0];
  EXPECT_EQ(found.column, 33 + 500 + 5 + 1);
  EXPECT_EQ(found.width, 4);
  const std::string text = diagnostics.Text();
  const size_t line = text.find(" | ") + 3;
  const size_t caret = text.find(" | ", line) + 3;
  // Of what is shown in front of the place, 32 characters of two columns and "{f:v|".
  EXPECT_EQ(text.find('^') - caret, 32u * 2 + 5);
  EXPECT_EQ(text.substr(line, 3), "关");
}

TEST(Load, ShowsNoControlCharacterOfAFile) {
  const std::string text = "source: \"a\\e[31m\\u009b31m\\u202e\"\nindexes:\n  \"x\\e]0;t\\a\": {}\n";
  Diagnostics diagnostics;
  Load({{"m\x1b[2J.yaml", text}}, &diagnostics);
  const std::string shown = diagnostics.Text();
  EXPECT_GE(diagnostics.errors(), 2u);
  for (const char* control : {"\x1b", "\xc2\x9b", "\xe2\x80\xae", "\a"}) {
    EXPECT_EQ(shown.find(control), std::string::npos) << shown;
    for (const Diagnostic& one : diagnostics.all()) EXPECT_EQ(one.message.find(control), std::string::npos);
  }
  EXPECT_NE(shown.find("\\x1B[31m\\xC2\\x9B31m"), std::string::npos) << shown;
}

TEST(Load, RefusesControlCharactersOfUnicode) {
  Diagnostics diagnostics;
  Load({{"m.yaml", "source: t\n# \xc2\x9b\n"}}, &diagnostics);
  ASSERT_EQ(diagnostics.errors(), 1u);
  EXPECT_EQ(diagnostics.all()[0].code, "not-text");
}

TEST(Load, ReportsAllFilesAtOnce) {
  Diagnostics diagnostics;
  Load({{"b.yaml", "source: 't '\n"}, {"a.yaml", "sauce: t\n"}}, &diagnostics);
  const std::string text = diagnostics.Text();
  EXPECT_LT(text.find("b.yaml:1:9"), text.find("a.yaml:1:1"));
  EXPECT_NE(text.find("did you mean 'source'?"), std::string::npos) << text;
}

}  // namespace
}  // namespace fensi::mapping
