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

TEST(Load, ReportsAllFilesAtOnce) {
  Diagnostics diagnostics;
  Load({{"b.yaml", "source: 't '\n"}, {"a.yaml", "sauce: t\n"}}, &diagnostics);
  const std::string text = diagnostics.Text();
  EXPECT_LT(text.find("b.yaml:1:9"), text.find("a.yaml:1:1"));
  EXPECT_NE(text.find("did you mean 'source'?"), std::string::npos) << text;
}

}  // namespace
}  // namespace fensi::mapping
