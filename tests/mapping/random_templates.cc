#include "tests/mapping/random_templates.h"

#include <rapidcheck.h>

#include "mapping/functions/function.h"
#include "mapping/template/compile_text.h"

namespace fensi::mapping {
namespace {

std::string AnArgument(const Parameter& parameter) {
  using Kind = ArgumentKind;
  switch (parameter.kind) {
    case Kind::kCount:
      return *rc::gen::element<std::string>("1", "2", "3", "4", "8", "16");
    case Kind::kIndex:
      return *rc::gen::element<std::string>("0", "1", "2");
    case Kind::kWidth:
      return *rc::gen::element<std::string>("1", "2", "4", "8");
    case Kind::kNumber:
      return *rc::gen::element<std::string>("-1", "0", "1", "7", "3600", "-9223372036854775808");
    case Kind::kDivisor:
      return *rc::gen::element<std::string>("1", "2", "10", "3600");
    case Kind::kText:
    case Kind::kAnyText:
      return *rc::gen::element<std::string>("\"-\"", "a", "\",\"", "\\x00", "\"ab\"");
    case Kind::kByte:
      return *rc::gen::element<std::string>("0", "\"-\"", "a", "\\x00", "\\x01");
    case Kind::kRegex:
      return *rc::gen::element<std::string>("/\\d+/", "/(a|-)/", "/^.{2}/");
    case Kind::kGroup:
      return "0";
    case Kind::kFormat:
      return *rc::gen::element<std::string>("%Y%m%d", "%Y-%m-%d", "%H%M", "%m-%d", "%Y%m%d%H%M%S%L", "%j");
    case Kind::kZone:
      return *rc::gen::element<std::string>("UTC", "+08:00", "-01:30");
    default:
      return "x";
  }
}

bool Usable(const Function& function) {
  // Lists are for `each:`; what reads packed values has tests of its own.
  return function.category != Category::kPacked;
}

/// A step that takes the type, with arguments.
std::string RandomStep(Type type) {
  std::vector<const Function*> candidates;
  for (const Function& function : Functions()) {
    if ((function.inputs & Takes(type)) != 0 && Usable(function)) candidates.push_back(&function);
  }
  const Function& function = **rc::gen::elementOf(candidates);
  std::string step = " | " + std::string(function.name);
  for (const Parameter& parameter : function.parameters) {
    const bool needed = !parameter.optional || function.name == "split";
    if (needed || *rc::gen::arbitrary<bool>()) {
      step += " " + AnArgument(parameter);
    } else {
      break;
    }
  }
  return step;
}

/// Type at the end of "{reference steps}"; nothing when it does not compile.
std::optional<Type> TypeOf(const std::string& part) {
  std::vector<Slot> slots;
  const std::optional<Template> compiled = CompileText(part, &slots);
  if (!compiled) return std::nullopt;
  return compiled->parts[0].shape.type;
}

}  // namespace

std::string RandomPart(const std::string& reference, bool reference_is_time) {
  std::string steps;
  Type type = reference_is_time ? Type::kTime : Type::kBytes;
  for (int left = *rc::gen::inRange(0, 5); left > 0; --left) {
    const std::string more = steps + RandomStep(type);
    const std::optional<Type> next = TypeOf("{" + reference + more + "}");
    if (!next) continue;
    steps = more;
    type = *next;
  }
  if (type != Type::kBytes)
    steps += *rc::gen::element<std::string>(" | to_be 8", " | decimal", " | ordered", " | decimal 13");
  return "{" + reference + steps + "}";
}

std::string RandomTemplate(const std::vector<std::string>& references) {
  std::string text;
  for (int left = *rc::gen::inRange(1, 4); left > 0; --left) {
    const std::string reference = *rc::gen::elementOf(references);
    text += RandomPart(reference, reference.ends_with("@ts"));
    text += *rc::gen::element<std::string>("", "-", "\\x00", "a");
  }
  return text;
}

std::string RandomValue() {
  const auto bytes =
      rc::gen::container<std::string>(rc::gen::element('\0', '\1', '-', 'a', 'b', '0', '9', ',', '\xff'));
  const auto fixed = [](size_t n) { return rc::gen::container<std::string>(n, rc::gen::arbitrary<char>()); };
  const auto digits = rc::gen::map(rc::gen::arbitrary<int64_t>(), [](int64_t n) { return std::to_string(n); });
  const auto small = rc::gen::map(rc::gen::inRange(0, 100000), [](int n) { return std::to_string(n); });
  const auto time =
      rc::gen::map(rc::gen::inRange<int64_t>(0, 2'000'000'000'000), [](int64_t n) { return std::to_string(n); });
  const auto day =
      rc::gen::map(rc::gen::inRange(1, 29), [](int n) { return "2016-12-" + std::to_string(100 + n).substr(1); });
  return *rc::gen::oneOf(bytes, fixed(4), fixed(8), fixed(2), digits, small, time, day);
}

}  // namespace fensi::mapping
