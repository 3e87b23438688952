#include "cli/run/sources.h"

#include <filesystem>
#include <system_error>

#include "base/clock.h"
#include "cli/access/kafka.h"
#include "cli/access/stores.h"
#include "cli/files/file_names.h"
#include "cli/files/recorded_events.h"
#include "cli/flags/flags.h"
#include "cli/log/log.h"
#include "cli/program/who.h"
#include "consumer/file/file_dead_letters.h"
#include "consumer/file/file_source.h"
#include "consumer/kafka/kafka_dead_letters.h"
#include "consumer/kafka/kafka_source.h"
#include "consumer/kafka/topic_admin.h"

namespace fensi::cli {
namespace {

constexpr std::string_view kFile = "file:";
constexpr std::string_view kKafka = "kafka://";
constexpr char kDefaultDeadLetters[] = "fensi.dead.jsonl";

using std::chrono::milliseconds;

Result<OpenedSource> OpenFiles(const mapping::Index& index) {
  const Result<std::vector<std::string>> files = FilesNamed(FLAGS_source.substr(kFile.size()));
  FENSI_RETURN_IF_ERROR(files.status());
  consumer::FileSourceOptions options;
  options.follow = FLAGS_follow;
  options.name_lost = [name = index.name()](const Status& why) {
    Log("file_lost",
        "index " + name + " waits for a file to follow: " + why.words() + "; it goes on as soon as there is one",
        {.index = name});
  };
  options.csv = CsvOfFlags(index.source_table());
  Result<std::unique_ptr<consumer::FileSource>> source = consumer::FileSource::Open(*files, options);
  FENSI_RETURN_IF_ERROR(source.status());
  return OpenedSource{std::move(*source), [](milliseconds) { return Status(); }};
}

bool DeadLettersGoToKafka() { return FLAGS_dead_letters == "kafka" || (FLAGS_dead_letters.empty() && SourceIsKafka()); }

/// Beside an embedded store, wherever the run was started; a store of servers has no such place.
std::string DefaultDeadLetterPath() {
  namespace fs = std::filesystem;
  if (!StoreIsEmbedded(FLAGS_store)) return kDefaultDeadLetters;
  const std::string folder = FLAGS_store.substr(FLAGS_store.find(':') + 1);
  std::error_code fault;
  const fs::path here = fs::current_path(fault);
  const fs::path beside = ((here / folder).lexically_normal() / "").parent_path().parent_path();
  return fault || beside == here ? kDefaultDeadLetters : (beside / kDefaultDeadLetters).string();
}

std::string DeadLetterPath() {
  return FLAGS_dead_letters.empty() ? DefaultDeadLetterPath() : FLAGS_dead_letters.substr(kFile.size());
}

/// A topic of dead letters that is missing is found at the start and not with the first letter.
Status RequireTopic(const std::string& topic, milliseconds timeout) {
  const Result<std::unique_ptr<consumer::TopicAdmin>> admin = consumer::TopicAdmin::Create(SourceCluster(), timeout);
  if (!admin.ok()) return admin.status();
  return (*admin)->Partitions(topic).status();
}

/// An index made by an older fensi has none. Told once, at the start.
Status TellOfRequests(const std::string& topic, const std::string& index, milliseconds timeout) {
  const Status found = RequireTopic(topic, timeout);
  if (found.code() != StatusCode::kNotFound && found.code() != StatusCode::kPermission) return found;
  Log("no_requests",
      "index " + index + " reads no requests (" + found.words() +
          "): it works without, but cannot be asked for a backfill or a repair. 'fensi create --kafka … --execute' "
          "makes the topic; the next start reads it",
      {.index = index, .topic = topic});
  return Status();
}

/// Who took our name is known to the group alone. It is a fault of the configuration: a daemon that came again by
/// itself would take the name back, and so without end.
Status NameBothMembers(const std::string& group, const Status& end) {
  constexpr milliseconds kLongest{5000};
  if (end.code() != StatusCode::kFenced || FLAGS_instance.empty()) return end;
  std::string other = "at an address that Kafka did not tell";
  const Result<std::unique_ptr<consumer::TopicAdmin>> admin = consumer::TopicAdmin::Create(SourceCluster(), kLongest);
  if (admin.ok()) {
    const Result<consumer::GroupDescription> described = (*admin)->groups().DescribeGroup(group);
    const bool known = described.ok() && described->hosts.contains(FLAGS_instance);
    if (known) other = "on " + described->hosts.at(FLAGS_instance);
  }
  return Status(StatusCode::kConfiguration, end.words() + (" (--instance " + FLAGS_instance + ": this one is on " +
                                                           MachineName() + ", the other " + other + ")"));
}

Result<OpenedSource> OpenKafka(const mapping::Index& index, size_t max_queued_bytes) {
  consumer::KafkaSourceOptions options;
  options.cluster = SourceCluster();
  options.topic = index.topic();
  options.group = index.group();
  options.instance = FLAGS_instance;
  options.format = FormatOfFlag();
  if (options.format == consumer::Format::kChangeEvent) options.requests_topic = index.requests_topic();
  options.until_end = FLAGS_until_end;
  options.max_queued_bytes = max_queued_bytes;
  options.session_timeout = milliseconds(FLAGS_kafka_session_timeout_ms);
  options.fence_margin = options.session_timeout / 3;
  Result<std::unique_ptr<consumer::KafkaSource>> source = consumer::KafkaSource::Create(options);
  if (!source.ok()) return source.status();
  const LogFields about{.index = index.name(), .topic = index.topic()};
  Log("reads_topic", "index " + about.index + " reads topic " + about.topic + " with " + consumer::ClientVersion(),
      about);
  const std::string warning = consumer::ClientWarning(options.cluster);
  if (!warning.empty()) Log("kafka_client_unfit", warning, about);
  consumer::KafkaSource* kafka = source->get();
  const std::string letters = DeadLettersGoToKafka() ? index.dead_letter_topic() : "";
  const auto wait_reachable = [kafka, letters, name = index.name(),
                               requests = options.requests_topic](milliseconds timeout) {
    FENSI_RETURN_IF_ERROR(kafka->WaitReachable(timeout));
    if (!requests.empty()) FENSI_RETURN_IF_ERROR(TellOfRequests(requests, name, timeout));
    return letters.empty() ? Status() : RequireTopic(letters, timeout);
  };
  return OpenedSource{std::move(*source), wait_reachable,
                      [group = options.group](const Status& end) { return NameBothMembers(group, end); },
                      [kafka] { return std::optional(kafka->group()); }};
}

}  // namespace

bool SourceIsKafka() { return FLAGS_source.starts_with(kKafka); }

bool SourceEnds() { return SourceIsKafka() ? FLAGS_until_end : !FLAGS_follow; }

bool SourceIsStandardInput() { return FLAGS_source == "file:-"; }

Result<OpenedSource> OpenSource(const mapping::Index& index, size_t max_queued_bytes) {
  return SourceIsKafka() ? OpenKafka(index, max_queued_bytes) : OpenFiles(index);
}

Status CheckSourceFlags(const std::vector<std::shared_ptr<const mapping::Index>>& indexes) {
  const bool csv = !FLAGS_csv_row.empty();
  if (SourceIsKafka() && (FLAGS_follow || csv)) {
    return InvalidArgument("--follow and --csv_row are for files; a topic has no end, and one form for its messages");
  }
  if (FLAGS_follow && FLAGS_until_end) return InvalidArgument("--follow and --until_end contradict each other");
  if (!FLAGS_instance.empty() &&
      (SourceEnds() || !SourceIsKafka() || FormatOfFlag() != consumer::Format::kChangeEvent)) {
    return InvalidArgument(
        "--instance is the name of a daemon in the groups of its topics: a run of a file, one with --until_end, and "
        "the "
        "only reader of a topic (--kafka_format) have none");
  }
  FENSI_RETURN_IF_ERROR(CheckCsvFlags());
  if (csv && FLAGS_follow && FLAGS_csv_time.empty()) {
    return InvalidArgument(
        "--follow of CSV needs --csv_time: rows that are written later are newer by their own times only");
  }
  for (const auto& index : indexes) {
    if (!csv || index->source_table() == indexes.front()->source_table()) continue;
    return InvalidArgument("CSV holds rows of one table, and the indexes are of " + indexes.front()->source_table() +
                           " and " + index->source_table() + "; choose with --index");
  }
  return {};
}

std::string WhatFilesLeave() {
  if (SourceIsKafka() || SourceIsStandardInput()) return "";
  return "; the place in the file is not kept: another run reads it from its first line, which changes nothing";
}

Status RequireTopics(const mapping::Index& index, milliseconds timeout) {
  if (!SourceIsKafka()) return {};
  FENSI_RETURN_IF_ERROR(RequireTopic(index.topic(), timeout));
  return DeadLettersGoToKafka() ? RequireTopic(index.dead_letter_topic(), timeout) : Status();
}

Status DeadLetterSinks::CheckAsked() {
  if (FLAGS_dead_letters.empty()) return Status();
  if (!DeadLettersGoToKafka()) return consumer::FileDeadLetters(DeadLetterPath(), SystemClock()).CheckPlace();
  if (SourceIsKafka()) return Status();
  return Status(StatusCode::kInvalidArgument,
                "--dead_letters=kafka needs a Kafka source; write --dead_letters=file:PATH");
}

Result<std::shared_ptr<consumer::DeadLetterSink>> DeadLetterSinks::For(const mapping::Index& index) {
  if (DeadLettersGoToKafka()) return ForTopic(index.dead_letter_topic());
  if (file_ == nullptr) {
    const auto file = std::make_shared<consumer::FileDeadLetters>(DeadLetterPath(), SystemClock());
    const Status place = file->CheckPlace();
    // Nobody asked for the default, and there may never be a letter.
    if (!place.ok()) Log("letters_unwritable", place.words() + "; --dead_letters names another place");
    file_ = file;
  }
  return file_;
}

Result<std::shared_ptr<consumer::DeadLetterSink>> DeadLetterSinks::ForTopic(const std::string& topic) {
  consumer::KafkaDeadLettersOptions options;
  options.producer.cluster = SourceCluster();
  options.producer.max_queued_bytes = 4 << 20;
  options.topic = topic;
  Result<std::unique_ptr<consumer::KafkaDeadLetters>> letters =
      consumer::KafkaDeadLetters::Create(options, SystemClock());
  if (!letters.ok()) return letters.status();
  return std::shared_ptr<consumer::DeadLetterSink>(std::move(*letters));
}

std::string DeadLetterSinks::PlaceText(const mapping::Index& index) {
  return DeadLettersGoToKafka() ? "topic " + index.dead_letter_topic() : DeadLetterPath();
}

std::string DeadLetterSinks::FileOf() { return DeadLettersGoToKafka() ? "" : DeadLetterPath(); }

std::string DeadLetterSinks::ListCommand(const mapping::Index& index, const std::string& mapping_path) {
  return "fensi parked list " + mapping_path + " " + index.name() +
         (DeadLettersGoToKafka() ? " --source " + FLAGS_source : " --dead_letters file:" + DeadLetterPath());
}

}  // namespace fensi::cli
