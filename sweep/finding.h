// What a comparison of an index with its source finds, and how far it is.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/status.h"
#include "sweep/index_cell.h"
#include "sweep/source_unit.h"

namespace fensi::sweep {

struct Finding {
  enum class Kind {
    kMissing,         // the source gives the entry, and the index lacks it
    kOrphan,          // the index has the cell, and no source row gives it
    kContentDiffers,  // the cell is there with another value
    kUndecided,       // its row would not stand still, or is too large to be compared
    kUnmappable,      // not a difference: the row should have an entry and cannot
  };
  Kind kind = Kind::kMissing;
  SourceUnit source;      // without a row: nobody knows it (an orphan only)
  IndexCell cell;         // empty for kUnmappable and for a whole row that is kUndecided
  std::string expected;   // value by the source, escaped, only its beginning where it is long
  std::string found;      // value in the index, as `expected`
  int64_t timestamp = 0;  // of the cell that was found
  int64_t seen = 0;       // when it was first suspected, milliseconds since the epoch
  int64_t confirmed = 0;  // when it was certain
  std::string reason;     // of kUndecided and kUnmappable, and of what a repair cannot make right
};

/// "missing", "orphan", "content_differs", "undecided", "unmappable": as reports name it.
const char* KindName(Finding::Kind kind);

/// Where findings go as they are made. Used by one thread; may block.
class FindingSink {
 public:
  virtual ~FindingSink() = default;
  /// An error ends the comparison.
  virtual Status Add(const Finding& finding) = 0;
};

/// Read by any thread while one counts.
struct Counts {
  std::atomic<int64_t> rows{0};     // of the source, compared forward
  std::atomic<int64_t> entries{0};  // that they give
  std::atomic<int64_t> cells{0};    // of the index, compared backward
  std::atomic<int64_t> good{0};     // entries that are there as they should
  std::atomic<int64_t> missing{0};
  std::atomic<int64_t> orphan{0};
  std::atomic<int64_t> content_differs{0};
  std::atomic<int64_t> in_flight{0};  // suspects that came right
  std::atomic<int64_t> undecided{0};
  std::atomic<int64_t> unmappable{0};  // rows, or columns of them
  std::atomic<int64_t> outside{0};     // entries of periods that `keep` does not allow: not looked at
  std::atomic<int64_t> younger{0};     // units of the source, and cells of the index, that `as_of` leaves out
  std::atomic<int64_t> unattributed{
      0};  // cells whose source row nobody knows, when not all source rows are compared, or some are younger
  std::atomic<int64_t> uneven{0};         // buckets of a digest of which some cell was looked up
  std::atomic<int64_t> open{0};           // suspects that are being judged
  std::atomic<bool> awaited_mark{false};  // some of them, until the index's mark had passed

  int64_t differences() const { return missing + orphan + content_differs; }
};

void Count(Finding::Kind kind, Counts* counts);

}  // namespace fensi::sweep
