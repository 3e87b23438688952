// One HBase table in memory: which cells a reader sees, and which cells a major compaction keeps. Written from HBase's
// documented rules (TTL of families and cells, VERSIONS, MIN_VERSIONS, KEEP_DELETED_CELLS, the four delete markers,
// hbase.hstore.time.to.purge.deletes), without code of the product's stores. The contract suite of stores tries it.
//
// One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/cell.h"

namespace fensi::testing {

enum class KeepDeleted { kFalse, kTrue, kTtl };

struct FamilyTraits {
  int32_t max_versions = 1;
  int32_t min_versions = 0;
  std::optional<int64_t> ttl_millis;
  KeepDeleted keep_deleted = KeepDeleted::kFalse;
  int64_t purge_delay_millis = 0;
};

class HbaseTable {
 public:
  struct Stored {
    int64_t timestamp;
    CellType type;
    std::string value;
    std::optional<int64_t> ttl_millis;  // of the cell itself
  };
  /// Newest first; at equal timestamps delete markers come before puts.
  using Column = std::vector<Stored>;
  using Family = std::map<std::string, Column>;  // by qualifier; the empty one also has the family's markers
  using Row = std::map<std::string, Family>;

  struct Reading {
    int64_t now = 0;
    int32_t max_versions = 1;
    bool raw = false;
    int64_t from = 0, to = INT64_MAX;  // times of cells, `to` exclusive
  };
  /// The newest put of a column that no marker hides and its family's TTL leaves, and what a reader sees instead if
  /// that put has ended by its own TTL: an older one that it uncovers, or nothing.
  struct Shown {
    std::string qualifier;
    const Stored* newest = nullptr;
    const Stored* visible = nullptr;
  };

  explicit HbaseTable(std::map<std::string, FamilyTraits> families) : families_(std::move(families)) {}

  /// At the same coordinates the later write stays.
  void Write(const std::string& row, const Cell& cell);
  /// Of one column; without a qualifier of all columns of the family, in their order.
  void Read(const Row& row, const std::string& family, const std::string* qualifier, const Reading& reading,
            std::vector<Cell>* cells) const;
  /// The columns of family f that have such a put.
  std::vector<Shown> ShownOf(const std::string& row, int64_t now) const;
  /// Moments at which puts of the row end, by the TTL of the cell or of the family.
  std::vector<int64_t> EndsOf(const std::string& row) const;

  /// `purge_all`: delete markers have reached the age at which they may go.
  void MajorCompact(int64_t now, bool purge_all);
  /// Puts that ended by their own TTL stay for ShownOf, though nothing shows them any more.
  void KeepEnded() { keeps_ended_ = true; }

  const std::map<std::string, Row>& rows() const { return rows_; }
  const std::map<std::string, FamilyTraits>& families() const { return families_; }

 private:
  struct Deleted;

  std::map<std::string, FamilyTraits> families_;
  std::map<std::string, Row> rows_;
  bool keeps_ended_ = false;
};

}  // namespace fensi::testing
