
#include "base/bytes.h"
#include "mapping/definition/names.h"
#include "mapping/definition/readers.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

constexpr std::string_view kEachHint =
    "write a pattern like f1:* or f1:tag_*, a list of patterns, or '{f1:tags | split \",\"}'";

void ReadPattern(const Node& node, Each* each, Reporter* reporter) {
  if (!IsKind(node, Node::Kind::kText, "a pattern of 'each'", reporter)) return;
  const Result<std::string> text = Unescape(node.text);
  const std::string pattern = text.ok() ? *text : "";
  const size_t colon = pattern.find(':');
  const bool good = colon != std::string::npos && pattern.ends_with('*') && IsFamilyName(pattern.substr(0, colon)) &&
                    pattern.find('*') == pattern.size() - 1;
  if (!good) {
    reporter->Report(Code::kBadEach, node.place, "'" + node.text + "' is not a pattern of columns",
                     {std::string(kEachHint)});
    return;
  }
  Watch watch;
  watch.family = pattern.substr(0, colon);
  watch.qualifier = pattern.substr(colon + 1, pattern.size() - colon - 2);
  watch.kind = watch.qualifier.empty() ? Watch::Kind::kFamily : Watch::Kind::kPrefix;
  watch.bound = true;
  if (!each->text.empty()) each->text += ", ";
  each->text += ColumnAscii(watch.family, watch.qualifier) + "*";
  each->columns.push_back(std::move(watch));
}

void ReadList(const Node& node, TemplateCompiler* compiler, Each* each, Reporter* reporter) {
  each->fanout = Fanout::kList;
  each->list = compiler->CompileAnyType(node);
  if (!each->list) return;
  const bool one = each->list->parts.size() == 1 && !each->list->parts[0].IsLiteral();
  if (!one || each->list->parts[0].shape.type != Type::kList) {
    reporter->Report(
        Code::kBadEach, node.place, "this template of 'each' does not give a list",
        {"end the template with a function that gives a list, such as '{f1:tags | split \",\"}' without a position"});
    each->list.reset();
    return;
  }
  each->text = each->list->text;
}

}  // namespace

Each ReadEach(const Node* node, TemplateCompiler* compiler, Reporter* reporter) {
  Each each;
  if (node == nullptr) return each;
  const bool brace = node->kind == Node::Kind::kMap || (node->kind == Node::Kind::kText && node->text.starts_with('{'));
  if (brace) {
    ReadList(*node, compiler, &each, reporter);
  } else if (node->kind == Node::Kind::kList) {
    each.fanout = Fanout::kColumns;
    if (!IsBounded(*node, 100, "'each'", reporter)) return each;
    for (const Node& item : node->items) ReadPattern(item, &each, reporter);
    if (node->items.empty())
      reporter->Report(Code::kEmpty, node->place, "'each' names no columns", {std::string(kEachHint)});
  } else {
    each.fanout = Fanout::kColumns;
    ReadPattern(*node, &each, reporter);
  }
  if (each.fanout == Fanout::kColumns) compiler->BindColumns(each.columns);
  if (each.fanout == Fanout::kList) compiler->BindItems(each.list);
  return each;
}

}  // namespace fensi::mapping
