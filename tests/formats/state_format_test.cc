// The cells of a state table: registers, doubts, intents, family markers, and what an index knows of itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "indexer/index_meta.h"
#include "indexer/mirror/floors.h"
#include "indexer/mirror/known_columns.h"
#include "indexer/requests/position.h"
#include "indexer/state/state_reads.h"
#include "indexer/state/state_table.h"
#include "indexer/state/state_writes.h"
#include "indexer/state/unit_codec.h"
#include "tests/doubles/memory_source.h"
#include "tests/formats/golden.h"
#include "tests/indexer/support/world.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using indexer::kStateFormat;

indexer::ColumnState FullColumn() {
  indexer::ColumnState column{"f", "k"};
  column.newest = {.timestamp = 21, .sequence_id = 301, .expires_at = 9021, .dropped = true, .value = "v21"};
  column.marker = 11;
  column.marker_sequence = 302;
  column.version_marker = 12;
  column.kept = {{.timestamp = 20, .sequence_id = 303, .value = "v20"}, {.timestamp = 19, .value = "v19"}};
  column.deleted_versions = {13, 14};
  column.forgotten = 15;
  column.unsure = 16;
  column.told = true;
  return column;
}

indexer::FamilyState FullFamily() {
  indexer::FamilyState family{"f"};
  family.marker = 5;
  family.marker_sequence = 304;
  family.version_marker = 6;
  family.deleted_versions = {7, 8};
  family.unsure = 4;
  return family;
}

indexer::Snapshot Seen(int64_t timestamp) { return {.cells = {{"f", "k", timestamp, "seen"}}}; }

/// Every register of it has a value of its own.
void FillUnit(indexer::UnitWork* work) {
  indexer::Unit& unit = work->unit;
  unit.version = 41;
  unit.columns = {FullColumn()};
  unit.doubted = true;
  unit.reserved = true;
  unit.forgotten = 10;
  unit.doubt = {.intent = false, .snapshots = {Seen(17)}};
  work->dirty = work->doubt_dirty = true;
}

/// A row of state as it is written, with the intent of one attempt.
std::vector<Piece> Written(bool row_units) {
  indexer::RowWork row{.row = "r"};
  indexer::UnitWork* work = row_units ? row.FindOrAdd("", "") : row.FindOrAdd("f", "k");
  FillUnit(work);
  row.families->families = {FullFamily()};
  if (!row_units) KeepFamilies(*row.families, &work->unit);
  row.families->version = 9;
  row.families_dirty = !row_units;
  std::vector<store::RowMutation> mutations;
  indexer::AddStateMutation(row, row_units, std::nullopt, &mutations);
  mutations[0].cells.push_back(indexer::IntentCell("8_bytes!", work->unit, {Seen(18)}, 42));
  std::vector<Piece> pieces;
  for (const Cell& cell : mutations[0].cells) pieces.push_back(PieceOf("r", cell));
  return pieces;
}

class StateFormat : public ::testing::TestWithParam<bool> {
 protected:
  static std::string Name() { return GetParam() ? "state_of_a_row" : "state_of_a_column"; }
};

TEST_P(StateFormat, IsWrittenAsItAlwaysWas) { ExpectGolden(Name(), kStateFormat, Written(GetParam())); }

TEST_P(StateFormat, OfEachReadableFormatIsReadAsItWasMeant) {
  for (const int64_t format : ReadableFormats(kStateFormat)) {
    indexer::RowWork row{.row = "r", .all_units = true};
    if (GetParam()) row.FindOrAdd("", "");
    const Status taken = indexer::TakeState(RowsOf(Golden(Name(), format))[0], GetParam(), &row);
    ASSERT_TRUE(taken.ok()) << taken.ToString();
    ASSERT_EQ(row.units.size(), 1u);
    const indexer::Unit& unit = row.units.begin()->second.unit;
    EXPECT_EQ(unit.columns, std::vector{FullColumn()});
    EXPECT_EQ(unit.families->families, std::vector{FullFamily()});
    EXPECT_EQ(unit.own_families, !GetParam() && format > 1);
    EXPECT_EQ(row.families->version, GetParam() ? indexer::kNoTime : 9);
    EXPECT_TRUE(unit.doubted);
    EXPECT_TRUE(unit.reserved);
    EXPECT_EQ(unit.forgotten, 10);
    EXPECT_EQ(unit.version, 42) << "that of the intent, which is above the state's";
    EXPECT_EQ(unit.doubt, (indexer::Doubt{.intent = true, .snapshots = {Seen(17), Seen(18)}}));
  }
}

INSTANTIATE_TEST_SUITE_P(Units, StateFormat, ::testing::Bool(),
                         [](const auto& kind) { return kind.param ? "Row" : "Column"; });

constexpr indexer::StateLayout kBuckets{.bucket_bits = 9};

/// A state in its bucket, an attempt's intent and its note.
TEST(BucketFormat, IsWrittenAsItAlwaysWas) {
  indexer::RowWork row{.row = "r"};
  FillUnit(row.FindOrAdd("", ""));
  row.families->families = {FullFamily()};
  const indexer::StateWrites writes(kBuckets, true, std::nullopt);
  indexer::InOrder puts = writes.States({&row});
  writes.AddIntent("8_bytes!", {Seen(18)}, 42, row.FindOrAdd("", ""), &puts);
  std::vector<Piece> pieces;
  for (const auto& mutations : {puts.then, puts.first}) {
    for (const store::RowMutation& mutation : mutations) {
      for (const Cell& cell : mutation.cells) pieces.push_back(PieceOf(mutation.row, cell));
    }
  }
  ExpectGolden("state_in_a_bucket", kStateFormat, pieces);
}

TEST(BucketFormat, IsReadAsItWasMeant) {
  const std::vector<Piece> golden = Golden("state_in_a_bucket", kStateFormat);
  ASSERT_EQ(golden.size(), 3u);
  const store::Row state = RowsOf({golden[0]})[0], intent = RowsOf({golden[1]})[0], note = RowsOf({golden[2]})[0];
  EXPECT_EQ(state.row, indexer::BucketOf("r", 9));
  EXPECT_EQ(note.row, state.row);
  EXPECT_EQ(intent.row, "r");
  indexer::RowWork row{.row = "r"};
  row.FindOrAdd("", "");
  indexer::StateReads reads(kBuckets, true);
  ASSERT_TRUE(reads.Add(&row));
  Must(reads.Take(0, {state.row, {note.cells[0], state.cells[0]}}));
  EXPECT_FALSE(row.loaded) << "its intents may count";
  ASSERT_TRUE(reads.NextRound());
  Must(reads.Take(0, intent));
  EXPECT_TRUE(row.loaded);
  EXPECT_FALSE(reads.NextRound());
  const indexer::Unit& unit = row.units.begin()->second.unit;
  EXPECT_EQ(unit.columns, std::vector{FullColumn()});
  EXPECT_EQ(unit.families->families, std::vector{FullFamily()});
  EXPECT_TRUE(unit.doubted);
  EXPECT_TRUE(unit.reserved);
  EXPECT_EQ(unit.forgotten, 10);
  EXPECT_EQ(unit.version, 42) << "that of the intent, which is above the state's";
  EXPECT_EQ(unit.doubt, (indexer::Doubt{.intent = true, .snapshots = {Seen(17), Seen(18)}}));
}

/// A state that is too large for its bucket, with what its last look left, and its note.
TEST(BucketFormat, OfAStateThatStandsApartIsWrittenAndReadAsItAlwaysWas) {
  const indexer::StateLayout layout{.bucket_bits = 9, .most_in_bucket = 10};
  indexer::RowWork row{.row = "r"};
  FillUnit(row.FindOrAdd("", ""));
  row.FindOrAdd("", "")->unit.row = "r";
  row.families->families = {FullFamily()};
  const indexer::InOrder puts = indexer::StateWrites(layout, true, std::nullopt).States({&row});
  std::vector<Piece> pieces;
  for (const auto& mutations : {puts.first, puts.then}) {
    for (const Cell& cell : mutations.at(0).cells) pieces.push_back(PieceOf(mutations[0].row, cell));
  }
  ExpectGolden("state_apart", kStateFormat, pieces);
  indexer::RowWork read{.row = "r"};
  read.FindOrAdd("", "");
  indexer::StateReads reads(layout, true);
  ASSERT_TRUE(reads.Add(&read));
  Must(reads.Take(0, RowsOf({pieces[0]})[0]));
  ASSERT_TRUE(reads.NextRound());
  Must(reads.Take(0, RowsOf({pieces[1], pieces[2]})[0]));
  const indexer::Unit& unit = read.units.begin()->second.unit;
  EXPECT_EQ(unit.columns, std::vector{FullColumn()});
  EXPECT_EQ(unit.families->families, std::vector{FullFamily()});
  EXPECT_EQ(unit.version, 41);
  EXPECT_EQ(unit.doubt, (indexer::Doubt{.snapshots = {Seen(17)}}));
}

TEST(DoubtFormat, OfARowThatIsTooLargeIsWrittenAndReadAsItAlwaysWas) {
  const indexer::Doubt doubt{.intent = true, .snapshots = {{.dropped = true}}};
  ExpectGolden("doubt_of_a_large_row", kStateFormat, {{"doubt", indexer::EncodeDoubt(doubt)}});
  indexer::Doubt read;
  ASSERT_TRUE(indexer::DecodeDoubt(Golden("doubt_of_a_large_row", kStateFormat).at(0).bytes, &read).ok());
  EXPECT_EQ(read, doubt);
}

TEST(StateCell, OfANewerFormatIsRefusedWithTheWayBack) {
  const std::string newer("\x08\x03", 2);  // format: 3
  indexer::Unit unit;
  indexer::Doubt doubt;
  indexer::FamilyStates families;
  for (const Status& refused : {indexer::DecodeUnit(newer, &unit), indexer::DecodeDoubt(newer, &doubt),
                                indexer::DecodeFamilies(newer, &families)}) {
    EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
    EXPECT_EQ(refused.message(),
              "a state cell has format 3, and this fensi reads 1 and 2: a newer fensi wrote it; run that version, or a "
              "newer one");
  }
}

TEST(StateCell, WithADoubtOfANewerFormatIsRefusedWithTheWayBack) {
  const std::string newer("\x08\x02\x3a\x02\x08\x03", 6);  // format: 2, doubt of format 3
  indexer::Unit unit;
  EXPECT_THAT(indexer::DecodeUnit(newer, &unit).message(), HasSubstr("has format 3, and this fensi reads 1 and 2"));
}

/// The row is rebuilt from its source; a format that is not known would stop the index.
TEST(StateCell, WithoutAFormatIsDamage) {
  indexer::Unit unit;
  EXPECT_EQ(indexer::DecodeUnit("", &unit).code(), StatusCode::kInternal);
}

/// Number of what `i:scheme` says.
constexpr int64_t kMirrorFormat = 1;

class MirrorFormat : public ::testing::Test {
 protected:
  std::vector<Piece> Kept() {
    std::vector<Piece> pieces;
    const Result<std::vector<store::Row>> rows = world_.store()->Scan(world_.index().state_table(), {.max_rows = 9});
    for (const store::Row& row : *rows) {
      for (const Cell& cell : row.cells) pieces.push_back(PieceOf(row.row, cell));
    }
    return pieces;
  }
  indexer::KnownColumns Known() { return {&world_.index(), world_.store(), &phases_, 1000}; }
  indexer::FloorStore Floors() { return {&world_.index(), world_.store(), world_.clock(), *partition_}; }

  World world_{MirrorEachTimeRule(), true};
  const std::shared_ptr<FakeAssignment> partition_ = std::make_shared<FakeAssignment>("t", 3, 4);
  indexer::PhaseClock phases_{nullptr};
};

TEST_F(MirrorFormat, IsWrittenAsItAlwaysWas) {
  Must(indexer::IndexMeta(&world_.index(), world_.store()).Open());
  indexer::Floors floors(1000);
  floors.set_now(0);
  floors.Raise(indexer::Floors::NameOf("r", "f", "k"), 17);
  floors.Raise(indexer::Floors::NameOfFamily("r", "f"), indexer::Floors::kFarMillis + 1000);
  floors.Tell(indexer::Floors::NameOf("4ce5fb4b4bdbd48ae5b6a0ae6ec34c1b"), 301);
  Must(Floors().Save(&floors));
  indexer::KnownColumns known = Known();
  known.Note("r", "f", "k");
  Must(known.Save());
  std::vector<Piece> kept = Kept();
  EXPECT_EQ(std::erase_if(kept, [](const Piece& piece) { return piece.title == "fensi i:incarnation 1"; }), 1u);
  ExpectGolden("mirror", kMirrorFormat, kept);
}

TEST_F(MirrorFormat, IsReadAsItWasMeant) {
  for (const store::Row& row : RowsOf(Golden("mirror", kMirrorFormat))) {
    Must(world_.store()->Put(world_.index().state_table(), {{{row.row, row.cells}}}).status());
  }
  indexer::IndexMeta meta(&world_.index(), world_.store());
  Must(meta.Open());
  EXPECT_EQ(meta.scheme(), mapping::Scheme::kStateless);
  indexer::Floors floors(1000);
  Must(Floors().Load(&floors));
  EXPECT_EQ(floors.Of(0), 17);
  EXPECT_EQ(floors.Of(indexer::Floors::NameOfFamily("r", "f")), indexer::Floors::kFarMillis + 1000);
  EXPECT_FALSE(floors.InOrder(indexer::Floors::NameOf("4ce5fb4b4bdbd48ae5b6a0ae6ec34c1b"), 301));
  std::vector<std::string> columns;
  Must(Known().Find("r", "f", &columns));
  EXPECT_EQ(columns, std::vector<std::string>{"k"});
}

/// Number of what `i:scheme` says of states.
constexpr int64_t kBucketFormat = 2;

class IndexMetaFormat : public ::testing::Test {
 protected:
  static constexpr char kStates[] = "inverse_state";

  IndexMetaFormat() : index_(CompileRule(ValueRule())), world_(ValueRule(), false) {}
  Status Open() { return indexer::IndexMeta(index_.get(), world_.store()).Open(); }
  void Begin(const std::optional<int64_t>& committed) {
    indexer::IndexMeta meta(index_.get(), world_.store());
    const auto partition = std::make_shared<FakeAssignment>("t", 3, 4);
    Must(meta.Open());
    Must(meta.Begin({partition, committed, 17, 99}).status());
    Must(meta.NoteCommit(*partition));
    Must(meta.SetStartOffset("t", 2, 55));
  }
  std::vector<Piece> Kept() {
    std::vector<Piece> pieces;
    const Result<std::vector<store::Row>> rows = world_.store()->Scan(kStates, {.max_rows = 9});
    for (const store::Row& row : *rows) {
      for (const Cell& cell : row.cells) pieces.push_back(PieceOf(row.row, cell));
    }
    return pieces;
  }
  void Keep(const std::vector<Piece>& pieces) {
    for (const store::Row& row : RowsOf(pieces)) Must(world_.store()->Put(kStates, {{{row.row, row.cells}}}).status());
  }
  static std::vector<Piece> WithFormat(const std::string& format) {
    std::vector<Piece> pieces = Golden("index_meta", kStateFormat);
    for (Piece& piece : pieces) {
      if (piece.title.find("i:format ") != std::string::npos) piece.bytes = format;
    }
    return pieces;
  }

  const std::shared_ptr<const mapping::Index> index_;
  World world_;
};

TEST_F(IndexMetaFormat, IsWrittenAsItAlwaysWas) {
  Begin(std::nullopt);
  std::vector<Piece> kept = Kept();
  EXPECT_EQ(std::erase_if(kept, [](const Piece& piece) { return piece.title == "fensi i:incarnation 1"; }), 1u);
  ExpectGolden("index_in_buckets", kBucketFormat, kept);
}

TEST_F(IndexMetaFormat, OfAnIndexInBucketsIsReadAsItWasMeant) {
  Keep(Golden("index_in_buckets", kBucketFormat));
  indexer::IndexMeta meta(index_.get(), world_.store());
  Must(meta.Open());
  EXPECT_EQ(meta.scheme(), mapping::Scheme::kState);
  EXPECT_EQ(meta.layout(), (indexer::StateLayout{.bucket_bits = 9}));
}

TEST_F(IndexMetaFormat, OfAnIndexWithARowForEachStateSaysNothingOfBuckets) {
  Keep(Golden("index_meta", kStateFormat));
  indexer::IndexMeta meta(index_.get(), world_.store());
  Must(meta.Open());
  EXPECT_EQ(meta.layout(), indexer::StateLayout());
}

TEST_F(IndexMetaFormat, OfNoNumberOfBucketsIsRefused) {
  for (const char* number : {"", "0", "3", "131072", "1024 "}) {
    world_.Reset();
    std::vector<Piece> pieces = Golden("index_in_buckets", kBucketFormat);
    std::find_if(pieces.begin(), pieces.end(), [](const Piece& piece) {
      return piece.title.find("i:buckets ") != std::string::npos;
    })->bytes = number;
    Keep(pieces);
    EXPECT_THAT(Open().message(), HasSubstr("holds '" + std::string(number) +
                                            "' as the number of buckets of index "
                                            "inverse, which is not a power of 2 up to 65536"));
  }
}

/// Its names are random; the rest is as it stands in the file.
std::string WithoutName(const std::string& text) { return text.substr(0, text.size() - 16); }

TEST_F(IndexMetaFormat, OfRequestsIsWrittenAndReadAsItAlwaysWas) {
  for (const int64_t format : ReadableFormats(kStateFormat)) {
    world_.Reset();
    const std::vector<Piece> golden = Golden("index_requests", format);
    ASSERT_EQ(golden.size(), 2u);
    Keep(golden);
    indexer::IndexMeta meta(index_.get(), world_.store());
    Must(meta.Open());
    EXPECT_EQ(meta.incarnation(), golden[0].bytes);
    indexer::RequestsPosition position(index_.get(), indexer::MetaRow(index_.get(), world_.store()), 3);
    const Result<consumer::RequestPosition> start = position.Open({0, 99});
    Must(start.status());
    EXPECT_EQ(start->done, 17);
    EXPECT_EQ(start->noted, 42);
    Must(position.Note(55));
    Must(position.Done(55));
    std::string now;
    for (const Piece& piece : Kept()) {
      if (piece.title == "fensi i:requests/3 5") now = piece.bytes;
    }
    EXPECT_EQ(WithoutName(now), "55 55 ");
    EXPECT_EQ(golden[1].title, "fensi i:requests/3 2");
    EXPECT_EQ(WithoutName(golden[1].bytes), "17 42 ");
  }
}

TEST_F(IndexMetaFormat, OfEachReadableFormatIsReadAsItWasMeant) {
  for (const int64_t format : ReadableFormats(kStateFormat)) {
    world_.Reset();
    Keep(Golden("index_meta", format));
    const auto begin = [this](int32_t partition, int32_t count, std::optional<int64_t> committed) {
      indexer::IndexMeta meta(index_.get(), world_.store());
      Must(meta.Open());
      return meta.Begin({std::make_shared<FakeAssignment>("t", partition, count), committed, 0, 99});
    };
    EXPECT_EQ(begin(3, 4, 20)->offset, 20);
    EXPECT_EQ(begin(3, 4, std::nullopt).status().code(), StatusCode::kGap) << "the group has committed";
    EXPECT_EQ(begin(2, 4, 55)->offset, 55) << "a person allowed it";
    EXPECT_EQ(begin(1, 4, 55).status().code(), StatusCode::kGap);
    EXPECT_EQ(begin(3, 5, 20).status().code(), StatusCode::kConfiguration) << "another partition count";
  }
}

TEST_F(IndexMetaFormat, OfANewerFormatIsRefusedBeforeAnythingElseIsRead) {
  Keep(WithFormat("3"));
  const Status refused = Open();
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
  EXPECT_EQ(refused.message(),
            "index inverse: the state table inverse_state has format 3, and this fensi reads 1 and 2: a newer fensi "
            "wrote it; run that version, or a newer one");
  const indexer::IndexMeta meta(index_.get(), world_.store());
  EXPECT_EQ(meta.Known().status().ToString(), refused.ToString())
      << "whoever only looks at it, or asks its owners for something";
}

TEST_F(IndexMetaFormat, OfAFormatThatIsTooOldIsRefusedWithTheRemedy) {
  Keep(WithFormat("0"));
  EXPECT_THAT(Open().message(),
              HasSubstr("an older fensi wrote it, in a format that this fensi cannot read; build the index again. "
                        "While applications read the index, build a second index"));
  Must(indexer::IndexMeta(index_.get(), world_.store()).Known().status());  // it can be looked at, and dropped
}

TEST_F(IndexMetaFormat, OfAnIndexThatDoesNotSayItIsTheFirstAndIsWrittenDown) {
  std::vector<Piece> pieces = Golden("index_meta", kStateFormat);
  std::erase_if(pieces, [](const Piece& piece) { return piece.title.find("i:format ") != std::string::npos; });
  Keep(pieces);
  Must(indexer::IndexMeta(index_.get(), world_.store()).Known().status());
  EXPECT_EQ(Kept(), pieces) << "who only looks at it writes nothing";
  Must(Open());
  EXPECT_THAT(Kept(), ::testing::Contains(Piece{"fensi i:format 1", "1"}));
}

}  // namespace
}  // namespace fensi::testing
