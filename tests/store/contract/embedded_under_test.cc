#include "store/embedded/embedded_store.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

class EmbeddedUnderTest final : public StoreUnderTest {
 public:
  explicit EmbeddedUnderTest(std::unique_ptr<EmbeddedStore> store) : store_(std::move(store)) {}
  Store* store() override { return store_.get(); }
  Status Flush(const std::string&) override { return Status(); }
  Status MajorCompact(const std::string& table) override { return store_->MajorCompact(table); }

 private:
  const std::unique_ptr<EmbeddedStore> store_;
};

}  // namespace

Result<std::unique_ptr<StoreUnderTest>> MakeStoreUnderTest() {
  Result<std::unique_ptr<EmbeddedStore>> store = EmbeddedStore::Open({.in_memory = true});
  if (!store.ok()) return store.status();
  return std::unique_ptr<StoreUnderTest>(new EmbeddedUnderTest(std::move(*store)));
}

}  // namespace fensi::store
