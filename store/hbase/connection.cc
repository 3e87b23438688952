#include "store/hbase/connection.h"

#include <thrift/TOutput.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/TSocket.h>

#include "THBaseService.h"
#include "store/hbase/thrift_call.h"

namespace fensi::store {
namespace {

using apache::thrift::protocol::TBinaryProtocol;
using apache::thrift::transport::TBufferedTransport;
using apache::thrift::transport::TSocket;

/// The gateway closes connections that were idle for 60 s; we are earlier.
constexpr std::chrono::seconds kLongestIdle(30);

/// Thrift prints faults to stderr on its own; they are in the Status.
void SilenceThrift() {
  static const bool once = [] {
    apache::thrift::GlobalOutput.setOutputFunction([](const char*) {});
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace

Connection::Connection(const GatewayOptions& options) : options_(options) { SilenceThrift(); }

Connection::~Connection() = default;

Status Connection::Call(const std::string& doing, const std::function<void(thrift2::THBaseServiceClient&)>& call) {
  if (options_.clock->SinceBoot() - last_use_ > kLongestIdle) client_.reset();
  const std::string where = "gateway " + options_.host + ":" + std::to_string(options_.port) + ": ";
  const Status status = RunThrift(where + doing, [&] {
    if (client_ == nullptr) Open();
    call(*client_);
  });
  if (!status.ok()) client_.reset();
  last_use_ = options_.clock->SinceBoot();
  return status;
}

void Connection::Open() {
  auto socket = std::make_shared<TSocket>(options_.host, options_.port);
  socket->setConnTimeout(static_cast<int>(options_.connect_timeout.count()));
  socket->setSendTimeout(static_cast<int>(options_.call_timeout.count()));
  socket->setRecvTimeout(static_cast<int>(options_.call_timeout.count()));
  socket->setKeepAlive(true);
  auto transport = std::make_shared<TBufferedTransport>(socket);
  transport->open();
  client_ = std::make_unique<thrift2::THBaseServiceClient>(std::make_shared<TBinaryProtocol>(transport));
}

}  // namespace fensi::store
