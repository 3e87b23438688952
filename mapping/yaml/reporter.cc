#include "mapping/yaml/reporter.h"

#include <algorithm>
#include <utility>

#include "mapping/diagnostics.h"

namespace fensi::mapping {
namespace {

constexpr size_t kMostShown = 240;
constexpr size_t kMostReported = 1000;

// Bytes in front of the piece of a line that is shown. Of a very long line it is the piece around the place: a file of
// one line with a thousand faults must not become a thousand copies of it.
size_t CutInFront(std::string_view line, size_t place) {
  constexpr size_t kBefore = 100;
  if (line.size() <= kMostShown || place < kBefore) return 0;
  return std::min(place - kBefore + 1, line.size());
}

// Where the character begins that a cut would tear.
size_t Whole(std::string_view line, size_t cut) {
  const auto torn = [&](size_t at) {
    return at < line.size() && (static_cast<unsigned char>(line[at]) & 0xc0) == 0x80;
  };
  const size_t least = cut - std::min<size_t>(cut, 3);
  while (cut > least && torn(cut)) --cut;
  return cut;
}

std::string_view WithoutByteOrderMark(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  return text;
}

}  // namespace

const Node* Node::Find(std::string_view key) const {
  for (const Field& field : fields) {
    if (field.key.text == key) return &field.value;
  }
  return nullptr;
}

Reporter::Reporter(const MappingText& file, Diagnostics* diagnostics)
    : file_(file), text_(WithoutByteOrderMark(file.text)), diagnostics_(diagnostics) {
  std::string_view rest = text_;
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
  if (++reported_ > kMostReported + 1) return;
  if (reported_ > kMostReported) return AddRest(place);
  const std::string_view line = Line(place.line);
  const size_t at = std::min(static_cast<size_t>(std::max(place.column, 1)) - 1, line.size());
  const size_t begin = Whole(line, CutInFront(line, at));
  const size_t end = Whole(line, std::min(begin + kMostShown, line.size()));
  const std::string_view marked = line.substr(at, static_cast<size_t>(std::max(place.width, 1)));
  std::erase(hints, "");
  if (hints.empty() && !info.remedy.empty()) hints.emplace_back(info.remedy);
  for (std::string& hint : hints) hint = SanitizeForTerminal(hint);
  diagnostics_->Add({.path = file_.path,
                     .line = place.line,
                     .column = static_cast<int>(CharactersInFront(place.line, at)) + 1,
                     .severity = info.severity,
                     .code = std::string(info.name),
                     .message = SanitizeForTerminal(message),
                     .source_line = std::string(line.substr(begin, end - begin)),
                     .width = std::max(1, static_cast<int>(CountCharacters(marked))),
                     .caret = static_cast<int>(CountCharacters(line.substr(begin, at - begin))),
                     .notes = std::move(hints)});
}

void Reporter::AddRest(const Place& place) {
  diagnostics_->Add(
      {.path = file_.path,
       .line = place.line,
       .column = 1,
       .code = std::string(Info(Code::kTooLarge).name),
       .message = "this file has more than " + std::to_string(kMostReported) + " messages, and the rest is not shown",
       .notes = {"correct the errors above, and check the file again"}});
}

size_t Reporter::CharactersInFront(int line, size_t at) {
  if (counted_.line != line || counted_.bytes > at) counted_ = {line, 0, 0};
  counted_.characters += CountCharacters(Line(line).substr(counted_.bytes, at - counted_.bytes));
  counted_.bytes = at;
  return counted_.characters;
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
