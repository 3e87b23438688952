#include "capture/publish/call_writer.h"

#include <algorithm>
#include <random>

#include "base/bytes.h"
#include "base/cut.h"
#include "base/hbase_limits.h"
#include "capture/publish/part_cutter.h"
#include "capture/wal/entry_rows.h"
#include "consumer/kafka/kafka_dead_letters.h"

namespace fensi::capture {
namespace {

/// Maximum length of a qualifier or a row key in a dead letter and in the log.
constexpr size_t kShownBytes = 1'000;

RedactableText ShownPiece(std::string_view name) { return RedactableText::Quote(CutName(name, kShownBytes)); }

uint64_t NewAttempt() {
  std::random_device random;
  return static_cast<uint64_t>(random()) << 32 | random();
}

}  // namespace

Status CallWriter::Write(CallYield* yield) {
  Result<WalBatch> batch = WalBatch::Open(call_.request(), call_.cells());
  if (!batch.ok()) {
    // Skipping it would lose data; so the region server's queue waits until a person acts.
    context_.alarm({.kind = NoticeKind::kUnreadableCall,
                    .words = "the capture cannot read a call of the region server at " + call_.server() +
                             ". HBase repeats the call without end, and the edits of this server wait. Report this "
                             "line with the version of HBase: " +
                             batch.status().words(),
                    .server = call_.server()});
    return batch.status();
  }
  yield->markers.NoteBulkLoads(batch->reports_bulk_loads());
  WalEntry entry;
  while (batch->Next(&entry)) FENSI_RETURN_IF_ERROR(WriteEntry(entry, yield));
  return Status();
}

Status CallWriter::WriteEntry(const WalEntry& entry, CallYield* yield) {
  if (call_.answered()) {
    return Status(StatusCode::kCancelled, "the time of the call ended before Kafka had acknowledged all edits");
  }
  if (TakeMarkers(entry, yield)) return Status();  // they do not say of which cluster they are
  if (!(checked_ && *checked_ == entry.source)) {
    if (!entry.source.known()) {
      return InvalidArgument("an edit of table " + Escape(entry.table) +
                             " names no HBase cluster, so the sender is no region server of HBase. Exclude its "
                             "address: set --allow_from to the networks of the region servers");
    }
    FENSI_RETURN_IF_ERROR(context_.check_source(entry.source));
    checked_ = entry.source;
  }
  ++yield->counts.entries;
  const auto topic = context_.topics.find(entry.table);
  if (topic == context_.topics.end()) {
    ++yield->counts.of_other_tables;
    context_.other_table(entry.table);
    return Status();
  }
  Note(entry, yield);
  if (context_.marks.Knows(entry.region, entry.sequence_id)) ++yield->counts.again;
  yield->counts.newest_write_time = std::max(yield->counts.newest_write_time, WriteTimeOf(entry));
  return WriteRows(entry, topic->second, yield);
}

/// Region servers write them as edits of any region that they have.
bool CallWriter::TakeMarkers(const WalEntry& entry, CallYield* yield) {
  hbase::CellBlockReader reader(entry.cells);
  hbase::CellView cell;
  if (reader.AtEnd() || !reader.Next(&cell).ok() || !IsReplicationMarker(cell)) return false;
  for (bool more = true; more; more = !reader.AtEnd() && reader.Next(&cell).ok()) {
    if (const std::optional<ReplicationMarker> marker = ReplicationMarkerOf(cell)) yield->markers.Note(*marker);
  }
  return true;
}

void CallWriter::Note(const WalEntry& entry, CallYield* yield) {
  context_.marks.Note(entry.region, entry.sequence_id, &yield->newest);
}

/// A clock that is ahead would hide what comes later.
int64_t CallWriter::WriteTimeOf(const WalEntry& entry) const { return std::min(entry.write_time, began_); }

TableCounts* CallWriter::OfTable(const WalEntry& entry, CallYield* yield) {
  auto found = yield->counts.tables.find(entry.table);
  if (found == yield->counts.tables.end()) found = yield->counts.tables.try_emplace(std::string(entry.table)).first;
  found->second.newest_write_time = std::max<int64_t>(found->second.newest_write_time, WriteTimeOf(entry));
  return &found->second;
}

Status CallWriter::WriteRows(const WalEntry& entry, const std::string& topic, CallYield* yield) {
  TableCounts* const of_table = OfTable(entry, yield);
  EntryRows rows(entry);
  for (RowCells row; rows.Next(&row);) {
    if (row.of_hbase) {
      FENSI_RETURN_IF_ERROR(WriteBulkLoad(entry, row, topic, of_table));
      continue;
    }
    ++of_table->events;
    of_table->cells += static_cast<int64_t>(row.count);
    if (row.tag_bytes > 0) AlarmOfLabels(entry, row);
    const bool large = MessageBound(entry, row) > context_.message_limit || row.count > kMostCellsOfAMessage;
    FENSI_RETURN_IF_ERROR(large ? WriteLarge(entry, row, topic) : WriteWhole(entry, row, topic));
  }
  return Status();
}

Status CallWriter::WriteWhole(const WalEntry& entry, const RowCells& row, const std::string& topic) {
  FillEvent(entry, row, &event_);
  return SendEvent({}, topic);
}

Status CallWriter::WriteLarge(const WalEntry& entry, const RowCells& row, const std::string& topic) {
  PartCutter cutter(entry, row, context_.message_limit);
  consumer::EventPart part;
  if (cutter.parts() > 1) part = {.count = cutter.parts(), .attempt = NewAttempt(), .whole_row = true};
  while (cutter.Next(&event_)) {
    if (part.count > 0) ++part.number;
    FENSI_RETURN_IF_ERROR(SendEvent(part, topic));
  }
  Status status;
  cutter.ForEachTooLarge([&](const hbase::CellView& cell) {
    if (status.ok()) status = WriteDeadLetter(entry, cell, topic);
  });
  return status;
}

Status CallWriter::WriteDeadLetter(const WalEntry& entry, const hbase::CellView& cell, const std::string& topic) {
  const RedactableText reason =
      "cell " + Escape(cell.family) + ":" + ShownPiece(cell.qualifier) + " at " + std::to_string(cell.timestamp) +
      " of row " + ShownPiece(cell.row) + " in table " + Escape(entry.table) + " is above the message limit of " +
      std::to_string(context_.message_limit) + " bytes. Bytes of its value: " + std::to_string(cell.value.size()) +
      ", qualifier: " + std::to_string(cell.qualifier.size()) + ", tags: " + std::to_string(cell.tags.size()) +
      ", row key: " + std::to_string(cell.row.size()) + ". The table has the cell, and the stream does not";
  const bool expected = context_.may_be_large.Has(entry.table, cell.family, cell.qualifier);
  context_.alarm(
      {.kind = expected ? NoticeKind::kLargeCellExpected : NoticeKind::kLargeCell,
       .words = reason + (expected ? " (expected by --may_be_large)"
                                   : ". If an index reads the column, correct the row: fensi "
                                     "repair MAPPING INDEX ROW --store URL --source kafka://HOST:PORT "
                                     "--execute. Then raise max.message.bytes of all topics of the captures, and "
                                     "--message_kb of all captures. If no index reads the column, name the column with "
                                     "--may_be_large"),
       .table = Escape(entry.table)});
  consumer::DeadLetter letter;
  letter.topic = topic;
  letter.reason = reason.all();
  if (cell.row.size() <= kMaxRowBytes) letter.row = cell.row;  // HBase itself holds no longer one
  const std::string key = consumer::LetterKey(cell.row, context_.message_limit);
  const int64_t now = context_.clock->WallMillis();
  for (const std::string& part : consumer::EncodeDeadLetterParts(letter, now, context_.message_limit, key)) {
    FENSI_RETURN_IF_ERROR(Send(context_.dead_letter_topic, key, part));
  }
  return Status();
}

Status CallWriter::SendEvent(const consumer::EventPart& part, const std::string& topic) {
  encoder_.Encode(event_, part, &value_);
  return Send(topic, event_.row, value_);
}

Status CallWriter::Send(const std::string& topic, std::string_view key, std::string_view value) {
  auto& handle = handles_[topic];
  if (handle == nullptr) handle = producer_->OpenTopic(topic);
  delivery_->Expect();
  const Status status = producer_->Send(handle, key, value, delivery_, [this] { return !call_.answered(); });
  if (!status.ok()) delivery_->Delivered(status);
  return status;
}

Status CallWriter::WriteBulkLoad(const WalEntry& entry, const RowCells& row, const std::string& topic,
                                 TableCounts* of_table) {
  std::string text;
  if (!FillBulkLoad(entry, row, &event_, &text)) return Status();
  // M27: whoever reads the event finds every earlier change of the region in the stream.
  FENSI_RETURN_IF_ERROR(AwaitDelivered());
  ++of_table->bulk_loads;
  context_.alarm({.kind = NoticeKind::kBulkLoad,
                  .words = RedactableText("a bulk load brought " + text + " of table " + Escape(entry.table) +
                                          ", region " + Escape(entry.region) +
                                          ". Each index that reads the family reads the rows of the region by itself. "
                                          "'fensi status' shows this until it is done"),
                  .table = Escape(entry.table)});
  return SendEvent({}, topic);
}

Status CallWriter::AwaitDelivered() const {
  constexpr std::chrono::milliseconds kPause(1);
  while (!delivery_->AllDelivered()) {
    if (call_.answered()) {
      return Status(StatusCode::kCancelled,
                    "the time of the call ended before Kafka had acknowledged the edits before a bulk load");
    }
    context_.clock->Sleep(kPause);
  }
  return Status();
}

void CallWriter::AlarmOfLabels(const WalEntry& entry, const RowCells& row) {
  RowReader reader(row);
  for (hbase::CellView cell; reader.Next(&cell);) {
    if (!cell.tags.empty() && RestrictsReaders(cell)) return context_.on_restricted_cell(entry.table);
  }
}

}  // namespace fensi::capture
