// One line of the log: what it says, what it is about, and its two forms. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/log/events.h"

namespace fensi::cli {

/// What a line is about; empty: not said.
struct LogFields {
  std::string index = {};
  std::string topic = {};
  std::optional<int32_t> partition = {};
  std::optional<int64_t> offset = {};
  std::string table = {};
  std::string server = {};  // address
  std::string code = {};    // kind of an error, as StatusCodeName
};

/// Of a message; glog cuts lines of 30,000 bytes, and JSON may take six for one.
constexpr size_t kMostMessageBytes = 4000;

struct LogLine {
  Event event;
  std::string message;  // what is above kMostMessageBytes is left out of both forms, which say so
  LogFields fields = {};
  int64_t time = 0;      // milliseconds since the epoch
  int64_t repeated = 0;  // for how many lines that were held it stands; 0: for itself
};

/// "2026-01-31T12:00:00.123Z warning: text (3 times since the last one)\n". Neither steers a terminal nor passes for
/// two lines.
std::string TextOf(const LogLine& line);

/// One object in a line; bytes that are no UTF-8 are replaced. Only fields that are set.
std::string JsonOf(const LogLine& line);

}  // namespace fensi::cli
