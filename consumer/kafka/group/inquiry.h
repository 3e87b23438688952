// Questions to the brokers that nobody waits for.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "consumer/kafka/handles.h"

namespace fensi::consumer {

/// One question to the brokers, asked on threads of its own that share the client: who asked may go at any moment, and
/// the answer is for nobody then. While there is no answer it is asked once more after 1, 2, 4 … s, because the client
/// may have asked a broker that is silent; what was asked before is not given up, because brokers may be slow. A
/// question must end in the time that is given to it. Not thread-safe.
template <typename Answer>
class Inquiry {
 public:
  using Question = std::function<Answer(rd_kafka_t*)>;
  static constexpr std::chrono::milliseconds kFirstPause{1000};
  static constexpr size_t kMostAtOnce = 6;

  /// Asked and not answered.
  bool waiting() const { return !answers_.empty(); }
  /// Time to ask once more.
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

  /// The first answer that has come, once; the others are for nobody.
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

}  // namespace fensi::consumer
