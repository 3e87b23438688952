// The columns that a read asks for, sorted once per family: a request may name thousands of columns, and its cells are
// many. Also filters raw reads, because HBase returns more than is asked for.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/store.h"

namespace fensi::store {

/// Immutable, any thread. Borrows the names, which must outlive it.
class AskedColumns {
 public:
  /// Empty: the whole family. If a family and a column of it are named, HBase takes whichever was named last; here the
  /// family counts.
  using Qualifiers = std::set<std::string_view>;

  explicit AskedColumns(std::span<const GetRequest::Column> columns);

  /// Empty: the whole row.
  const std::map<std::string_view, Qualifiers>& families() const { return families_; }
  bool HasWhole(std::string_view family) const;
  bool Has(std::string_view family, std::string_view qualifier) const;

 private:
  std::map<std::string_view, Qualifiers> families_;
};

/// One requested column of each family, because a table may lack a family.
std::vector<GetRequest::Column> FirstOfFamilies(std::span<const GetRequest> requests);

/// Removes what a raw read returns unasked; columns must be complete.
void KeepVersions(int32_t max_versions, std::vector<Cell>* cells);
/// `asked`: the columns of the request.
void KeepWanted(const ScanRequest& request, const AskedColumns& asked, std::vector<Cell>* cells);

}  // namespace fensi::store
