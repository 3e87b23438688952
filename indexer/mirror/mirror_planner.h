// From events to changes of a mirror (mapping::Scheme::kMirror): what lies above the floor of its source cell is done
// to the index cells that follow it, at the same timestamp; all else is a question to the source (H1 to H7).
//
// Not thread-safe; one per piece of a batch. It does no I/O.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/cell.h"
#include "consumer/codec/request.h"
#include "indexer/mirror/floors.h"
#include "indexer/plan/change_set.h"
#include "indexer/plan/letter.h"
#include "indexer/suspect_check.h"
#include "mapping/index.h"

namespace fensi::indexer {

/// The name of a source cell that index cells follow.
struct Mother {
  std::string row;
  std::string family;
  std::string qualifier;
  auto operator<=>(const Mother&) const = default;
};

/// What the source shows is to be read and written at `at`, and once more at `at` + 1: versions that no attempt has
/// used for anything else (H4).
struct Question {
  int64_t at = 0;
  size_t record = 0;                 // of the batch: the last one that asked
  size_t first = 0;                  // and the first
  bool recheck = false;              // what stands in the index above `at` is to be passed, too
  int64_t seen = FloorTable::kNone;  // time of what the last look showed
};
using Questions = std::map<Mother, Question>;  // those of a row together

/// Columns of the source that an index follows.
using Columns = std::vector<consumer::RequestedColumn>;

class MirrorPlanner {
 public:
  MirrorPlanner(const mapping::Index* index, Floors* floors, ChangeSet* changes, std::vector<Letter>* letters);

  /// A change of the stream. `columns`: those of the row that markers of its families concern.
  void Change(const ChangeEvent& event, const Columns& columns, size_t record);
  /// What a scan read: its puts, and of its markers only that they are there.
  void Image(const ChangeEvent& event, const Columns& columns, size_t record);
  /// `columns`: those that may be meant.
  void Recheck(const consumer::Request& request, const Columns& columns, size_t record);

  Questions* questions() { return &questions_; }
  /// The index cells that follow it.
  void Places(const Mother& mother, mapping::EntryList* places);
  /// Puts the question's versions above `newest`, which stands in the index.
  void Raise(const Mother& mother, int64_t newest, Question* question);
  /// H4, H5: what the source shows, or null, written at `at`, which is the question's or one more.
  void Answer(const Mother& mother, const mapping::VisibleCell* shown, int64_t at, Question* question);

 private:
  enum class Order { kKnown, kUnknown };  // of a delete among all that was told
  void Step(std::string_view row, const Cell& cell, const Columns& columns, Order order, size_t record);
  void StepOfFamily(std::string_view row, const Cell& marker, const Columns& columns, Order order, size_t record);
  void StepOf(std::string_view row, std::string_view family, std::string_view qualifier, const Cell& cell, Order order,
              size_t record);
  int64_t FloorOf(std::string_view row, std::string_view family, uint64_t name) const;
  void Put(std::string_view row, const Cell& cell, uint64_t name, size_t record);
  void PutEntry(const mapping::Entry& entry, int64_t version, size_t record, int64_t replaces);
  /// Of a cell that has no entry in some of its places, or in none.
  void RemoveWhereNoEntry(const mapping::RowView& row, int64_t at, size_t record);
  void Ask(std::string_view row, std::string_view family, std::string_view qualifier, int64_t time, uint64_t name,
           size_t record);
  void RemoveSuspects(const consumer::Request& request, size_t record);
  bool FollowsAny(const Mother& mother, const std::vector<consumer::Suspect>& suspects);
  void TellProblems(size_t record);

  const mapping::Index* const index_;
  const bool by_value_;  // H2
  const bool each_;      // columns come that nobody knows yet
  Floors* const floors_;
  ChangeSet* const changes_;
  std::vector<Letter>* const letters_;
  const SuspectCheck suspects_;
  Questions questions_;
  mapping::EntryList entries_, places_;        // reused
  std::vector<mapping::Unmappable> problems_;  // reused
};

}  // namespace fensi::indexer
