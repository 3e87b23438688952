// Builds the requests for the owner of one source row: its units that look wrong, and the cells to be removed with
// them, in as few requests as possible.
//
// Pure; not thread-safe.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "consumer/codec/request.h"
#include "sweep/compare/unit_check.h"

namespace fensi::operations {

class RowRequest {
 public:
  /// All arguments are of one row. The requests concern no other.
  RowRequest(std::string table, std::string incarnation, std::string row);

  void Add(const sweep::CheckedUnit& unit);
  const std::string& row() const { return row_; }
  /// "2 missing, 1 orphan"; "named" for a row that was only named.
  std::string Text() const;

  /// `most_bytes`: maximum size of one request, besides consumer::kRequestRoom.
  std::vector<consumer::Request> Requests(size_t most_bytes) const;

 private:
  consumer::Request Empty() const;

  const std::string table_;
  const std::string incarnation_;
  const std::string row_;
  bool all_units_ = false;
  std::vector<consumer::RequestedColumn> columns_;
  std::vector<consumer::Suspect> suspects_;
  std::set<std::pair<uint64_t, uint64_t>> met_;  // wrong cells, by their hashes
  int64_t missing_ = 0, orphan_ = 0, differs_ = 0;
};

}  // namespace fensi::operations
