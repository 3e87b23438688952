#include "daemon/log/log_line.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace fensi::daemon {
namespace {

using nlohmann::json;

constexpr int64_t kTime = 1'769'860'800'123;  // 2026-01-31T12:00:00.123Z

LogLine Line(Event event, const std::string& message) { return {.event = event, .message = message, .time = kTime}; }

TEST(LogLineTest, TextIsTimeLevelAndMessage) {
  EXPECT_EQ(TextOf(Line("stopping", "so be it")), "2026-01-31T12:00:00.123Z so be it\n");
  EXPECT_EQ(TextOf(Line("table_emptied", "so be it")), "2026-01-31T12:00:00.123Z warning: so be it\n");
  EXPECT_EQ(TextOf(Line("index_stopped", "so be it")), "2026-01-31T12:00:00.123Z error: so be it\n");
  EXPECT_EQ(TextOf(Line("kafka_client", "so be it")), "2026-01-31T12:00:00.123Z debug: so be it\n");
}

TEST(LogLineTest, TextSaysHowOftenTheLineCame) {
  LogLine line = Line("stopping", "so be it");
  line.repeated = 1;
  EXPECT_EQ(TextOf(line), "2026-01-31T12:00:00.123Z so be it (1 time since the last one)\n");
  line.repeated = 1234;
  EXPECT_EQ(TextOf(line), "2026-01-31T12:00:00.123Z so be it (1,234 times since the last one)\n");
}

TEST(LogLineTest, TextNeitherSteersATerminalNorPassesForTwoLines) {
  EXPECT_EQ(TextOf(Line("stopping", "a\x1b[2J\nb")), "2026-01-31T12:00:00.123Z a?[2J\n  b\n");
}

TEST(LogLineTest, AMessageThatGlogWouldCutIsCutAndSaysSo) {
  const std::string cut = std::string(kMostMessageBytes, 'x') + " … (2 bytes more)";
  EXPECT_EQ(TextOf(Line("stopping", std::string(kMostMessageBytes + 2, 'x'))),
            "2026-01-31T12:00:00.123Z " + cut + "\n");
  EXPECT_EQ(json::parse(JsonOf(Line("stopping", std::string(kMostMessageBytes + 2, 'x'))))["message"], cut);
  EXPECT_LT(JsonOf(Line("stopping", std::string(kMostMessageBytes, '\x01'))).size(), 30'000u);
}

TEST(LogLineTest, JsonHasWhatIsSetInTheOrderOfThePage) {
  LogLine line = Line("index_stopped", "why");
  EXPECT_EQ(JsonOf(line),
            R"({"time":"2026-01-31T12:00:00.123Z","level":"error","event":"index_stopped","message":"why"})"
            "\n");
  line.fields = {
      .index = "i", .topic = "t", .partition = 0, .offset = 42, .table = "ns:t", .server = "h:1", .code = "gap"};
  line.repeated = 7;
  EXPECT_EQ(JsonOf(line),
            R"({"time":"2026-01-31T12:00:00.123Z","level":"error","event":"index_stopped","message":"why","index":"i",)"
            R"("topic":"t","partition":0,"offset":42,"table":"ns:t","server":"h:1","code":"gap","repeated":7})"
            "\n");
}

TEST(LogLineTest, JsonIsOneValidObjectInALineWhateverTheBytes) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes(random() % 40, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    LogLine line = Line("progress", bytes);
    line.fields.server = bytes;
    const std::string text = JsonOf(line);
    ASSERT_EQ(text.find('\n'), text.size() - 1);
    const json parsed = json::parse(text, nullptr, /*allow_exceptions=*/false);
    ASSERT_TRUE(parsed.is_object()) << text;
    ASSERT_TRUE(parsed["message"].is_string());
    for (const unsigned char c : text.substr(0, text.size() - 1)) ASSERT_GE(c, 0x20);
  }
}

}  // namespace
}  // namespace fensi::daemon
