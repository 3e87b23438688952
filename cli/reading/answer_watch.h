// An answer that is read again and again, and what changed of it since the last time.
//
// Holds the lines of the answer, of which there may be so many; one thread, blocks on nothing but standard output.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "base/status.h"
#include "store/store.h"

namespace fensi::cli {

class AnswerWatch {
 public:
  /// `json`: lines are JSON objects.
  explicit AnswerWatch(bool json) : json_(json) {}

  /// A line of the answer as it is read now.
  void Add(std::string_view line);
  /// kInvalidArgument from the line on that is more than may be held: reading on would be of no use.
  Status Fits() const;
  /// The answer was read to its end: prints what came and what went; the first time all of it. Fails as Fits.
  Status Show();
  /// A view of the store that refuses calls as soon as the answer does not fit, or nobody reads the output any more.
  /// Outlived by both.
  std::unique_ptr<store::Store> WhileWanted(store::Store* store) const;

 private:
  enum class Change { kIs, kCame, kWent };
  void PrintLine(Change change, const std::string& line) const;

  const bool json_;
  bool first_ = true;
  std::atomic<bool> too_large_ = false;  // threads of a store ask, too
  size_t bytes_ = 0;                     // of now_
  std::set<std::string, std::less<>> before_, now_;
};

}  // namespace fensi::cli
