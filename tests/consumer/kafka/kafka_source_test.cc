#include "consumer/kafka/kafka_source.h"

#include "consumer/codec/event_codec.h"
#include "tests/consumer/kafka/source_fixture.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

TEST_F(KafkaSourceTest, HandsOutEveryPartitionInOrderOnceAndEnds) {
  MakeTopic(3);
  for (int32_t partition = 0; partition < 3; ++partition) Fill(partition, 2000);
  options_.until_end = true;
  options_.max_batch_records = 70;
  const auto source = Source();
  {
    Worker a(source.get());
    Worker b(source.get());
    EXPECT_TRUE(a.Join().ok());
    EXPECT_TRUE(b.Join().ok());
    EXPECT_EQ(a.records() + b.records(), 6000u);
  }
  EXPECT_EQ(source->progress().records_left, 0);
  EXPECT_TRUE(source->Close().ok());
}

TEST_F(KafkaSourceTest, GoesOnAfterTheCommitOfTheSourceBefore) {
  MakeTopic(1);
  Fill(0, 10);
  options_.until_end = true;
  {
    const auto source = Source();
    EXPECT_TRUE(Worker(source.get()).Join().ok());
    EXPECT_TRUE(source->Close().ok());
  }
  Fill(0, 5);
  const auto source = Source();
  const Opening opening = NextThatIs<Opening>(source.get());
  EXPECT_EQ(opening.committed, 10);
  EXPECT_EQ(opening.log_end, 15);
  ASSERT_TRUE(source->Begin(opening.assignment, 10).ok());
  Worker worker(source.get());
  EXPECT_TRUE(worker.Join().ok());
  EXPECT_EQ(worker.rows(0), Numbers(5, 10));
}

TEST_F(KafkaSourceTest, ABatchThatWasNotDoneComesAgain) {
  MakeTopic(1);
  Fill(0, 10);
  options_.max_batch_records = 4;
  int64_t committed = 0;
  {
    const auto source = Source();
    const Batch done = std::get<Batch>(NextBatch(source.get()));
    source->Done(done);
    const Batch in_hand = std::get<Batch>(NextBatch(source.get()));
    EXPECT_EQ(in_hand.records[0].offset, done.next_offset);
    EXPECT_TRUE(source->Close().ok());
    committed = done.next_offset;
  }
  EXPECT_EQ(Committed(), std::vector<int64_t>{committed});
}

TEST_F(KafkaSourceTest, APartitionThatBeginsLateDisturbsNoOther) {
  MakeTopic(2);
  Fill(0, 500);
  Fill(1, 500);
  const auto source = Source();
  const Opening late = NextThatIs<Opening>(source.get());
  Worker worker(source.get());
  ASSERT_TRUE(Eventually([&] { return worker.records() == 500; }));
  ASSERT_TRUE(source->Begin(late.assignment, 0).ok());
  Fill(0, 500);
  Fill(1, 500);
  ASSERT_TRUE(Eventually([&] { return worker.records() >= 2000; }));
  EXPECT_EQ(worker.rows(0), Numbers(1000));
  EXPECT_EQ(worker.rows(1), Numbers(1000));
}

TEST_F(KafkaSourceTest, ABrokenMessageIsARecordWithItsBytes) {
  MakeTopic(1);
  mock_.Produce("changes", 0, "k", "no event");
  mock_.Flush();
  const auto source = Source();
  const Batch batch = std::get<Batch>(NextBatch(source.get()));
  EXPECT_EQ(batch.records[0].decoded.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(batch.records[0].key, "k");
  EXPECT_EQ(batch.records[0].value, "no event");
  EXPECT_GT(batch.records[0].message_time, 0);
  EXPECT_FALSE(batch.records[0].old);
}

TEST_F(KafkaSourceTest, AMarkIsNoRecordButOneThatIsImpossibleIsALetter) {
  MakeTopic(1);
  const Mark mark{.calls = {{"a,1,2", 5, 6}}, .members = {"a,1,2"}, .members_time = 7};
  mock_.Produce("changes", 0, "", EncodeMark(mark));
  mock_.Produce("changes", 0, "", EncodeMark({.calls = {{"a,1,2", 6, 5}}}));
  mock_.Flush();
  const auto source = Source();
  std::vector<Mark> marks;
  std::vector<StatusCode> letters;
  for (Batch batch = std::get<Batch>(NextBatch(source.get()));; batch = NextThatIs<Batch>(source.get())) {
    marks.insert(marks.end(), batch.marks.begin(), batch.marks.end());
    for (const Record& record : batch.records) letters.push_back(record.decoded.code());
    if (batch.next_offset == 2) break;
    source->Done(batch);
  }
  EXPECT_EQ(marks, std::vector<Mark>{mark});
  EXPECT_EQ(letters, std::vector<StatusCode>{StatusCode::kInvalidArgument});
}

TEST_F(KafkaSourceTest, MarksAloneAreABatch) {
  MakeTopic(1);
  mock_.Produce("changes", 0, "", EncodeMark({.complete_to = 5}));
  mock_.Flush();
  const auto source = Source();
  const Batch batch = std::get<Batch>(NextBatch(source.get()));
  EXPECT_EQ(batch.marks.size(), 1u);
  EXPECT_TRUE(batch.records.empty());
  source->Done(batch);
  EXPECT_TRUE(source->Close().ok());
  EXPECT_EQ(Committed(), std::vector<int64_t>{1});
}

TEST_F(KafkaSourceTest, AMutationThatCameInPartsIsARecordWithTheBytesOfTheWhole) {
  MakeTopic(1);
  ChangeEvent whole{.table = "t", .row = "r", .sequence_id = 1};
  EventEncoder encoder;
  std::string value;
  for (uint32_t part = 1; part <= 3; ++part) {
    ChangeEvent some = whole;
    some.cells = {{.family = "f", .qualifier = std::to_string(part), .timestamp = 1, .value = "v"}};
    encoder.Encode(some, {part, 3}, &value);
    mock_.Produce("changes", 0, "r", value);
  }
  for (int i = 1; i <= 3; ++i) {
    whole.cells.push_back({.family = "f", .qualifier = std::to_string(i), .timestamp = 1, .value = "v"});
  }
  mock_.Flush();
  options_.until_end = true;
  const auto source = Source();
  const Batch batch = std::get<Batch>(NextBatch(source.get()));
  ASSERT_EQ(batch.records.size(), 1u);
  EXPECT_EQ(batch.records[0].event, whole);
  ChangeEvent again;
  ASSERT_TRUE(EventCodec().Decode(batch.records[0].value, &again).ok());
  EXPECT_EQ(again, whole);
}

TEST_F(KafkaSourceTest, HoldsLittleMoreThanItsBoundWhileAWorkerIsBlockedAndKeepsItsPartitions) {
  MakeTopic(2);
  const std::string value(20'000, 'v');
  for (int i = 0; i < 400; ++i) mock_.Produce("changes", i % 2, "k", value);
  mock_.Flush();
  options_.max_queued_bytes = 2 << 20;
  const auto source = Source();
  const Batch blocked = std::get<Batch>(NextBatch(source.get()));
  size_t most = 0;
  const auto until = std::chrono::steady_clock::now() + options_.session_timeout + milliseconds(1000);
  while (std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(milliseconds(1));
    most = std::max(most, source->held_bytes());
    ASSERT_TRUE(blocked.assignment->Check().ok()) << "a slow store costs no membership";
  }
  EXPECT_LT(most, (1u << 20) + 2 * 21'000);
  source->Done(blocked);
  Worker worker(source.get());
  EXPECT_TRUE(Eventually([&] { return source->progress().records == 400; }));
  EXPECT_EQ(worker.records() + blocked.records.size(), 400u) << "nothing was read again or left out";
}

TEST_F(KafkaSourceTest, StopUnderLoadEndsAndCommitsWhatIsDone) {
  MakeTopic(2);
  Fill(0, 3000);
  Fill(1, 3000);
  options_.max_batch_records = 10;
  int64_t done = 0;
  {
    const auto source = Source();
    std::atomic<int> batches = 0;
    // By the worker itself: there is more to do then, however fast it is.
    Worker worker(source.get(), [&](const Batch&) {
      if (++batches == 10) source->Stop();
    });
    EXPECT_TRUE(worker.Join().ok());
    EXPECT_TRUE(source->Close().ok());
    done = source->progress().records;
    EXPECT_GT(done, 0);
    EXPECT_LT(done, 6000);
  }
  const std::vector<int64_t> committed = Committed();
  EXPECT_EQ(std::max<int64_t>(0, committed[0]) + std::max<int64_t>(0, committed[1]), done);
}

TEST_F(KafkaSourceTest, ATopicOfTheProxyGivesOneBatchAtATime) {
  MakeTopic(2);
  mock_.Produce("changes", 0, "", "no event");
  mock_.Produce("changes", 1, "", "no event");
  mock_.Flush();
  options_.format = Format::kHBaseKafkaProxy;
  options_.until_end = true;
  const auto source = Source();
  std::atomic<int> in_hand = 0;
  std::atomic<int> most = 0;
  const auto count = [&](const Batch&) {
    most = std::max(most.load(), ++in_hand);
    std::this_thread::yield();
    --in_hand;
  };
  Worker a(source.get(), count);
  Worker b(source.get(), count);
  EXPECT_TRUE(a.Join().ok());
  EXPECT_TRUE(b.Join().ok());
  EXPECT_EQ(most, 1);
}

}  // namespace
}  // namespace fensi::consumer
