#include "hbase/who_answers.h"

#include <poll.h>

#include <array>
#include <chrono>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "hbase/security/tls_stream.h"
#include "hbase/wire/byte_stream.h"
#include "hbase/wire/call_frame.h"
#include "hbase/wire/framing.h"
#include "proto/hbase_client.pb.h"

namespace fensi::hbase {
namespace {

/// ZooKeeper's command without side effects; also where it is not allowed the answer says so.
constexpr char kAskZooKeeper[] = "srvr";
/// A call of Thrift's binary protocol whose name no service has.
constexpr std::string_view kAskThrift(
    "\x80\x01\x00\x01\x00\x00\x00\x05"
    "fensi\x00\x00\x00\x01\x00",
    18);
constexpr std::string_view kThriftAnswers("\x80\x01\x00", 3);
constexpr char kAskHttp[] = "GET / HTTP/1.0\r\n\r\n";

std::string AskHBase() {
  return Preamble(kAuthSimple) + ConnectionHeaderBytes("fensi", "ClientService") +
         BuildCall({.id = 1, .method = "Get"}, proto::hbase::EmptyRequest());
}

bool IsHBase(std::string_view answer) {
  AnswerFrame frame;
  return answer.size() > 4 && ParseAnswer(answer.substr(4), &frame).ok();
}

/// Each question makes only its own server speak; what the others do with it says nothing.
Speaks Judge(std::string_view answer) {
  if (answer.empty()) return Speaks::kUnknown;
  if (answer.starts_with("Zookeeper version") || answer.find("is not executed because") != std::string_view::npos) {
    return Speaks::kZooKeeper;
  }
  if (answer.starts_with(kThriftAnswers)) return Speaks::kThrift;
  if (answer.starts_with("HTTP/")) return Speaks::kHttp;
  if (answer.starts_with("\x15\x03") || answer.starts_with("\x16\x03")) return Speaks::kTls;  // alert, or handshake
  return IsHBase(answer) ? Speaks::kHBase : Speaks::kUnknown;
}

/// The first bytes that come; empty: none.
std::string Ask(ByteStream* stream, Deadline deadline) {
  std::array<char, 4096> bytes{};
  while (WaitForSocket(stream->socket(), POLLIN, deadline)) {
    const ByteStream::Moved moved = stream->Read(bytes.data(), bytes.size());
    if (moved.outcome == ByteStream::Outcome::kDone) return {bytes.data(), moved.bytes};
    if (moved.outcome != ByteStream::Outcome::kWouldBlock) break;
  }
  return "";
}

}  // namespace

Speaks WhoAnswers(const std::string& host, int port, Deadline deadline) {
  std::vector<std::unique_ptr<ByteStream>> streams;
  for (const std::string& question :
       {std::string(kAskZooKeeper), AskHBase(), std::string(kAskThrift), std::string(kAskHttp), TlsHelloBytes()}) {
    Result<Socket> socket = Dial(host, port, deadline);
    if (!socket.ok()) return Speaks::kNothing;
    streams.push_back(PlainStream(std::move(*socket)));
    static_cast<void>(WriteAll(streams.back().get(), question, deadline));
  }
  // All were asked before: each wait is for what is on its way.
  const auto share = (deadline - std::chrono::steady_clock::now()) / static_cast<int>(streams.size());
  for (const std::unique_ptr<ByteStream>& stream : streams) {
    const Speaks speaks = Judge(Ask(stream.get(), std::chrono::steady_clock::now() + share));
    if (speaks != Speaks::kUnknown) return speaks;
  }
  return Speaks::kUnknown;
}

}  // namespace fensi::hbase
