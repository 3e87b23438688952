// Reads events, and requests, as JSON lines from standard input. One thread, except for Wake.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/cell.h"
#include "base/status.h"
#include "consumer/codec/json_decoder.h"
#include "consumer/file/line_reader.h"

namespace fensi::cli {

class EventLines {
 public:
  template <typename Item>
  using UseOf = std::function<Status(int64_t line, const Result<Item>& item)>;
  using Use = UseOf<ChangeEvent>;

  static Result<std::unique_ptr<EventLines>> Open();

  /// Calls `use` for every line that is not blank, with its number (from 1) and the event or the error. Blocks until
  /// the input ends, Wake is called, or `use` returns an error.
  Status ForEach(const Use& use);
  /// As ForEach, with requests too, as messages of a topic.
  Status ForEachMessage(const UseOf<consumer::JsonMessage>& use);
  /// Ends ForEach after the lines in memory. Any thread; returns at once.
  void Wake() { reader_->Wake(); }

 private:
  template <typename Item>
  Status ForEachItem(const UseOf<Item>& use);
  explicit EventLines(std::unique_ptr<consumer::LineReader> reader) : reader_(std::move(reader)) {}

  const std::unique_ptr<consumer::LineReader> reader_;
};

Status ForEachEventLine(const EventLines::Use& use);

/// Says on standard error that events are expected, if standard input is a terminal.
void PromptOnTerminal();

}  // namespace fensi::cli
