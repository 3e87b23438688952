#include "consumer/codec/mark_cutter.h"

#include <utility>

namespace fensi::consumer {
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
