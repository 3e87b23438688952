#include "cli/top/top_figures.h"

#include <algorithm>

namespace fensi::cli {
namespace {

constexpr char kSilent[] = "the daemon does not answer";

/// "127.0.0.1:16180: no process listens there" -> its place and the words behind it.
std::pair<std::string, std::string> Parted(const std::string& fault) {
  const size_t end = fault.find(": ");
  if (end == std::string::npos) return {fault, kSilent};
  return {fault.substr(0, end), fault.substr(end + 2)};
}

}  // namespace

void TopFigures::Take(std::chrono::milliseconds now, const Result<operations::Daemons>& daemons) {
  now_ = now;
  std::map<std::string, std::string> faults;
  const std::vector<operations::Daemon> answered =
      daemons.ok() ? Readable(*daemons, &faults) : std::vector<operations::Daemon>();
  daemons_ = answered.size();
  NoteLost(answered, faults);
  for (auto& [name, index] : indexes_) index.unreachable = true;
  Result<operations::Standings> standings = operations::StandingsOf(answered);  // of which each was readable
  captures_ = standings.ok() ? std::move(standings->captures) : std::vector<operations::CaptureStanding>();
  if (standings.ok()) {
    for (operations::IndexStanding& standing : standings->indexes) {
      TopIndex& index = indexes_[standing.name];
      index.standing = std::move(standing);
      index.unreachable = false;
    }
  }
  if (unreachable().empty())
    std::erase_if(indexes_, [](const auto& each) { return each.second.unreachable; });  // taken out of its daemon
  TakeRates(answered);
}

std::vector<operations::Daemon> TopFigures::Readable(const operations::Daemons& daemons,
                                                     std::map<std::string, std::string>* faults) const {
  for (const Status& fault : daemons.faults) faults->insert(Parted(fault.message()));
  std::vector<operations::Daemon> readable;
  for (const operations::Daemon& daemon : daemons.answered) {
    const Status status = operations::StandingsOf({daemon}).status();
    if (status.ok()) {
      readable.push_back(daemon);
    } else {
      faults->insert(Parted(status.message()));
    }
  }
  return readable;
}

void TopFigures::NoteLost(const std::vector<operations::Daemon>& answered,
                          const std::map<std::string, std::string>& faults) {
  for (const auto& [place, why] : faults) places_.try_emplace(place);
  for (const operations::Daemon& daemon : answered) places_.try_emplace(daemon.place);
  for (auto& [place, unreachable] : places_) {
    const bool there = std::any_of(answered.begin(), answered.end(),
                                   [&, &name = place](const operations::Daemon& each) { return each.place == name; });
    if (there) {
      unreachable.reset();
      continue;
    }
    if (!unreachable) unreachable = UnreachableDaemon{place, kSilent, now_};
    if (const auto fault = faults.find(place); fault != faults.end()) unreachable->why = fault->second;
  }
}

/// Computed per daemon, so that a daemon that appears, disappears or restarts is no event.
void TopFigures::TakeRates(const std::vector<operations::Daemon>& answered) {
  std::map<std::string, double> rates;
  std::map<std::pair<std::string, std::string>, Seen> counted;
  for (const operations::Daemon& daemon : answered) {
    const Result<operations::Standings> own = operations::StandingsOf({daemon});
    for (const operations::IndexStanding& index : own->indexes) {
      const auto key = std::make_pair(daemon.place, index.name);
      counted[key] = {index.applied_events, now_};
      const auto before = counted_.find(key);
      if (before == counted_.end() || before->second.events > index.applied_events || before->second.at >= now_)
        continue;
      const auto passed = static_cast<double>((now_ - before->second.at).count());
      rates[index.name] += 1000 * static_cast<double>(index.applied_events - before->second.events) / passed;
    }
  }
  counted_ = std::move(counted);
  for (auto& [name, index] : indexes_) {
    const auto rate = rates.find(name);
    index.per_second = rate == rates.end() ? std::nullopt : std::optional(rate->second);
    index.minute.push_back(index.per_second);
    if (index.minute.size() > kTopSeconds) index.minute.pop_front();
  }
}

std::vector<UnreachableDaemon> TopFigures::unreachable() const {
  std::vector<UnreachableDaemon> unreachable;
  for (const auto& [place, daemon] : places_) {
    if (daemon) unreachable.push_back(*daemon);
  }
  return unreachable;
}

}  // namespace fensi::cli
