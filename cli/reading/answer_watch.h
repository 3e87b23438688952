// Shows an answer that is read again and again, and its changes since the last time.
//
// Holds the lines of the answer, up to a bound; one thread, blocks only on standard output.
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

  /// A line of the current answer.
  void Add(std::string_view line);
  /// kInvalidArgument from the line on that exceeds the bound: stop reading.
  Status Fits() const;
  /// The answer is complete: prints added and removed lines; the first time all of it. Fails as Fits.
  Status Show();
  /// A view of the store that refuses calls as soon as the answer exceeds the bound, or the reader of the output has
  /// left. Both outlive it.
  std::unique_ptr<store::Store> WhileWanted(store::Store* store) const;

 private:
  enum class Change { kIs, kCame, kWent };
  void PrintLine(Change change, const std::string& line) const;

  const bool json_;
  bool first_ = true;
  std::atomic<bool> too_large_ = false;  // read by threads of a store, too
  size_t bytes_ = 0;                     // of now_
  std::set<std::string, std::less<>> before_, now_;
};

}  // namespace fensi::cli
