// A mock cluster with one topic, and consumers on it, for tests that speak of rows and partitions.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "consumer/kafka/kafka_source.h"
#include "tests/consumer/kafka/mock_cluster.h"
#include "tests/doubles/fake_clock.h"
#include "tests/support/eventually.h"

namespace fensi::consumer {

class KafkaSourceTest : public ::testing::Test {
 protected:
  explicit KafkaSourceTest(int brokers = 1) : mock_(brokers) { options_ = Options("g"); }

  KafkaSourceOptions Options(const std::string& group);
  void MakeTopic(int partitions) { mock_.CreateTopic("changes", partitions); }
  /// Events 0 … count-1 of a partition have rows "0" …, after those that were there before.
  void Fill(int32_t partition, int64_t count);
  std::unique_ptr<KafkaSource> Source() { return Source(options_); }
  static std::unique_ptr<KafkaSource> Source(const KafkaSourceOptions& options);

  /// As Eventually, for what waits for the group: when the machine stands still the mock forgets who is about to join,
  /// and the client waits five minutes for the answer; on a new connection it asks again.
  bool EventuallyInGroup(const std::function<bool()>& condition);

  /// What the group has committed, by partition; -1: nothing.
  std::vector<int64_t> Committed(const std::string& group = "g") const;

  MockCluster mock_;
  SkippingClock clock_;
  KafkaSourceOptions options_;
  std::map<int32_t, int64_t> filled_;
};

/// Next until it is a Batch or an End; begins partitions at their commit, or at the log's start.
Work NextBatch(KafkaSource* source);

/// The next work, which must be a T. That a first commit was made is told at any time, and is passed over.
template <class T>
T NextThatIs(KafkaSource* source) {
  Work work = source->Next();
  while (std::holds_alternative<Committed>(work)) work = source->Next();
  return std::get<T>(std::move(work));
}

/// Begins it where nothing is done yet: the requests at their log's start, the stream at its commit or its log's start.
Status BeginAll(KafkaSource* source, const Opening& opening);

/// Works on a source in a thread of its own until it ends.
class Worker {
 public:
  /// `before_done` runs with each batch in hand.
  explicit Worker(KafkaSource* source, std::function<void(const Batch&)> before_done = nullptr);
  ~Worker();

  /// Rows of a partition in the order in which they were done, every time.
  std::vector<std::string> rows(int32_t partition) const;
  size_t records() const;
  bool ended() const { return ended_; }
  /// Rows of requests and of events in the order in which they were handed out, requests as "?ROW".
  std::vector<std::string> both(int32_t partition) const;
  /// Partitions that were opened, with repetitions.
  std::vector<int32_t> opened() const;
  /// Waits for the end.
  Status Join();

 private:
  void Run();

  KafkaSource* const source_;
  const std::function<void(const Batch&)> before_done_;
  mutable std::mutex mu_;
  std::map<int32_t, std::vector<std::string>> rows_;  // guarded by mu_
  std::map<int32_t, std::vector<std::string>> both_;  // guarded by mu_
  std::vector<int32_t> opened_;                       // guarded by mu_
  Status end_;                                        // guarded by mu_
  std::atomic<bool> ended_ = false;
  std::thread thread_;
};

/// "" when rows count up from 0 to count-1 with nothing left out; they may go back, as after a redo.
std::string WhatIsLeftOut(const std::vector<std::string>& rows, int64_t count);

/// "0" … "count-1".
std::vector<std::string> Numbers(int64_t count, int64_t from = 0);

}  // namespace fensi::consumer
