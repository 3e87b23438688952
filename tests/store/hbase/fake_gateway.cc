#include "tests/store/hbase/fake_gateway.h"

#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/server/TThreadedServer.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/TServerSocket.h>

#include <future>

namespace fensi::store {
namespace {

namespace thrift = apache::thrift;

/// Tells when the server listens.
class Listening final : public thrift::server::TServerEventHandler {
 public:
  void preServe() override { promise.set_value(); }
  std::promise<void> promise;
};

}  // namespace

std::multiset<std::string> ScriptedHandler::Rows() {
  const std::lock_guard lock(mu_);
  return rows_;
}

void ScriptedHandler::putMultiple(const std::string&, const std::vector<thrift2::TPut>& puts) {
  ++put_calls_;
  if (on_put) on_put(puts);
  const std::lock_guard lock(mu_);
  for (const thrift2::TPut& put : puts) rows_.insert(put.row);
}

void ScriptedHandler::deleteMultiple(std::vector<thrift2::TDelete>&, const std::string&,
                                     const std::vector<thrift2::TDelete>& deletes) {
  if (on_delete) on_delete(deletes);
}

void ScriptedHandler::getMultiple(std::vector<thrift2::TResult>& answer, const std::string&,
                                  const std::vector<thrift2::TGet>& gets) {
  answer.resize(gets.size());
  if (on_get) on_get(answer, gets);
}

bool ScriptedHandler::tableExists(const thrift2::TTableName&) { return table_exists; }

void ScriptedHandler::getTableDescriptor(thrift2::TTableDescriptor& answer, const thrift2::TTableName& table) {
  ++described;
  answer.__set_tableName(table);
  thrift2::TColumnFamilyDescriptor family;
  family.__set_name("f");
  answer.__set_columns({family});
}

FakeGateway::FakeGateway() {
  const auto socket = std::make_shared<thrift::transport::TServerSocket>("127.0.0.1", 0);
  server_ = std::make_unique<thrift::server::TThreadedServer>(
      std::make_shared<thrift2::THBaseServiceProcessor>(handler_), socket,
      std::make_shared<thrift::transport::TBufferedTransportFactory>(),
      std::make_shared<thrift::protocol::TBinaryProtocolFactory>());
  const auto listening = std::make_shared<Listening>();
  server_->setServerEventHandler(listening);
  thread_ = std::thread([this] { server_->serve(); });
  listening->promise.get_future().wait();
  port_ = socket->getPort();
}

FakeGateway::~FakeGateway() {
  server_->stop();
  thread_.join();
}

std::unique_ptr<HBaseStore> FakeGateway::Store(int connections, std::chrono::milliseconds call_timeout) {
  return HBaseStore::Open(
             {.host = "127.0.0.1", .port = port_, .connections = connections, .call_timeout = call_timeout})
      .value();
}

thrift2::TIOError GatewayError(const std::string& message) {
  thrift2::TIOError error;
  error.__set_message(message);
  error.__set_canRetry(true);
  return error;
}

}  // namespace fensi::store
