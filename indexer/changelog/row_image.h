// The columns of an index row before and after a change. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mapping/changelog_spec.h"
#include "store/store.h"

namespace fensi::indexer {

/// The visible cell of a column.
struct ShownCell {
  int64_t version = 0;
  std::string value;
  bool operator==(const ShownCell&) const = default;
};

/// One element for each field of the changelog; absent: the row does not show this column.
using RowImage = std::vector<std::optional<ShownCell>>;

/// True if the row shows no column: the row does not exist.
bool IsEmpty(const RowImage& image);

/// Finds the fields of cells. Immutable. The spec must outlive it.
class FieldIndex {
 public:
  explicit FieldIndex(const mapping::ChangelogSpec& spec);

  /// What a read of one version of each column returned.
  RowImage ImageOf(const store::Row& row) const;
  /// HBase's rule: a put shows if it is at or above the visible version, a removal hides this version and below.
  void Put(const Cell& cell, RowImage* image) const;
  void Remove(const Cell& cell, RowImage* image) const;

 private:
  std::optional<size_t> Find(const Cell& cell) const;

  std::map<std::pair<std::string_view, std::string_view>, size_t> fields_;  // views of the spec
};

}  // namespace fensi::indexer
