// The right to a partition, ours until a test says otherwise. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "consumer/change_source.h"

namespace fensi {

class FakeAssignment final : public consumer::Assignment {
 public:
  explicit FakeAssignment(std::string topic = "source.changes", int32_t partition = 0, int32_t partition_count = 1)
      : topic_(std::move(topic)), partition_(partition), partition_count_(partition_count) {}

  const std::string& topic() const override { return topic_; }
  int32_t partition() const override { return partition_; }
  int32_t partition_count() const override { return partition_count_; }
  Status Check() const override {
    const StatusCode code = code_;
    return code == StatusCode::kOk ? Status() : Status(code, "partition " + std::to_string(partition_) + " is lost");
  }

  /// What Check says from now on; who is fenced stays so.
  void Fail(StatusCode code) {
    if (code_ != StatusCode::kFenced) code_ = code;
  }
  /// Somebody else has the partition.
  void Lose() { Fail(StatusCode::kFenced); }

 private:
  const std::string topic_;
  const int32_t partition_;
  const int32_t partition_count_;
  std::atomic<StatusCode> code_ = StatusCode::kOk;
};

}  // namespace fensi
