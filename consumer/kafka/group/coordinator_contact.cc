#include "consumer/kafka/group/coordinator_contact.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace fensi::consumer {

std::optional<std::chrono::milliseconds> CoordinatorSilence(std::string_view statistics) {
  const auto all = nlohmann::json::parse(statistics, nullptr, /*allow_exceptions=*/false);
  const auto brokers = all.is_object() ? all.find("brokers") : all.end();
  if (brokers == all.end() || !brokers->is_object()) return std::nullopt;
  for (const auto& broker : *brokers) {
    // The coordinator has a connection of its own.
    if (!broker.is_object()) continue;
    const auto source = broker.find("source");
    const auto idle = broker.find("rxidle");
    if (source == broker.end() || *source != "logical" || idle == broker.end() || !idle->is_number_integer()) continue;
    const auto microseconds = idle->get<int64_t>();
    if (microseconds < 0) return std::nullopt;
    return std::chrono::milliseconds(microseconds / 1000);
  }
  return std::nullopt;
}

std::vector<int32_t> WithoutLeader(std::string_view statistics, const std::string& topic) {
  const auto all = nlohmann::json::parse(statistics, nullptr, /*allow_exceptions=*/false);
  const nlohmann::json::json_pointer place = nlohmann::json::json_pointer("/topics") / topic / "partitions";
  if (!all.is_object() || !all.contains(place) || !all.at(place).is_object()) return {};
  std::vector<int32_t> partitions;
  for (const auto& partition : all.at(place)) {
    if (!partition.is_object() || !partition.value("desired", false) || partition.value("leader", 0) >= 0) continue;
    partitions.push_back(partition.value("partition", -1));
  }
  return partitions;
}

namespace {

bool IsUp(const nlohmann::json& broker) {
  return broker.is_object() && (broker.value("state", "") == "UP" || broker.value("state", "") == "UPDATE");
}

/// nodeid -> since when nothing came of it, of those that are connected.
std::map<int32_t, std::chrono::milliseconds> SilenceOfBrokers(const nlohmann::json& all) {
  std::map<int32_t, std::chrono::milliseconds> silence;
  if (!all.is_object() || !all.contains("brokers") || !all["brokers"].is_object()) return silence;
  for (const auto& broker : all["brokers"]) {
    if (!IsUp(broker) || broker.value("source", "") == "logical") continue;
    const auto idle = broker.value("rxidle", int64_t{-1});
    if (idle >= 0) silence[broker.value("nodeid", -1)] = std::chrono::milliseconds(idle / 1000);
  }
  return silence;
}

}  // namespace

std::vector<ToldEnd> LogEnds(std::string_view statistics, const std::string& topic) {
  const auto all = nlohmann::json::parse(statistics, nullptr, /*allow_exceptions=*/false);
  const nlohmann::json::json_pointer place = nlohmann::json::json_pointer("/topics") / topic / "partitions";
  if (!all.is_object() || !all.contains(place) || !all.at(place).is_object()) return {};
  const std::map<int32_t, std::chrono::milliseconds> silence = SilenceOfBrokers(all);
  std::vector<ToldEnd> ends;
  for (const auto& partition : all.at(place)) {
    if (!partition.is_object() || partition.value("fetch_state", "") != "active") continue;
    const auto broker = silence.find(partition.value("broker", -1));
    const int64_t stable = partition.value("ls_offset", int64_t{-1});
    const int64_t end = stable >= 0 ? stable : partition.value("hi_offset", int64_t{-1});
    if (broker != silence.end() && end >= 0) ends.push_back({partition.value("partition", -1), end, broker->second});
  }
  return ends;
}

bool AnyBrokerUp(std::string_view statistics) {
  const auto all = nlohmann::json::parse(statistics, nullptr, /*allow_exceptions=*/false);
  const auto brokers = all.is_object() ? all.find("brokers") : all.end();
  if (brokers == all.end() || !brokers->is_object()) return false;
  return std::any_of(brokers->begin(), brokers->end(), IsUp);
}

}  // namespace fensi::consumer
