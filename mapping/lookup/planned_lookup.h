// A planned lookup: what to scan, and which cells match.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/definition/definition.h"
#include "mapping/lookup.h"
#include "mapping/lookup/bounds.h"
#include "mapping/lookup/key_encoding.h"
#include "mapping/lookup/key_parts.h"
#include "mapping/lookup/part_bounds.h"

namespace fensi::mapping {

/// The part that says how bounds are read: as a number, wherever one is read out of the value itself.
const Part& BoundReaderOf(const Template& row, const KeyPart& part);
/// Are bounds of both compared with the same numbers, or with the same bytes?
bool BoundsReadAlike(const Part& a, const Part& b, size_t typed_at);

/// Borrows the definition of the index.
class PlannedLookup {
 public:
  PlannedLookup(const IndexDefinition& definition, LookupRequest request)
      : definition_(definition), row_(definition.row), parts_(KeyParts(row_)), request_(std::move(request)) {}

  Status Plan();

  const std::vector<std::string>& tables() const { return tables_; }
  const std::vector<KeyRange>& ranges() const { return ranges_; }
  bool ranges_suffice() const { return ranges_suffice_; }
  bool whole_cells() const { return request_.area && !holds_position_; }
  std::vector<Lookup::Hit> Hits(std::span<const Entry> row) const;

 private:
  bool Bounded() const { return !request_.from.empty() || !request_.to.empty(); }
  Status ReadBounds();
  Status BoundPart(const KeyPart& part);
  /// The part of another template that reads a time out of this one, whose own functions read no number; null: none.
  const Part* TimeReader(const KeyPart& part) const;
  void JudgeBy(size_t part, PartBounds bounds);
  /// Bounds for asked_of_.
  Status AskBounds();
  Result<PartBounds> BoundsOf(size_t part, size_t typed_at) const;
  /// The open part is a geohash of positions in the area.
  Status ReadArea();
  bool HoldsPosition() const;
  bool TellsOfOthers() const;
  bool HeldBy(const std::vector<const Template*>& templates) const;
  Status NoBorders(const Part& part) const;
  Status CheckPieces() const;
  Status ChooseTables();
  bool Suffice() const;
  Placement Judge(std::string_view key) const;
  /// By source row: whether its value is between the bounds.
  using Values = std::map<std::string, bool, std::less<>>;
  Values ValuesOfRows(std::span<const std::vector<KnownPart>> cells) const;
  bool Includes(const Entry& cell, const std::vector<KnownPart>& known, const Values& values) const;
  Placement JudgeNumber(const Entry& cell) const;
  std::optional<Value> ValueIn(const std::vector<KnownPart>& known) const;
  std::optional<Value> JoinedIn(const std::vector<KnownPart>& known, Scratch* scratch) const;
  const KeyPart& AskedPart() const;
  std::optional<Position> PositionIn(const std::vector<KnownPart>& known) const;
  /// Absent: these do not tell.
  std::optional<bool> Told(const std::vector<KnownPart>& known) const;

  const IndexDefinition& definition_;
  const Template& row_;
  const std::vector<KeyPart> parts_;
  const LookupRequest request_;
  EncodedKey key_;
  bool holds_position_ = false;     // with an area
  std::optional<Bounds> asked_;     // of the reference below
  const Part* asked_of_ = nullptr;  // the reference that is bounded, or the geohash of an area, and
  size_t typed_at_ = 0;             // number of steps before its values
  std::optional<size_t> judged_;    // the part of the row template that bounds most of them
  std::optional<PartBounds> judge_;
  std::optional<std::vector<Interval>> scanned_;  // of the part after the prefixes
  std::vector<std::string> tables_;
  std::vector<KeyRange> ranges_;
  bool ranges_suffice_ = false;
};

}  // namespace fensi::mapping
