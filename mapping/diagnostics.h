// Diagnostics of a mapping file in the form of a compiler's: position, line, caret, suggestion; all at once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fensi::mapping {

enum class Severity { kError, kWarning };

struct Diagnostic {
  std::string path;
  int line = 0;    // from 1
  int column = 0;  // from 1, in characters
  Severity severity = Severity::kError;
  std::string code;  // stable name, for example "unknown-function"; also used by `ignore_warnings:`
  std::string message;
  std::string source_line;         // the line of the file at `line`, or the part of a long one around the position
  int width = 1;                   // characters under the caret
  int caret = 0;                   // characters of that part before the position
  std::vector<std::string> notes;  // hints: "did you mean 'lower'?"
};

/// "FILE:3:9: error: unknown function 'lowr' [unknown-function]\n  3 | row: '{f1:from | lowr}'\n    |  ^~~~\n  hint:
/// …\n"
std::string Format(const Diagnostic& diagnostic);

class Diagnostics {
 public:
  void Add(Diagnostic diagnostic);
  const std::vector<Diagnostic>& all() const { return all_; }
  size_t errors() const { return errors_; }
  /// Every diagnostic in order of file, line and column.
  std::vector<Diagnostic> InOrder() const;
  /// The same as text, one after the other.
  std::string Text() const;

 private:
  std::vector<Diagnostic> all_;
  size_t errors_ = 0;
};

// Sanitizes texts of untrusted files for a terminal. Pure.

/// True if the character of this many bytes, at the beginning of `rest`, does something to a terminal other than appear
/// (controls of ASCII and of Unicode, and marks that reverse the direction of a text).
bool IsControl(std::string_view rest, size_t length);

/// Number of characters; an invalid byte counts as one.
size_t CountCharacters(std::string_view text);

/// Screen columns of a text after SanitizeForTerminal: two for most Chinese, Japanese and Korean characters, none for
/// accents.
size_t ScreenColumns(std::string_view text);

/// Writes controls and invalid bytes as \xNN; a backslash stays. Cuts more than `most` bytes.
std::string SanitizeForTerminal(std::string_view text, size_t most = 2000);

/// Replaces what SanitizeForTerminal would escape by '?', so that every character keeps its position.
std::string SanitizeLineForTerminal(std::string_view line);

}  // namespace fensi::mapping
