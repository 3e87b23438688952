// What all readers of proto::ChangeEvent ask of a message's bytes. Pure, any thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/status.h"

namespace fensi::proto {
class ChangeEvent;
}

namespace fensi::consumer {

/// kInvalidArgument: the bytes are not `expected` ("a mark").
Status ParseMessage(std::string_view value, const char* expected, proto::ChangeEvent* message);

/// kInvalidArgument when a message of kind MARK is also a change of a row.
Status CheckIsOnlyMark(const proto::ChangeEvent& message);

/// kInvalidArgument when a message of `what` has more than `most` of something.
Status CheckCount(size_t count, size_t most, const char* what, const char* of);

/// kInvalidArgument when a message of `what` has another key than its row; `why` says what that leads to.
Status CheckKey(std::string_view key, std::string_view row, const char* what, const char* why);

}  // namespace fensi::consumer
