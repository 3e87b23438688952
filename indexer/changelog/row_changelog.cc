#include "indexer/changelog/row_changelog.h"

#include <algorithm>
#include <map>
#include <utility>

namespace fensi::indexer {
namespace {

constexpr size_t kFlushBytes = 4 << 20;  // of one transaction
constexpr size_t kRowsOfARead = 2'000;   // their requests are in memory together

}  // namespace

struct RowChangelog::TouchedRow {
  std::string_view row;
  std::vector<const store::RowMutation*> puts, deletes;
  size_t record = 0;  // last one that touched it
};

RowChangelog::RowChangelog(const mapping::Index* index, store::Store* store, Clock* clock, Counters* counters,
                           size_t read_bytes, std::string version, std::unique_ptr<consumer::ChangelogWriter> writer)
    : index_(index),
      store_(store),
      clock_(clock),
      counters_(counters),
      read_bytes_(read_bytes),
      writer_(std::move(writer)),
      fields_(*index->changelog()),
      envelopes_(*index, std::move(version)) {
  for (const mapping::ChangelogField& field : index->changelog()->fields) {
    columns_.push_back({field.family, field.qualifier});
  }
}

Status RowChangelog::Announce(const Changes& puts, const Changes& deletes, const ChangedBatch& of,
                              std::vector<Letter>* letters) {
  return WriteRows(TouchedBy(puts, deletes), of, letters);
}

Status RowChangelog::Correct(const Changes& refused, const ChangedBatch& of, std::vector<Letter>* letters) {
  std::vector<TouchedRow> rows = TouchedBy(refused, {});
  for (TouchedRow& row : rows) row.puts.clear();
  return WriteRows(rows, of, letters);
}

std::vector<RowChangelog::TouchedRow> RowChangelog::TouchedBy(const Changes& puts, const Changes& deletes) const {
  std::map<std::string_view, TouchedRow> touched;
  const auto add = [&](const Changes& changes, std::vector<const store::RowMutation*> TouchedRow::*list) {
    // An index with a changelog has one table.
    const auto found = changes.find(index_->table());
    if (found == changes.end()) return;
    size_t cell = 0;
    for (const store::RowMutation& mutation : found->second.rows) {
      TouchedRow& row = touched[mutation.row];
      row.row = mutation.row;
      (row.*list).push_back(&mutation);
      for (size_t i = 0; i < mutation.cells.size(); ++i, ++cell) {
        row.record = std::max(row.record, found->second.origins[cell].record);
      }
    }
  };
  add(puts, &TouchedRow::puts);
  add(deletes, &TouchedRow::deletes);
  std::vector<TouchedRow> rows;
  for (auto& [key, row] : touched) rows.push_back(std::move(row));
  return rows;
}

Status RowChangelog::WriteRows(std::span<const TouchedRow> rows, const ChangedBatch& of, std::vector<Letter>* letters) {
  while (!rows.empty()) {
    std::vector<store::GetRequest> requests;
    for (const TouchedRow& row : rows.first(std::min(rows.size(), kRowsOfARead))) {
      requests.push_back({.row = std::string(row.row), .columns = columns_});
    }
    FENSI_ASSIGN_OR_RETURN(const std::vector<store::Row> shown,
                           store_->GetSome(index_->table(), requests, read_bytes_));
    counters_->changelog_reads += static_cast<int64_t>(shown.size());
    for (size_t i = 0; i < shown.size(); ++i) {
      AddMessages(rows[i], shown[i], of, letters);
      if (message_bytes_ >= kFlushBytes) FENSI_RETURN_IF_ERROR(Flush());
    }
    rows = rows.subspan(shown.size());
  }
  return Flush();
}

void RowChangelog::AddMessages(const TouchedRow& row, const store::Row& shown, const ChangedBatch& of,
                               std::vector<Letter>* letters) {
  const RowImage before = fields_.ImageOf(shown);
  RowImage after = before;
  // M7: puts before removals, as they are written.
  for (const store::RowMutation* put : row.puts) {
    for (const Cell& cell : put->cells) fields_.Put(cell, &after);
  }
  for (const store::RowMutation* removal : row.deletes) {
    for (const Cell& cell : removal->cells) fields_.Remove(cell, &after);
  }
  const ChangeEvent& event = of.batch->records[row.record].event;
  const bool image = !of.requests->empty() && (*of.requests)[row.record]->kind == consumer::Request::Kind::kImage;
  RowChange change{row.row, &before, &after, {event.region, event.sequence_id, event.write_time, image}};
  change.show_before = !IsEmpty(before);
  std::string key = envelopes_.Key(row.row);
  int64_t escaped = 0;
  std::string envelope = envelopes_.Envelope(change, clock_->WallMillis(), &escaped);
  if (key.size() + envelope.size() > writer_->most_bytes()) {
    change.show_before = false;
    escaped = 0;
    envelope = envelopes_.Envelope(change, clock_->WallMillis(), &escaped);
  }
  if (const size_t bytes = key.size() + envelope.size(); bytes > writer_->most_bytes()) {
    letters->push_back({row.record,
                        "the changelog message of the index row has " + std::to_string(bytes) + " bytes, and topic " +
                            index_->changelog()->topic + " takes " + std::to_string(writer_->most_bytes()) +
                            ". The index has the row, and the topic has an older row. Raise max.message.bytes of the "
                            "topic, and restart the daemon. The topic then gets the row with its next change",
                        LetterKind::kRejected});
    ++counters_->changelog_too_large;
    return;
  }
  counters_->changelog_escaped += escaped;
  message_bytes_ += 2 * key.size() + envelope.size();
  ++waiting_;
  const bool gone = OperationOf(change) == 'd';
  messages_.push_back({key, std::move(envelope)});
  if (gone) messages_.push_back({std::move(key), std::nullopt});
}

Status RowChangelog::Flush() {
  FENSI_RETURN_IF_ERROR(writer_->Write(messages_));
  counters_->changelog_messages += waiting_;
  messages_.clear();
  message_bytes_ = 0;
  waiting_ = 0;
  return {};
}

}  // namespace fensi::indexer
