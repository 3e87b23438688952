// Waits until messages that were sent again are settled: applied, or dead letters again. Blocks; one thread.
#pragma once

#include <chrono>
#include <cstdint>

#include "consumer/kafka/client/topic_admin.h"
#include "mapping/index.h"
#include "operations/dead_letters/dead_letter_log.h"
#include "operations/dead_letters/dead_letter_retry.h"
#include "store/store.h"

namespace fensi::operations {

struct AwaitedEnd {
  int64_t failed_again = 0;
  Place first;  // of the new letters
};

/// A group commits what is applied, and the state says which requests are done, both only behind their letters (M7):
/// what is past is one or the other. kCancelled: it was not in time, or a stop signal came.
Result<AwaitedEnd> AwaitDone(const mapping::Index& index, const DeadLetterRetry::Sent& sent,
                             const DeadLetterLog& parked, consumer::TopicAdmin* admin, store::Store* store,
                             std::chrono::milliseconds timeout);

}  // namespace fensi::operations
