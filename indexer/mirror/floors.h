// What one partition of a stateless index remembers of its stream: for each source cell the floor, at or below which a
// change is a question (H1 to H4), and for each region the highest sequence id that was received (H3).
//
// Pure; not thread-safe. FloorStore keeps it in the state table.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/cell.h"
#include "base/clock.h"
#include "consumer/change_source.h"
#include "mapping/index.h"
#include "meta/versioned_meta_row.h"
#include "store/store.h"

namespace fensi::indexer {

/// Map from a name's hash to a number that only rises. Old entries collapse into one common maximum (H10). A hash
/// collision only makes a number higher than necessary.
///
/// Not thread-safe.
class FloorTable {
 public:
  static constexpr int64_t kNone = -1;  // below every number

  /// Keeps two generations, as StateCache does: a young generation of half the bound becomes the old one.
  explicit FloorTable(size_t most_bytes);

  int64_t Find(uint64_t name) const;
  /// No number is above it.
  int64_t highest() const { return std::max({common_, young_.highest, old_.highest}); }
  /// Raises the number of the name. True: nothing as high was raised for the name lately.
  bool Raise(uint64_t name, int64_t to);
  void RaiseAll(int64_t to) { common_ = common_ < to ? to : common_; }
  /// Enforces the bound, which Raise does not.
  void Evict();
  size_t size() const { return young_.used + old_.used; }

 private:
  struct Slot {
    uint64_t name = 0;  // 0: free
    int64_t number = kNone;
  };
  struct Generation {
    std::vector<Slot> slots;
    size_t used = 0;
    int64_t highest = kNone;
  };
  static Slot* SlotOf(uint64_t name, std::vector<Slot>* slots);
  static int64_t FindIn(uint64_t name, const Generation& generation);
  void Grow();

  const size_t most_used_;  // of a generation
  Generation young_;
  Generation old_;
  int64_t common_ = kNone;
};

// What one partition of a stateless index remembers of its stream: floors (H1 to H4) and sequence ids (H3).

class Floors {
 public:
  /// H14: a floor that far ahead of our clock is a client's own timestamp, and must not turn all other changes into
  /// questions.
  static constexpr int64_t kFarMillis = 3'600'000;
  static constexpr size_t kMostFar = 100'000;

  explicit Floors(size_t most_bytes) : floors_(most_bytes), told_(kToldBytes) {}

  /// Names of a source cell and of a region: hashes that never change.
  static uint64_t NameOf(std::string_view row, std::string_view family, std::string_view qualifier);
  static uint64_t NameOf(std::string_view region);
  /// The name for all columns of a row's family, also for columns that have not appeared yet.
  static uint64_t NameOfFamily(std::string_view row, std::string_view family);

  /// H(u).
  int64_t Of(uint64_t cell) const;
  void Raise(uint64_t cell, int64_t to);
  /// True if the time is above the floors of all cells. While clocks advance that holds for most changes, and costs no
  /// lookup. A single cell with a timestamp more than kFarMillis ahead makes it false.
  bool AllBelow(int64_t time) const { return far_.empty() && time > floors_.highest(); }

  /// True if no delete or put of the region with a higher sequence id was received before. Events without a sequence id
  /// are in order.
  bool InOrder(uint64_t region, uint64_t sequence_id) const;
  void Tell(uint64_t region, uint64_t sequence_id);

  /// Returns what changed since the last call (H9), as columns of one row. The timestamp of each cell is its number, so
  /// that of two owners' cells the higher stays.
  std::vector<Cell> TakeChanges();
  /// Learns a column that another owner of the partition left; and a column of another topic, whose rows may be the
  /// same.
  void Learn(const Cell& cell, int64_t now);
  void LearnOfOthers(const Cell& cell, int64_t now);
  /// Returns far floors that became common; remove their cells once TakeChanges() is stored.
  std::vector<Cell> TakePassed();

  /// Sets the time at which a batch begins.
  void set_now(int64_t now) { far_from_ = now + kFarMillis; }
  /// Enforces the bound. Call at a commit.
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
  int64_t highest_ = FloorTable::kNone;  // M: highest of all but the far floors
  int64_t stored_ = FloorTable::kNone;   // highest that is stored
  int64_t far_from_ = INT64_MAX;
};

/// Columns that TakeChanges() makes.
inline constexpr char kFloorColumn[] = "floor";
inline constexpr std::string_view kFarPrefix = "far/";    // followed by 8 bytes, the name of a source cell
inline constexpr std::string_view kToldPrefix = "told/";  // followed by 8 bytes, the name of a region

/// Stores the floors of a partition (H9) in row "mirror/TOPIC/N" of the index's state table, family i. They are never
/// reset, not by a replay either.
///
///   floor     the highest floor except far ones
///   far/CELL  a far floor of one source cell (8 bytes, Floors::NameOf)
///   told/REGION  the highest sequence id that was received of a region (8 bytes, Floors::NameOf)
/// The timestamp of each cell is its number: a late write of an old owner cannot lower it.
///
/// Blocks on the store; not thread-safe. Everything that is handed in outlives the object.
class FloorStore {
 public:
  FloorStore(const mapping::Index* index, store::Store* store, Clock* clock, const consumer::Assignment& assignment);

  /// Reads what earlier owners left, also of other topics, for instance recorded files: their rows may be the same.
  Status Load(Floors* floors);
  /// Stores what changed, before the offset moves.
  Status Save(Floors* floors);

 private:
  Status LoadOtherTopics(Floors* floors);

  const mapping::Index* const index_;
  store::Store* const store_;
  Clock* const clock_;
  const std::string topic_;  // prefix of the rows of its partitions
  const meta::VersionedMetaRow row_;
};

/// Prefix of all rows of floors; no other row of family i has it.
inline constexpr std::string_view kFloorRows = "mirror/";

}  // namespace fensi::indexer
