// The findings of a comparison of an index with its source, and its progress.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/status.h"
#include "mapping/entry_list.h"
#include "sweep/scan/source_unit.h"

namespace fensi::sweep {

/// The reason of a finding for a source row above the bound of a comparison.
inline constexpr char kRowTooLarge[] = "the source row is too large to be compared";

/// The entries of a unit, found by their cells. Borrows the list. Not thread-safe.
class EntryMap {
 public:
  explicit EntryMap(const mapping::EntryList& entries);
  /// The entry of the same cell; of two, the later.
  std::optional<mapping::Entry> Find(const mapping::Entry& cell) const;

 private:
  const mapping::EntryList& entries_;
  std::unordered_map<uint64_t, size_t> by_hash_;
};

// A difference between index and source.

struct Finding {
  enum class Kind {
    kMissing,         // the source gives the entry, and the index has none
    kOrphan,          // the index has the cell, and no source row gives it
    kContentDiffers,  // the cell has another value
    kUndecided,       // its row changed in every round, or is too large to be compared
    kUnmappable,      // not a difference: the row should have an entry and cannot
  };
  Kind kind = Kind::kMissing;
  SourceUnit source;      // without a row: unknown (only for an orphan)
  IndexCell cell;         // empty for kUnmappable and for a whole row that is kUndecided
  std::string expected;   // value by the source, escaped, only its beginning if it is long
  std::string found;      // value in the index, as `expected`
  int64_t timestamp = 0;  // of the cell that was found
  int64_t seen = 0;       // when it was first suspected, milliseconds since the epoch
  int64_t confirmed = 0;  // when it was certain
  std::string reason;     // for kUndecided and kUnmappable, and for what a repair cannot fix
};

/// "missing", "orphan", "content_differs", "undecided", "unmappable": as reports name it.
const char* KindName(Finding::Kind kind);

/// Receives findings as they are made. Used by one thread; may block.
class FindingSink {
 public:
  virtual ~FindingSink() = default;
  /// An error ends the comparison.
  virtual Status Add(const Finding& finding) = 0;
};

/// Counters of a comparison. Any thread may read them.
struct Counts {
  std::atomic<int64_t> rows{0};     // of the source, compared forward
  std::atomic<int64_t> entries{0};  // given by these rows
  std::atomic<int64_t> cells{0};    // of the index, compared backward
  std::atomic<int64_t> good{0};     // entries that are right
  std::atomic<int64_t> missing{0};
  std::atomic<int64_t> orphan{0};
  std::atomic<int64_t> content_differs{0};
  std::atomic<int64_t> in_flight{0};  // suspects that became right
  std::atomic<int64_t> undecided{0};
  std::atomic<int64_t> unmappable{0};  // rows, or columns of them
  std::atomic<int64_t> outside{0};     // entries of periods outside of `retention`: not read
  std::atomic<int64_t> younger{0};     // units of the source, and cells of the index, that `as_of` leaves out
  std::atomic<int64_t> unattributed{
      0};  // cells whose source row nobody knows, when not all source rows are compared, or some are younger
  std::atomic<int64_t> uneven{0};         // buckets of a digest of which some cell was looked up
  std::atomic<int64_t> open{0};           // suspects that are being judged
  std::atomic<bool> awaited_mark{false};  // some of them, until the index's watermark had passed

  int64_t differences() const { return missing + orphan + content_differs; }
};

void Count(Finding::Kind kind, Counts* counts);

}  // namespace fensi::sweep
