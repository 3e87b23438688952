#include "daemon/sources/sources.h"

#include <filesystem>
#include <system_error>

#include "base/clock.h"
#include "base/who.h"
#include "consumer/file/file_dead_letters.h"
#include "consumer/file/file_source.h"
#include "consumer/kafka/client/topic_admin.h"
#include "consumer/kafka/kafka_changelog.h"
#include "consumer/kafka/kafka_dead_letters.h"
#include "consumer/kafka/kafka_source.h"
#include "daemon/log/log.h"
#include "operations/access/flag_faults.h"
#include "operations/access/stores.h"
#include "operations/files/file_names.h"

namespace fensi::daemon {
namespace {

constexpr std::string_view kFile = "file:";
constexpr char kDefaultDeadLetters[] = "fensi.dead.jsonl";

using std::chrono::milliseconds;

Result<OpenedSource> OpenFiles(const SourceOptions& from, const mapping::Index& index) {
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> files, operations::FilesNamed(from.url.substr(kFile.size())));
  consumer::FileSourceOptions options;
  options.follow = from.follow;
  options.name_lost = [name = index.name()](const Status& why) {
    Log("file_lost",
        "index " + name + " waits, because the followed file is missing or unreadable: " + why.words() +
            ". Put the file back under its name: the index then continues by itself",
        {.index = name});
  };
  options.csv = operations::CsvOf(from.csv, index.source_table());
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<consumer::FileSource> source, consumer::FileSource::Open(files, options));
  return OpenedSource{std::move(source), [](milliseconds) { return Status(); }};
}

bool DeadLettersGoToKafka(const SourceOptions& from) {
  return from.dead_letters == "kafka" || (from.dead_letters.empty() && from.is_kafka());
}

/// Beside an embedded store, wherever the run was started; a store of servers has no such place.
std::string DefaultDeadLetterPath(const std::string& store_url) {
  namespace fs = std::filesystem;
  if (!operations::StoreIsEmbedded(store_url)) return kDefaultDeadLetters;
  const std::string folder = store_url.substr(store_url.find(':') + 1);
  std::error_code fault;
  const fs::path here = fs::current_path(fault);
  const fs::path beside = ((here / folder).lexically_normal() / "").parent_path().parent_path();
  return fault || beside == here ? kDefaultDeadLetters : (beside / kDefaultDeadLetters).string();
}

std::string DeadLetterPath(const SourceOptions& from) {
  return from.dead_letters.empty() ? DefaultDeadLetterPath(from.store_url) : from.dead_letters.substr(kFile.size());
}

/// A missing topic of dead letters is found at the start and not with the first dead letter.
Status RequireTopic(const consumer::KafkaCluster& cluster, const std::string& topic, milliseconds timeout) {
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<consumer::TopicAdmin> admin,
                         consumer::TopicAdmin::Create(cluster, timeout));
  return admin->Partitions(topic).status();
}

/// An index made by an older fensi has none. Told once, at the start.
Status TellOfRequests(const consumer::KafkaCluster& cluster, const std::string& topic, const std::string& index,
                      milliseconds timeout) {
  const Status found = RequireTopic(cluster, topic, timeout);
  if (found.code() != StatusCode::kNotFound && found.code() != StatusCode::kPermission) return found;
  const RedactableText why =
      found.code() == StatusCode::kPermission
          ? "the daemon may not read topic " + topic + ": " + found.words() +
                ". Grant the user of the daemon Read and Describe on this topic"
          : RedactableText("topic " + topic + " does not exist. Enter: fensi create MAPPING --store URL --kafka " +
                           cluster.brokers + " --execute");
  Log("no_requests",
      "index " + index + " works, but 'fensi backfill' and 'fensi repair' cannot reach it, because " + why +
          ", then start 'fensi run' again",
      {.index = index, .topic = topic});
  return Status();
}

/// Who took our name is known to the group alone. It is a fault of the configuration: a daemon that came again by
/// itself would take the name back, and so without end.
Status NameBothMembers(const SourceOptions& from, const std::string& group, const Status& end) {
  constexpr milliseconds kLongest{5000};
  if (end.code() != StatusCode::kFenced || from.instance.empty()) return end;
  std::string other = "on a machine that Kafka does not name";
  const Result<std::unique_ptr<consumer::TopicAdmin>> admin =
      consumer::TopicAdmin::Create(from.kafka.cluster, kLongest);
  if (admin.ok()) {
    const Result<consumer::GroupDescription> described = (*admin)->groups().DescribeGroup(group);
    const bool known = described.ok() && described->hosts.contains(from.instance);
    if (known) other = "on " + described->hosts.at(from.instance);
  }
  return end
      .WithSuffix(". With --instance=" + from.instance + ", this daemon is on " + MachineName() +
                  ", and the other daemon is " + other)
      .As(StatusCode::kConfiguration);
}

Result<OpenedSource> OpenKafka(const SourceOptions& from, const mapping::Index& index, size_t max_queued_bytes) {
  consumer::KafkaSourceOptions options;
  options.cluster = from.kafka.cluster;
  options.topic = index.topic();
  options.group = index.group();
  options.instance = from.instance;
  options.format = from.format;
  if (options.format == consumer::Format::kChangeEvent) options.requests_topic = index.requests_topic();
  options.until_end = from.until_end;
  options.max_queued_bytes = max_queued_bytes;
  options.session_timeout = from.session_timeout;
  options.fence_margin = options.session_timeout / 3;
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<consumer::KafkaSource> source, consumer::KafkaSource::Create(options));
  const LogFields about{.index = index.name(), .topic = index.topic()};
  Log("reads_topic", "index " + about.index + " reads topic " + about.topic + " with " + consumer::ClientVersion(),
      about);
  const std::string warning = consumer::ClientWarning(options.cluster);
  if (!warning.empty()) Log("kafka_client_unfit", warning, about);
  consumer::KafkaSource* kafka = source.get();
  const std::string letters = DeadLettersGoToKafka(from) ? index.dead_letter_topic() : "";
  const std::string changelog = index.changelog() != nullptr ? index.changelog()->topic : "";
  const auto wait_reachable = [kafka, letters, changelog, name = index.name(), requests = options.requests_topic,
                               cluster = options.cluster](milliseconds timeout) {
    FENSI_RETURN_IF_ERROR(kafka->WaitReachable(timeout));
    if (!requests.empty()) FENSI_RETURN_IF_ERROR(TellOfRequests(cluster, requests, name, timeout));
    if (!changelog.empty()) FENSI_RETURN_IF_ERROR(RequireTopic(cluster, changelog, timeout));
    return letters.empty() ? Status() : RequireTopic(cluster, letters, timeout);
  };
  return OpenedSource{std::move(source), wait_reachable,
                      [from, group = options.group](const Status& end) { return NameBothMembers(from, group, end); },
                      [kafka] { return std::optional(kafka->group()); }};
}

}  // namespace

Result<OpenedSource> OpenSource(const SourceOptions& options, const mapping::Index& index, size_t max_queued_bytes) {
  return options.is_kafka() ? OpenKafka(options, index, max_queued_bytes) : OpenFiles(options, index);
}

Status CheckSource(const SourceOptions& options, const std::vector<std::shared_ptr<const mapping::Index>>& indexes) {
  const bool csv = !options.csv.row.empty();
  if (options.is_kafka() && (options.follow || csv)) {
    return operations::FlagsExclude("--follow and --csv_row", "--source=kafka://",
                                    "these flags are for files. Leave them out for a topic");
  }
  if (options.follow && options.until_end) return operations::FlagsExclude("--follow", "--until_end", "");
  if (!options.instance.empty() &&
      (options.ends() || !options.is_kafka() || options.format != consumer::Format::kChangeEvent)) {
    return InvalidArgument(
        "--instance is only for a daemon that reads a change stream of Kafka without end. Leave --instance out with "
        "--source=file:PATH, with --until_end and with --kafka_format");
  }
  FENSI_RETURN_IF_ERROR(operations::CheckCsv(options.csv));
  if (csv && options.follow && options.csv.time.empty()) {
    return operations::FlagRequires("--follow with --csv_row",
                                    "--csv_time, because only the times of the rows say which row is newer");
  }
  for (const auto& index : indexes) {
    if (index->changelog() == nullptr || options.is_kafka()) continue;
    return Status(StatusCode::kConfiguration,
                  "index " + index->name() +
                      " has a changelog in Kafka, and --source is no topic. Give --source=kafka://HOST:PORT, or "
                      "remove 'changelog' from the mapping file");
  }
  for (const auto& index : indexes) {
    if (!csv || index->source_table() == indexes.front()->source_table()) continue;
    return InvalidArgument("a CSV file has rows of one table, and the indexes have the source tables " +
                           indexes.front()->source_table() + " and " + index->source_table() +
                           ". Choose indexes of one source table with --index=NAME");
  }
  return {};
}

std::shared_ptr<consumer::Changelog> OpenChangelog(const SourceOptions& options, const mapping::Index& index) {
  if (index.changelog() == nullptr) return nullptr;
  consumer::KafkaChangelogOptions changelog;
  changelog.producer.cluster = options.kafka.cluster;
  changelog.producer.max_queued_bytes = 16 << 20;
  changelog.topic = index.changelog()->topic;
  changelog.transactional_id = index.group() + "-changelog";
  return std::make_shared<consumer::KafkaChangelog>(std::move(changelog), SystemClock());
}

std::string WhatFilesLeave(const SourceOptions& options) {
  if (options.is_kafka() || options.is_standard_input()) return "";
  return "; the place in the file is not kept: another run reads it from its first line, which changes nothing";
}

Status RequireTopics(const SourceOptions& options, const mapping::Index& index, milliseconds timeout) {
  if (!options.is_kafka()) return {};
  FENSI_RETURN_IF_ERROR(RequireTopic(options.kafka.cluster, index.topic(), timeout));
  if (index.changelog() != nullptr) {
    FENSI_RETURN_IF_ERROR(RequireTopic(options.kafka.cluster, index.changelog()->topic, timeout));
  }
  return DeadLettersGoToKafka(options) ? RequireTopic(options.kafka.cluster, index.dead_letter_topic(), timeout)
                                       : Status();
}

Status DeadLetterSinks::CheckAsked() const {
  if (options_.dead_letters.empty()) return Status();
  if (!DeadLettersGoToKafka(options_))
    return consumer::FileDeadLetters(DeadLetterPath(options_), SystemClock()).CheckPlace();
  if (options_.is_kafka()) return Status();
  return Status(StatusCode::kInvalidArgument,
                "--dead_letters=kafka needs a Kafka source. With a file as source, write --dead_letters=file:PATH");
}

Result<std::shared_ptr<consumer::DeadLetterSink>> DeadLetterSinks::For(const mapping::Index& index) {
  if (DeadLettersGoToKafka(options_)) return ForTopic(index.dead_letter_topic());
  if (file_ == nullptr) {
    const auto file = std::make_shared<consumer::FileDeadLetters>(DeadLetterPath(options_), SystemClock());
    const Status place = file->CheckPlace();
    // Nobody asked for the default, and there may never be a letter.
    if (!place.ok()) {
      Log("dead_letter_file_unwritable", "the first dead letter would stop the index: " + place.words());
    }
    file_ = file;
  }
  return file_;
}

Result<std::shared_ptr<consumer::DeadLetterSink>> DeadLetterSinks::ForTopic(const std::string& topic) const {
  consumer::KafkaDeadLettersOptions options;
  options.producer.cluster = options_.kafka.cluster;
  options.producer.max_queued_bytes = 4 << 20;
  options.topic = topic;
  Result<std::unique_ptr<consumer::KafkaDeadLetters>> letters =
      consumer::KafkaDeadLetters::Create(options, SystemClock());
  if (!letters.ok()) return letters.status();
  return std::shared_ptr<consumer::DeadLetterSink>(std::move(*letters));
}

std::string DeadLetterSinks::PlaceText(const mapping::Index& index) const {
  return DeadLettersGoToKafka(options_) ? "topic " + index.dead_letter_topic() : DeadLetterPath(options_);
}

std::string DeadLetterSinks::FileOf() const { return DeadLettersGoToKafka(options_) ? "" : DeadLetterPath(options_); }

std::string DeadLetterSinks::ListCommand(const mapping::Index& index, const std::string& mapping_path) const {
  return "fensi dead-letters list " + mapping_path + " " + index.name() +
         (DeadLettersGoToKafka(options_) ? " --source " + options_.url
                                         : " --dead_letters file:" + DeadLetterPath(options_));
}

}  // namespace fensi::daemon
