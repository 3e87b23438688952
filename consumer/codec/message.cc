#include "consumer/codec/message.h"

#include <limits>
#include <string>

#include "base/bytes.h"
#include "proto/change_event.pb.h"

namespace fensi::consumer {
namespace {

/// A reason has to fit into a letter whatever its message was; that has the whole.
constexpr size_t kShown = 200;

}  // namespace

Status ParseMessage(std::string_view value, const char* expected, proto::ChangeEvent* message) {
  if (value.size() <= static_cast<size_t>(std::numeric_limits<int>::max()) &&
      message->ParseFromArray(value.data(), static_cast<int>(value.size()))) {
    return {};
  }
  return InvalidArgument("the message's " + std::to_string(value.size()) + " bytes are not " + expected);
}

Status CheckIsOnlyMark(const proto::ChangeEvent& message) {
  if (message.table().empty() && message.row().empty() && message.cells_size() == 0 && message.part() == 0 &&
      message.parts() == 0) {
    return {};
  }
  return InvalidArgument("the event is a mark, and has a table, a row, cells or parts");
}

Status CheckCount(size_t count, size_t most, const char* what, const char* of) {
  if (count <= most) return {};
  return InvalidArgument("the " + std::string(what) + " has " + std::to_string(count) + " " + of + "; at most " +
                         std::to_string(most) + " may be in one");
}

Status CheckKey(std::string_view key, std::string_view row, const char* what, const char* why) {
  if (key == row) return {};
  return InvalidArgument("the message key " + EscapeSome(key, kShown) + " is not the " + what + "'s row " +
                         EscapeSome(row, kShown) + "; " + why);
}

}  // namespace fensi::consumer
