// What to write in place of templates inside of templates, and of lists of columns, which other languages have. Pure.
#pragma once

#include <string>
#include <string_view>

namespace fensi::mapping {

/// For a brace inside of braces: `before` is what the braces have in front of it, `rest` begins with it.
std::string NestedBracesHint(std::string_view before, std::string_view rest);

/// For a list of columns without braces of their own: "(g:lat,g:lon)".
std::string ListOfColumnsHint(std::string_view list);

/// For a brace in an argument; `rest` begins with it.
std::string BraceInArgumentHint(std::string_view rest);

/// For a brace that closes nothing; `literal` is the text in front of it, up to the part before.
std::string StrayBraceHint(std::string_view literal, bool in_parentheses);

}  // namespace fensi::mapping
