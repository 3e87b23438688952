// A bounded number of long-lived connections, each owned by a worker thread.
//
// Run and RunAll block the caller until its tasks are done; any thread may call them. The destructor waits for tasks
// that run. Tasks must not call the pool; what they throw is kInternal.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "store/hbase/connection.h"

namespace fensi::store {

class ConnectionPool {
 public:
  using Task = std::function<Status(Connection&)>;

  ConnectionPool(const GatewayOptions& options, int connections);
  ~ConnectionPool();
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;

  int size() const { return static_cast<int>(workers_.size()); }

  Status Run(Task task, const std::function<Status()>& permission = {});
  /// In parallel, in no order. The first error; tasks that did not start before it are skipped. `permission`, if there
  /// is one, is asked before each task starts and while its calls wait for an answer; its error is one of the tasks.
  Status RunAll(std::vector<Task> tasks, const std::function<Status()>& permission = {});

 private:
  /// Tasks of one caller, who waits for them.
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
  std::deque<Queued> queue_ ABSL_GUARDED_BY(mu_);
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;

  std::vector<std::thread> workers_;  // last: they use the rest
};

}  // namespace fensi::store
