// The tables of one EmbeddedStore: their descriptions, numbers and split keys, stored in the database's table entries.
//
// Any thread; Create and Drop block on the disk, other calls do not. A Table is immutable and lives as long as a
// reference to it; after Drop its number finds no cells any more and is never used again.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "store/embedded/open_database.h"
#include "store/embedded/visibility.h"
#include "store/store.h"

namespace fensi::store {

struct EmbeddedTable {
  TableDescriptor description;
  std::vector<std::string> split_keys;  // sorted
  uint32_t number = 0;
  std::string prefix;  // prefix of its cells
  std::map<std::string, FamilyRules, std::less<>> rules;
};

class Catalog {
 public:
  /// `database` must outlive the catalog; Load reads the existing tables.
  explicit Catalog(Database* database) : database_(database) {}
  /// kConfiguration: the database has a format that this version does not read.
  Status Load();

  /// kNotFound if the table does not exist.
  Result<std::shared_ptr<const EmbeddedTable>> Find(const std::string& name) const;
  /// Sorted.
  std::vector<std::string> Names() const;
  Status Create(const TableDescriptor& table, std::vector<std::string> split_keys);
  Status Drop(const std::string& name);

 private:
  Status CheckStoreFormat() const;

  Database* const database_;

  mutable Mutex mu_;
  std::map<std::string, std::shared_ptr<const EmbeddedTable>> tables_ ABSL_GUARDED_BY(mu_);
  uint32_t next_number_ ABSL_GUARDED_BY(mu_) = 1;
};

}  // namespace fensi::store
