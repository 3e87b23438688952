// How often a message was parked as a dead letter and sent again: a header of it, so that its key and value stay what
// they were and a message that comes back for ever is noticed. Pure.
#pragma once

#include <librdkafka/rdkafka.h>

#include <cstdint>

namespace fensi::consumer {

inline constexpr char kReplaysHeader[] = "fensi-replays";

/// 0 where the header is missing or no decimal number.
uint32_t ReplaysOf(const rd_kafka_message_t& message);

}  // namespace fensi::consumer
