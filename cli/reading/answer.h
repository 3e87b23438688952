// Reads the answer of a lookup and hands its cells to a printer, with what their keys were made of, and if asked with
// their source rows and whether these still agree.
//
// Reads source rows in batches; holds at most a batch of entries. Blocks on the store; one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/reading/shown_cells.h"
#include "mapping/index.h"
#include "mapping/lookup.h"
#include "operations/lookup/index_reader.h"
#include "store/store.h"
#include "sweep/scan/derivation.h"
#include "sweep/scan/source_unit.h"

namespace fensi::cli {

/// An entry with its current source row.
struct JoinedEntry {
  const std::string* table = nullptr;
  const store::Row* entry = nullptr;  // one cell
  const std::vector<mapping::KnownPart>* known = nullptr;
  const store::Row* source = nullptr;  // null: the entry does not identify its row. Of an index with `each:` one column
  std::optional<bool> agrees;          // absent: unknown
};

class SourceJoin {
 public:
  using Use = std::function<void(const JoinedEntry&)>;

  SourceJoin(const mapping::Index* index, store::Store* store, Use use);

  /// Adds a cell of the index. Calls `use` in the order of the entries, now or later.
  Status Add(const std::string& table, const store::Row& entry, const std::vector<mapping::KnownPart>& known);
  Status Finish();
  /// Entries whose source does not agree.
  int64_t stale() const { return stale_; }

 private:
  struct Item {
    std::string table;
    store::Row entry;
    std::vector<mapping::KnownPart> known;
    std::optional<size_t> request;  // absent: the entry does not identify its row
  };

  store::GetRequest RequestOf(const sweep::SourceUnit& unit) const;
  /// Uses the entries up to and with those of this request.
  void UseThrough(size_t request, const store::Row& source);
  void UseOne(const Item& item, const store::Row* source, std::optional<bool> agrees);

  const mapping::Index* const index_;
  store::Store* const store_;
  const Use use_;
  sweep::Derivation derivation_;
  std::vector<Item> items_;
  std::vector<store::GetRequest> requests_;
  std::optional<sweep::SourceUnit> last_;  // of the last request
  size_t bytes_ = 0;                       // of items_
  size_t next_ = 0;                        // index in items_ of the next to be used
  int64_t stale_ = 0;
};

struct AnswerOptions {
  bool source_rows = false;  // each entry with its source row
  int64_t max_rows = 0;      // 0: all
  int64_t max_cells = 0;     // of a source row; 0: all
};

class Answer {
 public:
  /// Index and reader outlive it.
  Answer(const mapping::Index& index, const operations::IndexReader& reader, const AnswerOptions& options)
      : index_(index), reader_(reader), options_(options) {}

  /// Headings of the columns that an entry has besides its cell.
  std::vector<std::string> MoreColumns() const;

  /// Returns the number of rows.
  Result<int64_t> Read(store::Store* store, ShownCells* cells);

  /// Entries of the last answer whose source does not agree.
  int64_t stale() const { return stale_; }

 private:
  Result<int64_t> ReadJoined(store::Store* store, ShownCells* cells);
  /// `joined`: null unless the source rows were asked for.
  void Show(const std::string& table, const store::Row& row, const std::vector<mapping::KnownPart>& known,
            const JoinedEntry* joined, ShownCells* cells) const;
  /// "a: f1:from=b", and whether it is that no more.
  std::string SourceText(const JoinedEntry& joined) const;

  const mapping::Index& index_;
  const operations::IndexReader& reader_;
  const AnswerOptions options_;
  int64_t stale_ = 0;
};

}  // namespace fensi::cli
