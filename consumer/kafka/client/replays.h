// Counts in a message header how often a message was a dead letter and sent again. So its key and value stay the same,
// and a message that comes back for ever is noticed. Pure.
#pragma once

#include <librdkafka/rdkafka.h>

#include <cstdint>

namespace fensi::consumer {

inline constexpr char kReplaysHeader[] = "fensi-replays";

/// 0 if the header is missing or no decimal number.
uint32_t ReplayCountOf(const rd_kafka_message_t& message);

}  // namespace fensi::consumer
