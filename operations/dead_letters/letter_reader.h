// Reads dead letters from a topic, or from a file of JSON lines. Blocks; one thread.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "consumer/codec/letter_codec.h"
#include "consumer/kafka/client/client_config.h"
#include "operations/dead_letters/place.h"

namespace fensi::operations {

class LetterReader {
 public:
  /// Gets one message, or why it is invalid. False: stop reading.
  using Use = std::function<Result<bool>(const Place& place, Result<consumer::DeadLetterMessage> message)>;

  virtual ~LetterReader() = default;
  /// Reads everything that is there now, each partition in its order; or from a position on the rest of its partition.
  virtual Status ForEach(const std::optional<Place>& from, const Use& use) = 0;
  /// "topic fensi.dead", "file fensi.dead.jsonl".
  virtual std::string name() const = 0;
};

class TopicLetters final : public LetterReader {
 public:
  /// `silence`: how long the broker may be silent before kUnavailable.
  TopicLetters(consumer::KafkaCluster cluster, std::string topic, std::chrono::milliseconds silence)
      : cluster_(std::move(cluster)), topic_(std::move(topic)), silence_(silence) {}
  Status ForEach(const std::optional<Place>& from, const Use& use) override;
  std::string name() const override { return "topic " + topic_; }

 private:
  const consumer::KafkaCluster cluster_;
  const std::string topic_;
  const std::chrono::milliseconds silence_;
};

class FileLetters final : public LetterReader {
 public:
  explicit FileLetters(std::string path) : path_(std::move(path)) {}
  Status ForEach(const std::optional<Place>& from, const Use& use) override;
  std::string name() const override { return "file " + path_; }

 private:
  const std::string path_;
};

}  // namespace fensi::operations
