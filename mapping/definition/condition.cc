#include "mapping/definition/condition.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "mapping/functions/numbers_as_text.h"
#include "mapping/functions/regex.h"

namespace fensi::mapping {
namespace {

bool HoldsInOrder(Comparison comparison, int order) {
  switch (comparison) {
    case Comparison::kEqual:
      return order == 0;
    case Comparison::kUnequal:
      return order != 0;
    case Comparison::kLess:
      return order < 0;
    case Comparison::kAtMost:
      return order <= 0;
    case Comparison::kGreater:
      return order > 0;
    default:
      return order >= 0;
  }
}

Verdict VerdictOf(bool holds) { return holds ? Verdict::kHolds : Verdict::kFails; }

// Results that one side decides already; absent: it has a value.
std::optional<Verdict> Decided(Comparison comparison, Outcome outcome) {
  if (outcome == Outcome::kUnmappable) return Verdict::kUnmappable;
  if (comparison == Comparison::kAbsent) return VerdictOf(outcome == Outcome::kAbsent);
  if (outcome == Outcome::kAbsent) return Verdict::kFails;
  if (comparison == Comparison::kPresent) return Verdict::kHolds;
  return std::nullopt;
}

// A double may be -0.0, whose rank is below that of 0.0: compared they are one number.
void JoinZeros(const Test& test, Value* value) {
  if (test.left.parts[0].shape.type == Type::kReal && value->number == RankOf(-0.0)) value->number = 0;
}

Verdict CompareNumbers(const Test& test, const Inputs& inputs, Scratch* scratch) {
  Value left;
  Value right;
  const Outcome outcome = RunPart(test.left.parts[0], inputs, scratch, &left);
  if (const auto decided = Decided(test.comparison, outcome)) return *decided;
  JoinZeros(test, &left);
  if (test.comparison == Comparison::kIn || test.comparison == Comparison::kNotIn) {
    const bool in = std::binary_search(test.numbers.begin(), test.numbers.end(), left.number);
    return VerdictOf(in == (test.comparison == Comparison::kIn));
  }
  if (test.right.parts.empty()) {
    right.number = test.numbers[0];
  } else if (const auto decided = Decided(test.comparison, RunPart(test.right.parts[0], inputs, scratch, &right))) {
    return *decided;
  }
  JoinZeros(test, &right);
  const int order = left.number < right.number ? -1 : left.number > right.number ? 1 : 0;
  return VerdictOf(HoldsInOrder(test.comparison, order));
}

Verdict MatchText(const Test& test, std::string_view text, Scratch* scratch) {
  if (!RegexAffords(*test.regex, text.size(), scratch)) return Verdict::kUnmappable;
  return VerdictOf(RegexFinds(*test.regex, text) == (test.comparison == Comparison::kMatches));
}

Verdict CompareBytes(const Test& test, const Inputs& inputs, Scratch* scratch) {
  std::string_view left;
  std::string_view right;
  if (const auto decided = Decided(test.comparison, RunTemplate(test.left, inputs, scratch, &left))) return *decided;
  switch (test.comparison) {
    case Comparison::kIn:
    case Comparison::kNotIn: {
      const bool in = std::binary_search(test.texts.begin(), test.texts.end(), left);
      return VerdictOf(in == (test.comparison == Comparison::kIn));
    }
    case Comparison::kMatches:
    case Comparison::kMatchesNot:
      return MatchText(test, left, scratch);
    default:
      break;
  }
  if (const auto decided = Decided(test.comparison, RunTemplate(test.right, inputs, scratch, &right))) return *decided;
  return VerdictOf(HoldsInOrder(test.comparison, left.compare(right)));
}

}  // namespace

Verdict RunCondition(const Condition& condition, const Inputs& inputs, Scratch* scratch) {
  for (const std::vector<Test>& tests : condition.alternatives) {
    Verdict verdict = Verdict::kHolds;
    for (const Test& test : tests) {
      verdict = test.numeric ? CompareNumbers(test, inputs, scratch) : CompareBytes(test, inputs, scratch);
      if (verdict != Verdict::kHolds) break;
    }
    if (verdict != Verdict::kFails) return verdict;
  }
  return Verdict::kFails;
}

namespace {

constexpr std::string_view kSymbols = "=!<>~&|";
constexpr std::string_view kEndsValue = " =!<>()[],&|\"";

struct Operator {
  std::string_view text;
  Comparison comparison;
};
constexpr Operator kOperators[] = {{"==", Comparison::kEqual},        {"!=", Comparison::kUnequal},
                                   {"<", Comparison::kLess},          {"<=", Comparison::kAtMost},
                                   {">", Comparison::kGreater},       {">=", Comparison::kAtLeast},
                                   {"in", Comparison::kIn},           {"not in", Comparison::kNotIn},
                                   {"matches", Comparison::kMatches}, {"not matches", Comparison::kMatchesNot}};

// Operators of other languages, in lower case, and their form here.
constexpr std::pair<std::string_view, std::string_view> kMeant[] = {
    {"=", "=="},           {"===", "=="},        {"equals", "=="},    {"eq", "=="},          {"<>", "!="},
    {"!==", "!="},         {"ne", "!="},         {"=<", "<="},        {"le", "<="},          {"=>", ">="},
    {"ge", ">="},          {"lt", "<"},          {"gt", ">"},         {"~", "matches"},      {"=~", "matches"},
    {"~=", "matches"},     {"match", "matches"}, {"like", "matches"}, {"regexp", "matches"}, {"contains", "matches"},
    {"!~", "not matches"}, {"&&", "and"},        {"&", "and"},        {"||", "or"},          {"|", "or"},
    {"and", "and"},        {"or", "or"},         {"not", "not"},      {"in", "in"},          {"matches", "matches"},
    {"!", "not"}};

constexpr std::string_view kPresenceHint =
    "write '{f1:state}' alone if the column must be present, or 'not {f1:state}' if it must be absent";

constexpr std::string_view kOperatorHint =
    "write one of ==, !=, <, <=, >, >=, in, not in, matches and not matches, such as '{f1:state} == active'";

std::string HintFor(std::string_view written) {
  std::string lower(written);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const auto& [other, meant] : kMeant) {
    if (other == lower) return "did you mean '" + std::string(meant) + "'?";
  }
  if (lower == "is" || lower == "exists" || lower == "has" || lower == "isnull") return std::string(kPresenceHint);
  return "";
}

bool IsKeyword(std::string_view word) {
  return word == "and" || word == "or" || word == "not" || word == "in" || word == "matches";
}

// Every method answers false after it has filled the error.
class Parser {
 public:
  Parser(std::string_view text, SyntaxError* error) : text_(text), error_(error) {}

  bool Condition(ConditionSyntax* alternatives) {
    alternatives->emplace_back();
    for (;;) {
      TestSyntax test;
      if (!Test(&test)) return false;
      const OperandSyntax* last = test.right.empty() ? nullptr : &test.right.back();
      const Span behind = last != nullptr ? last->span : Span{pos_, 1};
      alternatives->back().push_back(std::move(test));
      if (AtEnd()) return true;
      if (TakeWord("or")) {
        alternatives->emplace_back();
      } else if (!TakeWord("and")) {
        return Trailing(behind);
      }
    }
  }

 private:
  bool AtEnd() {
    while (pos_ < text_.size() && text_[pos_] == ' ') ++pos_;
    return pos_ == text_.size();
  }
  char Peek() { return AtEnd() ? '\0' : text_[pos_]; }
  std::string_view Rest() const { return text_.substr(pos_); }
  std::string_view Run(size_t end) const { return text_.substr(pos_, std::min(end, text_.size()) - pos_); }
  /// The word, or the operator of symbols, that stands here.
  std::string_view PeekWord() {
    if (AtEnd()) return {};
    const bool symbols = kSymbols.find(text_[pos_]) != std::string_view::npos;
    return Run(symbols ? text_.find_first_not_of(kSymbols, pos_) : text_.find_first_of(" =!<>()[],&|\"{/", pos_));
  }
  bool TakeWord(std::string_view word) {
    if (PeekWord() != word) return false;
    pos_ += word.size();
    return true;
  }
  bool Fail(Span span, std::string message, std::string hint) {
    *error_ = {span, std::move(message), std::move(hint)};
    return false;
  }

  bool Test(TestSyntax* test) {
    const bool negated = TakeWord("not");
    const bool blank = AtEnd();
    const size_t begin = pos_;
    if (blank)
      return Fail(
          {begin, 1}, "a condition is missing here",
          "write a condition, such as '{f1:state} == active', or remove the 'and', 'or' or 'not' before this place");
    if (Peek() == '(') {
      return Fail({begin, 1}, "a condition may not have parentheses",
                  "remove the parentheses. 'and' binds closer than 'or', and all lines of 'when:' must hold");
    }
    if (!Value(&test->left)) return false;
    if (text_.substr(begin, pos_ - begin).find('{') == std::string_view::npos) return NamesNothing(test->left.span);
    if (!ComparisonOf(*test, negated, &test->comparison)) return false;
    if (!RightSide(test)) return false;
    test->span = {begin, pos_ - begin};
    return true;
  }

  bool NamesNothing(Span span) {
    const std::string word(text_.substr(span.offset, span.width));
    if (word == "not") return Fail(span, "'not' stands twice here", "write 'not' once, such as 'not {f1:state}'");
    if (word == "and" || word == "or") {
      return Fail(span, "a condition is missing before '" + word + "'",
                  "write a condition, such as '{f1:state} == active', or remove '" + word + "'");
    }
    std::string hint = IsKeyword(word) ? "" : HintFor(word);
    if (hint.empty()) hint = kReferenceHint;
    return Fail(span, kNoReference, std::move(hint));
  }

  bool ComparisonOf(const TestSyntax& test, bool negated, Comparison* comparison) {
    const std::string_view word = PeekWord();
    if (AtEnd() || word == "and" || word == "or") {
      *comparison = negated ? Comparison::kAbsent : Comparison::kPresent;
      return OnlyBraces(test.left.span);
    }
    const size_t begin = pos_;
    std::string written(word);
    pos_ += word.size();
    if (word == "not") {
      const std::string_view second = PeekWord();
      if (!second.empty()) written += " " + std::string(second);
      pos_ += second.size();
    }
    for (const Operator& known : kOperators) {
      if (known.text != written) continue;
      *comparison = known.comparison;
      if (!negated) return true;
      return Fail({begin, pos_ - begin},
                  "'not' may only stand before a reference alone, before 'in' or before 'matches'",
                  "write the opposite, such as '{f1:state} != blocked' or '{f1:state} not in [a, b]'");
    }
    return NoOperator({begin, std::max<size_t>(pos_ - begin, 1)}, written);
  }

  bool NoOperator(Span span, const std::string& written) {
    if (written.empty()) return Fail(span, "an operator is missing here", std::string(kOperatorHint));
    if (written == "not")
      return Fail(span, "'not' after a reference needs 'in' or 'matches' next",
                  "write '{f1:state} not in [a, b]', or 'not {f1:state}' if the column must be absent");
    std::string hint = HintFor(written);
    if (hint.empty()) hint = kOperatorHint;
    return Fail(span, "'" + written + "' is no operator", std::move(hint));
  }

  // A presence test is of one reference: text beside it is an operator that was not understood.
  bool OnlyBraces(Span span) {
    const std::string_view text = text_.substr(span.offset, span.width);
    SyntaxError unused;
    const std::optional<size_t> braces = ParseBraces(text, 0, &unused);
    if (braces && *braces == text.size()) return true;
    return Fail(span, "the condition has text beside a reference, but no operator",
                "put blanks around an operator that is a word, or " + std::string(kPresenceHint));
  }

  bool RightSide(TestSyntax* test) {
    switch (test->comparison) {
      case Comparison::kPresent:
      case Comparison::kAbsent:
        return true;
      case Comparison::kIn:
      case Comparison::kNotIn:
        return List(&test->right);
      case Comparison::kMatches:
      case Comparison::kMatchesNot:
        test->right.emplace_back();
        return Regex(&test->right.back());
      default:
        test->right.emplace_back();
        return Operand(&test->right.back());
    }
  }

  bool List(std::vector<OperandSyntax>* items) {
    constexpr char kListHint[] = "write a list like '{f1:state} in [active, \"on hold\"]'";
    if (Peek() != '[') return Fail({pos_, 1}, "'in' needs a list in brackets after it", kListHint);
    const size_t bracket = pos_;
    ++pos_;
    if (Peek() == ']')
      return Fail({bracket, pos_ - bracket + 1}, "the list of 'in' is empty",
                  "write at least one value, such as [active]");
    pos_ = bracket;
    do {
      ++pos_;
      items->emplace_back();
      if (!Operand(&items->back())) return false;
    } while (Peek() == ',');
    if (Peek() != ']') return Fail({pos_, 1}, "expected ',' or ']' here", kListHint);
    ++pos_;
    return true;
  }

  bool Regex(OperandSyntax* operand) {
    if (Peek() != '/') {
      return Fail({pos_, 1}, "'matches' needs a regular expression between slashes after it",
                  "write an expression like '{f1:mail} matches /@example\\.com$/'");
    }
    return Argument(operand);
  }

  // "quoted" or /regex/.
  bool Argument(OperandSyntax* operand) {
    std::optional<ArgumentSyntax> argument = ParseArgument(Rest(), pos_, error_);
    if (!argument) return false;
    *operand = {true, std::move(argument->text), argument->span};
    pos_ += argument->span.width;
    return true;
  }

  bool Operand(OperandSyntax* operand) {
    if (Peek() == '"') return Argument(operand);
    if (!Value(operand)) return false;
    const std::string_view word = text_.substr(operand->span.offset, operand->span.width);
    if (word[0] == '\'')
      return Fail(operand->span, "this value is in single quotes, and conditions take double quotes",
                  "write the value in double quotes, such as \"on hold\"");
    if (!IsKeyword(word)) return true;
    return Fail(operand->span, "'" + std::string(word) + "' stands where a value is expected",
                "write a value, and put a value that is this word in double quotes: \"" + std::string(word) + "\"");
  }

  bool Value(OperandSyntax* operand) {
    const bool end = AtEnd();
    const size_t begin = pos_;
    if (end) return Fail({begin, 1}, "a value is missing here", "write the value here; the empty value is \"\"");
    while (pos_ < text_.size() && kEndsValue.find(text_[pos_]) == std::string_view::npos) {
      const bool brace = Rest().starts_with("{{") || Rest().starts_with("}}");
      if (text_[pos_] != '{' || brace) {
        pos_ += brace ? 2 : 1;
        continue;
      }
      const std::optional<size_t> width = ParseBraces(Rest(), pos_, error_);
      if (!width) return false;
      pos_ += *width;
    }
    operand->span = {begin, pos_ - begin};
    if (pos_ > begin) return true;
    const std::string found(PeekWord().empty() ? Rest().substr(0, 1) : PeekWord());
    std::string hint = HintFor(found);
    if (hint.empty()) hint = "put a value with blanks, or with one of = ! < > ( ) [ ] , & |, in double quotes";
    return Fail({begin, found.size()}, "'" + found + "' stands where a value is expected", std::move(hint));
  }

  bool Trailing(Span value) {
    const std::string_view word = PeekWord();
    const bool second = std::any_of(std::begin(kOperators), std::end(kOperators),
                                    [&](const Operator& known) { return known.text == word; });
    const Span here{pos_, std::max<size_t>(word.size(), 1)};
    if (second)
      return Fail(here, "this test has a second operator",
                  "join two tests with 'and', such as '{f1:n | int} > 1 and {f1:n | int} < 5'");
    const bool flags = text_[pos_ - 1] == '/' && !word.empty();  // only an expression ends so, and without a blank
    std::string hint = flags ? "write flags inside the expression, such as /(?i)blocked/" : HintFor(word);
    const std::string_view whole = text_.substr(value.offset);
    if (hint.empty() && whole.find('"') == std::string_view::npos) {
      hint = "put a value with blanks, or with one of = ! < > ( ) [ ] , & |, in double quotes: \"" +
             std::string(whole) + "\"";
    }
    return Fail(here, "expected 'and', 'or' or the end of the condition here", std::move(hint));
  }

  const std::string_view text_;
  SyntaxError* const error_;
  size_t pos_ = 0;
};

}  // namespace

std::string_view ComparisonText(Comparison comparison) {
  for (const Operator& known : kOperators) {
    if (known.comparison == comparison) return known.text;
  }
  return "";
}

std::optional<ConditionSyntax> ParseCondition(std::string_view text, SyntaxError* error) {
  ConditionSyntax alternatives;
  if (!Parser(text, error).Condition(&alternatives)) return std::nullopt;
  return alternatives;
}

}  // namespace fensi::mapping
