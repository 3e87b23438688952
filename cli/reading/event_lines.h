// Events as JSON lines on standard input. One thread, but for Wake.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/cell.h"
#include "base/status.h"
#include "consumer/file/line_reader.h"

namespace fensi::cli {

class EventLines {
 public:
  using Use = std::function<Status(int64_t line, const Result<ChangeEvent>& event)>;

  static Result<std::unique_ptr<EventLines>> Open();

  /// Calls `use` for every line that is not blank, with its number (from 1) and the event or why it is none. Blocks
  /// until the input ends, Wake is called, or `use` returns an error.
  Status ForEach(const Use& use);
  /// What is in memory is still used. Any thread; returns at once.
  void Wake() { reader_->Wake(); }

 private:
  explicit EventLines(std::unique_ptr<consumer::LineReader> reader) : reader_(std::move(reader)) {}

  const std::unique_ptr<consumer::LineReader> reader_;
};

Status ForEachEventLine(const EventLines::Use& use);

}  // namespace fensi::cli
