// Builds the frame of one call, and parses its answer, as a client of HBase does (framing.h has the form).
//
// Pure. Any bytes may be parsed as an answer.
#pragma once

#include <google/protobuf/message_lite.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "hbase/errors.h"

namespace fensi::hbase {

struct CallHead {
  uint32_t id = 0;
  std::string method;
  std::chrono::milliseconds timeout{0};  // after this time the server does not start the call
  int priority = -1;                     // negative: none
};

/// Builds a whole frame in one allocation of its final size. `write_cells` fills `cell_bytes` bytes.
std::string BuildCall(const CallHead& head, const google::protobuf::MessageLite& request, size_t cell_bytes = 0,
                      const std::function<void(char*)>& write_cells = nullptr);

/// Views into the frame.
struct AnswerFrame {
  uint32_t call_id = 0;
  std::optional<RemoteError> error;
  std::string_view message;
  std::string_view cells;
};

/// `frame` without its length. kInvalidArgument: it is no answer.
Status ParseAnswer(std::string_view frame, AnswerFrame* answer);
/// From the first bytes of an answer: all but message and cells.
Status ParseAnswerBegin(std::string_view begin, AnswerFrame* answer);

/// The first line of a Java stack trace, without the name of the class.
std::string FirstLine(std::string_view trace, std::string_view exception);

/// The connection header, which a client sends after the preamble.
std::string ConnectionHeaderBytes(const std::string& user, const std::string& service);

}  // namespace fensi::hbase
