// Reads from the client's own statistics what it reports nowhere else: it polls successfully while the group's
// coordinator is unreachable and reassigns its partitions, or while a partition has no leader. Pure.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "consumer/kafka/client/handles.h"

namespace fensi::consumer {

// Queries to the brokers without waiting.

/// One query to the brokers, on threads of its own that share the client: if the caller is destroyed, the answer is
/// dropped. Without an answer the query is repeated after 1, 2, 4 … s, because the client may have asked a silent
/// broker; earlier queries are not cancelled, because brokers may be slow. A query must end within its timeout. Not
/// thread-safe.
template <typename Answer>
class Inquiry {
 public:
  using Question = std::function<Answer(rd_kafka_t*)>;
  static constexpr std::chrono::milliseconds kFirstPause{1000};
  static constexpr size_t kMostAtOnce = 6;

  /// True if a query is in flight.
  bool waiting() const { return !answers_.empty(); }
  /// True if the query must be repeated.
  bool overdue(std::chrono::milliseconds now) const {
    return waiting() && now >= next_ && answers_.size() < kMostAtOnce;
  }

  void Ask(std::chrono::milliseconds now, std::shared_ptr<rd_kafka_t> client, Question question) {
    pause_ = waiting() ? 2 * pause_ : kFirstPause;
    next_ = now + pause_;
    // A future keeps its task, so the task must not keep the client: whoever destroys that last may wait without end.
    std::packaged_task<Answer()> task([client = std::move(client), question = std::move(question)]() mutable {
      const std::shared_ptr<rd_kafka_t> lent = std::move(client);
      return question(lent.get());
    });
    answers_.push_back(task.get_future());
    std::thread(std::move(task)).detach();
  }

  /// The first answer that has arrived, once; other answers are dropped.
  std::optional<Answer> Take() {
    const auto come = std::find_if(answers_.begin(), answers_.end(), [](const auto& answer) {
      return answer.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    });
    if (come == answers_.end()) return std::nullopt;
    Answer answer = come->get();
    Forget();
    return answer;
  }

  void Forget() { answers_.clear(); }

 private:
  std::vector<std::future<Answer>> answers_;
  std::chrono::milliseconds pause_{0};
  std::chrono::milliseconds next_{0};
};

// Reads the client's statistics.

/// `statistics` is the JSON text of librdkafka. Absent: the coordinator is not connected, or unknown.
std::optional<std::chrono::milliseconds> CoordinatorSilence(std::string_view statistics);

/// Partitions of the topic that are read and have no leader.
std::vector<int32_t> WithoutLeader(std::string_view statistics, const std::string& topic);

/// The end of a partition's log for a reader of committed messages, and how long ago its broker reported it.
struct ToldEnd {
  int32_t partition = 0;
  int64_t end = 0;
  std::chrono::milliseconds ago{0};
};
/// Only partitions that are fetched from a connected broker.
std::vector<ToldEnd> LogEnds(std::string_view statistics, const std::string& topic);

/// True if a broker is connected and has answered the first request of the connection.
bool AnyBrokerUp(std::string_view statistics);

}  // namespace fensi::consumer
