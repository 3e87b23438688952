// Records in a topic of dead letters what was done with some of them. Blocks; one thread.
#pragma once

#include <string>
#include <vector>

#include "consumer/codec/letter_codec.h"
#include "consumer/kafka/producer/partitioned_producer.h"
#include "operations/dead_letters/place.h"

namespace fensi::operations {

class LedgerWriter {
 public:
  /// `entry`: everything but the dead letters and the time.
  LedgerWriter(consumer::MessageWriter* writer, std::string topic, consumer::Resolution entry)
      : writer_(writer), topic_(std::move(topic)), entry_(std::move(entry)) {}

  /// Writes one entry or several per partition, with ranges of neighbours. A range never spans other messages: they may
  /// be dead letters that were not meant.
  Status Note(const std::vector<Place>& letters);

 private:
  consumer::MessageWriter* const writer_;
  const std::string topic_;
  const consumer::Resolution entry_;
};

}  // namespace fensi::operations
