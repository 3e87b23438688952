#include "consumer/kafka/producer/producer_config.h"

#include <algorithm>

namespace fensi::consumer {
namespace {

// librdkafka's overhead per message, measured at some 200 bytes.
constexpr size_t kMessageOverhead = 256;

}  // namespace

Result<ConfHandle> ProducerConfig(const EventProducerOptions& options, const Defaults& more_defaults,
                                  const Fixed& more_fixed) {
  Defaults defaults = {
      {"linger.ms", std::to_string(options.linger.count())},
      {"queue.buffering.max.kbytes", std::to_string(std::max<size_t>(1, options.max_queued_bytes / 1024))},
      {"queue.buffering.max.messages",
       std::to_string(std::max<size_t>(1'000, options.max_queued_bytes / kMessageOverhead))},
      {"delivery.timeout.ms", std::to_string(options.delivery_timeout.count())},
  };
  defaults.insert(more_defaults.begin(), more_defaults.end());
  // M12: the hash of the row key puts all changes of a row into one partition.
  Fixed fixed = {{"enable.idempotence", "true"}, {"acks", "all"}, {"partitioner", "murmur2_random"}};
  fixed.insert(more_fixed.begin(), more_fixed.end());
  return MakeConfig(options.cluster, defaults, fixed);
}

}  // namespace fensi::consumer
