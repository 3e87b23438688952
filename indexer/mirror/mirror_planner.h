// Turns events into changes of a stateless index (mapping::Scheme::kStateless). A change above the floor of its source
// cell is applied to the index cells that follow it, at the same timestamp; every other change is a question to the
// source (H1 to H7).
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
#include "indexer/plan/event_check.h"
#include "indexer/repair_target_validator.h"
#include "mapping/index.h"

namespace fensi::indexer {

/// The name of a source cell that index cells follow.
struct Mother {
  std::string row;
  std::string family;
  std::string qualifier;
  auto operator<=>(const Mother&) const = default;
};

/// A pending read of the source: the visible cell is written at `at`, and after a re-read at `at` + 1. No attempt has
/// used these versions for anything else (H4).
struct Question {
  int64_t at = 0;
  size_t record = 0;                 // last record of the batch that asked
  size_t first = 0;                  // first record that asked
  bool recheck = false;              // must also be above everything that is in the index
  int64_t seen = FloorTable::kNone;  // time of the cell that the last read showed
};
using Questions = std::map<Mother, Question>;  // sorted, so that those of a row are together

/// Columns of the source that an index follows.
using Columns = std::vector<consumer::RequestedColumn>;

class MirrorPlanner {
 public:
  MirrorPlanner(const mapping::Index* index, Floors* floors, ChangeSet* changes, std::vector<Letter>* letters);

  /// Plans a change of the stream. `columns`: the columns of the row that markers of its families concern.
  void Change(const ChangeEvent& event, const Columns& columns, size_t record);
  /// Plans an image of a scan: its puts, and of its markers only that they exist.
  void Image(const ChangeEvent& event, const Columns& columns, size_t record);
  /// Plans a recheck. `columns`: the columns that may be meant.
  void Recheck(const consumer::Request& request, const Columns& columns, size_t record);

  Questions* questions() { return &questions_; }
  /// The index cells that follow the source cell.
  void Places(const Mother& mother, mapping::EntryList* places);
  /// Raises the question's versions above `newest`, which is in the index.
  void Raise(const Mother& mother, int64_t newest, Question* question);
  /// H4, H5: writes what the source shows, or null, at `at`, which is the question's version or one above.
  void Answer(const Mother& mother, const mapping::VisibleCell* shown, int64_t at, Question* question);

 private:
  enum class Order { kKnown, kUnknown };  // position of a delete among all received events
  void Step(std::string_view row, const Cell& cell, const Columns& columns, Order order, size_t record);
  void StepOfFamily(std::string_view row, const Cell& marker, const Columns& columns, Order order, size_t record);
  void StepOf(std::string_view row, std::string_view family, std::string_view qualifier, const Cell& cell, Order order,
              size_t record);
  int64_t FloorOf(std::string_view row, std::string_view family, uint64_t name) const;
  void Put(std::string_view row, const Cell& cell, uint64_t name, size_t record);
  void PutEntry(const mapping::Entry& entry, int64_t version, size_t record, int64_t replaces);
  /// Removes the index cells of a source cell that have no entry.
  void RemoveWhereNoEntry(const mapping::RowView& row, int64_t at, size_t record);
  void Ask(std::string_view row, std::string_view family, std::string_view qualifier, int64_t time, uint64_t name,
           size_t record);
  void RemoveSuspects(const consumer::Request& request, size_t record);
  bool FollowsAny(const Mother& mother, const std::vector<consumer::Suspect>& suspects);
  void TellProblems(size_t record);

  const mapping::Index* const index_;
  const bool by_value_;  // H2
  const bool each_;      // unknown columns may appear
  Floors* const floors_;
  ChangeSet* const changes_;
  std::vector<Letter>* const letters_;
  const RepairTargetValidator suspects_;
  Questions questions_;
  mapping::EntryList entries_, places_;        // reused
  std::vector<mapping::Unmappable> problems_;  // reused
};

}  // namespace fensi::indexer
