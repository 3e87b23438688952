#include "store/hbase/wire/connection.h"

#include <thrift/TOutput.h>

#include <algorithm>
#include <exception>

namespace fensi::store {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// The gateway closes connections that were idle for 60 s; we are earlier.
constexpr std::chrono::seconds kLongestIdle(30);
/// How long a refusal may last before it counts.
constexpr std::chrono::seconds kLongestRefusal(30);

constexpr char kReadLog[] = ". If the error lasts, read the log of the gateway";

/// Thrift prints faults to stderr on its own; they are in the Status.
void SilenceThrift() {
  static const bool once = [] {
    apache::thrift::GlobalOutput.setOutputFunction([](const char*) {});
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace

FirstAnswer::FirstAnswer(const GatewayOptions& options)
    : call_timeout_(options.call_timeout),
      first_answer_(options.first_answer),
      opened_(steady_clock::now()),
      clock_(options.clock) {}

CallLimit FirstAnswer::LimitForNext() {
  if (came_ || !first_answer_) return {call_timeout_, call_timeout_};
  const auto left = std::chrono::ceil<milliseconds>(opened_ + *first_answer_ - steady_clock::now());
  constexpr milliseconds kFirstLate(250);  // less would end before it shows what is wrong
  if (left > std::min(kFirstLate, *first_answer_ / 2)) {
    return {std::min(left, call_timeout_), std::min(*first_answer_, call_timeout_)};
  }
  constexpr int kMostDoublings = 20;
  const milliseconds late = std::min(kFirstLate * (1 << std::min(late_++, kMostDoublings)), call_timeout_);
  return {late, std::max(late, std::min(*first_answer_, call_timeout_))};
}

void FirstAnswer::Came() {
  came_ = true;
  const MutexLock lock(mu_);
  refused_since_.reset();
}

Status FirstAnswer::AfterRefusal(const Status& refused) {
  if (!came_) return refused;
  const milliseconds now = clock_->MonotonicNow();
  const MutexLock lock(mu_);
  if (!refused_since_) refused_since_ = now;
  return now - *refused_since_ < kLongestRefusal ? refused.As(StatusCode::kUnavailable) : refused;
}

Connection::Connection(const GatewayOptions& options, FirstAnswer* first_answer)
    : options_(options), name_(hbase::AddressText(options.host, options.port)), first_answer_(first_answer) {
  SilenceThrift();
}

Connection::~Connection() { Close(); }

void Connection::NoteOpen(bool open) {
  if (open == counted_) return;
  counted_ = open;
  options_.counts->open += open ? 1 : -1;
  options_.counts->made += open ? 1 : 0;
}

void Connection::Close() {
  NoteOpen(false);
  link_.reset();
}

std::string Connection::HintOf(const Outcome& fault) const {
  if (fault.status.code() != StatusCode::kUnavailable || fault.refused) return "";
  if (fault.answered) return kReadLog;
  // The fault of an attempt to connect, and that of an answer's size, have a hint of their own.
  if (!link_->is_open() || fault.suspect == Suspect::kReplySize) return "";
  if (first_answer_->came() || options_.layers.sasl) return kReadLog;
  if (options_.layers.tls != nullptr) {
    return ". The port accepts TLS, but the gateway has never answered. Check --store: thrifts:// is for a gateway in "
           "binary mode, thrift+https:// for a gateway in HTTP mode. If the gateway requires Kerberos, give "
           "--store_kerberos_service";
  }
  return ". The gateway at this port has never answered. If the gateway requires Kerberos, give "
         "--store_kerberos_service. If the gateway uses TLS, write thrifts:// in --store, or thrift+https:// for HTTP "
         "mode";
}

Status Connection::Call(const std::string& doing, const std::function<void(thrift2::THBaseServiceClient&)>& call,
                        int most_bytes) {
  const bool idle = options_.clock->MonotonicNow() - last_use_ > kLongestIdle;
  if (link_ != nullptr && (idle || !link_->IsUsable())) Close();
  if (link_ == nullptr) link_ = std::make_unique<GatewayLink>(options_.host, options_.port, options_.layers);
  last_ = RunThrift("gateway " + name_ + ": " + doing, [&] {
    link_->StartCall(first_answer_->LimitForNext(), options_.connect_timeout, most_bytes, go_on_);
    call(link_->client());
  });
  NoteOpen(link_->is_open());
  if (last_.refused) {
    if (!link_->kept().empty()) {
      last_.status = last_.status.WithSuffix(
          " (with the former certificates, because the new ones cannot be used: " + link_->kept() + ")");
    }
    last_.status = first_answer_->AfterRefusal(last_.status);
  }
  if (last_.status.ok() || last_.answered) first_answer_->Came();
  if (const std::string hint = HintOf(last_); !hint.empty()) {
    last_.status = last_.status.WithSuffix(hint);
  }
  if (!link_->ended_by().ok()) last_.status = link_->ended_by();
  if (!last_.status.ok()) Close();
  last_use_ = options_.clock->MonotonicNow();
  return last_.status;
}

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
  std::list<Queued> queued;  // complete before a worker sees any: lack of memory must leave none that names the group
  for (Task& task : tasks) queued.push_back({std::move(task), &group});
  MutexLock lock(mu_);
  queue_.splice(queue_.end(), queued);
  wake_.notify_all();
  group.done.wait(lock, [&] { return group.unfinished == 0; });
  return group.error;
}

Status ConnectionPool::Do(const Queued& queued, Connection* connection) {
  const std::function<Status()>& permission = queued.group->permission;
  // M11: asked again before each request of a call, because a call may take long.
  if (permission) FENSI_RETURN_IF_ERROR(permission());
  connection->Watch(permission ? &permission : nullptr);
  try {
    return queued.task(*connection);
  } catch (const std::exception& fault) {  // lack of memory: the caller's work ends, not the process
    return InternalError(fault).WithContext("a call to gateway " + connection->name());
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
