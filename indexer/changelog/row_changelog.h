// Writes the changes of index rows to the changelog of an index, before their cells are written.
//
// Rules:
//  1. Each index row of which a cell is put or removed gets an envelope, also if the row stays equal. An earlier owner
//     may have written an envelope and died before the cells, so that the topic shows what the index never will.
//  2. `before` is what the index table shows. `after` is what it shows with the planned cells.
//  3. The envelopes are durable before the cells are written. If the owner dies in between, the next owner repeats the
//     changes, and rule 1 gives each of their rows an envelope again.
// Therefore the last envelope of a row is the row of the index as soon as every change is applied.
//
// Blocks on the store and on Kafka; one thread at a time. Belongs to one assignment of a partition.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "consumer/change_source.h"
#include "consumer/changelog.h"
#include "indexer/changelog/envelope.h"
#include "indexer/changelog/row_image.h"
#include "indexer/plan/change_set.h"
#include "indexer/plan/event_check.h"
#include "indexer/requests/told_requests.h"
#include "indexer/timings.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

/// The batch whose changes are written.
struct ChangedBatch {
  const consumer::Batch* batch = nullptr;
  const Requests* requests = nullptr;  // empty: a batch of the stream
};

class RowChangelog {
 public:
  /// `version`: of fensi, which each message names. `read_bytes`: of rows that are read together.
  RowChangelog(const mapping::Index* index, store::Store* store, Clock* clock, Counters* counters, size_t read_bytes,
               std::string version, std::unique_ptr<consumer::ChangelogWriter> writer);

  /// Fences earlier owners. Must succeed before the first batch is planned.
  Status Open() { return writer_->Open(); }
  /// Writes the envelopes of all rows that these changes touch. An envelope that the topic does not take becomes a dead
  /// letter.
  Status Announce(const Changes& puts, const Changes& deletes, const ChangedBatch& of, std::vector<Letter>* letters);
  /// Writes the envelopes of rows as the index shows them now, because the store refused some of their cells.
  Status Correct(const Changes& refused, const ChangedBatch& of, std::vector<Letter>* letters);

 private:
  struct TouchedRow;
  std::vector<TouchedRow> TouchedBy(const Changes& puts, const Changes& deletes) const;
  Status WriteRows(std::span<const TouchedRow> rows, const ChangedBatch& of, std::vector<Letter>* letters);
  void AddMessages(const TouchedRow& row, const store::Row& shown, const ChangedBatch& of,
                   std::vector<Letter>* letters);
  Status Flush();

  const mapping::Index* const index_;
  store::Store* const store_;
  Clock* const clock_;
  Counters* const counters_;
  const size_t read_bytes_;
  const std::unique_ptr<consumer::ChangelogWriter> writer_;
  const FieldIndex fields_;
  const EnvelopeWriter envelopes_;
  std::vector<store::GetRequest::Column> columns_;
  std::vector<consumer::ChangelogMessage> messages_;  // not written yet
  size_t message_bytes_ = 0;
  int64_t waiting_ = 0;  // envelopes in messages_
};

}  // namespace fensi::indexer
