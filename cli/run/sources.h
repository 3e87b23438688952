// From --source and --dead_letters to a change stream and a place for dead letters. Blocks only on the file system.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "consumer/change_source.h"
#include "consumer/dead_letters.h"
#include "consumer/kafka/group_state.h"
#include "mapping/index.h"

namespace fensi::cli {

bool SourceIsKafka();
/// A run of it ends by itself: a file without --follow, standard input, and a topic with --until_end.
bool SourceEnds();
/// Standard input can be read once only.
bool SourceIsStandardInput();

/// kInvalidArgument: flags of the source contradict each other, or do not fit these indexes.
Status CheckSourceFlags(const std::vector<std::shared_ptr<const mapping::Index>>& indexes);
/// What a run of files remembers of them, behind what it did; empty: they were none.
std::string WhatFilesLeave();

/// A stream for one index alone, with its own consumer group.
struct OpenedSource {
  std::unique_ptr<consumer::ChangeSource> source;
  /// Blocks until the stream's server has answered; kUnavailable when it does not in time. A file answers at once.
  std::function<Status(std::chrono::milliseconds)> wait_reachable;
  /// What ended the stream, with what its server knows of that. May block for some seconds.
  std::function<Status(const Status&)> explain = [](const Status& end) { return end; };
  /// How it stands to its group; absent: a file has none.
  std::function<std::optional<consumer::GroupState>()> group = [] { return std::nullopt; };
};
/// `max_queued_bytes`: of messages that were fetched and not yet taken; a file is read as it is taken.
Result<OpenedSource> OpenSource(const mapping::Index& index, size_t max_queued_bytes);

/// Of --source kafka://…, and of nothing else: the index's stream, and the topic of its dead letters where they have
/// one, are there. Blocks up to `timeout` for each.
Status RequireTopics(const mapping::Index& index, std::chrono::milliseconds timeout);

/// Opens sinks for one index after the other; those of a file are one and the same.
class DeadLetterSinks {
 public:
  /// Whether letters can go where --dead_letters says, as far as can be told before anything is made.
  static Status CheckAsked();
  Result<std::shared_ptr<consumer::DeadLetterSink>> For(const mapping::Index& index);
  /// For messages: "fensi.dead.jsonl", "topic fensi.dead".
  static std::string PlaceText(const mapping::Index& index);
  /// The file that they go to, or empty: a topic.
  static std::string FileOf();
  /// The command that lists them.
  static std::string ListCommand(const mapping::Index& index, const std::string& mapping_path);

 private:
  static Result<std::shared_ptr<consumer::DeadLetterSink>> ForTopic(const std::string& topic);

  std::shared_ptr<consumer::DeadLetterSink> file_;
};

}  // namespace fensi::cli
