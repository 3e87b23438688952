// A real HBase: its gateway at FENSI_TEST_HBASE, its administration (flush, compact) at FENSI_TEST_ADMIN.
#include "base/bytes.h"
#include "store/open_store.h"
#include "tests/store/contract/stack_admin.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

class HBaseUnderTest final : public StoreUnderTest {
 public:
  HBaseUnderTest(std::unique_ptr<Store> store, StackAdmin admin) : store_(std::move(store)), admin_(std::move(admin)) {}
  Store* store() override { return store_.get(); }
  Status Flush(const std::string& table) override { return admin_.Run("flush " + table); }
  Status MajorCompact(const std::string& table) override { return admin_.Run("compact " + table); }

 private:
  const std::unique_ptr<Store> store_;
  const StackAdmin admin_;
};

Result<std::string> AddressFrom(const char* variable) {
  const char* address = std::getenv(variable);
  if (address != nullptr && *address != 0) return std::string(address);
  return Status(StatusCode::kConfiguration,
                std::string(variable) + " is not set: tests/run starts the servers and sets it");
}

}  // namespace

Result<std::unique_ptr<StoreUnderTest>> MakeStoreUnderTest() {
  const Result<std::string> gateway = AddressFrom("FENSI_TEST_HBASE");
  if (!gateway.ok()) return gateway.status();
  const Result<std::string> admin = AddressFrom("FENSI_TEST_ADMIN");
  if (!admin.ok()) return admin.status();
  Result<std::unique_ptr<Store>> store = OpenStore("thrift://" + *gateway);
  if (!store.ok()) return store.status();
  return std::unique_ptr<StoreUnderTest>(new HBaseUnderTest(std::move(*store), StackAdmin(*admin)));
}

}  // namespace fensi::store
