// What an index is and how far it is, for everybody who has its store: applications, other commands, other machines.
//
// Columns of row index:NAME. INC is the incarnation: what is said of one index of this name says nothing of a later
// one.
//   incarnation                                        random, of the index that has the name now; 'dropped' and the
//                                                      former one: there is none
//   table, state_table, source, topic, fingerprint     as its mapping has them
//   phase/INC                                          building (not said: the same), partial, live, retired
//   dropping/INC                                       fingerprint and tables, by lines, that a drop has judged to be
//                                                      the index's own: who ends it need not read them again
//   backfilled/INC                                     time and what of the source was scanned, for people
//   scrubbed/INC                                       the last whole pass of a scrub: BEGAN ENDED ROWS CELLS MISSING
//                                                      ORPHAN DIFFERS UNDECIDED UNATTRIBUTED, both times milliseconds
//                                                      since the epoch
//   verified/INC                                       the last comparison that came to its end: BEGAN ENDED ROWS CELLS
//                                                      MISSING ORPHAN DIFFERS UNDECIDED UNATTRIBUTED YOUNGER WHAT
//   mark/INC/P                                         the same of one partition of its stream
//   basis/INC                                          from what that is known: markers, producer
//   complete/INC                                       milliseconds since the epoch, also its cell's timestamp: every
//                                                      change that its source logged before is in the index
// Blocks on the store; thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/status.h"
#include "meta/shared_row.h"

namespace fensi::meta {

struct IndexFacts {
  std::string incarnation, table, state_table, source, topic, fingerprint;
};

/// "index table T, state table S, source table U, topic V, fingerprint F, incarnation I", as far as they are known.
std::string FactsText(const IndexFacts& facts);

enum class Phase {
  kBuilding,  // rows from before its stream may be missing
  kPartial,   // some of them were scanned
  kLive,      // all were
  kRetired,   // nobody maintains it any more
};

const char* PhaseName(Phase phase);

struct IndexState {
  std::string incarnation;
  Phase phase = Phase::kBuilding;
  std::string backfilled;           // empty: never
  std::string scrubbed;             // empty: never
  std::string dropping;             // empty: no drop has judged its tables
  std::string verified;             // empty: never
  std::optional<int64_t> complete;  // absent: nobody says
  std::string basis;                // empty: the same
  IndexFacts facts;                 // as they were registered; empty: not said
};

/// How far some partitions of a stream are.
struct Marks {
  std::map<int32_t, int64_t> by_partition;
  int32_t partitions = 0;  // of the stream
  std::string basis;
};

class IndexRecord {
 public:
  /// Of row index:NAME.
  explicit IndexRecord(SharedRow row) : row_(std::move(row)) {}

  /// Writes the facts where they are not said yet. An index that was made again with its tables takes its name over.
  /// kConfiguration: as CheckName.
  Status Register(const IndexFacts& facts) const;
  /// A name belongs to one index. kConfiguration, with both definitions: another index has it, with other tables.
  Status CheckName(const IndexFacts& facts) const;
  /// Absent: nobody registered an index of this name. kInternal names what cannot be understood.
  Result<std::optional<IndexState>> Read() const;

  /// kConfiguration: it is retired, and stays so whoever made it live at the same moment.
  Status SetPhase(const std::string& incarnation, Phase phase) const;
  /// Of who retired it and does not drop it: as it was.
  Status TakeBackRetired(const std::string& incarnation, Phase phase) const;
  Status SetDropping(const std::string& incarnation, const std::string& tables) const;
  /// Nobody has an index of this name any more, and all that was said of it is forgotten; a later one is registered as
  /// any other. Changes nothing where another one was registered meanwhile. The row stays: what would be deleted
  /// hid what is written at the same versions.
  Status NoteDropped(const std::string& incarnation) const;
  Status SetBackfilled(const std::string& incarnation, const std::string& text) const;
  Status SetScrubbed(const std::string& incarnation, const std::string& text) const;
  Status SetVerified(const std::string& incarnation, const std::string& text) const;
  /// Never falls: the later of two times stays, whichever was written last.
  Status NoteComplete(const std::string& incarnation, int64_t time) const;
  /// The marks, and by all that are there how far the index is. Neither ever falls. One writer of each partition at a
  /// time is not needed: what was true stays true. kNotFound: a person deleted the row, so the index must be registered
  /// again.
  Status NoteMarks(const std::string& incarnation, const Marks& marks) const;

 private:
  Status Broken(const Cell& cell) const;
  Status CheckOwner(const SharedRow::Cells& cells, const IndexFacts& facts) const;

  const SharedRow row_;
};

}  // namespace fensi::meta
