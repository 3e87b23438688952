// M15: what an image of a source row holds, however the row comes.
#include "sweep/jobs/row_snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "consumer/codec/request.h"
#include "support/sweep_world.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::sweep {
namespace {

using consumer::Request;

Cell CellOf(const std::string& qualifier, int64_t timestamp, CellType type = CellType::kPut,
            const std::string& value = "") {
  return {"f1", qualifier, timestamp, type, type == CellType::kPut && value.empty() ? "v" : value, {}};
}

class ImageTest : public ::testing::Test {
 protected:
  std::vector<Request> Images(const std::vector<store::Row>& pieces) {
    std::vector<Request> images;
    RowSnapshotBuilder maker(index_.get(), options_, [&](const Request& request) {
      EXPECT_TRUE(consumer::CheckRequest(request).ok());
      images.push_back(request);
      return Status();
    });
    for (const store::Row& piece : pieces) MustBe(maker.Take(piece, 77));
    return images;
  }
  static std::vector<std::string> CellsOf(const Request& request) {
    std::vector<std::string> texts;
    for (const Cell& cell : request.cells) {
      texts.push_back(std::string(CellTypeName(cell.type)) + " " + cell.family + ":" + cell.qualifier + "@" +
                      std::to_string(cell.timestamp));
    }
    return texts;
  }

  std::shared_ptr<const mapping::Index> index_ = FollowIndex();
  RowSnapshotOptions options_{.incarnation = "0123456789abcdef", .job = "j"};
};

TEST_F(ImageTest, SaysWhoseItIsAndWhenItWasRead) {
  const auto images = Images({{"a", {CellOf("from", 11)}}});
  ASSERT_THAT(images, SizeIs(1));
  EXPECT_EQ(images[0].table, index_->source_table());
  EXPECT_EQ(images[0].row, "a");
  EXPECT_EQ(images[0].incarnation, "0123456789abcdef");
  EXPECT_EQ(images[0].job, "j");
  EXPECT_EQ(images[0].read_time, 77);
  EXPECT_FALSE(images[0].partial);
  EXPECT_THAT(CellsOf(images[0]), ElementsAre("put f1:from@11"));
}

TEST_F(ImageTest, EveryRequestFitsWhateverNamesAndValuesARowHas) {
  constexpr int kCells = 12;
  index_ = mapping::LoadIndex({"each: 'f1:*'", "row: '{qualifier}'", "columns: { 'f:{row}': '{value}' }"});
  for (const size_t limit : {consumer::kLeastRequestBytes, size_t{300'000}, size_t{1'000'000}}) {
    options_.most_cell = std::min(RowSnapshotOptions().most_cell, limit - consumer::kRequestRoom);
    options_.most_bytes = std::min(RowSnapshotOptions().most_bytes, limit - consumer::kRequestRoom);
    for (const size_t row : {1, 32'767}) {
      for (const size_t qualifier : {1, 32'767}) {
        for (const size_t value : {0, 1, 20'000, 60'000, 700'000, 900'000}) {
          store::Row piece{.row = std::string(row, 'r')};
          for (int i = 0; i < kCells; ++i) {
            Cell cell = CellOf(std::to_string(i) + std::string(qualifier - 1, 'q'), INT64_MAX - 9);
            cell.value.assign(value, 'v');
            cell.tags.push_back({.type = 255, .value = std::string(i % 2 * 50'000, 't')});
            piece.cells.push_back(cell);
          }
          std::set<std::string> columns;
          for (const Request& request : Images({piece})) {
            EXPECT_LE(consumer::EncodeRequest(request).size() + request.row.size() + 128, limit);
            for (const Cell& cell : request.cells) columns.insert(cell.qualifier);
            for (const auto& column : request.columns) columns.insert(column.qualifier);
          }
          EXPECT_THAT(columns, SizeIs(kCells)) << "all are told or asked for";
        }
      }
    }
  }
}

TEST_F(ImageTest, HoldsEveryMarkerOfWhatIsWatched) {
  const auto images =
      Images({{"a",
               {CellOf("", 20, CellType::kDeleteFamilyVersion, ""), CellOf("", 5, CellType::kDeleteFamily, ""),
                CellOf("from", 30), CellOf("from", 12, CellType::kDelete, ""),
                CellOf("from", 9, CellType::kDeleteColumn, ""), CellOf("other", 9, CellType::kDeleteColumn, "")}}});
  ASSERT_THAT(images, SizeIs(1));
  EXPECT_THAT(CellsOf(images[0]), ElementsAre("delete_family_version f1:@20", "delete_family f1:@5", "put f1:from@30",
                                              "delete f1:from@12", "delete_column f1:from@9"));
}

TEST_F(ImageTest, ARowOfMarkersAloneIsAnImage) {
  const auto images = Images({{"a", {CellOf("from", 12, CellType::kDeleteColumn, "")}}});
  ASSERT_THAT(images, SizeIs(1));
  EXPECT_FALSE(images[0].partial);
}

TEST_F(ImageTest, APutThatIsHiddenByTheSameReadStaysOut) {
  EXPECT_THAT(CellsOf(Images({{"a", {CellOf("", 12, CellType::kDeleteFamily, ""), CellOf("from", 12)}}}).at(0)),
              ElementsAre("delete_family f1:@12"));
  EXPECT_THAT(CellsOf(Images({{"a", {CellOf("from", 12, CellType::kDeleteColumn, ""), CellOf("from", 11)}}}).at(0)),
              ElementsAre("delete_column f1:from@12"));
  // Of a version that is deleted the owner asks what it uncovers.
  EXPECT_THAT(CellsOf(Images({{"a", {CellOf("from", 12, CellType::kDelete, ""), CellOf("from", 12)}}}).at(0)),
              ElementsAre("delete f1:from@12", "put f1:from@12"));
}

TEST_F(ImageTest, AMarkerHidesOnlyItsOwnRowAndColumn) {
  index_ = mapping::LoadIndex({"row: '{row}'", "columns: { 'f:': '{f:a}{f:b}' }"});
  const auto cell = [](const char* family, const char* qualifier, int64_t timestamp, CellType type) {
    return Cell{family, qualifier, timestamp, type, type == CellType::kPut ? "v" : "", {}};
  };
  const auto images =
      Images({{"1", {cell("f", "", 12, CellType::kDeleteFamily)}},
              {"2", {cell("f", "a", 12, CellType::kDeleteColumn), cell("f", "b", 11, CellType::kPut)}}});
  ASSERT_THAT(images, SizeIs(2));
  EXPECT_THAT(CellsOf(images[1]), ElementsAre("delete_column f:a@12", "put f:b@11"));
}

TEST_F(ImageTest, ARowOfNothingWatchedGivesNone) { EXPECT_THAT(Images({{"a", {CellOf("other", 1)}}}), IsEmpty()); }

class WideImageTest : public ImageTest {
 protected:
  WideImageTest() {
    index_ = LoadFile(
        "source: t\nindexes:\n  x:\n    table: x_table\n    each: f1:*\n    row: '{qualifier}'\n"
        "    columns: { 'f1:{row}': '{value}' }\n");
  }
};

TEST_F(WideImageTest, PiecesArePartialAndAFamilysMarkerHidesInAllOfThem) {
  store::Row first{"a", {CellOf("", 12, CellType::kDeleteFamily, ""), CellOf("b", 13)}};
  first.goes_on = true;
  const auto images = Images({first, {"a", {CellOf("c", 12), CellOf("d", 14)}}, {"b", {CellOf("c", 12)}}});
  ASSERT_THAT(images, SizeIs(3));
  EXPECT_TRUE(images[0].partial && images[1].partial);
  EXPECT_THAT(CellsOf(images[1]), ElementsAre("put f1:d@14"));
  EXPECT_FALSE(images[2].partial);
  EXPECT_THAT(CellsOf(images[2]), ElementsAre("put f1:c@12"));
}

TEST_F(WideImageTest, WhatIsLargerThanAMessageTravelsInSeveral) {
  options_.most_bytes = 300;
  store::Row row{"a", {}};
  for (char c = 'a'; c <= 'h'; ++c)
    row.cells.push_back(CellOf(std::string(1, c), 1, CellType::kPut, std::string(90, 'v')));
  const auto images = Images({row});
  size_t cells = 0;
  for (const Request& image : images) {
    EXPECT_TRUE(image.partial);
    EXPECT_LE(image.cells.size(), 2U);
    cells += image.cells.size();
  }
  EXPECT_EQ(cells, 8U);
}

TEST_F(WideImageTest, ACellThatNoMessageTakesBecomesARecheck) {
  options_.most_cell = 200;
  const auto images =
      Images({{"a", {CellOf("b", 1), CellOf("c", 1, CellType::kPut, std::string(300, 'v')), CellOf("d", 1)}}});
  ASSERT_THAT(images, SizeIs(2));
  EXPECT_EQ(images[0].kind, Request::Kind::kRecheck);
  EXPECT_THAT(images[0].columns, ElementsAre(consumer::RequestedColumn{"f1", "c"}));
  EXPECT_TRUE(images[1].partial);
  EXPECT_THAT(CellsOf(images[1]), ElementsAre("put f1:b@1", "put f1:d@1"));
}

}  // namespace
}  // namespace fensi::sweep
