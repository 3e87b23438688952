// Which histories docs/consistency.md promises a right index for. Each exclusion names the sentence there.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/indexer/support/chaos_history.h"

namespace fensi::testing {

/// Of a row, while the history was played.
struct ChaosRepeats {
  int64_t times = 0;  // events that were applied again, and requests
  bool requested = false;
};

class ChaosLaw {
 public:
  explicit ChaosLaw(const ChaosSetting& setting) : setting_(setting) {}

  /// Takes the next event. False: with it the history is outside of the promise, and the event is not taken.
  bool Take(const ChaosStep& step);
  /// Is what was taken still promised after these repeats?
  bool Promises(const std::map<std::string, ChaosRepeats>& repeats) const;

  /// Keys that another row had before, and of these the ones that it had until a cell ended.
  int64_t passed() const { return keys_.passed; }
  int64_t passed_at_end() const { return keys_.passed_at_end; }

  /// "Add 2 ms for each later event"; "more than 2 ms" after the newest change of the old row.
  static constexpr int64_t kMargin = 2;

 private:
  using Key = std::pair<std::string, std::string>;
  /// A row that has or had a key, and the least time at which another row got the key afterwards.
  struct Holder {
    std::string row;
    int64_t newest = 0;  // change while it had the key
    int64_t later = 0;   // events afterwards that are not newer
    int64_t next = INT64_MAX;
    bool IsSafe(int64_t more) const { return next == INT64_MAX || newest + kMargin + kMargin * later + more < next; }
  };
  struct Row {
    SourceModel model;
    std::vector<Cell> cells;
    bool may_be_ambiguous = false;
    int64_t events = 0;
  };
  struct Keys {
    std::map<Key, Holder> now;
    std::map<Key, std::vector<Holder>> before;
    int64_t passed = 0, passed_at_end = 0;
  };

  bool InOrder(const Row& row, const ChangeEvent& event) const;
  bool WithoutTies(const Row& row, const ChangeEvent& event) const;
  bool NearTheClock(const ChaosStep& step) const;
  bool SharedApart(const ChangeEvent& event) const;
  bool PassKeys(const ChaosStep& step, const Row& row, Keys* keys) const;
  bool GiveKey(const Key& key, const ChaosStep& step, int64_t put, Keys* keys) const;
  Entries EntriesOf(const std::string& row, const Row& of, int64_t clock) const;
  Row* RowOf(const std::string& row);

  const ChaosSetting setting_;
  std::map<std::string, Row> rows_;
  Keys keys_;
  int64_t newest_ = 0, least_apart_ = INT64_MAX;  // of all events
};

/// Is the history one that is promised, whatever is applied again?
bool IsPromised(const ChaosHistory& history);

}  // namespace fensi::testing
