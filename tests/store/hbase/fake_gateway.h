// A Thrift2 gateway inside the test: real sockets, scripted answers.
//
// Serves every connection on a thread of its own until it is destroyed. Handlers run on those threads.
#pragma once

#include <atomic>
#include <functional>
#include <map>
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
namespace apache::thrift::transport {
class TServerSocket;
class TTransportFactory;
}  // namespace apache::thrift::transport

namespace fensi::store {

/// A table "t" with one family; what a test does not script succeeds and returns nothing.
class ScriptedHandler final : public thrift2::THBaseServiceNull {
 public:
  /// Runs before every call, whatever it is.
  std::function<void()> on_call;
  std::function<void(const std::vector<thrift2::TPut>&)> on_put;
  std::function<void(const std::vector<thrift2::TDelete>&)> on_delete;
  std::function<void(std::vector<thrift2::TResult>&, const std::vector<thrift2::TGet>&)> on_get;
  std::function<void(std::vector<thrift2::TResult>&, const thrift2::TScan&)> on_scan;
  /// Names of calls that it does not know, as a gateway of an older version. Fixed before the first call.
  std::set<std::string> lacks;
  std::atomic<bool> table_exists{true};
  std::atomic<int> described{0};
  /// Of its tables in hbase:meta: the state, since when, and whether it is another one at each look.
  std::string table_state = std::string("\x08\x00", 2);
  std::atomic<int64_t> enabled_at{5};
  bool state_moves = false;
  std::vector<std::string> regions = {"t,,9.a.", "t,k,7,7.b.", "t,z,8.c."};

  /// The table is made again, with this family instead of "f".
  void MakeAgain(const std::string& family);

  /// Rows that arrived in puts that did not fail; trials of whether a region takes writes are none.
  std::multiset<std::string> Rows();
  int PutCalls() const { return put_calls_; }
  /// The value of the column that the last conditional put of the row left, and how many of them came.
  std::string Compared(const std::string& row);
  int CompareCalls() const { return compare_calls_; }

  void putMultiple(const std::string& table, const std::vector<thrift2::TPut>& puts) override;
  /// on_put, too.
  bool checkAndPut(const std::string& table, const std::string& row, const std::string& family,
                   const std::string& qualifier, const std::string& value, const thrift2::TPut& put) override;
  void deleteMultiple(std::vector<thrift2::TDelete>& answer, const std::string& table,
                      const std::vector<thrift2::TDelete>& deletes) override;
  void mutateRow(const std::string& table, const thrift2::TRowMutations& row) override;
  void getMultiple(std::vector<thrift2::TResult>& answer, const std::string& table,
                   const std::vector<thrift2::TGet>& gets) override;
  void getScannerResults(std::vector<thrift2::TResult>& answer, const std::string& table, const thrift2::TScan& scan,
                         int32_t rows) override;
  void getAllRegionLocations(std::vector<thrift2::THRegionLocation>& answer, const std::string& table) override;
  void getTableNamesByPattern(std::vector<thrift2::TTableName>& answer, const std::string& regex,
                              bool with_own_tables) override;
  bool tableExists(const thrift2::TTableName& table) override;
  void getTableDescriptor(thrift2::TTableDescriptor& answer, const thrift2::TTableName& table) override;
  void createTable(const thrift2::TTableDescriptor& table, const std::vector<std::string>& split_keys) override;
  void deleteTable(const thrift2::TTableName& table) override;

 private:
  void Enter() const {
    if (on_call) on_call();
  }
  void RequireFamily(const std::string& family);
  void ShowMeta(std::vector<thrift2::TResult>* answer, const thrift2::TScan& scan);

  std::atomic<int> put_calls_{0};
  std::atomic<int> compare_calls_{0};
  std::mutex mu_;  // guards the following
  std::multiset<std::string> rows_;
  std::map<std::string, std::string> compared_;  // by row
  std::string family_ = "f";
};

/// One row "wide" with so many columns of one size, larger than any answer should be. It is handed out as HBase does:
/// at most a limit of cells, from a column on.
struct WideRow {
  int columns = 0;
  int value_bytes = 0;
  std::atomic<int64_t> largest_answer{0};  // bytes of values

  void Serve(ScriptedHandler* handler);
  static std::string QualifierOf(int column);

 private:
  thrift2::TResult Cells(int from, int limit);
};

/// Rows of 8 MiB pass both ways, unchanged in size, each `times` times on one connection.
void ExpectLargeRowsPass(ScriptedHandler* handler, Store* store, int times);

class FakeGateway {
 public:
  using Socket = std::shared_ptr<apache::thrift::transport::TServerSocket>;
  using Layers = std::shared_ptr<apache::thrift::transport::TTransportFactory>;

  FakeGateway();
  /// What a gateway with a security of its own does with each connection.
  FakeGateway(const Socket& socket, const Layers& layers);
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
