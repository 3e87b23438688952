// What a read asks for of each family, sorted once: a request may name thousands of columns, and its cells are many.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "store/store.h"

namespace fensi::store {

/// Immutable, any thread. Borrows the names, which must outlive it.
class AskedColumns {
 public:
  /// None: a whole family. Of a family and a column of it HBase takes whichever was named last; here the family.
  using Qualifiers = std::set<std::string_view>;

  explicit AskedColumns(std::span<const GetRequest::Column> columns);

  /// Empty: all of the row.
  const std::map<std::string_view, Qualifiers>& families() const { return families_; }
  bool HasWhole(std::string_view family) const;
  bool Has(std::string_view family, std::string_view qualifier) const;

 private:
  std::map<std::string_view, Qualifiers> families_;
};

}  // namespace fensi::store
