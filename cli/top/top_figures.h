// The state and the last minute of the indexes, computed from the daemons' answers each second. Pure; the caller passes
// the time.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "operations/status/daemons.h"
#include "operations/status/standing.h"

namespace fensi::cli {

inline constexpr size_t kTopSeconds = 60;

struct TopIndex {
  operations::IndexStanding standing;
  bool unreachable = false;                  // no daemon tells of it any more: these are the last figures
  std::optional<double> per_second;          // events, now
  std::deque<std::optional<double>> minute;  // of the last kTopSeconds answers, the newest last
};

struct UnreachableDaemon {
  std::string place;
  std::string why;
  std::chrono::milliseconds since{0};
};

class TopFigures {
 public:
  /// Takes the answers of one moment; `now` since boot. An error: no daemon answers.
  void Take(std::chrono::milliseconds now, const Result<operations::Daemons>& daemons);

  std::chrono::milliseconds now() const { return now_; }
  size_t daemons() const { return daemons_; }
  const std::map<std::string, TopIndex>& indexes() const { return indexes_; }
  const std::vector<operations::CaptureStanding>& captures() const { return captures_; }
  /// The daemons that answered before, or were named, and do not answer now.
  std::vector<UnreachableDaemon> unreachable() const;

 private:
  struct Seen {
    int64_t events = 0;
    std::chrono::milliseconds at{0};
  };

  std::vector<operations::Daemon> Readable(const operations::Daemons& daemons,
                                           std::map<std::string, std::string>* faults) const;
  void NoteLost(const std::vector<operations::Daemon>& answered, const std::map<std::string, std::string>& faults);
  void TakeRates(const std::vector<operations::Daemon>& answered);

  std::chrono::milliseconds now_{0};
  size_t daemons_ = 0;
  std::map<std::string, TopIndex> indexes_;
  std::vector<operations::CaptureStanding> captures_;
  std::map<std::string, std::optional<UnreachableDaemon>> places_;  // all that were ever heard of
  std::map<std::pair<std::string, std::string>, Seen> counted_;     // by daemon and index
};

}  // namespace fensi::cli
