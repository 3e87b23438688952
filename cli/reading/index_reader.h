// Reads an index in its readers' terms: the first parts of its row key are known, perhaps bounds of the next one.
//
// Blocks on the store; one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mapping/index.h"
#include "mapping/lookup.h"
#include "store/store.h"

namespace fensi::cli {

class IndexReader {
 public:
  using Use = std::function<void(const std::string& table, const store::Row& row,
                                 const std::vector<mapping::KnownPart>& known)>;

  /// `index` outlives the reader. kInvalidArgument when the request does not fit the index.
  static Result<IndexReader> Plan(const mapping::Index& index, mapping::LookupRequest request);

  /// Index tables that the request concerns. Those of a period table follow from the bounds, or are told (tests).
  const std::vector<std::string>& tables() const { return tables_; }
  void set_tables(std::vector<std::string> tables) { tables_ = std::move(tables); }

  /// Calls `use` for each cell that fits, in the order of salt, table and row key; at most `max_rows` rows that have
  /// one (0: all). Answers how many these were. Tables of periods that do not exist are empty.
  Result<int64_t> Read(store::Store* store, int64_t max_rows, const Use& use) const;

  /// The same as commands of the HBase shell, for authors of applications. A comment says what they bring too much.
  std::string ShellCommands() const;

 private:
  IndexReader(const mapping::Index& index, mapping::LookupRequest request,
              std::shared_ptr<const mapping::Lookup> lookup)
      : index_(&index), request_(std::move(request)), lookup_(std::move(lookup)), tables_(lookup_->tables()) {}
  /// False: no cell of the row fits.
  bool ShowRow(const std::string& table, const store::Row& row, const Use& use) const;

  const mapping::Index* index_;
  mapping::LookupRequest request_;
  std::shared_ptr<const mapping::Lookup> lookup_;
  std::vector<std::string> tables_;
};

}  // namespace fensi::cli
