#include "mapping/lint/lint.h"

#include <algorithm>
#include <utility>

#include "mapping/yaml/fields.h"
#include "mapping/yaml/suggest.h"

namespace fensi::mapping {

void Findings::AtPart(Code code, const Part& part, std::string message, std::vector<std::string> hints) {
  Report(code, reporter_->Inside(*field_.value.Find("row"), part.offset, part.width), std::move(message),
         std::move(hints));
}

void Findings::At(Code code, std::initializer_list<std::string_view> path, std::string message,
                  std::vector<std::string> hints) {
  const Node* node = &field_.value;
  Place place = field_.key.place;
  for (std::string_view key : path) {
    node = node->Find(key);
    if (node == nullptr) break;
    place = node->place;
  }
  Report(code, place, std::move(message), std::move(hints));
}

void Findings::Report(Code code, const Place& place, std::string message, std::vector<std::string> hints) {
  const CodeInfo& info = Info(code);
  if (info.severity == Severity::kWarning) {
    if (definition_.allow.contains(std::string(info.name))) return;
    hints.push_back("if this is wanted: 'allow: [" + std::string(info.name) + "]' in this index");
  }
  reporter_->Report(code, place, std::move(message), std::move(hints));
}

void Lint(const IndexDefinition& definition, const Node::Field& field, Reporter* reporter) {
  Findings findings(definition, field, reporter);
  LintKey(&findings);
  LintTable(&findings);
}

std::set<std::string> ReadAllow(const Node* node, Reporter* reporter) {
  std::set<std::string> allow;
  if (node == nullptr || !IsKind(*node, Node::Kind::kList, "'allow'", reporter)) return allow;
  std::vector<std::string_view> known;
  for (const CodeInfo& info : Codes()) {
    if (info.severity == Severity::kWarning) known.push_back(info.name);
  }
  for (const Node& item : node->items) {
    if (!IsKind(item, Node::Kind::kText, "a code in 'allow'", reporter)) continue;
    if (std::find(known.begin(), known.end(), item.text) == known.end()) {
      std::vector<std::string> hints = Suggest(item.text, known);
      if (hints.empty()) hints = {"warnings are: " + OneOf(known)};
      reporter->Report(Code::kBadChoice, item.place, "'" + item.text + "' is not the code of a warning",
                       std::move(hints));
    }
    allow.insert(item.text);
  }
  return allow;
}

std::optional<size_t> ModStep(const Part& part) {
  for (size_t i = 0; i < part.steps.size(); ++i) {
    if (part.steps[i].function != nullptr && part.steps[i].function->name == "mod") return i;
  }
  return std::nullopt;
}

size_t SaltParts(const Template& row) {
  size_t i = 0;
  while (i < row.parts.size() && !row.parts[i].IsLiteral() && ModStep(row.parts[i])) ++i;
  const bool more = std::any_of(row.parts.begin() + static_cast<std::ptrdiff_t>(i), row.parts.end(),
                                [](const Part& part) { return !part.IsLiteral(); });
  return more ? i : 0;
}

}  // namespace fensi::mapping
