// Keeps what operations and daemons write, for as long as it lives. Thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/mutex.h"
#include "operations/console/console.h"

namespace fensi::operations {

class RecordedConsole final : public Console {
 public:
  RecordedConsole() { UseConsole(this); }
  ~RecordedConsole() override { UseConsole(nullptr); }
  RecordedConsole(const RecordedConsole&) = delete;
  RecordedConsole& operator=(const RecordedConsole&) = delete;

  /// Data, and messages with lines of a log; what was taken is not kept.
  std::string TakeData() { return Take(&data_); }
  std::string TakeMessages() { return Take(&messages_); }

  void Print(std::string_view text) override { Add(&data_, text); }
  void Say(std::string_view text) override { Add(&messages_, std::string(text) + "\n"); }
  void Diagnose(std::string_view text) override { Add(&messages_, text); }
  Status Flush() override { return {}; }
  bool MayDraw() const override { return false; }
  void Draw(std::string_view) override {}
  void Erase() override {}
  void WriteAbove(std::string_view line) override { Add(&messages_, line); }

 private:
  void Add(std::string* to, std::string_view text) {
    const MutexLock lock(mu_);
    *to += text;
  }
  std::string Take(std::string* from) {
    const MutexLock lock(mu_);
    return std::exchange(*from, "");
  }

  Mutex mu_;
  std::string data_, messages_;
};

}  // namespace fensi::operations
