// The console of the program: data to stdout, messages and progress to stderr.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <utility>

#include "operations/console/console.h"

namespace fensi::cli {

/// Thread-safe line by line; blocks when the reader of a pipe is slow.
class TerminalConsole final : public operations::Console {
 public:
  /// `color`: always, never or auto, for diagnostics of mapping files.
  explicit TerminalConsole(std::string color) : color_(std::move(color)) {}

  void Print(std::string_view text) override;
  void Say(std::string_view text) override;
  void Diagnose(std::string_view text) override;
  Status Flush() override;
  bool MayDraw() const override;
  void Draw(std::string_view line) override;
  void Erase() override;
  void WriteAbove(std::string_view line) override;

 private:
  const std::string color_;
  std::atomic<bool> drawn_ = false;
};

}  // namespace fensi::cli
