#include "cli/help/pages.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "cli/help/wrap.h"
#include "cli/program/command.h"

namespace fensi::cli {
namespace {

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string Unmarked(std::string_view text);

/// A line outside of code blocks that begins with '#'.
struct Heading {
  size_t begin;  // bytes of the page before it
  size_t level;  // number of '#'
  std::string text;
};

std::vector<Heading> HeadingsOf(std::string_view markdown) {
  std::vector<Heading> headings;
  bool in_code = false;
  for (const std::string_view line : LinesOf(markdown)) {
    if (line.starts_with("```")) in_code = !in_code;
    if (in_code || !line.starts_with('#')) continue;
    const size_t level = std::min(line.find_first_not_of('#'), line.size());
    const auto begin = static_cast<size_t>(line.data() - markdown.data());
    headings.push_back({begin, level, Unmarked(line.substr(std::min(level + 1, line.size())))});
  }
  return headings;
}

/// "A heading" -> "#a-heading" without '#', as GitHub forms it.
std::string AnchorOfHeading(std::string_view heading) {
  std::string anchor;
  for (const char c : Folded(heading)) {
    if (c == ' ') anchor += '-';
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_') anchor += c;
  }
  return anchor;
}

/// What shows the section of a page: its heading, unless a command or a page has that name.
std::string TopicOf(const Page& page, std::string_view anchor) {
  for (const Heading& heading : HeadingsOf(page.markdown)) {
    if (heading.level == 1 || AnchorOfHeading(heading.text) != anchor) continue;
    if (heading.text.find(' ') != std::string::npos) return "\"" + heading.text + "\"";
    const auto has_name = [&heading](const Page& one) { return one.name == Folded(heading.text); };
    const bool taken =
        FindCommand(Folded(heading.text)) != nullptr || std::any_of(Pages().begin(), Pages().end(), has_name);
    if (!taken) return heading.text;
  }
  return PageTopic(page);
}

/// What reaches the target of a link from a terminal. Empty: the target is on the same page.
std::string Reached(std::string_view target) {
  const size_t anchor = std::min(target.find('#'), target.size());
  if (anchor == 0) return "";
  if (target.find("://") != std::string_view::npos) return std::string(target);
  constexpr std::string_view kCommand = "commands.md#fensi-";
  if (target.starts_with(kCommand)) return "fensi help " + std::string(target.substr(kCommand.size()));
  const std::string_view file = target.substr(0, anchor);
  for (const Page& page : Pages()) {
    if (std::string(page.name) + ".md" != file) continue;
    return "fensi help " + TopicOf(page, target.substr(std::min(anchor + 1, target.size())));
  }
  return std::string(file);
}

/// Without the marks of code, of weight and of links.
std::string Unmarked(std::string_view text) {
  std::string plain;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '`' || text.substr(at, 2) == "**") {
      at += text[at] == '`' ? 0 : 1;
    } else if (text[at] == '\\' && text.substr(at + 1, 1) == "|") {
      continue;
    } else if (const size_t link = text.find("](", at); text[at] == '[' && link < text.find('[', at + 1)) {
      const std::string words = Unmarked(text.substr(at + 1, link - at - 1));
      at = std::min(text.find(')', link), text.size() - 1);
      const std::string target = Reached(text.substr(link + 2, at - link - 2));
      plain += words;
      if (!target.empty() && target != words) plain += " (" + target + ")";
    } else {
      plain += text[at];
    }
  }
  return plain;
}

/// The cells of a line that begins with '|'; a backslash before a bar makes it a part of a cell.
std::vector<std::string> CellsOf(std::string_view line) {
  std::vector<std::string> cells;
  size_t begin = 1;
  for (size_t at = 1; at < line.size(); ++at) {
    if (line[at] != '|' || line[at - 1] == '\\') continue;
    std::string cell = Unmarked(line.substr(begin, at - begin));
    cell.erase(0, cell.find_first_not_of(' '));
    cell.erase(cell.find_last_not_of(' ') + 1);
    cells.push_back(std::move(cell));
    begin = at + 1;
  }
  return cells;
}

/// The cells of a row in one line if they are short, the last cell below. A cell below has its column's head in front,
/// unless it is alone.
std::string RenderRow(const std::vector<std::string>& cells, const std::vector<std::string>& heads) {
  constexpr size_t kShort = 60;
  std::string head = cells.front();
  std::string below;
  for (size_t i = 1; i < cells.size(); ++i) {
    const bool is_head = i + 1 < cells.size() && below.empty() && head.size() + cells[i].size() <= kShort;
    if (is_head) {
      head += " · " + cells[i];
    } else {
      const bool is_named = cells.size() > 2 && i < heads.size() && !heads[i].empty() && !cells[i].empty();
      below += Wrapped(is_named ? heads[i] + ": " + cells[i] : cells[i], 6);
    }
  }
  return Wrapped(head, 2) + below;
}

bool IsRow(std::string_view line) { return line.starts_with('|'); }
/// True for the line between a table's head and its rows.
bool IsRule(std::string_view line) { return line.starts_with("|-") || line.starts_with("| -"); }

class Renderer {
 public:
  explicit Renderer(std::string_view markdown) : lines_(LinesOf(markdown)) {}

  std::string Render() {
    for (size_t i = 0; i < lines_.size(); ++i) {
      const bool head = i + 1 < lines_.size() && IsRow(lines_[i]) && IsRule(lines_[i + 1]);
      if (head) heads_ = CellsOf(lines_[i]);
      if (!head && !IsRule(lines_[i])) Take(lines_[i]);
    }
    FlushText();
    return std::move(out_);
  }

 private:
  void Take(std::string_view line) {
    if (line.starts_with("```")) {
      FlushText();
      in_code_ = !in_code_;
    } else if (in_code_) {
      out_.append(line.empty() ? "" : "    ").append(line).append("\n");
    } else if (line.starts_with(kIndented) && text_.empty()) {
      out_.append(line).append("\n");
    } else if (line.empty()) {
      FlushText();
      if (!out_.ends_with("\n\n")) out_ += "\n";
    } else if (IsRow(line)) {
      out_ += RenderRow(CellsOf(line), heads_);
    } else if (line.starts_with('#')) {
      Underline(line);
    } else {
      Text(line);
    }
  }

  void Underline(std::string_view line) {
    const size_t level = line.find_first_not_of('#');
    const std::string text = Unmarked(line.substr(level + 1));
    out_ += text + "\n" + std::string(text.size(), level == 1 ? '=' : '-') + "\n";
  }

  /// A line of a paragraph, of a warning or of an item of a list.
  void Text(std::string_view line) {
    if (line.starts_with("> ")) line.remove_prefix(2);
    const bool is_numbered = line.size() > 3 && line[0] >= '1' && line[0] <= '9' && line.substr(1, 2) == ". ";
    if (line.starts_with("- ") || is_numbered) {
      FlushText();
      mark_ = line.substr(0, is_numbered ? 3 : 2);
      line.remove_prefix(mark_.size());
    }
    text_.append(text_.empty() ? "" : " ").append(line);
  }

  void FlushText() {
    out_ += Wrapped(Unmarked(text_), mark_);
    text_.clear();
    mark_ = "";
  }

  static constexpr std::string_view kIndented = "    ";  // begins code, unless the line continues a paragraph

  const std::vector<std::string_view> lines_;
  std::string out_;
  std::vector<std::string> heads_;  // of the last table
  std::string text_;                // of a paragraph, or of an item of a list
  std::string_view mark_;
  bool in_code_ = false;
};

}  // namespace

std::string Folded(std::string_view text) {
  std::string folded;
  for (const char c : text) {
    if (c == '`' || c == '*') continue;
    folded += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return folded;
}

std::string PageTopic(const Page& page) {
  const std::string name(page.name);
  return FindCommand(name) == nullptr ? name : name + ".md";
}

std::vector<std::string> ParagraphsOf(std::string_view markdown) {
  std::vector<std::string> paragraphs;
  bool goes_on = false;
  for (const std::string_view line : LinesOf(markdown)) {
    const bool alone = IsRow(line) || line.starts_with('#') || line.starts_with("- ") || line.starts_with("```");
    if (line.empty() || IsRule(line)) {
      goes_on = false;
    } else if (goes_on && !alone) {
      paragraphs.back() += " " + std::string(line.substr(line.find_first_not_of(' ')));
    } else {
      paragraphs.emplace_back(line);
      goes_on = !IsRow(line) && !line.starts_with('#');
    }
  }
  return paragraphs;
}

std::string RenderPage(std::string_view markdown) { return Renderer(markdown).Render(); }

std::string RenderSection(std::string_view markdown, std::string_view heading) {
  const std::vector<Heading> headings = HeadingsOf(markdown);
  for (size_t i = 0; i < headings.size(); ++i) {
    if (Folded(headings[i].text) != Folded(heading)) continue;
    size_t next = i + 1;
    while (next < headings.size() && headings[next].level > headings[i].level) ++next;
    const size_t end = next < headings.size() ? headings[next].begin : markdown.size();
    return RenderPage(markdown.substr(headings[i].begin, end - headings[i].begin));
  }
  return "";
}

std::string RenderRows(std::string_view markdown, std::string_view key) {
  std::string out;
  const std::string code = "`" + std::string(key) + "`";
  const bool is_event = key.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string_view::npos;
  std::vector<std::string> heads;
  std::string_view of_all;  // what the page says of all rows of a section's table
  const std::vector<std::string_view> lines = LinesOf(markdown);
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    if (line.starts_with('#')) of_all = "";
    if (line.starts_with("All rows of this table")) of_all = line;
    if (!IsRow(line) || IsRule(line)) continue;
    const std::vector<std::string> cells = CellsOf(line);
    if (i + 1 < lines.size() && IsRule(lines[i + 1])) heads = cells;
    const bool has_code = is_event && line.substr(0, line.find(" |", 1)).find(code) != std::string_view::npos;
    if (cells.size() > 1 && (has_code || cells.front() == key)) {
      out += RenderRow(cells, heads) + Wrapped(Unmarked(of_all), 6);
    }
  }
  return out;
}

}  // namespace fensi::cli
