#include <memory>

#include "base/text.h"
#include "consumer/kafka/client/topic_admin.h"
#include "operations/console/console.h"
#include "operations/json/json_line.h"
#include "operations/mappings/mapping_files.h"
#include "operations/tables/online_check.h"
#include "operations/tables/taken_names.h"

namespace fensi::operations {
namespace {

Result<std::vector<OnlineFinding>> CheckStore(const std::vector<mapping::Mapping>& mappings,
                                              const StoreOptions& options) {
  FENSI_ASSIGN_OR_RETURN(const Indexes indexes, ChosenIndexes(mappings, {}));
  FENSI_ASSIGN_OR_RETURN(const StoreOptions named, WithSourcesOf(indexes, options));
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<store::Store> store, OpenStoreToReadAny(named));
  FENSI_ASSIGN_OR_RETURN(std::vector<OnlineFinding> findings,
                         CheckTablesOnline(indexes, store.get(), named.meta_table));
  if (named.source.url.empty()) return findings;
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<store::Store> source, OpenSourceStore(named, SourceUse::kRead));
  FENSI_ASSIGN_OR_RETURN(const std::vector<OnlineFinding> others, CheckSourceCluster(source.get()));
  findings.insert(findings.begin(), others.begin(), others.end());
  return findings;
}

Result<std::vector<OnlineFinding>> CheckKafka(const std::vector<mapping::Mapping>& mappings,
                                              const KafkaOptions& options, int64_t message_bytes) {
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<consumer::TopicAdmin> admin,
                         consumer::TopicAdmin::Create(options.cluster, options.connect_timeout));
  return CheckTopicsOnline(mappings, message_bytes, admin.get());
}

std::string FindingLine(const OnlineFinding& finding, bool json) {
  const std::string severity = finding.error ? "error" : finding.note ? "note" : "warning";
  if (!json) {
    const std::string index = finding.index.empty() ? "" : "index " + finding.index + ", ";
    return "online " + severity + ": " + index + finding.about + ": " + finding.text + "\n";
  }
  return JsonLine(nlohmann::ordered_json{
      {"online", severity}, {"index", finding.index}, {"about", finding.about}, {"text", finding.text}});
}

}  // namespace

Status CheckOnline(const std::vector<mapping::Mapping>& mappings, const OnlineOptions& options) {
  if (!options.store && !options.kafka) {
    return InvalidArgument("--online needs --store or --kafka: give one of them");
  }
  std::vector<OnlineFinding> findings;
  if (options.store) {
    FENSI_ASSIGN_OR_RETURN(findings, CheckStore(mappings, *options.store));
  }
  if (options.kafka) {
    FENSI_ASSIGN_OR_RETURN(const std::vector<OnlineFinding> found,
                           CheckKafka(mappings, *options.kafka, options.message_bytes));
    findings.insert(findings.end(), found.begin(), found.end());
  }
  return PrintFindings(findings, options.json);
}

Status PrintFindings(const std::vector<OnlineFinding>& findings, bool json) {
  int64_t errors = 0;
  for (const OnlineFinding& finding : findings) {
    Print(FindingLine(finding, json));
    errors += finding.error ? 1 : 0;
  }
  if (errors == 0) return {};
  return Status(StatusCode::kConfiguration,
                Counted(errors, "error") + " in the tables and topics: correct them as shown above");
}

}  // namespace fensi::operations
