#include "hbase/wire/cell_writer.h"

#include <cstdint>
#include <cstring>

namespace fensi::hbase {
namespace {

constexpr size_t kFixedBytes = 4 + 4;        // lengths of key and value
constexpr size_t kKeyFixed = 2 + 1 + 8 + 1;  // lengths of row and family, timestamp, type
constexpr size_t kCellLengthBytes = 4;

template <typename Number>
char* WriteNumber(Number number, size_t width, char* to) {
  const auto bits = static_cast<uint64_t>(number);
  for (size_t i = 0; i < width; ++i) to[i] = static_cast<char>(bits >> (8 * (width - 1 - i)) & 0xff);
  return to + width;
}

char* WriteBytes(std::string_view bytes, char* to) {
  if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
  return to + bytes.size();
}

size_t KeyBytes(std::string_view row, const Cell& cell) {
  return kKeyFixed + row.size() + cell.family.size() + cell.qualifier.size();
}

}  // namespace

size_t WrittenBytes(std::string_view row, const Cell& cell) {
  return kCellLengthBytes + kFixedBytes + KeyBytes(row, cell) + cell.value.size();
}

char* WriteCell(std::string_view row, const Cell& cell, char* to) {
  const size_t key = KeyBytes(row, cell);
  to = WriteNumber(kFixedBytes + key + cell.value.size(), 4, to);
  to = WriteNumber(key, 4, to);
  to = WriteNumber(cell.value.size(), 4, to);
  to = WriteNumber(row.size(), 2, to);
  to = WriteBytes(row, to);
  to = WriteNumber(cell.family.size(), 1, to);
  to = WriteBytes(cell.family, to);
  to = WriteBytes(cell.qualifier, to);
  to = WriteNumber(cell.timestamp, 8, to);
  to = WriteNumber(static_cast<uint8_t>(cell.type), 1, to);
  return WriteBytes(cell.value, to);
}

}  // namespace fensi::hbase
