// A Thrift2 gateway inside the test: real sockets, scripted answers.
//
// Serves every connection on a thread of its own until it is destroyed. Handlers run on those threads.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "THBaseService.h"
#include "store/hbase/hbase_store.h"

namespace apache::thrift::server {
class TThreadedServer;
}

namespace fensi::store {

/// A table "t" with the family f; what a test does not script succeeds and returns nothing.
class ScriptedHandler final : public thrift2::THBaseServiceNull {
 public:
  std::function<void(const std::vector<thrift2::TPut>&)> on_put;
  std::function<void(const std::vector<thrift2::TDelete>&)> on_delete;
  std::function<void(std::vector<thrift2::TResult>&, const std::vector<thrift2::TGet>&)> on_get;
  std::atomic<bool> table_exists{true};
  std::atomic<int> described{0};

  /// Rows that arrived in puts that did not fail.
  std::multiset<std::string> Rows();
  int PutCalls() const { return put_calls_; }

  void putMultiple(const std::string& table, const std::vector<thrift2::TPut>& puts) override;
  void deleteMultiple(std::vector<thrift2::TDelete>& answer, const std::string& table,
                      const std::vector<thrift2::TDelete>& deletes) override;
  void getMultiple(std::vector<thrift2::TResult>& answer, const std::string& table,
                   const std::vector<thrift2::TGet>& gets) override;
  bool tableExists(const thrift2::TTableName& table) override;
  void getTableDescriptor(thrift2::TTableDescriptor& answer, const thrift2::TTableName& table) override;

 private:
  std::atomic<int> put_calls_{0};
  std::mutex mu_;  // guards the following
  std::multiset<std::string> rows_;
};

class FakeGateway {
 public:
  FakeGateway();
  ~FakeGateway();

  int port() const { return port_; }
  ScriptedHandler& handler() { return *handler_; }
  /// A store whose calls end after `call_timeout`.
  std::unique_ptr<HBaseStore> Store(int connections = 1,
                                    std::chrono::milliseconds call_timeout = std::chrono::seconds(60));

 private:
  const std::shared_ptr<ScriptedHandler> handler_ = std::make_shared<ScriptedHandler>();
  std::unique_ptr<apache::thrift::server::TThreadedServer> server_;
  std::thread thread_;
  int port_ = 0;
};

thrift2::TIOError GatewayError(const std::string& message);

}  // namespace fensi::store
