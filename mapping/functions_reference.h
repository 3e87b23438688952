// The functions of the mapping language as people read about them. Made from the table that also runs them, so that the
// two cannot drift. Pure.
#pragma once

#include <string>
#include <vector>

namespace fensi::mapping {

struct FunctionText {
  std::string group;
  std::string usage;  // "split separator [index]"
  std::string types;  // "bytes -> bytes"
  std::string summary;
  std::string errors;  // "never", or when it is absent or unmappable
  std::string input;   // of the example, escaped
  std::string steps;   // "| split \",\" 1"
  std::string output;  // escaped
};

/// In the order of the reference page.
std::vector<FunctionText> FunctionTexts();

}  // namespace fensi::mapping
