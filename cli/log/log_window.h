// Keeps storms out of the log: a line that comes again within the window is counted, and told once at its end; and in
// no second an index has more than a few lines.
//
// Pure: time is handed in and never goes back. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "cli/log/log_line.h"

namespace fensi::cli {

class LogWindow {
 public:
  using Time = std::chrono::milliseconds;
  /// Lines of an index in any second that make others wait; one more may be of those that never wait (Again::kPaced).
  static constexpr size_t kMostASecond = 4;

  /// 0: nothing is held.
  explicit LogWindow(Time window) : window_(window) {}

  /// Is it to be written now? Else it is held: of those that are held of the same event, index and table the last
  /// one is told, with their number.
  bool Take(const LogLine& line, Time now);
  /// What was held long enough, in the order of its times.
  std::vector<LogLine> Due(Time now);
  /// All that is held, whatever the time.
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

}  // namespace fensi::cli
