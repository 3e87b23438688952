// One connection to a Thrift2 gateway: connects on demand, closes after any error, never repeats a call.
//
// Calls block until the answer, the deadline of the call, or the loss of the permission that is watched. Owned and used
// by one thread at a time. The connection is closed after an error, because a late answer could be taken for that of
// the next call.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "store/gateway_security.h"
#include "store/hbase/wire/gateway_link.h"
#include "store/hbase/wire/thrift_call.h"

namespace fensi::store {

struct GatewayOptions {
  std::string host;
  int port = 9090;
  std::chrono::milliseconds connect_timeout{5'000};
  std::chrono::milliseconds call_timeout{60'000};  // of each call as a whole
  /// Until the gateway has answered once, calls end this long after the opening of the store. Calls that begin later
  /// have little time, and each more than the one before: a retrying caller reaches a gateway that is only slow.
  std::optional<std::chrono::milliseconds> first_answer;
  GatewayLayers layers;
  std::shared_ptr<ConnectionCounts> counts = std::make_shared<ConnectionCounts>();  // never null
  Clock* clock = SystemClock();                                                     // must outlive the connection
};

/// Maximum size of one answer.
constexpr int kMostReplyBytes = 64 << 20;

/// State that the connections of a pool share: whether the gateway has ever answered, and whether it refuses us since.
/// Thread-safe.
class FirstAnswer {
 public:
  explicit FirstAnswer(const GatewayOptions& options);
  void Came();
  bool came() const { return came_; }
  /// Time limit of a call that begins now.
  CallLimit LimitForNext();
  /// The status of a refused connection. A gateway that accepted us before may do so again, when its configuration is
  /// repaired or a KDC is reachable again: for half a minute the refusal is kUnavailable.
  Status AfterRefusal(const Status& refused);

 private:
  using Time = std::chrono::steady_clock::time_point;
  const std::chrono::milliseconds call_timeout_;
  const std::optional<std::chrono::milliseconds> first_answer_;
  const Time opened_;
  std::atomic<bool> came_{false};
  std::atomic<int> late_{0};  // calls that began after the limit
  Clock* const clock_;
  Mutex mu_;
  std::optional<std::chrono::milliseconds> refused_since_ ABSL_GUARDED_BY(mu_);  // and has not answered since
};

class Connection {
 public:
  /// `first_answer` must outlive it.
  Connection(const GatewayOptions& options, FirstAnswer* first_answer);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// From now on calls end with the error of `go_on` soon after it returns one, also while they wait for an answer.
  /// Null: no check. It must outlive its use.
  void Watch(const std::function<Status()>* go_on) { go_on_ = go_on; }

  /// The client speaks GatewayProtocol (write_calls.h). `doing` names the call in messages. kUnavailable: the outcome
  /// may be unknown. An answer above `most_bytes` is not read to its end (Suspect::kReplySize).
  Status Call(const std::string& doing, const std::function<void(thrift2::THBaseServiceClient&)>& call,
              int most_bytes = kMostReplyBytes);

  /// Address of the gateway, for messages.
  const std::string& name() const { return name_; }
  /// Outcome of the last call.
  const Outcome& last() const { return last_; }

 private:
  /// A possible cause of `fault`, if the error is not the gateway's.
  std::string HintOf(const Outcome& fault) const;
  void NoteOpen(bool open);
  void Close();

  const GatewayOptions options_;
  const std::string name_;
  FirstAnswer* const first_answer_;
  const std::function<Status()>* go_on_ = nullptr;
  std::unique_ptr<GatewayLink> link_;  // null: not connected
  bool counted_ = false;               // counted among the open ones
  Outcome last_;
  std::chrono::milliseconds last_use_{0};
};

/// A bounded number of long-lived connections, each owned by a worker thread.
///
/// Run and RunAll block the caller until its tasks are done; any thread may call them. The destructor waits for running
/// tasks. Tasks must not call the pool; exceptions become kInternal.
class ConnectionPool {
 public:
  using Task = std::function<Status(Connection&)>;

  ConnectionPool(const GatewayOptions& options, int connections);
  ~ConnectionPool();
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;

  int size() const { return static_cast<int>(workers_.size()); }

  Status Run(Task task, const std::function<Status()>& permission = {});
  /// Runs tasks in parallel, in no order. Returns the first error; tasks that did not start before it are skipped.
  /// `permission`, if there is one, is checked before each task starts and while its calls wait for an answer; its
  /// error counts as one of the tasks'.
  Status RunAll(std::vector<Task> tasks, const std::function<Status()>& permission = {});

 private:
  /// Tasks of one caller, which waits for them.
  struct Group {
    size_t unfinished = 0;
    const std::function<Status()>& permission;
    Status error;
    Condition done;
  };
  struct Queued {
    Task task;
    Group* group;
  };

  void Work(const GatewayOptions& options);
  static Status Do(const Queued& queued, Connection* connection);

  FirstAnswer first_answer_;
  const std::shared_ptr<ConnectionCounts> counts_;

  Mutex mu_;  // guards the groups, too
  Condition wake_;
  std::list<Queued> queue_ ABSL_GUARDED_BY(mu_);
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;

  std::vector<std::thread> workers_;  // last: they use the other members
};

}  // namespace fensi::store
