#include "tests/mapping/random_templates.h"

#include <rapidcheck.h>

#include <algorithm>

#include "mapping/functions/function.h"
#include "mapping/template/compile.h"

namespace fensi::mapping {
namespace {

std::string AChoice(std::string_view choices) {
  std::vector<std::string> words;
  while (!choices.empty()) {
    words.emplace_back(choices.substr(0, choices.find(' ')));
    choices.remove_prefix(std::min(words.back().size() + 1, choices.size()));
  }
  return *rc::gen::elementOf(words);
}

std::string AnArgument(const Parameter& parameter) {
  using Kind = ArgumentKind;
  switch (parameter.kind) {
    case Kind::kCount:
      return *rc::gen::element<std::string>("1", "2", "3", "4", "8", "16");
    case Kind::kIndex:
    case Kind::kScale:
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
    case Kind::kRealWidth:
      return *rc::gen::element<std::string>("4", "8");
    case Kind::kChoice:
      return AChoice(parameter.choices);
    case Kind::kFields:
      if (!parameter.choices.empty()) return "\"CHAR(2)\"";
      return *rc::gen::element<std::string>("\"SALTED BIGINT, VARCHAR DESC\"", "\"CHAR(2), VARCHAR, TINYINT\"");
    case Kind::kLocale:
      return *rc::gen::element<std::string>("de", "und");
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
  if (type == Type::kReal || type == Type::kDecimal) {
    steps += *rc::gen::element<std::string>(" | ordered", " | plain");
  } else if (type != Type::kBytes) {
    steps += *rc::gen::element<std::string>(" | to_be 8", " | decimal", " | ordered", " | decimal 13");
  }
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
  const auto typed = rc::gen::element<std::string>(
      "2.5", "-19.90", "1e300", "2016-12-19T10:02:03.5+08:00", "192.0.2.17", "01ARZ3NDEKTSV4RRFFQ69G5FAV",
      "YWI=", "123e4567-e89b-12d3-a456-426614174000", std::string("4ab\0", 4), std::string("\x80\0\0\1", 4),
      "\xC2\x02\x1F", std::string("\x18\x27\xB4", 3), "https://ann@Example.com:80/a?b#c", "\xC3\x84pfel");
  return *rc::gen::oneOf(bytes, fixed(4), fixed(8), fixed(2), digits, small, time, day, typed);
}

}  // namespace fensi::mapping
