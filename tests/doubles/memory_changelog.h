// A Changelog in memory that a test can read and break, with Kafka's rule for transactions: who opened a writer of a
// partition last is the only one that can write. Not thread-safe.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "consumer/changelog.h"

namespace fensi::consumer {

class MemoryChangelog final : public Changelog {
 public:
  enum class Death { kNone, kBefore, kAfter };

  /// Asked at every Write, with its number from 1: dies before the messages are durable, or after.
  std::function<Death(int number)> death = [](int) { return Death::kNone; };
  /// Called when messages have become durable.
  std::function<void()> on_write = [] {};
  size_t most_bytes = 100'000;

  std::unique_ptr<ChangelogWriter> WriterOf(int32_t partition, Calls calls) override {
    return std::make_unique<Writer>(this, partition, std::move(calls));
  }

  const std::vector<ChangelogMessage>& messages() const { return messages_; }
  int writes() const { return writes_; }
  int opened() const { return opened_; }

  /// The owner falls asleep in its next Write: nothing is durable, and the owner learns that it lost the partition.
  void KeepBackNext() { keep_back_ = true; }
  /// It wakes up: its messages arrive, unless a successor has fenced it.
  void Release() {
    for (const auto& [key, messages] : kept_back_) {
      if (epochs_[key.first] == key.second) messages_.insert(messages_.end(), messages.begin(), messages.end());
    }
    kept_back_.clear();
  }

 private:
  class Writer final : public ChangelogWriter {
   public:
    Writer(MemoryChangelog* log, int32_t partition, Calls calls)
        : log_(log), partition_(partition), calls_(std::move(calls)) {}

    Status Open() override {
      if (epoch_ != 0) return {};
      epoch_ = ++log_->epochs_[partition_];
      ++log_->opened_;
      return calls_.owned();
    }
    Status Write(std::span<const ChangelogMessage> messages) override {
      FENSI_RETURN_IF_ERROR(calls_.owned());
      if (epoch_ == 0) return Status(StatusCode::kInternal, "the writer was not opened");
      if (messages.empty()) return {};
      const Death death = log_->death(++log_->writes_);
      if (death == Death::kBefore) return Status(StatusCode::kUnavailable, "the owner died (injected)");
      if (std::exchange(log_->keep_back_, false)) {
        log_->kept_back_.push_back({{partition_, epoch_}, {messages.begin(), messages.end()}});
        return Status(StatusCode::kFenced, "the owner fell asleep (injected)");
      }
      if (log_->epochs_[partition_] != epoch_) return Status(StatusCode::kFenced, "a later writer was opened");
      log_->messages_.insert(log_->messages_.end(), messages.begin(), messages.end());
      log_->on_write();
      return death == Death::kAfter ? Status(StatusCode::kUnavailable, "the owner died (injected)") : Status();
    }
    size_t most_bytes() const override { return log_->most_bytes; }

   private:
    MemoryChangelog* const log_;
    const int32_t partition_;
    const Calls calls_;
    int epoch_ = 0;
  };

  std::map<int32_t, int> epochs_;
  std::vector<ChangelogMessage> messages_;
  std::vector<std::pair<std::pair<int32_t, int>, std::vector<ChangelogMessage>>> kept_back_;
  bool keep_back_ = false;
  int writes_ = 0;
  int opened_ = 0;
};

}  // namespace fensi::consumer
