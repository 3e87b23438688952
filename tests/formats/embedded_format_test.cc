// The database of the embedded store: what another version of fensi finds in the directory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/bytes.h"
#include "store/embedded/embedded_store.h"
#include "store/embedded/key_codec.h"
#include "store/embedded/open_database.h"
#include "tests/formats/golden.h"
#include "tests/support/matchers.h"

namespace fensi::store {
namespace {

using fensi::testing::ExpectGolden;
using fensi::testing::Golden;
using fensi::testing::Piece;

TableDescriptor FullTable() {
  return {"t",
          {{.name = "f",
            .max_versions = 3,
            .min_versions = 1,
            .ttl_seconds = 3600,
            .bloom_filter = "ROWCOL",
            .compression = "GZ",
            .in_memory = true,
            .block_cache = false,
            .block_size = 4096,
            .replication_scope = 1,
            .configuration = {{"hbase.hstore.time.to.purge.deletes", "86400000"}}}}};
}

std::vector<RowMutation> Puts() {
  Cell expiring{.family = "f", .qualifier = "q", .timestamp = 4'000'000'000'000, .value = "v"};
  expiring.tags.push_back(MakeTtlTag(1000));
  return {{std::string("r\0w", 3), {expiring}}, {"s", {{.family = "f", .timestamp = 4'000'000'000'001}}}};
}

class EmbeddedFormat : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string path = (std::filesystem::temp_directory_path() / "fensi-format-XXXXXX").string();
    ASSERT_NE(mkdtemp(path.data()), nullptr);
    directory_ = path;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::unique_ptr<Database> OpenRaw() { return OpenDatabase({.directory = directory_}, nullptr).value(); }
  Status Open() { return EmbeddedStore::Open({.directory = directory_}).status(); }
  void WriteThrough() {
    const auto store = EmbeddedStore::Open({.directory = directory_}).value();
    ASSERT_TRUE(store->CreateTable(FullTable(), {"m"}).ok());
    ASSERT_TRUE(store->Put("t", Puts()).ok());
    const RowMutation gone{"s", {{.family = "f", .timestamp = 9, .type = CellType::kDeleteFamily}}};
    ASSERT_TRUE(store->Delete("t", {&gone, 1}).ok());
  }
  std::vector<Piece> Entries() {
    const auto database = OpenRaw();
    rocksdb::ReadOptions options;
    options.total_order_seek = true;
    const std::unique_ptr<rocksdb::Iterator> entry(database->rocks()->NewIterator(options));
    std::vector<Piece> pieces;
    for (entry->SeekToFirst(); entry->Valid(); entry->Next()) {
      pieces.push_back({Escape(entry->key().ToStringView()), entry->value().ToString()});
    }
    return pieces;
  }
  void Write(const std::vector<Piece>& pieces) {
    const auto database = OpenRaw();
    for (const Piece& piece : pieces) {
      ASSERT_TRUE(database->rocks()->Put({}, *Unescape(piece.title), piece.bytes).ok());
    }
  }

  std::string directory_;
};

TEST_F(EmbeddedFormat, IsWrittenAsItAlwaysWas) {
  WriteThrough();
  ExpectGolden("embedded_store", kStoreFormat, Entries());
}

/// The whole file: what it says of the manifest differs from opening to opening.
TEST_F(EmbeddedFormat, TheLedgerOfItsWritesIsWrittenAsItAlwaysWas) {
  WriteThrough();
  std::ifstream file(directory_ + "/ACKNOWLEDGED", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  ASSERT_EQ(bytes.size(), 64u);
  EXPECT_EQ(bytes.substr(0, 8), "fensiAK1");
  const Result<std::optional<Acknowledged>> known = ReadLedger(directory_);
  ASSERT_TRUE(known.ok() && known->has_value());
  const std::string_view numbers(bytes);
  EXPECT_EQ(ReadBigEndian64(numbers.substr(8, 8)), static_cast<int64_t>((*known)->written));
  EXPECT_EQ((*known)->written, Entries().size()) << "the sequence number of the last write";
  EXPECT_EQ(ReadBigEndian64(numbers.substr(16, 8)), 0) << "nothing was flushed";
  EXPECT_EQ(ReadBigEndian64(numbers.substr(24, 8)), static_cast<int64_t>((*known)->log));
}

TEST_F(EmbeddedFormat, OfEachReadableFormatIsReadAsItWasMeant) {
  for (const int64_t format : fensi::testing::ReadableFormats(kStoreFormat)) {
    std::filesystem::remove_all(directory_);
    Write(Golden("embedded_store", format));
    const auto store = EmbeddedStore::Open({.directory = directory_}).value();
    EXPECT_EQ(store->DescribeTable("t").value()->families, FullTable().families);
    EXPECT_EQ(*store->RegionStarts("t"), (std::vector<std::string>{"", "m"}));
    const Result<std::vector<Row>> rows = store->Scan("t", {.max_rows = 9});
    ASSERT_EQ(rows->size(), 2u);
    EXPECT_EQ(rows->front().row, std::string("r\0w", 3));
    EXPECT_EQ(rows->front().cells.front().value, "v");
    EXPECT_EQ(rows->back().cells.front().timestamp, 4'000'000'000'001);
  }
}

TEST_F(EmbeddedFormat, OfANewerFensiIsRefused) {
  WriteThrough();
  std::string newer;
  AppendBigEndian64(kStoreFormat + 1, &newer);
  Write({{std::string(1, kFormatEntry), newer}});
  EXPECT_EQ(Open().code(), StatusCode::kConfiguration);
  EXPECT_EQ(Open().message(), "the embedded store in " + directory_ +
                                  " has format 2, and this fensi reads 1: a newer fensi wrote it; run that version, or "
                                  "a newer one");
}

TEST_F(EmbeddedFormat, WithADamagedEntryOfATableNamesIt) {
  WriteThrough();
  std::string key;
  for (const Piece& piece : Entries()) {
    if (piece.bytes.find("families") != std::string::npos) key = piece.title;
  }
  for (const char* damaged :
       {R"({"number":"x","families":[]})", R"({"number":1})", R"({"number":1,"families":[7]})", "["}) {
    Write({{key, damaged}});
    EXPECT_EQ(Open().code(), StatusCode::kInternal) << damaged;
    EXPECT_THAT(Open().message(), HasSubstr("the entry of table t is damaged")) << damaged;
  }
}

TEST_F(EmbeddedFormat, ThatDoesNotSayItselfIsTheFirst) {
  std::vector<Piece> old = Golden("embedded_store", 1);
  std::erase_if(old, [](const Piece& piece) { return piece.title == std::string(1, kFormatEntry); });
  Write(old);
  EXPECT_TRUE(Open().ok());
}

}  // namespace
}  // namespace fensi::store
