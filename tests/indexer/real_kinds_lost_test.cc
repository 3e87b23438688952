// Deletes whose kind is lost, on real servers: every mutation goes to the source table and, as the Apache HBase Kafka
// proxy writes it, to a topic; the index is kept by reading the source.
#include <gtest/gtest.h>

#include "consumer/kafka/client/topic_admin.h"
#include "consumer/kafka/kafka_source.h"
#include "consumer/kafka/producer/event_producer.h"
#include "indexer/index_runner.h"
#include "tests/indexer/support/real_world.h"
#include "tests/indexer/support/world.h"

namespace fensi::testing {
namespace {

using std::chrono::seconds;

/// Avro's binary encoding (Avro 1.11 specification, "Binary Encoding") of the proxy's record.
class AvroRecord {
 public:
  explicit AvroRecord(const ChangeEvent& event) {
    const Cell& cell = event.cells.front();
    Bytes(event.row);
    Long(cell.timestamp);
    text_ += static_cast<char>(cell.type != CellType::kPut);
    for (const std::string& bytes : {cell.value, cell.qualifier, cell.family, event.table}) Bytes(bytes);
  }
  const std::string& text() const { return text_; }

 private:
  void Long(int64_t value) {
    auto bits = (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
    for (; bits >= 0x80; bits >>= 7) text_ += static_cast<char>(bits | 0x80);
    text_ += static_cast<char>(bits);
  }
  void Bytes(const std::string& bytes) {
    Long(static_cast<int64_t>(bytes.size()));
    text_ += bytes;
  }

  std::string text_;
};

/// The proxy's topic of one table. Message keys say nothing of the row, and HBase's sequence is lost: one partition, so
/// that two puts of one millisecond keep their order.
class ProxyTopic {
 public:
  explicit ProxyTopic(const std::string& table)
      : cluster_{.brokers = FromEnvironment("FENSI_TEST_KAFKA")}, name_(table + ".proxy") {
    auto admin = consumer::TopicAdmin::Create(cluster_, seconds(60));
    Must(admin.status());
    Must((*admin)->CreateTopic({name_, 1, 1, {}}));
    auto producer = consumer::EventProducer::Create({.cluster = cluster_});
    Must(producer.status());
    producer_ = std::move(*producer);
  }

  void Publish(const std::vector<ChangeEvent>& stream) {
    for (const ChangeEvent& event : stream) {
      Must(producer_->Send(name_, std::to_string(sent_++), AvroRecord(event).text()));
    }
    Must(producer_->Flush());
  }

  std::unique_ptr<consumer::KafkaSource> Source() const {
    consumer::KafkaSourceOptions options{.cluster = cluster_, .topic = name_, .group = name_};
    options.format = consumer::Format::kHBaseKafkaProxy;
    options.until_end = true;
    auto source = consumer::KafkaSource::Create(options);
    Must(source.status());
    return std::move(*source);
  }

 private:
  const consumer::KafkaCluster cluster_;
  const std::string name_;
  std::unique_ptr<consumer::EventProducer> producer_;
  int sent_ = 0;
};

class RealKindsLost : public ::testing::TestWithParam<int> {};

TEST_P(RealKindsLost, EndExactByReadingTheSource) {
  RealWorld world(AllRules()[static_cast<size_t>(GetParam())], "proxy_",
                  20'161'219 + static_cast<uint64_t>(GetParam()));
  ProxyTopic topic(world.Source());
  consumer::MemoryDeadLetters letters;
  int64_t source_reads = 0;
  for (int part = 0; part < 2; ++part) {
    topic.Publish(world.Write(6, 1));
    const auto source = topic.Source();
    indexer::IndexRunner runner(world.index(), source.get(), world.store(), &letters, SystemClock(), {});
    Must(runner.Run());
    source_reads += runner.counts().source_reads;
    ASSERT_EQ(world.IndexDifference(), "");
    world.Compact();
    ASSERT_EQ(world.IndexDifference(), "") << "after a major compaction";
  }
  EXPECT_GT(source_reads, 0);
  EXPECT_TRUE(letters.letters().empty());
  std::printf("%d histories, %zu events, %lld reads of the source: 0 missing, 0 orphaned, 0 wrong\n",
              RealWorld::kHistories, world.events(), static_cast<long long>(source_reads));
}

INSTANTIATE_TEST_SUITE_P(Rules, RealKindsLost, ::testing::Range(0, static_cast<int>(AllRules().size())));

}  // namespace
}  // namespace fensi::testing
