// A random index with its source rows, and what made each of its entries.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mapping/index.h"
#include "mapping/template/program.h"
#include "tests/mapping/lookup_testing.h"

namespace fensi::mapping {

/// A source row with the columns f:a and f:b, or with one column of qualifier `a` and value `b`.
struct Source {
  std::string row, a, b;
  int64_t time = 0;
  bool has_a = true;
};

enum class WorldKind { kPlain, kColumns, kPeriods };

/// One index, its source rows, and the row template once more: what it makes of each is the filter's word.
class World {
 public:
  World();

  const Index& index() const { return *index_; }
  const Shelf& shelf() const { return *shelf_; }
  const Template& row() const { return template_; }
  const std::vector<Source>& sources() const { return sources_; }
  bool periods() const { return kind_ == WorldKind::kPeriods; }
  /// The reference whose value stands in every entry as it is.
  std::string TellsExactly() const { return value_.empty() ? "" : value_.substr(1, value_.size() - 2); }
  /// The source of an entry; null: two sources could have made it.
  const Source* Of(const Shelf::Owned& entry) const;

  /// What some of a part's steps make of a source.
  std::optional<Value> Run(const Part& part, size_t steps, const Source& source, Scratch* scratch) const;
  std::optional<std::string> BytesOf(const Part& part, const Source& source) const;

 private:
  std::string RandomSalt() const;

  std::shared_ptr<const Index> LoadText() const;

  std::optional<Template> CompileTemplate();

  /// New values, or those of a row before, changed a little: longer, shorter, in other letters.
  Source RandomSource() const;
  static std::string Neighbour(std::string value);

  std::vector<VisibleCell> CellsOf(const Source& source) const;

  void Add(const Source& source);

  WorldKind kind_;
  std::string text_, value_;
  std::shared_ptr<const Index> index_;
  Template template_;
  std::vector<Slot> slots_;
  std::vector<Source> sources_;
  std::optional<Shelf> shelf_;
  std::map<Shelf::Owned, size_t> makers_;
};

}  // namespace fensi::mapping
