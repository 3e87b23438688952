#include "capture/zookeeper/agreement.h"

#include <sstream>

#include "base/bytes.h"
#include "base/text.h"

namespace fensi::capture {
namespace {

constexpr char kForm[] = "fensi-capture 1";

Status Refused(std::string message) { return Status(StatusCode::kConfiguration, std::move(message)); }

bool TakeFact(const std::string& line, Agreement* agreement) {
  std::istringstream words(line);
  std::string fact, first, second;
  words >> fact >> first >> second;
  if (fact == "kafka") {
    agreement->kafka = first;
  } else if (fact == "source") {
    agreement->source = first;
  } else if (fact == "dropped") {
    agreement->dropped.insert(first);
  } else if (fact == "table") {
    agreement->topics[first] = second;
  } else if (fact == "message_bytes") {
    const auto bytes = ParseWhole<int64_t>(first);
    agreement->message_bytes = bytes.value_or(0);
    return bytes.has_value();
  } else {
    return false;
  }
  return true;
}

/// The topics of the tables, for people.
std::string TopicsText(const Agreement& agreement) {
  std::string text;
  for (const auto& [table, topic] : agreement.topics) text += (text.empty() ? "" : ", ") + table + " to " + topic;
  return text;
}

Status SameKafka(const Agreement& found, const Agreement& wanted) {
  if (found.kafka == wanted.kafka) return Status();
  return Refused("the captures of this znode write to the Kafka cluster " + Escape(found.kafka) +
                 ", and --kafka names the cluster " + Escape(wanted.kafka) +
                 ". The edits would be spread over both clusters. Name brokers of cluster " + Escape(found.kafka) +
                 " with --kafka, or choose another --znode and add a replication peer for it");
}

}  // namespace

std::string AgreementText(const Agreement& agreement) {
  std::string text = std::string(kForm) + "\nkafka " + agreement.kafka + "\nmessage_bytes " +
                     std::to_string(agreement.message_bytes) + "\n";
  if (!agreement.source.empty()) text += "source " + agreement.source + "\n";
  for (const auto& [table, topic] : agreement.topics) text += "table " + table + " " + topic + "\n";
  for (const std::string& table : agreement.dropped) text += "dropped " + table + "\n";
  return text;
}

Result<Agreement> ParseAgreement(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  Agreement agreement;
  bool good = std::getline(lines, line) && line == kForm;
  while (good && std::getline(lines, line)) good = TakeFact(line, &agreement);
  if (good) return agreement;
  return Refused(
      "another version of fensi has written the settings of the captures. Stop all captures of this --znode, then "
      "enter in ZooKeeper's shell (zkCli.sh): delete ZNODE/capture");
}

Result<Agreement> JoinAgreement(const Agreement& found, const Agreement& wanted) {
  FENSI_RETURN_IF_ERROR(SameKafka(found, wanted));
  if (found.topics != wanted.topics) {
    return Refused(
        "the running captures write (table to topic) \"" + TopicsText(found) + "\", and this capture would write \"" +
        TopicsText(wanted) +
        "\". Start this capture with the same tables and --topic. To change the tables, first stop all other "
        "captures of the --znode");
  }
  if (found.message_bytes != wanted.message_bytes) {
    return Refused("the running captures have --message_kb=" + std::to_string(found.message_bytes / 1000) +
                   ", and this capture has --message_kb=" + std::to_string(wanted.message_bytes / 1000) +
                   ". Give all captures of the --znode the same --message_kb");
  }
  return found;
}

Result<Agreement> ReplaceAgreement(const Agreement& found, Agreement wanted, const std::set<std::string>& drop) {
  FENSI_RETURN_IF_ERROR(SameKafka(found, wanted));
  for (const auto& [table, topic] : found.topics) {
    const auto now = wanted.topics.find(table);
    if (now != wanted.topics.end() && now->second == topic) continue;
    if (!drop.contains(table)) {
      const std::string change = now == wanted.topics.end()
                                     ? " was captured before, and this command does not name the table. Name the table "
                                       "again"
                                     : " was written to topic " + topic +
                                           " before, and this command would write it to " + now->second +
                                           ". Give the former --topic";
      return Refused("table " + table + change +
                     ". Only if no index reads the former stream any more, give --stop_capturing=" + table +
                     ": the edits of the table are then lost to the former stream for good");
    }
    if (now == wanted.topics.end()) wanted.dropped.insert(table);
  }
  for (const std::string& table : found.dropped) {
    if (!wanted.topics.contains(table)) wanted.dropped.insert(table);
  }
  wanted.source = found.source;
  return wanted;
}

}  // namespace fensi::capture
