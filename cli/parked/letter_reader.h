// Where dead letters are read from: a topic, or a file of JSON lines. Blocks; one thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cli/parked/place.h"
#include "consumer/codec/letter_codec.h"
#include "consumer/kafka/client_config.h"

namespace fensi::cli {

class LetterReader {
 public:
  /// One message, or why it is none of ours. False: it has seen enough.
  using Use = std::function<Result<bool>(const Place& place, Result<consumer::ParkedMessage> message)>;

  virtual ~LetterReader() = default;
  /// Everything that is there now, each partition in its order, or from a place on what is in its partition.
  virtual Status ForEach(const std::optional<Place>& from, const Use& use) = 0;
  /// "topic fensi.dead", "file fensi.dead.jsonl".
  virtual std::string name() const = 0;
};

class TopicLetters final : public LetterReader {
 public:
  /// `silence`: how long the broker may be silent before it is kUnavailable.
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

}  // namespace fensi::cli
