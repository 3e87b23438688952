#include "base/bytes.h"
#include "base/counted.h"
#include "base/joined.h"
#include "cli/access/kafka.h"
#include "cli/access/stores.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/mappings/mapping_files.h"
#include "cli/mappings/mapping_paths.h"
#include "cli/planning/online_check.h"
#include "cli/program/json_line.h"
#include "cli/program/output.h"
#include "mapping/key_layout.h"
#include "mapping/lookup.h"

namespace fensi::cli {
namespace {

using mapping::Index;

bool IsMirror(const Index& index) { return index.scheme() == mapping::Scheme::kMirror; }

/// By which scheme it is kept exact, and why not by the cheaper one.
std::string ClassText(const Index& index) {
  constexpr char kMirror[] = "each index cell follows one source cell, at its timestamp, or above it after a doubt";
  if (IsMirror(index)) return std::string("mirror: ") + kMirror;
  if (index.mirror_obstacle().empty()) return std::string("state; 'scheme: mirror' is possible: ") + kMirror;
  return "state, and no mirror: " + index.mirror_obstacle();
}

/// What is kept in the state table, in words.
std::string StateText(const Index& index) {
  const bool each = index.state_scope() == mapping::StateScope::kColumn;
  if (IsMirror(index)) return each ? "none per event, one small cell per column that a row ever had" : "none per event";
  return index.state_scope() == mapping::StateScope::kColumn ? "one cell per bound column" : "one cell per source row";
}

/// Each kind in one call for all rows of a batch.
const char* CostText(const Index& index) {
  return IsMirror(index) ? "1 put or 1 delete marker for each cell that follows it, no read; in doubt (version "
                           "deletes, times at or below an earlier delete or put) 1 or 2 reads of the source cell"
                         : "at most 1 read of state (none for rows written lately); 1 write of state, 1 put and 1 "
                           "removal for each entry that changes";
}

std::string IndexText(const Index& index) {
  std::string text = "index " + index.name() + "\n";
  text += "  table       " + index.table() + (index.table_is_template() ? "… (one table per period)" : "") + "\n";
  text += "  source      " + index.source_table() + ", topic " + index.topic() + "\n";
  text += "  class       " + ClassText(index) + "\n";
  text += "  state       " + StateText(index) + ", table " + index.state_table() + "\n";
  text += std::string("  each event  ") + CostText(index) + "\n";
  text += "  watches     " + Joined(WatchTexts(index.watches())) + "\n";
  for (const std::string& condition : index.conditions()) text += "  when        " + condition + "\n";
  text += "  key parts   " + Joined(mapping::KeyPartNames(index)) + "\n";
  for (const std::string& line : mapping::KeyLayout(index)) text += "    " + line + "\n";
  return text + "  group       " + index.group() + ", dead letters " + index.dead_letter_topic() + "\n";
}

std::string IndexJson(const mapping::Mapping& mapping, const Index& index) {
  const nlohmann::ordered_json json = {
      {"file", mapping.path},
      {"index", index.name()},
      {"table", index.table()},
      {"table_is_template", index.table_is_template()},
      {"source", index.source_table()},
      {"topic", index.topic()},
      {"shared", index.shared()},
      {"state_unit", index.state_scope() == mapping::StateScope::kColumn ? "column" : "row"},
      {"state_table", index.state_table()},
      {"scheme", IsMirror(index) ? "mirror" : "state"},
      {"mirror_obstacle", index.mirror_obstacle()},
      {"each_event", CostText(index)},
      {"watches", WatchTexts(index.watches())},
      {"when", index.conditions()},
      {"key_parts", mapping::KeyPartNames(index)},
      {"key_layout", mapping::KeyLayout(index)},
      {"group", index.group()},
      {"dead_letter_topic", index.dead_letter_topic()},
      {"fingerprint", index.fingerprint()},
  };
  return JsonLine(json);
}

Status CollectTables(const std::vector<mapping::Mapping>& mappings, std::vector<OnlineFinding>* findings) {
  if (FLAGS_store.empty()) return Status();
  const Result<Indexes> indexes = ChosenIndexes(mappings, {});
  FENSI_RETURN_IF_ERROR(indexes.status());
  const Result<std::unique_ptr<store::Store>> store = OpenStoreToReadAny();
  FENSI_RETURN_IF_ERROR(store.status());
  const Result<std::vector<OnlineFinding>> found = CheckTablesOnline(*indexes, store->get());
  FENSI_RETURN_IF_ERROR(found.status());
  findings->insert(findings->end(), found->begin(), found->end());
  return Status();
}

Status CollectTopics(const std::vector<mapping::Mapping>& mappings, std::vector<OnlineFinding>* findings) {
  if (FLAGS_kafka.empty()) return Status();
  const auto admin = consumer::TopicAdmin::Create(NamedCluster(), std::chrono::seconds(FLAGS_connect_timeout_s));
  FENSI_RETURN_IF_ERROR(admin.status());
  const Result<std::vector<OnlineFinding>> found =
      CheckTopicsOnline(mappings, int64_t{FLAGS_message_kb} * 1000, admin->get());
  FENSI_RETURN_IF_ERROR(found.status());
  findings->insert(findings->end(), found->begin(), found->end());
  return Status();
}

std::string FindingText(const OnlineFinding& finding) {
  const std::string severity = finding.error ? "error" : "warning";
  if (!FLAGS_json) {
    const std::string index = finding.index.empty() ? "" : "index " + finding.index + ", ";
    return "online " + severity + ": " + index + finding.about + ": " + finding.text + "\n";
  }
  const nlohmann::ordered_json json = {
      {"online", severity}, {"index", finding.index}, {"about", finding.about}, {"text", finding.text}};
  return JsonLine(json);
}

Result<int> CheckOnline(const std::vector<mapping::Mapping>& mappings) {
  if (FLAGS_store.empty() && FLAGS_kafka.empty()) {
    return Status(StatusCode::kInvalidArgument, "--online compares with --store or --kafka, and neither is given");
  }
  std::vector<OnlineFinding> findings;
  FENSI_RETURN_IF_ERROR(CollectTables(mappings, &findings));
  FENSI_RETURN_IF_ERROR(CollectTopics(mappings, &findings));
  int64_t errors = 0;
  for (const OnlineFinding& finding : findings) {
    Print(FindingText(finding));
    errors += finding.error ? 1 : 0;
  }
  if (errors == 0) return kExitDone;
  return Status(StatusCode::kConfiguration, Counted(errors, "error") + " in what is there (see above)");
}

Result<int> CheckTogether(const std::vector<std::string>& paths) {
  const Result<std::vector<mapping::Mapping>> mappings = LoadMappings(paths, FLAGS_json);
  if (!mappings.ok()) return mappings.status();
  for (const mapping::Mapping& mapping : *mappings) {
    for (const auto& index : mapping.indexes) Print(FLAGS_json ? IndexJson(mapping, *index) : IndexText(*index));
  }
  return FLAGS_online ? CheckOnline(*mappings) : kExitDone;
}

/// Alternatives may have the same names; what one lacks hides nothing of the next.
Result<int> CheckEach(const std::vector<std::string>& paths) {
  Status first;
  int64_t refused = 0;
  for (const std::string& path : paths) {
    const Result<int> outcome = CheckTogether({path});
    if (outcome.ok()) continue;
    Say("check: " + outcome.status().message());
    if (first.ok()) first = outcome.status();
    ++refused;
  }
  if (first.ok()) return kExitDone;
  const auto files = static_cast<int64_t>(paths.size());
  return Status(first.code(), std::to_string(refused) + " of " + Counted(files, "mapping file") + " refused");
}

Result<int> Check(const Arguments& named) {
  const Result<std::vector<std::string>> paths = MappingPaths(named);
  FENSI_RETURN_IF_ERROR(paths.status());
  return FLAGS_each ? CheckEach(*paths) : CheckTogether(*paths);
}

}  // namespace

Command CheckCommand() {
  Command command;
  command.name = "check";
  command.summary = "check mapping files and show what their indexes do";
  command.arguments = "MAPPING|FOLDER…";
  command.min_arguments = 1;
  command.max_arguments = kAnyNumber;
  command.description =
      "Reads the mapping files as 'fensi run' would, without any server unless --online is given. Errors and warnings "
      "stand on standard error (with --json as objects on standard output), all of them at once; exit code 78 when "
      "there are errors. Of a folder all files *.yaml and *.yml are taken, together as 'fensi run' would take them, or "
      "with "
      "--each "
      "every file by itself. For every index the class, the state it keeps, what an event costs at most, the source "
      "cells "
      "it watches, the conditions as they were understood and the parts of its row key are printed. With --online what "
      "is there is compared, too: tables, families, attributes, replication and coprocessors of --store and what it "
      "can do, topics, partitions, policy, retention and size of messages of --kafka; nothing is changed.";
  command.flags = {{"each"},
                   {"json"},
                   {"online"},
                   {"store"},
                   {"kafka"},
                   {"kafka_property"},
                   {"kafka_property_file"},
                   {"message_kb"},
                   {"meta_table"},
                   {"connect_timeout_s"}};
  command.examples = {{"fensi check guanzhu.yaml", "what the indexes of one file do"},
                      {"fensi check guanzhu.yaml --online --store hbase://127.0.0.1:9090 --kafka 127.0.0.1:9092",
                       "and whether the servers are as it needs them"},
                      {"fensi check --each mappings", "every file of a folder, alternatives of one index, too"},
                      {"fensi check --json *.yaml", "the same for programs; names must be unique over all files"}};
  command.run = Check;
  return command;
}

}  // namespace fensi::cli
