// Functions that read what Apache Phoenix writes: its types, arrays and the fields of its row keys.
#include <algorithm>
#include <bit>
#include <cmath>

#include "base/bytes.h"
#include "mapping/functions/function.h"
#include "mapping/functions/inverse.h"
#include "mapping/functions/key_fields.h"
#include "mapping/functions/numbers_as_text.h"

namespace fensi::mapping {
namespace {

using Kind = ArgumentKind;
constexpr Category kCategory = Category::kEncodings;
constexpr std::string_view kOrders = "ASC DESC";
constexpr std::string_view kItemTypes =
    "BIGINT INTEGER SMALLINT TINYINT UNSIGNED_LONG UNSIGNED_INT UNSIGNED_SMALLINT UNSIGNED_TINYINT DOUBLE FLOAT "
    "UNSIGNED_DOUBLE UNSIGNED_FLOAT DATE TIME TIMESTAMP UNSIGNED_DATE UNSIGNED_TIME UNSIGNED_TIMESTAMP DECIMAL BOOLEAN "
    "\"CHAR(n)\" \"BINARY(n)\" VARCHAR";

PhoenixType TypeOf(const Arguments& a) { return static_cast<PhoenixType>(a[0].number); }
bool IsDescending(const Arguments& a) { return a.size() > 1 && a[1].number == 1; }

bool IsWhole(PhoenixType type) { return type <= PhoenixType::kUnsignedTinyint; }
bool IsReal(PhoenixType type) { return type >= PhoenixType::kDouble && type <= PhoenixType::kUnsignedFloat; }
bool IsTime(PhoenixType type) { return type >= PhoenixType::kDate && type <= PhoenixType::kUnsignedTimestamp; }
bool IsNanos(PhoenixType type) { return type == PhoenixType::kTimestamp || type == PhoenixType::kUnsignedTimestamp; }

bool IsUnsigned(PhoenixType type) {
  switch (type) {
    case PhoenixType::kUnsignedLong:
    case PhoenixType::kUnsignedInt:
    case PhoenixType::kUnsignedSmallint:
    case PhoenixType::kUnsignedTinyint:
    case PhoenixType::kUnsignedDouble:
    case PhoenixType::kUnsignedFloat:
    case PhoenixType::kUnsignedDate:
    case PhoenixType::kUnsignedTime:
    case PhoenixType::kUnsignedTimestamp:
      return true;
    default:
      return false;
  }
}

Outcome NoSuch(const Arguments& a, std::string_view bytes, Scratch* scratch) {
  return Refuse(scratch, Shown(bytes) + " is no " + a[0].text + " of Phoenix");
}

// Big-endian with the sign flipped, or without sign.
std::optional<int64_t> WholeIn(std::string_view bytes, bool is_unsigned) {
  const uint64_t sign = uint64_t{1} << (8 * bytes.size() - 1);
  const uint64_t bits = ReadBigEndian(bytes);
  if (is_unsigned) return bits >= sign ? std::nullopt : std::optional(static_cast<int64_t>(bits));
  return static_cast<int64_t>(bits - sign);
}

std::string_view BytesOfWhole(int64_t number, size_t width, bool is_unsigned, Scratch* scratch) {
  const uint64_t sign = is_unsigned ? 0 : uint64_t{1} << (8 * width - 1);
  return scratch->KeepBigEndian(static_cast<uint64_t>(number) + sign, width);
}

// With a sign: one more than what sorts as the doubles do.
double RealIn(std::string_view bytes, bool is_unsigned) {
  const uint64_t bits = ReadBigEndian(bytes);
  if (bytes.size() == 8) {
    if (is_unsigned) return std::bit_cast<double>(bits);
    return RealOf(static_cast<int64_t>((bits - 1) ^ (uint64_t{1} << 63)));
  }
  constexpr uint32_t kSign = uint32_t{1} << 31;
  const auto half = static_cast<uint32_t>(bits);
  if (is_unsigned) return std::bit_cast<float>(half);
  const uint32_t ordered = half - 1;
  return std::bit_cast<float>((ordered & kSign) != 0 ? ordered ^ kSign : ~ordered);
}

std::string_view BytesOfReal(double real, size_t width, bool is_unsigned, Scratch* scratch) {
  if (width == 8) {
    const uint64_t bits = std::bit_cast<uint64_t>(real);
    const uint64_t ordered = (static_cast<uint64_t>(RankOf(real)) ^ (uint64_t{1} << 63)) + 1;
    return scratch->KeepBigEndian(is_unsigned ? bits : ordered, 8);
  }
  constexpr uint32_t kSign = uint32_t{1} << 31;
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(real));
  const uint32_t ordered = ((bits & kSign) != 0 ? ~bits : bits | kSign) + 1;
  return scratch->KeepBigEndian(is_unsigned ? bits : ordered, 4);
}

constexpr unsigned char kZero = 0x80, kEndOfNegative = 102;
constexpr int kExponent = 65, kPositiveDigit = 1, kNegativeDigit = 101;
constexpr size_t kMostDecimal = 21;

// An exponent of a hundred and pairs of digits; those of negative numbers are turned round, and ended.
std::optional<Decimal> DecimalIn(std::string_view bytes) {
  Decimal decimal;
  if (bytes.empty() || bytes.size() > kMostDecimal) return std::nullopt;
  const auto first = static_cast<unsigned char>(bytes[0]);
  if (bytes.size() == 1) return first == kZero ? std::optional(decimal) : std::nullopt;
  decimal.negative = first < 0x80;
  bytes.remove_prefix(1);
  if (decimal.negative && static_cast<unsigned char>(bytes.back()) == kEndOfNegative) bytes.remove_suffix(1);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    const int pair = decimal.negative ? kNegativeDigit - byte : byte - kPositiveDigit;
    if (pair < 0 || pair > 99) return std::nullopt;
    decimal.digits += {static_cast<char>('0' + pair / 10), static_cast<char>('0' + pair % 10)};
  }
  const int exponent = decimal.negative ? 255 - first - kExponent - 128 : (first & 0x7F) - kExponent;
  decimal.point = 2 * exponent + 2;
  decimal.Normalize();
  return decimal;
}

std::optional<std::string> BytesOfDecimal(const Decimal& decimal) {
  if (decimal.digits.empty()) return std::string(1, static_cast<char>(kZero));
  std::string digits = (decimal.point % 2 != 0 ? "0" : "") + decimal.digits;
  if (digits.size() % 2 != 0) digits.push_back('0');
  const int64_t exponent = ((decimal.point + 1) >> 1) - 1;
  if (exponent < -kExponent || exponent > 127 - kExponent || digits.size() / 2 >= kMostDecimal) return std::nullopt;
  std::string bytes;
  const auto put = [&bytes](int64_t byte) { bytes.push_back(static_cast<char>(byte)); };
  put(decimal.negative ? ~(exponent + kExponent + 128) & 0x7F : (exponent + kExponent) | 0x80);
  for (size_t i = 0; i < digits.size(); i += 2) {
    const int pair = (digits[i] - '0') * 10 + digits[i + 1] - '0';
    put(decimal.negative ? kNegativeDigit - pair : pair + kPositiveDigit);
  }
  if (decimal.negative && bytes.size() < kMostDecimal) put(kEndOfNegative);
  return bytes;
}

Outcome ReadWide(const Arguments& a, Value* v, Scratch* scratch) {
  const PhoenixType type = TypeOf(a);
  if (v->bytes.size() != WidthOf(type)) {
    return Refuse(scratch, Shown(v->bytes) + " has " + CountedBytes(v->bytes.size()) + ", and a " + a[0].text +
                               " of Phoenix has " + std::to_string(WidthOf(type)));
  }
  const std::string_view bytes = IsDescending(a) ? scratch->KeepInverted(v->bytes) : v->bytes;
  if (IsReal(type)) {
    const double real = RealIn(bytes, IsUnsigned(type));
    if (std::isnan(real) || (IsUnsigned(type) && std::signbit(real))) return NoSuch(a, v->bytes, scratch);
    v->number = RankOf(real);
    return Outcome::kValue;
  }
  const std::optional<int64_t> number = WholeIn(IsNanos(type) ? bytes.substr(0, 8) : bytes, IsUnsigned(type));
  if (!number) return NoSuch(a, v->bytes, scratch);
  v->number = *number;
  return Outcome::kValue;
}

// Descending it is 0xFE or 0xFF, as UPSERT writes; PBoolean.toBytes, which exchanges 0 and 1, is not what it uses.
Outcome ReadBoolean(const Arguments& a, Value* v, Scratch* scratch) {
  const std::string_view bytes = IsDescending(a) ? scratch->KeepInverted(v->bytes) : v->bytes;
  if (bytes.size() != 1 || static_cast<unsigned char>(bytes[0]) > 1) return NoSuch(a, v->bytes, scratch);
  v->bytes = bytes[0] != 0 ? "true" : "false";
  return Outcome::kValue;
}

Outcome Phoenix(const Arguments& a, Value* v, Scratch* scratch) {
  const PhoenixType type = TypeOf(a);
  if (v->bytes.empty()) return Outcome::kAbsent;  // a null, as tables with STORE_NULLS keep it
  if (IsWhole(type) || IsReal(type) || IsTime(type)) return ReadWide(a, v, scratch);
  if (type == PhoenixType::kBoolean) return ReadBoolean(a, v, scratch);
  const std::string_view bytes = IsDescending(a) ? scratch->KeepInverted(v->bytes) : v->bytes;
  if (type == PhoenixType::kDecimal) {
    const std::optional<Decimal> decimal = DecimalIn(bytes);
    if (!decimal) return NoSuch(a, v->bytes, scratch);
    v->bytes = scratch->Keep(EncodeDecimal(*decimal));
    return Outcome::kValue;
  }
  v->bytes = bytes;
  if (type == PhoenixType::kChar) v->bytes = bytes.substr(0, bytes.find_last_not_of(' ') + 1);
  return Outcome::kValue;
}

Inverse BackWide(const Arguments& a, Value* v, Scratch* scratch) {
  const PhoenixType type = TypeOf(a);
  const size_t width = WidthOf(type);
  Arguments ascending(a.begin(), a.begin() + 1);
  const int64_t number = v->number;
  if (IsReal(type)) {
    v->bytes = BytesOfReal(RealOf(number), width, IsUnsigned(type), scratch);
  } else if (IsNanos(type)) {
    std::string bytes(BytesOfWhole(number, 8, IsUnsigned(type), scratch));
    v->bytes = scratch->Keep(bytes + std::string(4, '\0'));
  } else {
    v->bytes = BytesOfWhole(number, width, IsUnsigned(type), scratch);
  }
  Value again{.bytes = v->bytes};
  if (ReadWide(ascending, &again, scratch) != Outcome::kValue || again.number != number) return Inverse::kNone;
  if (IsDescending(a)) v->bytes = scratch->KeepInverted(v->bytes);
  return IsNanos(type) ? Inverse::kGood : Inverse::kExact;
}

Inverse BackPhoenix(const Arguments& a, Value* v, Scratch* scratch) {
  const PhoenixType type = TypeOf(a);
  if (IsWhole(type) || IsReal(type) || IsTime(type)) return BackWide(a, v, scratch);
  if (type == PhoenixType::kBoolean) {
    if (v->bytes != "true" && v->bytes != "false") return Inverse::kNone;
    v->bytes = scratch->KeepBigEndian(v->bytes == "true" ? 1 : 0, 1);
    if (IsDescending(a)) v->bytes = scratch->KeepInverted(v->bytes);
    return Inverse::kExact;
  }
  if (type == PhoenixType::kDecimal) {
    std::string_view rest = v->bytes;
    const std::optional<Decimal> decimal = DecodeDecimal(&rest);
    const std::optional<std::string> bytes = decimal ? BytesOfDecimal(*decimal) : std::nullopt;
    if (!bytes) return Inverse::kNone;
    v->bytes = scratch->Keep(*bytes);
  }
  if (v->bytes.empty()) {  // blanks alone; an empty VARCHAR would be null
    if (type == PhoenixType::kVarchar) return Inverse::kNone;
    v->bytes = " ";
  }
  if (IsDescending(a)) v->bytes = scratch->KeepInverted(v->bytes);
  return type == PhoenixType::kVarchar ? Inverse::kExact : Inverse::kGood;
}

Inverse BestOfPhoenix(const Arguments& a) {
  const PhoenixType type = TypeOf(a);
  const bool several = IsNanos(type) || type == PhoenixType::kDecimal || type == PhoenixType::kChar;
  return several ? Inverse::kGood : Inverse::kExact;
}

void BooleanShape(Shape* shape) {
  shape->LoseOrder();
  shape->BecomeBytes();
  shape->mappable = false;
  shape->bytes = BytesOf("truefalse");
  shape->SetWidth(4, 5);
}

void LettersShape(const Arguments& a, Shape* shape) {
  if (IsDescending(a) || TypeOf(a) == PhoenixType::kChar) {
    shape->Change();
    shape->LoseOrder();
    if (IsDescending(a)) shape->bytes.set();
  }
  if (TypeOf(a) != PhoenixType::kChar) return;
  shape->MergeAny();
  shape->min_width = 0;
}

void PhoenixShape(const Arguments& a, Shape* shape) {
  const PhoenixType type = TypeOf(a);
  const auto bits = 8 * std::min<size_t>(WidthOf(type), 8);
  if (IsWhole(type) || IsTime(type)) {
    const int64_t most = bits == 64 ? INT64_MAX : (int64_t{1} << (bits - 1)) - 1;
    shape->BecomeRead(IsTime(type) ? Type::kTime : Type::kInteger, IsUnsigned(type) ? 0 : -most - 1, most);
    if (IsNanos(type)) shape->MergeAny();
  } else if (IsReal(type)) {
    const int64_t least = IsUnsigned(type) ? 0 : RankOf(-HUGE_VAL);
    shape->BecomeRead(Type::kReal, least, RankOf(HUGE_VAL));
  } else if (type == PhoenixType::kDecimal) {
    shape->BecomeRead(Type::kDecimal, INT64_MIN, INT64_MAX);
    shape->MergeAny();
    shape->SetWidth(1, Shape::kUnbounded);
    shape->bytes.set();
  } else if (type == PhoenixType::kBoolean) {
    BooleanShape(shape);
  } else {
    LettersShape(a, shape);
  }
  shape->may_be_absent = true;
}

Outcome PhoenixKey(const Arguments& a, Value* v, Scratch* scratch) {
  const auto n = static_cast<size_t>(a[1].number);
  if (n >= a[0].fields->fields.size()) return Outcome::kAbsent;
  const std::optional<std::string_view> field = FieldOf(*a[0].fields, v->bytes, n);
  if (!field) return Refuse(scratch, Shown(v->bytes) + " is not a Phoenix row key with the fields " + a[0].text);
  v->bytes = *field;
  return v->bytes.empty() ? Outcome::kAbsent : Outcome::kValue;
}

void PhoenixKeyShape(const Arguments& a, Shape* shape) {
  const auto n = static_cast<size_t>(a[1].number);
  const size_t width = n < a[0].fields->fields.size() ? a[0].fields->fields[n].width : 0;
  shape->MergeAny();
  shape->LoseOrder();
  shape->terminated = false;
  shape->mappable = false;
  shape->may_be_absent = true;
  shape->min_width = std::max<size_t>(width, 1);
  if (width > 0) shape->max_width = width;
}

constexpr size_t kArrayTail = 9;  // where the positions are, how many items, and the version
constexpr size_t kArrayEnd = 2;   // zero bytes behind the items

// The table of where the items begin is behind them, two bytes each as long as that is enough (then less 32,767, and
// four otherwise, with a negative count). A null begins with a separator. Between the items nothing says what is a
// count of nulls, and what an item.
bool AddVariable(std::string_view array, std::vector<std::string_view>* list) {
  if (array.size() < kArrayTail) return false;
  const std::string_view tail = array.substr(array.size() - kArrayTail);
  const size_t table = ReadBigEndian32(tail);
  const auto signed_count = static_cast<int32_t>(ReadBigEndian32(tail.substr(4)));
  const size_t width = signed_count < 0 ? 4 : 2;
  const size_t count = static_cast<size_t>(std::abs(int64_t{signed_count}));
  if (table + count * width + kArrayTail != array.size() || table < kArrayEnd) return false;
  const auto begin = [&](size_t i) -> size_t {
    if (i == count) return table - kArrayEnd;
    const uint64_t position = ReadBigEndian(array.substr(table + i * width, width));
    return width == 4 ? position : static_cast<size_t>(static_cast<uint16_t>(position + INT16_MAX));
  };
  for (size_t i = 0; i < count; ++i) {
    const size_t from = begin(i), behind = begin(i + 1);
    if (from >= table) return false;
    if (array[from] == '\0') continue;
    if (behind <= from || behind > table) return false;
    list->push_back(array.substr(from, behind - from - 1));
  }
  return true;
}

Outcome PhoenixArray(const Arguments& a, Value* v, Scratch* scratch) {
  const size_t width = a[0].fields->fields[0].width;
  std::vector<std::string_view>* list = scratch->NewList();
  const std::string_view all = v->bytes;
  bool good = true;
  if (width > 0) {
    good = all.size() % width == 0;
    for (size_t i = 0; good && i < all.size(); i += width) list->push_back(all.substr(i, width));
  } else if (!all.empty()) {
    good = AddVariable(all, list);
  }
  if (!good) return Refuse(scratch, Shown(v->bytes) + " is no array of " + a[0].text + " of Phoenix");
  v->list = list;
  return Outcome::kValue;
}

void PhoenixArrayShape(const Arguments& a, Shape* shape) {
  const size_t width = a[0].fields->fields[0].width;
  *shape = Shape{.type = Type::kList, .injective = false, .mappable = false, .order = Direction::kNone};
  shape->exact_items = true;
  if (width > 0) shape->max_width = width;
}

}  // namespace

std::vector<Function> PhoenixFunctions() {
  return {
      {"phoenix",
       kCategory,
       {{"type", Kind::kChoice, false, kPhoenixTypes}, {"order", Kind::kChoice, true, kOrders}},
       Takes(Type::kBytes),
       Phoenix,
       PhoenixShape,
       "bytes -> integer, real, decimal, time or bytes",
       "a column of that SQL type as Phoenix writes it, with DESC for a descending one: whole numbers as integers, "
       "FLOAT and DOUBLE as reals, dates and times as a time, BOOLEAN as `true` or `false`",
       "absent when it is empty, Phoenix' null; unmappable at another width, or when the bytes are no such value",
       {"| phoenix BIGINT | decimal", "\\x80\\x00\\x00\\x00\\x00\\x00\\x00*", "42"},
       {.invert = BackPhoenix, .best = BestOfPhoenix, .role = Role::kReadsBytes},
       2},
      {"phoenix_key",
       kCategory,
       {{"types", Kind::kFields}, {"index", Kind::kIndex}},
       Takes(Type::kBytes),
       PhoenixKey,
       PhoenixKeyShape,
       "bytes -> bytes",
       "the field with that index (counted from 0) of a Phoenix row key of these types, without its separator; "
       "SALTED before the first type skips the salt byte, and `phoenix` reads the field",
       "absent when the field is null, or `index` is beyond the list of types; unmappable when the key ends before the "
       "field, or has other bytes after the fields",
       {"| phoenix_key \"SALTED BIGINT, VARCHAR DESC, VARCHAR\" 2",
        "\\x01\\x80\\x00\\x00\\x00\\x00\\x00\\x00*\\x9E\\xFFxyz", "xyz"},
       {.role = Role::kPiece},
       2},
      {"phoenix_array",
       kCategory,
       {{"type", Kind::kFields, false, kItemTypes}},
       Takes(Type::kBytes),
       PhoenixArray,
       PhoenixArrayShape,
       "bytes -> list",
       "the items of an ARRAY of that type, for `each:`; `{item | phoenix BIGINT | ordered}` reads one",
       "unmappable when the bytes are no such array",
       {"| phoenix_array SMALLINT", "\\x80\\x01\\x80\\x02", "\\x80\\x01, \\x80\\x02"},
       {},
       2},
  };
}

}  // namespace fensi::mapping
