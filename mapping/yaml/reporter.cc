#include "mapping/yaml/reporter.h"

#include <algorithm>
#include <utility>

namespace fensi::mapping {

const Node* Node::Find(std::string_view key) const {
  for (const Field& field : fields) {
    if (field.key.text == key) return &field.value;
  }
  return nullptr;
}

Reporter::Reporter(const MappingText& file, Diagnostics* diagnostics) : file_(file), diagnostics_(diagnostics) {
  std::string_view rest = file.text;
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines_.push_back(line);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
}

void Reporter::Report(Code code, const Place& place, std::string message, std::vector<std::string> hints) {
  const CodeInfo& info = Info(code);
  if (info.severity == Severity::kError) ++errors_;
  diagnostics_->Add({.path = file_.path,
                     .line = place.line,
                     .column = place.column,
                     .severity = info.severity,
                     .code = std::string(info.name),
                     .message = std::move(message),
                     .source_line = std::string(Line(place.line)),
                     .width = place.width,
                     .notes = std::move(hints)});
}

Place Reporter::Inside(const Node& node, size_t offset, size_t width) const {
  const std::string_view line = Line(node.place.line);
  size_t raw = static_cast<size_t>(node.place.column) - 1 + (node.quote == Quote::kNone ? 0 : 1);
  for (size_t i = 0; i < offset && raw < line.size(); ++i, ++raw) {
    const bool doubled = node.quote == Quote::kSingle && line[raw] == '\'';
    if (doubled) ++raw;
  }
  if (raw > line.size()) raw = line.size();  // the text goes on in the next line: mark what can be marked
  return {node.place.line, static_cast<int>(raw) + 1, static_cast<int>(std::max<size_t>(width, 1))};
}

std::string_view Reporter::Line(int number) const {
  const auto i = static_cast<size_t>(number - 1);
  return i < lines_.size() ? lines_[i] : std::string_view();
}

}  // namespace fensi::mapping
