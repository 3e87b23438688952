#include "mapping/yaml/parse.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <unordered_set>
#include <utility>

#include "base/bytes.h"
#include "mapping/diagnostics.h"
#include "mapping/environment.h"

namespace fensi::mapping {
namespace {

// Reports the first fault of a line.
bool CheckLine(Reporter* reporter, int number, std::string_view line) {
  for (size_t i = 0; i < line.size();) {
    const Place place{number, static_cast<int>(i) + 1, 1};
    const size_t length = Utf8Length(line.substr(i));
    if (line[i] == '\t') {
      reporter->Report(Code::kTab, place, "the line has a tab, and tabs are refused",
                       {"indent with spaces. In a template, write a tab as \\x09"});
      return false;
    }
    if (length == 0 || IsControl(line.substr(i), length)) {
      reporter->Report(
          Code::kNotText, place, length == 0 ? "this byte is not UTF-8" : "the line has a control character",
          {length == 0 ? "save the file as UTF-8. In a template, write a byte as \\xNN, such as \\xff"
                       : "remove the character. In a template, write the character as \\xNN, such as \\x00"});
      return false;
    }
    i += length;
  }
  return true;
}

}  // namespace

bool CheckText(Reporter* reporter) {
  if (reporter->text().size() > kMaxMappingBytes) {
    reporter->Report(Code::kTooLarge, {1, 1, 1},
                     "the file has more than " + std::to_string(kMaxMappingBytes) + " bytes");
    return false;
  }
  bool good = true;
  int number = 1;
  std::string_view rest = reporter->text();
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    good = CheckLine(reporter, number, reporter->Line(number)) && good;
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    ++number;
  }
  return good;
}

namespace {

// Leaves the parser at the first thing after which the rest of the file makes no sense.
struct GiveUp {};

// Builds the tree from yaml-cpp's events: its own tree drops duplicate keys and quotes without a word.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(Reporter* reporter) : reporter_(reporter) {}

  Node Take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    Node node;
    node.place = At(mark);
    const std::string_view word = PlainWord(node.place);
    if (word == "~" || word == "null" || word == "Null" || word == "NULL") {
      node.kind = Node::Kind::kText;
      node.text = word;
      node.place.width = static_cast<int>(word.size());
    } else if (!stack_.empty() && stack_.back().key) {
      node.place = stack_.back().key->place;
    }
    Attach(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    reporter_->Report(Code::kAnchor, At(mark), "YAML aliases are refused");
    throw GiveUp{};
  }

  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    reporter_->Report(Code::kAnchor, At(mark), "YAML anchors such as '&" + name + "' are refused");
    throw GiveUp{};
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& value) override {
    Node node;
    node.kind = Node::Kind::kText;
    node.text = value;
    node.place = At(mark);
    CheckTag(node.place, tag);
    const std::string_view line = reporter_->Line(node.place.line);
    const std::string_view rest = line.substr(std::min<size_t>(line.size(), static_cast<size_t>(mark.column)));
    if (rest.starts_with('\'')) node.quote = Quote::kSingle;
    if (rest.starts_with('"')) node.quote = Quote::kDouble;
    node.place.width = static_cast<int>(WrittenWidth(node, rest));
    Attach(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value style) override {
    Open(Node::Kind::kList, mark, tag, style);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value style) override {
    Open(Node::Kind::kMap, mark, tag, style);
  }
  void OnMapEnd() override { Close(); }

 private:
  struct Level {
    Node node;
    std::optional<Node> key;  // read, its value not yet
    std::unordered_set<std::string> keys;
  };

  static Place At(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1, 1}; }

  std::string_view PlainWord(const Place& place) const {
    std::string_view rest = reporter_->Line(place.line);
    rest.remove_prefix(std::min<size_t>(rest.size(), static_cast<size_t>(place.column) - 1));
    return rest.substr(0, rest.find_first_of(" ,]}:#"));
  }

  static size_t WrittenWidth(const Node& node, std::string_view rest) {
    if (node.quote == Quote::kNone) return std::max<size_t>(1, std::min(node.text.size(), rest.size()));
    size_t end = 1;
    for (; end < rest.size() && rest[end] != rest[0]; ++end) {
      if (node.quote == Quote::kDouble && rest[end] == '\\') ++end;
    }
    return std::max(std::min(end + 1, rest.size()), std::min(node.text.size() + 2, rest.size()));
  }

  void CheckTag(const Place& place, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    reporter_->Report(Code::kTag, place, "the YAML tag '" + tag + "' is refused: every value is a text");
  }

  void Open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::EmitterStyle::value style) {
    if (stack_.size() >= static_cast<size_t>(kMaxDepth)) {
      reporter_->Report(Code::kTooDeep, At(mark),
                        "maps and lists are nested deeper than " + std::to_string(kMaxDepth) + " levels");
      throw GiveUp{};
    }
    CheckTag(At(mark), tag);
    Level level;
    level.node.kind = kind;
    level.node.place = At(mark);
    level.node.flow = style == YAML::EmitterStyle::Flow;
    stack_.push_back(std::move(level));
  }

  void Close() {
    Node node = std::move(stack_.back().node);
    stack_.pop_back();
    Attach(std::move(node));
  }

  void Attach(Node node) {
    if (stack_.empty()) {
      root_ = std::move(node);
      return;
    }
    Level& level = stack_.back();
    if (level.node.kind == Node::Kind::kList) {
      level.node.items.push_back(std::move(node));
    } else if (!level.key) {
      level.key = std::move(node);
    } else {
      AddField(&level, std::move(node));
    }
  }

  void AddField(Level* level, Node value) {
    Node key = std::move(*level->key);
    level->key.reset();
    if (key.kind != Node::Kind::kText) {
      reporter_->Report(Code::kWrongKind, key.place, "a key must be a text, and this key is a list or a map",
                        {"put a template that is a key in single quotes: 'f1:{row}'"});
    } else if (!level->keys.insert(key.text).second) {
      reporter_->Report(Code::kDuplicateKey, key.place, "'" + key.text + "' stands twice in this map");
    } else {
      level->node.fields.push_back({std::move(key), std::move(value)});
    }
  }

  Reporter* const reporter_;
  std::vector<Level> stack_;
  Node root_;
};

/// A brace that no quote stands before is read as a map; anything else is mostly a line that begins in another column.
std::string HintForSyntax(const Reporter& reporter, int line) {
  const std::string_view here = reporter.Line(line);
  const size_t brace = here.find('{');
  const bool bare =
      brace != std::string_view::npos && here.substr(0, brace).find_first_of("'\"") == std::string_view::npos;
  const bool empty = here.find_first_not_of(' ') == std::string_view::npos;  // the end of what a brace began
  if (bare || empty) return "put templates in single quotes, such as '{f1:from}'";
  const auto column = [&](int of) {
    const size_t first = reporter.Line(of).find_first_not_of(' ');
    return first == std::string_view::npos ? std::string("no column") : "column " + std::to_string(first + 1);
  };
  const std::string rule =
      "begin the keys of one map in the same column, and the keys of a map inside it two columns further right";
  if (line < 2) return rule;
  return rule + ". Line " + std::to_string(line - 1) + " begins in " + column(line - 1) + ", line " +
         std::to_string(line) + " in " + column(line);
}

// The one place that meets yaml-cpp's exceptions.
template <typename Work>
bool Guarded(Reporter* reporter, const Work& work) {
  try {
    work();
    return true;
  } catch (const GiveUp&) {
    return false;
  } catch (const YAML::Exception& error) {
    const Place place{std::max(error.mark.line, 0) + 1, std::max(error.mark.column, 0) + 1, 1};
    const std::string_view rest =
        reporter->Line(place.line)
            .substr(std::min(reporter->Line(place.line).size(), static_cast<size_t>(place.column) - 1));
    if (rest.starts_with('*')) {
      reporter->Report(Code::kAnchor, place, "YAML aliases are refused");
    } else {
      reporter->Report(Code::kYamlSyntax, place, "the file is not valid YAML here: " + error.msg,
                       {HintForSyntax(*reporter, place.line)});
    }
  }
  return false;
}

}  // namespace

std::optional<Node> ParseYaml(Reporter* reporter) {
  if (!CheckText(reporter)) return std::nullopt;
  TreeBuilder builder(reporter);
  const bool read = Guarded(reporter, [&] {
    std::istringstream stream{std::string(reporter->text())};
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    TreeBuilder second(reporter);
    if (!parser.HandleNextDocument(second)) return;
    reporter->Report(Code::kSeveralDocuments, second.Take().place, "a second document begins here",
                     {"remove '---', or write the second document to a file of its own"});
  });
  if (!read) return std::nullopt;
  return builder.Take();
}

}  // namespace fensi::mapping
