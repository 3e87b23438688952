#include "base/clock.h"
#include "cli/access/kafka.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/program/output.h"
#include "cli/reading/event_lines.h"
#include "consumer/kafka/event_producer.h"

namespace fensi::cli {
namespace {

using consumer::EventProducer;
using std::chrono::milliseconds;

/// Sends events and says how fast, every 10 s and at the end.
class Publisher {
 public:
  Publisher(EventProducer* producer, const std::string& topic)
      : producer_(producer), topic_(topic), start_(Now()), next_report_(start_ + kReportPause) {}

  Status Take(int64_t line, const Result<ChangeEvent>& event) {
    if (!event.ok()) {
      ++refused_;
      Say("publish: line " + std::to_string(line) + ": " + event.status().message());
      return Status();
    }
    FENSI_RETURN_IF_ERROR(producer_->SendEvent(topic_, *event));
    ++sent_;
    if (Now() >= next_report_) Report();
    return Status();
  }

  void Report() {
    next_report_ = Now() + kReportPause;
    const double seconds = static_cast<double>((Now() - start_).count()) / 1000.0;
    std::string text = "publish: " + Counted(sent_, "event") + " to " + topic_;
    if (seconds >= 0.5) text += ", " + WithCommas(static_cast<int64_t>(static_cast<double>(sent_) / seconds)) + "/s";
    Say(refused_ == 0 ? text : text + "; " + Counted(refused_, "line") + " refused");
  }

  int64_t refused() const { return refused_; }

 private:
  static constexpr milliseconds kReportPause{10'000};
  static milliseconds Now() { return SystemClock()->SinceBoot(); }

  EventProducer* const producer_;
  const std::string& topic_;
  const milliseconds start_;
  milliseconds next_report_;
  int64_t sent_ = 0;
  int64_t refused_ = 0;
};

Result<int> Publish(const Arguments& arguments) {
  consumer::EventProducerOptions options;
  options.cluster = NamedCluster();
  options.connect_timeout = std::chrono::seconds(FLAGS_connect_timeout_s);
  const Result<std::unique_ptr<EventProducer>> producer = EventProducer::Create(options);
  if (!producer.ok()) return producer.status();
  Publisher publisher(producer->get(), arguments[0]);
  const auto take = [&](int64_t line, const Result<ChangeEvent>& event) { return publisher.Take(line, event); };
  const Status read = ForEachEventLine(take);
  // What was taken before an error is delivered all the same, so that the count is the truth.
  const Status flushed = (*producer)->Flush();
  FENSI_RETURN_IF_ERROR(read);
  FENSI_RETURN_IF_ERROR(flushed);
  publisher.Report();
  return publisher.refused() == 0 ? kExitDone : kExitDifference;
}

}  // namespace

Command PublishCommand() {
  Command command;
  command.name = "publish";
  command.summary = "write events from standard input to a topic";
  command.arguments = "TOPIC";
  command.min_arguments = command.max_arguments = 1;
  command.description =
      "Reads events as JSON lines from standard input and writes them to a topic, keyed by row. A line that is no "
      "event is "
      "named and left out; the others are written and the exit code is 1.";
  command.flags = {{"kafka", true}, {"kafka_property"}, {"connect_timeout_s"}};
  command.examples = {{"fensi publish guanzhu --kafka 127.0.0.1:9092 < events.jsonl", "publishes a recorded file"}};
  command.run = Publish;
  return command;
}

}  // namespace fensi::cli
