#include "hbase/locate/registry.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <future>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "base/unattended.h"
#include "hbase/errors.h"
#include "hbase/wire/answer_queue.h"
#include "hbase/wire/framing.h"
#include "hbase/zookeeper/session.h"
#include "proto/hbase_client.pb.h"

namespace fensi::hbase {
namespace {

namespace pb = proto::hbase;

constexpr std::string_view kZnodeMark = "PBUF";
constexpr std::chrono::milliseconds kShortestSession(500);

std::string JoinAddresses(const std::vector<ServerAddress>& servers) {
  std::string text;
  for (const ServerAddress& server : servers) text += (text.empty() ? "" : ",") + AddressText(server.host, server.port);
  return text;
}

class ZooKeeperRegistry final : public Registry {
 public:
  ZooKeeperRegistry(const std::vector<ServerAddress>& servers, std::string root)
      : hosts_(JoinAddresses(servers)), servers_(std::max<int64_t>(1, std::ssize(servers))), root_(std::move(root)) {}

  std::string Name() const override { return "ZooKeeper at " + hosts_; }
  Result<std::string> ClusterId(const CallScope& scope) override {
    pb::ClusterId id;
    FENSI_RETURN_IF_ERROR(Read("hbaseid", &id, scope));
    return id.cluster_id();
  }
  Result<ServerAddress> ActiveMaster(const CallScope& scope) override {
    pb::Master master;
    FENSI_RETURN_IF_ERROR(Read("master", &master, scope));
    return AddressFrom(master.master());
  }
  Result<ServerAddress> MetaServer(const CallScope& scope) override {
    pb::MetaRegionServer meta;
    FENSI_RETURN_IF_ERROR(Read("meta-region-server", &meta, scope));
    return AddressFrom(meta.server());
  }

 private:
  using Data = Result<std::optional<Znode>>;

  Status Read(const std::string& name, google::protobuf::MessageLite* message, const CallScope& scope) const;
  Data ReadNode(const std::string& path, const CallScope& scope) const;

  const std::string hosts_;
  const int64_t servers_;
  const std::string root_;
};

/// On a thread that ends when ZooKeeper's client has given up: its calls cannot be interrupted.
ZooKeeperRegistry::Data ZooKeeperRegistry::ReadNode(const std::string& path, const CallScope& scope) const {
  const std::chrono::milliseconds time = scope.Time();
  const Deadline deadline = std::chrono::steady_clock::now() + time;
  SessionOptions options{.hosts = hosts_, .digest = "", .connect_timeout = time};
  // ZooKeeper's client leaves a silent server after two thirds of this time: the next ones must get their turn, too.
  options.session_timeout = std::max(kShortestSession, time / servers_);
  auto answer = RunDetached([options, path]() -> Data {
    Result<std::unique_ptr<ZooKeeperSession>> session = OpenZooKeeper(options);
    if (!session.ok()) return session.status();
    return (*session)->Get(path);
  });
  if (!answer) return Status(StatusCode::kUnavailable, NoThreadText("to ask " + Name()));
  while (answer->wait_for(std::chrono::milliseconds(100)) != std::future_status::ready) {
    FENSI_RETURN_IF_ERROR(scope.Granted());
    if (std::chrono::steady_clock::now() >= deadline) {
      return Status(StatusCode::kUnavailable,
                    Name() + " does not answer. Check that ZooKeeper runs, and that the hbase:// URL has its address");
    }
  }
  return answer->get();
}

Status ZooKeeperRegistry::Read(const std::string& name, google::protobuf::MessageLite* message,
                               const CallScope& scope) const {
  const std::string path = root_ + "/" + name;
  const Data node = ReadNode(path, scope);
  if (!node.ok()) return node.status();
  if (!node->has_value()) {
    return Status(StatusCode::kUnavailable, Name() + " has no znode " + path +
                                                ". Start HBase, or correct the hbase:// URL: in place of " + root_ +
                                                ", write the zookeeper.znode.parent of HBase");
  }
  std::string_view bytes;
  if (StripZnode((*node)->data, &bytes) && ParseMessage(bytes, message)) return {};
  return Status(StatusCode::kConfiguration,
                Name() + ": znode " + path +
                    " was not written by HBase. Correct the path of the hbase:// URL: write the "
                    "zookeeper.znode.parent of HBase");
}

class RpcRegistry final : public Registry {
 public:
  RpcRegistry(const std::vector<ServerAddress>& servers, Connections* connections)
      : servers_(servers), connections_(connections) {}

  std::string Name() const override { return "registry at " + JoinAddresses(servers_); }
  Result<std::string> ClusterId(const CallScope& scope) override {
    pb::GetClusterIdResponse response;
    FENSI_RETURN_IF_ERROR(Ask("GetClusterId", &response, scope, [&] {
      return response.cluster_id().empty()
                 ? Unknown("HBase does not report the id of its cluster. Check that HBase has started")
                 : Status();
    }));
    return response.cluster_id();
  }
  Result<ServerAddress> ActiveMaster(const CallScope& scope) override {
    pb::GetActiveMasterResponse response;
    FENSI_RETURN_IF_ERROR(Ask("GetActiveMaster", &response, scope, [&] {
      return response.has_server_name() ? Status() : Unknown("HBase has no active master. Start an HBase master");
    }));
    return AddressFrom(response.server_name());
  }
  Result<ServerAddress> MetaServer(const CallScope& scope) override {
    pb::GetMetaRegionLocationsResponse response;
    ServerAddress server;
    FENSI_RETURN_IF_ERROR(Ask("GetMetaRegionLocations", &response, scope, [&] {
      for (const pb::RegionLocation& location : response.meta_locations()) {
        if (location.region_info().replica_id() != 0 || !location.has_server_name()) continue;
        server = AddressFrom(location.server_name());
        return Status();
      }
      return Unknown("no region server has hbase:meta. Read the log of the HBase master");
    }));
    return server;
  }

 private:
  using Check = std::function<Status()>;  // of the response

  Status Unknown(const char* what) const { return {StatusCode::kUnavailable, Name() + ": " + what}; }
  Status Ask(const std::string& method, google::protobuf::MessageLite* response, const CallScope& scope,
             const Check& check);
  Status AskOne(const ServerAddress& server, const std::string& method, google::protobuf::MessageLite* response,
                const CallScope& scope);

  const std::vector<ServerAddress> servers_;
  Connections* const connections_;
  std::atomic<size_t> first_ = 0;  // the one that answered last
};

/// Each server has its share of the time, and is asked again where its connection has ended: it may be an old one. A
/// refusal counts if no other server answers later. A server that has just started answers before it has read from
/// ZooKeeper what it is asked: the others may know.
Status RpcRegistry::Ask(const std::string& method, google::protobuf::MessageLite* response, const CallScope& scope,
                        const Check& check) {
  CallScope share = scope;
  const std::chrono::milliseconds time = scope.Time();
  share.call_timeout = std::max(time / static_cast<int>(servers_.size()), std::chrono::milliseconds(1));
  Status away, refused;
  const size_t first = first_;
  const Deadline deadline = std::chrono::steady_clock::now() + time;
  for (size_t i = 0; i < 2 * servers_.size(); ++i) {
    const size_t at = (first + i) % servers_.size();
    if (i >= servers_.size() && std::chrono::steady_clock::now() >= deadline) break;
    Status status = AskOne(servers_[at], method, response, share);
    if (status.ok()) status = check();
    if (status.ok()) first_ = at;
    if (status.ok() || !scope.Granted().ok()) return status;
    (status.code() == StatusCode::kUnavailable ? away : refused) = std::move(status);
  }
  if (refused.ok()) return away;
  return away.ok() ? refused : away.WithContext(refused.message());
}

Status RpcRegistry::AskOne(const ServerAddress& server, const std::string& method,
                           google::protobuf::MessageLite* response, const CallScope& scope) {
  const auto connection = connections_->To(server.host, server.port, "ClientMetaService");
  Result<Answer> answer = CallAndWait(connection, method, pb::EmptyRequest(), scope);
  if (!answer.ok()) return answer.status();
  if (!answer->status.ok()) return answer->status;
  if (answer->error) {
    const bool old =
        ShortName(*answer->error).starts_with("Unknown") || ShortName(*answer->error) == "FatalConnectionException";
    const std::string why = old ? ". HBase before 2.5 has no such registry: write hbase://ZOOKEEPER:2181/hbase" : "";
    const bool denied = CodeOf(*answer->error) == StatusCode::kPermission;
    return Status(denied ? StatusCode::kPermission : StatusCode::kUnavailable,
                  connection->Name() + ": " + method + ": " + ErrorText(*answer->error) + why);
  }
  if (ParseMessage(answer->message, response)) return {};
  return UnreadableAnswer(method).WithContext(connection->Name());
}

}  // namespace

ServerAddress AddressFrom(const pb::ServerName& name) { return {name.host_name(), static_cast<int>(name.port())}; }

bool StripZnode(std::string_view data, std::string_view* message) {
  constexpr uint8_t kHasWriter = 0xff;
  constexpr size_t kWriterHead = 1 + 4;
  if (data.size() >= kWriterHead && static_cast<uint8_t>(data[0]) == kHasWriter) {
    const size_t length = ReadBigEndian32(data.substr(1));
    if (length > data.size() - kWriterHead) return false;
    data.remove_prefix(kWriterHead + length);
  }
  if (!data.starts_with(kZnodeMark)) return false;
  *message = data.substr(kZnodeMark.size());
  return true;
}

std::unique_ptr<Registry> MakeZooKeeperRegistry(const std::vector<ServerAddress>& servers, const std::string& root) {
  return std::make_unique<ZooKeeperRegistry>(servers, root);
}

std::unique_ptr<Registry> MakeRpcRegistry(const std::vector<ServerAddress>& servers, Connections* connections) {
  return std::make_unique<RpcRegistry>(servers, connections);
}

}  // namespace fensi::hbase
