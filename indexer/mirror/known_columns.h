// Stores which columns a source row ever had, for deletes of a family in an index with `each:` (H8): HBase does not
// keep that. The set may contain too many columns, but never lacks one that the stream has sent.
//
// In the state table, family i: one empty cell for each column. Row: one of 1,024 buckets, two bytes by the source
// row's hash, so that hundreds of columns share a put. Qualifier: length and bytes of the source row, then of the
// family, then the qualifier.
//
// Blocks on the store; not thread-safe. Everything that is handed in outlives the object.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "consumer/change_source.h"
#include "indexer/timings.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

class KnownColumns {
 public:
  KnownColumns(const mapping::Index* index, store::Store* store, PhaseClock* phases, size_t most_bytes);

  /// Adds a column that the row has or had.
  void Note(std::string_view row, std::string_view family, std::string_view qualifier);
  /// Stores the added columns. Call before the offset moves.
  Status Save();

  /// The columns of one family of a row, including added ones; sorted.
  Status Find(const std::string& row, const std::string& family, std::vector<std::string>* qualifiers);

  /// The qualifier in the row that BucketOf names.
  static std::string QualifierOf(std::string_view row, std::string_view family, std::string_view qualifier);

 private:
  struct Name {  // 128 bits of a hash: a false "known" would be an orphan
    uint64_t high = 0;
    uint64_t low = 0;
    bool operator==(const Name&) const = default;
  };
  struct LowBits {
    size_t operator()(const Name& name) const { return name.low; }
  };
  using Names = std::unordered_set<Name, LowBits>;
  static Name NameOf(std::string_view row, std::string_view family, std::string_view qualifier);

  const mapping::Index* const index_;
  store::Store* const store_;
  PhaseClock* const phases_;
  const size_t most_names_;                                          // per generation
  Names young_, old_;                                                // stored by this assignment, or added
  std::unordered_map<std::string, std::vector<std::string>> noted_;  // bucket -> qualifiers to be stored
};

}  // namespace fensi::indexer
