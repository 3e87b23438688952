// Functions that read what HBase's OrderedBytes writes, and the fields of a Struct of them.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/bytes.h"
#include "mapping/functions/function.h"
#include "mapping/functions/inverse.h"
#include "mapping/functions/numbers_as_text.h"

namespace fensi::mapping {
namespace {

using Kind = ArgumentKind;
constexpr Category kCategory = Category::kEncodings;

/// In the order of kTypes.
enum class OrderedType { kInt8, kInt16, kInt32, kInt64, kFloat32, kFloat64, kNumeric, kString, kBlob, kBlobCopy };
constexpr std::string_view kTypes = "INT8 INT16 INT32 INT64 FLOAT32 FLOAT64 NUMERIC STRING BLOB BLOB_COPY";
constexpr std::array<unsigned char, 10> kHeaders = {0x29, 0x2a, 0x2b, 0x2c, 0x30, 0x31, 0, 0x34, 0x37, 0x38};
constexpr std::array<size_t, 10> kWidths = {1, 2, 4, 8, 4, 8, 0, 0, 0, 0};  // behind the header; 0: as many as it has
constexpr unsigned char kNull = 0x05;

OrderedType TypeOf(const Arguments& a) { return static_cast<OrderedType>(a[0].number); }
bool IsDescending(const Arguments& a) { return a.size() > 1 && a[1].number == 1; }
size_t Index(OrderedType type) { return static_cast<size_t>(type); }
bool IsWhole(OrderedType type) { return type <= OrderedType::kInt64; }
bool IsReal(OrderedType type) { return type == OrderedType::kFloat32 || type == OrderedType::kFloat64; }

double RealIn(std::string_view bytes) {
  const uint64_t bits = ReadBigEndian(bytes);
  if (bytes.size() == 8) return RealOf(static_cast<int64_t>(bits ^ (uint64_t{1} << 63)));
  constexpr uint32_t kSign = uint32_t{1} << 31;
  const auto half = static_cast<uint32_t>(bits);
  return std::bit_cast<float>((half & kSign) != 0 ? half ^ kSign : ~half);
}

std::string_view BytesOfReal(double real, size_t width, Scratch* scratch) {
  if (width == 8) return scratch->KeepBigEndian(static_cast<uint64_t>(RankOf(real)) ^ (uint64_t{1} << 63), 8);
  constexpr uint32_t kSign = uint32_t{1} << 31;
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(real));
  return scratch->KeepBigEndian((bits & kSign) != 0 ? ~bits : bits | kSign, 4);
}

// Seven bits a byte behind a set bit; the last byte has it clear.
std::optional<std::string> BlobIn(std::string_view bytes) {
  std::string out;
  if (bytes == std::string_view("\0", 1)) return out;
  unsigned bits = 0;
  unsigned held = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if ((byte < 0x80) != (i + 1 == bytes.size())) return std::nullopt;
    held = held << 7 | (byte & 0x7F);
    bits += 7;
    if (bits < 8) continue;
    bits -= 8;
    out.push_back(static_cast<char>(held >> bits));
    held &= (1U << bits) - 1;
  }
  // A last group of padding alone would be another form of the same value.
  return bytes.empty() || held != 0 || bits == 7 ? std::nullopt : std::optional(out);
}

std::string BytesOfBlob(std::string_view value) {
  if (value.empty()) return std::string(1, '\0');
  std::string out;
  unsigned bits = 0;
  unsigned held = 0;
  for (const char c : value) {
    held = held << 8 | static_cast<unsigned char>(c);
    bits += 8;
    while (bits >= 7) {
      bits -= 7;
      out.push_back(static_cast<char>(0x80 | (held >> bits)));
      held &= (1U << bits) - 1;
    }
  }
  if (bits > 0) out.push_back(static_cast<char>(0x80 | held << (7 - bits)));
  out.back() = static_cast<char>(out.back() & 0x7F);
  return out;
}

Outcome NoSuch(const Arguments& a, std::string_view bytes, Scratch* scratch) {
  return Refuse(scratch, Shown(bytes) + " is no " + a[0].text + " of OrderedBytes");
}

Outcome ReadNumeric(const Arguments& a, std::string_view bytes, Value* v, Scratch* scratch) {
  std::string_view rest = bytes;
  const std::optional<Decimal> decimal = DecodeDecimal(&rest);
  if (!decimal || !rest.empty()) return NoSuch(a, v->bytes, scratch);
  v->bytes = scratch->Keep(EncodeDecimal(*decimal));
  return Outcome::kValue;
}

Outcome ReadLetters(const Arguments& a, std::string_view body, Value* v, Scratch* scratch) {
  const OrderedType type = TypeOf(a);
  if (type == OrderedType::kBlob) {
    const std::optional<std::string> blob = BlobIn(body);
    if (!blob) return NoSuch(a, v->bytes, scratch);
    v->bytes = scratch->Keep(*blob);
    return Outcome::kValue;
  }
  const bool ends = type == OrderedType::kString || IsDescending(a);
  if (ends && (body.find('\0') != body.size() - 1 || body.empty())) return NoSuch(a, v->bytes, scratch);
  v->bytes = body.substr(0, body.size() - (ends ? 1 : 0));
  return Outcome::kValue;
}

Outcome OrderedBytes(const Arguments& a, Value* v, Scratch* scratch) {
  const OrderedType type = TypeOf(a);
  const std::string_view bytes = IsDescending(a) ? scratch->KeepInverted(v->bytes) : v->bytes;
  if (bytes.empty()) return NoSuch(a, v->bytes, scratch);
  if (static_cast<unsigned char>(bytes[0]) == kNull) return Outcome::kAbsent;
  if (type == OrderedType::kNumeric) return ReadNumeric(a, bytes, v, scratch);
  const std::string_view body = bytes.substr(1);
  const size_t width = kWidths[Index(type)];
  const bool good = static_cast<unsigned char>(bytes[0]) == kHeaders[Index(type)];
  if (!good || (width > 0 && body.size() != width)) return NoSuch(a, v->bytes, scratch);
  if (IsWhole(type)) {
    v->number = static_cast<int64_t>(ReadBigEndian(body) - (uint64_t{1} << (8 * width - 1)));
    return Outcome::kValue;
  }
  if (!IsReal(type)) return ReadLetters(a, body, v, scratch);
  const double real = RealIn(body);
  if (std::isnan(real)) return RefuseNaN(v->bytes, scratch);
  v->number = RankOf(real);
  return Outcome::kValue;
}

/// Nothing: no such value can be written.
std::optional<std::string> BodyOf(const Arguments& a, const Value& v, Scratch* scratch) {
  const OrderedType type = TypeOf(a);
  const size_t width = kWidths[Index(type)];
  if (IsWhole(type)) {
    const uint64_t bits = static_cast<uint64_t>(v.number) + (uint64_t{1} << (8 * width - 1));
    if (width < 8 && bits >> (8 * width) != 0) return std::nullopt;
    return std::string(scratch->KeepBigEndian(bits, width));
  }
  if (IsReal(type)) {
    const std::string_view bytes = BytesOfReal(RealOf(v.number), width, scratch);
    return RankOf(RealIn(bytes)) == v.number ? std::optional(std::string(bytes)) : std::nullopt;
  }
  if (type == OrderedType::kBlob) return BytesOfBlob(v.bytes);
  const bool ends = type == OrderedType::kString || IsDescending(a);
  if (ends && v.bytes.find('\0') != std::string_view::npos) return std::nullopt;
  return std::string(v.bytes) + (ends ? std::string(1, '\0') : "");
}

Inverse BackOrderedBytes(const Arguments& a, Value* v, Scratch* scratch) {
  std::string bytes(v->bytes);
  if (TypeOf(a) != OrderedType::kNumeric) {
    const std::optional<std::string> body = BodyOf(a, *v, scratch);
    if (!body) return Inverse::kNone;
    bytes = static_cast<char>(kHeaders[Index(TypeOf(a))]) + *body;
  }
  v->bytes = scratch->Keep(bytes);
  if (IsDescending(a)) v->bytes = scratch->KeepInverted(v->bytes);
  return Inverse::kExact;
}

void OrderedBytesShape(const Arguments& a, Shape* shape) {
  const OrderedType type = TypeOf(a);
  const Shape before = *shape;
  const auto become = [&](Type number, int64_t least, int64_t most) {
    shape->BecomeNumber(number);
    shape->least = least;
    shape->most = most;
    if (before.piece) shape->order = Direction::kUp;
    shape->keeps_sign = before.piece;
  };
  const size_t width = kWidths[Index(type)];
  if (IsWhole(type)) {
    const int64_t most = width == 8 ? INT64_MAX : (int64_t{1} << (8 * width - 1)) - 1;
    become(Type::kInteger, -most - 1, most);
  } else if (IsReal(type)) {
    become(Type::kReal, RankOf(-HUGE_VAL), RankOf(HUGE_VAL));
  } else if (type == OrderedType::kNumeric) {
    become(Type::kDecimal, INT64_MIN, INT64_MAX);
    shape->SetWidth(1, Shape::kUnbounded);
    shape->bytes.set();
  } else {
    shape->LoseOrder();
    shape->BecomeBytes();
    shape->mappable = false;
    shape->SetWidth(0, before.max_width == Shape::kUnbounded ? Shape::kUnbounded : before.max_width);
  }
  shape->may_be_absent = true;
}

/// Bytes of the field in front; nothing: it is none.
std::optional<size_t> SizeOfField(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  const auto first = static_cast<unsigned char>(bytes[0]);
  const bool descending = first >= 0x80;
  const unsigned char header = descending ? static_cast<unsigned char>(~first) : first;
  constexpr unsigned char kInfinite[] = {kNull, 0x07, 0x23, 0x26};
  if (std::find(std::begin(kInfinite), std::end(kInfinite), header) != std::end(kInfinite)) return 1;
  const auto known = std::find(kHeaders.begin(), kHeaders.end(), header);
  if (known == kHeaders.end()) {
    std::string rest(bytes);
    if (descending)
      std::transform(rest.begin(), rest.end(), rest.begin(), [](char c) { return static_cast<char>(~c); });
    std::string_view left = rest;
    return DecodeDecimal(&left) ? std::optional(bytes.size() - left.size()) : std::nullopt;
  }
  const auto type = static_cast<OrderedType>(known - kHeaders.begin());
  const size_t width = kWidths[Index(type)];
  if (width > 0) return width + 1;
  if (type == OrderedType::kBlobCopy && !descending) return bytes.size();
  if (type != OrderedType::kBlob) return bytes.find(descending ? '\xFF' : '\0') + 1;
  const auto last = [descending](char c) { return (static_cast<unsigned char>(c) < 0x80) != descending; };
  const auto end = std::find_if(bytes.begin() + 1, bytes.end(), last);
  return end == bytes.end() ? std::nullopt : std::optional(static_cast<size_t>(end - bytes.begin()) + 1);
}

Outcome OrderedField(const Arguments& a, Value* v, Scratch* scratch) {
  std::string_view rest = v->bytes;
  for (int64_t i = 0;; ++i) {
    if (rest.empty()) return Outcome::kAbsent;
    const std::optional<size_t> size = SizeOfField(rest);
    if (!size || *size == 0 || *size > rest.size()) {
      return Refuse(scratch, Shown(v->bytes) + " is not made of fields of OrderedBytes");
    }
    if (i == a[0].number) {
      v->bytes = rest.substr(0, *size);
      return Outcome::kValue;
    }
    rest.remove_prefix(*size);
  }
}

void OrderedFieldShape(const Arguments&, Shape* shape) {
  shape->MergeAny();
  shape->LoseOrder();
  shape->terminated = false;
  shape->mappable = false;
  shape->may_be_absent = true;
  shape->min_width = 1;
}

}  // namespace

std::vector<Function> OrderedBytesFunctions() {
  return {
      {"ordered_bytes",
       kCategory,
       {{"type", Kind::kChoice, false, kTypes}, {"order", Kind::kChoice, true, "ASC DESC"}},
       Takes(Type::kBytes),
       OrderedBytes,
       OrderedBytesShape,
       "bytes -> integer, real, decimal or bytes",
       "what HBase's OrderedBytes writes, also through the DataTypes OrderedInt64, OrderedString and so on: INT8 to "
       "INT64 as "
       "integers, FLOAT32 and FLOAT64 as reals, NUMERIC as a decimal, STRING, BLOB (encodeBlobVar) and BLOB_COPY as "
       "bytes",
       "absent when it is OrderedBytes' null; unmappable when it is no such value",
       {"| ordered_bytes INT32 | decimal", "+\\x80\\x00\\x00*", "42"},
       {.invert = BackOrderedBytes, .best = Always<Inverse::kExact>, .role = Role::kReadsBytes}},
      {"ordered_field",
       kCategory,
       {{"index", Kind::kIndex}},
       Takes(Type::kBytes),
       OrderedField,
       OrderedFieldShape,
       "bytes -> bytes",
       "the field with that index (counted from 0) of several that OrderedBytes has written one after the other, as a "
       "Struct of ordered types; `ordered_bytes` reads it",
       "absent when there are fewer fields; unmappable when the bytes before the field are no such fields",
       {"| ordered_field 1 | ordered_bytes INT8 | decimal", "4ab\\x00)\\x80", "0"},
       {.role = Role::kPiece}},
  };
}

}  // namespace fensi::mapping
