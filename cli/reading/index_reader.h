// Reads an index in its readers' terms: the first parts of its row key are known, perhaps bounds of the next one.
//
// Blocks on the store; one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "mapping/index.h"
#include "store/store.h"

namespace fensi::cli {

struct LookupRequest {
  std::vector<std::string> parts;
  std::string from, to;  // of the part behind them; empty: no bound
};

class IndexReader {
 public:
  using Use = std::function<void(const store::Row& row, const std::vector<mapping::Index::KnownPart>& known)>;

  /// `index` outlives the reader. kInvalidArgument when the request does not fit the index.
  static Result<IndexReader> Plan(const mapping::Index& index, LookupRequest request);

  /// Index tables that the request concerns. Those of a period table follow from the bounds, or are told (tests).
  const std::vector<std::string>& tables() const { return tables_; }
  void set_tables(std::vector<std::string> tables) { tables_ = std::move(tables); }

  /// Calls `use` for each cell that fits, in the order of salt, table and row key; at most `max_rows` rows that have
  /// one (0: all).
  /// Cells that lie in the range and belong to other parts are left out. Tables that do not exist are empty.
  Status Read(store::Store* store, int64_t max_rows, const Use& use) const;

  /// The same as commands of the HBase shell, for authors of applications. A comment says what they bring too much: a
  /// range is all that is needed where parts have an end or a width.
  std::string ShellCommands() const;

 private:
  explicit IndexReader(const mapping::Index& index) : index_(&index) {}
  /// False: no cell of the row fits.
  bool ShowRow(const std::string& table, const store::Row& row, const Use& use) const;
  bool Fits(const std::vector<mapping::Index::KnownPart>& known) const;

  const mapping::Index* index_;
  LookupRequest request_;
  std::vector<std::string> names_;  // of the parts
  std::vector<mapping::Index::KeyRange> ranges_;
  std::vector<std::string> tables_;
};

}  // namespace fensi::cli
