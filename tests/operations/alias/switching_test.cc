// M22: onto which index an alias may be put.
#include "operations/alias/switching.h"

#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <utility>

#include "indexer/index_descriptor.h"
#include "indexer/meta_row.h"
#include "mapping/environment.h"
#include "meta/alias_record.h"
#include "store/wrapped_store.h"
#include "tests/operations/support/begun_index.h"
#include "tests/operations/support/recorded_console.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

class SwitchingTest : public ::testing::Test {
 protected:
  void MakeLive() { EXPECT_TRUE(world_.record("i").SetPhase(world_.incarnation, meta::Phase::kLive).ok()); }
  void MarkAt(int64_t ahead) {
    const int64_t time = SystemClock()->WallMillis() + ahead;
    EXPECT_TRUE(world_.record("i").NoteComplete(world_.incarnation, time).ok());
  }
  Status Switch(const SwitchOptions& options) {
    return Switching("fans", world_.store, options).Run(world_.mappings).status();
  }
  /// The index that the alias names; empty: none.
  std::string Named() const {
    const auto alias = meta::AliasRecord(meta::VersionedMetaRow(world_.store.get(), mapping::kDefaultMetaTable,
                                                                meta::AliasRow("fans")))
                           .Read();
    return alias.ok() && alias->has_value() ? (*alias)->current.index : "";
  }

  RecordedConsole console_;
  const BegunIndex world_;
};

TEST_F(SwitchingTest, AnIndexThatIsNotLiveIsRefusedWhateverIsWaived) {
  MarkAt(0);
  const Status refused = Switch({.to = "i", .skip_verification = true, .execute = true});
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
  EXPECT_THAT(refused.message(), HasSubstr("its phase is building, not live"));
  EXPECT_EQ(Named(), "");
  MakeLive();
  EXPECT_TRUE(Switch({.to = "i", .skip_verification = true, .execute = true}).ok());
  EXPECT_EQ(Named(), "i");
}

TEST_F(SwitchingTest, WithoutAReportNothingShowsThatItIsRight) {
  MakeLive();
  MarkAt(0);
  EXPECT_THAT(Switch({.to = "i", .execute = true}).message(),
              HasSubstr("nothing shows that the index agrees with its source"));
  EXPECT_EQ(Named(), "");
}

/// Another process recreates the index just before the alias is written.
class RecreatingStore final : public store::DelegatingStore {
 public:
  RecreatingStore(const std::shared_ptr<store::Store>& behind, std::function<void()> meanwhile)
      : DelegatingStore(behind), meanwhile_(std::move(meanwhile)) {}
  Result<bool> CompareAndPut(const std::string& table, const store::ConditionalPut& change) override {
    if (change.put.row == meta::AliasRow("fans") && meanwhile_) std::exchange(meanwhile_, nullptr)();
    return DelegatingStore::CompareAndPut(table, change);
  }

 private:
  std::function<void()> meanwhile_;
};

TEST_F(SwitchingTest, AnIndexThatIsCreatedAgainMeanwhileIsNoTarget) {
  MakeLive();
  MarkAt(0);
  const auto meanwhile = [&] {
    ASSERT_TRUE(world_.record("i").NoteDropped(world_.incarnation).ok());
    ASSERT_TRUE(world_.record("i").Register(indexer::FactsOf(*world_.index, "fedcba9876543210")).ok());
    ASSERT_TRUE(world_.record("i").SetPhase("fedcba9876543210", meta::Phase::kLive).ok());
  };
  const SwitchOptions options{.to = "i", .skip_verification = true, .execute = true};
  const Status refused = Switching("fans", std::make_shared<RecreatingStore>(world_.store, meanwhile), options)
                             .Run(world_.mappings)
                             .status();
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
  EXPECT_THAT(refused.message(), HasSubstr("alias fans names index i, which was dropped, or is being dropped now"));
}

TEST_F(SwitchingTest, AMarkThatIsOldIsRefused) {
  MakeLive();
  EXPECT_THAT(Switch({.to = "i", .execute = true}).message(), HasSubstr("the index has no watermark"));
  MarkAt(-120'000);
  EXPECT_THAT(Switch({.to = "i", .execute = true}).message(), HasSubstr("its watermark is 2 m 0 s old"));
}

TEST_F(SwitchingTest, AMarkOfTheFutureIsRefused) {
  MakeLive();
  MarkAt(600'000);
  const std::string refused = Switch({.to = "i", .execute = true}).message();
  EXPECT_THAT(refused, HasSubstr("its watermark is in the future"));
  EXPECT_THAT(refused, HasSubstr("Compare the clocks of this machine, of 'fensi capture' and of the region servers"));
}

TEST_F(SwitchingTest, AnIndexWithoutItsRecordWasNotCreatedAgain) {
  MakeLive();
  MarkAt(0);
  const indexer::MetaRow row(world_.index.get(), world_.store.get());
  const auto cells = row.Read(std::vector<std::string>{"incarnation", "definition"});
  ASSERT_TRUE(row.Forget(*cells).ok());
  const Status refused = Switch({.to = "i", .skip_verification = true, .execute = true});
  EXPECT_THAT(refused.message(), HasSubstr("its state table i_state has no record of the index"));
  EXPECT_THAT(refused.message(), ::testing::Not(HasSubstr("created again")));
}

TEST_F(SwitchingTest, APlanChangesNothing) {
  MakeLive();
  MarkAt(0);
  EXPECT_TRUE(Switch({.to = "i", .skip_verification = true}).ok());
  EXPECT_EQ(Named(), "");
  EXPECT_THAT(console_.TakeData(), HasSubstr("alias fans\n  now   names no index\n  then  index i: phase live"));
}

TEST_F(SwitchingTest, NoWayLeadsBackFromTheFirst) {
  EXPECT_THAT(Switch({.back = true, .execute = true}).message(),
              HasSubstr("alias fans does not exist, so that it has no former index"));
  MakeLive();
  MarkAt(0);
  ASSERT_TRUE(Switch({.to = "i", .skip_verification = true, .execute = true}).ok());
  EXPECT_THAT(Switch({.back = true, .execute = true}).message(), HasSubstr("has no former index: it has only named i"));
  EXPECT_TRUE(Switching("fans", world_.store, {.execute = true}).Remove().ok());
  EXPECT_EQ(Named(), "");
}

}  // namespace
}  // namespace fensi::operations
