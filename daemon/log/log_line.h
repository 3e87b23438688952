// One line of the log: its message, its fields, and its two forms. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "daemon/log/events.h"

namespace fensi::daemon {

/// The fields of a line; empty: absent.
struct LogFields {
  std::string index = {};
  std::string topic = {};
  std::optional<int32_t> partition = {};
  std::optional<int64_t> offset = {};
  std::string table = {};
  std::string server = {};  // address
  std::string code = {};    // kind of an error, as StatusCodeName
};

/// Maximum length of a message; glog cuts lines of 30,000 bytes, and JSON may take six bytes for one.
constexpr size_t kMostMessageBytes = 4000;

struct LogLine {
  Event event;
  std::string message;  // longer ones are cut in both forms, which say so
  LogFields fields = {};
  int64_t time = 0;      // milliseconds since the epoch
  int64_t repeated = 0;  // number of held lines that it stands for; 0: one
};

/// "2026-01-31T12:00:00.123Z warning: text (3 times since the last one)\n". Safe for a terminal, and always one line.
std::string TextOf(const LogLine& line);

/// One object in a line; replaces invalid UTF-8. Only fields that are set.
std::string JsonOf(const LogLine& line);

}  // namespace fensi::daemon
