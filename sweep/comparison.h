// Proves that an index is what its source says, or names what differs: forward, then backward, and the suspects of both
// judged meanwhile. With a digest both tables are read and summed before, and what comes out even there is right: of
// two tables that stand still nothing is looked up at all. Writes nothing; any number may run, beside anything that
// does.
//
// Run blocks on the store until all is compared; one thread. Memory does not depend on the size of the tables. The
// counts may be read by any thread meanwhile. Everything that is handed in outlives it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/backward.h"
#include "sweep/digest.h"
#include "sweep/finding.h"
#include "sweep/forward.h"
#include "sweep/judge.h"
#include "sweep/table_list.h"
#include "sweep/walker.h"

namespace fensi::sweep {

struct CompareOptions {
  bool forward = true;
  bool backward = true;
  std::string start_row, stop_row;  // source rows from here, up to and without; empty: no bound
  int64_t as_of = INT64_MAX;        // units of the source, and cells of the index, that are younger are left out
  bool digest = false;              // both are read once and summed, and only what does not come out even is looked up
  size_t max_unknown = 1'000'000;   // suspects whose source row nobody knows
  WalkOptions walk;
  JudgeOptions judge;
};

/// Both directions, and all rows of both tables.
inline bool ComparesAll(const CompareOptions& options) {
  const bool all_rows = options.start_row.empty() && options.stop_row.empty() && options.as_of == INT64_MAX;
  return options.forward && options.backward && all_rows && options.walk.sample == 0;
}

class Comparison {
 public:
  Comparison(const mapping::Index* index, store::Store* store, Clock* clock, CompareOptions options, FindingSink* sink);

  /// Not ok: it did not come to its end, and what was found is not all.
  Status Run();
  /// Run ended because too much differs to be told one by one.
  bool too_many() const { return backward_.too_many(); }
  const Counts& counts() const { return counts_; }

 private:
  static JudgeOptions JudgeOptionsOf(const CompareOptions& options);
  static BackwardOptions BackwardOptionsOf(const CompareOptions& options);
  Status RunPasses();
  /// Whether all came out even.
  Result<bool> SumUp();

  const CompareOptions options_;
  Counts counts_;
  Judge judge_;
  Walker walker_;
  TableList tables_;
  Sweep sweep_;
  Forward forward_;
  Backward backward_;
  std::optional<Digest> digest_;
};

}  // namespace fensi::sweep
