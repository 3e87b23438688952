// How indexes stand now and what they did in the last minute, out of what daemons say each second. Pure, but for the
// time, which is handed in.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/status/daemons.h"
#include "cli/status/standing.h"

namespace fensi::cli {

inline constexpr size_t kTopSeconds = 60;

struct TopIndex {
  IndexStanding standing;
  bool lost = false;                         // no daemon tells of it any more: these are the last figures
  std::optional<double> per_second;          // events, now
  std::deque<std::optional<double>> minute;  // of the last kTopSeconds answers, the newest last
};

struct LostDaemon {
  std::string place;
  std::string why;
  std::chrono::milliseconds since{0};
};

class TopFigures {
 public:
  /// Of one moment; `now` since boot. An error: nobody answers.
  void Take(std::chrono::milliseconds now, const Result<Daemons>& daemons);

  std::chrono::milliseconds now() const { return now_; }
  size_t daemons() const { return daemons_; }
  const std::map<std::string, TopIndex>& indexes() const { return indexes_; }
  const std::vector<CaptureStanding>& captures() const { return captures_; }
  /// Of those that have answered once, or were named.
  std::vector<LostDaemon> lost() const;

 private:
  struct Seen {
    int64_t events = 0;
    std::chrono::milliseconds at{0};
  };

  std::vector<Daemon> Readable(const Daemons& daemons, std::map<std::string, std::string>* faults) const;
  void NoteLost(const std::vector<Daemon>& answered, const std::map<std::string, std::string>& faults);
  void TakeRates(const std::vector<Daemon>& answered);

  std::chrono::milliseconds now_{0};
  size_t daemons_ = 0;
  std::map<std::string, TopIndex> indexes_;
  std::vector<CaptureStanding> captures_;
  std::map<std::string, std::optional<LostDaemon>> places_;      // all that were ever heard of
  std::map<std::pair<std::string, std::string>, Seen> counted_;  // by daemon and index
};

}  // namespace fensi::cli
