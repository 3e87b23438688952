#include "tests/mapping/random_parts.h"

#include <algorithm>
#include <cstdlib>

#include "mapping/functions/proto_schemas.h"
#include "mapping/template/compile.h"
#include "tests/mapping/mapping_testing.h"

namespace fensi::mapping {
namespace {

using Kind = ArgumentKind;

std::string AChoice(Dice* dice, std::string_view choices) {
  std::vector<std::string> words;
  while (!choices.empty()) {
    words.emplace_back(choices.substr(0, choices.find(' ')));
    choices.remove_prefix(std::min(words.back().size() + 1, choices.size()));
  }
  return dice->Of(words);
}

std::string AnArgument(Dice* dice, const Parameter& parameter) {
  switch (parameter.kind) {
    case Kind::kCount:
      return dice->Text({"1", "2", "3", "4", "8", "9", "13", "16", "20"});
    case Kind::kIndex:
    case Kind::kScale:
      return dice->Text({"0", "1", "2", "3", "60"});
    case Kind::kWidth:
      return dice->Text({"1", "2", "4", "8"});
    case Kind::kNumber:
      return dice->Text({"\"-1\"", "0", "1", "2", "7", "\"-5\"", "\"-2\"", "3600", "9223372036854775807",
                         "\"-9223372036854775808\""});
    case Kind::kDivisor:
      return dice->Text({"1", "2", "10", "16", "3600", "4096", "1152921504606846976"});
    case Kind::kText:
      return dice->Text({"\"-\"", "a", "\",\"", "\\x00", "\"ab\"", ".", "b", "1"});
    case Kind::kAnyText:
      return dice->Text({"\"-\"", "a", "\"\"", "\\x00", "\"ab\"", "\"x1\""});
    case Kind::kByte:
      return dice->Text({"0", "\"-\"", "a", "b", "A", "\\x00", "\\x01", "x", "\" \""});
    case Kind::kRegex:
      return dice->Text({"/\\d+/", "/(a|-)/", "/^.{2}/", "/[ab]+/"});
    case Kind::kGroup:
      return "0";
    case Kind::kFormat:
    case Kind::kReadFormat:
      return dice->Text({"%Y%m%d", "%Y-%m-%d", "%d.%m.%Y", "%H%M", "%m-%d", "%Y%m%d%H%M%S%L", "%Y%j", "%j", "%y%m%d",
                         "%Y%m%d%H%M%S"});
    case Kind::kZone:
      return dice->Text({"UTC", "+08:00", "-01:30", "Test/Half", "Test/Back"});
    case Kind::kRealWidth:
      return dice->Text({"4", "8"});
    case Kind::kChoice:
      return AChoice(dice, parameter.choices);
    case Kind::kJsonPath:
      return dice->Text({"t", "t.0", "a", "$", "[0]"});
    case Kind::kFields:
      if (!parameter.choices.empty()) return "\"CHAR(2)\"";
      return dice->Text({"\"SALTED BIGINT, VARCHAR DESC\"", "\"CHAR(1), VARCHAR, VARCHAR\"", "\"TINYINT DESC\""});
    case Kind::kLocale:
      return dice->Text({"de", "und"});
    case Kind::kMessage:
      return dice->Text({"example.VisitorsInfo", "example.Visitor"});
    case Kind::kFieldPath:
      return dice->Text({"requests", "type", "visitor.0.type", "visitor.0.requests", "visitor.0", "visitor"});
    case Kind::kRecord:
      return "example.Order";
    case Kind::kRecordPath:
      return dice->Text({"id", "cents", "state", "buyer.name", "buyer.vip", "tags.0", "attributes.a"});
    case Kind::kSchemaId:
      return dice->Text({"0", "7"});
    default:
      return "x";
  }
}

// What people write; the whole table is tried beside it.
std::string UsualStep(Dice* dice, Type type) {
  if (type == Type::kBytes) {
    return dice->Text({" | terminated",
                       " | without \"-\"",
                       " | without a",
                       " | fixed 2",
                       " | fixed 1",
                       " | hex",
                       " | int",
                       " | i64",
                       " | md5",
                       " | crc32 | hex",
                       " | lower",
                       " | split \"-\" 0",
                       " | default a",
                       " | u32",
                       " | parse_time %Y-%m-%d",
                       " | parse_time %Y-%m-%d +08:00",
                       " | md5 | first 8",
                       " | int | mod 4 | decimal 1",
                       " | real",
                       " | number",
                       " | f64",
                       " | iso_time",
                       " | invert",
                       " | phoenix BIGINT",
                       " | phoenix DOUBLE DESC",
                       " | phoenix DECIMAL",
                       " | ordered_bytes INT32",
                       " | avro example.Order cents",
                       " | proto example.Visitor requests"});
  }
  if (type == Type::kReal) {
    return dice->Text({" | ordered", " | ordered 4", " | plain", " | to_f64", " | to_f32", " | default \"-1.5\""});
  }
  if (type == Type::kDecimal)
    return dice->Text({" | ordered", " | ordered | terminated", " | plain", " | default 19.9"});
  if (type == Type::kInteger) {
    return dice->Text({" | decimal 13", " | to_be 8", " | ordered", " | descending", " | from_ms", " | decimal",
                       " | mod 16", " | default 7", " | decimal | pad 13 0", " | descending", " | mul \"-1\"",
                       " | sub 5", " | add 5", " | div 10", " | floor 60", " | to_be 8 | i64"});
  }
  return dice->Text({" | time %Y%m%d", " | decimal 13", " | descending", " | seconds", " | to_be 8", " | ordered"});
}

std::string RandomStep(Dice* dice, Type type) {
  if (dice->OneIn(2)) return UsualStep(dice, type);
  std::vector<const Function*> candidates;
  for (const Function& function : Functions()) {
    if ((function.inputs & Takes(type)) != 0) candidates.push_back(&function);
  }
  const Function& function = *dice->Of(candidates);
  std::string step = " | " + std::string(function.name);
  for (const Parameter& parameter : function.parameters) {
    if (parameter.optional && function.name != "split" && dice->OneIn(2)) break;
    step += " " + AnArgument(dice, parameter);
  }
  return step;
}

std::optional<Type> TypeOf(const std::string& reference, const std::string& steps) {
  // References of `each:` have the types of columns.
  const std::string known = reference == "ts" ? "f:a@ts" : reference.find(':') == std::string::npos ? "row" : reference;
  std::vector<Slot> slots;
  const std::optional<Template> compiled = CompileWithProtos("{" + known + steps + "}", &slots);
  if (!compiled) return std::nullopt;
  return compiled->parts[0].shape.type;
}

}  // namespace

bool IsTime(const std::string& reference) { return reference == "ts" || reference.ends_with("@ts"); }

std::shared_ptr<const ProtoSchemas> VisitorSchemas() {
  static const std::shared_ptr<const ProtoSchemas> schemas = [] {
    const auto made = std::make_shared<ProtoSchemas>();
    const auto none = [](const std::string& name) { return Result<std::string>(Status(StatusCode::kNotFound, name)); };
    const Status added = made->Add("visitors.proto", ReadFile(InTree("deploy/examples/visitors.proto")), none);
    if (!added.ok()) std::abort();
    return made;
  }();
  return schemas;
}

std::optional<Template> CompileWithProtos(const std::string& text, std::vector<Slot>* slots) {
  return CompileText(text, slots, {&TestEnvironment(), VisitorSchemas(), nullptr, OrderSchemas()});
}

std::string RandomPart(Dice* dice, const std::string& reference) {
  std::string steps;
  Type type = IsTime(reference) ? Type::kTime : Type::kBytes;
  for (size_t left = dice->OneIn(2) ? 0 : dice->Below(dice->OneIn(4) ? 12 : 5); left > 0; --left) {
    const std::string more = steps + RandomStep(dice, type);
    const std::optional<Type> next = TypeOf(reference, more);
    if (!next || *next == Type::kList) continue;
    steps = more;
    type = *next;
  }
  if (type == Type::kReal || type == Type::kDecimal) {
    steps += dice->Text({" | ordered", " | plain"});
  } else if (type != Type::kBytes) {
    steps += dice->Text({" | to_be 8", " | decimal", " | ordered", " | decimal 13"});
  }
  return "{" + reference + steps + "}";
}

std::string RandomTemplate(Dice* dice, const std::vector<std::string>& references) {
  std::string text;
  for (size_t left = dice->Below(3) + 1; left > 0; --left) {
    std::string part = RandomPart(dice, dice->Of(references));
    const size_t end = dice->Below(6);  // often one that keeps the parts apart
    if (end == 0) part.insert(part.size() - 1, " | terminated");
    if (end == 1) part.insert(part.size() - 1, " | without \"-\"");
    text += part + (end == 1 ? "-" : dice->Text({"", "", "-", "\\x00", "a", "A"}));
  }
  return text;
}

}  // namespace fensi::mapping
