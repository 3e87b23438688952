// docs/mapping.md lists every function, what is known behind it, and every diagnostic as the tables know them.
// FENSI_ACCEPT=1 writes the lists.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "mapping/codes.h"
#include "mapping/functions_reference.h"
#include "tests/mapping/mapping_testing.h"

namespace fensi::mapping {
namespace {

// A bar ends a table's cell, in code, too.
std::string InTable(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string FunctionReference() {
  std::string out;
  std::string group;
  for (const FunctionText& function : FunctionTexts()) {
    if (function.group != group) {
      group = function.group;
      out += "\n### " + group + "\n\n| function | types | result | errors | example |\n|---|---|---|---|---|\n";
    }
    out += "| `" + function.usage + "` | " + function.types + " | " + InTable(function.summary) + " | " +
           function.errors + " | `" + InTable(function.input) + "` `" + InTable(function.steps) + "` → `" +
           InTable(function.output) + "` |\n";
  }
  return out + "\n";
}

std::string ClaimReference() {
  std::string out =
      "\n| function | given | width or range | bytes in it | order | different values stay different | left of 64 bits "
      "of a hash |\n|---|---|---|---|---|---|---|\n";
  for (const ClaimText& claim : ClaimTexts()) {
    out += "| `" + InTable(claim.call) + "` | " + claim.given + " | " + claim.width + " | " + InTable(claim.bytes) +
           " | " + claim.order + " | " + claim.apart + " | " + claim.bits + " |\n";
  }
  return out + "\n";
}

std::string CodeReference() {
  std::string out = "\n| code | | about |\n|---|---|---|\n";
  for (const CodeInfo& info : Codes()) {
    out += "| `" + std::string(info.name) + "` | " + (info.severity == Severity::kError ? "error" : "warning") + " | " +
           std::string(info.summary) + " |\n";
  }
  return out + "\n";
}

// Compares what stands between "<!-- NAME -->" and "<!-- end of NAME -->".
void ExpectSection(const std::string& name, const std::string& expected) {
  const std::string path = InTree("docs/mapping.md");
  const std::string begin = "<!-- " + name + " -->\n";
  std::string text = ReadFile(path);
  const size_t from = text.find(begin);
  const size_t to = text.find("<!-- end of " + name + " -->");
  ASSERT_NE(from, std::string::npos) << name;
  ASSERT_NE(to, std::string::npos) << name;
  const size_t first = from + begin.size();
  const std::string found = text.substr(first, to - first);
  if (std::getenv("FENSI_ACCEPT") != nullptr) {
    std::ofstream(path, std::ios::binary) << text.replace(first, found.size(), expected);
  } else {
    EXPECT_EQ(found, expected) << "run this test with FENSI_ACCEPT=1 and look at the change";
  }
}

TEST(Reference, ListsEveryFunctionAsTheTableKnowsIt) { ExpectSection("functions", FunctionReference()); }

TEST(Reference, ListsWhatIsKnownBehindEveryFunction) { ExpectSection("claims", ClaimReference()); }

TEST(Reference, ListsEveryDiagnostic) { ExpectSection("diagnostics", CodeReference()); }

}  // namespace
}  // namespace fensi::mapping
