#include "base/counted.h"

namespace fensi {
namespace {

std::string Plural(std::string_view singular) {
  if (singular.ends_with("ry")) return std::string(singular.substr(0, singular.size() - 1)) + "ies";
  return std::string(singular) + (singular.ends_with('x') ? "es" : "s");
}

}  // namespace

std::string WithCommas(int64_t number) {
  std::string digits = std::to_string(number);
  const int first = number < 0 ? 1 : 0;
  for (int at = static_cast<int>(digits.size()) - 3; at > first; at -= 3) digits.insert(static_cast<size_t>(at), ",");
  return digits;
}

std::string Counted(int64_t number, std::string_view singular) {
  return WithCommas(number) + " " + (number == 1 ? std::string(singular) : Plural(singular));
}

}  // namespace fensi
