#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "mapping/definition/readers.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {

std::set<std::string> ReadAllow(const Node* node, Reporter* reporter) {
  std::set<std::string> allow;
  if (node == nullptr || !IsKind(*node, Node::Kind::kList, "'ignore_warnings'", reporter)) return allow;
  std::vector<std::string_view> known;
  for (const CodeInfo& info : Codes()) {
    if (info.severity == Severity::kWarning) known.push_back(info.name);
  }
  for (const Node& item : node->items) {
    if (!IsKind(item, Node::Kind::kText, "a code in 'ignore_warnings'", reporter)) continue;
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

}  // namespace fensi::mapping
