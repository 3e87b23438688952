// Reads rows of one table of the embedded store, and finds what a major compaction drops.
//
// Owns an iterator: one object is one consistent view of the database, so a batch of reads uses one. Blocks on the
// disk, not thread-safe. The table and the database must outlive it.
#pragma once

#include <rocksdb/db.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "store/embedded/catalog.h"
#include "store/embedded/visibility.h"
#include "store/store.h"

namespace fensi::store {

/// The columns to read of a row, resolved once for many rows.
struct ReadPlan {
  struct Family {
    std::string name;
    FamilyRules rules;
    bool whole = true;
    std::vector<std::string> qualifiers;  // sorted, if not whole
  };
  std::vector<Family> families;  // sorted by name
  ReadMode mode = ReadMode::kVisible;
  int32_t max_versions = 1;
  int64_t now = 0;
  // For scans only.
  bool keys_only = false;
  ScanRequest::Times times;
};

/// The part of a row that is read.
struct RowPart {
  const ColumnPlace* behind = nullptr;  // only columns after this one
  size_t max_cells = SIZE_MAX;          // no further column after this many cells
};

/// Columns as in GetRequest; kRejected if the table lacks a family.
Result<ReadPlan> PlanRead(const EmbeddedTable& table, const std::vector<GetRequest::Column>& columns, bool raw,
                          int32_t max_versions, int64_t now);

class RowReader {
 public:
  /// kRows reads rows by name (an absent row costs one bloom filter lookup), kRange moves from row to row.
  enum class Access { kRows, kRange };
  RowReader(rocksdb::DB* database, const EmbeddedTable& table, Access access);
  RowReader(const RowReader&) = delete;
  RowReader& operator=(const RowReader&) = delete;

  /// kRows: adds the requested cells of the row.
  void ReadRow(const std::string& row, const ReadPlan& plan, std::vector<Cell>* cells);

  /// kRange: moves the reader to the first row at or above `row`.
  void SeekRow(const std::string& row);
  /// kRange: false at the end of the table or at `stop_row` (exclusive; empty: none), else `row` is the current row.
  bool AtRow(const std::string& stop_row, std::string* row) const;
  /// kRange: reads the current row and moves past it. False: columns were left out because of max_cells.
  bool ReadCurrentRow(const ReadPlan& plan, const RowPart& part, std::vector<Cell>* cells);
  /// kRange: calls `drop` with every key of the current row that a major compaction drops; moves past it.
  void CompactCurrentRow(int64_t now, const std::function<void(std::string_view key)>& drop);

  /// Not ok if the reader stopped because of an error.
  Status status() const;

 private:
  void Settle();
  bool InRow() const { return valid_ && key_.row_prefix() == row_prefix_; }
  void Next();
  void Advance(const std::string& target);
  void SkipColumn();
  /// What is read of a column; its markers always count.
  enum class Take { kAll, kFamilyMarkers, kNothing };
  bool ReadFamilies(const ReadPlan& plan, const RowPart& part, std::vector<Cell>* cells);
  bool ReadFamily(const ReadPlan::Family& family, const ReadPlan& plan, const RowPart& part, std::vector<Cell>* cells);
  bool ReadNamedColumns(const ReadPlan::Family& family, const ReadPlan& plan, const RowPart& part, FamilyFilter* filter,
                        std::vector<Cell>* cells);
  void ReadColumn(const ReadPlan::Family& family, const ReadPlan& plan, Take take, FamilyFilter* filter,
                  std::vector<Cell>* cells);
  bool AdvanceToColumn(const ReadPlan::Family& family, const std::string& qualifier);

  const EmbeddedTable& table_;
  const std::string upper_bound_;
  const rocksdb::Slice upper_bound_slice_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
  ParsedKey key_;  // of the iterator, if valid_
  bool valid_ = false;
  bool damaged_ = false;
  std::string row_prefix_;  // of the current row
  std::string target_;      // scratch
};

}  // namespace fensi::store
