#include "daemon/capture/plan.h"

#include "capture/peers.h"

namespace fensi::daemon {
namespace {

constexpr char kScopes[] = "# 1. Which families are replicated. Edits written before are not sent: backfill them.\n";
constexpr char kPeer[] =
    "\n# 3. The peer, after the restarts of step 2.\n"
    "#    Not SERIAL: fensi is exact in any order, and a serial peer holds fresh edits back until another server's\n"
    "#    backlog is through, for seconds after a move and a minute or more after a crash. One call for each\n"
    "#    batch, because only then HBase's own markers prove up to when the stream is complete ('fensi wait').\n";
constexpr char kTls[] =
    "#    The files are on the region servers: the truststore holds the issuer of --tls_cert_file. JKS and PKCS12 "
    "take\n"
    "#    hbase.rpc.tls.truststore.type and .password, too. HBase looks whether the certificate is for the host that "
    "it\n"
    "#    dials (--announce). CONFIG counts for this peer alone.\n";
constexpr char kKeystore[] =
    "#    The keystore holds a certificate of an issuer in --tls_ca_file, and its key (PKCS8).\n";
constexpr char kSimple[] =
    "#    If HBase itself has Kerberos, give the capture a keytab (--rpc_keytab, --rpc_principal). Without one the "
    "peer's\n"
    "#    CONFIG needs \"hbase.security.authentication\" => \"simple\", and only TLS with certificates says who is "
    "there.\n";
constexpr char kKerberos[] =
    "#    The region servers ask their KDC for a ticket for that principal. A capture on several machines has a "
    "principal\n"
    "#    for each, and the peer's CONFIG has _HOST in place of the host: HBase puts in the name that DNS has for the\n"
    "#    address that it dials. CONFIG counts for this peer alone.\n";
constexpr char kSettings[] = R"(
# 2. hbase-site.xml of the region servers. Restart them one by one, before you add the peer. If the peer
#    exists, leave it.
#    A region server looks for new edits every 2 x sleepforretries, and an idle one waits up to sleepforretries x
#    maxretriesmultiplier. With HBase's own 1000 and 300 that is up to 2 s, and up to 5 minutes after a quiet time.
#    Not below 10 x: a start that fails a few times would make the region server give itself up.
<property><name>replication.source.sleepforretries</name><value>20</value></property>
<property><name>replication.source.maxretriesmultiplier</name><value>20</value></property>
#    Without a restart, these two count for a peer that you add after `update_all_config`. Do not remove a peer for
#    this: edits that no capture has taken are then lost, and only 'fensi verify' and 'fensi repair' find them.
#    With the next two, each region server tells once a second how far its log is, from which follows up to when an
#    index is complete (`fensi wait`). This needs the restart; with hbase.wal.provider multiwal it is of no use.
<property><name>hbase.regionserver.replication.marker.enabled</name><value>true</value></property>
<property><name>hbase.regionserver.replication.marker.chore.duration</name><value>1000</value></property>
#    Bulk loads go past the log. With these two, on masters, too, and after their restart, HBase tells of each, and
#    each index reads the loaded regions by itself. The id is any name that no other cluster has.
<property><name>hbase.replication.bulkload.enabled</name><value>true</value></property>
<property><name>hbase.replication.cluster.id</name><value>NAME</value></property>
#    Where settings cannot be changed: `fensi capture --heartbeat_table TABLE --store …` ends the quiet times.
)";

std::string ScopeLines(const std::string& table, const std::vector<std::string>& families) {
  std::string text;
  for (const std::string& family : families) {
    text += "alter '" + table + "', {NAME => '" + family + "', REPLICATION_SCOPE => '1'}\n";
  }
  return text;
}

std::string Setting(const std::string& name, const std::string& value) {
  return "\"" + name + "\" => \"" + value + "\"";
}

/// What of the peer's CONFIG TLS needs; paths are those on the region servers.
std::string TlsSettings(PeerTls tls) {
  std::string text = Setting("hbase.client.netty.tls.enabled", "true") + ", " +
                     Setting("hbase.rpc.tls.truststore.location", "/etc/hbase/fensi-truststore.pem");
  if (tls != PeerTls::kBothCertificates) return text;
  return text + ", " + Setting("hbase.rpc.tls.keystore.location", "/etc/hbase/regionserver.pem");
}

/// AES of HBase's own is not spoken here.
std::string KerberosSettings(const capture::KerberosOptions& kerberos) {
  return Setting("hbase.regionserver.kerberos.principal", kerberos.principal) + ", " +
         Setting("hbase.master.kerberos.principal", kerberos.principal) + ", " +
         Setting("hbase.rpc.protection", std::string(ProtectionName(kerberos.least))) + ", " +
         Setting("hbase.rpc.crypto.encryption.aes.enabled", "false");
}

std::string PeerLine(const CapturePlan& plan) {
  std::string cfs;
  for (const auto& [table, families] : plan.tables) cfs += (cfs.empty() ? "\"" : ", \"") + table + "\" => []";
  std::string config = Setting(capture::kOneCall, "1");
  if (plan.tls != PeerTls::kPlain) config += ", " + TlsSettings(plan.tls);
  if (plan.kerberos.has_value()) config += ", " + KerberosSettings(*plan.kerberos);
  return "add_peer '" + plan.peer + "', CLUSTER_KEY => \"" + plan.cluster_key + "\", TABLE_CFS => {" + cfs +
         "}, CONFIG => {" + config + "}\n";
}

std::string TopicLines(const CapturePlan& plan) {
  std::string text = "\n# 4. The start of the capture. It creates those of these topics that Kafka does not have.\n";
  for (const auto& [table, topic] : plan.topics) text += "#    table " + table + ": topic " + topic + "\n";
  if (plan.tables_found) return text;
  return text +
         "#    fensi has not checked that HBase has these tables. Check their names, or give --store=URL to this "
         "command and\n"
         "#    to the capture, which then refuse a table that does not exist.\n";
}

}  // namespace

std::string CapturePlanText(const CapturePlan& plan) {
  std::string text = kScopes;
  for (const auto& [table, families] : plan.tables) text += ScopeLines(table, families);
  text += kSettings;
  text += kPeer + PeerLine(plan);
  if (plan.tls != PeerTls::kPlain) text += kTls;
  if (plan.tls == PeerTls::kBothCertificates) text += kKeystore;
  text += plan.kerberos.has_value() ? kKerberos : kSimple;
  return plan.topics.empty() ? text : text + TopicLines(plan);
}

Result<TableFamilies> FamiliesToReplicate(const operations::StoreOptions& options,
                                          const std::vector<std::string>& tables) {
  const Result<std::unique_ptr<store::Store>> store = operations::OpenStoreToWrite(options);
  if (!store.ok()) return store.status();
  TableFamilies missing;
  for (const std::string& table : tables) {
    FENSI_ASSIGN_OR_RETURN(const store::TableDescriptor found, operations::RequireTable(options, store->get(), table));
    std::vector<std::string>& families = missing[table];
    for (const store::FamilyDescriptor& family : found.families) {
      if (family.replication_scope == 0) families.push_back(family.name);
    }
  }
  return missing;
}

}  // namespace fensi::daemon
