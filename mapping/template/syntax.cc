#include "mapping/template/syntax.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "mapping/template/syntax_hints.h"

namespace fensi::mapping {
namespace {

constexpr std::string_view kEscapeHint = "write a byte as \\xNN with two hex digits, and a backslash as \\x5C";

// Recursive descent over one template. Every method answers false after it has filled the error.
class Parser {
 public:
  Parser(std::string_view text, size_t base, SyntaxError* error) : text_(text), base_(base), error_(error) {}

  bool Template(std::vector<PartSyntax>* parts) {
    while (pos_ < text_.size()) {
      const bool opens = text_[pos_] == '{' && !Ahead("{{");
      parts->emplace_back();
      if (!(opens ? Braces(&parts->back()) : Literal(&parts->back()))) return false;
    }
    return true;
  }

  bool Reference(ReferenceSyntax* reference) {
    const size_t begin = pos_;
    bool quoted_last = false;
    if (!ReferenceText(reference, &quoted_last)) return false;
    reference->span = {begin + base_, pos_ - begin};
    if (pos_ == begin)
      return Fail({begin, 1}, "a reference is missing", "write a reference, such as {row} or {f1:from}");
    if (!Plausible(text_.substr(begin, pos_ - begin), begin)) return false;
    std::string& tail = reference->is_column ? reference->qualifier : reference->name;
    if (reference->is_column && !quoted_last && tail.ends_with("@ts")) {
      tail.resize(tail.size() - 3);
      reference->timestamp = true;
    }
    return true;
  }

  bool Braces(PartSyntax* part) {
    const size_t begin = pos_++;
    SkipSpaces();
    part->reference.emplace();
    if (!(Ahead("({") ? Joined(&*part->reference) : Reference(&*part->reference))) return false;
    SkipSpaces();
    while (Peek() == '|') {
      ++pos_;
      part->calls.emplace_back();
      if (!Call(&part->calls.back())) return false;
    }
    if (Peek() != '}') {
      if (AtEnd())
        return Fail({begin, 1}, "the brace is not closed",
                    "write '}' after the reference and its functions. A brace that is text is '{{'");
      const size_t next = text_.find_first_of("{|}\"", pos_);
      if (next != std::string_view::npos && text_[next] == '{') return FailNested(begin + 1, next);
      return Fail({pos_, 1}, "expected '|' or '}' here", "write '|' before each function, as in {f1:from | lower}");
    }
    ++pos_;
    part->span = {begin + base_, pos_ - begin};
    return true;
  }

  bool Argument(ArgumentSyntax* argument) {
    const size_t begin = pos_;
    if (Peek() == '"') {
      argument->kind = ArgumentSyntax::Kind::kQuoted;
      if (!Quoted(&argument->text)) return false;
    } else if (Peek() == '/') {
      argument->kind = ArgumentSyntax::Kind::kRegex;
      if (!Regex(&argument->text)) return false;
    } else {
      while (!Ends(Peek())) {
        if (Peek() == '{')
          return Fail({pos_, 1}, "braces cannot stand inside braces", BraceInArgumentHint(text_.substr(pos_)));
        if (!Byte(&argument->text)) return false;
      }
    }
    argument->span = {begin + base_, pos_ - begin};
    return true;
  }

  bool AtEnd() const { return pos_ == text_.size(); }
  size_t position() const { return pos_; }
  bool Fail(Span span, std::string message, std::string_view hint) {
    span.offset += base_;
    *error_ = {span, std::move(message), std::string(hint)};
    return false;
  }

 private:
  bool Ahead(std::string_view what) const { return text_.substr(pos_).starts_with(what); }
  char Peek() const { return pos_ < text_.size() ? text_[pos_] : '\0'; }
  void SkipSpaces() {
    while (Peek() == ' ') ++pos_;
  }

  // What other languages write, and what would be a name or a text here without a word.
  bool Plausible(std::string_view written, size_t begin) {
    const bool timestamp = written.ends_with("@ts") && written.find(':') != std::string_view::npos;
    bool quoted = false;
    for (size_t i = 0; i < written.size() - (timestamp ? 3 : 0); ++i) {
      if (written[i] == '\\' && quoted) {
        ++i;  // \" does not end it
        continue;
      }
      if (written[i] == '"') quoted = !quoted;
      if (quoted) continue;
      const Span here{begin + i, written.size() - i};
      if (written[i] == '(' || written[i] == ')')
        return Fail({begin, written.size()}, "a reference cannot have a parenthesis",
                    written[0] == '(' ? ListOfColumnsHint(written) : PipeHint(written));
      if (written[i] == ',' && written.find(':', i) != std::string_view::npos)
        return Fail({begin, written.size()}, "a reference cannot have a comma",
                    ListOfColumnsHint(written) + ". A name with a comma stands in double quotes");
      if (written[i] == '@')
        return Fail(here, "a reference cannot end with '" + std::string(written.substr(i)) + "'",
                    TimeHint(written.substr(0, i)));
      if (written[i] == '*')
        return Fail(here, "a reference cannot be a pattern of columns",
                    "write the pattern in 'each:', and {qualifier} or {value} here. A qualifier with '*' stands in "
                    "double quotes");
    }
    return true;
  }

  // lower(md5(d:x)) is {d:x | md5 | lower} here.
  static std::string PipeHint(std::string_view written) {
    std::string functions;
    for (size_t open = written.find('('); open != std::string_view::npos && written.ends_with(')');
         open = written.find('(')) {
      functions = " | " + std::string(written.substr(0, open)) + functions;
      written = written.substr(open + 1, written.size() - open - 2);
    }
    const std::string quotes = " a name with a parenthesis in double quotes";
    if (functions.empty()) return "put" + quotes;
    return "write functions after the reference: {" + std::string(written) + functions + "}. Put" + quotes;
  }

  static std::string TimeHint(std::string_view before) {
    if (before == "value") return "write {ts} for the time of a column that 'each:' names";
    if (before.find(':') == std::string_view::npos)
      return "write the time of a column, such as {f1:from@ts}, because only columns have a time";
    return "write {" + std::string(before) +
           "@ts} for the time of the cell. A qualifier with '@' stands in double quotes";
  }

  // {{row}} is the text "{row}", which nobody wants.
  bool DoubledBraces() {
    const size_t end = text_.find("}}", pos_);
    if (!Ahead("{{") || end == std::string_view::npos) return true;
    const std::string_view inner = text_.substr(pos_ + 2, end - pos_ - 2);
    const std::string_view word = inner.substr(0, inner.find_first_of(" |"));
    constexpr std::string_view kNames[] = {"row", "family", "qualifier", "value", "ts", "item"};
    const bool name = std::find(std::begin(kNames), std::end(kNames), word) != std::end(kNames);
    const bool column = word.find(':') != std::string_view::npos && word.find_first_of(":\"'{") == word.find(':') &&
                        word.front() != ':' && word.back() != ':' &&
                        word.find_first_of("\"'{,") == std::string_view::npos;
    if (!name && !column) return true;
    return Fail({pos_, end + 2 - pos_}, "doubled braces are text, and this looks like a reference",
                "write {" + std::string(inner) + "} for the reference. For the text, write the first brace as \\x7B");
  }

  // "({a},{b})" stands for a value that is put together.
  bool Joined(ReferenceSyntax* reference) {
    const size_t begin = pos_++;
    if (joining_)
      return Fail({begin, 1}, "parentheses cannot stand inside parentheses",
                  "write all parts in one pair of parentheses, as in {({f1:a},{f1:b}) | md5}");
    joining_ = true;
    while (!AtEnd() && Peek() != ')') {
      const bool opens = Peek() == '{' && !Ahead("{{");
      reference->joined.emplace_back();
      if (!(opens ? Braces(&reference->joined.back()) : Literal(&reference->joined.back()))) return false;
    }
    joining_ = false;
    if (AtEnd())
      return Fail({begin, 1}, "the parenthesis is not closed",
                  "write ')' after the last part, as in {({f1:a},{f1:b}) | md5}. A ')' that is text is \\x29");
    ++pos_;
    reference->span = {begin + base_, pos_ - begin};
    return true;
  }

  bool Literal(PartSyntax* part) {
    const size_t begin = pos_;
    while (pos_ < text_.size()) {
      if (Ahead("{{") || Ahead("}}")) {
        if (!DoubledBraces()) return false;
        part->literal.push_back(text_[pos_]);
        pos_ += 2;
      } else if (Peek() == '{') {
        if (pos_ == begin || text_[pos_ - 1] != '$') break;
        return Fail({pos_ - 1, 1}, "a dollar sign stands before a brace",
                    "remove the dollar sign, as in {f1:from}. A dollar sign that is text is \\x24");
      } else if (Peek() == ')' && joining_) {
        break;
      } else if (Peek() == '}') {
        return Fail({pos_, 1}, "this closing brace has no opening brace",
                    StrayBraceHint(text_.substr(begin, pos_ - begin), joining_));
      } else if (!Byte(&part->literal)) {
        return false;
      }
    }
    part->span = {begin + base_, pos_ - begin};
    return true;
  }

  // One byte, which may be written as \xNN.
  bool Byte(std::string* out) {
    if (Peek() != '\\') {
      out->push_back(text_[pos_++]);
      return true;
    }
    const Result<std::string> byte = Unescape(text_.substr(pos_, 4));
    if (!byte.ok()) return Fail({pos_, 1}, "this backslash begins no \\xNN", kEscapeHint);
    out->append(*byte);
    pos_ += 4;
    return true;
  }

  static bool Ends(char c) { return c == ' ' || c == '|' || c == '}' || c == '\0'; }

  /// At a brace in braces that begin with the text at `begin`.
  bool FailNested(size_t begin, size_t brace) {
    return Fail({brace, 1}, "braces cannot stand inside braces",
                NestedBracesHint(text_.substr(begin, brace - begin), text_.substr(brace)));
  }

  bool ReferenceText(ReferenceSyntax* reference, bool* quoted_last) {
    const size_t begin = pos_;
    std::string* out = &reference->name;
    while (!AtEnd() && !Ends(Peek())) {
      *quoted_last = Peek() == '"';
      if (*quoted_last) {
        if (!Quoted(out)) return false;
      } else if (Peek() == ':' && !reference->is_column) {
        ++pos_;
        reference->is_column = true;
        reference->family = std::exchange(reference->name, "");
        out = &reference->qualifier;
      } else if (Peek() == '{') {
        return FailNested(begin, pos_);
      } else if (!Byte(out)) {
        return false;
      }
    }
    return true;
  }

  bool Call(CallSyntax* call) {
    SkipSpaces();
    const size_t begin = pos_;
    while (!Ends(Peek())) call->name.push_back(text_[pos_++]);
    call->name_span = {begin + base_, pos_ - begin};
    if (call->name.empty())
      return Fail({begin, 1}, "a function is missing after '|'", "write a function, such as {row | lower}");
    size_t end = pos_;
    for (SkipSpaces(); !AtEnd() && Peek() != '|' && Peek() != '}'; SkipSpaces()) {
      call->arguments.emplace_back();
      if (!Argument(&call->arguments.back())) return false;
      end = pos_;
    }
    call->span = {begin + base_, end - begin};
    return true;
  }

  bool Quoted(std::string* out) {
    const size_t begin = pos_++;
    while (Peek() != '"') {
      if (AtEnd())
        return Fail({begin, 1}, "the double quote is not closed",
                    "write '\"' after the text, as in \"on hold\". A double quote inside the text is \\\"");
      if (Ahead("\\\"") || Ahead("\\\\")) {
        out->push_back(text_[pos_ + 1]);
        pos_ += 2;
      } else if (!Byte(out)) {
        return false;
      }
    }
    ++pos_;
    return true;
  }

  // The regular expression's own escapes are left to RE2; only \/ is ours.
  bool Regex(std::string* out) {
    const size_t begin = pos_++;
    while (Peek() != '/') {
      if (AtEnd()) {
        return Fail({begin, 1}, "the regular expression is not closed",
                    "write '/' after the expression, as in /u(\\d+)/. An argument that is a slash is \"/\"");
      }
      if (Peek() == '\\' && pos_ + 1 < text_.size()) {
        if (text_[pos_ + 1] != '/') out->push_back('\\');
        ++pos_;
      }
      out->push_back(text_[pos_++]);
    }
    ++pos_;
    return true;
  }

  const std::string_view text_;
  const size_t base_;
  SyntaxError* const error_;
  size_t pos_ = 0;
  bool joining_ = false;  // between parentheses
};

}  // namespace

std::optional<std::vector<PartSyntax>> ParseTemplate(std::string_view text, size_t base, SyntaxError* error) {
  std::vector<PartSyntax> parts;
  if (!Parser(text, base, error).Template(&parts)) return std::nullopt;
  return parts;
}

std::optional<ReferenceSyntax> ParseReference(std::string_view text, SyntaxError* error) {
  Parser parser(text, 0, error);
  ReferenceSyntax reference;
  if (!parser.Reference(&reference)) return std::nullopt;
  if (!parser.AtEnd()) {
    parser.Fail({parser.position(), 1}, "only a reference may stand here", "write a column, such as f1:from");
    return std::nullopt;
  }
  return reference;
}

std::optional<ArgumentSyntax> ParseArgument(std::string_view text, size_t base, SyntaxError* error) {
  ArgumentSyntax argument;
  if (!Parser(text, base, error).Argument(&argument)) return std::nullopt;
  return argument;
}

std::optional<size_t> ParseBraces(std::string_view text, size_t base, SyntaxError* error) {
  PartSyntax part;
  Parser parser(text, base, error);
  if (!parser.Braces(&part)) return std::nullopt;
  return parser.position();
}

}  // namespace fensi::mapping
