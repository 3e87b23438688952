// An answer that is read again and again, and what changed of it since the last time.
//
// Holds the lines of the answer, of which there may be so many; one thread, blocks on nothing but standard output.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "base/status.h"

namespace fensi::cli {

class AnswerWatch {
 public:
  /// `json`: lines are JSON objects.
  explicit AnswerWatch(bool json) : json_(json) {}

  /// A line of the answer as it is read now.
  void Add(std::string_view line);
  /// The answer was read to its end: prints what came and what went; the first time all of it. kInvalidArgument: it is
  /// larger than may be held.
  Status Show();

 private:
  enum class Change { kIs, kCame, kWent };
  void PrintLine(Change change, const std::string& line) const;

  const bool json_;
  bool first_ = true;
  bool too_large_ = false;
  size_t bytes_ = 0;  // of now_
  std::set<std::string, std::less<>> before_, now_;
};

}  // namespace fensi::cli
