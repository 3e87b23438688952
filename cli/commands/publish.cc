#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "base/clock.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/flags/value_rules.h"
#include "cli/options/operations_options.h"
#include "cli/reading/event_lines.h"
#include "consumer/kafka/client/topic_admin.h"
#include "operations/access/kafka.h"
#include "operations/jobs/signals.h"
#include "operations/jobs/unless_stopped.h"
#include "operations/publish/publisher.h"

namespace fensi::cli {
namespace {

using consumer::TrackedProducer;

// If the broker does not report the topic's limit: Kafka's default for a client.
constexpr int64_t kUsualMessageBytes = 1'000'000;
constexpr std::chrono::milliseconds kSignalLook{50};
// A stop waits so long for what is on its way.
constexpr std::chrono::milliseconds kLongestStop{3'000};

Result<int64_t> MaxMessageBytes(const std::string& topic) {
  const auto admin = consumer::TopicAdmin::Create(NamedCluster(), std::chrono::seconds(FLAGS_connect_timeout_s));
  if (!admin.ok()) return admin.status();
  FENSI_RETURN_IF_ERROR((*admin)->Partitions(topic).status());  // reports a refused connection here
  const Result<consumer::TopicDescription> found = (*admin)->Describe(topic);
  if (found.status().code() == StatusCode::kPermission) return kUsualMessageBytes;
  if (!found.ok()) return found.status();
  return std::clamp<int64_t>(found->max_message_bytes.value_or(kUsualMessageBytes), 1000, 1'000'000'000);
}

/// Stops a publisher and the reading of its lines at the first signal; the second one, or 3 s, ends its wait.
class StopWatch {
 public:
  StopWatch(operations::Publisher* publisher, EventLines* lines)
      : thread_([this, publisher, lines] {
          while (!done_) {
            if (operations::AwaitStopSignal(kSignalLook) == 0) continue;
            if (++signals_ > 1) continue;
            stopped_at_ = SystemClock()->MonotonicNow();
            publisher->Stop();
            lines->Wake();
          }
        }) {}
  ~StopWatch() {
    done_ = true;
    thread_.join();
  }
  bool hurries() const {
    return signals_ > 1 || (signals_ == 1 && SystemClock()->MonotonicNow() - stopped_at_.load() >= kLongestStop);
  }

 private:
  std::atomic<bool> done_ = false;
  std::atomic<int> signals_ = 0;
  std::atomic<std::chrono::milliseconds> stopped_at_{std::chrono::milliseconds(0)};
  std::thread thread_;
};

Result<std::unique_ptr<operations::Publisher>> OpenPublisher(const std::string& topic) {
  if (std::string fault = FaultOfTopicName(topic); !fault.empty()) {
    return Status(StatusCode::kInvalidArgument, fault);
  }
  FENSI_ASSIGN_OR_RETURN(const int64_t limit, MaxMessageBytes(topic));
  consumer::TrackedProducerOptions options;
  options.producer.cluster = NamedCluster();
  options.max_message_bytes = static_cast<size_t>(limit);
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<TrackedProducer> producer, TrackedProducer::Create(options));
  return std::make_unique<operations::Publisher>(std::move(producer), topic, limit);
}

/// Kafka may take its time to answer; who stops us before that has lost nothing.
Result<std::unique_ptr<operations::Publisher>> OpenUnlessStopped(const std::string& topic) {
  return operations::UnlessStopped(
      [&] { return OpenPublisher(topic); },
      "publish: stopped before Kafka at " + FLAGS_kafka + " answered: fensi has read no line and written no message");
}

Result<int> Publish(const Arguments& arguments) {
  operations::BlockStopSignals();
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<EventLines> lines, EventLines::Open());
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<operations::Publisher> opened, OpenUnlessStopped(arguments[0]));
  operations::Publisher* const publisher = opened.get();
  Status read;
  {
    const StopWatch watch(publisher, lines.get());
    read = lines->ForEachMessage(
        [&](int64_t line, const Result<consumer::JsonMessage>& message) { return publisher->Take(line, message); });
    // Messages that were accepted before an error are still delivered, so that the count is right.
    publisher->Finish([&] { return watch.hurries(); });
  }
  publisher->Report();
  FENSI_RETURN_IF_ERROR(publisher->Rest());
  FENSI_RETURN_IF_ERROR(read);
  return publisher->refused() == 0 ? kExitDone : kExitDifference;
}

}  // namespace

Command PublishCommand() {
  Command command;
  command.name = "publish";
  command.summary = "write events from standard input to a topic";
  command.arguments = "TOPIC";
  command.min_arguments = command.max_arguments = 1;
  command.description =
      "Reads JSON lines from standard input, and writes each line to a topic as a message. The key of a message is "
      "the row. A line is an event, or a request of 'fensi backfill' or 'fensi repair'. If a line is neither an "
      "event nor a request, or is larger than the topic accepts, fensi skips the line. For each skipped line, fensi "
      "prints the line number and the reason. If fensi skipped a line, the exit code is 1. If the command stops "
      "early, the command prints the number of the line at which you can continue.";
  command.flags = FlagUses("kafka! kafka_property kafka_property_file connect_timeout_s");
  command.examples = {
      {"fensi publish guanzhu --kafka 127.0.0.1:9092 < events.jsonl", "publishes the events of the file events.jsonl"}};
  command.run = Publish;
  return command;
}

}  // namespace fensi::cli
