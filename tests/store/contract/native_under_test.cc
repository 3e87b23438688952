// A real HBase by its own RPC: its ZooKeeper at FENSI_TEST_ZOOKEEPER, its master at FENSI_TEST_MASTER, its
// administration (flush, compact) at FENSI_TEST_ADMIN.
#include <cstdlib>

#include "base/bytes.h"
#include "store/open_store.h"
#include "tests/store/contract/stack_admin.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

class NativeUnderTest final : public StoreUnderTest {
 public:
  NativeUnderTest(std::unique_ptr<Store> store, StackAdmin admin)
      : store_(std::move(store)), admin_(std::move(admin)) {}
  Store* store() override { return store_.get(); }
  Status Flush(const std::string& table) override { return admin_.Run("flush " + table); }
  Status MajorCompact(const std::string& table) override { return admin_.Run("compact " + table); }

 private:
  const std::unique_ptr<Store> store_;
  const StackAdmin admin_;
};

std::string Setting(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

}  // namespace

/// FENSI_TEST_REGISTRY=rpc: by the master, not by ZooKeeper.
Result<std::unique_ptr<StoreUnderTest>> MakeStoreUnderTest() {
  const std::string zookeeper = Setting("FENSI_TEST_ZOOKEEPER"), admin = Setting("FENSI_TEST_ADMIN");
  if (zookeeper.empty() || admin.empty()) {
    return Status(StatusCode::kConfiguration,
                  "FENSI_TEST_ZOOKEEPER and FENSI_TEST_ADMIN are not set: tests/run starts the servers and sets them");
  }
  const bool by_rpc = Setting("FENSI_TEST_REGISTRY") == "rpc";
  Result<std::unique_ptr<Store>> store =
      OpenStore(by_rpc ? "hbase://" + Setting("FENSI_TEST_MASTER") : "hbase://" + zookeeper + "/hbase");
  if (!store.ok()) return store.status();
  return std::unique_ptr<StoreUnderTest>(new NativeUnderTest(std::move(*store), StackAdmin(admin)));
}

}  // namespace fensi::store
