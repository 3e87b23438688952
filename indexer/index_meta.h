// What an index records about itself in its state table: its definition, and where each partition began.
//
// Row "fensi", family i (source rows never use that family):
//   format              of the states, when the index began (docs/versions.md)
//   definition          fingerprint (of a stateless index followed by " mirror", so that older programs refuse it),
//                       newline, definition as text
//   scheme              "mirror 1", "state 2" (states of source rows are in buckets), or "state 1", also if the cell is
//                       absent; more while the index is converted (indexer/scheme_change.h)
//   buckets             of "state 2": how many, a power of 2
//   incarnation         16 random hexadecimal digits, drawn when the index is created: a request for another index of
//                       this name carries other digits
//   requests/N          how far the requests of partition N are applied (indexer/requests/position.h)
//   lost/N              requests of partition N that were gone before they were applied (the same)
//   known/N             the group has committed for the requests of partition N (the same)
//   asked               requests of a process to itself, one batch (operations/backfill/own_requests.h)
//   table               the index table that was seen last, and whether it was recreated (indexer/index_table.h)
//   pause               who paused the index, when and why; empty or absent: running (indexer/meta_row.h)
//   dropping/TABLE      this table of a period is being dropped (meta/versioned_meta_row.h)
//   source              "read" or "kept": whether ambiguous events are resolved by reading the source table
//   source_store        "other": the source table is in another store than the index; absent: in the same
//   unit                "source row" or "column of a source row": what a state is kept for
//   partitions/TOPIC    partition count
//   cluster/TOPIC       id of the Kafka cluster of the topic, if it has one
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

/// The partition of requests of a process to itself, with an embedded store: no topic has such a partition.
inline constexpr int32_t kOwnPartition = -1;

/// Where an assignment begins.
struct Start {
  int64_t offset = 0;
  /// The index is new, and this assignment is the first of a partition of its only topic: no state exists (M13). A
  /// second topic, for instance a second recorded file, meets the states of the first.
  bool fresh = false;
};

/// True if a cell of the row says that a group has committed for a partition.
bool IsCommitted(const std::string& qualifier, const Cell& cell);

class IndexMeta {
 public:
  IndexMeta(const mapping::Index* index, store::Store* store, Clock* clock = SystemClock());

  /// Writes the definition of a new index, or compares the definition of an existing one. kConfiguration: the
  /// definition changed; the states have a format or units that this version does not support; the scheme differs; the
  /// table of a new index is not empty; or the source table lacks a family that must be read for ambiguous events.
  /// kNotFound: index or state table is missing.
  Status Open();

  struct Begun {
    // Empty: its first run died before it had one, or a version without incarnations created it and nothing has opened
    // it since.
    std::string incarnation;
    bool reads_source = false;
    std::string scheme;  // as its row has it, for CheckScheme
  };
  /// The second stage of creation: gives the index an incarnation if it has none.
  Status LearnIncarnation();

  /// Reads the index as it was created; absent: not created yet. Writes nothing. kConfiguration: it has another
  /// definition, or a newer fensi created it. An index that is too old to run may still be read and dropped.
  Result<std::optional<Begun>> Known() const;

  /// kConfiguration: the scheme `known` differs from the mapping's, is being converted, or is unknown to this version.
  /// No I/O.
  Status CheckScheme(const std::string& known, bool reads_source) const;

  /// kConfiguration: a newer fensi created the index, so its cells may mean something else.
  Status CheckFormatVersion() const;

  /// True if ambiguous events are resolved by reading the source table (decided when the index was new).
  bool reads_source() const { return reads_source_; }
  /// kConfiguration: the stored states have other units than this version keeps. `note`: records the unit if it is not
  /// recorded yet; otherwise only reads.
  Status CheckUnits(bool note);
  /// kConfiguration: there is no source table, or it lacks a family.
  Status CheckSource() const;
  /// kConfiguration: the index was begun with its source table in another store, and this store reads the table in the
  /// store of the index, or the reverse. The rows of another table would change the index. Ok if the index has not
  /// begun.
  Status CheckSourceStore() const;

  /// Decided when the index was new: stateless if the mapping asked for it and the source can be read.
  mapping::Scheme scheme() const { return scheme_; }
  /// The mapping asks for a stateless index, but the index keeps states, because its source table was not in this store
  /// when the index was new.
  bool stateless_fell_back() const {
    return index_->scheme() == mapping::Scheme::kStateless && scheme_ == mapping::Scheme::kState;
  }
  /// Decided when the index was new: where its states are stored.
  const StateLayout& layout() const { return layout_; }
  /// Fixed when the index is created. An index of an older version gets one when it is opened.
  const std::string& incarnation() const { return incarnation_; }

  /// Ok: the state table still has the index that Open found. kConfiguration: the index was dropped and recreated
  /// since, or converted, so this process must write nothing more. kNotFound: the state table is gone.
  Status CheckStillThis() const { return CheckStillThis(row_); }
  /// The same check through another store.
  Status CheckStillThis(const MetaRow& row) const;

  /// Decides where a partition begins. kGap: the stream no longer has what this index has not seen, or the topic is of
  /// another Kafka cluster. kConfiguration: the partition count changed, or CheckStillThis fails. Every error names the
  /// remedies.
  Result<Start> Begin(const consumer::Opening& opening);

  /// True if the index table is empty although row states exist: every row was deleted, or somebody emptied the table.
  Result<bool> IsIndexTableEmpty();

  /// Why a replay would bring no entry back, with the remedy: IsIndexTableEmpty, and by the states every event is
  /// applied. Empty if a replay is not in vain. The replay itself harms nothing, and may be needed after a gap.
  Result<std::string> WhyReplayIsVain();

  /// Records that the group has committed for this partition: from now on a missing offset is a gap. Call soon after
  /// the first commit; repeated calls change nothing.
  Status NoteCommit(const consumer::Assignment& assignment);

  /// Records that a person lets the index start at `offset` although its state is empty.
  Status SetStartOffset(const std::string& topic, int32_t partition, int64_t offset);
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
  Result<bool> HasOtherStore() const;
  Status CheckSourceStore(bool reads_source) const;
  Status CheckStateFormat(int64_t format) const;
  Status OpenStateFormat();
  Result<std::string> UnitOfStates();
  Status Create() const;
  Result<bool> IsEmpty(const std::string& table) const;
  Status CheckEmpty(const std::string& table) const;
  Status CheckPeriodTablesEmpty() const;
  Status CheckPartitions(const consumer::Assignment& assignment);
  Status CheckCluster(const consumer::Opening& opening);
  Status CheckOwnRequests(const consumer::Assignment& assignment);
  Result<Start> BeginKnown(const consumer::Opening& opening, const Cell& origin, const std::string& key);
  Result<Start> BeginNew(const consumer::Opening& opening, const std::string& key);
  /// True if another topic began: its rows may have states whatever the origin of this topic's partitions is.
  Result<bool> OtherTopicBegan(const std::string& topic);
  Status Gap(const consumer::Opening& opening, const std::string& what) const;

  const mapping::Index* const index_;
  store::Store* const store_;
  const MetaRow row_;
  bool reads_source_ = false;
  std::string opened_as_;  // content of column `scheme`, also if it is absent
  mapping::Scheme scheme_ = mapping::Scheme::kState;
  StateLayout layout_;
  std::string incarnation_;
  Mutex mu_;  // the partition count is written once
};

}  // namespace fensi::indexer
