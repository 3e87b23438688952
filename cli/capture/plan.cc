#include "cli/capture/plan.h"

#include "cli/access/stores.h"
#include "cli/flags/flags.h"

namespace fensi::cli {
namespace {

constexpr char kScopes[] = "# 1. Which families are replicated. Edits written before are not sent: backfill them.\n";
constexpr char kPeer[] =
    "\n# 2. The peer. Not SERIAL: fensi is exact in any order, and a serial peer holds fresh edits back until another\n"
    "#    server's backlog is through, for seconds after a move and a minute or more after a crash.\n";
constexpr char kSettings[] = R"(
# 3. hbase-site.xml of the region servers, then `update_all_config`, then remove and add the peer again.
#    A region server looks for new edits every 2 x sleepforretries, and an idle one waits up to sleepforretries x
#    maxretriesmultiplier. With HBase's own 1000 and 300 that is up to 2 s, and up to 5 minutes after a quiet time.
#    Not below 10 x: a start that fails a few times would make the region server give itself up.
<property><name>replication.source.sleepforretries</name><value>20</value></property>
<property><name>replication.source.maxretriesmultiplier</name><value>20</value></property>
#    Where they cannot be changed: `fensi capture --heartbeat_table TABLE --store …` ends the quiet times.
)";

std::string ScopeLines(const std::string& table, const std::vector<std::string>& families) {
  std::string text;
  for (const std::string& family : families) {
    text += "alter '" + table + "', {NAME => '" + family + "', REPLICATION_SCOPE => '1'}\n";
  }
  return text;
}

std::string PeerLine(const TableFamilies& tables, const std::string& peer, const std::string& cluster_key) {
  std::string cfs;
  for (const auto& [table, families] : tables) cfs += (cfs.empty() ? "\"" : ", \"") + table + "\" => []";
  return "add_peer '" + peer + "', CLUSTER_KEY => \"" + cluster_key + "\", TABLE_CFS => {" + cfs + "}\n";
}

}  // namespace

std::string CapturePlanText(const TableFamilies& tables, const std::string& peer, const std::string& cluster_key) {
  std::string text = kScopes;
  for (const auto& [table, families] : tables) text += ScopeLines(table, families);
  return text + kPeer + PeerLine(tables, peer, cluster_key) + kSettings;
}

Result<TableFamilies> FamiliesToReplicate(const std::vector<std::string>& tables) {
  const Result<std::unique_ptr<store::Store>> store = OpenStoreToWrite();
  if (!store.ok()) return store.status();
  TableFamilies missing;
  for (const std::string& table : tables) {
    const Result<store::TableDescriptor> found = RequireTable(store->get(), table);
    if (!found.ok()) return found.status();
    std::vector<std::string>& families = missing[table];
    for (const store::FamilyDescriptor& family : found->families) {
      if (family.replication_scope == 0) families.push_back(family.name);
    }
  }
  return missing;
}

}  // namespace fensi::cli
