// Limits repeated log lines: a line that comes again within the window is counted, and written once at its end; and an
// index has only a few lines per second.
//
// Pure: the caller passes the time, which never goes back. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "daemon/log/log_line.h"

namespace fensi::daemon {

class LogWindow {
 public:
  using Time = std::chrono::milliseconds;
  /// Lines of an index per second after which others wait; one more may be of those that never wait (Again::kPaced).
  static constexpr size_t kMostASecond = 4;

  /// 0: nothing is held.
  explicit LogWindow(Time window) : window_(window) {}

  /// True: write it now. Otherwise it is held: of held lines of the same event, index and table the last one is
  /// written, with their number.
  bool Take(const LogLine& line, Time now);
  /// Lines that were held long enough, in the order of their times.
  std::vector<LogLine> Due(Time now);
  /// All held lines.
  std::vector<LogLine> Rest();

 private:
  struct Held {
    Time end;
    LogLine last;
    int64_t count = 0;
  };
  using Key = std::tuple<std::string_view, std::string, std::string>;  // event, index, table

  bool IsFull(const std::string& index, Time now);
  void Note(const std::string& index, Time now);

  Time window_;
  std::map<Key, Held> held_;
  std::map<std::string, std::deque<Time>> written_;  // of an index, in the last second
};

}  // namespace fensi::daemon
