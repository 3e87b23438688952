#include "consumer/kafka/group/coordinator_contact.h"

#include <algorithm>
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

bool AnyBrokerUp(std::string_view statistics) {
  const auto all = nlohmann::json::parse(statistics, nullptr, /*allow_exceptions=*/false);
  const auto brokers = all.is_object() ? all.find("brokers") : all.end();
  if (brokers == all.end() || !brokers->is_object()) return false;
  return std::any_of(brokers->begin(), brokers->end(), [](const auto& broker) {
    return broker.is_object() && (broker.value("state", "") == "UP" || broker.value("state", "") == "UPDATE");
  });
}

}  // namespace fensi::consumer
