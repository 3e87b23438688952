#include <algorithm>
#include <array>
#include <cstdint>

#include "base/bytes.h"
#include "base/text.h"
#include "mapping/definition/names.h"
#include "mapping/definition/readers.h"
#include "mapping/functions/function.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

constexpr int64_t kMostRegions = 10'000;

std::string Upper(std::string_view word) {
  std::string out(word);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

std::optional<int32_t> Narrow(std::optional<int64_t> number) {
  if (!number) return std::nullopt;
  return static_cast<int32_t>(*number);
}

FamilySpec ReadFamily(const Node::Field& field, Reporter* reporter) {
  static constexpr std::array<std::string_view, 3> kBlooms{"none", "row", "rowcol"};
  static constexpr std::array<std::string_view, 6> kCompressions{"none", "gz", "snappy", "lzo", "lz4", "zstd"};
  FamilySpec family{.name = field.key.text};
  if (!IsFamilyName(family.name)) {
    reporter->Report(
        Code::kBadName, field.key.place, "'" + family.name + "' is not a legal name of a column family",
        {"use 1 to 127 printable ASCII characters without ' ', ':', '/' and '\\', and no '.' at the beginning"});
  }
  if (field.value.kind == Node::Kind::kNothing) return family;
  const Fields fields(
      field.value, "family '" + family.name + "'",
      {"ttl", "versions", "min_versions", "bloom", "compression", "in_memory", "block_cache", "block_size"}, reporter);
  family.ttl_seconds = fields.Duration("ttl");
  family.versions = Narrow(fields.Number("versions", 1, INT32_MAX));
  family.min_versions = Narrow(fields.Number("min_versions", 0, INT32_MAX));
  family.block_size = Narrow(fields.Number("block_size", 1024, 16 << 20));
  if (const auto bloom = fields.Choice("bloom", kBlooms)) family.bloom = Upper(kBlooms[*bloom]);
  if (const auto choice = fields.Choice("compression", kCompressions))
    family.compression = Upper(kCompressions[*choice]);
  if (fields.Find("in_memory") != nullptr) family.in_memory = fields.Flag("in_memory");
  if (fields.Find("block_cache") != nullptr) family.block_cache = fields.Flag("block_cache");
  return family;
}

std::string WithoutTail(std::string key, char zero) {
  while (key.size() > 1 && key.back() == zero) key.pop_back();
  return key;
}

// Borders of n equal ranges of all keys of 8 bytes, shortened where that is the same border.
std::vector<std::string> UniformKeys(int64_t n) {
  std::vector<std::string> keys;
  const auto regions = static_cast<uint64_t>(n);
  const uint64_t width = UINT64_MAX / regions + (UINT64_MAX % regions == regions - 1 ? 1 : 0);
  for (uint64_t i = 1; i < regions; ++i) {
    std::string key;
    AppendBigEndian64(static_cast<int64_t>(width * i), &key);
    keys.push_back(WithoutTail(std::move(key), '\0'));
  }
  return keys;
}

// The same for keys that begin with hex digits.
std::vector<std::string> HexKeys(int64_t n) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::vector<std::string> keys;
  for (int64_t i = 1; i < n; ++i) {
    uint64_t border = (uint64_t{1} << 32) * static_cast<uint64_t>(i) / static_cast<uint64_t>(n);
    std::string key(8, '0');
    for (size_t digit = 8; digit-- > 0; border >>= 4) key[digit] = kDigits[border & 15];
    keys.push_back(WithoutTail(std::move(key), '0'));
  }
  return keys;
}

// A region for each salt.
std::vector<std::string> SaltKeys(int64_t n) {
  std::vector<std::string> keys;
  for (int64_t i = 1; i < n; ++i) {
    std::string key;
    AppendBigEndian64(i, &key);
    keys.push_back(key.substr(key.size() - SaltBytes(n)));
  }
  return keys;
}

std::vector<std::string> ListedKeys(const Node& list, Reporter* reporter) {
  std::vector<std::string> keys;
  if (!IsKind(list, Node::Kind::kList, "'keys'", reporter)) return keys;
  for (const Node& item : list.items) {
    if (!IsKind(item, Node::Kind::kText, "a split key", reporter)) continue;
    const Result<std::string> key = Unescape(item.text);
    if (!key.ok() || key->empty()) {
      reporter->Report(
          Code::kBadSplit, item.place,
          key.ok() ? "a split key may not be empty" : "this split key has a wrong escape: " + key.status().message(),
          {"write the first row key of a region, such as 'm' or '\\x80'"});
    } else {
      keys.push_back(*key);
    }
  }
  return keys;
}

std::vector<std::string> ReadSplit(const Node& node, Reporter* reporter) {
  const Fields fields(node, "'split'", {"hex", "keys", "salt", "uniform"}, reporter);
  if (node.kind == Node::Kind::kMap && node.fields.size() != 1) {
    reporter->Report(Code::kBadSplit, node.place, "'split' must have exactly one key",
                     {"write one of hex: 16, uniform: 8, salt: 16 or keys: ['g', 'n']"});
    return {};
  }
  std::vector<std::string> keys;
  if (const auto n = fields.Number("hex", 2, kMostRegions)) keys = HexKeys(*n);
  if (const auto n = fields.Number("uniform", 2, kMostRegions)) keys = UniformKeys(*n);
  if (const auto n = fields.Number("salt", 2, kMostRegions)) keys = SaltKeys(*n);
  if (const Node* list = fields.Find("keys")) keys = ListedKeys(*list, reporter);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

void AddWritten(const std::vector<std::pair<std::string, Place>>& written, bool listed, CreateSpec* create,
                Reporter* reporter) {
  for (const auto& [name, place] : written) {
    const auto same = [&name = name](const FamilySpec& family) { return family.name == name; };
    if (std::any_of(create->families.begin(), create->families.end(), same)) continue;
    if (listed) {
      std::vector<std::string_view> known;
      for (const FamilySpec& family : create->families) known.push_back(family.name);
      std::vector<std::string> hints = Suggest(name, known);
      if (hints.empty()) hints = {"add '" + name + ": {}' under 'create: families:'"};
      reporter->Report(Code::kFamilyNotCreated, place, "the family '" + name + "' is missing in 'create: families:'",
                       std::move(hints));
    }
    create->families.push_back({.name = name});
  }
}

}  // namespace

CreateSpec ReadCreate(const Node* node, const std::vector<std::pair<std::string, Place>>& written, Reporter* reporter) {
  CreateSpec create;
  bool listed = false;
  if (node != nullptr) {
    const Fields fields(*node, "'create'", {"families", "split"}, reporter);
    const Node* families = fields.Find("families");
    listed = families != nullptr && IsKind(*families, Node::Kind::kMap, "'families'", reporter);
    if (listed && IsBounded(*families, 100, "'families'", reporter)) {
      for (const Node::Field& field : families->fields) create.families.push_back(ReadFamily(field, reporter));
    }
    if (const Node* split = fields.Find("split")) create.split_keys = ReadSplit(*split, reporter);
  }
  AddWritten(written, listed, &create, reporter);
  std::sort(create.families.begin(), create.families.end(),
            [](const FamilySpec& a, const FamilySpec& b) { return a.name < b.name; });
  return create;
}

}  // namespace fensi::mapping
