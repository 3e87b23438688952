// Each call of a routing store reaches the store that has the table, and no call reaches the other one.
#include "store/routing_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <set>

#include "store/open_store.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Names = std::vector<std::string>;

/// Notes the names of its calls, and answers with a refusal or with its own name.
class NamedStore final : public Store {
 public:
  explicit NamedStore(std::string name) : name_(std::move(name)) {}

  Result<std::vector<RejectedRow>> Put(const std::string&, std::span<const RowMutation>) override {
    return Refused("Put");
  }
  Result<std::vector<RejectedRow>> Delete(const std::string&, std::span<const RowMutation>) override {
    return Refused("Delete");
  }
  Result<bool> CompareAndPut(const std::string&, const ConditionalPut&) override { return Refused("CompareAndPut"); }
  Result<std::vector<Row>> Get(const std::string&, std::span<const GetRequest>) override { return Refused("Get"); }
  Result<std::vector<Row>> GetSome(const std::string&, std::span<const GetRequest>, size_t) override {
    return Refused("GetSome");
  }
  Result<std::vector<Row>> Scan(const std::string&, const ScanRequest&) override { return Refused("Scan"); }
  Status CreateTable(const TableDescriptor&, const std::vector<std::string>&) override {
    return Refused("CreateTable");
  }
  Result<std::optional<TableDescriptor>> DescribeTable(const std::string&) override { return Refused("DescribeTable"); }
  bool HasReplication() const override { return Note("HasReplication"); }
  Result<std::vector<std::string>> TableNames() override { return Refused("TableNames"); }
  Result<std::vector<std::string>> RegionStarts(const std::string&) override { return Refused("RegionStarts"); }
  Result<std::optional<std::vector<RegionSize>>> RegionSizes(const std::string&) override {
    return Refused("RegionSizes");
  }
  Result<std::optional<TableIdentity>> IdentityOf(const std::string&) override { return Refused("IdentityOf"); }
  Status CheckServer(const std::string&) override { return Refused("CheckServer"); }
  Result<std::optional<ClusterFacts>> DescribeCluster() override { return Refused("DescribeCluster"); }
  Status DropTable(const std::string&) override { return Refused("DropTable"); }
  std::vector<ServerCalls> Servers() const override {
    Note("Servers");
    return {ServerCalls{.address = name_}};
  }

  Names TakeCalls() { return std::exchange(calls_, {}); }

 private:
  bool Note(const char* call) const {
    calls_.emplace_back(call);
    return true;
  }
  Status Refused(const char* call) const {
    Note(call);
    return Status(StatusCode::kRejected, name_);
  }

  const std::string name_;
  mutable Names calls_;
};

struct TableCall {
  const char* name;
  std::function<Status(Store*, const std::string& table)> run;
};

std::vector<TableCall> CallsOfTables() {
  return {
      {"Put", [](Store* s, const std::string& t) { return s->Put(t, {}).status(); }},
      {"Delete", [](Store* s, const std::string& t) { return s->Delete(t, {}).status(); }},
      {"CompareAndPut", [](Store* s, const std::string& t) { return s->CompareAndPut(t, {}).status(); }},
      {"Get", [](Store* s, const std::string& t) { return s->Get(t, {}).status(); }},
      {"GetSome", [](Store* s, const std::string& t) { return s->GetSome(t, {}, 1).status(); }},
      {"Scan", [](Store* s, const std::string& t) { return s->Scan(t, {}).status(); }},
      {"CreateTable", [](Store* s, const std::string& t) { return s->CreateTable({.name = t}, {}); }},
      {"DescribeTable", [](Store* s, const std::string& t) { return s->DescribeTable(t).status(); }},
      {"RegionStarts", [](Store* s, const std::string& t) { return s->RegionStarts(t).status(); }},
      {"RegionSizes", [](Store* s, const std::string& t) { return s->RegionSizes(t).status(); }},
      {"IdentityOf", [](Store* s, const std::string& t) { return s->IdentityOf(t).status(); }},
      {"CheckServer", [](Store* s, const std::string& t) { return s->CheckServer(t); }},
      {"DropTable", [](Store* s, const std::string& t) { return s->DropTable(t); }},
  };
}

struct Two {
  std::shared_ptr<NamedStore> index = std::make_shared<NamedStore>("index");
  std::shared_ptr<NamedStore> source = std::make_shared<NamedStore>("source");
  RoutingStore store{index, source, {"hbase://far:2181/hbase", {"orders", "ns:orders"}}};
};

TEST(RoutingStore, ACallWithATableReachesOnlyTheStoreThatHasTheTable) {
  Two two;
  for (const TableCall& call : CallsOfTables()) {
    for (const char* source : {"orders", "ns:orders"}) {
      EXPECT_EQ(call.run(&two.store, source).message(), "source") << call.name;
      EXPECT_THAT(two.source->TakeCalls(), ElementsAre(call.name));
      EXPECT_THAT(two.index->TakeCalls(), IsEmpty()) << call.name;
    }
    for (const char* other : {"by_seller", "by_seller_state", "fensi_meta", "order", "orders2", "default:orders", ""}) {
      EXPECT_EQ(call.run(&two.store, other).message(), "index") << call.name << " of '" << other << "'";
      EXPECT_THAT(two.index->TakeCalls(), ElementsAre(call.name));
      EXPECT_THAT(two.source->TakeCalls(), IsEmpty()) << call.name << " of '" << other << "'";
    }
  }
}

TEST(RoutingStore, ACallWithoutATableIsOfTheIndexExceptForReplicationAndServers) {
  Two two;
  EXPECT_EQ(two.store.TableNames().status().message(), "index");
  EXPECT_EQ(two.store.DescribeCluster().status().message(), "index");
  EXPECT_THAT(two.source->TakeCalls(), IsEmpty());
  two.index->TakeCalls();
  EXPECT_TRUE(two.store.HasReplication());
  EXPECT_THAT(two.source->TakeCalls(), ElementsAre("HasReplication"));
  EXPECT_THAT(two.index->TakeCalls(), IsEmpty());
  Names servers;
  for (const ServerCalls& server : two.store.Servers()) servers.push_back(server.address);
  EXPECT_THAT(servers, ElementsAre("index", "source"));
}

TEST(RoutingStore, APermissionIsCheckedInBothStores) {
  Two two;
  bool lost = false;
  const auto view = two.store.Guarded([&] { return lost ? Status(StatusCode::kFenced, "lost") : Status(); });
  for (const TableCall& call : CallsOfTables()) {
    lost = false;
    // A permission of CheckServer is not asked: it changes nothing.
    EXPECT_EQ(call.run(view.get(), "orders").message(), "source") << call.name;
    EXPECT_EQ(call.run(view.get(), "by_seller").message(), "index") << call.name;
    two.index->TakeCalls();
    two.source->TakeCalls();
    const std::string name = call.name;
    if (name == "CheckServer") continue;
    lost = true;
    for (const char* table : {"orders", "by_seller"}) {
      EXPECT_EQ(call.run(view.get(), table).code(), StatusCode::kFenced) << name << " of " << table;
    }
    EXPECT_THAT(two.index->TakeCalls(), IsEmpty()) << name;
    EXPECT_THAT(two.source->TakeCalls(), IsEmpty()) << name;
  }
  EXPECT_EQ(view->OtherPlaceOf("orders"), "hbase://far:2181/hbase");
}

TEST(RoutingStore, TellsWhichTablesAreElsewhereAlsoThroughWrappers) {
  Two two;
  class Wrapper final : public DelegatingStore {
   public:
    using DelegatingStore::DelegatingStore;
  };
  Wrapper wrapper(&two.store);
  EXPECT_EQ(wrapper.OtherPlaceOf("orders"), "hbase://far:2181/hbase");
  EXPECT_EQ(wrapper.OtherPlaceOf("by_seller"), "");
  EXPECT_EQ(two.index->OtherPlaceOf("orders"), "") << "a store alone has all its tables";
}

TEST(RoutingStore, TwoTablesOfOneNameAreTwoTables) {
  const std::shared_ptr<Store> index = OpenMemoryStore(SystemClock()).value();
  const std::shared_ptr<Store> source = OpenMemoryStore(SystemClock()).value();
  RoutingStore store(index, source, {"hbase://far:2181/hbase", {"orders"}});
  for (Store* each : {index.get(), source.get()}) ASSERT_TRUE(each->CreateTable({"orders", {{.name = "f"}}}, {}).ok());
  const std::vector<RowMutation> here = {{"here", {PutCell("f:q", 1, "v")}}}, far = {{"far", {PutCell("f:q", 1, "v")}}};
  ASSERT_TRUE(index->Put("orders", here).ok());
  ASSERT_TRUE(source->Put("orders", far).ok());
  const auto rows = store.Scan("orders", {});
  ASSERT_TRUE(rows.ok());
  ASSERT_EQ(rows->size(), 1U);
  EXPECT_EQ(rows->front().row, "far");
}

/// A call that is added to Store must be added here and to RoutingStore: a default of Store would answer for both.
TEST(RoutingStore, NoCallOfAStoreIsLeftToTheDefault) {
  const char* root = std::getenv("FENSI_ROOT");
  ASSERT_NE(root, nullptr);
  const auto text = [&](const std::string& path) {
    std::ifstream file(std::string(root) + "/" + path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string interface = text("store/store.h"), routing = text("store/routing_store.h");
  const std::regex call(R"(virtual [^~;{]*?\b(\w+)\()");
  std::set<std::string> names;
  for (std::sregex_iterator at(interface.begin(), interface.end(), call), end; at != end; ++at) names.insert((*at)[1]);
  EXPECT_GE(names.size(), 19U);
  for (const std::string& name : names) {
    EXPECT_TRUE(std::regex_search(routing, std::regex("\\b" + name + R"(\([^;{]*\)[^;{]*override)"))) << name;
  }
}

}  // namespace
}  // namespace fensi::store
