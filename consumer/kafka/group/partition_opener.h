// Collects what an Opening needs: the group's commits, and the beginnings and ends of the logs of the stream and of the
// requests beside it.
//
// Used by the poll thread and never blocks it: each round of queries has a thread of its own, and the partitions of
// each leader are queried together and apart from those of other leaders, so that a silent broker keeps only its own
// partitions closed. A failed query is repeated, each partition after a growing pause of its own. A query without an
// answer is repeated from the beginning, because another broker may lead by then, and is not cancelled, because brokers
// may be slow.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "consumer/change_source.h"
#include "consumer/kafka/client/handles.h"
#include "consumer/kafka/client/topic_facts.h"
#include "consumer/kafka/group/coordinator_contact.h"

namespace fensi::consumer {

/// The names of the topics that a source reads, and the group's commits of them.
struct Topics {
  std::string stream;
  std::string requests;  // empty: none

  const std::string& of(Log log) const { return log == Log::kStream ? stream : requests; }
  Log LogOf(std::string_view topic) const { return topic == stream ? Log::kStream : Log::kRequests; }
  /// Lists each log in its topic.
  PartitionsHandle List(const std::vector<PartitionOffset>& places) const {
    PartitionsHandle list(rd_kafka_topic_partition_list_new(static_cast<int>(places.size())));
    for (const PartitionOffset& place : places) {
      rd_kafka_topic_partition_list_add(list.get(), of(place.log).c_str(), place.partition)->offset = place.offset;
    }
    return list;
  }
  PartitionsHandle List(const std::vector<LogId>& logs) const {
    PartitionsHandle list(rd_kafka_topic_partition_list_new(static_cast<int>(logs.size())));
    for (const LogId& log : logs) rd_kafka_topic_partition_list_add(list.get(), of(log.log).c_str(), log.partition);
    return list;
  }
};

/// The group's commit of each log; absent: none. Not ok: unknown for all, or for one log.
using Commits = std::map<LogId, Result<std::optional<int64_t>>>;
Result<Commits> AskCommits(rd_kafka_t* client, const Topics& topics, const std::string& group,
                           const std::vector<LogId>& logs, std::chrono::milliseconds timeout);

// Collects what an Opening needs.

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

  /// Queries those of `wanted` that are due, and returns the results since the last call.
  std::vector<Found> Turn(const std::vector<int32_t>& wanted);
  /// The assignment has changed: queries in flight are obsolete.
  void Forget();
  /// Names each partition that cannot be opened now, with the reason; empty: none.
  std::string trouble() const;
  /// Ok, or why no partition can ever be opened: the broker refuses us, or the topic is compacted, or the requests have
  /// other partition counts than the stream.
  const Status& refusal() const { return refusal_; }

 private:
  /// The results of one query about all wanted partitions.
  struct Facts {
    TopicLayout layout;
    std::string cluster;                  // empty: it has no id
    std::optional<TopicLayout> requests;  // absent: no such topic
    Status requests_settings;             // kPermission: unknown
    Commits committed;
  };
  using FactsAnswer = Result<Facts>;
  struct Wanted {
    std::optional<std::chrono::milliseconds> asked_at;  // time of the first query without an answer
    std::map<Log, int64_t> questions;                   // last query of each log
    bool with_requests = false;
    bool requests_committed = false;
    std::string cluster;
    std::optional<Found> found;  // everything but the requests
    std::optional<RequestLog> requests;
    Status failure;
    std::chrono::milliseconds pause{0};       // after the last failure
    std::chrono::milliseconds wait{0};        // for an answer, before the next query
    std::chrono::milliseconds not_before{0};  // time of the next query
  };
  struct LeaderQuestion {
    int64_t number = 0;
    Log log = Log::kStream;
    int32_t partition_count = 0;
    std::map<int32_t, std::optional<int64_t>> committed;  // by partition of the query
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

  std::map<int32_t, Wanted> wanted_;  // by partition: not known yet
  std::vector<int32_t> asked_;        // query of facts_
  Inquiry<FactsAnswer> facts_;
  std::list<LeaderQuestion> leaders_;  // in flight
  int64_t questions_ = 0;              // queries to leaders, since construction
  std::optional<std::chrono::milliseconds> requests_missing_since_;
  bool requests_settings_told_ = false;
  Status refusal_;
};

}  // namespace fensi::consumer
