// Checks the meaning of a well-formed index.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mapping/definition/definition.h"
#include "mapping/yaml/reporter.h"

namespace fensi::mapping {

/// Reports indexes that cannot be kept exact: entries without a reason to exist, cells of several source rows.
void CheckMeaning(const IndexDefinition& definition, const Node::Field& field, Reporter* reporter);

// Checks whether two columns of an index can write one cell.

constexpr size_t kMostComparedColumns = 1000;  // each is compared with each

/// For people: "'f1:a{row}'".
std::string QuotedColumn(const ColumnRule& column);

/// The columns of one index, prepared for pairwise comparison. Borrows them.
class ColumnOutlines {
 public:
  /// What is certain of the results of a template: bytes at the first positions from either end, all bytes that can
  /// occur, widths.
  struct Outline {
    std::vector<ByteSet> places;
    ByteSet bytes;
    size_t least = 0;
    size_t most = 0;
  };

  explicit ColumnOutlines(const std::vector<ColumnRule>& columns);

  /// True if no source can give the same cell (of one row key) by both columns.
  bool NeverMeet(size_t a, size_t b) const;

 private:
  struct Column {
    std::string_view family;
    Outline front;
    Outline back;
  };
  std::vector<Column> all_;
};

/// Why the entries of one index cell cannot all expire by themselves, and what to do about it: two columns can give one
/// cell, and the entry that is shown can end before the other one. Both empty: they can.
std::pair<std::string, std::string> ObstacleOfExactEnds(const IndexDefinition& definition);

// Checks whether an index can be stateless: each of its cells follows one source cell, whose name alone determines the
// index cell.

/// Why it cannot, for people; empty: it can.
std::string MirrorObstacle(const IndexDefinition& definition);

/// For a stateless index: the column of the source that this column of the index follows; absent: the column that
/// `each:` binds.
std::optional<size_t> MotherSlot(const IndexDefinition& definition, size_t column);

/// For a stateless index: true if value or existence of an entry depend on the value of its source cell.
bool MirrorsValues(const IndexDefinition& definition);

/// Why an index cannot have a changelog, and what to do about it. Both empty: it can.
std::pair<std::string, std::string> ChangelogObstacle(const IndexDefinition& definition);

// The canonical text of a definition, from which the fingerprint is made.

/// The part of a definition that decides which entries exist, as canonical text: including what it names outside of its
/// file, the messages of `protos:`, the records of `avros:`, versions of functions that have changed, and the tables of
/// this machine.
std::string Canonical(const IndexDefinition& definition);
/// Tables of ICU, RE2 and the time zone database by which the functions of a definition work, each with its version or
/// a digest: "ICU: Unicode 15.0". Sorted.
std::vector<std::string> MachineTables(const IndexDefinition& definition);

}  // namespace fensi::mapping
