// What stands in the meta table: of an index, of an alias, of a scrub and of a board. It has no number
// (docs/versions.md): columns are added, and none ever means something else.
#include <gtest/gtest.h>

#include "meta/alias_record.h"
#include "meta/index_record.h"
#include "sweep/jobs/board.h"
#include "sweep/scrub/lease.h"
#include "tests/formats/golden.h"
#include "tests/meta/meta_world.h"

namespace fensi::testing {
namespace {

using meta::AliasRecord;
using meta::IndexName;
using meta::IndexRecord;

constexpr char kOld[] = "0123456789abcdef", kNew[] = "fedcba9876543210";

const sweep::ScrubSum kSum{1, 2, 3, 4, 5, 6, 7, 8, 9};
const sweep::ScrubPlace kScrubPlace{true, "fans 1", std::string("r\0", 2), kSum};
const sweep::RowRange kRange{"", std::string("m\n", 2)};
const sweep::Place kPlace{.next = "k l", .rows = 17, .bytes = 4711, .done = false};

const IndexName kBefore{"fans", kOld}, kAfter{"fans-2", kNew};

class MetaFormat : public ::testing::Test {
 protected:
  std::vector<Piece> Kept(const std::string& row) {
    const auto cells = world_.Row(row).ReadAll();
    EXPECT_TRUE(cells.ok()) << cells.status().message();
    std::vector<Piece> pieces;
    for (const auto& [qualifier, cell] : *cells) pieces.push_back({row + " " + qualifier, cell.value});
    return pieces;
  }
  /// As another version has left them.
  void Keep(const std::string& row, const std::vector<Piece>& pieces) {
    for (const Piece& piece : pieces) {
      const std::string qualifier = piece.title.substr(row.size() + 1);
      ASSERT_TRUE(world_.Row(row).Write(qualifier, 1, piece.bytes).ok());
    }
  }

  MetaWorld world_;
};

TEST_F(MetaFormat, OfAnIndexIsWrittenAsItAlwaysWas) {
  const IndexRecord record(world_.Row("index:fans"));
  ASSERT_TRUE(record.Register({kOld, "fans", "fans_state", "guanzhu", "guanzhu.changes", "print"}).ok());
  ASSERT_TRUE(record.SetPhase(kOld, meta::Phase::kLive).ok());
  ASSERT_TRUE(record.SetBackfilled(kOld, "2026-11-23 all rows").ok());
  ASSERT_TRUE(record.SetScrubbed(kOld, TextOf(kSum)).ok());
  ASSERT_TRUE(record.NoteMarks(kOld, {{{0, 1'700'000'000'001}, {1, 1'700'000'000'002}}, 2, "markers"}).ok());
  ExpectGolden("meta_index", 1, Kept("index:fans"));
}

TEST_F(MetaFormat, OfAnIndexIsReadAsItWasMeant) {
  Keep("index:fans", Golden("meta_index", 1));
  const auto state = IndexRecord(world_.Row("index:fans")).Read();
  ASSERT_TRUE(state.ok() && state->has_value()) << state.status().message();
  EXPECT_EQ((*state)->incarnation, kOld);
  EXPECT_EQ((*state)->phase, meta::Phase::kLive);
  EXPECT_EQ((*state)->backfilled, "2026-11-23 all rows");
  EXPECT_EQ(sweep::ScrubSumOf((*state)->scrubbed), kSum);
  EXPECT_EQ((*state)->complete, 1'700'000'000'001);
  EXPECT_EQ((*state)->basis, "markers");
}

TEST_F(MetaFormat, OfAnAliasIsWrittenAsItAlwaysWas) {
  const AliasRecord record(world_.Row("alias:fans"));
  ASSERT_TRUE(record.Switch(std::nullopt, kBefore).ok());
  ASSERT_TRUE(record.Switch(*record.Read(), kAfter).ok());
  std::vector<Piece> kept = Kept("alias:fans");
  for (Piece& piece : kept) {
    if (piece.title == "alias:fans change") piece.bytes = "a random name";
  }
  ExpectGolden("meta_alias", 1, kept);
}

TEST_F(MetaFormat, OfAnAliasIsReadAsItWasMeant) {
  Keep("alias:fans", Golden("meta_alias", 1));
  const auto alias = AliasRecord(world_.Row("alias:fans")).Read();
  ASSERT_TRUE(alias.ok() && alias->has_value()) << alias.status().message();
  EXPECT_EQ((*alias)->current, kAfter);
  EXPECT_EQ((*alias)->former, kBefore);
}

TEST(BoardFormat, IsWrittenAndReadAsItAlwaysWas) {
  ExpectGolden("meta_board", 1,
               {{"range", TextOf(kRange)}, {"place", TextOf(kPlace)}, {"place of a scrub", TextOf(kScrubPlace)}});
  const std::vector<Piece> golden = Golden("meta_board", 1);
  EXPECT_EQ(sweep::RangeOf(golden[0].bytes), kRange);
  const auto place = sweep::PlaceOf(golden[1].bytes);
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(TextOf(*place), golden[1].bytes);
  EXPECT_EQ(sweep::ScrubPlaceOf(golden[2].bytes), kScrubPlace);
}

}  // namespace
}  // namespace fensi::testing
