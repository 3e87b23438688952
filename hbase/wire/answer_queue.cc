#include "hbase/wire/answer_queue.h"

#include <algorithm>
#include <utility>

#include "hbase/errors.h"

namespace fensi::hbase {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPermissionSlice(100);

}  // namespace

AnswerQueue::~AnswerQueue() {
  for (const auto& [number, call] : calls_) call.connection->Cancel(call.id);
}

void AnswerQueue::Send(const std::shared_ptr<Connection>& connection, uint32_t call_id, std::string frame, size_t tag,
                       std::chrono::milliseconds timeout, Effect effect) {
  const size_t number = ++last_number_;
  calls_[number] = {connection, call_id, tag, steady_clock::now() + timeout, timeout, effect};
  connection->Send(call_id, std::move(frame), scope_.permission, [shared = shared_, number](Answer answer) {
    const MutexLock lock(shared->mu);
    shared->answers.emplace_back(number, std::move(answer));
    shared->changed.notify_one();
  });
}

std::optional<AnswerQueue::Got> AnswerQueue::Take() {
  while (true) {
    std::pair<size_t, Answer> came;
    {
      const MutexLock lock(shared_->mu);
      if (shared_->answers.empty()) return std::nullopt;
      came = std::move(shared_->answers.front());
      shared_->answers.pop_front();
    }
    const auto found = calls_.find(came.first);
    if (found == calls_.end()) continue;  // it was late
    Got got{found->second.tag, std::move(came.second), std::move(found->second.connection)};
    calls_.erase(found);
    return got;
  }
}

std::optional<AnswerQueue::Got> AnswerQueue::TakeLate() {
  const auto now = steady_clock::now();
  const auto late =
      std::find_if(calls_.begin(), calls_.end(), [&](const auto& one) { return one.second.deadline <= now; });
  if (late == calls_.end()) return std::nullopt;
  const Call call = late->second;
  calls_.erase(late);
  const Connection::Cancelled cancelled = call.connection->Cancel(call.id);
  const std::string why = call.connection->Name() + ": no answer within " + TimeoutText(call.timeout) +
                          (cancelled.sent ? "" : ", and the call was not sent yet");
  const Status status(StatusCode::kUnavailable, why + kReadServersLog);
  call.connection->stats().Troubled(why);
  // HBase counts a call's time from its arrival, and so may start it after ours. It drops the calls of a connection
  // that is closed (CallRunner). A server that answers other calls is only slow with this one.
  const bool must_end = call.effect == Effect::kChanges || !cancelled.heard_since;
  if (cancelled.sent && must_end) call.connection->Close(status);
  return Got{call.tag, Answer{.status = status, .may_be_done = cancelled.sent}, call.connection};
}

bool AnswerQueue::WaitUntil(Deadline until) {
  MutexLock lock(shared_->mu);
  return shared_->changed.wait_until(
      lock, until, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(shared_->mu) { return !shared_->answers.empty(); });
}

Result<std::optional<AnswerQueue::Got>> AnswerQueue::Next(std::optional<Deadline> until) {
  while (true) {
    if (std::optional<Got> got = Take()) {
      if (got->answer.not_permitted) return got->answer.status;
      return got;
    }
    FENSI_RETURN_IF_ERROR(scope_.Granted());
    if (std::optional<Got> late = TakeLate()) return late;
    const auto now = steady_clock::now();
    if (until && *until <= now) return std::optional<Got>();
    Deadline wake = now + kPermissionSlice;
    if (until) wake = std::min(wake, *until);
    for (const auto& [number, call] : calls_) wake = std::min(wake, call.deadline);
    WaitUntil(wake);
  }
}

Result<Answer> CallAndWait(const std::shared_ptr<Connection>& connection, const std::string& method,
                           const google::protobuf::MessageLite& request, const CallScope& scope, Effect effect) {
  FENSI_RETURN_IF_ERROR(scope.Granted());
  AnswerQueue queue(scope);
  const uint32_t id = connection->NewCallId();
  const std::chrono::milliseconds time = scope.Time();
  queue.Send(connection, id, BuildCall({id, method, time}, request), 0, time, effect);
  Result<std::optional<AnswerQueue::Got>> got = queue.Next();
  if (!got.ok()) return got.status();
  return std::move((*got)->answer);
}

}  // namespace fensi::hbase
