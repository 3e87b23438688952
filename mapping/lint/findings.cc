#include "mapping/lint/findings.h"

#include <utility>

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

}  // namespace fensi::mapping
