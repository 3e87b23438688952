// Messages about a mapping file that read like a compiler's: place, line, caret, suggestion; all of them at once.
#pragma once

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
  std::string code;  // stable name, for example "unknown-function"; also used by `allow:`
  std::string message;
  std::string source_line;         // the line of the file at `line`, or of a long one the piece around the place
  int width = 1;                   // characters that the caret marks
  int caret = 0;                   // characters of that piece in front of the place
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
  size_t warnings() const { return all_.size() - errors_; }
  /// Every diagnostic in order of file, line and column.
  std::vector<Diagnostic> InOrder() const;
  /// The same as text, one after the other.
  std::string Text() const;

 private:
  std::vector<Diagnostic> all_;
  size_t errors_ = 0;
};

}  // namespace fensi::mapping
