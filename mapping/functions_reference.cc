#include "mapping/functions_reference.h"

#include "mapping/functions/function.h"

namespace fensi::mapping {
namespace {

std::string Usage(const Function& function) {
  std::string usage(function.name);
  for (const Parameter& parameter : function.parameters) {
    const std::string name(parameter.name);
    usage += parameter.optional ? " [" + name + "]" : " " + name;
  }
  return usage;
}

}  // namespace

std::vector<FunctionText> FunctionTexts() {
  std::vector<FunctionText> texts;
  for (const Function& function : Functions()) {
    texts.push_back({std::string(function.group), Usage(function), std::string(function.takes),
                     std::string(function.summary), std::string(function.errors.empty() ? "never" : function.errors),
                     std::string(function.example.input), std::string(function.example.steps),
                     std::string(function.example.output)});
  }
  return texts;
}

}  // namespace fensi::mapping
