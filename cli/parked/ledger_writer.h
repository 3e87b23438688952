// Notes in a topic of dead letters what was done about some of them. Blocks; one thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/parked/place.h"
#include "consumer/codec/letter_codec.h"
#include "consumer/kafka/placed_producer.h"

namespace fensi::cli {

class LedgerWriter {
 public:
  /// `entry`: all but the letters and the time.
  LedgerWriter(consumer::MessageWriter* writer, std::string topic, consumer::Resolution entry)
      : writer_(writer), topic_(std::move(topic)), entry_(std::move(entry)) {}

  /// An entry for each partition, or several, in which neighbours are a range. Other letters are never between them:
  /// what stands between may be a letter that nobody meant.
  Status Note(const std::vector<Place>& letters);

 private:
  consumer::MessageWriter* const writer_;
  const std::string topic_;
  const consumer::Resolution entry_;
};

}  // namespace fensi::cli
