// The tables of an index that are there: the one, or of a period table those whose names the source gives and those of
// the time that `keep` allows.
//
// Blocks on the store; one thread. Borrows both.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::sweep {

class TableList {
 public:
  TableList(const mapping::Index* index, store::Store* store) : index_(index), store_(store) {}

  /// The source gives entries of this table. kInvalidArgument: they are more than anybody would have.
  Status Note(std::string_view table);
  /// kConfiguration: some of the tables are known only to who reads the source.
  Status AllNamed(int64_t now_millis) const;
  Result<std::vector<std::string>> Existing(int64_t now_millis) const;

 private:
  const mapping::Index* const index_;
  store::Store* const store_;
  std::set<std::string, std::less<>> noted_;
};

}  // namespace fensi::sweep
