#include "hbase/wire/event_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>
#include <system_error>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "base/unattended.h"

namespace fensi::hbase {
namespace {

constexpr uint64_t kWakeId = 0;

Status SystemFault() {
  return Status(StatusCode::kUnavailable, std::string("cannot watch the connections to HBase: ") +
                                              std::strerror(errno) +
                                              ". If too many files are open, raise their limit (ulimit -n)");
}

}  // namespace

struct EventLoop::Core {
  struct Entry {
    int socket = -1;
    std::shared_ptr<Watched> watched;
  };

  ~Core() {
    if (poll >= 0) close(poll);
    if (wake >= 0) close(wake);
  }

  void Run() {
    std::array<epoll_event, 64> events;
    while (!stopped) {
      const int count = epoll_wait(poll, events.data(), events.size(), -1);
      for (int i = 0; i < count && !stopped; ++i) Tell(events[static_cast<size_t>(i)]);
    }
  }

  void Tell(const epoll_event& event) {
    std::shared_ptr<Watched> watched;
    {
      const MutexLock lock(mu);
      const auto found = entries.find(event.data.u64);
      if (found == entries.end()) return;
      watched = found->second.watched;
    }
    const bool failed = (event.events & (EPOLLERR | EPOLLHUP)) != 0;
    watched->OnReady({failed || (event.events & EPOLLIN) != 0, (event.events & EPOLLOUT) != 0});
  }

  int poll = -1;
  int wake = -1;
  std::atomic<bool> stopped = false;
  std::thread thread;
  Mutex mu;
  std::map<uint64_t, Entry> entries ABSL_GUARDED_BY(mu);
  uint64_t last_id ABSL_GUARDED_BY(mu) = kWakeId;
};

Result<std::shared_ptr<EventLoop>> EventLoop::Start() {
  auto core = std::make_shared<Core>();
  core->poll = epoll_create1(EPOLL_CLOEXEC);
  core->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (core->poll < 0 || core->wake < 0) return SystemFault();
  epoll_event event{.events = EPOLLIN, .data = {.u64 = kWakeId}};
  if (epoll_ctl(core->poll, EPOLL_CTL_ADD, core->wake, &event) != 0) return SystemFault();
  try {
    core->thread = std::thread([core] { core->Run(); });
  } catch (const std::system_error& fault) {
    return Status(StatusCode::kUnavailable, NoThreadText("for the connections to HBase") + " (" + fault.what() + ")");
  }
  return std::shared_ptr<EventLoop>(new EventLoop(std::move(core)));
}

EventLoop::~EventLoop() {
  core_->stopped = true;
  eventfd_write(core_->wake, 1);
  if (core_->thread.get_id() == std::this_thread::get_id()) {
    core_->thread.detach();  // the last owner was called by the loop itself, which ends when it returns
  } else {
    core_->thread.join();
  }
  std::map<uint64_t, Core::Entry> left;  // destroyed without the lock
  const MutexLock lock(core_->mu);
  left.swap(core_->entries);
}

Result<uint64_t> EventLoop::Add(int socket, std::shared_ptr<Watched> watched) {
  const MutexLock lock(core_->mu);
  const uint64_t id = ++core_->last_id;
  epoll_event event{.events = EPOLLIN, .data = {.u64 = id}};
  if (epoll_ctl(core_->poll, EPOLL_CTL_ADD, socket, &event) != 0) return SystemFault();
  core_->entries[id] = {socket, std::move(watched)};
  return id;
}

void EventLoop::WatchWrite(uint64_t id, bool on) {
  const MutexLock lock(core_->mu);
  const auto found = core_->entries.find(id);
  if (found == core_->entries.end()) return;
  epoll_event event{.events = EPOLLIN | (on ? EPOLLOUT : 0U), .data = {.u64 = id}};
  epoll_ctl(core_->poll, EPOLL_CTL_MOD, found->second.socket, &event);
}

void EventLoop::Remove(uint64_t id) {
  std::shared_ptr<Watched> released;  // destroyed without the lock
  const MutexLock lock(core_->mu);
  const auto found = core_->entries.find(id);
  if (found == core_->entries.end()) return;
  epoll_ctl(core_->poll, EPOLL_CTL_DEL, found->second.socket, nullptr);
  released = std::move(found->second.watched);
  core_->entries.erase(found);
}

}  // namespace fensi::hbase
