#include "store/embedded/key_codec.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/bytes.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

std::string KeyOf(const std::string& row, const Cell& cell) {
  std::string key = RowPrefix(TablePrefix(1), row);
  AppendCoordinates(cell, &key);
  return key;
}

TEST(KeyCodec, GivesBackWhatWasEncoded) {
  const std::string odd("\x00\x01\x00\xff\x00", 5);
  for (const std::string& bytes : {std::string("plain"), odd, std::string(1, '\0'), std::string("\xff")}) {
    Cell cell = Marker(CellType::kDeleteColumn, "f", INT64_MAX - 1);
    cell.qualifier = bytes;
    const std::string text = KeyOf(bytes, cell);
    ParsedKey key;
    ASSERT_TRUE(key.Parse(text)) << Escape(text);
    EXPECT_EQ(key.Row(), bytes);
    EXPECT_EQ(key.family(), "f");
    EXPECT_EQ(key.Qualifier(), bytes);
    EXPECT_EQ(key.timestamp(), INT64_MAX - 1);
    EXPECT_EQ(key.type(), CellType::kDeleteColumn);
  }
}

TEST(KeyCodec, SortsAsHBaseSorts) {
  const std::vector<std::string> ordered = {
      KeyOf("a", Marker(CellType::kDeleteFamily, "f", 9)),
      KeyOf("a", PutCell("f:", 8, "")),
      KeyOf("a", PutCell("f:a", 9, "")),
      KeyOf("a", Marker(CellType::kDeleteColumn, "f:a", 8)),
      KeyOf("a", Marker(CellType::kDelete, "f:a", 8)),
      KeyOf("a", PutCell("f:a", 8, "")),
      KeyOf("a", PutCell("f:a", 0, "")),
      KeyOf("a", PutCell(std::string("f:a\0", 4), 9, "")),
      KeyOf("a", PutCell("f:aa", 9, "")),
      KeyOf("a", PutCell("f1:a", 9, "")),
      KeyOf(std::string("a\0", 2), PutCell("f:a", 9, "")),
      KeyOf("a\x01", PutCell("f:a", 9, "")),
  };
  EXPECT_TRUE(std::is_sorted(ordered.begin(), ordered.end()));
}

TEST(KeyCodec, RefusesWhatIsNoCell) {
  const std::string good = KeyOf("r", PutCell("f:q", 1, ""));
  ParsedKey key;
  for (size_t size = 0; size < good.size(); ++size) EXPECT_FALSE(key.Parse(std::string_view(good).substr(0, size)));
  EXPECT_FALSE(key.Parse(good + "x"));
}

TEST(KeyCodec, KeepsTheTtlBesideTheValue) {
  std::string stored;
  EncodeValue(Expiring(PutCell("f:q", 1, "value"), 77), &stored);
  EXPECT_EQ(DecodeValue(stored).ttl_millis, 77);
  EXPECT_EQ(DecodeValue(stored).value, "value");
  EncodeValue(PutCell("f:q", 1, ""), &stored);
  EXPECT_FALSE(DecodeValue(stored).ttl_millis.has_value());
  EXPECT_EQ(DecodeValue(stored).value, "");
}

}  // namespace
}  // namespace fensi::store
