#include "store/hbase/connection_pool.h"

namespace fensi::store {

ConnectionPool::ConnectionPool(const GatewayOptions& options, int connections) {
  for (int i = 0; i < connections; ++i) workers_.emplace_back([this, options] { Work(options); });
}

ConnectionPool::~ConnectionPool() {
  {
    const std::lock_guard lock(mu_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

Status ConnectionPool::Run(Task task) {
  std::vector<Task> tasks;
  tasks.push_back(std::move(task));
  return RunAll(std::move(tasks));
}

Status ConnectionPool::RunAll(std::vector<Task> tasks, const std::function<Status()>& permission) {
  Group group{.unfinished = tasks.size(), .permission = permission};
  std::unique_lock lock(mu_);
  for (Task& task : tasks) jobs_.push_back({std::move(task), &group});
  wake_.notify_all();
  group.done.wait(lock, [&] { return group.unfinished == 0; });
  return group.error;
}

void ConnectionPool::Work(const GatewayOptions& options) {
  Connection connection(options);
  std::unique_lock lock(mu_);
  while (true) {
    wake_.wait(lock, [&] { return stopping_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    if (job.group->error.ok()) {
      lock.unlock();
      Status status = job.group->permission ? job.group->permission() : Status();
      if (status.ok()) status = job.task(connection);
      job.task = nullptr;
      lock.lock();
      if (job.group->error.ok()) job.group->error = std::move(status);
    }
    if (--job.group->unfinished == 0) job.group->done.notify_all();
  }
}

}  // namespace fensi::store
