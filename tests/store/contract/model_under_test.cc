// The model of HBase in memory.
#include "tests/indexer/model/model_store.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

class ModelUnderTest final : public StoreUnderTest {
 public:
  Store* store() override { return &store_; }
  Status Flush(const std::string&) override { return Status(); }
  Status MajorCompact(const std::string& table) override { return store_.MajorCompact(table); }

 private:
  testing::ModelStore store_{SystemClock()};
};

}  // namespace

Result<std::unique_ptr<StoreUnderTest>> MakeStoreUnderTest() {
  return std::unique_ptr<StoreUnderTest>(new ModelUnderTest());
}

}  // namespace fensi::store
