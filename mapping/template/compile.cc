#include "mapping/template/compile.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/bytes.h"
#include "base/text.h"
#include "mapping/functions/numbers_as_text.h"
#include "mapping/functions/regex.h"
#include "mapping/template/arguments.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

// A slash that could be taken for the end of the expression is escaped. The others never were, and stay so.
std::string CanonicalRegex(std::string_view expression) {
  std::string out;
  for (size_t i = 0; i < expression.size(); ++i) {
    std::string_view behind = expression.substr(i + 1);
    if (behind.starts_with('u')) behind.remove_prefix(1);
    if (expression[i] == '/' && (behind.starts_with(' ') || behind.starts_with('}'))) out.push_back('\\');
    out.push_back(expression[i]);
  }
  return out;
}

// A regular expression of characters had another meaning when all were of bytes.
std::string CanonicalArgument(const Argument& argument) {
  if (argument.regex == nullptr) return QuotedText(argument.text);
  return "/" + CanonicalRegex(argument.text) + (RegexNamesCharacters(argument.text) ? "/u" : "/");
}

/// In the one spelling of its arguments; `before` is the type that it takes.
std::string CanonicalStep(const Step& step, Type before) {
  if (step.function == nullptr) {
    const Argument& value = step.arguments[0];
    return " | default " + QuotedText(TypedText(before, {.bytes = value.text, .number = value.number}));
  }
  std::string out = " | " + std::string(step.function->name);
  for (const Argument& argument : step.arguments) out += " " + CanonicalArgument(argument);
  return out;
}

std::string CanonicalLiteral(std::string_view literal) {
  std::string out;
  for (char c : EscapeAscii(literal)) {
    if (c == '{' || c == '}') out.push_back(c);
    out.push_back(c);
  }
  return out;
}

std::string LiteralInParentheses(std::string_view literal) {
  std::string out;
  for (const char c : literal) out += c == ')' ? "\\x29" : CanonicalLiteral(std::string_view(&c, 1));
  return out;
}

std::string InputNames(unsigned inputs) {
  std::string out;
  for (Type type : {Type::kBytes, Type::kInteger, Type::kReal, Type::kDecimal, Type::kTime, Type::kList}) {
    if ((inputs & Takes(type)) == 0) continue;
    if (!out.empty()) out += " or ";
    out += TypeName(type);
  }
  return out;
}

// How a value of this type becomes what a function (or a template: bytes) wants.
std::vector<std::string> ConversionHint(Type have, unsigned want) {
  const bool bytes = (want & Takes(Type::kBytes)) != 0;
  if (have == Type::kInteger && bytes) return {"write '| decimal' for digits, or '| to_be 8' for big-endian bytes"};
  if (have == Type::kTime && bytes) return {"write '| time %Y%m%d', '| decimal' for milliseconds, or '| to_be 8'"};
  if (have == Type::kReal && bytes) return {"write '| ordered' for bytes in order, or '| plain' for digits"};
  if (have == Type::kDecimal && bytes) return {"write '| ordered' for bytes in order, or '| plain' for digits"};
  if (have == Type::kBytes && (want & Takes(Type::kInteger)) != 0) {
    return {"write '| int' for digits, or '| i64' for 8 big-endian bytes"};
  }
  if (have == Type::kInteger && want == Takes(Type::kTime)) return {"write '| from_ms' or '| from_s'"};
  if (have == Type::kBytes && want == Takes(Type::kTime))
    return {"write '| int | from_ms', or '| parse_time %Y-%m-%d'"};
  if (have == Type::kTime && want == Takes(Type::kInteger)) return {"write '| millis' or '| seconds'"};
  if (have == Type::kList) return {"take one item, such as {f1:tags | split \",\" 0}, or use the list in 'each:'"};
  return {};
}

struct NamedReference {
  std::string_view name;
  Reference::Kind kind;
  Type type;
  Fanout needs;
};
constexpr NamedReference kNamed[] = {
    {"row", Reference::Kind::kRow, Type::kBytes, Fanout::kNone},
    {"family", Reference::Kind::kBoundFamily, Type::kBytes, Fanout::kColumns},
    {"qualifier", Reference::Kind::kBoundQualifier, Type::kBytes, Fanout::kColumns},
    {"value", Reference::Kind::kBoundValue, Type::kBytes, Fanout::kColumns},
    {"ts", Reference::Kind::kBoundTime, Type::kTime, Fanout::kColumns},
    {"item", Reference::Kind::kItem, Type::kBytes, Fanout::kList},
};

constexpr size_t kMostColumns = 1000;

std::vector<std::string> HintsFor(std::string_view known_elsewhere, std::string_view word,
                                  std::span<const std::string_view> names) {
  return known_elsewhere.empty() ? Suggest(word, names) : std::vector<std::string>{std::string(known_elsewhere)};
}

}  // namespace

std::string QuotedText(std::string_view bytes) {
  std::string out = "\"";
  for (char c : EscapeAscii(bytes)) {
    if (c == '"') out.push_back('\\');
    out.push_back(c);
  }
  return out + "\"";
}

std::string ColumnReference(std::string_view family, std::string_view qualifier) {
  constexpr std::string_view kMeansSomething = " |{}\"@(),*\\";
  const auto text = [=](std::string_view name, bool quoted) { return quoted ? QuotedText(name) : EscapeAscii(name); };
  const auto means = [=](std::string_view name) {
    return name.find_first_of(kMeansSomething) != std::string_view::npos;
  };
  const bool two_colons = family.find(':') != std::string_view::npos;  // the first would end the family
  return text(family, two_colons || means(family)) + ":" + text(qualifier, means(qualifier));
}

Template ConstantTemplate(std::string literal) {
  Template constant;
  Part& part = constant.parts.emplace_back();
  part.shape.min_width = part.shape.max_width = literal.size();
  part.text = constant.text = CanonicalLiteral(literal);
  part.literal = std::move(literal);
  return constant;
}

bool TemplateCompiler::Fail(const Node& node, Code code, Span span, std::string message,
                            std::vector<std::string> hints) {
  reporter_->Report(code, reporter_->Inside(node, span.offset, span.width), std::move(message), std::move(hints));
  return false;
}

void TemplateCompiler::BindColumns(const std::vector<Watch>& columns) {
  fanout_ = Fanout::kColumns;
  if (columns.empty()) return;
  family_.bytes.reset();
  family_.SetWidth(Shape::kUnbounded, 0);
  qualifier_.min_width = Shape::kUnbounded;
  for (const Watch& column : columns) {
    const size_t width = column.family.size();
    family_.SetWidth(std::min(family_.min_width, width), std::max(family_.max_width, width));
    family_.bytes |= BytesOf(column.family);
    qualifier_.min_width = std::min(qualifier_.min_width, column.qualifier.size());
  }
}

// Items are pieces of the list's value; empty ones are skipped.
void TemplateCompiler::BindItems(const std::optional<Template>& list) {
  fanout_ = Fanout::kList;
  if (!list) return;
  item_.bytes = list->parts[0].shape.bytes;
  item_.SetWidth(1, list->parts[0].shape.max_width);
}

Shape TemplateCompiler::ShapeOf(Reference::Kind kind, Type type) const {
  Shape shape;
  if (kind == Reference::Kind::kRow) shape.min_width = 1;
  if (kind == Reference::Kind::kBoundFamily) shape = family_;
  if (kind == Reference::Kind::kBoundQualifier) shape = qualifier_;
  if (kind == Reference::Kind::kItem) shape = item_;
  shape.type = type;
  return shape;
}

bool TemplateCompiler::WellQuoted(const Node& node) {
  const std::string_view line = reporter_->Line(node.place.line);
  const std::string_view written =
      line.substr(std::min<size_t>(line.size(), static_cast<size_t>(node.place.column) - 1));
  if (node.kind != Node::Kind::kText) {
    const bool braces = node.kind == Node::Kind::kMap && written.starts_with('{');
    if (braces) {
      reporter_->Report(Code::kUnquotedTemplate, node.place, "without quotes, YAML reads {…} as a map",
                        {"put the template in single quotes: '{f1:from}'"});
      return false;
    }
    return IsKind(node, Node::Kind::kText, "a template", reporter_);
  }
  if (node.quote == Quote::kDouble &&
      written.substr(0, static_cast<size_t>(node.place.width)).find('\\') != std::string_view::npos) {
    reporter_->Report(Code::kDoubleQuotedEscape, node.place,
                      "YAML replaces a backslash in double quotes before fensi reads the template",
                      {"put the template in single quotes: '\\xff' is then one byte"});
    return false;
  }
  if (node.quote == Quote::kNone && node.text.find_first_of("{}\\") != std::string::npos) {
    reporter_->Report(Code::kUnquotedTemplate, node.place, "a template must stand in single quotes",
                      {"write '" + node.text + "'"});
    return false;
  }
  return true;
}

std::optional<Template> TemplateCompiler::Compile(const Node& node, size_t begin, size_t end) {
  std::optional<Template> compiled = CompileAnyType(node, begin, end);
  if (!compiled) return std::nullopt;
  bool good = true;
  SyntaxError unused;
  const std::string_view text = std::string_view(node.text).substr(begin, end - begin);
  const std::vector<PartSyntax> syntax = *ParseTemplate(text, begin, &unused);
  for (size_t i = 0; i < compiled->parts.size(); ++i) {
    const Type type = compiled->parts[i].shape.type;
    if (type == Type::kBytes) continue;
    good = Fail(node, Code::kNotBytes, syntax[i].span,
                "this part has the type " + std::string(TypeName(type)) + ", and a template needs bytes",
                ConversionHint(type, Takes(Type::kBytes)));
  }
  if (!good) return std::nullopt;
  return compiled;
}

std::optional<Template> TemplateCompiler::CompileAnyType(const Node& node, size_t begin, size_t end) {
  if (!WellQuoted(node)) return std::nullopt;
  SyntaxError error;
  const std::string_view text = std::string_view(node.text).substr(begin, end - begin);
  const std::optional<std::vector<PartSyntax>> syntax = ParseTemplate(text, begin, &error);
  if (!syntax) {
    std::vector<std::string> hints;
    if (!error.hint.empty()) hints.push_back(error.hint);
    Fail(node, Code::kTemplateSyntax, error.span, error.message, std::move(hints));
    return std::nullopt;
  }
  if (!ShortEnough(node, *syntax)) return std::nullopt;
  bool good = true;
  Template compiled;
  for (const PartSyntax& part : *syntax) {
    compiled.parts.emplace_back();
    compiled.parts.back().offset = part.span.offset;
    compiled.parts.back().width = part.span.width;
    good = CompilePart(node, part, &compiled.parts.back()) && good;
    compiled.text += compiled.parts.back().text;
  }
  if (!good) return std::nullopt;
  if (compiled.parts.empty()) compiled.parts.emplace_back().shape.SetWidth(0, 0);
  return compiled;
}

bool TemplateCompiler::ShortEnough(const Node& node, const std::vector<PartSyntax>& syntax) {
  constexpr size_t kMostInTemplate = 200;
  size_t steps = syntax.size();
  for (const PartSyntax& part : syntax) {
    steps += part.calls.size();
    if (!part.reference) continue;
    for (const PartSyntax& inner : part.reference->joined) steps += 1 + inner.calls.size();
  }
  if (steps <= kMostInTemplate) return true;
  return Fail(node, Code::kTemplateSyntax, syntax.back().span,
              "this template has " + std::to_string(steps) + " parts and functions, at most " +
                  std::to_string(kMostInTemplate) + " are possible",
              {"remove parts or functions"});
}

std::optional<Reference> TemplateCompiler::CompileColumn(const Node& node) {
  if (!IsKind(node, Node::Kind::kText, "'requires'", reporter_)) return std::nullopt;
  SyntaxError error;
  const std::optional<ReferenceSyntax> syntax = ParseReference(node.text, &error);
  if (!syntax || !syntax->is_column || syntax->timestamp) {
    reporter_->Report(Code::kBadColumn, node.place, "'" + node.text + "' is not a column",
                      {"write a column as family:qualifier, such as f1:from"});
    return std::nullopt;
  }
  Part part;
  if (!Resolve(node, *syntax, &part)) return std::nullopt;
  return part.reference;
}

bool TemplateCompiler::CompilePart(const Node& node, const PartSyntax& syntax, Part* part) {
  if (!syntax.reference) {
    part->literal = syntax.literal;
    part->shape.SetWidth(syntax.literal.size(), syntax.literal.size());
    part->shape.bytes = BytesOf(syntax.literal);
    part->text = CanonicalLiteral(syntax.literal);
    return true;
  }
  bool good = Resolve(node, *syntax.reference, part);
  std::string steps;
  for (const CallSyntax& call : syntax.calls) {
    // Behind a fault the type is unknown: what follows is still looked up, but not complained about twice.
    if (!good && FindFunction(call.name) != nullptr) continue;
    const Type before = part->shape.type;
    good = CompileCall(node, call, part) && good;
    if (good) steps += CanonicalStep(part->steps.back(), before);
  }
  if (good) part->text = "{" + part->reference->name + steps + "}";
  return good;
}

// Different parts can give the same bytes side by side, and nothing is known of their order.
bool TemplateCompiler::ResolveJoined(const Node& node, const ReferenceSyntax& syntax, Part* part) {
  auto joined = std::make_shared<Template>();
  Shape shape;
  shape.SetWidth(0, 0);
  shape.bytes.reset();
  for (const PartSyntax& one : syntax.joined) {
    Part& inner = joined->parts.emplace_back();
    if (!CompilePart(node, one, &inner)) return false;
    if (inner.shape.type != Type::kBytes) {
      return Fail(node, Code::kNotBytes, one.span,
                  "this part has the type " + std::string(TypeName(inner.shape.type)) + ", and a template needs bytes",
                  ConversionHint(inner.shape.type, Takes(Type::kBytes)));
    }
    if (inner.defaulted) {
      return Fail(node, Code::kWrongArguments, one.span, "'default' cannot stand inside parentheses",
                  {"put 'default' after the parentheses: {({f1:a},{f1:b}) | default none}"});
    }
    joined->text += inner.IsLiteral() ? LiteralInParentheses(inner.literal) : inner.text;
    shape.SetWidth(Shape::SumOfWidths(shape.min_width, inner.shape.min_width),
                   Shape::SumOfWidths(shape.max_width, inner.shape.max_width));
    shape.bytes |= inner.shape.bytes;
    shape.mappable = shape.mappable && inner.shape.mappable;
    shape.outgrows = shape.outgrows || inner.shape.outgrows;
    shape.may_be_absent = shape.may_be_absent || inner.shape.may_be_absent;
  }
  shape.outgrows = shape.outgrows || syntax.joined.size() > 1;
  shape.Change();
  shape.LoseOrder();
  shape.MergeAny();
  Reference reference;
  reference.kind = Reference::Kind::kJoined;
  reference.name = "(" + joined->text + ")";
  reference.joined = std::move(joined);
  part->reference = std::move(reference);
  part->shape = shape;
  return true;
}

bool TemplateCompiler::Resolve(const Node& node, const ReferenceSyntax& syntax, Part* part) {
  if (!syntax.joined.empty()) return ResolveJoined(node, syntax, part);
  if (!syntax.is_column) return ResolveName(node, syntax, part);
  if (syntax.family.empty()) {
    return Fail(node, Code::kUnknownReference, syntax.span, "this column has no family before ':'",
                {"write a column with its family, such as {f1:from}"});
  }
  Reference reference;
  reference.kind = syntax.timestamp ? Reference::Kind::kColumnTime : Reference::Kind::kColumn;
  reference.slot = SlotOf(syntax.family, syntax.qualifier);
  if (slots_.size() > kMostColumns) {
    return Fail(node, Code::kTooLarge, syntax.span,
                "this index names more than " + std::to_string(kMostColumns) + " columns of its source",
                {"remove columns, or read any number of columns with 'each:', such as each: f1:*"});
  }
  reference.name = ColumnReference(syntax.family, syntax.qualifier) + (syntax.timestamp ? "@ts" : "");
  part->reference = std::move(reference);
  part->shape.type = syntax.timestamp ? Type::kTime : Type::kBytes;
  part->shape.may_be_absent = true;
  return true;
}

bool TemplateCompiler::ResolveName(const Node& node, const ReferenceSyntax& syntax, Part* part) {
  std::vector<std::string_view> names;
  for (const NamedReference& named : kNamed) {
    names.push_back(named.name);
    if (named.name != syntax.name) continue;
    if (named.needs != Fanout::kNone && named.needs != fanout_) {
      const char* hint = named.needs == Fanout::kList ? "add each: '{f1:tags | split \",\"}' to the index"
                                                      : "add each: f1:* to the index";
      return Fail(node, Code::kUnboundReference, syntax.span,
                  "'" + syntax.name + "' needs 'each:' over " + (named.needs == Fanout::kList ? "a list" : "columns"),
                  {hint});
    }
    Reference reference;
    reference.kind = named.kind;
    reference.name = named.name;
    part->reference = std::move(reference);
    part->shape = ShapeOf(named.kind, named.type);
    return true;
  }
  const std::string_view elsewhere = HintForReference(syntax.name);
  std::vector<std::string> hints = HintsFor(elsewhere, syntax.name, names);
  if (hints.empty() || !elsewhere.empty()) hints.push_back("write a column as family:qualifier, like {f1:from}");
  return Fail(node, Code::kUnknownReference, syntax.span, "unknown reference '" + syntax.name + "'", std::move(hints));
}

size_t TemplateCompiler::SlotOf(const std::string& family, const std::string& qualifier) {
  const auto [found, fresh] = slot_of_.try_emplace({family, qualifier}, slots_.size());
  if (fresh) slots_.push_back({family, qualifier});
  return found->second;
}

bool TemplateCompiler::UnknownFunction(const Node& node, const CallSyntax& syntax) {
  std::vector<std::string_view> names = {"default"};
  for (const Function& function : Functions()) names.push_back(function.name);
  std::vector<std::string> hints = HintsFor(HintForFunction(syntax.name), syntax.name, names);
  hints.emplace_back("'fensi help functions' shows all functions, each with an example");
  return Fail(node, Code::kUnknownFunction, syntax.name_span, "unknown function '" + syntax.name + "'",
              std::move(hints));
}

bool TemplateCompiler::CompileCall(const Node& node, const CallSyntax& syntax, Part* part) {
  if (syntax.name == "default") return CompileDefault(node, syntax, part);
  const Function* const function = FindFunction(syntax.name, part->shape.type);
  if (function == nullptr) return UnknownFunction(node, syntax);
  const auto needed =
      static_cast<size_t>(std::count_if(function->parameters.begin(), function->parameters.end(),
                                        [](const Parameter& parameter) { return !parameter.optional; }));
  if (syntax.arguments.size() < needed || syntax.arguments.size() > function->parameters.size()) {
    std::string usage(function->name);
    for (const Parameter& parameter : function->parameters) {
      usage += parameter.optional ? " [" + std::string(parameter.name) + "]" : " " + std::string(parameter.name);
    }
    const size_t most = function->parameters.size();
    return Fail(node, Code::kWrongArguments, syntax.span,
                "the function '" + syntax.name + "' takes " + std::to_string(needed) +
                    (most == needed ? std::string() : " to " + std::to_string(most)) +
                    (most == 1 ? " argument, and gets " : " arguments, and gets ") +
                    std::to_string(syntax.arguments.size()),
                {"write '" + usage + "'. 'fensi help " + syntax.name + "' explains the arguments"});
  }
  Step step{function, {}};
  for (size_t i = 0; i < syntax.arguments.size(); ++i) {
    Argument argument;
    std::string problem;
    const Parameter& parameter = function->parameters[i];
    if (!ReadArgument(parameter, syntax.arguments[i], step.arguments, outside_, &argument, &problem)) {
      return Fail(node, Code::kWrongArguments, syntax.arguments[i].span,
                  "'" + std::string(parameter.name) + "' of '" + syntax.name + "' must be " + problem,
                  {"'fensi help " + syntax.name + "' explains the arguments, with an example"});
    }
    step.arguments.push_back(std::move(argument));
  }
  if ((function->inputs & Takes(part->shape.type)) == 0) {
    const unsigned inputs = InputsOf(syntax.name);
    return Fail(node, Code::kTypeMismatch, syntax.name_span,
                "the function '" + syntax.name + "' takes " + InputNames(inputs) + ", and gets " +
                    std::string(TypeName(part->shape.type)),
                ConversionHint(part->shape.type, inputs));
  }
  function->shape(step.arguments, &part->shape);
  part->shape.Settle();
  part->steps.push_back(std::move(step));
  return true;
}

bool TemplateCompiler::CompileDefault(const Node& node, const CallSyntax& syntax, Part* part) {
  const Type type = part->shape.type;
  if (syntax.arguments.size() != 1 || type == Type::kList) {
    return Fail(node, Code::kWrongArguments, syntax.span,
                type == Type::kList ? "'default' cannot follow a list"
                                    : "'default' needs one value, which replaces an absent value",
                {type == Type::kList ? "use the list in 'each:', or take one item of it: {f1:tags | split \",\" 0}"
                                     : "write one value, such as {f1:from | default none}"});
  }
  Argument argument;
  argument.text = syntax.arguments[0].text;
  Scratch scratch;
  Value value;
  if (!ReadTyped(type, argument.text, &value, &scratch)) {
    const bool whole = type == Type::kInteger || type == Type::kTime;
    return Fail(node, Code::kWrongArguments, syntax.arguments[0].span,
                "the value of 'default' for the type " + std::string(TypeName(type)) +
                    (whole ? " must be a whole number" : " must be a number"),
                {type == Type::kTime ? "write milliseconds since 1970, such as 0" : "write digits, such as 0"});
  }
  argument.number = value.number;
  if (type == Type::kDecimal) argument.text = value.bytes;
  if (part->shape.may_be_absent) part->shape.AddDefault(argument.text, argument.number);
  part->defaulted = true;
  part->steps.push_back({nullptr, {std::move(argument)}});
  return true;
}

std::optional<Template> CompileText(const std::string& text, std::vector<Slot>* slots, const Outside& outside) {
  Diagnostics diagnostics;
  const MappingText file{"text", ""};
  Reporter reporter(file, &diagnostics);
  TemplateCompiler compiler(&reporter, outside);
  Node node;
  node.kind = Node::Kind::kText;
  node.quote = Quote::kSingle;
  node.text = text;
  std::optional<Template> compiled = compiler.CompileAnyType(node);
  *slots = compiler.slots();
  return compiled;
}

}  // namespace fensi::mapping
