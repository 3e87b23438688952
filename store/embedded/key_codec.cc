#include "store/embedded/key_codec.h"

#include <cstring>

#include "base/bytes.h"
#include "store/check.h"

namespace fensi::store {
namespace {

constexpr size_t kTablePrefixBytes = 5;
constexpr size_t kPositionBytes = 9;
constexpr char kEscapedZero = '\xff';
constexpr char kEnd = '\x01';

/// Offset just after the end of the text that starts at `from`; npos: it has none.
size_t TextEnd(std::string_view key, size_t from) {
  while (from < key.size()) {
    const void* zero = std::memchr(key.data() + from, 0, key.size() - from);
    if (zero == nullptr) return std::string_view::npos;
    const size_t at = static_cast<const char*>(zero) - key.data();
    if (at + 1 >= key.size()) return std::string_view::npos;
    if (key[at + 1] == kEnd) return at + 2;
    from = at + 2;
  }
  return std::string_view::npos;
}

std::string Plain(std::string_view text) {
  text.remove_suffix(2);
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    out.push_back(text[i]);
    if (text[i] == 0) ++i;
  }
  return out;
}

class RowPrefixTransform final : public rocksdb::SliceTransform {
 public:
  const char* Name() const override { return "fensi.RowPrefix"; }
  rocksdb::Slice Transform(const rocksdb::Slice& key) const override {
    return rocksdb::Slice(key.data(), TextEnd({key.data(), key.size()}, kTablePrefixBytes));
  }
  bool InDomain(const rocksdb::Slice& key) const override {
    return !key.empty() && key[0] == kCellEntry &&
           TextEnd({key.data(), key.size()}, kTablePrefixBytes) != std::string_view::npos;
  }
};

}  // namespace

std::string TablePrefix(uint32_t number) {
  std::string prefix(1, kCellEntry);
  for (int shift = 24; shift >= 0; shift -= 8) prefix.push_back(static_cast<char>(number >> shift));
  return prefix;
}

void AppendText(std::string_view bytes, std::string* out) {
  if (bytes.find('\0') == std::string_view::npos) {
    out->append(bytes);
  } else {
    for (char c : bytes) {
      out->push_back(c);
      if (c == 0) out->push_back(kEscapedZero);
    }
  }
  out->push_back('\0');
  out->push_back(kEnd);
}

std::string RowPrefix(std::string_view table_prefix, std::string_view row) {
  std::string prefix(table_prefix);
  AppendText(row, &prefix);
  return prefix;
}

void AppendCoordinates(const Cell& cell, std::string* out) {
  out->append(cell.family).push_back('\0');
  AppendText(cell.qualifier, out);
  AppendBigEndian64(~cell.timestamp, out);
  out->push_back(static_cast<char>(~static_cast<uint8_t>(cell.type)));
}

bool ParsedKey::Parse(std::string_view key) {
  if (key.size() < kTablePrefixBytes || key[0] != kCellEntry) return false;
  const size_t row_end = TextEnd(key, kTablePrefixBytes);
  if (row_end == std::string_view::npos) return false;
  const size_t family_end = key.find('\0', row_end);
  if (family_end == std::string_view::npos) return false;
  const size_t column_end = TextEnd(key, family_end + 1);
  if (column_end == std::string_view::npos || column_end + kPositionBytes != key.size()) return false;
  row_prefix_ = key.substr(0, row_end);
  column_prefix_ = key.substr(0, column_end);
  family_ = key.substr(row_end, family_end - row_end);
  qualifier_text_ = key.substr(family_end + 1, column_end - family_end - 1);
  timestamp_ = ~ReadBigEndian64(key.substr(column_end));
  type_ = static_cast<CellType>(static_cast<uint8_t>(~static_cast<uint8_t>(key.back())));
  return true;
}

std::string ParsedKey::Row() const { return Plain(row_prefix_.substr(kTablePrefixBytes)); }

std::string ParsedKey::Qualifier() const { return Plain(qualifier_text_); }

void EncodeValue(const Cell& cell, std::string* out) {
  out->clear();
  const std::string* ttl = TtlOf(cell);
  out->push_back(ttl == nullptr ? 0 : 1);
  if (ttl != nullptr) out->append(*ttl);
  out->append(cell.value);
}

StoredValue DecodeValue(std::string_view stored) {
  constexpr size_t kTtlBytes = 8;
  if (stored.empty()) return {};
  if (stored[0] == 0) return {std::nullopt, stored.substr(1)};
  if (stored.size() < 1 + kTtlBytes) return {};
  return {ReadBigEndian64(stored.substr(1)), stored.substr(1 + kTtlBytes)};
}

const rocksdb::SliceTransform* NewRowPrefixTransform() { return new RowPrefixTransform; }

}  // namespace fensi::store
