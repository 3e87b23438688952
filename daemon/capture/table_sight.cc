#include <memory>
#include <optional>

#include "daemon/capture/own_tables.h"

namespace fensi::daemon {
namespace {

/// Empty: ZooKeeper shows the table.
std::string WhyUnseen(hbase::ZooKeeperSession* session, const std::string& hbase_root, const std::string& table) {
  const std::string tables = hbase_root + "/table";
  const Result<std::optional<hbase::Znode>> found = session->Get(tables + "/" + table);
  if (!found.ok()) return found.status().message();
  if (found->has_value()) return "";
  const Result<std::vector<std::string>> known = session->Children(tables);
  const bool lists_others = known.ok() && !known->empty();
  return "znode " + tables + " lists " + (lists_others ? "other tables, and not this table" : "no tables");
}

}  // namespace

std::map<std::string, std::string> UnseenTables(const hbase::SessionOpener& open, const std::string& hbase_root,
                                                const std::string& topic, const std::vector<std::string>& tables) {
  const Result<std::unique_ptr<hbase::ZooKeeperSession>> session = open();
  std::map<std::string, std::string> unseen;
  for (const std::string& table : tables) {
    const std::string why = session.ok() ? WhyUnseen(session->get(), hbase_root, table) : session.status().message();
    if (why.empty()) continue;
    unseen[table] = "the capture creates topic " + topic + " for table " + table +
                    ", and did not find this table in HBase: " + why +
                    ". Check the name of the table. If the name is right, do nothing. Otherwise stop the capture, "
                    "delete the topic (kafka-topics.sh --delete), and correct the name. With --store, the capture "
                    "refuses a table that does not exist";
  }
  return unseen;
}

}  // namespace fensi::daemon
