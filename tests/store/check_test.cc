#include "store/check.h"

#include <gmock/gmock.h>

#include "tests/store/contract/store_contract.h"
#include "tests/support/matchers.h"

namespace fensi::store {
namespace {

/// The reason of the refusal, or "ok".
std::string PutFault(const RowMutation& mutation) { return CheckMutation("t", mutation, WriteKind::kPut).ToString(); }
std::string DeleteFault(const RowMutation& mutation) {
  return CheckMutation("t", mutation, WriteKind::kDelete).ToString();
}

TEST(CheckMutation, TakesTheLimits) {
  EXPECT_EQ(PutFault({std::string(kMaxRowBytes, 'r'), {PutCell("f:", 0, "")}}), "ok");
  EXPECT_EQ(PutFault({"r", {PutCell("f:q", INT64_MAX - 1, std::string(kMaxValueBytes, 'v'))}}), "ok");
}

TEST(CheckMutation, RefusesWhatHBaseWouldNeverTake) {
  EXPECT_THAT(PutFault({"", {PutCell("f:q", 1, "")}}), HasSubstr("rejected: table t, row : the row key is empty"));
  EXPECT_THAT(PutFault({std::string(kMaxRowBytes + 1, 'r'), {PutCell("f:q", 1, "")}}),
              HasSubstr("more than 32767 bytes"));
  EXPECT_THAT(PutFault({"r", {}}), HasSubstr("no cells"));
  EXPECT_THAT(PutFault({"r", {PutCell(":q", 1, "")}}), HasSubstr("family is empty"));
  EXPECT_THAT(PutFault({"r", {PutCell("f:q", -5, "")}}), HasSubstr("column f:q: the timestamp -5 is negative"));
  EXPECT_THAT(PutFault({"r", {PutCell("f:q", INT64_MAX, "")}}), HasSubstr("\"now\""));
  EXPECT_THAT(PutFault({"r", {PutCell("f:q", 1, std::string(kMaxValueBytes + 1, 'v'))}}), HasSubstr("value has"));
}

TEST(CheckMutation, RefusesCellsOfTheWrongKind) {
  EXPECT_THAT(PutFault({"r", {Marker(CellType::kDelete, "f:q", 1)}}), HasSubstr("type delete is no put"));
  EXPECT_THAT(DeleteFault({"r", {PutCell("f:q", 1, "")}}), HasSubstr("type put is no delete"));
  EXPECT_THAT(DeleteFault({"r", {Marker(CellType::kUnknownDelete, "f:q", 1)}}),
              HasSubstr("unknown_delete is no delete"));
}

TEST(CheckMutation, WantsOneTtlOfEightBytesForAllCells) {
  Cell odd = PutCell("f:q", 1, "");
  odd.tags.push_back({kTtlTag, "3000"});
  EXPECT_THAT(PutFault({"r", {odd}}), HasSubstr("the TTL tag has 4 bytes, not 8"));
  const Cell cell = PutCell("f:q", 1, "");
  EXPECT_THAT(PutFault({"r", {Expiring(cell, 5), cell}}), HasSubstr("same TTL"));
  EXPECT_THAT(PutFault({"r", {Expiring(cell, 5), Expiring(cell, 6)}}), HasSubstr("same TTL"));
  EXPECT_EQ(PutFault({"r", {Expiring(cell, 5), Expiring(cell, 5)}}), "ok");
}

TEST(CheckGet, RefusesImpossibleRequests) {
  EXPECT_EQ(CheckGet("t", {.row = "r"}).code(), StatusCode::kOk);
  EXPECT_EQ(CheckGet("t", {.row = ""}).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(CheckGet("t", {.row = "r", .max_versions = 0}).code(), StatusCode::kInvalidArgument);
}

TEST(CheckScan, RefusesAPageWithoutRows) {
  EXPECT_EQ(CheckScan("t", {.max_rows = 0}).code(), StatusCode::kInvalidArgument);
}

TEST(Normalized, LeavesHBasesDefaultsOut) {
  const TableDescriptor table = Normalized(
      {"t", {{.name = "z", .min_versions = 0, .ttl_seconds = INT32_MAX, .block_size = 65536}, {.name = "a"}}});
  EXPECT_EQ(table.families, (std::vector<FamilyDescriptor>{{.name = "a"}, {.name = "z"}}));
}

}  // namespace
}  // namespace fensi::store
