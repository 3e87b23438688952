// What one partition of a mirror remembers of its stream: of each source cell the floor, at or below which a change is
// in doubt (H1 to H4), and of each region the highest sequence id that was told (H3).
//
// Pure; not thread-safe. It is kept in the state table by KeptFloors.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/cell.h"
#include "indexer/mirror/floor_table.h"

namespace fensi::indexer {

class Floors {
 public:
  /// H14: a floor so far ahead of our clock is a client's own timestamp, and must not put all others in doubt.
  static constexpr int64_t kFarMillis = 3'600'000;
  static constexpr size_t kMostFar = 100'000;

  explicit Floors(size_t most_bytes) : floors_(most_bytes), told_(kToldBytes) {}

  /// Names of a source cell and of a region: hashes, the same for ever.
  static uint64_t NameOf(std::string_view row, std::string_view family, std::string_view qualifier);
  static uint64_t NameOf(std::string_view region);
  /// Of all columns of a row's family, also of those that nobody has told of yet.
  static uint64_t NameOfFamily(std::string_view row, std::string_view family);

  /// H(u).
  int64_t Of(uint64_t cell) const;
  void Raise(uint64_t cell, int64_t to);
  /// The time is above the floors of all cells. Where clocks go on that is so for most changes, and costs no look; one
  /// cell that was stamped more than kFarMillis ahead, and it is never so again.
  bool AllBelow(int64_t time) const { return far_.empty() && time > floors_.highest(); }

  /// Of a delete: nothing of its region that came later was told before it. Events without a sequence id are not asked.
  bool InOrder(uint64_t region, uint64_t sequence_id) const;
  void Tell(uint64_t region, uint64_t sequence_id);

  /// What says it in the state table since it was taken last (H9), as columns of one row; each cell's timestamp is its
  /// number, so that of two owners' cells the higher one stays.
  std::vector<Cell> TakeChanges();
  /// A column that another owner of the partition left; and one of another topic, in which the same rows may be told.
  void Learn(const Cell& cell, int64_t now);
  void LearnOfOthers(const Cell& cell, int64_t now);
  /// Far floors that became common ones; to be removed once TakeChanges() is stored.
  std::vector<Cell> TakePassed();

  /// A batch begins at that time.
  void set_now(int64_t now) { far_from_ = now + kFarMillis; }
  /// At a commit.
  void Evict();

 private:
  void LearnFar(uint64_t cell, int64_t floor, int64_t now);

  static constexpr size_t kToldBytes = size_t{4} << 20;

  FloorTable floors_;
  FloorTable told_;
  std::unordered_map<uint64_t, int64_t> far_;
  std::vector<uint64_t> far_changed_;
  std::vector<Cell> passed_;
  std::unordered_map<uint64_t, int64_t> told_changed_;
  int64_t highest_ = FloorTable::kNone;  // M: of all but the far ones
  int64_t stored_ = FloorTable::kNone;   // of it
  int64_t far_from_ = INT64_MAX;
};

/// The columns that TakeChanges() makes.
inline constexpr char kFloorColumn[] = "floor";
inline constexpr std::string_view kFarPrefix = "far/";    // and 8 bytes, the name of a source cell
inline constexpr std::string_view kToldPrefix = "told/";  // and 8 bytes, the name of a region

}  // namespace fensi::indexer
