#include "capture/publish/call_writer.h"

#include <algorithm>

#include "base/bytes.h"
#include "capture/publish/split.h"
#include "capture/wal/entry_events.h"
#include "consumer/kafka/kafka_dead_letters.h"

namespace fensi::capture {

Status CallWriter::Write(CallYield* yield) {
  Result<WalBatch> batch = WalBatch::Open(call_.request(), call_.cells());
  Status status = batch.status();
  WalEntry entry;
  while (status.ok() && !batch->AtEnd()) {
    status = batch->Next(&entry);
    if (!status.ok()) break;
    FENSI_RETURN_IF_ERROR(WriteEntry(entry, yield));
  }
  if (status.ok()) return status;
  // Skipping it would lose data; so the region server's queue stands still until a person looks.
  context_.alarm(Severity::kAlarm, "a call of a region server cannot be read and will come again: " + status.message());
  return status;
}

Status CallWriter::WriteEntry(const WalEntry& entry, CallYield* yield) {
  if (call_.answered()) return Status(StatusCode::kCancelled, "the caller has given up");
  ++yield->counts.entries;
  uint64_t& newest = yield->newest.emplace(entry.region, 0).first->second;
  newest = std::max(newest, entry.sequence_id);
  AlarmOfBulkLoads(entry);
  const auto topic = context_.topics.find(entry.table);
  if (topic == context_.topics.end()) {
    ++yield->counts.of_other_tables;
    context_.other_table(entry.table);
    return Status();
  }
  if (context_.marks.Knows(entry.region, entry.sequence_id)) ++yield->counts.again;
  yield->counts.newest_write_time = std::max(yield->counts.newest_write_time, entry.write_time);
  return WriteEvents(entry, topic->second, yield);
}

Status CallWriter::WriteEvents(const WalEntry& entry, const std::string& topic, CallYield* yield) {
  const size_t count = MakeEvents(entry, &events_);
  for (size_t i = 0; i < count; ++i) {
    const ChangeEvent& event = events_[i];
    ++yield->counts.events;
    yield->counts.cells += static_cast<int64_t>(event.cells.size());
    const bool large = MessageBound(event) > context_.message_limit;
    FENSI_RETURN_IF_ERROR(large ? WriteLarge(event, topic) : SendEvent(event, {}, topic));
  }
  return Status();
}

Status CallWriter::WriteLarge(const ChangeEvent& event, const std::string& topic) {
  const SplitResult split = SplitEvent(event, context_.message_limit);
  const auto count = static_cast<uint32_t>(split.messages.size());
  for (uint32_t i = 0; i < count; ++i) {
    const consumer::EventPart part = count == 1 ? consumer::EventPart() : consumer::EventPart{i + 1, count};
    FENSI_RETURN_IF_ERROR(SendEvent(split.messages[i], part, topic));
  }
  for (const Cell& cell : split.too_large) FENSI_RETURN_IF_ERROR(WriteDeadLetter(event, cell, topic));
  return Status();
}

Status CallWriter::WriteDeadLetter(const ChangeEvent& event, const Cell& cell, const std::string& topic) {
  consumer::DeadLetter letter;
  letter.topic = topic;
  letter.row = event.row;
  letter.reason = "cell " + ColumnText(cell.family, cell.qualifier) + " at " + std::to_string(cell.timestamp) +
                  " of row " + Escape(event.row) + " in table " + event.table + " has " +
                  std::to_string(cell.value.size()) + " bytes, above the message limit of " +
                  std::to_string(context_.message_limit) + "; it is not in the stream, read it from the table";
  context_.alarm(Severity::kAlarm, letter.reason + " (or raise --message_kb and the topic's max.message.bytes)");
  return Send(context_.dead_letter_topic, event.row, EncodeDeadLetter(letter, context_.clock->WallMillis()));
}

Status CallWriter::SendEvent(const ChangeEvent& event, const consumer::EventPart& part, const std::string& topic) {
  encoder_.Encode(event, part, &value_);
  return Send(topic, event.row, value_);
}

Status CallWriter::Send(const std::string& topic, std::string_view key, std::string_view value) {
  auto& handle = handles_[topic];
  if (handle == nullptr) handle = producer_->OpenTopic(topic);
  delivery_->Expect();
  const Status status = producer_->Send(handle, key, value, delivery_, [this] { return !call_.answered(); });
  if (!status.ok()) delivery_->Delivered(status);
  return status;
}

void CallWriter::AlarmOfBulkLoads(const WalEntry& entry) {
  for (const WalCell& cell : entry.cells) {
    const std::optional<std::string> load = BulkLoadOf(cell);
    if (!load) continue;
    context_.alarm(Severity::kAlarm, "a bulk load brought " + *load + " of table " + std::string(entry.table) +
                                         ", region " + std::string(entry.region) +
                                         ": these rows came in past the stream, backfill them");
  }
}

}  // namespace fensi::capture
