// Pages of docs/ that the program carries, and Markdown as a terminal shows it. Pure.
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

/// The pages that answer questions of people who use the program; made from docs/ at build time.
std::span<const Page> Pages();

/// What 'fensi help' shows it by: its name, or NAME.md where a command has that name.
std::string PageTopic(const Page& page);

/// Its paragraphs, items of lists and rows of tables, each in one line.
std::vector<std::string> ParagraphsOf(std::string_view markdown);

/// Headings underlined, rows of a table as their first cell with the others below it, code indented, text wrapped.
std::string RenderPage(std::string_view markdown);

/// The rows of a page's tables whose first cell is `key`, whatever marks it as code, rendered; empty: there is none.
std::string RenderRows(std::string_view markdown, std::string_view key);

}  // namespace fensi::cli
