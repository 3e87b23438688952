// The functions of the mapping language for documentation. Made from the table that also runs them, so that both agree.
// Pure.
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

/// What `check` knows of a value after a function, from the same function that `check` uses.
struct ClaimText {
  std::string call;   // "first 3", as in its example
  std::string given;  // "5 to 9 bytes", or "any integer"
  std::string width;  // "3 bytes"
  std::string bytes;  // bytes that can occur: "0 to 9, a to f"
  std::string order;
  std::string apart;  // whether different values stay different
  std::string bits;   // left of a hash of 64 bits
};
/// Without functions whose arguments need descriptors of messages.
std::vector<ClaimText> ClaimTexts();

}  // namespace fensi::mapping
