// Pages of docs/ in the program, and Markdown for a terminal. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fensi::cli {

struct Page {
  std::string_view name;  // of docs/NAME.md
  std::string_view markdown;
};

/// The pages for users of the program; made from docs/ at build time.
std::span<const Page> Pages();

/// In lower case (ASCII), without code marks and bold marks.
std::string Folded(std::string_view text);

/// Its topic for 'fensi help': its name, or NAME.md if a command has that name.
std::string PageTopic(const Page& page);

/// Its paragraphs, items of lists and rows of tables, each in one line.
std::vector<std::string> ParagraphsOf(std::string_view markdown);

/// Headings underlined, rows of a table as their first cell with the others below it, code line by line, text wrapped.
/// A link has its target in parentheses, for another page as its command: "alerts (fensi help operations)", and for a
/// section of it as the heading: "alerts (fensi help "What to watch")".
std::string RenderPage(std::string_view markdown);

/// The section with this heading (in upper or lower case), up to the next heading of its level, rendered; empty: none.
std::string RenderSection(std::string_view markdown, std::string_view heading);

/// The rows of a page's tables whose first cell is `key`, with or without code marks, rendered; empty: none. An event
/// of the log may be at any place of the cell, with code marks. A line above the table that begins with "All rows of
/// this table" is shown after each row.
std::string RenderRows(std::string_view markdown, std::string_view key);

}  // namespace fensi::cli
