// HBase's RPC, as far as a replication peer needs it: what a region server sends, and what it is answered.
//
//   connection := "HBas" 0x00 auth | int32 n, ConnectionHeader of n bytes | frame...
//   frame      := int32 n, then n bytes: delimited RequestHeader, delimited request, cell block
//   reply      := int32 n, then n bytes: delimited ResponseHeader, then delimited response unless it has an exception
//
// int32 big-endian; "delimited" is a protobuf varint of the length in front. Pure; any bytes may be handed in.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace fensi::capture {

inline constexpr size_t kPreambleBytes = 6;
/// A ConnectionHeader has some hundred bytes; whoever announces more is no region server.
inline constexpr uint32_t kMaxConnectionHeaderBytes = 64 * 1024;

/// A name that a stranger chose, for logs and replies: escaped, and cut where it is longer than any name of HBase.
std::string ShownName(std::string_view name);

/// kInvalidArgument says what the other side seems to be, and what to do.
Status CheckPreamble(std::string_view preamble);

/// kConfiguration for a service, codec, compression or encryption that is not spoken here, and for a codec that leaves
/// out the tags of cells. A client of the master sends no cells, so that its codec does not matter. On success `about`
/// says who is there ("HBase 2.6.1, user hbase").
Status CheckConnectionHeader(std::string_view header, std::string* about);

/// Views into the frame.
struct CallFrame {
  uint32_t call_id = 0;
  std::string method;
  std::chrono::milliseconds timeout{0};  // how long the caller waits; 0: it did not say
  std::string_view request;
  std::string_view cells;
};

/// `frame` without its length. kInvalidArgument when it is no call.
Status ParseCallFrame(std::string_view frame, CallFrame* call);

/// Replies with their length in front.
std::string SuccessReply(uint32_t call_id, const std::string& response = "");
/// The region server sends the same entries again.
std::string ExceptionReply(uint32_t call_id, const std::string& message);
/// Ends every call of the connection; the caller closes it afterwards.
std::string FatalReply(const std::string& message);

}  // namespace fensi::capture
