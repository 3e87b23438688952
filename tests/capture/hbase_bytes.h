// Bytes as a region server sends them, built by hand from HBase's formats.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/cell.h"

namespace fensi::capture {

inline std::string FromHex(const std::string& hex) {
  std::string bytes;
  std::string digits;
  for (const char c : hex) {
    if (c != ' ') digits += c;
  }
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

inline std::string BigEndian(uint64_t number, int bytes) {
  std::string text;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) text += static_cast<char>(number >> shift & 0xff);
  return text;
}

/// A KeyValue of HBase, with tags only where there are some.
inline std::string CellBytes(const std::string& row, const Cell& cell) {
  const std::string key = BigEndian(row.size(), 2) + row + BigEndian(cell.family.size(), 1) + cell.family +
                          cell.qualifier + BigEndian(static_cast<uint64_t>(cell.timestamp), 8) +
                          BigEndian(static_cast<uint64_t>(cell.type), 1);
  std::string tags;
  for (const Tag& tag : cell.tags) tags += BigEndian(tag.value.size() + 1, 2) + BigEndian(tag.type, 1) + tag.value;
  if (!tags.empty()) tags = BigEndian(tags.size(), 2) + tags;
  const std::string body = BigEndian(key.size(), 4) + BigEndian(cell.value.size(), 4) + key + cell.value + tags;
  return BigEndian(body.size(), 4) + body;
}

inline std::string Varint(uint64_t number) {
  std::string bytes;
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>(number | 0x80);
  return bytes + static_cast<char>(number);
}
/// A protobuf field of wire type 2, and one of wire type 0.
inline std::string BytesField(int number, const std::string& value) {
  return Varint(static_cast<uint64_t>(number) << 3 | 2) + Varint(value.size()) + value;
}
inline std::string NumberField(int number, uint64_t value) {
  return Varint(static_cast<uint64_t>(number) << 3) + Varint(value);
}

struct RowCell {
  std::string row;
  Cell cell;
};

struct Entry {
  std::string table = "guanzhu";
  std::string region = "0123456789abcdef0123456789abcdef";
  uint64_t sequence_id = 7;
  int64_t write_time = 1'700'000'000'000;
  std::vector<RowCell> cells;
  struct Uuid {
    uint64_t most = 2, least = 1;
  } source;
};

inline std::string RequestBytes(const std::vector<Entry>& entries) {
  std::string request;
  for (const Entry& entry : entries) {
    const std::string scope = BytesField(1, "f1") + NumberField(2, 1);
    const std::string cluster = NumberField(1, entry.source.least) + NumberField(2, entry.source.most);
    const std::string key =
        BytesField(1, entry.region) + BytesField(2, entry.table) + NumberField(3, entry.sequence_id) +
        NumberField(4, static_cast<uint64_t>(entry.write_time)) + BytesField(6, scope) + BytesField(8, cluster);
    request += BytesField(1, BytesField(1, key) + NumberField(3, entry.cells.size()));
  }
  return request + BytesField(2, "") + BytesField(3, "file:/hbase/data") + BytesField(4, "file:/hbase/archive");
}

inline std::string CellBlock(const std::vector<Entry>& entries) {
  std::string block;
  for (const Entry& entry : entries) {
    for (const RowCell& cell : entry.cells) block += CellBytes(cell.row, cell.cell);
  }
  return block;
}

inline std::string Delimited(const std::string& message) { return Varint(message.size()) + message; }

/// A frame with its length in front.
inline std::string CallBytes(uint32_t call_id, const std::string& request, const std::string& cells,
                             const std::string& method = "ReplicateWALEntry", uint32_t timeout_ms = 60'000) {
  const std::string header = NumberField(1, call_id) + BytesField(2, "") + BytesField(3, method) + NumberField(4, 1) +
                             BytesField(5, NumberField(1, cells.size())) + NumberField(6, 0) +
                             NumberField(7, timeout_ms);
  const std::string body = Delimited(header) + Delimited(request) + cells;
  return BigEndian(body.size(), 4) + body;
}
inline std::string CallBytes(uint32_t call_id, const std::vector<Entry>& entries) {
  return CallBytes(call_id, RequestBytes(entries), CellBlock(entries));
}

inline std::string PreambleBytes() { return FromHex("48426173 00 50"); }

/// A ConnectionHeader with its length in front.
inline std::string ConnectionHeaderBytes(
    const std::string& codec = "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags",
    const std::string& service = "AdminService", const std::string& compressor = "") {
  std::string header = BytesField(1, BytesField(1, "hbase")) + BytesField(2, service) + BytesField(3, codec);
  if (!compressor.empty()) header += BytesField(4, compressor);
  header += BytesField(5, BytesField(1, "2.6.1"));
  return BigEndian(header.size(), 4) + header;
}

inline Cell Put(const std::string& qualifier, const std::string& value, int64_t timestamp = 1) {
  return {.family = "f1", .qualifier = qualifier, .timestamp = timestamp, .value = value};
}

}  // namespace fensi::capture
