#include "store/hbase/connection_pool.h"

#include <exception>

namespace fensi::store {

ConnectionPool::ConnectionPool(const GatewayOptions& options, int connections)
    : first_answer_(options), counts_(options.counts) {
  for (int i = 0; i < connections; ++i) workers_.emplace_back([this, options] { Work(options); });
}

ConnectionPool::~ConnectionPool() {
  {
    const MutexLock lock(mu_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

Status ConnectionPool::Run(Task task, const std::function<Status()>& permission) {
  std::vector<Task> tasks;
  tasks.push_back(std::move(task));
  return RunAll(std::move(tasks), permission);
}

Status ConnectionPool::RunAll(std::vector<Task> tasks, const std::function<Status()>& permission) {
  Group group{.unfinished = tasks.size(), .permission = permission};
  MutexLock lock(mu_);
  for (Task& task : tasks) queue_.push_back({std::move(task), &group});
  wake_.notify_all();
  group.done.wait(lock, [&] { return group.unfinished == 0; });
  return group.error;
}

Status ConnectionPool::Do(const Queued& queued, Connection* connection) {
  const std::function<Status()>& permission = queued.group->permission;
  if (permission) FENSI_RETURN_IF_ERROR(permission());
  connection->Watch(permission ? &permission : nullptr);
  try {
    return queued.task(*connection);
  } catch (const std::exception& fault) {  // lack of memory: the caller's work ends, not the process
    return Status(StatusCode::kInternal, std::string("a call to the gateway: ") + fault.what());
  }
}

void ConnectionPool::Work(const GatewayOptions& options) {
  Connection connection(options, &first_answer_);
  MutexLock lock(mu_);
  while (true) {
    wake_.wait(lock, [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    Queued queued = std::move(queue_.front());
    queue_.pop_front();
    if (queued.group->error.ok()) {
      lock.unlock();
      ++counts_->busy;
      Status status = Do(queued, &connection);
      queued.task = nullptr;
      --counts_->busy;
      lock.lock();
      if (queued.group->error.ok()) queued.group->error = std::move(status);
    }
    if (--queued.group->unfinished == 0) queued.group->done.notify_all();
  }
}

}  // namespace fensi::store
