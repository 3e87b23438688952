#include "operations/json/bounded_json.h"

#include <vector>

namespace fensi::operations {
namespace {

/// One pass over the bytes, which counts what a parser would build of them.
class Measure {
 public:
  explicit Measure(const JsonBounds& bounds) : bounds_(bounds) {}

  bool Fits(std::string_view text) {
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '"') {
        i = EndOfString(text, i + 1);
      } else if (!Take(text[i])) {
        return false;
      }
    }
    return true;
  }

 private:
  struct Level {
    bool object = false;
    size_t keys = 1;
  };

  static size_t EndOfString(std::string_view text, size_t i) {
    for (; i < text.size() && text[i] != '"'; ++i) {
      if (text[i] == '\\') ++i;
    }
    return i;
  }

  bool Take(char c) {
    if (c == '{' || c == '[') {
      levels_.push_back({c == '{'});
      return levels_.size() <= bounds_.depth && ++values_ <= bounds_.values;
    }
    if ((c == '}' || c == ']') && !levels_.empty()) levels_.pop_back();
    if (c != ',') return true;
    const bool many_keys = !levels_.empty() && levels_.back().object && ++levels_.back().keys > bounds_.keys;
    return !many_keys && ++values_ <= bounds_.values;
  }

  const JsonBounds bounds_;
  std::vector<Level> levels_;
  size_t values_ = 1;
};

}  // namespace

std::optional<nlohmann::ordered_json> ParseBounded(std::string_view text, const JsonBounds& bounds) {
  if (!Measure(bounds).Fits(text)) return std::nullopt;
  auto json = nlohmann::ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
  return json.is_discarded() ? std::nullopt : std::optional(std::move(json));
}

}  // namespace fensi::operations
