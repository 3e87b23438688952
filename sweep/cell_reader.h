// Reads exactly the named cells of an index, in requests and answers of bounded size.
//
// Blocks on the store; one thread. Borrows both.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "mapping/index.h"
#include "store/store.h"

namespace fensi::sweep {

/// What the answers of one call may take together.
constexpr size_t kAnswerBytes = size_t{8} << 20;

class CellReader {
 public:
  CellReader(const mapping::Index* index, store::Store* store) : index_(index), store_(store) {}

  /// Called once for each of the cells, in any order; null: there is none. What it points to goes after the call.
  using Use = std::function<void(size_t cell, const Cell* found)>;
  /// A table of a period that does not exist has no cells; any other absent table is kNotFound.
  Status Read(std::span<const mapping::Entry> cells, const Use& use);

 private:
  using Places = std::span<const size_t>;
  Status ReadTable(std::span<const mapping::Entry> cells, Places places, const Use& use);
  /// One request for cells of one row: as many of them as one request may name. How many.
  static size_t AddRequest(std::span<const mapping::Entry> cells, Places places,
                           std::vector<store::GetRequest>* requests);
  static void Match(std::span<const mapping::Entry> cells, Places places, const store::Row& row, const Use& use);

  const mapping::Index* const index_;
  store::Store* const store_;
};

/// Get for rows of any size: all answers, one after the other, few of them in memory at a time.
Status GetEach(store::Store* store, const std::string& table, std::span<const store::GetRequest> requests,
               const std::function<Status(size_t request, const store::Row&)>& use);

}  // namespace fensi::sweep
