// Functions between identifiers, addresses and codes as text, and the bytes that they stand for.
#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "mapping/functions/function.h"
#include "mapping/functions/inverse.h"

namespace fensi::mapping {
namespace {

using Kind = ArgumentKind;
using Apply = Outcome (*)(const Arguments&, Value*, Scratch*);
using Back = Inverse (*)(const Arguments&, Value*, Scratch*);

constexpr Category kCategory = Category::kIds;
constexpr size_t kUuidBytes = 16;
constexpr std::string_view kUuidForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::string_view kCrockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kBase64Url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

int DigitIn(std::string_view digits, char c) {
  const size_t at = digits.find(c);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::optional<std::string> BytesOfHex(std::string_view text) {
  std::string out;
  if (text.size() % 2 != 0) return std::nullopt;
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = DigitIn(kHex, Lower(text[i])), low = DigitIn(kHex, Lower(text[i + 1]));
    if (high < 0 || low < 0) return std::nullopt;
    out.push_back(static_cast<char>(high << 4 | low));
  }
  return out;
}

std::string HexOf(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    out += {kHex[static_cast<unsigned char>(c) >> 4], kHex[static_cast<unsigned char>(c) & 15]};
  }
  return out;
}

std::optional<std::string> UuidBytes(std::string_view text) {
  std::string digits(text);
  if (text.size() == kUuidForm.size()) {
    for (size_t i = 0; i < text.size(); ++i) {
      if ((text[i] == '-') != (kUuidForm[i] == '-')) return std::nullopt;
    }
    std::erase(digits, '-');
  }
  return digits.size() == 2 * kUuidBytes ? BytesOfHex(digits) : std::nullopt;
}

std::string UuidOf(std::string_view bytes) {
  if (bytes.size() != kUuidBytes) return "";
  const std::string digits = HexOf(bytes);
  std::string out;
  for (const char c : kUuidForm)
    out.push_back(c == '-' ? '-' : digits[out.size() - std::count(out.begin(), out.end(), '-')]);
  return out;
}

// 26 digits of five bits; the first has three.
std::optional<std::string> UlidBytes(std::string_view text) {
  constexpr size_t kDigits = 26;
  if (text.size() != kDigits || text[0] > '7') return std::nullopt;
  std::string out;
  unsigned held = 0;
  unsigned bits = 2;  // in front of the first digit, beyond the 128 bits
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i] >= 'a' && text[i] <= 'z' ? static_cast<char>(text[i] - 'a' + 'A') : text[i];
    if (c == 'I' || c == 'L') c = '1';
    if (c == 'O') c = '0';
    const int digit = DigitIn(kCrockford, c);
    if (digit < 0) return std::nullopt;
    held = held << 5 | static_cast<unsigned>(digit);
    bits += i == 0 ? 1 : 5;
    if (bits < 8) continue;
    bits -= 8;
    out.push_back(static_cast<char>(held >> bits));
    held &= (1U << bits) - 1;
  }
  return out;
}

std::string UlidOf(std::string_view bytes) {
  std::string out;
  unsigned held = 0;
  unsigned bits = 2;
  for (const char c : bytes) {
    held = held << 8 | static_cast<unsigned char>(c);
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      out.push_back(kCrockford[held >> bits]);
      held &= (1U << bits) - 1;
    }
  }
  return out;
}

std::optional<std::string> AddressBytes(std::string_view text) {
  const std::string terminated(text);
  if (terminated.find('\0') != std::string::npos) return std::nullopt;
  std::array<char, 16> bytes{};
  if (inet_pton(AF_INET, terminated.c_str(), bytes.data()) == 1) return std::string(bytes.data(), 4);
  if (inet_pton(AF_INET6, terminated.c_str(), bytes.data()) == 1) return std::string(bytes.data(), 16);
  return std::nullopt;
}

std::optional<std::string> WideAddressBytes(std::string_view text) {
  std::optional<std::string> bytes = AddressBytes(text);
  if (bytes && bytes->size() == 4) bytes = std::string(10, '\0') + "\xFF\xFF" + *bytes;
  return bytes;
}

std::string AddressOf(std::string_view bytes) {
  if (bytes.size() != 4 && bytes.size() != 16) return "";
  std::array<char, INET6_ADDRSTRLEN> text{};
  const std::string copy(bytes);
  const int family = bytes.size() == 4 ? AF_INET : AF_INET6;
  return inet_ntop(family, copy.data(), text.data(), text.size()) == nullptr ? "" : std::string(text.data());
}

std::string Base64Of(std::string_view bytes, std::string_view digits, bool padded) {
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    unsigned held = 0;
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    for (size_t k = 0; k < 3; ++k) held = held << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k) {
      if (k <= count) {
        out.push_back(digits[held >> (18 - 6 * k) & 63]);
      } else if (padded) {
        out.push_back('=');
      }
    }
  }
  return out;
}

// Both alphabets, with or without the padding; bits behind the last byte must be zero.
std::optional<std::string> BytesOfBase64(std::string_view text) {
  if (text.size() % 4 == 0) {
    for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  }
  std::string out;
  unsigned held = 0;
  unsigned bits = 0;
  for (const char c : text) {
    const int digit = std::max(DigitIn(kBase64, c), DigitIn(kBase64Url, c));
    if (digit < 0) return std::nullopt;
    held = held << 6 | static_cast<unsigned>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out.push_back(static_cast<char>(held >> bits));
    held &= (1U << bits) - 1;
  }
  return bits == 6 || held != 0 ? std::nullopt : std::optional(out);
}

using Reader = std::optional<std::string> (*)(std::string_view);
using Writer = std::string (*)(std::string_view);

constexpr char kNoUuid[] = " is not a UUID";
constexpr char kNoUlid[] = " is not a ULID";
constexpr char kNoAddress[] = " is not an address of IPv4 or IPv6";
constexpr char kNoHex[] = " is not of pairs of hex digits";
constexpr char kNoBase64[] = " is not base64";

template <Reader kRead, const char* kWhatNot>
Outcome FromText(const Arguments&, Value* v, Scratch* scratch) {
  const std::optional<std::string> bytes = kRead(v->bytes);
  if (!bytes) return Refuse(scratch, Shown(v->bytes) + kWhatNot);
  v->bytes = scratch->Keep(*bytes);
  return Outcome::kValue;
}

template <Writer kWrite>
Inverse BackFromText(const Arguments&, Value* v, Scratch* scratch) {
  const std::string text = kWrite(v->bytes);
  if (text.empty() && !v->bytes.empty()) return Inverse::kNone;
  v->bytes = scratch->Keep(text);
  return Inverse::kGood;
}

std::string PlainBase64(std::string_view bytes) { return Base64Of(bytes, kBase64, true); }
std::string UrlBase64(std::string_view bytes) { return Base64Of(bytes, kBase64Url, false); }

// Several texts are one value, in whatever order they are.
template <size_t kLeast, size_t kMost>
void FromTextShape(const Arguments&, Shape* shape) {
  shape->MergeAny();
  shape->LoseOrder();
  shape->BecomeBytes();
  shape->mappable = false;
  shape->SetWidth(kLeast, kMost);
}

template <Writer kWrite>
Outcome ToText(const Arguments&, Value* v, Scratch* scratch) {
  v->bytes = scratch->Keep(kWrite(v->bytes));
  return Outcome::kValue;
}

template <Writer kWrite>
Outcome UuidText(const Arguments& a, Value* v, Scratch* scratch) {
  if (v->bytes.size() == kUuidBytes) return ToText<kWrite>(a, v, scratch);
  return RefuseWidth(scratch, v->bytes, "16");
}

Outcome AddressText(const Arguments& a, Value* v, Scratch* scratch) {
  if (v->bytes.size() == 4 || v->bytes.size() == 16) return ToText<AddressOf>(a, v, scratch);
  return RefuseWidth(scratch, v->bytes, "4 or 16");
}

template <Reader kRead>
Inverse BackToText(const Arguments&, Value* v, Scratch* scratch) {
  const std::optional<std::string> bytes = kRead(v->bytes);
  if (!bytes) return Inverse::kNone;
  v->bytes = scratch->Keep(*bytes);
  return Inverse::kExact;
}

void UuidTextShape(const Arguments&, Shape* shape) {
  shape->Change();
  shape->mappable = shape->mappable && shape->fixed() && shape->min_width == kUuidBytes;
  shape->bytes = BytesOf(kHex) | BytesOf("-");
  shape->SetWidth(kUuidForm.size(), kUuidForm.size());
}

void UlidTextShape(const Arguments&, Shape* shape) {
  shape->Change();
  shape->mappable = shape->mappable && shape->fixed() && shape->min_width == kUuidBytes;
  shape->bytes = BytesOf(kCrockford);
  shape->SetWidth(26, 26);
}

void AddressTextShape(const Arguments&, Shape* shape) {
  shape->LoseOrder();
  shape->BecomeBytes();
  shape->mappable = false;
  shape->bytes = BytesOf(kHex) | BytesOf(".:");
  shape->SetWidth(2, INET6_ADDRSTRLEN - 1);
}

template <bool kPadded>
void Base64Shape(const Arguments&, Shape* shape) {
  const auto width = [](size_t bytes) {
    if (bytes > SIZE_MAX / 4) return Shape::kUnbounded;
    return kPadded ? (bytes + 2) / 3 * 4 : (bytes * 4 + 2) / 3;
  };
  const Shape before = *shape;
  shape->LoseOrder();
  shape->BecomeBytes();
  shape->bytes = BytesOf(kPadded ? kBase64 : kBase64Url) | BytesOf(kPadded ? "=" : "");
  shape->SetWidth(width(before.min_width), width(before.max_width));
}

Outcome Mask(const Arguments& a, Value* v, Scratch* scratch) {
  const auto bits = static_cast<size_t>(a[0].number);
  std::string out(v->bytes.size(), '\0');
  for (size_t i = 0; i < out.size() && 8 * i < bits; ++i) {
    const size_t rest = std::min<size_t>(8, bits - 8 * i);
    out[i] = static_cast<char>(static_cast<unsigned char>(v->bytes[i]) & (0xFF00U >> rest));
  }
  v->bytes = scratch->Keep(out);
  return Outcome::kValue;
}

// With a single width the order stays.
void MaskShape(const Arguments& a, Shape* shape) {
  const bool one_width = shape->fixed();
  const size_t lost = shape->max_width == Shape::kUnbounded ? SIZE_MAX : 8 * shape->max_width;
  const auto bits = static_cast<size_t>(a[0].number);
  if (lost > bits) lost == SIZE_MAX ? shape->MergeAny() : shape->Merge(static_cast<double>(lost - bits));
  if (!one_width) shape->LoseOrder();
  shape->Change();
  shape->bytes.set();
}

// The time is in the upper 42 of 64 bits.
constexpr int64_t kSnowflakeBits = 22;
constexpr int64_t kTwitterEpoch = 1'288'834'974'657;
int64_t EpochOf(const Arguments& a) { return a.empty() ? kTwitterEpoch : a[0].number; }

Outcome Snowflake(const Arguments& a, Value* v, Scratch* scratch) {
  const int64_t id = v->number;
  if (!__builtin_add_overflow(id >> kSnowflakeBits, EpochOf(a), &v->number)) return Outcome::kValue;
  return Refuse(scratch, "the snowflake id " + std::to_string(id) + " gives a time outside the range of times");
}

void SnowflakeShape(const Arguments& a, Shape* shape) {
  const auto time = [&a](int64_t id) {
    int64_t sum = 0;
    const bool over = __builtin_add_overflow(id >> kSnowflakeBits, EpochOf(a), &sum);
    return over ? (EpochOf(a) < 0 ? INT64_MIN : INT64_MAX) : sum;
  };
  shape->type = Type::kTime;
  shape->Merge(kSnowflakeBits);
  shape->mappable = false;
  shape->keeps_sign = false;
  shape->least = time(shape->least);
  shape->most = time(shape->most);
}

Inverse BackSnowflake(const Arguments& a, Value* v, Scratch*) {
  constexpr int64_t kUnit = int64_t{1} << kSnowflakeBits;
  int64_t since = 0;
  if (__builtin_sub_overflow(v->number, EpochOf(a), &since)) return Inverse::kNone;
  return __builtin_mul_overflow(since, kUnit, &v->number) ? Inverse::kNone : Inverse::kGood;
}

Outcome UlidTime(const Arguments&, Value* v, Scratch* scratch) {
  const std::optional<std::string> bytes =
      v->bytes.size() == kUuidBytes ? std::optional(std::string(v->bytes)) : UlidBytes(v->bytes);
  if (!bytes) return Refuse(scratch, Shown(v->bytes) + kNoUlid);
  v->number = 0;
  for (size_t i = 0; i < 6; ++i) v->number = v->number << 8 | static_cast<unsigned char>((*bytes)[i]);
  return Outcome::kValue;
}

void UlidTimeShape(const Arguments&, Shape* shape) {
  const bool piece = shape->piece;
  shape->BecomeNumber(Type::kTime);
  shape->MergeAny();
  shape->least = 0;
  shape->most = (int64_t{1} << 48) - 1;
  if (piece) shape->order = Direction::kUp;
  shape->keeps_sign = piece;
}

Inverse BackUlidTime(const Arguments&, Value* v, Scratch* scratch) {
  if (v->number < 0 || v->number >> 48 != 0) return Inverse::kNone;
  std::string bytes(scratch->KeepBigEndian(static_cast<uint64_t>(v->number), 6));
  v->bytes = scratch->Keep(UlidOf(bytes + std::string(10, '\0')));
  return Inverse::kGood;
}

Function Text(std::string_view name, std::string_view summary, std::string_view errors, Example example, Apply apply,
              void (*shape)(const Arguments&, Shape*), Reading reading) {
  return {name, kCategory, {}, Takes(Type::kBytes), apply, shape, "bytes -> bytes", summary, errors, example, reading};
}

Reading Several(Back back) { return {.invert = back, .best = Always<Inverse::kGood>}; }
Reading Bare(Back back) { return {.invert = back, .best = Always<Inverse::kExact>}; }
Reading Unsorted(Back back) {
  return {.invert = back, .best = Always<Inverse::kExact>, .unsorted_text = true, .role = Role::kReadsBytes};
}
Reading Ordered(Back back) {
  return {.invert = back, .best = Always<Inverse::kExact>, .order = Lying<Direction::kUp>, .role = Role::kReadsBytes};
}

std::vector<Function> Texts() {
  constexpr std::string_view kNotSo = "unmappable when the value has another form";
  return {
      Text("uuid", "the 16 bytes of a UUID in 32 hex digits of either case, with its dashes or without", kNotSo,
           {"| uuid | hex", "123E4567-e89b-12d3-a456-426614174000", "123e4567e89b12d3a456426614174000"},
           FromText<UuidBytes, kNoUuid>, FromTextShape<16, 16>, Several(BackFromText<UuidOf>)),
      Text("uuid_text", "16 bytes as a UUID in lower case", "unmappable at another width",
           {"| uuid_text", "\\x12>Eg\\xE8\\x9B\\x12\\xD3\\xA4VBf\\x14\\x17@\\x00",
            "123e4567-e89b-12d3-a456-426614174000"},
           UuidText<UuidOf>, UuidTextShape, Ordered(BackToText<UuidBytes>)),
      Text("ulid", "the 16 bytes of a ULID", kNotSo,
           {"| ulid | hex", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "01563e3ab5d3d6764c61efb99302bd5b"},
           FromText<UlidBytes, kNoUlid>, FromTextShape<16, 16>, Several(BackFromText<UlidOf>)),
      Text("ulid_text", "16 bytes as a ULID in upper case", "unmappable at another width",
           {"| ulid | ulid_text", "01arz3ndektsv4rrffq69g5fav", "01ARZ3NDEKTSV4RRFFQ69G5FAV"}, UuidText<UlidOf>,
           UlidTextShape, Ordered(BackToText<UlidBytes>)),
      Text("ip", "4 bytes of an IPv4 address, 16 of an IPv6 address; `mask 24` after it gives the network of 24 bits",
           kNotSo, {"| ip | hex", "192.0.2.17", "c0000211"}, FromText<AddressBytes, kNoAddress>, FromTextShape<4, 16>,
           Several(BackFromText<AddressOf>)),
      Text("ip6", "the 16 bytes of an address; an IPv4 address becomes ::ffff:a.b.c.d", kNotSo,
           {"| ip6 | hex", "192.0.2.17", "00000000000000000000ffffc0000211"}, FromText<WideAddressBytes, kNoAddress>,
           FromTextShape<16, 16>, Several(BackFromText<AddressOf>)),
      Text("ip_text", "4 or 16 bytes as an address, as RFC 5952 writes it", "unmappable at another width",
           {"| ip_text", "\\xC0\\x00\\x02\\x11", "192.0.2.17"}, AddressText, AddressTextShape,
           Unsorted(BackToText<AddressBytes>)),
      Text("unhex", "the bytes that hex digits of either case stand for",
           "unmappable when the value has other characters, or an odd number of digits",
           {"| unhex", "01Ff61", "\\x01\\xFFa"}, FromText<BytesOfHex, kNoHex>, FromTextShape<0, Shape::kUnbounded>,
           Several(BackFromText<HexOf>)),
      Text("base64", "base64 of RFC 4648, with padding", "", {"| base64", "\\xFB\\xFFa", "+/9h"}, ToText<PlainBase64>,
           Base64Shape<true>, Bare(BackToText<BytesOfBase64>)),
      Text("base64url", "base64url of RFC 4648, without padding", "", {"| base64url", "\\xFB\\xFF", "-_8"},
           ToText<UrlBase64>, Base64Shape<false>, Bare(BackToText<BytesOfBase64>)),
      Text("unbase64", "the bytes of base64 or base64url, with padding or without", kNotSo,
           {"| unbase64", "+_9h", "\\xFB\\xFFa"}, FromText<BytesOfBase64, kNoBase64>,
           FromTextShape<0, Shape::kUnbounded>, Several(BackFromText<PlainBase64>)),
  };
}

}  // namespace

std::vector<Function> IdFunctions() {
  std::vector<Function> all = Texts();
  all.push_back({"mask",
                 kCategory,
                 {{"bits", Kind::kCount}},
                 Takes(Type::kBytes),
                 Mask,
                 MaskShape,
                 "bytes -> bytes",
                 "the first `bits` bits, and zeros after them: the network of an address",
                 "",
                 {"| ip | mask 28 | ip_text", "192.0.2.17", "192.0.2.16"},
                 {.invert = BackNear, .best = Always<Inverse::kGood>}});
  all.push_back({"snowflake",
                 kCategory,
                 {{"epoch", Kind::kNumber, true}},
                 Takes(Type::kInteger),
                 Snowflake,
                 SnowflakeShape,
                 "integer -> time",
                 "the time in the upper 42 bits of a Snowflake number, in milliseconds since the epoch (default "
                 "1288834974657, Twitter's)",
                 "unmappable outside the range of times",
                 {"| int | snowflake | time %Y-%m-%d", "1541815603606036480", "2022-06-28"},
                 {.invert = BackSnowflake, .best = Always<Inverse::kGood>, .order = Lying<Direction::kUp>}});
  all.push_back(
      {"ulid_time",
       kCategory,
       {},
       Takes(Type::kBytes),
       UlidTime,
       UlidTimeShape,
       "bytes -> time",
       "the time in the first 48 bits of a ULID as text, or in 16 bytes: also of a UUID of version 7 (`uuid`)",
       "unmappable when the value has another form",
       {"| ulid_time | time %Y-%m-%d", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "2016-07-30"},
       {.invert = BackUlidTime, .best = Always<Inverse::kGood>}});
  return all;
}

}  // namespace fensi::mapping
