// How large the calls of a store become, against a gateway that counts what each brings.
#include <gmock/gmock.h>

#include "tests/doubles/fake_clock.h"
#include "tests/store/contract/store_contract.h"
#include "tests/store/hbase/fake_gateway.h"
#include "tests/support/matchers.h"

namespace fensi::store {
namespace {

using std::chrono::milliseconds;

class PacedCalls : public ::testing::Test {
 protected:
  PacedCalls() {
    gateway_.handler().on_put = [this](const auto& puts) { Note(puts.size()); };
    gateway_.handler().on_delete = [this](const auto& deletes) { Note(deletes.size()); };
    gateway_.handler().on_get = [this](auto&, const auto& gets) { Note(gets.size()); };
    HBaseOptions options;
    options.host = "127.0.0.1";
    options.port = gateway_.port();
    options.connections = 1;
    options.clock = &clock_;
    store_ = HBaseStore::Open(options).value();
  }
  /// What each call of one Put, Delete or GetSome brought.
  std::vector<size_t> Put(int rows) {
    sizes_.clear();
    std::vector<RowMutation> mutations;
    for (int i = 0; i < rows; ++i) mutations.push_back({"row" + std::to_string(i), {PutCell("f:q", 1, "v")}});
    put_ = store_->Put("t", mutations).status();
    return sizes_;
  }
  std::vector<size_t> Delete(int rows) {
    sizes_.clear();
    std::vector<RowMutation> mutations;
    for (int i = 0; i < rows; ++i) {
      mutations.push_back({"row" + std::to_string(i), {Marker(CellType::kDeleteColumn, "f:q", 1)}});
    }
    EXPECT_TRUE(store_->Delete("t", mutations).ok());
    return sizes_;
  }
  std::vector<size_t> Get(int rows, std::vector<GetRequest::Column> columns, bool raw = false) {
    sizes_.clear();
    std::vector<GetRequest> requests;
    for (int i = 0; i < rows; ++i)
      requests.push_back({.row = "row" + std::to_string(i), .columns = columns, .raw = raw});
    EXPECT_TRUE(store_->GetSome("t", requests, 8 << 20).ok());
    return sizes_;
  }

  FakeClock clock_;
  FakeGateway gateway_;
  std::unique_ptr<HBaseStore> store_;
  milliseconds took_{1};  // each call
  bool fails_ = false;
  Status put_;

 private:
  void Note(size_t rows) {
    sizes_.push_back(rows);
    clock_.Advance(took_);
    if (fails_) throw GatewayError("java.io.IOException: away");
  }
  std::vector<size_t> sizes_;
};

TEST_F(PacedCalls, GrowToFiveThousandCellsOfOneKind) {
  EXPECT_THAT(Put(2'000), ElementsAre(1'000, 1'000));
  EXPECT_THAT(Put(6'000), ElementsAre(2'000, 2'000, 2'000));
  EXPECT_THAT(Put(8'000), ElementsAre(4'000, 4'000));
  EXPECT_THAT(Put(12'000), ElementsAre(5'000, 5'000, 2'000));
  EXPECT_THAT(Delete(2'000), ElementsAre(1'000, 1'000)) << "of which nothing is known";
}

TEST_F(PacedCalls, OfAFailureAreSmallForAMinuteAndThoseOfAViewWithThem) {
  for (int i = 0; i < 4; ++i) Put(8'000);
  fails_ = true;
  EXPECT_EQ(Put(5'000).size(), 1u);
  EXPECT_EQ(put_.code(), StatusCode::kUnavailable);
  fails_ = false;
  store_.reset(static_cast<HBaseStore*>(store_->Guarded([] { return Status(); }).release()));
  EXPECT_THAT(Put(5'000), ElementsAre(2'500, 2'500));
  EXPECT_THAT(Put(5'000), ElementsAre(2'500, 2'500));
  clock_.Advance(CallSizer::kCaution);
  Put(5'000);
  EXPECT_THAT(Put(5'000), ElementsAre(5'000));
}

TEST_F(PacedCalls, ToATableThatIsSlowStayAsTheyWere) {
  took_ = milliseconds(300);
  for (int i = 0; i < 4; ++i) EXPECT_THAT(Put(2'000), ElementsAre(1'000, 1'000));
}

TEST_F(PacedCalls, OfNamedColumnsGrowToTwoThousandFiveHundredRows) {
  const std::vector<GetRequest::Column> named = {{"f", "q"}};
  EXPECT_THAT(Get(1'000, named), ElementsAre(500, 500));
  EXPECT_THAT(Get(2'000, named), ElementsAre(1'000, 1'000));
  Get(4'000, named);
  EXPECT_THAT(Get(5'000, named), ElementsAre(2'500, 2'500));
}

TEST_F(PacedCalls, OfRowsWhoseWidthNobodyKnowsStayAsTheyWere) {
  const std::vector<GetRequest::Column> named = {{"f", "q"}};
  for (int i = 0; i < 4; ++i) Get(5'000, named);
  EXPECT_THAT(Get(1'000, {}), ElementsAre(500, 500));
  EXPECT_THAT(Get(1'000, {{"f", "q"}, {"f", std::nullopt}}), ElementsAre(500, 500));
  EXPECT_THAT(Get(1'000, {{"f", std::nullopt}}, /*raw=*/true), ElementsAre(500, 500));
}

TEST_F(PacedCalls, OfManyColumnsLeaveARowItsShareOfTheCells) {
  for (int i = 0; i < 4; ++i) Get(5'000, {{"f", "q"}});
  std::vector<GetRequest::Column> columns;
  for (int i = 0; i < 199; ++i) columns.push_back({"f", "q" + std::to_string(i)});
  EXPECT_THAT(Get(2'000, columns), ElementsAre(1'000, 1'000)) << "200,000 cells are those of a call";
}

}  // namespace
}  // namespace fensi::store
