// What an operator must do in HBase before edits arrive.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "capture/capture.h"

namespace fensi::cli {

/// A table, and the families that are to be replicated; none: they are not known.
using TableFamilies = std::map<std::string, std::vector<std::string>>;

/// Who has to show a certificate to whom.
enum class PeerTls { kPlain, kOurCertificate, kBothCertificates };

struct CapturePlan {
  TableFamilies tables;
  std::string peer;
  std::string cluster_key;
  PeerTls tls = PeerTls::kPlain;
  std::optional<capture::KerberosOptions> kerberos = std::nullopt;
};

/// Lines for the HBase shell and for hbase-site.xml, with the reasons.
std::string CapturePlanText(const CapturePlan& plan);

/// The families that are not replicated yet, read from --store. Blocks. kNotFound names a table that is missing.
Result<TableFamilies> FamiliesToReplicate(const std::vector<std::string>& tables);

}  // namespace fensi::cli
