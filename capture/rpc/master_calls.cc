#include "capture/rpc/master_calls.h"

#include "hbase/server_name.h"
#include "proto/hbase_replication.pb.h"

namespace fensi::capture {
namespace {

/// Whatever parts were asked for: it is little, and a client takes what it wants.
std::string StatusOfCluster(const ClusterView& cluster) {
  proto::hbase::GetClusterStatusResponse response;
  auto* status = response.mutable_cluster_status();
  status->mutable_cluster_id()->set_cluster_id(cluster.id);
  for (const std::string& name : cluster.servers) {
    if (const auto server = hbase::ParseServerName(name)) *status->add_servers_name() = *server;
  }
  return response.SerializeAsString();
}

}  // namespace

std::optional<std::string> AnswerOfMaster(std::string_view method, const ClusterView& cluster) {
  if (method == "GetClusterStatus") return StatusOfCluster(cluster);
  if (method == "ListDecommissionedRegionServers") {
    return proto::hbase::ListDecommissionedRegionServersResponse().SerializeAsString();  // a capture that goes is gone
  }
  return std::nullopt;
}

}  // namespace fensi::capture
