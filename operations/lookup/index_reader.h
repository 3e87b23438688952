// Reads an index by the parts of its row key: the first parts are known, perhaps with bounds of the next one. Plans
// such a lookup by what a person typed.
//
// Blocks on the store; one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "mapping/index.h"
#include "mapping/lookup.h"
#include "operations/access/stores.h"
#include "store/store.h"

namespace fensi::operations {

class IndexReader {
 public:
  using Use = std::function<void(const std::string& table, const store::Row& row,
                                 const std::vector<mapping::KnownPart>& known)>;

  /// `index` outlives the reader. kInvalidArgument if the request does not fit the index.
  static Result<IndexReader> Plan(const mapping::Index& index, mapping::LookupRequest request);

  /// Index tables of the request. Period tables follow from the bounds, or are set (tests).
  const std::vector<std::string>& tables() const { return tables_; }
  void set_tables(std::vector<std::string> tables) { tables_ = std::move(tables); }

  /// Calls `use` for each matching cell, in the order of salt, table and row key; at most `max_rows` rows with a match
  /// (0: all). Returns the number of these rows. Missing period tables are empty.
  Result<int64_t> Read(store::Store* store, int64_t max_rows, const Use& use) const;

  /// True if the answer has all entries of the cells that touch the area.
  bool whole_cells() const { return lookup_->whole_cells(); }

  /// The same as commands of the HBase shell, for authors of applications. A comment names what they return too much.
  std::string ShellCommands() const;

 private:
  IndexReader(const mapping::Index& index, mapping::LookupRequest request,
              std::shared_ptr<const mapping::Lookup> lookup)
      : index_(&index), request_(std::move(request)), lookup_(std::move(lookup)), tables_(lookup_->tables()) {}
  /// False: no cell of the row matches.
  bool ShowRow(const std::string& table, const store::Row& row, const Use& use) const;

  const mapping::Index* index_;
  mapping::LookupRequest request_;
  std::shared_ptr<const mapping::Lookup> lookup_;
  std::vector<std::string> tables_;
};

/// As typed. Bytes may be written as \xNN.
struct TypedLookup {
  std::vector<std::string> parts;  // the first ones of the row key
  std::string from, to;            // bounds of the next part; empty: none
  std::string near = {};           // "LAT,LON" with a radius such as "500m" or "2km"
  std::string radius = {};
  std::string box = {};  // "S,W,N,E"
};

/// `index` outlives the reader. kInvalidArgument, with the parts of the index: what was typed does not fit. Pure except
/// for the clock, by which "now" and "-1d" are times.
Result<IndexReader> PlanTypedLookup(const mapping::Index& index, const TypedLookup& typed,
                                    Clock* clock = SystemClock());

/// Opens the store for a lookup. The index table exists then, unless it is one of periods, and the source table if it
/// is to be read. Blocks.
Result<std::unique_ptr<store::Store>> OpenTablesToLookUp(const mapping::Index& index, const StoreOptions& options,
                                                         bool with_source);

/// Warns if the mapping is not the index's own and would misread keys. Silent without the right to read states. Blocks.
void WarnOfOtherDefinition(const mapping::Index& index, store::Store* store);

/// Explains why nothing matched if a bound looks like a day: it may be a number or a text.
void TellOfDays(const TypedLookup& typed);

}  // namespace fensi::operations
