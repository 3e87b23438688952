// The permission that a call needs is asked for, whatever stands before or behind the store.
#include "store/wrapped_store.h"

#include <gtest/gtest.h>

#include "store/open_store.h"
#include "store/retrying_store.h"
#include "tests/store/hbase/every_call.h"

namespace fensi::store {
namespace {

const Status kLost(StatusCode::kFenced, "the partition is no longer ours");

class Wrapper final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;

 private:
  std::unique_ptr<Store> Over(std::unique_ptr<Store> behind) override {
    return std::make_unique<Wrapper>(std::shared_ptr<Store>(std::move(behind)));
  }
};

TEST(Guarded, EveryCallOfAViewIsRefusedOnceThePermissionIsLost) {
  const auto embedded = OpenMemoryStore(SystemClock()).value();
  ASSERT_TRUE(embedded->CreateTable({"t", {{.name = "f"}}}, {}).ok());
  Wrapper wrapper(embedded.get());
  RetryingStore retrying(&wrapper, {});
  for (Store* store : {embedded.get(), static_cast<Store*>(&wrapper), static_cast<Store*>(&retrying)}) {
    bool lost = false;
    const std::unique_ptr<Store> view = store->Guarded([&] { return lost ? kLost : Status(); });
    ASSERT_NE(view, nullptr);
    ASSERT_TRUE(view->DescribeTable("t").ok());
    lost = true;
    for (const Call& call : EveryCall()) EXPECT_EQ(call.run(view.get()).code(), StatusCode::kFenced) << call.name;
  }
  EXPECT_TRUE(embedded->Scan("t", {})->empty()) << "nothing was written";
}

}  // namespace
}  // namespace fensi::store
