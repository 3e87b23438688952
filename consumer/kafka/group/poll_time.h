// The time by which the poll thread and the queues decide: Clock::SinceBoot, which a suspended machine does not stop.
#pragma once

#include <chrono>

namespace fensi::consumer {

using PollTime = std::chrono::milliseconds;

}  // namespace fensi::consumer
