// Templates as written: literal text and parts in braces, before anything is known about names and types.
//
//   template  = { literal | "{{" | "}}" | "\xNN" | "{" reference { "|" call } "}" }
//   reference = name | family ":" qualifier [ "@ts" ] | "(" template ")"    a template in parentheses begins with a
//   brace
//                                                             the qualifier, or a piece of it, may be "quoted"
//   call      = function { argument }
//   argument  = word | "quoted, with \" \\ \xNN" | /regular expression/
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fensi::mapping {

/// Bytes of the template's text that a message can point at.
struct Span {
  size_t offset = 0;
  size_t width = 1;
};

struct ArgumentSyntax {
  enum class Kind { kWord, kQuoted, kRegex } kind = Kind::kWord;
  std::string text;
  Span span;
};

struct CallSyntax {
  std::string name;
  Span name_span;
  std::vector<ArgumentSyntax> arguments;
  Span span;  // with the arguments
};

struct PartSyntax;

struct ReferenceSyntax {
  bool is_column = false;
  std::string name;  // not a column: "row"
  std::string family;
  std::string qualifier;
  bool timestamp = false;          // "@ts"
  std::vector<PartSyntax> joined;  // "({a},{b})"
  Span span;
};

struct PartSyntax {
  std::string literal;  // without a reference
  std::optional<ReferenceSyntax> reference;
  std::vector<CallSyntax> calls;
  Span span;
};

struct SyntaxError {
  Span span;
  std::string message;
  std::string hint;
};

/// Offsets count from the beginning of `text` plus `base`. Nothing when `error` was filled.
std::optional<std::vector<PartSyntax>> ParseTemplate(std::string_view text, size_t base, SyntaxError* error);

/// "f1:from" as in a reference, outside of braces (`requires:`).
std::optional<ReferenceSyntax> ParseReference(std::string_view text, SyntaxError* error);

/// A "quoted" or /regex/ argument, or a bare word, at the beginning of `text`; its span tells how far it goes.
std::optional<ArgumentSyntax> ParseArgument(std::string_view text, size_t base, SyntaxError* error);

/// Bytes of the braces, from { to }, at the beginning of `text`; nothing when `error` was filled.
std::optional<size_t> ParseBraces(std::string_view text, size_t base, SyntaxError* error);

}  // namespace fensi::mapping
