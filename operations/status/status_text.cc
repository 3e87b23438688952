#include "operations/status/status_text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/bytes.h"
#include "base/shown_text.h"
#include "base/text.h"
#include "operations/access/position.h"

namespace fensi::operations {
namespace {

constexpr size_t kMostPartitionsShown = 10;  // of an index; --json has all

StatusLine LineOf(const IndexStanding& index) {
  const bool stream = index.partitions > 0;
  return {Escape(index.name),
          Escape(index.state),
          std::to_string(index.daemons),
          stream ? std::to_string(index.owned_partitions) + " of " + std::to_string(index.partitions) : "-",
          stream ? WithCommas(index.EventsBehind()) : "-",
          stream ? AgeText(index.SecondsBehind()) : "-",
          index.complete ? TimeText(*index.complete) : "-",
          index.dead_letters ? WithCommas(*index.dead_letters) : "-"};
}

std::string PartitionText(const PartitionBehind& partition) {
  return "partition " + std::to_string(partition.partition) + ": " + Counted(partition.events, "event") +
         " behind, the oldest " + AgeText(partition.seconds) + (partition.queue_full ? ", queue full" : "") + ", at " +
         partition.place;
}

std::string DetailsOf(const IndexStanding& index) {
  std::string text;
  const std::string begin = "  " + Escape(index.name) + ": ";
  for (const Remark& remark : index.remarks) text += begin + Escape(remark.text) + ", at " + remark.place + "\n";
  if (index.loads_waiting > 0) {
    text += begin + "bulk loads into " + Counted(index.loads_waiting, "region") + " wait since " +
            TimeText(index.loads_since) + ": " + Counted(index.load_rows, "row") + " read" +
            (index.loads_failing ? ". A daemon cannot read the rows now: see bulk_load_failed in its log" : "") + "\n";
  }
  if (const auto silent = index.SilentFor()) {
    text += begin + "all of the topic is applied, but the watermark is " + DurationText(silent->count() / 1000) +
            " old: changes may wait in HBase. Check that 'fensi capture' runs, and read its log\n";
  }
  const size_t shown = std::min(index.behind.size(), kMostPartitionsShown);
  for (size_t i = 0; i < shown; ++i) text += begin + PartitionText(index.behind[i]) + "\n";
  if (shown < index.behind.size()) {
    const auto left = static_cast<int64_t>(index.behind.size() - shown);
    text += begin + Counted(left, "partition") + " more behind, which --json shows\n";
  }
  if (index.hidden_events > 0) {
    text += begin + Counted(index.hidden_events, "event") +
            " behind in partitions beyond the --metrics_partitions of a daemon, the oldest " +
            AgeText(index.hidden_seconds) + "\n";
  }
  return text;
}

std::string CaptureText(const CaptureStanding& capture) {
  return "capture at " + capture.place + ": " + (capture.registered ? "" : "region servers may not find it, ") +
         (capture.kafka_away_since ? "Kafka has not answered since " + TimeText(*capture.kafka_away_since) + ", "
                                   : "") +
         Counted(capture.connections, "connection") + ", " + Counted(capture.events, "event") + ", newest write " +
         (capture.newest_write > 0 ? TimeText(capture.newest_write) : "not seen yet") + ", " +
         Counted(capture.alarms, "alarm") + "\n";
}

}  // namespace

std::string AgeText(const std::optional<double>& seconds) {
  if (!seconds) return "not known";
  if (*seconds >= 10) return DurationText(static_cast<int64_t>(*seconds));
  const auto tenths = std::llround(*seconds * 10);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

std::string StatusTable(const std::vector<StatusLine>& lines) {
  std::array<size_t, std::tuple_size_v<StatusLine>> widths{};
  for (const StatusLine& line : lines) {
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const StatusLine& line : lines) {
    for (size_t i = 0; i + 1 < line.size(); ++i) text += line[i] + std::string(widths[i] - line[i].size() + 2, ' ');
    text += line.back() + "\n";
  }
  return text;
}

std::string StatusText(const Standings& standings) {
  std::string text;
  if (!standings.indexes.empty()) {
    std::vector<StatusLine> lines = {
        {"INDEX", "STATE", "DAEMONS", "PARTITIONS", "BEHIND", "OLDEST", "COMPLETE TO", "DEAD LETTERS"}};
    for (const IndexStanding& index : standings.indexes) lines.push_back(LineOf(index));
    text += StatusTable(lines);
  }
  for (const IndexStanding& index : standings.indexes) text += DetailsOf(index);
  for (const CaptureStanding& capture : standings.captures) text += CaptureText(capture);
  return text;
}

}  // namespace fensi::operations
