#include "mapping/functions_reference.h"

#include <optional>

#include "base/bytes.h"
#include "mapping/template/compile.h"

namespace fensi::mapping {
namespace {

std::string Usage(const Function& function) {
  std::string usage(function.name);
  for (const Parameter& parameter : function.parameters) {
    const std::string name(parameter.name);
    usage += parameter.optional ? " [" + name + "]" : " " + name;
  }
  return usage;
}

// The step of its example that is this function; nothing when its arguments cannot be read here.
std::optional<Step> StepOf(const Function& function) {
  std::vector<Slot> slots;
  const std::optional<Template> compiled = CompileText("{row " + std::string(function.example.steps) + "}", &slots);
  if (!compiled) return std::nullopt;
  for (const Step& step : compiled->parts[0].steps) {
    if (step.function == &function) return step;
  }
  return std::nullopt;
}

bool IsNumeric(const Shape& shape) { return shape.type != Type::kBytes && shape.type != Type::kList; }

Shape Given(unsigned inputs) {
  Shape shape;
  for (const Type type : {Type::kDecimal, Type::kReal, Type::kTime, Type::kInteger, Type::kBytes}) {
    if ((inputs & Takes(type)) != 0) shape.type = type;
  }
  if (!IsNumeric(shape)) shape.SetWidth(5, 9);
  return shape;
}

std::string WidthColumn(const Shape& shape) {
  if (shape.type == Type::kList) return "a list";
  if (shape.type == Type::kReal || shape.type == Type::kDecimal) return "any " + std::string(TypeName(shape.type));
  if (IsNumeric(shape)) {
    if (shape.least == INT64_MIN && shape.most == INT64_MAX) return "any " + std::string(TypeName(shape.type));
    const std::string least = shape.least == INT64_MIN ? "any" : std::to_string(shape.least);
    return least + " to " + (shape.most == INT64_MAX ? "any" : std::to_string(shape.most));
  }
  if (shape.max_width == Shape::kUnbounded) return CountedBytes(shape.min_width) + " or more";
  const std::string most = CountedBytes(shape.max_width);
  return shape.fixed() ? most : std::to_string(shape.min_width) + " to " + most;
}

std::string Bytes(size_t first, size_t last) {
  const auto one = [](size_t c) { return c == ' ' ? "blank" : EscapeAscii(std::string(1, static_cast<char>(c))); };
  return first == last ? one(first) : one(first) + (last == first + 1 ? ", " : " to ") + one(last);
}

std::string BytesText(const Shape& shape) {
  if (IsNumeric(shape)) return "";
  if (shape.bytes.all()) return "any";
  const bool most = shape.bytes.count() > 128;
  std::string out = most ? "not " : "";
  for (size_t c = 0; c < 256; ++c) {
    if (shape.bytes[c] == most) continue;
    size_t last = c;
    while (last < 255 && shape.bytes[last + 1] != most) ++last;
    out += (out.empty() || out == "not " ? "" : ", ") + Bytes(c, last);
    c = last;
  }
  return out;
}

std::string OrderText(const Shape& shape) {
  switch (shape.order) {
    case Direction::kUp:
      return "kept";
    case Direction::kUpFromZero:
      return "kept, negative ones last";
    case Direction::kDown:
      return "reversed";
    case Direction::kNone:
      break;
  }
  return "lost";
}

std::string BitsText(const Step& step, Shape shape) {
  shape.injective = false;
  shape.hash_bits = 64;
  step.function->shape(step.arguments, &shape);
  return std::to_string(shape.hash_bits);
}

}  // namespace

std::vector<ClaimText> ClaimTexts() {
  std::vector<ClaimText> texts;
  for (const Function& function : Functions()) {
    const std::optional<Step> step = StepOf(function);
    if (!step) continue;
    const Shape given = Given(function.inputs);
    Shape after = given;
    function.shape(step->arguments, &after);
    after.Settle();
    std::string call(function.name);
    for (const Argument& argument : step->arguments) {
      const std::string shown = EscapeAscii(argument.text);
      call += argument.regex != nullptr ? " /" + argument.text + "/" : shown.empty() ? " \"\"" : " " + shown;
    }
    texts.push_back({call, WidthColumn(given), WidthColumn(after), BytesText(after), OrderText(after),
                     after.injective ? "yes" : "no", BitsText(*step, given)});
  }
  return texts;
}

std::vector<FunctionText> FunctionTexts() {
  std::vector<FunctionText> texts;
  for (const Function& function : Functions()) {
    texts.push_back({std::string(CategoryName(function.category)), Usage(function), std::string(function.takes),
                     std::string(function.summary), std::string(function.errors.empty() ? "never" : function.errors),
                     std::string(function.example.input), std::string(function.example.steps),
                     std::string(function.example.output)});
  }
  return texts;
}

}  // namespace fensi::mapping
