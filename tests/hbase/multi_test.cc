// Multi: what is asked of which region, and which answer belongs to which action.
#include "hbase/calls/multi.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "hbase/wire/cell_writer.h"
#include "hbase/wire/framing.h"
#include "proto/hbase_client.pb.h"

namespace fensi::hbase {
namespace {

namespace pb = proto::hbase;

RegionActions OfRegion(const std::string& name, std::vector<size_t> items) {
  return {std::make_shared<const RegionLocation>(RegionLocation{"t", name, "", "", {"h", 1}}), std::move(items)};
}

/// The request and the cells of a frame.
std::string_view Taken(const std::string& frame, pb::MultiRequest* request) {
  std::string_view rest = std::string_view(frame).substr(4), piece;
  EXPECT_TRUE(TakeDelimited(&rest, &piece));
  EXPECT_TRUE(TakeDelimited(&rest, &piece) && ParseMessage(piece, request));
  return rest;
}

TEST(Multi, HasMutationsByRegionAndTheirCellsInTheSameOrder) {
  const std::vector<Cell> put = {{"f", "a", 1, CellType::kPut, "v", {MakeTtlTag(5000)}}};
  const std::vector<Cell> two = {{"f", "b", 2, CellType::kPut, "w", {}}, {"g", "c", 3, CellType::kPut, "x", {}}};
  const std::vector<Cell> marker = {{"f", "a", 4, CellType::kDeleteColumn, "", {}}};
  const std::vector<Mutation> mutations = {{"r0", put}, {"r1", two}, {"r0", marker, true}};
  const std::vector<RegionActions> regions = {OfRegion("second", {1}), OfRegion("first", {0, 2})};
  pb::MultiRequest request;
  const std::string frame = BuildMutations({.id = 1, .method = "Multi"}, regions, mutations);
  const std::string_view cells = Taken(frame, &request);
  ASSERT_EQ(request.regionaction_size(), 2);
  EXPECT_EQ(request.regionaction(0).region().value(), "second");
  const pb::RegionAction& first = request.regionaction(1);
  ASSERT_EQ(first.action_size(), 2);
  EXPECT_EQ(first.action(0).index(), 0U);
  EXPECT_EQ(first.action(1).index(), 1U);
  EXPECT_EQ(first.action(0).mutation().mutate_type(), 2);
  EXPECT_EQ(first.action(0).mutation().attribute(0).name(), "_ttl");
  EXPECT_EQ(first.action(0).mutation().attribute(0).value().size(), 8U);
  EXPECT_EQ(first.action(1).mutation().mutate_type(), 3);
  EXPECT_EQ(request.regionaction(0).action(0).mutation().associated_cell_count(), 2);
  CellBlockReader reader(cells);
  std::string rows;
  for (CellView cell; !reader.AtEnd();) {
    ASSERT_TRUE(reader.Next(&cell).ok());
    rows += std::string(cell.row) + ":" + std::string(cell.qualifier) + " ";
  }
  EXPECT_EQ(rows, "r1:b r1:c r0:a r0:a ");
}

/// A server's answer, made of any legal order of its parts.
struct MadeAnswer {
  std::string message, cells;
  Answer answer() const {
    Answer made;
    made.message = message;
    made.cells = cells;
    return made;
  }
};

void AppendCell(const std::string& row, const std::string& value, std::string* block) {
  const Cell cell{"f", "q", 1, CellType::kPut, value, {}};
  const size_t at = block->size();
  block->resize(at + WrittenBytes(row, cell));
  WriteCell(row, cell, block->data() + at);
}

/// Each action answered by a cell with its item's number, by an exception that names it, by nothing, or not at all;
/// whole regions by an exception.
MadeAnswer AnswerInAnyOrder(const std::vector<RegionActions>& regions, std::mt19937* random,
                            std::vector<std::string>* expected) {
  MadeAnswer made;
  pb::MultiResponse response;
  for (const RegionActions& region : regions) {
    pb::RegionActionResult* result = response.add_regionactionresult();
    if ((*random)() % 5 == 0) {
      result->mutable_exception()->set_name("a.Whole");
      for (const size_t item : region.items) (*expected)[item] = "whole";
      continue;
    }
    std::vector<size_t> order(region.items.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), *random);
    for (const size_t position : order) {
      const size_t item = region.items[position];
      const std::string number = std::to_string(item);
      const unsigned kind = (*random)() % 4;
      (*expected)[item] = kind == 0 ? "missing" : kind == 1 ? "error " + number : kind == 2 ? "" : number;
      if (kind == 0) continue;
      pb::ResultOrException* one = result->add_resultorexception();
      one->set_index(static_cast<uint32_t>(position));
      if (kind == 1) {
        one->mutable_exception()->set_name("a.B");
        one->mutable_exception()->set_value("a.B: " + number + "\n\tat x");
      } else if (kind == 2) {
        one->mutable_result();
      } else {
        one->mutable_result()->set_associated_cell_count(1);
        AppendCell("r", number, &made.cells);
      }
    }
  }
  made.message = response.SerializeAsString();
  return made;
}

TEST(Multi, GivesEachActionItsOwnAnswerWhateverTheirOrder) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const size_t count = 1 + random() % 30;
    std::vector<RegionActions> regions;
    for (size_t i = 0; i < 1 + random() % 4; ++i) regions.push_back(OfRegion("r" + std::to_string(i), {}));
    for (size_t item = 0; item < count; ++item) regions[random() % regions.size()].items.push_back(item);
    std::vector<std::string> expected(count);
    const MadeAnswer made = AnswerInAnyOrder(regions, &random, &expected);
    const auto read = ReadMulti(made.answer(), regions);
    ASSERT_TRUE(read.ok()) << read.status().ToString();
    std::vector<std::string> got(count, "missing");
    for (size_t i = 0; i < regions.size(); ++i) {
      for (const size_t item : regions[i].items) got[item] = (*read)[i].error ? "whole" : got[item];
      for (const RegionAnswer::OfItem& one : (*read)[i].items) {
        std::string& text = got[regions[i].items[one.position]];
        text = one.error ? "error " + one.error->message : "";
        for (const CellView& cell : one.cells) text += cell.value;
      }
    }
    EXPECT_EQ(got, expected) << seed;
  }
}

TEST(Multi, DoesNotTakeAnAnswerThatFitsNoRequest) {
  const std::vector<RegionActions> regions = {OfRegion("a", {0, 1})};
  const auto fault = [&](const std::function<void(pb::MultiResponse*)>& fill, const std::string& cells = "") {
    pb::MultiResponse response;
    fill(&response);
    const MadeAnswer made{response.SerializeAsString(), cells};
    return ReadMulti(made.answer(), regions).status();
  };
  const auto with = [](uint32_t index, int32_t cells) {
    return [=](pb::MultiResponse* response) {
      pb::RegionActionResult* region = response->regionactionresult_size() == 0
                                           ? response->add_regionactionresult()
                                           : response->mutable_regionactionresult(0);
      pb::ResultOrException* one = region->add_resultorexception();
      one->set_index(index);
      one->mutable_result()->set_associated_cell_count(cells);
    };
  };
  EXPECT_EQ(fault([](pb::MultiResponse*) {}).code(), StatusCode::kUnavailable) << "a region is missing";
  EXPECT_EQ(fault(with(2, 0)).code(), StatusCode::kUnavailable) << "there is no such action";
  EXPECT_EQ(fault(with(0, 1)).code(), StatusCode::kUnavailable) << "a cell is missing";
  EXPECT_EQ(fault([&](pb::MultiResponse* response) {
              with(1, 0)(response);
              with(1, 0)(response);
            }).code(),
            StatusCode::kUnavailable)
      << "twice";
  std::string cell;
  AppendCell("r", "v", &cell);
  EXPECT_EQ(fault(with(0, 0), cell).code(), StatusCode::kUnavailable) << "a cell too many";
  EXPECT_TRUE(fault(with(0, 1), cell).ok());
}

}  // namespace
}  // namespace fensi::hbase
