#include "consumer/codec/mark_codec.h"

#include <utility>

#include "consumer/codec/message.h"
#include "consumer/codec/request.h"
#include "proto/change_event.pb.h"

namespace fensi::consumer {
namespace {

Status CheckServer(const std::string& server) {
  if (!server.empty() && server.size() <= kMostServerBytes && IsPrintable(server)) return {};
  return InvalidArgument("malformed watermark message: a server's name is not printable ASCII of 1 to " +
                         std::to_string(kMostServerBytes) + " bytes");
}

Status FillMark(const proto::ChangeEvent& from, Mark* to) {
  FENSI_RETURN_IF_ERROR(CheckMessageFormat("the watermark message", from.version()));
  if (from.kind() != proto::ChangeEvent::MARK) return InvalidArgument("the message is no watermark message");
  const proto::Mark& mark = from.mark();
  for (const proto::Mark::Call& call : mark.calls()) to->calls.push_back({call.server(), call.first(), call.last()});
  to->members.assign(mark.members().begin(), mark.members().end());
  to->members_time = mark.members_time();
  to->complete_to = mark.complete_to();
  return CheckMark(*to);
}

}  // namespace

Status CheckMark(const Mark& mark) {
  FENSI_RETURN_IF_ERROR(CheckCount(mark.calls.size(), kMostOfAMark, "mark", "calls"));
  FENSI_RETURN_IF_ERROR(CheckCount(mark.members.size(), kMostOfAMark, "mark", "members"));
  for (const Mark::Call& call : mark.calls) {
    FENSI_RETURN_IF_ERROR(CheckServer(call.server));
    if (call.first < 0 || call.last < call.first) {
      return InvalidArgument("malformed watermark message: the times of region server " + call.server + " go from " +
                             std::to_string(call.first) + " to " + std::to_string(call.last) +
                             "; the first must be at least 0 and not after the last. Let only 'fensi capture' write "
                             "watermarks to this topic");
    }
  }
  for (const std::string& member : mark.members) FENSI_RETURN_IF_ERROR(CheckServer(member));
  if (mark.members_time < 0 || mark.complete_to < 0)
    return InvalidArgument(
        "malformed watermark message: its time is negative. Let only 'fensi capture' write watermarks to this topic");
  if (mark.members_time == 0 && !mark.members.empty()) {
    return InvalidArgument("malformed watermark message: it lacks the time at which its members were read");
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
  return message.SerializeAsString();
}

Result<Mark> DecodeMark(std::string_view key, std::string_view value) {
  proto::ChangeEvent message;
  FENSI_RETURN_IF_ERROR(ParseMessage(value, "a mark", &message));
  FENSI_RETURN_IF_ERROR(CheckIsOnlyMark(message));
  FENSI_RETURN_IF_ERROR(CheckKey(key, {}, "mark", "a mark has none"));
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
    return Status(StatusCode::kRejected, "the names of " + std::to_string(mark.members.size()) +
                                             " servers need a message of " + std::to_string(bytes) +
                                             " bytes, and the limit is " + std::to_string(most));
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
