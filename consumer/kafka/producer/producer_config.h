// The configuration of every producer of fensi: idempotent, acknowledged by all replicas, partitioned by murmur2 of the
// key as Java does.
#pragma once

#include <chrono>

#include "consumer/kafka/client/client_config.h"

namespace fensi::consumer {

struct EventProducerOptions {
  KafkaCluster cluster;
  size_t max_queued_bytes = 64 << 20;
  std::chrono::milliseconds linger{5};
  std::chrono::milliseconds connect_timeout{10'000};   // of the first Send to a topic
  std::chrono::milliseconds delivery_timeout{30'000};  // a message that takes longer is an error
};

/// `more`: defaults and fixed settings of one kind of producer.
Result<ConfHandle> ProducerConfig(const EventProducerOptions& options, const Defaults& more_defaults = {},
                                  const Fixed& more_fixed = {});

}  // namespace fensi::consumer
