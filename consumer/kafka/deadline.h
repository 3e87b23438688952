// A moment until which several calls, one after the other, may take.
#pragma once

#include <algorithm>
#include <chrono>

namespace fensi::consumer {

class Deadline {
 public:
  explicit Deadline(std::chrono::milliseconds timeout) : end_(std::chrono::steady_clock::now() + timeout) {}

  /// Never below zero.
  std::chrono::milliseconds left() const {
    const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - std::chrono::steady_clock::now());
    return std::max(rest, std::chrono::milliseconds(0));
  }
  bool over() const { return left() == std::chrono::milliseconds(0); }
  /// As librdkafka takes it.
  int left_ms() const { return static_cast<int>(left().count()); }

 private:
  const std::chrono::steady_clock::time_point end_;
};

}  // namespace fensi::consumer
