#include <iterator>
#include <utility>

#include "base/bytes.h"
#include "mapping/functions/function.h"

namespace fensi::mapping {

std::vector<Function> AllOf(std::initializer_list<std::vector<Function> (*)()> groups) {
  std::vector<Function> all;
  for (const auto group : groups) {
    std::vector<Function> functions = group();
    std::move(functions.begin(), functions.end(), std::back_inserter(all));
  }
  return all;
}

std::span<const Function> Functions() {
  static const std::vector<Function> all =
      AllOf({PieceFunctions,        LetterFunctions,     OrderFunctions,      NumberFunctions, RealFunctions,
             DecimalFunctions,      ByteNumberFunctions, ArithmeticFunctions, TimeFunctions,   TimeTextFunctions,
             HashFunctions,         IdFunctions,         UrlFunctions,        PlaceFunctions,  PhoenixFunctions,
             OrderedBytesFunctions, TextFunctions,       PackedFunctions,     ProtoFunctions,  AvroFunctions});
  return all;
}

const Function* FindFunction(std::string_view name) {
  for (const Function& function : Functions()) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

const Function* FindFunction(std::string_view name, Type type) {
  for (const Function& function : Functions()) {
    if (function.name == name && (function.inputs & Takes(type)) != 0) return &function;
  }
  return FindFunction(name);
}

unsigned InputsOf(std::string_view name) {
  unsigned inputs = 0;
  for (const Function& function : Functions()) inputs |= function.name == name ? function.inputs : 0;
  return inputs;
}

std::string_view CategoryName(Category category) {
  switch (category) {
    case Category::kPieces:
      return "pieces";
    case Category::kOrder:
      return "order and width";
    case Category::kNumbers:
      return "numbers";
    case Category::kTime:
      return "time";
    case Category::kHashes:
      return "hashes";
    case Category::kIds:
      return "identifiers and addresses";
    case Category::kPlaces:
      return "places";
    case Category::kEncodings:
      return "types of Phoenix and HBase";
    case Category::kText:
      return "letters of all languages";
    case Category::kPacked:
      break;
  }
  return "packed values";
}

std::string_view TypeName(Type type) {
  switch (type) {
    case Type::kBytes:
      return "bytes";
    case Type::kInteger:
      return "integer";
    case Type::kTime:
      return "time";
    case Type::kList:
      return "list";
    case Type::kReal:
      return "real";
    case Type::kDecimal:
      return "decimal";
  }
  return "bytes";
}

Outcome Refuse(Scratch* scratch, std::string reason) {
  scratch->reason = std::move(reason);
  return Outcome::kUnmappable;
}

Outcome RefuseLength(Scratch* scratch) {
  scratch->outgrown = true;
  return Refuse(
      scratch, scratch->Full() ? "the values made of one row have more than 256 MiB" : "the value grows beyond 32 MiB");
}

Outcome RefuseNumber(Scratch* scratch, int64_t number, const std::string& what) {
  return Refuse(scratch, std::to_string(number) + " " + what);
}

Outcome RefuseWidth(Scratch* scratch, std::string_view bytes, const std::string& wanted) {
  return Refuse(scratch, Shown(bytes) + " has " + CountedBytes(bytes.size()) + ", not " + wanted);
}

Outcome RefuseTooLarge(Scratch* scratch, const std::string& shown) {
  return Refuse(scratch, shown + " is above 9223372036854775807, the largest number that fensi takes");
}

Outcome ReadFixed(std::string_view big_endian, size_t width, bool is_signed, Value* v, Scratch* scratch) {
  if (big_endian.size() != width) return RefuseWidth(scratch, v->bytes, std::to_string(width));
  const uint64_t bits = ReadBigEndian(big_endian);
  const size_t shift = 64 - 8 * width;
  v->number = is_signed ? static_cast<int64_t>(bits << shift) >> shift : static_cast<int64_t>(bits);
  return is_signed || v->number >= 0 ? Outcome::kValue : RefuseTooLarge(scratch, Shown(v->bytes));
}

std::string Shown(std::string_view bytes) {
  constexpr size_t kMost = 100;
  std::string out = "\"" + Escape(FirstCharacters(bytes, kMost));
  if (bytes.size() > kMost) return out + "…\" (" + std::to_string(bytes.size()) + " bytes)";
  return out + "\"";
}

}  // namespace fensi::mapping
