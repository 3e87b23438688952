#include "consumer/codec/mark_codec.h"

#include <string>
#include <utility>

#include "base/bytes.h"
#include "consumer/codec/message.h"
#include "consumer/codec/request.h"
#include "proto/change_event.pb.h"

namespace fensi::consumer {
namespace {

constexpr size_t kMostShownBytes = 100;

Status Malformed(const std::string& what) {
  return InvalidArgument("malformed watermark message: " + what + ". " + kOnlyCapture);
}

Status CheckServer(const std::string& server) {
  if (!server.empty() && server.size() <= kMostServerBytes && IsPrintable(server)) return {};
  return Malformed("the name '" + EscapeSome(server, kMostShownBytes) +
                   "' of a region server is not printable ASCII of 1 to " + std::to_string(kMostServerBytes) +
                   " bytes");
}

Status FillMark(const proto::ChangeEvent& from, Mark* to) {
  FENSI_RETURN_IF_ERROR(CheckMessageFormat("the watermark message", from.version()));
  if (from.kind() != proto::ChangeEvent::MARK) return Malformed("its kind is not MARK");
  const proto::Mark& mark = from.mark();
  for (const proto::Mark::Call& call : mark.calls()) to->calls.push_back({call.server(), call.first(), call.last()});
  to->members.assign(mark.members().begin(), mark.members().end());
  to->members_time = mark.members_time();
  to->complete_to = mark.complete_to();
  if (mark.bulk_loads() == proto::Mark::REPORTED) to->bulk_loads = Mark::BulkLoads::kReported;
  if (mark.bulk_loads() == proto::Mark::NOT_REPORTED) to->bulk_loads = Mark::BulkLoads::kNotReported;
  return CheckMark(*to);
}

}  // namespace

Status CheckMark(const Mark& mark) {
  FENSI_RETURN_IF_ERROR(CheckCount(mark.calls.size(), kMostOfAMark, "watermark message", "times of region servers"));
  FENSI_RETURN_IF_ERROR(CheckCount(mark.members.size(), kMostOfAMark, "watermark message", "region servers"));
  for (const Mark::Call& call : mark.calls) {
    FENSI_RETURN_IF_ERROR(CheckServer(call.server));
    if (call.first < 0 || call.last < call.first) {
      return Malformed("the times of region server " + call.server + " go from " + std::to_string(call.first) + " to " +
                       std::to_string(call.last) + " ms. The first must be at least 0 and not after the last");
    }
  }
  for (const std::string& member : mark.members) FENSI_RETURN_IF_ERROR(CheckServer(member));
  if (mark.members_time < 0 || mark.complete_to < 0) return Malformed("its time is negative");
  if (mark.members_time == 0 && !mark.members.empty()) {
    return Malformed("it lists region servers, but not the time at which the list was read");
  }
  return {};
}

std::string EncodeMark(const Mark& mark) {
  proto::ChangeEvent message;
  message.set_version(kEventVersion);
  message.set_kind(proto::ChangeEvent::MARK);
  proto::Mark* to = message.mutable_mark();
  for (const Mark::Call& call : mark.calls) {
    proto::Mark::Call* to_call = to->add_calls();
    to_call->set_server(call.server);
    to_call->set_first(call.first);
    to_call->set_last(call.last);
  }
  for (const std::string& member : mark.members) to->add_members(member);
  to->set_members_time(mark.members_time);
  to->set_complete_to(mark.complete_to);
  to->set_bulk_loads(static_cast<proto::Mark::BulkLoads>(mark.bulk_loads));
  return message.SerializeAsString();
}

Result<Mark> DecodeMark(std::string_view key, std::string_view value) {
  proto::ChangeEvent message;
  FENSI_RETURN_IF_ERROR(ParseMessage(value, "a watermark message", &message));
  FENSI_RETURN_IF_ERROR(CheckIsOnlyMark(message));
  FENSI_RETURN_IF_ERROR(CheckKey(key, {}, "watermark", kOnlyCapture));
  Mark mark;
  FENSI_RETURN_IF_ERROR(FillMark(message, &mark));
  return mark;
}

namespace {

// Tags and lengths of protobuf around a server's name, and two times.
constexpr size_t kCallBytes = 40;

}  // namespace

Result<std::vector<Mark>> CutMark(Mark mark, size_t most) {
  std::vector<Mark::Call> calls = std::exchange(mark.calls, {});
  size_t bytes = EncodeMark(mark).size() + kCallBytes;  // the length of all within the message may grow
  if (bytes > most) {
    return Status(StatusCode::kRejected, "a watermark message with the names of " +
                                             std::to_string(mark.members.size()) + " region servers needs " +
                                             std::to_string(bytes) + " bytes, and the limit is " +
                                             std::to_string(most) + " bytes");
  }
  std::vector<Mark> marks;
  marks.push_back(std::move(mark));
  for (Mark::Call& call : calls) {
    const size_t more = call.server.size() + kCallBytes;
    if (bytes + more > most && !marks.back().calls.empty()) {
      marks.emplace_back();
      bytes = kCallBytes;
    }
    bytes += more;
    marks.back().calls.push_back(std::move(call));
  }
  return marks;
}

}  // namespace fensi::consumer
