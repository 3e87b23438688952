#include <algorithm>
#include <optional>

#include "base/bytes.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/flags/value_rules.h"
#include "cli/options/operations_options.h"
#include "cli/program/output.h"
#include "consumer/codec/event_decoder.h"
#include "consumer/codec/json_requests.h"
#include "consumer/kafka/client/handles.h"
#include "consumer/kafka/client/topic_admin.h"
#include "consumer/kafka/client/topic_tail.h"
#include "operations/access/flag_faults.h"
#include "operations/access/kafka.h"
#include "operations/access/position.h"

namespace fensi::cli {
namespace {

using consumer::Deadline;
using consumer::TailFrom;
using consumer::TopicTail;

// A topic that is written to all the time is never idle, and a disk that is full must be noticed all the same.
constexpr std::chrono::milliseconds kFlushPause{1000};

/// A time has another offset in each partition.
Result<TailFrom> FromTime(const std::string& topic, int64_t time) {
  const auto admin = consumer::TopicAdmin::Create(NamedCluster(), std::chrono::seconds(FLAGS_connect_timeout_s));
  if (!admin.ok()) return admin.status();
  FENSI_ASSIGN_OR_RETURN(std::vector<consumer::PartitionOffset> offsets, (*admin)->OffsetsAt(topic, time));
  return TailFrom{.kind = TailFrom::Kind::kOffsets, .offsets = std::move(offsets)};
}

Result<TailFrom> FromLast(const std::string& topic) {
  const auto admin = consumer::TopicAdmin::Create(NamedCluster(), std::chrono::seconds(FLAGS_connect_timeout_s));
  FENSI_RETURN_IF_ERROR(admin.status());
  FENSI_ASSIGN_OR_RETURN(std::vector<consumer::PartitionOffset> offsets, (*admin)->LatestOffsets(topic));
  FENSI_ASSIGN_OR_RETURN(const std::vector<consumer::PartitionOffset> starts, (*admin)->EarliestOffsets(topic));
  for (consumer::PartitionOffset& each : offsets) {
    for (const consumer::PartitionOffset& start : starts) {
      if (start.partition == each.partition) each.offset = std::max(start.offset, each.offset - FLAGS_last);
    }
  }
  return TailFrom{.kind = TailFrom::Kind::kOffsets, .offsets = std::move(offsets)};
}

Result<TailFrom> From(const std::string& topic) {
  if (FLAGS_last > 0) return FromLast(topic);
  if (FLAGS_from.empty()) return TailFrom{};
  FENSI_ASSIGN_OR_RETURN(const operations::Position position, operations::ParsePosition(FLAGS_from));
  switch (position.kind) {
    case operations::Position::Kind::kEarliest:
      return TailFrom{};
    case operations::Position::Kind::kLatest:
      return TailFrom{.kind = TailFrom::Kind::kLatest};
    case operations::Position::Kind::kOffset:
      return TailFrom{.kind = TailFrom::Kind::kOffset, .offset = position.value};
    case operations::Position::Kind::kTime:
      break;
  }
  return FromTime(topic, position.value);
}

/// Prints messages; what cannot be decoded is named on stderr and counted.
class Printer {
 public:
  void Take(const TopicTail::Message& message) {
    if (!Wants(message)) return;
    ++messages_;
    const Result<std::string> line = consumer::JsonLineOf(message.key, message.value, message.decoded, message.event);
    if (line.ok()) return Print(*line + "\n");
    ++refused_;
    Say("tail: partition " + std::to_string(message.partition) + ", offset " + std::to_string(message.offset) + ": " +
        line.status().message() +
        ". If the topic has another format, give its --kafka_format. If another program than " + writer_ +
        " wrote the message, let only " + writer_ + " write to the topic");
  }

  bool full() const { return FLAGS_max_events != 0 && messages_ >= FLAGS_max_events; }
  int exit_code() const { return refused_ == 0 ? kExitDone : kExitDifference; }

 private:
  /// A message that cannot be decoded belongs to the row in its key.
  bool Wants(const TopicTail::Message& message) const {
    if (FlagIsGiven("partition") && message.partition != FLAGS_partition) return false;
    return !row_ || (message.event.row.empty() ? message.key : message.event.row) == *row_;
  }

  const std::optional<std::string> row_ = FLAGS_row.empty() ? std::nullopt : std::optional(*Unescape(FLAGS_row));
  const std::string writer_ = consumer::NeedsOneWorker(FormatOfFlag()) ? "the HBase Kafka proxy" : "fensi";
  int64_t messages_ = 0;
  int64_t refused_ = 0;
};

Result<int> Tail(const Arguments& arguments) {
  if (std::string fault = FaultOfTopicName(arguments[0]); !fault.empty()) {
    return Status(StatusCode::kInvalidArgument, fault);
  }
  if (FLAGS_last > 0 && !FLAGS_from.empty()) return operations::FlagsExclude("--last", "--from");
  consumer::TopicTailOptions options;
  options.cluster = NamedCluster();
  options.topic = arguments[0];
  options.until_end = FLAGS_until_end;
  options.connect_timeout = std::chrono::seconds(FLAGS_connect_timeout_s);
  options.format = FormatOfFlag();
  FENSI_ASSIGN_OR_RETURN(options.from, From(options.topic));
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<TopicTail> tail, TopicTail::Create(options));
  Printer printer;
  std::optional<Deadline> until_flush(kFlushPause);
  while (!printer.full()) {
    if (until_flush->over()) {
      FENSI_RETURN_IF_ERROR(FinishOutput());
      until_flush.emplace(kFlushPause);
    }
    FENSI_ASSIGN_OR_RETURN(const TopicTail::Outcome outcome, tail->Next(std::chrono::milliseconds(200)));
    if (std::holds_alternative<TopicTail::End>(outcome)) break;
    if (const auto* message = std::get_if<TopicTail::Message>(&outcome)) {
      printer.Take(*message);
    } else {
      FENSI_RETURN_IF_ERROR(FinishOutput());  // a reader of the pipe sees all there is before we wait
    }
  }
  return printer.exit_code();
}

}  // namespace

Command TailCommand() {
  Command command;
  command.name = "tail";
  command.summary = "print the events of a topic";
  command.arguments = "TOPIC";
  command.min_arguments = command.max_arguments = 1;
  command.description =
      "Prints the events of a topic as JSON lines, in the form that 'fensi publish' reads. Without --until_end and "
      "--max_events, the command waits for new messages without end. With --last, the output begins with the last "
      "messages of each partition. With --row or --partition, the command prints only the messages of one row or "
      "partition. Requests of 'fensi backfill' and 'fensi repair' are lines with \"kind\": \"image\" or \"kind\": "
      "\"recheck\". 'fensi publish' also accepts requests. Watermarks are lines with \"kind\": \"mark\". 'fensi "
      "publish' refuses watermarks. The command uses no consumer group and commits no offset. If a message is "
      "neither event, request nor watermark, fensi names the message on standard error, and the exit code is 1.";
  command.flags = FlagUses(
      "kafka! from last until_end max_events partition row kafka_format kafka_property kafka_property_file "
      "connect_timeout_s");
  SetMeaning(&command, "row", "print only messages of this source row (\\xNN for bytes)");
  SetMeaning(&command, "from",
             "position to start at: 'earliest', 'latest', an offset, or a time. Examples of a time are "
             "2026-01-31T12:00:00Z, 2026-01-31T20:00+08:00, 'now' and '-1d' (a day ago) (default: 'earliest')");
  command.examples = {{"fensi tail guanzhu --kafka 127.0.0.1:9092 --until_end", "prints all events of the topic"},
                      {"fensi tail guanzhu --kafka 127.0.0.1:9092 --last 10 --until_end",
                       "prints the last ten messages of each partition"},
                      {"fensi tail guanzhu --kafka 127.0.0.1:9092 --row a --until_end", "prints the events of row a"},
                      {"fensi tail guanzhu --kafka 127.0.0.1:9092 --from latest", "prints new events as they come"}};
  command.run = Tail;
  return command;
}

}  // namespace fensi::cli
