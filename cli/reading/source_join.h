// From entries of an index back to the rows of its source, and whether these still say so.
//
// The rows are read in batches; what is held is bounded by a batch of entries. Blocks on the store; one thread. Index
// and store outlive it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mapping/index.h"
#include "mapping/lookup.h"
#include "store/store.h"
#include "sweep/derivation.h"
#include "sweep/origin.h"

namespace fensi::cli {

/// An entry with what its source says now.
struct JoinedEntry {
  const std::string* table = nullptr;
  const store::Row* entry = nullptr;  // one cell
  const std::vector<mapping::KnownPart>* known = nullptr;
  const store::Row* source = nullptr;  // null: the entry does not tell its row. Of an index with `each:` one column
  std::optional<bool> agrees;          // absent: nobody can tell
};

class SourceJoin {
 public:
  using Use = std::function<void(const JoinedEntry&)>;

  SourceJoin(const mapping::Index* index, store::Store* store, Use use);

  /// A cell of the index. `use` is called in the order of the entries, now or later.
  Status Add(const std::string& table, const store::Row& entry, const std::vector<mapping::KnownPart>& known);
  Status Finish();
  /// Entries whose source does not agree.
  int64_t stale() const { return stale_; }

 private:
  struct Item {
    std::string table;
    store::Row entry;
    std::vector<mapping::KnownPart> known;
    std::optional<size_t> request;  // absent: the entry does not tell its row
  };

  store::GetRequest RequestOf(const sweep::SourceUnit& unit) const;
  /// The entries up to and with those of this request.
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
  size_t next_ = 0;                        // of items_, to be used
  int64_t stale_ = 0;
};

}  // namespace fensi::cli
