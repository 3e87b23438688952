#include "capture/zookeeper/cluster_id.h"

#include <openssl/evp.h>

#include <cstdio>

#include "hbase/server_name.h"

namespace fensi::capture {
namespace {

const std::string kPbufMark = "PBUF";

}  // namespace

std::string PeerUuid(const std::string& root) {
  const std::string name = "fensi capture " + root;
  unsigned char digest[EVP_MAX_MD_SIZE] = {};
  EVP_Digest(name.data(), name.size(), digest, nullptr, EVP_md5(), nullptr);
  digest[6] = (digest[6] & 0x0f) | 0x30;  // version 3
  digest[8] = (digest[8] & 0x3f) | 0x80;  // the variant of RFC 4122
  std::string text;
  for (int i = 0; i < 16; ++i) {
    char hex[3];
    std::snprintf(hex, sizeof hex, "%02x", digest[i]);
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += hex;
  }
  return text;
}

std::string ClusterIdData(const std::string& uuid) {
  proto::hbase::ClusterId id;
  id.set_cluster_id(uuid);
  return kPbufMark + id.SerializeAsString();
}

std::string MasterData(const std::string& server) {
  proto::hbase::Master master;
  if (const auto name = hbase::ParseServerName(server)) *master.mutable_master() = *name;
  master.set_rpc_version(0);
  return kPbufMark + master.SerializeAsString();
}

std::string MasterOf(const std::string& data) {
  proto::hbase::Master master;
  if (!data.starts_with(kPbufMark) || !master.ParseFromString(data.substr(kPbufMark.size()))) return "";
  const proto::hbase::ServerName& name = master.master();
  return name.host_name() + "," + std::to_string(name.port()) + "," + std::to_string(name.start_code());
}

}  // namespace fensi::capture
