// What the compiler takes for this says how fast a machine compiles (compile_cost.py).
#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <string>
#include <unordered_map>
#include <vector>

std::map<std::string, std::vector<std::string>> Groups(const std::vector<std::string>& lines, const std::string& form) {
  const std::regex expression(form);
  std::map<std::string, std::vector<std::string>> groups;
  std::unordered_map<std::string, std::function<void(const std::string&)>> sinks;
  for (const std::string& line : lines) {
    std::smatch match;
    if (!std::regex_search(line, match, expression)) continue;
    auto& sink = sinks[match.str(1)];
    if (!sink) sink = [&groups, key = match.str(1)](const std::string& text) { groups[key].push_back(text); };
    sink(match.suffix().str());
  }
  for (auto& [key, texts] : groups) std::sort(texts.begin(), texts.end(), std::greater<>());
  return groups;
}
