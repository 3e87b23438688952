// Writes the steps that an operator must do in HBase before edits arrive.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "capture/capture.h"
#include "operations/access/stores.h"

namespace fensi::daemon {

/// A table, and the families that are to be replicated; none: unknown.
using TableFamilies = std::map<std::string, std::vector<std::string>>;

/// Which side must show a certificate.
enum class PeerTls { kPlain, kOurCertificate, kBothCertificates };

struct CapturePlan {
  TableFamilies tables;
  std::map<std::string, std::string> topics = {};  // of the tables
  bool tables_found = false;                       // a store has them; otherwise no server was asked
  std::string peer;
  std::string cluster_key;
  PeerTls tls = PeerTls::kPlain;
  std::optional<capture::KerberosOptions> kerberos = std::nullopt;
};

/// Lines for the HBase shell and for hbase-site.xml, with the reasons.
std::string CapturePlanText(const CapturePlan& plan);

/// Reads from the store which families are not replicated yet. Blocks. kNotFound names a missing table.
Result<TableFamilies> FamiliesToReplicate(const operations::StoreOptions& options,
                                          const std::vector<std::string>& tables);

}  // namespace fensi::daemon
