// Garbage among good messages, from a Kafka topic to the index: all good ones are applied, all bad ones are dead
// letters, and no good one is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "consumer/codec/event_codec.h"
#include "consumer/codec/mark_codec.h"
#include "consumer/codec/request.h"
#include "indexer/index_runner.h"
#include "tests/consumer/kafka/source_fixture.h"
#include "tests/indexer/support/refusing_store.h"
#include "tests/indexer/support/world.h"

namespace fensi::testing {
namespace {

using ::testing::UnorderedElementsAreArray;

ChangeEvent Follow(const std::string& row, const std::string& key, int64_t timestamp) {
  return {.table = "source",
          .row = row,
          .cells = {{.family = "f", .qualifier = "k", .timestamp = timestamp, .value = key}}};
}

struct Message {
  std::string key;
  std::string value;
};

Message Changed(const std::function<void(ChangeEvent*)>& change) {
  ChangeEvent event = Follow("row", "a", 5);
  change(&event);
  return {event.row, consumer::EncodeEvent(event)};
}

consumer::Request Recheck() {
  return {
      .kind = consumer::Request::Kind::kRecheck, .table = "source", .row = "row", .incarnation = "0123456789abcdef"};
}

std::vector<Message> Garbage() {
  const std::string good = consumer::EncodeEvent(Follow("row", "a", 5));
  const std::string next_version = good.substr(0, 1) + "\x02" + good.substr(2);
  return {{"row", ""},
          {"row", std::string("\xff\xfe\x00\x01garbage", 11)},
          {"row", good.substr(0, good.size() - 3)},
          {"row", R"({"table":"source","row":"row"})"},
          {"row", next_version},
          {"another row", good},
          {"row", consumer::EncodeRequest(Recheck())},
          {"row", consumer::EncodeMark({.complete_to = 5})},
          Changed([](ChangeEvent* event) { event->table.clear(); }),
          Changed([](ChangeEvent* event) { event->row.clear(); }),
          Changed([](ChangeEvent* event) { event->row.assign(32'768, 'r'); }),
          Changed([](ChangeEvent* event) { event->cells.clear(); }),
          Changed([](ChangeEvent* event) { event->cells[0].family.clear(); }),
          Changed([](ChangeEvent* event) { event->cells[0].timestamp = -1; }),
          Changed([](ChangeEvent* event) { event->cells[0].type = static_cast<CellType>(77); })};
}

class GarbageTest : public consumer::KafkaSourceTest {
 protected:
  static constexpr int kGood = 1000;

  GarbageTest() {
    MakeTopic(1);
    options_.until_end = true;
  }
  void ProduceGood(int i) {
    const ChangeEvent event = Follow("r" + std::to_string(i), "k" + std::to_string(i % 9), i + 1);
    world_.ApplyToSource(event);
    mock_.Produce("changes", 0, event.row, consumer::EncodeEvent(event));
  }
  Status Run() {
    const auto source = Source();
    const auto index = std::shared_ptr<const mapping::Index>(&world_.index(), [](const mapping::Index*) {});
    return indexer::IndexRunner(index, source.get(), &refusing_, world_.letters(), world_.clock(), {}).Run();
  }
  std::vector<std::string> LettersOriginals() {
    std::vector<std::string> originals;
    for (const consumer::DeadLetter& letter : letters()) originals.push_back(letter.original);
    return originals;
  }
  std::vector<consumer::DeadLetter> letters() { return world_.letters()->letters(); }

  World world_{ValueRule(), false};
  RefusingStore refusing_{world_.store()};
};

TEST_F(GarbageTest, IsInTheDeadLettersAndNothingElseIs) {
  const std::vector<Message> garbage = Garbage();
  std::vector<std::string> bad;
  for (int i = 0; i < kGood; ++i) {
    ProduceGood(i);
    if (i % 50 != 0 || bad.size() == garbage.size()) continue;
    const Message& message = garbage[bad.size()];
    mock_.Produce("changes", 0, message.key, message.value);
    bad.push_back(message.value);
  }
  mock_.Flush();
  ASSERT_EQ(bad.size(), garbage.size());
  const Status status = Run();
  ASSERT_TRUE(status.ok()) << status.ToString();
  std::printf("%zu kinds of garbage, %zu dead letters, %zu of %d good events applied\n", bad.size(), letters().size(),
              world_.Actual().size(), kGood);
  EXPECT_THAT(LettersOriginals(), UnorderedElementsAreArray(bad));
  EXPECT_EQ(world_.Actual().size(), static_cast<size_t>(kGood));
  EXPECT_EQ(world_.Difference(), "");
}

TEST_F(GarbageTest, MarksAreNone) {
  for (int i = 0; i < 20; ++i) {
    ProduceGood(i);
    mock_.Produce("changes", 0, "", consumer::EncodeMark({.complete_to = i}));
  }
  mock_.Flush();
  const Status status = Run();
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_TRUE(letters().empty());
  EXPECT_EQ(world_.Actual().size(), 20U);
  EXPECT_EQ(world_.Difference(), "");
}

TEST_F(GarbageTest, OneRowInAThousandThatTheStoreNeverTakesIsTheOnlyOneMissing) {
  for (int i = 0; i < kGood; ++i) {
    if (i != 617) {
      ProduceGood(i);
      continue;
    }
    const ChangeEvent event = Follow("refused", "k0", 5);
    mock_.Produce("changes", 0, event.row, consumer::EncodeEvent(event));
  }
  mock_.Flush();
  refusing_.Refuse("f", "refused");
  const Status status = Run();
  ASSERT_TRUE(status.ok()) << status.ToString();
  std::printf("%zu of %d applied, %zu dead letter\n", world_.Actual().size(), kGood, letters().size());
  EXPECT_EQ(world_.Actual().size(), static_cast<size_t>(kGood - 1));
  EXPECT_EQ(world_.Difference(), "");
  ASSERT_EQ(letters().size(), 1u);
  EXPECT_EQ(letters()[0].row, "refused");
  EXPECT_EQ(letters()[0].offset, 617);
}

}  // namespace
}  // namespace fensi::testing
