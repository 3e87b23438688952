#include "tests/store/hbase/fake_gateway.h"

#include <gtest/gtest.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/server/TThreadedServer.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/TServerSocket.h>

#include <algorithm>
#include <future>

#include "store/check.h"
#include "store/hbase/calls/server_check.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

namespace thrift = apache::thrift;

/// Tells when the server listens.
class Listening final : public thrift::server::TServerEventHandler {
 public:
  void preServe() override { promise.set_value(); }
  std::promise<void> promise;
};

class Processor final : public thrift2::THBaseServiceProcessor {
 public:
  explicit Processor(const std::shared_ptr<ScriptedHandler>& handler)
      : THBaseServiceProcessor(handler), handler_(handler) {}

 protected:
  bool dispatchCall(thrift::protocol::TProtocol* in, thrift::protocol::TProtocol* out, const std::string& name,
                    int32_t sequence, void* context) override {
    const bool lacks = handler_->lacks.contains(name);
    return THBaseServiceProcessor::dispatchCall(in, out, lacks ? "no " + name : name, sequence, context);
  }

 private:
  const std::shared_ptr<ScriptedHandler> handler_;
};

}  // namespace

std::multiset<std::string> ScriptedHandler::Rows() {
  const std::lock_guard lock(mu_);
  return rows_;
}

void ScriptedHandler::MakeAgain(const std::string& family) {
  const std::lock_guard lock(mu_);
  family_ = family;
}

void ScriptedHandler::RequireFamily(const std::string& family) {
  const std::lock_guard lock(mu_);
  if (family != family_) throw GatewayError("Failed 1 action: NoSuchColumnFamilyException: 1 time");
}

void ScriptedHandler::putMultiple(const std::string&, const std::vector<thrift2::TPut>& puts) {
  Enter();
  ++put_calls_;
  for (const thrift2::TPut& put : puts) RequireFamily(put.columnValues.at(0).family);
  if (on_put) on_put(puts);
  const std::lock_guard lock(mu_);
  for (const thrift2::TPut& put : puts) {
    if (put.columnValues.at(0).qualifier != kProbeQualifier) rows_.insert(put.row);
  }
}

std::string ScriptedHandler::Compared(const std::string& row) {
  const std::lock_guard lock(mu_);
  return compared_[row];
}

bool ScriptedHandler::checkAndPut(const std::string&, const std::string& row, const std::string& family,
                                  const std::string& qualifier, const std::string& value, const thrift2::TPut& put) {
  Enter();
  ++compare_calls_;
  RequireFamily(family);
  if (on_put) on_put({put});
  const std::lock_guard lock(mu_);
  if (compared_[row] != value) return false;
  for (const thrift2::TColumnValue& cell : put.columnValues) {
    if (cell.qualifier == qualifier) compared_[row] = cell.value;
  }
  return true;
}

void ScriptedHandler::deleteMultiple(std::vector<thrift2::TDelete>&, const std::string&,
                                     const std::vector<thrift2::TDelete>& deletes) {
  Enter();
  for (const thrift2::TDelete& one : deletes) RequireFamily(one.columns.at(0).family);
  if (on_delete) on_delete(deletes);
}

void ScriptedHandler::mutateRow(const std::string&, const thrift2::TRowMutations&) { Enter(); }

void ScriptedHandler::getMultiple(std::vector<thrift2::TResult>& answer, const std::string&,
                                  const std::vector<thrift2::TGet>& gets) {
  Enter();
  answer.resize(gets.size());
  for (const thrift2::TGet& get : gets) {
    for (const thrift2::TColumn& column : get.columns) RequireFamily(column.family);
  }
  if (on_get) on_get(answer, gets);
}

/// Of hbase:meta: table "t" and its regions.
void ScriptedHandler::ShowMeta(std::vector<thrift2::TResult>* answer, const thrift2::TScan& scan) {
  const auto add = [&](const std::string& row, const char* family, const char* qualifier, const std::string& value,
                       int64_t timestamp) {
    const bool wanted = row >= scan.startRow && row < scan.stopRow;
    if (!wanted || answer->size() >= static_cast<size_t>(scan.limit)) return;
    thrift2::TColumnValue cell;
    cell.family = family;
    cell.qualifier = qualifier;
    cell.value = value;
    cell.__set_timestamp(timestamp);
    answer->emplace_back();
    answer->back().__set_row(row);
    answer->back().columnValues.push_back(cell);
  };
  add("t", "table", "state", table_state, enabled_at.fetch_add(state_moves ? 1 : 0));
  for (const std::string& region : regions) add(region, "info", "regioninfo", "PBUF", 1);
}

void ScriptedHandler::getScannerResults(std::vector<thrift2::TResult>& answer, const std::string& table,
                                        const thrift2::TScan& scan, int32_t) {
  Enter();
  if (table == "hbase:meta") return ShowMeta(&answer, scan);
  for (const thrift2::TColumn& column : scan.columns) RequireFamily(column.family);
  if (on_scan) on_scan(answer, scan);
}

void ScriptedHandler::getAllRegionLocations(std::vector<thrift2::THRegionLocation>& answer, const std::string&) {
  Enter();
  answer.resize(1);
}

void ScriptedHandler::getTableNamesByPattern(std::vector<thrift2::TTableName>& answer, const std::string&, bool) {
  Enter();
  thrift2::TTableName name;
  name.__set_ns("default");
  name.__set_qualifier("t");
  answer.push_back(name);
}

bool ScriptedHandler::tableExists(const thrift2::TTableName&) {
  Enter();
  return table_exists;
}

void ScriptedHandler::getTableDescriptor(thrift2::TTableDescriptor& answer, const thrift2::TTableName& table) {
  Enter();
  ++described;
  answer.__set_tableName(table);
  thrift2::TColumnFamilyDescriptor family;
  const std::lock_guard lock(mu_);
  family.__set_name(family_);
  answer.__set_columns({family});
}

void ScriptedHandler::createTable(const thrift2::TTableDescriptor&, const std::vector<std::string>&) { Enter(); }

void ScriptedHandler::deleteTable(const thrift2::TTableName&) { Enter(); }

std::string WideRow::QualifierOf(int column) {
  const std::string digits = std::to_string(column);
  return std::string(8 - digits.size(), '0') + digits;
}

void WideRow::Serve(ScriptedHandler* handler) {
  handler->on_get = [this](auto& answer, const std::vector<thrift2::TGet>& gets) {
    for (size_t i = 0; i < gets.size(); ++i) {
      if (gets[i].row != "wide") continue;
      const std::string& filter = gets[i].filterString;  // ColumnRangeFilter('00000012', …
      const int from = filter.empty() ? 0 : std::stoi(filter.substr(filter.find('\'') + 1, 8));
      answer[i] = Cells(from, gets[i].storeLimit);
    }
  };
  handler->on_scan = [this](auto& answer, const thrift2::TScan& scan) {
    if (scan.startRow > "wide") return;
    constexpr std::string_view kBehind = "ColumnRangeFilter('";
    const size_t behind = scan.filterString.find(kBehind);
    int from = behind == std::string::npos ? 0 : std::stoi(scan.filterString.substr(behind + kBehind.size(), 8)) + 1;
    const int piece = scan.__isset.batchSize ? scan.batchSize : columns;
    for (int left = scan.limit; left > 0 && from < columns; --left, from += piece) answer.push_back(Cells(from, piece));
  };
}

thrift2::TResult WideRow::Cells(int from, int limit) {
  thrift2::TResult result;
  result.__set_row("wide");
  const int end = std::min(columns, from + limit);
  largest_answer = std::max<int64_t>(largest_answer, int64_t{end - from} * value_bytes);
  for (int i = from; i < end; ++i) {
    thrift2::TColumnValue& cell = result.columnValues.emplace_back();
    cell.family = "f";
    cell.qualifier = QualifierOf(i);
    cell.__set_timestamp(1);
    cell.__set_type(static_cast<int8_t>(CellType::kPut));
    cell.value.assign(static_cast<size_t>(value_bytes), 'v');
  }
  return result;
}

void ExpectLargeRowsPass(ScriptedHandler* handler, Store* store, int times) {
  constexpr size_t kValue = 8 << 20;
  handler->on_get = [](auto& answer, const auto&) {
    answer[0].__set_row("r");
    answer[0].columnValues.emplace_back().family = "f";
    answer[0].columnValues[0].value.assign(kValue, 'v');
  };
  std::atomic<size_t> came = 0;
  handler->on_put = [&came](const auto& puts) { came += puts[0].columnValues[0].value.size(); };
  const GetRequest request{.row = "r"};
  const std::vector<RowMutation> rows = {{"a", {PutCell("f:q", 1, std::string(kValue, 'w'))}}};
  for (int i = 0; i < times; ++i) {
    const auto got = store->Get("t", {&request, 1});
    ASSERT_TRUE(got.ok()) << got.status().ToString();
    EXPECT_EQ(got->at(0).cells.at(0).value.size(), kValue);
    ASSERT_TRUE(store->Put("t", rows).ok());
  }
  EXPECT_EQ(came, kValue * static_cast<size_t>(times));
  handler->on_put = nullptr;
}

FakeGateway::FakeGateway()
    : FakeGateway(std::make_shared<thrift::transport::TServerSocket>("127.0.0.1", 0),
                  std::make_shared<thrift::transport::TBufferedTransportFactory>()) {}

FakeGateway::FakeGateway(const Socket& socket, const Layers& layers) {
  server_ =
      std::make_unique<thrift::server::TThreadedServer>(std::make_shared<Processor>(handler_), socket, layers,
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
