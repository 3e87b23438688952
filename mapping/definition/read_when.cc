#include "mapping/definition/read_parts.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

struct Operator {
  std::string_view text;
  Comparison comparison;
};
// Longer operators first: " <= " is not " < ".
constexpr Operator kOperators[] = {{" == ", Comparison::kEqual},  {" != ", Comparison::kUnequal},
                                   {" <= ", Comparison::kAtMost}, {" >= ", Comparison::kAtLeast},
                                   {" < ", Comparison::kLess},    {" > ", Comparison::kGreater}};

constexpr std::string_view kWhenHint =
    "write '{f1:state} != blocked', with one of == != < <= > >= between spaces, or '{f1:state}' alone for its presence";

std::optional<std::pair<size_t, Operator>> FindOperator(std::string_view text) {
  for (const Operator& candidate : kOperators) {
    const size_t at = FindOutsideBraces(text, candidate.text);
    if (at != std::string_view::npos) return std::pair(at, candidate);
  }
  return std::nullopt;
}

size_t SkipSpaces(std::string_view text, size_t at) {
  while (at < text.size() && text[at] == ' ') ++at;
  return at;
}

bool Fail(const Node& node, Reporter* reporter, std::string message) {
  reporter->Report(Code::kBadCondition, node.place, std::move(message), {std::string(kWhenHint)});
  return false;
}

// Numbers are compared as numbers when the left side is one; everything else byte by byte.
bool ReadNumericRight(const Node& node, std::string_view right, Condition* condition, Reporter* reporter) {
  if (condition->left.parts.size() != 1) {
    return Fail(node, reporter, "numbers and bytes are mixed on the left of this condition");
  }
  const std::optional<int64_t> number = ParseInteger(right);
  if (!number) return Fail(node, reporter, "the left side is a number, and '" + std::string(right) + "' is not");
  condition->numeric = true;
  condition->number = *number;
  return true;
}

bool ReadSides(const Node& node, TemplateCompiler* compiler, Condition* condition, Reporter* reporter) {
  const auto found = FindOperator(node.text);
  const size_t end = found ? found->first : node.text.size();
  std::optional<Template> left = compiler->CompileAnyType(node, 0, end);
  if (!left) return false;
  if (left->IsConstant()) return Fail(node, reporter, "the left side of this condition names nothing of the row");
  condition->left = std::move(*left);
  if (!found) return true;
  condition->comparison = found->second.comparison;
  const size_t begin = SkipSpaces(node.text, end + found->second.text.size());
  bool numeric = false;
  for (const Part& part : condition->left.parts) numeric = numeric || part.shape.type != Type::kBytes;
  if (numeric) return ReadNumericRight(node, std::string_view(node.text).substr(begin), condition, reporter);
  std::optional<Template> right = compiler->Compile(node, begin);
  if (!right) return false;
  condition->right = std::move(*right);
  return true;
}

}  // namespace

std::vector<Condition> ReadConditions(const Node* node, TemplateCompiler* compiler, Reporter* reporter) {
  std::vector<Condition> conditions;
  if (node == nullptr || !IsKind(*node, Node::Kind::kList, "'when'", reporter)) return conditions;
  for (const Node& item : node->items) {
    Condition condition;
    if (item.kind == Node::Kind::kText && item.text.empty()) {
      reporter->Report(Code::kEmpty, item.place, "a condition may not be empty", {std::string(kWhenHint)});
    } else if (item.kind != Node::Kind::kText) {
      compiler->CompileAnyType(item);  // says what is wrong with it
    } else if (ReadSides(item, compiler, &condition, reporter)) {
      const auto found = FindOperator(item.text);
      condition.text = condition.left.text + (found ? std::string(found->second.text) : "") +
                       (condition.numeric ? std::to_string(condition.number) : condition.right.text);
      conditions.push_back(std::move(condition));
    }
  }
  return conditions;
}

}  // namespace fensi::mapping
