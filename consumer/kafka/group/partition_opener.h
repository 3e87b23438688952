// Finds out what an Opening needs: what the group committed, and where the log begins and ends.
//
// Belongs to the poll thread and never blocks it: each round of questions has a thread of its own, and the partitions
// of each leader are asked for together and apart from those of the others, so that a broker that is silent keeps only
// its own partitions closed. What failed is asked again, each partition after a growing pause of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "consumer/kafka/group/inquiry.h"
#include "consumer/kafka/topic_facts.h"

namespace fensi::consumer {

class PartitionOpener {
 public:
  struct Found {
    int32_t partition = 0;
    int32_t partition_count = 0;  // of the topic
    std::optional<int64_t> committed;
    LogRange log;
  };

  /// `longest`: the client's socket timeout.
  PartitionOpener(std::shared_ptr<rd_kafka_t> client, std::string topic, std::string group, Clock* clock,
                  std::chrono::milliseconds longest);

  /// Asks for those of `wanted` that are due, and returns what was found out since the last call.
  std::vector<Found> Turn(const std::vector<int32_t>& wanted);
  /// The assignment is another one: what is on its way is out of date.
  void Forget();
  /// Names each partition that cannot be opened now, with the reason; empty when there is none.
  std::string trouble() const;
  /// Ok, or why no partition can ever be opened: the broker refuses us, or compacts the topic.
  const Status& refusal() const { return refusal_; }

 private:
  /// What one request tells about all partitions that are wanted.
  struct Facts {
    TopicLayout layout;
    std::map<int32_t, Result<std::optional<int64_t>>> committed;
  };
  using FactsAnswer = Result<Facts>;
  struct Wanted {
    std::optional<std::chrono::milliseconds> asked_at;  // and not answered
    std::optional<int64_t> committed;
    Status failure;
    std::chrono::milliseconds pause{0};
    std::chrono::milliseconds not_before{0};
  };
  struct LeaderQuestion {
    std::vector<int32_t> partitions;
    int32_t partition_count = 0;
    Inquiry<LogRanges> inquiry;
  };

  static FactsAnswer AskFacts(rd_kafka_t* client, const std::string& topic, const std::string& group,
                              const std::vector<int32_t>& partitions, std::chrono::milliseconds timeout);
  void ChooseDue(const std::vector<int32_t>& wanted, const std::vector<Found>& found);
  void AskForFacts();
  void TakeFacts();
  void AskLeaders(const Facts& facts);
  void AskLeader(std::vector<int32_t> partitions, int32_t partition_count);
  std::string Reason(const Wanted& wanted) const;
  void TakeLogRanges(std::vector<Found>* found);
  void Failed(int32_t partition, const Status& status);

  const std::shared_ptr<rd_kafka_t> client_;
  const std::string topic_;
  const std::string group_;
  Clock* const clock_;
  const std::chrono::milliseconds longest_;

  std::map<int32_t, Wanted> wanted_;  // by partition: those not found out about yet
  std::vector<int32_t> asked_;        // by facts_
  Inquiry<FactsAnswer> facts_;
  std::list<LeaderQuestion> leaders_;  // under way
  Status refusal_;
};

}  // namespace fensi::consumer
