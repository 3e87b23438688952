// What an index knows about itself, kept in its state table: its definition, and where each partition began.
//
// Row "fensi", family i (source rows never use that family):
//   format              of the states, when the index began (docs/versions.md)
//   definition          fingerprint (of a mirror " mirror" behind it, so that older programs refuse it), newline,
//                       definition as text
//   scheme              "mirror 1", "state 2" (states of source rows lie in buckets), or "state 1", as of all that say
//                       nothing; while it is moved (indexer/index_move.h) more
//   buckets             of "state 2": how many, a power of 2
//   incarnation         16 random hexadecimal digits, drawn when the index was born: a request that was meant for
//                       another index of this name carries others
//   requests/N          how far the requests of partition N are applied (indexer/requests/position.h)
//   lost/N              requests of partition N that were gone before they were applied (the same)
//   known/N             the group has committed for the requests of partition N (the same)
//   asked               requests of a process to itself, one batch (cli/backfill/own_requests.h)
//   table               which index table was seen last, and whether it was made again (indexer/index_table.h)
//   pause               who lets the index rest, when and why; empty or absent: it works (indexer/pause_watch.h)
//   dropping/TABLE      somebody drops this table of a period (meta/dropped_tables.h)
//   source              "read" or "kept": whether doubt is settled by reading the source table
//   unit                "source row" or "column of a source row": what a state is kept for
//   partitions/TOPIC    partition count
//   cluster/TOPIC       id of the Kafka cluster that has the topic, where it has one
//   birth/TOPIC/N       origin of partition N: its first offset; version 2 of the cell: the group has committed
//   start/TOPIC/N       offset from which a person let the index start (`fensi replay`)
// All methods block on the store; thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/mutex.h"
#include "base/status.h"
#include "consumer/change_source.h"
#include "indexer/index_scheme.h"
#include "indexer/meta_row.h"
#include "indexer/state/layout.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

/// Requests of a process to itself, which has an embedded store alone: no topic has such a partition.
inline constexpr int32_t kOwnPartition = -1;

/// Where an assignment begins.
struct Start {
  int64_t offset = 0;
  /// The index is new, and this assignment is the first of a partition of its only topic: no state exists (M13). A
  /// second topic, as a second recorded file is, meets the states of the first.
  bool fresh = false;
};

/// A cell of the row says that a group has committed for a partition.
bool IsCommitted(const std::string& qualifier, const Cell& cell);

class IndexMeta {
 public:
  IndexMeta(const mapping::Index* index, store::Store* store, Clock* clock = SystemClock());

  /// Writes the definition of a new index, compares that of an existing one. kConfiguration: the definition changed,
  /// its states are of a format that this version does not read, or of other units than it keeps, it is of
  /// another scheme, a new index has a
  /// table that is not empty, or the source table lacks a family that doubt would read. kNotFound: index or state table
  /// is missing.
  Status Open();

  struct Begun {
    // Empty: its first run died before it had one, or it was begun by a version without, and not opened since.
    std::string incarnation;
    bool reads_source = false;
    std::string scheme;  // as its row says it, for CheckScheme
  };
  /// The second stage of a beginning: gives the index an incarnation if it has none.
  Status LearnIncarnation();

  /// The index as it was begun, or nothing: nobody has begun it yet. Only reads. kConfiguration: it was begun with
  /// another definition, or it is of a newer fensi. One that is too old to be run may still be looked at, and dropped.
  Result<std::optional<Begun>> Known() const;

  /// kConfiguration: an index of the scheme `known` is not what the mapping wishes, is being moved to another, or is of
  /// a scheme that this version does not know. Asks nobody.
  Status CheckScheme(const std::string& known, bool reads_source) const;

  /// kConfiguration: a newer fensi began the index, so that what it says of itself may mean something else.
  Status CheckNotNewer() const;

  /// Doubt is settled by reading the source table (decided when the index was new).
  bool reads_source() const { return reads_source_; }
  /// kConfiguration: the states that are there are of other units than this version keeps. `note`: what they are is
  /// written down where it is not yet; otherwise it only reads.
  Status CheckUnits(bool note);
  /// kConfiguration: there is no source table, or it lacks a family.
  Status CheckSource() const;

  /// Decided when the index was new: a mirror where the mapping wished one and the source can be read.
  mapping::Scheme scheme() const { return scheme_; }
  /// The mapping wishes a mirror, and the index is kept with states: its source table was not in this store when it
  /// was new.
  bool is_mirror_in_vain() const {
    return index_->scheme() == mapping::Scheme::kMirror && scheme_ == mapping::Scheme::kState;
  }
  /// Decided when the index was new: where its states lie.
  const StateLayout& layout() const { return layout_; }
  /// Of the index since it was born; one that an older version made is named when it is opened.
  const std::string& incarnation() const { return incarnation_; }

  /// Ok: the state table still has the index that Open found. kConfiguration: it was dropped and made again since then,
  /// or moved to another scheme, so that this process must write nothing more. kNotFound: the state table is gone.
  Status CheckStillThis() const { return CheckStillThis(row_); }
  /// The same, through another store.
  Status CheckStillThis(const MetaRow& row) const;

  /// Decides where a partition begins. kGap: the stream no longer holds what this index has not seen, or another Kafka
  /// cluster has the topic; kConfiguration: the partition count changed, or CheckStillThis says so. All name the
  /// remedies.
  Result<Start> Begin(const consumer::Opening& opening);

  /// The index has no entry although states of rows are there: every row was deleted, or somebody emptied its table.
  Result<bool> IsEmptied();

  /// kConfiguration when it is so: whoever emptied it would wait in vain for a replay, because by the states every
  /// event was applied already.
  Status CheckReplayHelps();

  /// The group has committed for this partition: from now on a missing offset is a gap. To be called soon after the
  /// first commit; repetitions change nothing.
  Status NoteCommit(const consumer::Assignment& assignment);

  /// Records that a person lets the index start at `offset` although its state is empty.
  Status AllowStart(const std::string& topic, int32_t partition, int64_t offset);
  /// Records that a person lets the index read the topic of this Kafka cluster.
  Status AllowCluster(const std::string& topic, const std::string& cluster);

 private:
  Result<std::optional<Cell>> Read(const std::string& qualifier) const { return row_.Read(qualifier); }
  Status Write(const std::string& qualifier, int64_t version, std::string value) const {
    return row_.Write(qualifier, version, std::move(value));
  }
  Status OpenKnown();
  Status CheckDefinition(const std::string& known) const;
  Status MadeAgain(const std::string& incarnation) const;
  Status Emptied() const;
  mapping::Scheme WishedScheme(bool reads_source) const;
  Status OpenScheme();
  Result<StateLayout> ReadLayout(const KnownScheme& scheme) const;
  Result<bool> ReadsSource() const;
  Status CheckStateFormat(int64_t format) const;
  Status OpenStateFormat();
  Result<std::string> UnitOfStates();
  Status Create() const;
  Result<bool> IsEmpty(const std::string& table) const;
  Status CheckEmpty(const std::string& table) const;
  Status CheckPartitions(const consumer::Assignment& assignment);
  Status CheckCluster(const consumer::Opening& opening);
  Status CheckOwnRequests(const consumer::Assignment& assignment);
  Result<Start> BeginKnown(const consumer::Opening& opening, const Cell& origin, const std::string& key);
  Result<Start> BeginNew(const consumer::Opening& opening, const std::string& key);
  /// Rows of another topic may have states whatever the origin of this topic's partitions.
  Result<bool> OtherTopicBegan(const std::string& topic);
  Status Gap(const consumer::Opening& opening, const std::string& what) const;

  const mapping::Index* const index_;
  store::Store* const store_;
  const MetaRow row_;
  bool reads_source_ = false;
  std::string opened_as_;  // what column `scheme` said, or its absence
  mapping::Scheme scheme_ = mapping::Scheme::kState;
  StateLayout layout_;
  std::string incarnation_;
  Mutex mu_;  // the partition count is written once
};

}  // namespace fensi::indexer
