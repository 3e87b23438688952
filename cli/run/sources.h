// From --source and --dead_letters to a change stream and a place for dead letters. Blocks only on the file system.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "base/status.h"
#include "consumer/change_source.h"
#include "consumer/dead_letters.h"
#include "mapping/index.h"

namespace fensi::cli {

bool SourceIsKafka();
/// A run of it ends by itself: a file, standard input, and a topic with --until_end.
bool SourceEnds();
/// Standard input can be read once only.
bool SourceIsStandardInput();

/// A stream for one index alone, with its own consumer group.
struct OpenedSource {
  std::unique_ptr<consumer::ChangeSource> source;
  /// Blocks until the stream's server has answered; kUnavailable when it does not in time. A file answers at once.
  std::function<Status(std::chrono::milliseconds)> wait_reachable;
};
/// `max_queued_bytes`: of messages that were fetched and not yet taken; a file is read as it is taken.
Result<OpenedSource> OpenSource(const mapping::Index& index, size_t max_queued_bytes);

/// Opens sinks for one index after the other; those of a file are one and the same.
class DeadLetterSinks {
 public:
  /// Whether letters can go where --dead_letters says, as far as can be told before anything is made.
  static Status CheckAsked();
  Result<std::shared_ptr<consumer::DeadLetterSink>> For(const mapping::Index& index);
  /// For messages: "fensi.dead.jsonl", "topic fensi.dead".
  static std::string PlaceText(const mapping::Index& index);

 private:
  static Result<std::shared_ptr<consumer::DeadLetterSink>> ForTopic(const std::string& topic);

  std::shared_ptr<consumer::DeadLetterSink> file_;
};

}  // namespace fensi::cli
