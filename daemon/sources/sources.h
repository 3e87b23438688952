// Opens the change stream of a source by its name, and the destination of dead letters. Blocks only on the file system.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "consumer/change_source.h"
#include "consumer/changelog.h"
#include "consumer/codec/event_decoder.h"
#include "consumer/dead_letters.h"
#include "consumer/kafka/client/group_admin.h"
#include "mapping/index.h"
#include "operations/access/kafka.h"
#include "operations/files/recorded_events.h"

namespace fensi::daemon {

struct SourceOptions {
  std::string url;                 // kafka://HOST:PORT[,…], file:PATH, or file:- (standard input)
  bool follow = false;             // a file without end
  bool until_end = false;          // a topic ends where it ended at the start
  operations::CsvColumns csv;      // of files
  operations::KafkaOptions kafka;  // of kafka://
  std::string property_file;       // of librdkafka's settings, for suggested commands
  std::string instance;            // name in the group of each topic; empty: none
  consumer::Format format = consumer::Format::kChangeEvent;
  std::chrono::milliseconds session_timeout{45'000};  // of the group, for a silent member
  std::string dead_letters;  // file:PATH, kafka, or empty: a topic for a topic, otherwise a file
  std::string store_url;     // the default file of dead letters is beside an embedded store

  bool is_kafka() const { return url.starts_with("kafka://"); }
  /// True if a run ends by itself: for a file that is not followed, standard input, and a topic until its end.
  bool ends() const { return is_kafka() ? until_end : !follow; }
  /// True for standard input, which can be read only once.
  bool is_standard_input() const { return url == "file:-"; }
};

/// Begins a message to a person who wants of such a run what only a daemon does.
inline constexpr char kRunHasEnd[] =
    "this 'fensi run' ends at the end of its source (--until_end, or a file without --follow)";

/// kInvalidArgument: options contradict each other, or do not fit these indexes.
Status CheckSource(const SourceOptions& options, const std::vector<std::shared_ptr<const mapping::Index>>& indexes);
/// The remark about files after a run; empty: there were none.
std::string WhatFilesLeave(const SourceOptions& options);

/// A stream for one index alone, with its own consumer group.
struct OpenedSource {
  std::unique_ptr<consumer::ChangeSource> source;
  /// Blocks until the stream's server has answered; kUnavailable on a timeout. A file answers at once.
  std::function<Status(std::chrono::milliseconds)> wait_reachable;
  /// Adds what the stream's server knows to the error that ended it. May block for some seconds.
  std::function<Status(const Status&)> explain = [](const Status& end) { return end; };
  /// Its state in its group; absent: a file has none.
  std::function<std::optional<consumer::GroupState>()> group = [] { return std::nullopt; };
};
/// `max_queued_bytes`: messages that were fetched and not taken yet; a file is read as it is taken.
Result<OpenedSource> OpenSource(const SourceOptions& options, const mapping::Index& index, size_t max_queued_bytes);

/// For a topic only: checks that the index's stream exists, and the topic of its dead letters if they have one. Blocks
/// up to `timeout` for each.
Status RequireTopics(const SourceOptions& options, const mapping::Index& index, std::chrono::milliseconds timeout);

/// The topic of the index's changelog; null: the index has none. Blocks only on the file system.
std::shared_ptr<consumer::Changelog> OpenChangelog(const SourceOptions& options, const mapping::Index& index);

/// Opens sinks for one index after the other; all sinks of a file are the same.
class DeadLetterSinks {
 public:
  explicit DeadLetterSinks(SourceOptions options) : options_(std::move(options)) {}

  /// Checks that dead letters can be written to `dead_letters`, as far as possible before anything is created.
  Status CheckAsked() const;
  Result<std::shared_ptr<consumer::DeadLetterSink>> For(const mapping::Index& index);
  /// For messages: "fensi.dead.jsonl", "topic fensi.dead".
  std::string PlaceText(const mapping::Index& index) const;
  /// Their file; empty: a topic.
  std::string FileOf() const;
  /// The command that lists them.
  std::string ListCommand(const mapping::Index& index, const std::string& mapping_path) const;

 private:
  Result<std::shared_ptr<consumer::DeadLetterSink>> ForTopic(const std::string& topic) const;

  const SourceOptions options_;
  std::shared_ptr<consumer::DeadLetterSink> file_;
};

}  // namespace fensi::daemon
