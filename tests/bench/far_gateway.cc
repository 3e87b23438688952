#include "tests/bench/far_gateway.h"

#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/server/TThreadedServer.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/TServerSocket.h>

#include <array>
#include <atomic>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "THBaseService.h"

namespace fensi::bench {

namespace thrift = apache::thrift;
namespace thrift2 = store::thrift2;

/// The newest put of each column, in shards that are locked one by one.
class FarHandler final : public thrift2::THBaseServiceNull {
 public:
  explicit FarHandler(std::chrono::milliseconds away) : away_(away) {}

  void putMultiple(const std::string& table, const std::vector<thrift2::TPut>& puts) override {
    Enter();
    for (const thrift2::TPut& put : puts) {
      InRow(table, put.row, [&](Row& row) {
        for (const thrift2::TColumnValue& cell : put.columnValues) {
          thrift2::TColumnValue& kept = row[{cell.family, cell.qualifier}];
          if (cell.timestamp >= kept.timestamp) kept = cell;
        }
      });
    }
  }
  void deleteMultiple(std::vector<thrift2::TDelete>&, const std::string& table,
                      const std::vector<thrift2::TDelete>& deletes) override {
    Enter();
    for (const thrift2::TDelete& each : deletes) {
      InRow(table, each.row, [&](Row& row) {
        for (const thrift2::TColumn& column : each.columns) {
          const auto found = row.find({column.family, column.qualifier});
          if (found != row.end() && found->second.timestamp <= column.timestamp) row.erase(found);
        }
      });
    }
  }
  void getMultiple(std::vector<thrift2::TResult>& answer, const std::string& table,
                   const std::vector<thrift2::TGet>& gets) override {
    Enter();
    answer.resize(gets.size());
    for (size_t i = 0; i < gets.size(); ++i) {
      InRow(table, gets[i].row, [&](Row& row) {
        if (row.empty()) return;
        answer[i].__set_row(gets[i].row);
        for (const auto& [column, cell] : row) answer[i].columnValues.push_back(cell);
      });
    }
  }
  bool tableExists(const thrift2::TTableName&) override {
    Enter();
    return true;
  }
  void getTableDescriptor(thrift2::TTableDescriptor& answer, const thrift2::TTableName& table) override {
    Enter();
    answer.__set_tableName(table);
    std::vector<thrift2::TColumnFamilyDescriptor> families;
    for (const char* name : {"d", "f1", "i", "m", "r", "s"}) families.emplace_back().__set_name(name);
    answer.__set_columns(families);
  }

  void set_away(std::chrono::milliseconds away) { away_ = away; }
  int64_t calls() const { return calls_; }

 private:
  using Row = std::map<std::pair<std::string, std::string>, thrift2::TColumnValue>;
  struct Shard {
    std::mutex mu;
    std::unordered_map<std::string, Row> rows;  // guarded by mu
  };

  void Enter() {
    ++calls_;
    std::this_thread::sleep_for(away_.load());
  }
  template <typename Action>
  void InRow(const std::string& table, const std::string& row, Action action) {
    const std::string key = table + '\0' + row;
    Shard& shard = shards_[std::hash<std::string>()(key) % shards_.size()];
    const std::lock_guard lock(shard.mu);
    action(shard.rows[key]);
  }

  std::atomic<std::chrono::milliseconds> away_;
  std::atomic<int64_t> calls_{0};
  std::array<Shard, 64> shards_;
};

namespace {

class Listening final : public thrift::server::TServerEventHandler {
 public:
  void preServe() override { promise.set_value(); }
  std::promise<void> promise;
};

}  // namespace

struct FarGateway::Server {
  explicit Server(std::chrono::milliseconds away) : handler(std::make_shared<FarHandler>(away)) {}

  const std::shared_ptr<FarHandler> handler;
  const std::shared_ptr<thrift::transport::TServerSocket> socket =
      std::make_shared<thrift::transport::TServerSocket>("127.0.0.1", 0);
  thrift::server::TThreadedServer thrift{std::make_shared<thrift2::THBaseServiceProcessor>(handler), socket,
                                         std::make_shared<thrift::transport::TBufferedTransportFactory>(),
                                         std::make_shared<thrift::protocol::TBinaryProtocolFactory>()};
};

FarGateway::FarGateway(std::chrono::milliseconds away) : server_(std::make_unique<Server>(away)) {
  const auto listening = std::make_shared<Listening>();
  server_->thrift.setServerEventHandler(listening);
  thread_ = std::thread([this] { server_->thrift.serve(); });
  listening->promise.get_future().wait();
}

FarGateway::~FarGateway() {
  server_->thrift.stop();
  thread_.join();
}

int FarGateway::port() const { return server_->socket->getPort(); }
int64_t FarGateway::calls() const { return server_->handler->calls(); }
void FarGateway::set_away(std::chrono::milliseconds away) { server_->handler->set_away(away); }

}  // namespace fensi::bench
