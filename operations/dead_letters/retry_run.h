// Runs a replay of dead letters for a command: its requirements, its plan, its work and its result.
//
// Blocks on Kafka and on the store; one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "consumer/codec/event_decoder.h"
#include "mapping/index.h"
#include "operations/access/kafka.h"
#include "operations/access/stores.h"
#include "operations/dead_letters/dead_letter_log.h"
#include "operations/dead_letters/letter_filter.h"

namespace fensi::operations {

struct ReplayWish {
  StoreOptions store;
  KafkaOptions kafka;  // Kafka of the stream
  LetterFilter filter;
  bool ended_too = false;  // includes dead letters that were replayed or dropped
  int64_t most = 0;        // maximum number; 0: all
  bool force = false;      // also if it may change what was written later
  bool execute = false;
  std::string reason;              // for the ledger
  std::chrono::seconds wait{600};  // for the outcome; 0: no wait
  consumer::Format format = consumer::Format::kChangeEvent;
  std::function<void()> say_the_line;  // prints the command line that executes the plan
};

/// Returns the exit code. The ledger must be read before. Execute only after BlockStopSignals.
Result<int> RetryDeadLetters(const mapping::Index& index, const DeadLetterLog& parked, ReplayWish wish);

}  // namespace fensi::operations
