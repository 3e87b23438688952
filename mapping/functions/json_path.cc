
#include "base/text.h"
#include "mapping/functions/json_text.h"

namespace fensi::mapping {
namespace {

constexpr std::string_view kForm =
    "a path like user.names.0 or spans[0][\"http.method\"], with brackets and quotes around names that have dots, "
    "brackets or blanks";

/// Takes a path apart from its front. Every method answers false where it is none.
class PathReader {
 public:
  explicit PathReader(std::string_view text) : rest_(text) {}

  bool Read(std::vector<JsonStep>* steps, std::optional<size_t>* all) {
    if (rest_ == "$" || rest_.starts_with("$.") || rest_.starts_with("$[")) {
      rest_.remove_prefix(1);
    } else if (!rest_.starts_with('[')) {
      if (!Word(steps)) return false;
    }
    while (!rest_.empty()) {
      if (rest_[0] == '.') {
        rest_.remove_prefix(1);
        if (!Word(steps)) return false;
      } else if (rest_.starts_with("[*]")) {
        if (*all) return Fail("has [*] twice");
        *all = steps->size();
        rest_.remove_prefix(3);
      } else if (!Bracket(steps)) {
        return false;
      }
    }
    return true;
  }

  const std::string& problem() const { return problem_; }

 private:
  bool Fail(std::string what) {
    problem_ = std::move(what);
    return false;
  }

  bool Word(std::vector<JsonStep>* steps) {
    if (rest_.starts_with('"')) {
      JsonStep step;
      if (!Quoted(&step)) return false;
      steps->push_back(std::move(step));
      return true;
    }
    const std::string_view word = rest_.substr(0, rest_.find_first_of(".["));
    if (word.empty()) return Fail("has an empty name: write [\"\"] for an empty name");
    if (word == "*") return Fail("has a star instead of a name: write items[*] for all items of a list");
    steps->push_back({std::string(word), ParseWhole<size_t>(word)});
    rest_.remove_prefix(word.size());
    return true;
  }

  // In quotes, a backslash takes the next character as it is.
  bool Quoted(JsonStep* step) {
    const char quote = rest_[0];
    step->name.emplace();
    for (rest_.remove_prefix(1); !rest_.empty(); rest_.remove_prefix(1)) {
      if (rest_[0] == quote) {
        rest_.remove_prefix(1);
        return rest_.empty() || rest_[0] == '.' || rest_[0] == '[' || rest_[0] == ']' ||
               Fail("lacks a dot after a quoted name: write a dot there");
      }
      if (rest_[0] == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
      step->name->push_back(rest_[0]);
    }
    return Fail("has a quote that is not closed: close the quote");
  }

  bool Bracket(std::vector<JsonStep>* steps) {
    if (rest_[0] != '[') return Fail("has text after a bracket: write a dot there");
    rest_.remove_prefix(1);
    JsonStep step;
    if (rest_.starts_with('"') || rest_.starts_with('\'')) {
      if (!Quoted(&step)) return false;
    } else {
      const std::string_view word = rest_.substr(0, rest_.find(']'));
      step.position = ParseWhole<size_t>(word);
      if (!step.position) {
        return Fail("has '[" + std::string(word) +
                    "]', which is neither a position nor a name: write [0], or [\"name\"]");
      }
      rest_.remove_prefix(word.size());
    }
    if (!rest_.starts_with(']')) return Fail("has a bracket that is not closed: close the bracket");
    rest_.remove_prefix(1);
    steps->push_back(std::move(step));
    return true;
  }

  std::string_view rest_;
  std::string problem_;
};

}  // namespace

std::optional<JsonPath> JsonPath::Parse(std::string_view text, bool items, std::string* problem) {
  JsonPath path;
  PathReader reader(text);
  const bool read = reader.Read(&path.steps_, &path.all_);
  if (read && (items || !path.all_)) return path;
  *problem = std::string(kForm) + ". This path " + (read ? "has [*], which only json_list takes" : reader.problem());
  return std::nullopt;
}

}  // namespace fensi::mapping
