// docs/mapping.md lists every function, what is known behind it, and every diagnostic as the tables know them.
// FENSI_ACCEPT=1 writes the lists.
#include <gtest/gtest.h>

#include "mapping/codes.h"
#include "mapping/functions_reference.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/page_section.h"

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
      "\n| function | given | width or range | bytes in it | order | different values stay different | bits left of "
      "a 64-bit hash |\n|---|---|---|---|---|---|---|\n";
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

constexpr char kPage[] = "docs/mapping.md";

TEST(Reference, ListsEveryFunctionAsTheTableKnowsIt) {
  testing::ExpectSection(kPage, "functions", FunctionReference());
}

TEST(Reference, ListsWhatIsKnownBehindEveryFunction) { testing::ExpectSection(kPage, "claims", ClaimReference()); }

TEST(Reference, ListsEveryDiagnostic) { testing::ExpectSection(kPage, "diagnostics", CodeReference()); }

}  // namespace
}  // namespace fensi::mapping
