// What an index must show, and what it may show, by docs/consistency.md and docs/mapping.md alone.
//
// The source is HBase as the model has it, with every change that happened. An index is judged when everything was told
// and applied. Without TTL it then holds exactly what the visible cells of each row give. What time changes:
//
//  T1 (must)  an entry never expires before the newest source cells that it came from ("An entry's timestamp is never
//             older than the newest cell it came from"), by the TTL of the index.
//  T2 (may)   without `expire: exact` the end of a cell by its TTL changes nothing at once: "no event tells of it: what
//             `not {…}`, `default` or the other side of `or` then makes of the row comes with its next event"
//             (mapping.md). So between the row's last new event and now an entry may be as any moment of this time
//             gives it; it must be there if all of them do. Events of columns that the index does not watch are none,
//             nor are puts below a newer one: they change nothing of the row. Nor is a delete at or below an earlier
//             delete of the same cells, for an index that does not read the source for it: nothing tells it from a
//             redelivery, and a redelivery must change no version.
//  T3 (may)   "with equal TTL on source and index an entry outlives the first of its source columns by at most the
//             difference of their timestamps", all columns counted that the index watches in its row: what the end of a
//             cell took from the source is gone one TTL after the newest time that was told of its row by then.
//             Versions follow one another by a millisecond or two for each telling: so many are added.
//  T4 (may)   "A cell that expires above an older version that HBase still holds uncovers it in the source; nothing
//             tells of that": where this is so, the column may count as absent, too.
//
//  T5 (may)   without `expire: exact` a TTL of a single cell is one "of the source where the index has none" (What lies
//             outside): a cell that has ended by it may count as there, or as absent.
//
// With `expire: exact` T2, T3 and T5 allow nothing: what is shown is what the source gives now, but for T4.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/indexer/model/hbase_table.h"
#include "tests/indexer/model/model_kinds.h"

namespace fensi::testing {

/// "TABLE ROW family:qualifier" -> value.
using IndexCells = std::map<std::string, std::string>;

class ModelOracle {
 public:
  /// `source` shows all that happened; it must outlive this.
  ModelOracle(const ModelSetting& setting, const HbaseTable* source);

  /// A batch that began at `now` told the event for the first time to its end. One that began at `since` and died may
  /// have stored its states already: then what comes later is a repetition, which changes nothing.
  void Told(const ChangeEvent& event, int64_t since, int64_t now);
  /// The event is told, perhaps once more: versions may rise.
  void Counted(const ChangeEvent& event);
  /// Time passes.
  void Passes(int64_t from, int64_t to);

  /// The first difference, or nothing. Two rows give one cell of a unique index: then nothing is promised (`lawful`).
  std::string Difference(const IndexCells& shown, int64_t now) const;
  /// What must or may be there is not the same in all of this time, to a millisecond more at both ends.
  bool SomethingEnds(int64_t from, int64_t to) const;
  /// No two rows give one cell now.
  bool Lawful(int64_t now) const;

  /// What the row gives now.
  std::set<std::pair<std::string, std::string>> EntriesOf(const std::string& row, int64_t now) const;

  int64_t ends_passed() const { return ends_passed_; }
  int64_t ended_by_themselves() const { return ended_by_themselves_; }
  /// T5 allows nothing either.
  void set_strict() { strict_ = true; }

 private:
  struct CellWindow {
    std::set<std::string> values;
    int moments = 0;
    int64_t newest = 0;
  };
  /// Of what changes together: a source row, or a column of it.
  struct RowWindow {
    std::map<std::string, CellWindow> cells;
    int moments = 0;
    std::map<std::string, std::map<std::string, int64_t>> ended;  // cell -> value -> until when it may be there (T3)
  };
  struct RowTimes {
    int64_t tellings = 0;
    int64_t newest = 0;  // that an event has
  };
  using Unit = std::pair<std::string, std::string>;  // row, and column or nothing

  void AddMoment(const Unit& unit, int64_t now, RowWindow* window) const;
  void Derive(const std::string& row, const ShownRow& shown, RowWindow* window) const;
  bool LiesBelow(const std::string& row, const Cell& put, int64_t now) const;
  /// The known units that the cell of an event concerns.
  std::set<Unit> UnitsOf(const std::string& row, const Cell& cell) const;
  /// Everything that the delete hides, an earlier one hides too. Each call tells the next delete of the stream.
  bool HidesNothingNew(const std::string& row, const Cell& marker);
  void NoteEnded(const Unit& unit, int64_t before, int64_t after, RowWindow* window) const;
  /// Until when what ends now may be there.
  int64_t OutlivesUntil(const std::string& row) const;
  bool MustShow(const RowWindow& window, const CellWindow& cell, int64_t now) const;

  const ModelSetting setting_;
  const ModelKind& kind_;
  const HbaseTable* const source_;
  std::map<Unit, RowWindow> units_;
  std::map<std::string, RowTimes> times_;
  std::map<std::string, std::vector<Cell>> deletes_;  // that were told, by row
  mutable int64_t ends_passed_ = 0;
  mutable int64_t ended_by_themselves_ = 0;
  bool strict_ = false;
};

}  // namespace fensi::testing
