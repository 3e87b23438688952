// The public record of an index: what it is and how far it is, for applications, other commands and other machines that
// use its store.
//
// Columns of row index:NAME. INC is the incarnation: what is recorded of one index of this name does not apply to a
// later one.
//   incarnation                                        random, of the index that has the name now; 'dropped' and the
//                                                      former one: there is none
//   table, state_table, source, topic, fingerprint     as its mapping has them
//   phase/INC                                          building (also if absent), partial, live, retired
//   dropping/INC                                       fingerprint and tables with their identities, by lines, that a
//                                                      drop has found to be the index's own, so that whoever continues
//                                                      it need not read them again
//   retired_by/INC                                     random, of the drop that retired the index
//   backfilled/INC                                     time and part of the source that was scanned, for people
//   scrubbed/INC                                       the last whole pass of a scrub: BEGAN ENDED ROWS CELLS MISSING
//                                                      ORPHAN DIFFERS UNDECIDED UNATTRIBUTED, both times milliseconds
//                                                      since the epoch
//   verified/INC                                       the last complete comparison: BEGAN ENDED ROWS CELLS MISSING
//                                                      ORPHAN DIFFERS UNDECIDED UNATTRIBUTED YOUNGER WHAT
//   mark/INC/P                                         as complete/INC, of one partition of its stream
//   basis/INC                                          source of the watermark: markers, producer
//   reached/INC                                        the lowest of these times: every change of the stream up to it
//                                                      is applied
//   complete/INC                                       the watermark in milliseconds since the epoch, also its cell's
//                                                      timestamp: every change that its source logged before is in the
//                                                      index. Before a bulk load that was not followed yet
//   bulk_loads/INC                                     whether HBase reports bulk loads: reported, not reported
// Blocks on the store; thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/status.h"
#include "meta/versioned_meta_row.h"

namespace fensi::meta {

struct IndexDescriptor {
  std::string incarnation, table, state_table, source, topic, fingerprint;
};

/// "index table T, state table S, source table U, topic V, fingerprint F, incarnation I", as far as they are known.
std::string FactsText(const IndexDescriptor& facts);

enum class Phase {
  kBuilding,  // rows from before its stream may be missing
  kPartial,   // some rows were scanned
  kLive,      // all rows were scanned
  kRetired,   // no daemon maintains it any more
};

const char* PhaseName(Phase phase);

struct IndexState {
  std::string incarnation;
  Phase phase = Phase::kBuilding;
  std::string backfilled;           // empty: never
  std::string scrubbed;             // empty: never
  std::string dropping;             // empty: no drop has checked its tables
  std::string verified;             // empty: never
  std::optional<int64_t> complete;  // absent: unknown
  std::optional<int64_t> reached;   // as complete, but also beyond bulk loads that wait; absent: unknown
  std::string basis;                // empty: unknown
  std::string bulk_loads;           // "reported", "not reported"; empty: unknown
  IndexDescriptor facts;            // as registered; empty: unknown
};

/// The watermarks of some partitions of a stream.
struct Marks {
  std::map<int32_t, int64_t> by_partition;
  int32_t partitions = 0;  // partitions of the stream
  std::string basis;
  std::string bulk_loads = {};  // as in IndexState
};

class IndexRecord {
 public:
  /// `row`: index:NAME.
  explicit IndexRecord(VersionedMetaRow row) : row_(std::move(row)) {}
  /// The meta table, for messages.
  const std::string& table() const { return row_.table(); }

  /// Writes the facts that are not recorded yet. An index that was recreated with its tables takes its name over.
  /// kConfiguration: as CheckName.
  Status Register(const IndexDescriptor& facts) const;
  /// For a name that no index has. kConfiguration: an index has it meanwhile.
  Status RegisterFirst(const IndexDescriptor& facts) const;
  /// A name belongs to one index. kConfiguration, with both definitions: an index with other tables has it.
  Status CheckName(const IndexDescriptor& facts) const;
  /// Absent: no index of this name is registered. kInternal names what cannot be parsed.
  Result<std::optional<IndexState>> Read() const;

  /// kConfiguration: it is retired, and stays so even if another process made it live at the same moment.
  Status SetPhase(const std::string& incarnation, Phase phase) const;
  /// Retires the index for the drop `token`, which is random. Returns the former phase; absent: another drop had
  /// retired the index. Of drops at the same moment one gets the former phase.
  Result<std::optional<Phase>> Retire(const std::string& incarnation, const std::string& token) const;
  /// For the drop that got the former phase and does not drop the index: restores the phase.
  Status UndoRetire(const std::string& incarnation, Phase phase) const;
  /// For a drop, before each step that cannot be undone. False: another drop has ended. kConfiguration: the index was
  /// created again meanwhile, or the drop that had retired it gave up.
  Result<bool> IsRetired(const std::string& incarnation) const;
  Status MarkDropping(const std::string& incarnation, const std::string& tables) const;
  /// Records that the name has no index any more, and clears everything that was recorded; a later index is registered
  /// as any other. Changes nothing if another index was registered meanwhile. The row stays: a delete would hide what
  /// is written at the same versions.
  Status NoteDropped(const std::string& incarnation) const;
  Status SetBackfilled(const std::string& incarnation, const std::string& text) const;
  Status SetScrubbed(const std::string& incarnation, const std::string& text) const;
  Status SetVerified(const std::string& incarnation, const std::string& text) const;
  /// Never falls: the later of two times stays, whichever was written last.
  Status NoteComplete(const std::string& incarnation, int64_t time) const;
  /// Writes the watermarks of the partitions, and from all of them that of the index, which it returns (absent: none is
  /// known yet). The watermark of the index stays before each bulk load that waits (meta/bulk_loads.h). Neither ever
  /// falls. Several writers of a partition do no harm: what was true stays true. kNotFound: the row names another
  /// incarnation, or none, so the index must be registered again.
  Result<std::optional<int64_t>> NoteMarks(const std::string& incarnation, const Marks& marks) const;

 private:
  Result<Phase> PhaseIn(const Cell& cell) const;
  Status Broken(const Cell& cell) const;
  Result<std::optional<int64_t>> TimeIn(const VersionedMetaRow::Cells& cells, const std::string& column) const;
  /// The time before which no bulk load waits; INT64_MAX: none waits.
  Result<int64_t> FirstLoad(const std::string& incarnation) const;
  Status CheckOwner(const VersionedMetaRow::Cells& cells, const IndexDescriptor& facts) const;

  const VersionedMetaRow row_;
};

}  // namespace fensi::meta
