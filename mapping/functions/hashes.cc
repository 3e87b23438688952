// Hash functions: raw bytes out, big-endian where the hash is a number.
#include <openssl/evp.h>
#include <xxhash.h>

#include <algorithm>
#include <array>

#include "mapping/functions/function.h"

namespace fensi::mapping {
namespace {

// Looked up once: asking OpenSSL's providers for every event costs more than the hash.
template <int kWhich>
const EVP_MD* Algorithm() {
  static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr,
                                                      kWhich == 0   ? "MD5"
                                                      : kWhich == 1 ? "SHA1"
                                                                    : "SHA256",
                                                      nullptr);
  return algorithm;
}

struct DigestContext {
  EVP_MD_CTX* const context = EVP_MD_CTX_new();
  ~DigestContext() { EVP_MD_CTX_free(context); }
};

template <int kWhich, size_t kBytes>
Outcome Digest(const Arguments&, Value* v, Scratch* scratch) {
  thread_local DigestContext digest;
  char* out = scratch->Allocate(kBytes);
  const EVP_MD* const algorithm = Algorithm<kWhich>();
  const bool done = algorithm != nullptr && EVP_DigestInit_ex2(digest.context, algorithm, nullptr) == 1 &&
                    EVP_DigestUpdate(digest.context, v->bytes.data(), v->bytes.size()) == 1 &&
                    EVP_DigestFinal_ex(digest.context, reinterpret_cast<unsigned char*>(out), nullptr) == 1;
  if (!done)
    return Refuse(scratch,
                  "OpenSSL of this machine does not offer the hash function of this part. Allow the function in the "
                  "configuration of OpenSSL");
  v->bytes = {out, kBytes};
  return Outcome::kValue;
}

constexpr std::array<uint32_t, 256> Crc32Table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t bits = i;
    for (int k = 0; k < 8; ++k) bits = (bits & 1) != 0 ? 0xEDB88320u ^ (bits >> 1) : bits >> 1;
    table[i] = bits;
  }
  return table;
}

Outcome Crc32(const Arguments&, Value* v, Scratch* scratch) {
  static constexpr std::array<uint32_t, 256> kTable = Crc32Table();
  uint32_t crc = 0xFFFFFFFFu;
  for (unsigned char c : v->bytes) crc = kTable[(crc ^ c) & 0xFF] ^ (crc >> 8);
  v->bytes = scratch->KeepBigEndian(crc ^ 0xFFFFFFFFu, 4);
  return Outcome::kValue;
}

constexpr uint32_t RotateLeft(uint32_t x, int by) { return x << by | x >> (32 - by); }

constexpr uint32_t MurmurMix(uint32_t k) { return RotateLeft(k * 0xcc9e2d51u, 15) * 0x1b873593u; }

// MurmurHash3_x86_32 with seed 0.
uint32_t Murmur3Bits(std::string_view bytes) {
  uint32_t h = 0;
  const size_t blocks = bytes.size() / 4;
  const auto at = [&bytes](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(bytes[i])); };
  for (size_t i = 0; i < blocks * 4; i += 4) {
    h ^= MurmurMix(at(i) | at(i + 1) << 8 | at(i + 2) << 16 | at(i + 3) << 24);
    h = RotateLeft(h, 13) * 5 + 0xe6546b64u;
  }
  uint32_t tail = 0;
  for (size_t i = bytes.size(); i-- > blocks * 4;) tail = tail << 8 | at(i);
  if (bytes.size() % 4 != 0) h ^= MurmurMix(tail);
  h ^= static_cast<uint32_t>(bytes.size());
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  return h ^ h >> 16;
}

Outcome Murmur3(const Arguments&, Value* v, Scratch* scratch) {
  v->bytes = scratch->KeepBigEndian(Murmur3Bits(v->bytes), 4);
  return Outcome::kValue;
}

Outcome Xxh64(const Arguments&, Value* v, Scratch* scratch) {
  v->bytes = scratch->KeepBigEndian(XXH64(v->bytes.data(), v->bytes.size(), 0), 8);
  return Outcome::kValue;
}

void BecomeHash(int bits, size_t width, Shape* shape) {
  shape->hash_bits = shape->injective ? bits : std::min(bits, shape->hash_bits);
  shape->injective = false;
  shape->LoseOrder();
  shape->BecomeBytes();
  shape->SetWidth(width, width);
}

template <size_t kBytes>
void HashShape(const Arguments&, Shape* shape) {
  BecomeHash(static_cast<int>(kBytes) * 8, kBytes, shape);
}

int64_t Salts(const Arguments& a) { return a[0].number; }

void SaltOf(const Arguments& a, int64_t n, Value* v, Scratch* scratch) {
  v->bytes = scratch->KeepBigEndian(static_cast<uint64_t>(n), SaltBytes(Salts(a)));
}

Outcome Salt(const Arguments& a, Value* v, Scratch* scratch) {
  const uint64_t hash = XXH64(v->bytes.data(), v->bytes.size(), 0);
  SaltOf(a, static_cast<int64_t>(hash % static_cast<uint64_t>(Salts(a))), v, scratch);
  return Outcome::kValue;
}

void SaltShape(const Arguments& a, Shape* shape) {
  const int64_t salts = Salts(a);
  BecomeHash(static_cast<int>(BitsOf(static_cast<double>(salts))), SaltBytes(salts), shape);
  if (SaltBytes(salts) == 1) shape->bytes = ByteRange(0, static_cast<int>(salts) - 1);
}

template <size_t kBytes>
Function Hash(std::string_view name, Outcome (*apply)(const Arguments&, Value*, Scratch*), std::string_view summary,
              const Example& example) {
  return {name,   Category::kHashes, {}, Takes(Type::kBytes), apply, HashShape<kBytes>, "bytes -> bytes", summary, "",
          example};
}

}  // namespace

std::vector<Function> HashFunctions() {
  return {
      Hash<16>("md5", Digest<0, 16>, "MD5, 16 bytes", {"| md5 | hex", "jadams", "4cada3398caf4fa94f4d4c546a6b21a2"}),
      Hash<20>("sha1", Digest<1, 20>, "SHA-1, 20 bytes",
               {"| sha1 | hex", "jadams", "c8ca0e316552e6cd2540bd36a3f6903059ac855b"}),
      Hash<32>("sha256", Digest<2, 32>, "SHA-256, 32 bytes",
               {"| sha256 | hex", "jadams", "57980d54e1a8ea315210c631671096add91621473e305c85d40e3b41fba73b42"}),
      Hash<4>("crc32", Crc32, "CRC-32 (as zlib's and java.util.zip's), 4 bytes big-endian",
              {"| crc32 | hex", "jadams", "58f1274d"}),
      Hash<4>("murmur3", Murmur3, "MurmurHash3 x86_32 with seed 0, 4 bytes big-endian",
              {"| murmur3 | hex", "jadams", "b6d0526d"}),
      Hash<8>("xxh64", Xxh64, "XXH64 with seed 0, 8 bytes big-endian", {"| xxh64 | hex", "", "ef46db3751d8e999"}),
      {"salt",
       Category::kHashes,
       {{"n", ArgumentKind::kCount}},
       Takes(Type::kBytes),
       Salt,
       SaltShape,
       "bytes -> bytes",
       "XXH64 modulo n as one byte, above 256 as two: in front of a key it spreads growing keys over n places, and "
       "`lookup` reads all of them",
       "",
       {"| salt 16 | hex", "jadams", "02"},
       {.salts = Salts, .salt = SaltOf}},
  };
}

}  // namespace fensi::mapping
