// Every call of ours that waits for an answer of Kafka, by name, for tests of what brokers do to calls.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>

#include "consumer/kafka/client/client_config.h"

namespace fensi::consumer {

using KafkaCall = std::function<Status(const KafkaCluster&)>;

/// On the topic "changes" and the group "g". Each makes a client of its own, and is given `timeout`.
std::map<std::string, KafkaCall> EveryCall(std::chrono::milliseconds timeout);

}  // namespace fensi::consumer
