// A database of which one file is damaged: it is refused with the file's name, or nothing is missing. Each damage of
// each file that a database with table files and a log has; and the same store a second time.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "store/embedded/embedded_store.h"
#include "store/embedded/write_ledger.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr int kRowsOfARun = 200;
constexpr int kRuns = 3;

std::string RowKey(int number) { return "row" + std::to_string(100'000 + number); }
std::string ValueOf(int number) { return "value of " + std::to_string(number); }

std::string Bytes(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void Overwrite(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// The files of a folder and their bytes.
std::map<std::string, std::string> Content(const fs::path& folder) {
  std::map<std::string, std::string> content;
  for (const auto& entry : fs::directory_iterator(folder)) content[entry.path().filename()] = Bytes(entry.path());
  return content;
}

/// "" when the store has all rows, else why not; "INCOMPLETE" where it does not say so.
std::string Visit(const std::string& folder, bool read_only) {
  const auto store = EmbeddedStore::Open({.directory = folder, .read_only = read_only});
  if (!store.ok()) return store.status().message();
  const auto rows = (*store)->Scan("t", {.max_rows = kRowsOfARun * (kRuns + 1)});
  if (!rows.ok()) return rows.status().message();
  if (rows->size() != size_t{kRowsOfARun} * kRuns) return "INCOMPLETE: " + std::to_string(rows->size()) + " rows";
  for (int i = 0; i < kRowsOfARun * kRuns; ++i) {
    if (RowText((*rows)[i]) != "f:q@1=" + ValueOf(i)) return "INCOMPLETE: " + RowText((*rows)[i]);
  }
  return "";
}

class DamagedStore : public ::testing::Test {
 protected:
  DamagedStore() : whole_(Folder("whole")), damaged_(Folder("damaged")) {
    Clean();
    for (int run = 0; run < kRuns; ++run) Populate(run);  // what the log of a run holds is a table file of the next one
  }
  ~DamagedStore() override { Clean(); }

  static fs::path Folder(const std::string& name) {
    return fs::path(::testing::TempDir()) / (name + "_" + std::to_string(getpid()));
  }
  void Clean() const {
    fs::remove_all(whole_);
    fs::remove_all(damaged_);
  }
  void Populate(int run) const {
    const auto store = std::move(EmbeddedStore::Open({.directory = whole_}).value());
    ASSERT_TRUE(run > 0 || store->CreateTable({"t", {{.name = "f"}}}, {}).ok());
    for (int i = run * kRowsOfARun; i < (run + 1) * kRowsOfARun; ++i) {
      const RowMutation row{RowKey(i), {PutCell("f:q", 1, ValueOf(i))}};
      ASSERT_TRUE(store->Put("t", std::span(&row, 1)).ok());
    }
  }
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& [name, bytes] : Content(whole_)) names.push_back(name);
    return names;
  }
  std::string FileLike(const std::string& word) const {
    const auto names = Files();
    const auto found = std::find_if(names.rbegin(), names.rend(), [&](const std::string& name) {
      return name.find(word) != std::string::npos && fs::file_size(whole_ / name) > 0;
    });
    return found == names.rend() ? "" : *found;
  }
  void MakeDamaged(const std::string& file, const std::function<void(const fs::path&)>& damage) const {
    fs::remove_all(damaged_);
    fs::copy(whole_, damaged_);
    damage(damaged_ / file);
  }
  /// Twice by a reader and twice by a writer. A refusal changes no other file.
  void ExpectNamedOrHarmless(const std::string& file, const std::string& words,
                             const std::function<void(const fs::path&)>& damage) const {
    for (const bool read_only : {true, false}) {
      MakeDamaged(file, damage);
      const auto before = Content(damaged_);
      for (int run = 0; run < 2; ++run) {
        const std::string outcome = Visit(damaged_, read_only);
        if (outcome.empty()) continue;
        EXPECT_THAT(outcome, HasSubstr(file)) << words << ", run " << run << (read_only ? " of a reader" : "");
        if (outcome.find(".sst") == std::string::npos) {
          EXPECT_TRUE(Content(damaged_) == before) << words << " of " << file << ": something was changed";
        }
      }
    }
  }
  /// As ExpectNamedOrHarmless, and it is refused.
  void ExpectRefused(const std::string& file, const std::string& words,
                     const std::function<void(const fs::path&)>& damage) const {
    ExpectNamedOrHarmless(file, words, damage);
    MakeDamaged(file, damage);
    EXPECT_NE(Visit(damaged_, /*read_only=*/false), "") << words << " of " << file;
  }

  const fs::path whole_, damaged_;
};

std::function<void(const fs::path&)> Flip(size_t byte, int bit) {
  return [byte, bit](const fs::path& path) {
    std::string bytes = Bytes(path);
    bytes[byte] = static_cast<char>(bytes[byte] ^ (1 << bit));
    Overwrite(path, bytes);
  };
}

std::function<void(const fs::path&)> CutTo(size_t size) {
  return [size](const fs::path& path) { fs::resize_file(path, size); };
}

std::function<void(const fs::path&)> Zero(size_t begin, size_t end) {
  return [begin, end](const fs::path& path) {
    std::string bytes = Bytes(path);
    std::fill(bytes.begin() + static_cast<ptrdiff_t>(begin), bytes.begin() + static_cast<ptrdiff_t>(end), '\0');
    Overwrite(path, bytes);
  };
}

void Remove(const fs::path& path) { fs::remove(path); }

TEST_F(DamagedStore, TheWholeOneHasEveryKindOfFile) {
  EXPECT_EQ(Visit(whole_, /*read_only=*/true), "");
  for (const char* kind : {"CURRENT", "IDENTITY", "MANIFEST-", "OPTIONS-", ".sst", ".log", "ACKNOWLEDGED"}) {
    EXPECT_NE(FileLike(kind), "") << kind;
  }
}

TEST_F(DamagedStore, EveryDamageOfEveryFileNamesItOrLosesNothing) {
  std::mt19937 random(1);
  for (const std::string& file : Files()) {
    const size_t size = fs::file_size(whole_ / file);
    ExpectNamedOrHarmless(file, "removed", Remove);
    if (size == 0) continue;
    for (const size_t left : {size_t{0}, size / 2, size - 1}) {
      ExpectNamedOrHarmless(file, "cut to " + std::to_string(left), CutTo(left));
    }
    ExpectNamedOrHarmless(file, "zeroed", Zero(0, size));
    ExpectNamedOrHarmless(file, "first half zeroed", Zero(0, size / 2));
    ExpectNamedOrHarmless(file, "last half zeroed", Zero(size / 2, size));
    for (int i = 0; i < 8; ++i) {
      const size_t byte = i == 0 ? 0 : i == 1 ? size - 1 : random() % size;
      const int bit = static_cast<int>(random() % 8);
      ExpectNamedOrHarmless(file, "bit " + std::to_string(bit) + " of byte " + std::to_string(byte), Flip(byte, bit));
    }
  }
}

TEST_F(DamagedStore, ALogThatLacksAnAcknowledgedWriteIsRefusedWhateverItLacks) {
  constexpr size_t kHeaderBytes = 7;
  const std::string log = FileLike(".log");
  const std::string bytes = Bytes(whole_ / log);
  ExpectRefused(log, "removed", Remove);
  ExpectRefused(log, "zeroed", Zero(0, bytes.size()));
  ExpectRefused(log, "first record zeroed", Zero(0, kHeaderBytes));
  for (const size_t left : {size_t{0}, size_t{1}, bytes.size() / 3, bytes.size() - 1}) {
    ExpectRefused(log, "cut to " + std::to_string(left), CutTo(left));
  }
  // Also where a record's length is wrong, which RocksDB takes for the end of the log.
  for (size_t record = 0; record + kHeaderBytes < bytes.size() && record < 1000;) {
    const auto byte = [&](size_t at) { return static_cast<unsigned char>(bytes[record + at]); };
    ExpectRefused(log, "length at " + std::to_string(record), Flip(record + 5, 7));
    record += kHeaderBytes + byte(4) + (size_t{byte(5)} << 8);
  }
}

/// Taken for none, it would vouch for nothing any more.
TEST_F(DamagedStore, ALedgerThatIsDamagedIsRefused) {
  const std::string ledger = "ACKNOWLEDGED";
  const size_t size = fs::file_size(whole_ / ledger);
  for (size_t byte = 0; byte < size; byte += 7) ExpectRefused(ledger, "byte " + std::to_string(byte), Flip(byte, 0));
  for (const size_t left : {size_t{0}, size / 2, size - 1}) ExpectRefused(ledger, "cut", CutTo(left));
  ExpectRefused(ledger, "zeroed", Zero(0, size));
}

TEST_F(DamagedStore, OfAVersionWithoutALedgerIsRefusedForARecordThatIsDamaged) {
  const std::string log = FileLike(".log");
  const size_t size = fs::file_size(whole_ / log);
  fs::remove(whole_ / "ACKNOWLEDGED");
  MakeDamaged("CURRENT", [](const fs::path&) {});
  EXPECT_EQ(Visit(damaged_, /*read_only=*/false), "");
  for (const size_t byte : {size_t{20}, size / 2})
    ExpectRefused(log, "value at " + std::to_string(byte), Flip(byte, 0));
}

TEST_F(DamagedStore, TheLedgerFollowsAFlushToTheNextLog) {
  const Acknowledged before = *ReadLedger(whole_).value();
  {
    const auto store = std::move(EmbeddedStore::Open({.directory = whole_}).value());
    Acknowledged now = *ReadLedger(whole_).value();
    EXPECT_EQ(now.flushed, before.written) << "what the log held is in a table file";
    const uint64_t log = now.log;
    ASSERT_TRUE(store->CreateTable({"u", {{.name = "f"}}}, {}).ok());
    for (int i = 0; i < 2000 && now.log == log; ++i) {
      const RowMutation row{RowKey(i), {PutCell("f:q", 1, std::string(50'000, 'v'))}};
      ASSERT_TRUE(store->Put("u", std::span(&row, 1)).ok());
      now = *ReadLedger(whole_).value();
    }
    EXPECT_GT(now.log, log);
    EXPECT_GT(now.flushed, before.written);
    EXPECT_GE(now.written, now.flushed);
  }
  const std::string log = LogPath("", ReadLedger(whole_).value()->log).substr(1);
  ExpectRefused(log, "removed", Remove);
}

TEST_F(DamagedStore, AManifestThatLacksItsEndIsRefused) {
  const std::string manifest = FileLike("MANIFEST-");
  const size_t size = fs::file_size(whole_ / manifest);
  for (size_t left = 0; left < size; left += 7) ExpectRefused(manifest, "cut to " + std::to_string(left), CutTo(left));
  ExpectRefused(manifest, "last byte", Flip(size - 1, 0));
}

TEST_F(DamagedStore, WithoutCurrentIsRefusedEachTimeAndKeepsItsFiles) {
  ExpectRefused("CURRENT", "removed", Remove);
  MakeDamaged("CURRENT", Remove);
  const auto before = Content(damaged_);
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(EmbeddedStore::Open({.directory = damaged_}).status().code(), StatusCode::kInternal);
    EXPECT_EQ(EmbeddedStore::Open({.directory = damaged_, .existing = true}).status().code(), StatusCode::kInternal);
  }
  EXPECT_TRUE(Content(damaged_) == before);
}

class StoreFolder : public ::testing::Test {
 protected:
  StoreFolder() : folder_(fs::path(::testing::TempDir()) / ("folder_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    fs::permissions(folder_, fs::perms{0755});
  }
  ~StoreFolder() override {
    umask(before_);
    fs::remove_all(folder_);
  }
  Status Open() const { return EmbeddedStore::Open({.directory = folder_}).status(); }

  const fs::path folder_;
  const mode_t before_ = umask(0);
};

TEST_F(StoreFolder, OfOtherFilesIsRefusedByNameAndStaysAsItIs) {
  Overwrite(folder_ / "holiday.jpg", "x");
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(Open().code(), StatusCode::kConfiguration);
    EXPECT_THAT(Open().message(), HasSubstr("holiday.jpg"));
  }
  EXPECT_EQ(Content(folder_).size(), 1u);
}

TEST_F(StoreFolder, OfADatabaseThatWasNeverMadeIsEmpty) {
  fs::create_directory(folder_ / "lost+found");
  for (const char* name : {"LOCK", "IDENTITY", "MANIFEST-000001", "000001.dbtmp"}) Overwrite(folder_ / name, "x");
  EXPECT_TRUE(Open().ok()) << Open().message();
}

TEST_F(StoreFolder, HidesWhatItHoldsFromOthersWhateverTheUmask) {
  const auto open_to_others = [&] {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const bool open = (entry.status().permissions() & fs::perms{0077}) != fs::perms::none;
      if (open && entry.file_size() > 0) names.insert(entry.path().filename());
    }
    return names;
  };
  for (int run = 0; run < 2; ++run) {
    {
      const auto store = std::move(EmbeddedStore::Open({.directory = folder_}).value());
      ASSERT_TRUE(run > 0 || store->CreateTable({"t", {{.name = "f"}}}, {}).ok());
      const RowMutation row{"r", {PutCell("f:q", 1, "v")}};
      ASSERT_TRUE(store->Put("t", std::span(&row, 1)).ok());
      // Files that were made by the opening, and those of a flush.
      for (int i = 0; i < 500; ++i) {
        const RowMutation large{"large", {PutCell("f:q", i, std::string(50'000, 'v'))}};
        ASSERT_TRUE(store->Put("t", std::span(&large, 1)).ok());
      }
      EXPECT_THAT(open_to_others(), ::testing::IsEmpty());
    }
    // As an older version left them.
    for (const auto& entry : fs::directory_iterator(folder_)) fs::permissions(entry.path(), fs::perms{0644});
  }
}

}  // namespace
}  // namespace fensi::store
