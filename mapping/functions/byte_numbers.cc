// Functions between bytes and integers that are not big-endian of one width: little-endian, and of as many bytes as
// needed.
#include "base/bytes.h"
#include "mapping/functions/function.h"
#include "mapping/functions/inverse.h"

namespace fensi::mapping {
namespace {

constexpr Category kCategory = Category::kNumbers;

std::string Backwards(std::string_view bytes) { return {bytes.rbegin(), bytes.rend()}; }

template <size_t kBytes, bool kSigned>
Outcome FromLittle(const Arguments&, Value* v, Scratch* scratch) {
  return ReadFixed(Backwards(v->bytes), kBytes, kSigned, v, scratch);
}

template <size_t kBytes>
Inverse BackLittle(const Arguments&, Value* v, Scratch* scratch) {
  v->bytes = scratch->Keep(Backwards(scratch->KeepBigEndian(static_cast<uint64_t>(v->number), kBytes)));
  return Inverse::kExact;
}

template <size_t kBytes, bool kSigned>
void LittleShape(const Arguments&, Shape* shape) {
  constexpr int64_t kHalf = kBytes == 8 ? INT64_MAX : (int64_t{1} << (8 * kBytes - 1)) - 1;
  shape->BecomeRead(Type::kInteger, kSigned ? -kHalf - 1 : 0, kSigned || kBytes == 8 ? kHalf : 2 * kHalf + 1);
}

Outcome NoVarint(Value* v, Scratch* scratch) { return Refuse(scratch, Shown(v->bytes) + " is not one varint"); }

/// Seven bits a byte, the lowest first, as protobuf, Avro and Kafka write.
bool TakeVarint(std::string_view bytes, uint64_t* bits) {
  constexpr size_t kMost = 10;
  *bits = 0;
  for (size_t i = 0; i < bytes.size() && i < kMost; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (i == kMost - 1 && byte > 1) return false;
    *bits |= uint64_t{byte & 0x7FU} << (7 * i);
    if ((byte & 0x80) == 0) return i + 1 == bytes.size();
  }
  return false;
}

std::string_view VarintOf(uint64_t bits, Scratch* scratch) {
  std::string out;
  for (; bits >= 0x80; bits >>= 7) out.push_back(static_cast<char>(bits | 0x80));
  out.push_back(static_cast<char>(bits));
  return scratch->Keep(out);
}

Outcome Varint(const Arguments&, Value* v, Scratch* scratch) {
  uint64_t bits = 0;
  if (!TakeVarint(v->bytes, &bits)) return NoVarint(v, scratch);
  v->number = static_cast<int64_t>(bits);
  return Outcome::kValue;
}

Inverse BackVarint(const Arguments&, Value* v, Scratch* scratch) {
  v->bytes = VarintOf(static_cast<uint64_t>(v->number), scratch);
  return Inverse::kGood;
}

Outcome Zigzag(const Arguments&, Value* v, Scratch* scratch) {
  uint64_t bits = 0;
  if (!TakeVarint(v->bytes, &bits)) return NoVarint(v, scratch);
  v->number = static_cast<int64_t>((bits >> 1) ^ (0 - (bits & 1)));
  return Outcome::kValue;
}

Inverse BackZigzag(const Arguments&, Value* v, Scratch* scratch) {
  const auto bits = static_cast<uint64_t>(v->number);
  v->bytes = VarintOf((bits << 1) ^ static_cast<uint64_t>(v->number >> 63), scratch);
  return Inverse::kGood;
}

// "7" may be written with zeros behind it.
void VarintShape(const Arguments&, Shape* shape) {
  shape->BecomeRead(Type::kInteger, INT64_MIN, INT64_MAX);
  shape->MergeAny();
}

// Hadoop's WritableUtils: -112 to 127 in one byte; else a first byte that says sign and width, and the magnitude.
Outcome Vlong(const Arguments&, Value* v, Scratch* scratch) {
  const int first = v->bytes.empty() ? 0 : static_cast<int8_t>(v->bytes[0]);
  const size_t width = first >= -112 ? 1 : static_cast<size_t>(first >= -120 ? -111 - first : -119 - first);
  if (v->bytes.size() != width) return Refuse(scratch, Shown(v->bytes) + " is not one number of Hadoop's writeVLong");
  if (width == 1) {
    v->number = first;
    return Outcome::kValue;
  }
  const uint64_t magnitude = ReadBigEndian(v->bytes.substr(1));
  v->number = static_cast<int64_t>(first >= -120 ? magnitude : ~magnitude);
  return Outcome::kValue;
}

Inverse BackVlong(const Arguments&, Value* v, Scratch* scratch) {
  const int64_t number = v->number;
  if (number >= -112 && number <= 127) {
    v->bytes = scratch->KeepBigEndian(static_cast<uint64_t>(number), 1);
    return Inverse::kGood;
  }
  const auto magnitude = static_cast<uint64_t>(number < 0 ? ~number : number);
  size_t width = 1;
  while (width < 8 && magnitude >> (8 * width) != 0) ++width;
  const int64_t first = (number < 0 ? -120 : -112) - static_cast<int64_t>(width);
  std::string out(scratch->KeepBigEndian(static_cast<uint64_t>(first), 1));
  out += scratch->KeepBigEndian(magnitude, width);
  v->bytes = scratch->Keep(out);
  return Inverse::kGood;
}

Outcome Invert(const Arguments&, Value* v, Scratch* scratch) {
  char* out = scratch->Allocate(v->bytes.size());
  for (size_t i = 0; i < v->bytes.size(); ++i) out[i] = static_cast<char>(~v->bytes[i]);
  v->bytes = {out, v->bytes.size()};
  return Outcome::kValue;
}

// "a" and "ab" stay in their order.
void InvertShape(const Arguments&, Shape* shape) {
  const bool one_width = shape->fixed();
  const ByteSet before = shape->bytes;
  shape->Change();
  shape->TurnOrder();
  if (!one_width) shape->LoseOrder();
  for (size_t c = 0; c < 256; ++c) shape->bytes[255 - c] = before[c];
}

Inverse BackInvert(const Arguments& a, Value* v, Scratch* scratch) {
  return Invert(a, v, scratch) == Outcome::kValue ? Inverse::kExact : Inverse::kNone;
}

template <size_t kBytes, bool kSigned>
Function Little(std::string_view name, std::string_view summary, Example example) {
  return {name,
          kCategory,
          {},
          Takes(Type::kBytes),
          FromLittle<kBytes, kSigned>,
          LittleShape<kBytes, kSigned>,
          "bytes -> integer",
          summary,
          kBytes == 8 && !kSigned ? "unmappable at another width, or above the largest signed 64-bit number"
                                  : "unmappable at another width",
          example,
          {.invert = BackLittle<kBytes>, .best = Always<Inverse::kExact>, .role = Role::kReadsBytes}};
}

Function Variable(std::string_view name, std::string_view summary, std::string_view errors, Example example,
                  Outcome (*apply)(const Arguments&, Value*, Scratch*),
                  Inverse (*back)(const Arguments&, Value*, Scratch*)) {
  return {name,
          kCategory,
          {},
          Takes(Type::kBytes),
          apply,
          VarintShape,
          "bytes -> integer",
          summary,
          errors,
          example,
          {.invert = back, .best = Always<Inverse::kGood>, .role = Role::kReadsBytes}};
}

}  // namespace

std::vector<Function> ByteNumberFunctions() {
  return {
      Little<8, true>("i64_le", "8 bytes, little-endian, with sign",
                      {"| i64_le | decimal", "\\xFE\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF", "-2"}),
      Little<4, true>("i32_le", "4 bytes, little-endian, with sign",
                      {"| i32_le | decimal", "\\x00\\x01\\x00\\x00", "256"}),
      Little<2, true>("i16_le", "2 bytes, little-endian, with sign", {"| i16_le | decimal", "\\x00\\x01", "256"}),
      Little<8, false>("u64_le", "8 bytes, little-endian, without sign",
                       {"| u64_le | decimal", "\\x07\\x00\\x00\\x00\\x00\\x00\\x00\\x00", "7"}),
      Little<4, false>("u32_le", "4 bytes, little-endian, without sign",
                       {"| u32_le | decimal", "\\xFE\\xFF\\xFF\\xFF", "4294967294"}),
      Little<2, false>("u16_le", "2 bytes, little-endian, without sign", {"| u16_le | decimal", "\\xFE\\xFF", "65534"}),
      Variable("varint", "seven bits a byte, the lowest first, as protobuf writes int64 and uint64",
               "unmappable when the value is not exactly one", {"| varint | decimal", "\\xAC\\x02", "300"}, Varint,
               BackVarint),
      Variable("zigzag", "a varint whose lowest bit is the sign, as Avro writes long, and protobuf sint64",
               "unmappable when the value is not exactly one", {"| zigzag | decimal", "\\x03", "-2"}, Zigzag,
               BackZigzag),
      Variable("vlong", "as Hadoop's WritableUtils.writeVLong and HBase's Bytes.vintToBytes write",
               "unmappable when the value is not exactly one", {"| vlong | decimal", "\\x8E\\x01,", "300"}, Vlong,
               BackVlong),
      {"invert",
       kCategory,
       {},
       Takes(Type::kBytes),
       Invert,
       InvertShape,
       "bytes -> bytes",
       "every bit inverted, which reverses the order of values of one width: largest first",
       "",
       {"| f64 | ordered | invert | hex", "\\xC0$\\x00\\x00\\x00\\x00\\x00\\x00", "c024000000000000"},
       {.invert = BackInvert, .best = Always<Inverse::kExact>}},
  };
}

}  // namespace fensi::mapping
