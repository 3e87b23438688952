#include "hbase/admin/master_calls.h"

#include <algorithm>
#include <random>

#include "base/shown_text.h"
#include "hbase/errors.h"
#include "hbase/wire/framing.h"
#include "proto/hbase_client.pb.h"

namespace fensi::hbase {
namespace {

namespace pb = proto::hbase;

constexpr int32_t kUnknown = 0;
constexpr int32_t kRunning = 1;

bool IsAnotherMaster(const RemoteError& error) {
  const std::string_view name = ShortName(error);
  return name == "MasterStoppedException" || name == "MasterNotRunningException" ||
         name == "NotActiveMasterException" || RemedyFor(error) == Remedy::kForgetServer;
}

Status FaultOf(const Connection& connection, const std::string& method, const RemoteError& error) {
  return Status(CodeOf(error), connection.Name() + ": " + method + ": " + ErrorWords(error));
}

/// True: the call is over, and `status` is what came of it.
bool AskOnce(const CallContext& context, const std::string& method, const google::protobuf::MessageLite& request,
             Effect effect, google::protobuf::MessageLite* response, Status* status, Remedy* remedy) {
  const Result<ServerAddress> master = context.locator->Master(context.scope);
  *status = master.status();
  *remedy = Remedy::kPause;
  if (!master.ok()) return status->code() != StatusCode::kUnavailable;
  const auto connection = context.connections->To(master->host, master->port, "MasterService");
  const Result<Answer> answer = CallAndWait(connection, method, request, context.scope, effect);
  *status = answer.status();
  if (!answer.ok()) return true;
  *status = answer->status;
  if (!status->ok()) {
    context.locator->ForgetMaster();
    *remedy = Remedy::kForgetRegion;
    return status->code() != StatusCode::kUnavailable;
  }
  if (!answer->error) {
    if (!ParseMessage(answer->message, response)) {
      *status = UnreadableAnswer(method).WithContext(connection->Name());
    }
    return true;
  }
  *status = FaultOf(*connection, method, *answer->error);
  *remedy = RemedyFor(*answer->error);
  if (!IsAnotherMaster(*answer->error)) return *remedy == Remedy::kFinal;
  context.locator->ForgetMaster();
  *status = status->As(StatusCode::kUnavailable);
  return false;
}

}  // namespace

Status CallMaster(const CallContext& context, const std::string& method, const google::protobuf::MessageLite& request,
                  google::protobuf::MessageLite* response, Effect effect) {
  RetryPace pace;
  while (true) {
    Status status;
    Remedy remedy = Remedy::kPause;
    if (AskOnce(context, method, request, effect, response, &status, &remedy)) return status;
    const std::optional<Deadline> due = pace.Next(remedy, context);
    if (!due) return status.As(StatusCode::kUnavailable);
    FENSI_RETURN_IF_ERROR(PauseUntil(context.scope, *due));
  }
}

Status RunProcedure(const CallContext& context, const std::string& method,
                    const google::protobuf::MessageLite& request) {
  constexpr std::chrono::milliseconds kFirstPause(20), kLongestPause(500);
  const Deadline deadline = std::chrono::steady_clock::now() + context.scope.call_timeout;
  pb::ProcedureStarted started;
  FENSI_RETURN_IF_ERROR(CallMaster(context, method, request, &started, Effect::kChanges));
  CallContext answered = context;
  answered.scope.until = Deadline::max();  // it was for the first answer
  pb::GetProcedureResultRequest ask;
  ask.set_proc_id(started.proc_id());
  for (auto pause = kFirstPause;; pause = std::min(pause * 2, kLongestPause)) {
    pb::GetProcedureResultResponse result;
    FENSI_RETURN_IF_ERROR(CallMaster(answered, "getProcedureResult", ask, &result));
    if (result.state() == kUnknown) {
      return Status(
          StatusCode::kUnavailable,
          method + ": the HBase master no longer knows whether this procedure has finished. Run the command again");
    }
    if (result.state() != kRunning) {
      if (!result.has_exception()) return {};
      const pb::GenericExceptionMessage& fault = result.exception().generic_exception();
      const RemoteError error{.exception = fault.class_name(), .message = fault.message()};
      return Status(CodeOf(error), method + ": " + ErrorWords(error));
    }
    if (std::chrono::steady_clock::now() >= deadline) {
      return Status(
          StatusCode::kUnavailable,
          method + ": the HBase master has not finished this procedure within " +
              DurationText(std::chrono::duration_cast<std::chrono::seconds>(context.scope.call_timeout).count()) +
              ", and continues it. Wait until the page 'Procedures & Locks' of the master shows its end, then run "
              "the command again");
    }
    FENSI_RETURN_IF_ERROR(PauseUntil(context.scope, std::chrono::steady_clock::now() + pause));
  }
}

uint64_t NewNonce() {
  thread_local std::mt19937_64 random{std::random_device{}()};
  return random() | 1;  // 0 is none
}

}  // namespace fensi::hbase
