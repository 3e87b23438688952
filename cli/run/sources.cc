#include "cli/run/sources.h"

#include "base/clock.h"
#include "cli/flags/flags.h"
#include "cli/kafka.h"
#include "consumer/file/file_dead_letters.h"
#include "consumer/file/file_source.h"
#include "consumer/kafka/kafka_source.h"

namespace fensi::cli {
namespace {

constexpr std::string_view kFile = "file:";
constexpr std::string_view kKafka = "kafka://";
constexpr std::string_view kProxyFormat = "hbase_kafka_proxy";
constexpr char kDefaultDeadLetters[] = "fensi.dead.jsonl";

using std::chrono::milliseconds;

Result<OpenedSource> OpenFile(const std::string& path) {
  Result<std::unique_ptr<consumer::FileSource>> source = consumer::FileSource::Open(path, {});
  if (!source.ok()) return source.status();
  return OpenedSource{std::move(*source), [](milliseconds) { return Status(); }};
}

Result<OpenedSource> OpenKafka(const mapping::Index& index) {
  consumer::KafkaSourceOptions options;
  options.cluster = SourceCluster();
  options.topic = index.topic();
  options.group = index.group();
  if (FLAGS_kafka_format == kProxyFormat) options.format = consumer::Format::kHBaseKafkaProxy;
  options.until_end = FLAGS_until_end;
  options.max_queued_bytes = static_cast<size_t>(FLAGS_max_queued_mb) << 20;
  options.session_timeout = milliseconds(FLAGS_kafka_session_timeout_ms);
  Result<std::unique_ptr<consumer::KafkaSource>> source = consumer::KafkaSource::Create(options);
  if (!source.ok()) return source.status();
  consumer::KafkaSource* kafka = source->get();
  return OpenedSource{std::move(*source), [kafka](milliseconds patience) { return kafka->WaitReachable(patience); }};
}

bool DeadLettersGoToKafka() {
  return FLAGS_dead_letters == "kafka" || (FLAGS_dead_letters.empty() && SourceIsKafka());
}

std::string DeadLetterPath() {
  return FLAGS_dead_letters.empty() ? kDefaultDeadLetters : FLAGS_dead_letters.substr(kFile.size());
}

}  // namespace

bool SourceIsKafka() { return FLAGS_source.starts_with(kKafka); }

bool SourceIsStandardInput() { return FLAGS_source == "file:-"; }

Result<OpenedSource> OpenSource(const mapping::Index& index) {
  return SourceIsKafka() ? OpenKafka(index) : OpenFile(FLAGS_source.substr(kFile.size()));
}

Result<std::shared_ptr<consumer::DeadLetterSink>> DeadLetterSinks::For(const mapping::Index&) {
  if (DeadLettersGoToKafka()) {
    return Status(StatusCode::kInvalidArgument, "dead letters in Kafka are not supported yet");
  }
  if (file_ == nullptr) file_ = std::make_shared<consumer::FileDeadLetters>(DeadLetterPath(), SystemClock());
  return file_;
}

std::string DeadLetterSinks::PlaceText(const mapping::Index& index) {
  return DeadLettersGoToKafka() ? "topic " + index.dead_letter_topic() : DeadLetterPath();
}

}  // namespace fensi::cli
