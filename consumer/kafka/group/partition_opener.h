// Finds out what an Opening needs: what the group committed, and where the logs of the stream and of the requests
// beside it begin and end.
//
// Belongs to the poll thread and never blocks it: each round of questions has a thread of its own, and the partitions
// of each leader are asked for together and apart from those of the others, so that a broker that is silent keeps only
// its own partitions closed. What failed is asked again, each partition after a growing pause of its own; what is not
// answered is asked again from the beginning, because another broker may lead by then, and is not given up, because
// brokers may be slow.
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
#include "consumer/change_source.h"
#include "consumer/kafka/deadline.h"
#include "consumer/kafka/group/inquiry.h"
#include "consumer/kafka/group/topics.h"
#include "consumer/kafka/topic_facts.h"

namespace fensi::consumer {

class PartitionOpener {
 public:
  struct Found {
    int32_t partition = 0;
    int32_t partition_count = 0;  // of the topic
    Opening opening;              // without its assignment
  };

  /// `longest`: the client's socket timeout.
  PartitionOpener(std::shared_ptr<rd_kafka_t> client, Topics topics, std::string group, Clock* clock,
                  std::chrono::milliseconds longest);

  /// Asks for those of `wanted` that are due, and returns what was found out since the last call.
  std::vector<Found> Turn(const std::vector<int32_t>& wanted);
  /// The assignment is another one: what is on its way is out of date.
  void Forget();
  /// Names each partition that cannot be opened now, with the reason; empty when there is none.
  std::string trouble() const;
  /// Ok, or why no partition can ever be opened: the broker refuses us, or compacts the topic, or the requests have
  /// other partitions than the stream.
  const Status& refusal() const { return refusal_; }

 private:
  /// What one request tells about all partitions that are wanted.
  struct Facts {
    TopicLayout layout;
    std::string cluster;                  // empty: it has no id
    std::optional<TopicLayout> requests;  // absent: no such topic
    Status requests_settings;             // kPermission: not told
    Commits committed;
  };
  using FactsAnswer = Result<Facts>;
  struct Wanted {
    std::optional<std::chrono::milliseconds> asked_at;  // first, and not answered
    std::map<Log, int64_t> questions;                   // the last of each log
    bool with_requests = false;
    bool requests_committed = false;
    std::string cluster;
    std::optional<Found> found;  // all but the requests
    std::optional<RequestLog> requests;
    Status failure;
    std::chrono::milliseconds pause{0};       // after the last failure
    std::chrono::milliseconds wait{0};        // for an answer, before the next question
    std::chrono::milliseconds not_before{0};  // of the next question
  };
  struct LeaderQuestion {
    int64_t number = 0;
    Log log = Log::kStream;
    int32_t partition_count = 0;
    std::map<int32_t, std::optional<int64_t>> committed;  // of the partitions that it is about
    Inquiry<LogRanges> inquiry;
  };

  static FactsAnswer AskFacts(rd_kafka_t* client, const Topics& topics, const std::string& group,
                              const std::vector<int32_t>& partitions, std::chrono::milliseconds timeout);
  static Status AskForRequests(rd_kafka_t* client, const Topics& topics, const Deadline& deadline, Facts* facts);
  void ChooseDue(const std::vector<int32_t>& wanted, const std::vector<Found>& found);
  void AskForFacts();
  void TakeFacts();
  Status FaultOfRequests(const Facts& facts);
  bool BelievesRequests(const Facts& facts);
  void AskLeaders(const Facts& facts);
  void AskLeader(Log log, std::map<int32_t, std::optional<int64_t>> committed, int32_t partition_count);
  std::string Reason(const Wanted& wanted) const;
  void TakeLogRanges(std::vector<Found>* found);
  void TakeAnswer(const LeaderQuestion& question, const LogRanges& answer, std::vector<Found>* found);
  bool IsFound(int32_t partition, std::vector<Found>* found);
  void Failed(int32_t partition, const Status& status);

  const std::shared_ptr<rd_kafka_t> client_;
  const Topics topics_;
  const std::string group_;
  Clock* const clock_;
  const std::chrono::milliseconds longest_;

  std::map<int32_t, Wanted> wanted_;  // by partition: those not found out about yet
  std::vector<int32_t> asked_;        // by facts_
  Inquiry<FactsAnswer> facts_;
  std::list<LeaderQuestion> leaders_;  // under way
  int64_t questions_ = 0;              // of leaders, ever
  std::optional<std::chrono::milliseconds> requests_missing_since_;
  bool requests_settings_told_ = false;
  Status refusal_;
};

}  // namespace fensi::consumer
