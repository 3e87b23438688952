// Collects the answers of the calls that one thread has in flight, on any number of connections.
//
// Used by one thread; answers come from others. The destructor cancels calls that are still in flight.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "hbase/wire/call_frame.h"
#include "hbase/wire/call_scope.h"
#include "hbase/wire/connection.h"

namespace fensi::hbase {

/// What a call does if the server starts it after the client has given it up.
enum class Effect { kNone, kChanges };

class AnswerQueue {
 public:
  /// The scope must outlive it.
  explicit AnswerQueue(const CallScope& scope) : scope_(scope), shared_(std::make_shared<Shared>()) {}
  ~AnswerQueue();
  AnswerQueue(const AnswerQueue&) = delete;
  AnswerQueue& operator=(const AnswerQueue&) = delete;

  /// `tag` identifies the call in Next(). The frame was built for `call_id`, which is new on the connection.
  void Send(const std::shared_ptr<Connection>& connection, uint32_t call_id, std::string frame, size_t tag,
            std::chrono::milliseconds timeout, Effect effect = Effect::kNone);
  size_t in_flight() const { return calls_.size(); }

  struct Got {
    size_t tag = 0;
    Answer answer;
    std::shared_ptr<Connection> connection;
  };
  /// Waits for the next answer. A call whose deadline passes is answered by kUnavailable. If it changes something, its
  /// connection is closed, so that the server does not start it any more; that of another call only if the server has
  /// answered nothing since the call was sent. Absent: `until` came first. An error is the permission's.
  Result<std::optional<Got>> Next(std::optional<Deadline> until = std::nullopt);

 private:
  struct Shared {
    Mutex mu;
    Condition changed;
    std::deque<std::pair<size_t, Answer>> answers ABSL_GUARDED_BY(mu);  // by the number of the call
  };
  struct Call {
    std::shared_ptr<Connection> connection;
    uint32_t id = 0;
    size_t tag = 0;
    Deadline deadline;
    std::chrono::milliseconds timeout{0};
    Effect effect = Effect::kNone;
  };

  bool WaitUntil(Deadline until);
  std::optional<Got> Take();
  std::optional<Got> TakeLate();

  const CallScope& scope_;
  const std::shared_ptr<Shared> shared_;
  std::map<size_t, Call> calls_;  // by number
  size_t last_number_ = 0;
};

/// Makes one call and waits for it.
Result<Answer> CallAndWait(const std::shared_ptr<Connection>& connection, const std::string& method,
                           const google::protobuf::MessageLite& request, const CallScope& scope,
                           Effect effect = Effect::kNone);

}  // namespace fensi::hbase
