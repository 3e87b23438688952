// What is built of a stranger's bytes is bounded: memory and time of the worst inputs.
#include "operations/json/bounded_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

#include "operations/status/daemons.h"
#include "tests/support/matchers.h"
#include "tests/support/peak_memory.h"

namespace fensi::operations {
namespace {

constexpr size_t kBytes = size_t{32} << 20;
constexpr size_t kKilobytesOfAByte = 10;  // an answer may cost ten times its bytes

/// `unit` again and again between two texts, `bytes` in all.
std::string Repeat(const std::string& begin, const std::string& unit, const std::string& end, size_t bytes = kBytes) {
  std::string text = begin;
  while (text.size() + unit.size() + end.size() <= bytes) text += unit;
  return text + end;
}

std::string ManyKeys(size_t keys) {
  std::string text = "{";
  for (size_t i = 0; i < keys; ++i) text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
  return text + "}";
}

TEST(BoundedJsonTest, IsJsonWithinTheBoundsAndNothingBeyond) {
  const JsonBounds bounds{.values = 6, .depth = 2, .keys = 2};
  for (const char* good : {"{}", "[]", "1", R"({"a":[1,2],"b":0})", R"(["[[[[,,,,{{","\"[["])", "[1,2,3,4,5]"}) {
    const auto json = ParseBounded(good, bounds);
    ASSERT_TRUE(json) << good;
    EXPECT_EQ(*json, nlohmann::ordered_json::parse(good)) << good;
  }
  for (const char* bad : {"", "[", "]", "{]", "\"", "\"\\", "[[[0]]]", R"({"a":1,"b":2,"c":3})", "[1,2,3,4,5,6,7]"}) {
    EXPECT_FALSE(ParseBounded(bad, bounds)) << bad;
  }
}

TEST(BoundedJsonTest, TheWorstAnswersCostNoMoreThanTheirBytesAllow) {
  const std::string head = R"({"format":1,"process":{},"indexes":[)";
  const std::string keys = ManyKeys(256);
  const std::vector<std::pair<const char*, std::string>> worst = {
      {"lists in lists", Repeat("", "[", "")},
      {"objects in objects", Repeat("", "{\"\":", "")},
      {"zeroes", Repeat(head + "0", ",0", "]}")},
      {"texts", Repeat(head + "0", ",\"\"", "]}")},
      {"empty lists", Repeat(head + "0", ",[]", "]}")},
      {"as many values as are allowed", Repeat(head + "0", ",[\"012345678901234567890\"]", "]}")},
      {"keys of one object", ManyKeys(2'000'000)},
      {"keys of many objects", Repeat(head + keys, "," + keys, "]}")},
      {"one text", Repeat("\"", "x", "\"")},
      {"quotes", Repeat("\"", "\\\"", "\"")},
      {"numbers", Repeat(head + "0", ",1e999", "]}")}};
  for (const auto& [name, body] : worst) {
    const MemoryGrowth growth;
    const std::clock_t begin = std::clock();
    const bool taken = StatusIn(body).ok();
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("%s: %ld KiB more, %.2f s, %s\n", name, growth.Kilobytes(), seconds, taken ? "taken" : "refused");
    EXPECT_LT(growth.Kilobytes(), static_cast<long>(kBytes / 1024 * kKilobytesOfAByte)) << name;
    EXPECT_LT(seconds, 20) << name;
  }
}

TEST(BoundedJsonTest, ADaemonOfManyPartitionsIsWithinThem) {
  const std::string partition =
      R"({"partition":1234,"applied":123456789,"committed":null,"log_end":123456789,"lag_records":0,"lag_seconds":null,)"
      R"("queue_full":false,"state":""})";
  const std::string body =
      Repeat(R"({"format":1,"process":{},"indexes":[{"partitions":[)" + partition, "," + partition, "]}]}");
  const auto status = StatusIn(body);
  ASSERT_TRUE(status.ok()) << status.status().message();
  EXPECT_GT((*status)["indexes"][0]["partitions"].size(), 200'000u);
}

}  // namespace
}  // namespace fensi::operations
