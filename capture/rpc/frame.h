// HBase's RPC, as far as a replication peer needs it: what a region server sends, and what it is answered.
//
//   connection := "HBas" 0x00 auth | [sasl] | int32 n, ConnectionHeader of n bytes | frame...
//   sasl       := int32 n, token of n bytes | ... until the mechanism has enough; each but the last is answered by
//                 int32 0, int32 n, token of n bytes, or by int32 1 and two texts of int32 n and n bytes: class,
//                 message
//   frame      := int32 n, then n bytes: delimited RequestHeader, delimited request, cell block
//   reply      := int32 n, then n bytes: delimited ResponseHeader, then delimited response unless it has an exception
//
// Where SASL protects the bytes, int32 n and n bytes are a message, whose content, unwrapped, is the above.
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
/// A ConnectionHeader has some hundred bytes; a client that announces more is no region server.
inline constexpr uint32_t kMaxConnectionHeaderBytes = 64 * 1024;

/// Ends a message about bytes that no region server sends.
inline constexpr char kNoRegionServer[] =
    ". If no region server of HBase 2 runs there, exclude the address: set --allow_from to the networks of the region "
    "servers";

/// A name from an untrusted client, for logs and replies: escaped, and cut if it is longer than any name of HBase.
std::string ShownName(std::string_view name);

/// kInvalidArgument names what the client seems to be, and the remedy. `takes_kerberos`: every region server must
/// authenticate by Kerberos; otherwise none can.
Status CheckPreamble(std::string_view preamble, bool takes_kerberos);
/// True if the client begins with SASL's handshake, and waits for an answer in the form of SASL.
bool SpeaksSasl(std::string_view preamble);

/// kConfiguration for a service, codec, compression or encryption that is not supported, and for a codec that drops the
/// tags of cells. A client of the master sends no cells, so its codec does not matter. On success `about` names the
/// client ("HBase 2.6.1, user hbase").
Status CheckConnectionHeader(std::string_view header, std::string* about);

/// Views into the frame.
struct CallFrame {
  uint32_t call_id = 0;
  std::string method;
  std::chrono::milliseconds timeout{0};  // how long the caller waits; 0: unknown
  std::string_view request;
  std::string_view cells;
};

/// `frame` without its length. kInvalidArgument if it is no call.
Status ParseCallFrame(std::string_view frame, CallFrame* call);

/// A token of ours in the Kerberos handshake; and the reason of its failure, which the region server writes into its
/// log.
std::string SaslReply(const std::string& token);
std::string SaslRefusal(const std::string& message);

/// `body`, preceded by its length.
std::string Framed(const std::string& body);

/// Replies, preceded by their length.
std::string SuccessReply(uint32_t call_id, const std::string& response = "");
/// The region server sends the same entries again.
std::string ExceptionReply(uint32_t call_id, const std::string& message);
/// Ends every call of the connection; close it afterwards.
std::string FatalReply(const std::string& message);

}  // namespace fensi::capture
