#include "cli/run/sources.h"

#include "base/clock.h"
#include "cli/flags/flags.h"
#include "consumer/file/file_dead_letters.h"
#include "consumer/file/file_source.h"

namespace fensi::cli {
namespace {

constexpr std::string_view kFile = "file:";
constexpr std::string_view kKafka = "kafka://";
constexpr char kDefaultDeadLetters[] = "fensi.dead.jsonl";

Result<std::unique_ptr<consumer::ChangeSource>> OpenFile(const std::string& path) {
  Result<std::unique_ptr<consumer::FileSource>> source = consumer::FileSource::Open(path, {});
  if (!source.ok()) return source.status();
  return std::unique_ptr<consumer::ChangeSource>(std::move(*source));
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

Result<std::unique_ptr<consumer::ChangeSource>> OpenSource(const mapping::Index&) {
  if (!SourceIsKafka()) return OpenFile(FLAGS_source.substr(kFile.size()));
  return Status(StatusCode::kInvalidArgument, "a Kafka source is not supported yet");
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
