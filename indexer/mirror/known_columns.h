// Which columns a source row ever had, for deletes of a family in an index with `each:` (H8): nothing in HBase tells
// that afterwards. It may name more than there were, never fewer of those that the stream has told.
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
#include <utility>
#include <vector>

#include "consumer/change_source.h"
#include "indexer/timings.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

class KnownColumns {
 public:
  KnownColumns(const mapping::Index* index, store::Store* store, const consumer::Assignment* assignment,
               PhaseClock* phases, size_t most_bytes);

  /// The row has, or had, that column.
  void Note(std::string_view row, std::string_view family, std::string_view qualifier);
  /// Stores what is noted, before the offset moves.
  Status Save();

  /// Those of one family of a row, noted ones too; sorted.
  Status Find(const std::string& row, const std::string& family, std::vector<std::string>* qualifiers);

  /// Of the row BucketOf says.
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
  const consumer::Assignment* const assignment_;
  PhaseClock* const phases_;
  const size_t most_names_;                                          // of a generation
  Names young_, old_;                                                // stored by this assignment, or noted
  std::unordered_map<std::string, std::vector<std::string>> noted_;  // buckets, and qualifiers there
};

}  // namespace fensi::indexer
