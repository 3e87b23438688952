// Waits until messages that were sent again are done, or lie as letters again. Blocks; one thread.
#pragma once

#include <chrono>
#include <cstdint>

#include "cli/parked/parked_letters.h"
#include "cli/parked/replaying.h"
#include "consumer/kafka/topic_admin.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::cli {

struct AwaitedEnd {
  int64_t parked_again = 0;
  Place first;  // of the new letters
};

/// A group commits what is applied, and the state says which requests are done, both only behind their letters (M7):
/// what is past is one or the other. kCancelled: it was not in time, or a stop signal came.
Result<AwaitedEnd> AwaitDone(const mapping::Index& index, const LetterReplay::Sent& sent, const ParkedLetters& parked,
                             consumer::TopicAdmin* admin, store::Store* store, std::chrono::milliseconds timeout);

}  // namespace fensi::cli
