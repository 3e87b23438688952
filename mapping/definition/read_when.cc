#include <algorithm>

#include "mapping/definition/condition.h"
#include "mapping/definition/readers.h"
#include "mapping/functions/numbers_as_text.h"
#include "mapping/functions/regex.h"
#include "mapping/functions/time_format.h"
#include "mapping/instant.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

constexpr size_t kMostConditions = 200;
constexpr size_t kMostTests = 200;
constexpr size_t kMostListed = 1000;
constexpr char kWhenHint[] =
    "write a test such as '{f1:state} != blocked', '{f1:n | int} >= 5', '{f1:state} in [a, b]', '{f1:mail} matches "
    "/com$/' or '{f1:state}' alone. Join tests with 'and' and 'or'";

bool IsOrder(Comparison comparison) { return comparison >= Comparison::kLess && comparison <= Comparison::kAtLeast; }

template <typename Items, typename Text>
std::string Listed(const Items& items, const Text& text) {
  std::string out = "[";
  for (const auto& item : items) out += (out.size() > 1 ? ", " : "") + text(item);
  return out + "]";
}

// A template as it is typed in a condition, where a blank, an operator or a quote has to be escaped.
std::string TypedText(const Template& program) {
  constexpr std::string_view kMeansSomething = " =!<>()[],&|\"'";
  constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (const Part& part : program.parts) {
    if (!part.IsLiteral()) out += part.text;
    for (char c : part.IsLiteral() ? part.text : std::string()) {
      const bool ordinary = kMeansSomething.find(c) == std::string_view::npos;
      out += ordinary ? std::string(1, c) : std::string("\\x") + kHex[c >> 4] + kHex[c & 15];
    }
  }
  return out;
}

// As in the fingerprint: no blank of a literal is taken for one that separates.
std::string CanonicalText(const Template& program) {
  std::string out;
  for (const Part& part : program.parts) {
    for (const char c : part.text) out += c == ' ' && part.IsLiteral() ? "\\x20" : std::string(1, c);
  }
  return out;
}

// As it is typed: a slash in it does not end it.
std::string RegexText(std::string_view expression) {
  std::string out = "/";
  for (size_t i = 0; i < expression.size(); ++i) {
    if (expression[i] == '/') out += '\\';
    out += expression[i];
    if (expression[i] == '\\' && i + 1 < expression.size()) out += expression[++i];
  }
  return out + "/";
}

std::string NumberText(const Test& test, int64_t number) {
  constexpr std::string_view kInstant = "%Y-%m-%dT%H:%M:%S.%LZ";
  std::string instant(TimeWidth(kInstant), ' ');
  const Type type = test.left.parts[0].shape.type;
  if (type == Type::kTime && FormatTime(kInstant, number, instant.data())) return instant;
  return TypedText(type, {.number = number});
}

bool Gives(const Step& step, int64_t rank) {
  Scratch scratch;
  Value value{.number = rank};
  return step.function->reading.invert(step.arguments, &value, &scratch) != Inverse::kNone;
}

// A column of floats never holds the double 19.9: the nearest float is meant.
int64_t NearestRank(const Part& left, int64_t rank) {
  size_t reader = left.steps.size();
  for (; reader > 0 && left.steps[reader - 1].function == nullptr; --reader) {
    if (left.steps[reader - 1].arguments[0].number == rank) return rank;  // a `default` that is no float
  }
  if (reader == 0 || RoleOf(left.steps[reader - 1]) != Role::kReadsBytes) return rank;
  const Step& step = left.steps[reader - 1];
  const std::optional<int64_t> nearest = RankOfNearestFloat(rank);
  return nearest && !Gives(step, rank) && Gives(step, *nearest) ? *nearest : rank;
}

constexpr char kNumberHint[] = "write digits, such as 5, or remove the function that reads a number on the left";

// One condition of `when:`. Every method answers false after it has reported.
class ConditionReader {
 public:
  ConditionReader(const Node& node, TemplateCompiler* compiler, Reporter* reporter)
      : node_(node), compiler_(compiler), reporter_(reporter) {}

  bool Read(Condition* condition) {
    SyntaxError error;
    const std::optional<ConditionSyntax> syntax = ParseCondition(node_.text, &error);
    if (!syntax) return Fail(error.span, error.message, error.hint);
    size_t tests = 0;
    for (const std::vector<TestSyntax>& alternative : *syntax) {
      condition->alternatives.emplace_back();
      for (const TestSyntax& test : alternative) {
        if (++tests > kMostTests)
          return Fail(test.span, "this condition has more than 200 tests",
                      "use 'in [a, b]' for several values of one column");
        Test read;
        if (!ReadTest(test, &read)) return false;
        Describe(test, read, condition);
        condition->alternatives.back().push_back(std::move(read));
      }
    }
    const Comparison first = (*syntax)[0][0].comparison;
    condition->plain = tests == 1 && first != Comparison::kAbsent && first < Comparison::kIn;
    if (condition->plain) condition->canonical = PlainText(condition->alternatives[0][0]);
    return true;
  }

 private:
  bool Fail(Span span, std::string message, const std::string& hint = "") {
    reporter_->Report(Code::kBadCondition, reporter_->Inside(node_, span.offset, span.width), std::move(message),
                      {hint.empty() ? kWhenHint : hint});
    return false;
  }

  bool ReadTest(const TestSyntax& syntax, Test* test) {
    test->comparison = syntax.comparison;
    const Span left = syntax.left.span;
    std::optional<Template> compiled = compiler_->CompileAnyType(node_, left.offset, left.offset + left.width);
    if (!compiled) return false;
    if (compiled->IsConstant()) return Fail(left, kNoReference, kReferenceHint);
    test->left = std::move(*compiled);
    if (!OneType(syntax, test)) return false;
    switch (test->comparison) {
      case Comparison::kPresent:
      case Comparison::kAbsent:
        return MayBeAbsent(syntax, *test);
      case Comparison::kIn:
      case Comparison::kNotIn:
        return ReadList(syntax, test);
      case Comparison::kMatches:
      case Comparison::kMatchesNot:
        return ReadRegex(syntax.right[0], test);
      default:
        return test->numeric || IsDecimal(*test) ? ReadNumericRight(syntax.right[0], test)
                                                 : ReadRight(syntax.right[0], test);
    }
  }

  bool OneType(const TestSyntax& syntax, Test* test) {
    for (const Part& part : test->left.parts) {
      const bool number = part.shape.type != Type::kBytes;
      if (part.shape.type == Type::kList) {
        return Fail(syntax.left.span, "the left side is a list, which cannot be compared",
                    "take one item, such as {f1:tags | split \",\" 0}, or use the list in 'each:'");
      }
      if (number && test->left.parts.size() > 1) {
        return Fail(syntax.left.span, "numbers and bytes are mixed on the left of this condition",
                    "write the number as digits, such as '{f1:n | int | decimal}', or test the number in a condition "
                    "of its own");
      }
      test->numeric = IsRanked(part.shape.type);
    }
    return true;
  }

  bool MayBeAbsent(const TestSyntax& syntax, const Test& test) {
    const Shape& shape = test.left.parts[0].shape;
    if (shape.may_be_absent || !shape.mappable || shape.outgrows) return true;
    return Fail(syntax.left.span, "this value is never absent, so a test of its presence decides nothing",
                "remove this condition, or remove 'default' from it");
  }

  static bool IsDecimal(const Test& test) { return test.left.parts[0].shape.type == Type::kDecimal; }

  bool ReadDecimal(const OperandSyntax& syntax, std::string* bytes) {
    const std::string text = syntax.quoted ? syntax.text : Written(syntax);
    Scratch scratch;
    Value value;
    if (!ReadTyped(Type::kDecimal, text, &value, &scratch)) {
      return Fail(syntax.span, "the left side is a number, and '" + text + "' is not a number", kNumberHint);
    }
    *bytes = value.bytes;
    return true;
  }

  bool ReadNumber(const OperandSyntax& syntax, const Test& test, int64_t* number) {
    const std::string text = syntax.quoted ? syntax.text : Written(syntax);
    const Type type = test.left.parts[0].shape.type;
    Scratch scratch;
    Value value;
    const bool good = ReadTyped(type, text, &value, &scratch);
    std::optional<int64_t> read = good ? std::optional(value.number) : std::nullopt;
    const bool time = type == Type::kTime;
    if (!read && time) read = ParseInstant(text);
    if (!read && time) {
      return Fail(syntax.span, "the left side is a time, and '" + text + "' is not a time",
                  "write milliseconds since 1970, or a time in UTC like 2016-12-19 or 2016-12-19T08:00:00Z");
    }
    if (!read) {
      const char* what = type == Type::kReal ? "' is not a number" : "' is not a whole number of 64 bits";
      return Fail(syntax.span, "the left side is a number, and '" + text + what, kNumberHint);
    }
    *number = type == Type::kReal ? NearestRank(test.left.parts[0], *read) : *read;
    if (type == Type::kReal && *number == RankOf(-0.0)) *number = 0;
    return true;
  }

  // A number as written, or another number of the row.
  bool ReadNumericRight(const OperandSyntax& syntax, Test* test) {
    if (syntax.quoted || Written(syntax).find('{') == std::string::npos) {
      if (IsDecimal(*test)) {
        std::string bytes;
        if (!ReadDecimal(syntax, &bytes)) return false;
        test->right = ConstantTemplate(std::move(bytes));
        return true;
      }
      test->numbers.emplace_back();
      return ReadNumber(syntax, *test, &test->numbers.back());
    }
    std::optional<Template> right =
        compiler_->CompileAnyType(node_, syntax.span.offset, syntax.span.offset + syntax.span.width);
    if (!right) return false;
    const Type left = test->left.parts[0].shape.type;
    if (right->parts.size() != 1 || right->parts[0].IsLiteral() || right->parts[0].shape.type != left) {
      return Fail(syntax.span,
                  "the left side has the type " + std::string(TypeName(left)) + ", and the right side has another type",
                  "give both sides the same functions, such as '{f1:a | int} < {f1:b | int}'");
    }
    test->right = std::move(*right);
    return true;
  }

  bool ReadRight(const OperandSyntax& syntax, Test* test) {
    if (syntax.quoted) {
      test->right = ConstantTemplate(syntax.text);
      return true;
    }
    if (IsOrder(test->comparison) && ParseInteger(Written(syntax))) {
      return Fail(syntax.span, "the left side is bytes, and the right side is a number",
                  "make the left side a number, such as '{f1:age | int}', or put the bytes on the right in quotes: \"" +
                      Written(syntax) + "\"");
    }
    std::optional<Template> right =
        compiler_->Compile(node_, syntax.span.offset, syntax.span.offset + syntax.span.width);
    if (!right) return false;
    test->right = std::move(*right);
    return true;
  }

  bool ReadList(const TestSyntax& syntax, Test* test) {
    if (syntax.right.size() > kMostListed)
      return Fail(syntax.span, "this list of 'in' has more than 1000 values",
                  "join two lists with 'or', such as '{f1:state} in [a] or {f1:state} in [b]', or use 'matches'");
    for (const OperandSyntax& item : syntax.right) {
      int64_t number = 0;
      if (test->numeric && !ReadNumber(item, *test, &number)) return false;
      std::string text;
      if (IsDecimal(*test)) {
        if (!ReadDecimal(item, &text)) return false;
      } else if (!test->numeric && !ReadConstant(item, &text)) {
        return false;
      }
      if (test->numeric) test->numbers.push_back(number);
      if (!test->numeric) test->texts.push_back(std::move(text));
    }
    const auto sort = [](auto* items) {
      std::sort(items->begin(), items->end());
      items->erase(std::unique(items->begin(), items->end()), items->end());
    };
    sort(&test->numbers);
    sort(&test->texts);
    return true;
  }

  bool ReadConstant(const OperandSyntax& syntax, std::string* text) {
    *text = syntax.text;
    if (syntax.quoted) return true;
    const std::optional<Template> compiled =
        compiler_->Compile(node_, syntax.span.offset, syntax.span.offset + syntax.span.width);
    if (!compiled) return false;
    if (!compiled->IsConstant())
      return Fail(syntax.span, "a list of 'in' takes plain values, and no references",
                  "write the values themselves, or compare with another column by '=='");
    *text = compiled->parts[0].literal;
    return true;
  }

  bool ReadRegex(const OperandSyntax& syntax, Test* test) {
    const Type type = test->left.parts[0].shape.type;
    if (type != Type::kBytes) {
      return Fail(syntax.span, "'matches' takes bytes, and the left side is a number",
                  test->numeric && type != Type::kReal ? "write the number as digits with '| decimal'"
                                                       : "write the number as digits with '| plain'");
    }
    std::string problem;
    test->regex = CompileRegex(syntax.text, compiler_->outside().regexes.get(), &problem);
    return test->regex != nullptr || Fail(syntax.span, "after 'matches' must come " + problem,
                                          "correct the expression, such as '{f1:mail} matches /@example\\.com$/'");
  }

  std::string Written(const OperandSyntax& syntax) const {
    return node_.text.substr(syntax.span.offset, syntax.span.width);
  }

  /// The right side, where templates are written so.
  template <typename Text>
  static std::string RightText(const TestSyntax& syntax, const Test& test, const Text& text) {
    const auto number = [&](int64_t one) { return NumberText(test, one); };
    const auto quoted = [&](const std::string& one) {
      return IsDecimal(test) ? TypedText(Type::kDecimal, {.bytes = one}) : QuotedText(one);
    };
    switch (test.comparison) {
      case Comparison::kIn:
      case Comparison::kNotIn:
        return test.numeric ? Listed(test.numbers, number) : Listed(test.texts, quoted);
      case Comparison::kMatches:
      case Comparison::kMatchesNot:
        return RegexText(syntax.right[0].text);
      default:
        break;
    }
    if (!test.numbers.empty()) return number(test.numbers[0]);
    const bool constant = test.right.IsConstant();
    return constant ? quoted(test.right.parts[0].literal) : text(test.right);
  }

  template <typename Text>
  static std::string TestText(const TestSyntax& syntax, const Test& test, const Text& text) {
    if (test.comparison == Comparison::kAbsent) return "not " + text(test.left);
    if (test.comparison == Comparison::kPresent) return text(test.left);
    return text(test.left) + " " + std::string(ComparisonText(test.comparison)) + " " + RightText(syntax, test, text);
  }

  // As it always was: a blank of the right side can be taken for nothing else.
  static std::string PlainText(const Test& test) {
    if (test.comparison == Comparison::kPresent) return CanonicalText(test.left);
    return CanonicalText(test.left) + " " + std::string(ComparisonText(test.comparison)) + " " +
           (test.numbers.empty() ? test.right.text : std::to_string(test.numbers[0]));
  }

  // Adds the test to the condition's texts.
  static void Describe(const TestSyntax& syntax, const Test& test, Condition* condition) {
    const bool first = condition->alternatives.back().empty();
    const bool begins = first && condition->alternatives.size() == 1;
    const std::string join = begins ? "" : first ? " or " : " and ";
    condition->text += join + TestText(syntax, test, TypedText);
    condition->canonical += join + TestText(syntax, test, CanonicalText);
  }

  const Node& node_;
  TemplateCompiler* const compiler_;
  Reporter* const reporter_;
};

}  // namespace

std::vector<Condition> ReadConditions(const Node* node, TemplateCompiler* compiler, Reporter* reporter) {
  std::vector<Condition> conditions;
  if (node == nullptr || !IsKind(*node, Node::Kind::kList, "'when'", reporter)) return conditions;
  if (!IsBounded(*node, kMostConditions, "'when'", reporter)) return conditions;
  for (const Node& item : node->items) {
    Condition condition;
    if (item.kind == Node::Kind::kText && item.text.empty()) {
      reporter->Report(Code::kEmpty, item.place, "a condition may not be empty", {kWhenHint});
    } else if (item.kind != Node::Kind::kText) {
      compiler->CompileAnyType(item);  // says what is wrong with it
    } else if (ConditionReader(item, compiler, reporter).Read(&condition)) {
      conditions.push_back(std::move(condition));
    }
  }
  return conditions;
}

}  // namespace fensi::mapping
