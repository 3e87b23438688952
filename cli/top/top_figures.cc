#include "cli/top/top_figures.h"

#include <algorithm>

namespace fensi::cli {
namespace {

constexpr char kSilent[] = "it does not answer";

/// "127.0.0.1:16180: nobody listens there" -> its place and the words behind it.
std::pair<std::string, std::string> Parted(const std::string& fault) {
  const size_t end = fault.find(": ");
  if (end == std::string::npos) return {fault, kSilent};
  return {fault.substr(0, end), fault.substr(end + 2)};
}

}  // namespace

void TopFigures::Take(std::chrono::milliseconds now, const Result<Daemons>& daemons) {
  now_ = now;
  std::map<std::string, std::string> faults;
  const std::vector<Daemon> answered = daemons.ok() ? Readable(*daemons, &faults) : std::vector<Daemon>();
  daemons_ = answered.size();
  NoteLost(answered, faults);
  for (auto& [name, index] : indexes_) index.lost = true;
  Result<Standings> standings = StandingsOf(answered);  // of which each was readable
  captures_ = standings.ok() ? std::move(standings->captures) : std::vector<CaptureStanding>();
  if (standings.ok()) {
    for (IndexStanding& standing : standings->indexes) {
      TopIndex& index = indexes_[standing.name];
      index.standing = std::move(standing);
      index.lost = false;
    }
  }
  if (lost().empty())
    std::erase_if(indexes_, [](const auto& each) { return each.second.lost; });  // taken out of its daemon
  TakeRates(answered);
}

std::vector<Daemon> TopFigures::Readable(const Daemons& daemons, std::map<std::string, std::string>* faults) const {
  for (const Status& fault : daemons.faults) faults->insert(Parted(fault.message()));
  std::vector<Daemon> readable;
  for (const Daemon& daemon : daemons.answered) {
    const Status status = StandingsOf({daemon}).status();
    if (status.ok()) {
      readable.push_back(daemon);
    } else {
      faults->insert(Parted(status.message()));
    }
  }
  return readable;
}

void TopFigures::NoteLost(const std::vector<Daemon>& answered, const std::map<std::string, std::string>& faults) {
  for (const auto& [place, why] : faults) places_.try_emplace(place);
  for (const Daemon& daemon : answered) places_.try_emplace(daemon.place);
  for (auto& [place, lost] : places_) {
    const bool there = std::any_of(answered.begin(), answered.end(),
                                   [&, &name = place](const Daemon& each) { return each.place == name; });
    if (there) {
      lost.reset();
      continue;
    }
    if (!lost) lost = LostDaemon{place, kSilent, now_};
    if (const auto fault = faults.find(place); fault != faults.end()) lost->why = fault->second;
  }
}

/// Of each daemon apart: who comes, goes or begins anew is no event.
void TopFigures::TakeRates(const std::vector<Daemon>& answered) {
  std::map<std::string, double> rates;
  std::map<std::pair<std::string, std::string>, Seen> counted;
  for (const Daemon& daemon : answered) {
    const Result<Standings> own = StandingsOf({daemon});
    for (const IndexStanding& index : own->indexes) {
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

std::vector<LostDaemon> TopFigures::lost() const {
  std::vector<LostDaemon> lost;
  for (const auto& [place, daemon] : places_) {
    if (daemon) lost.push_back(*daemon);
  }
  return lost;
}

}  // namespace fensi::cli
