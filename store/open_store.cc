#include "store/open_store.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/bytes.h"
#include "base/text.h"
#include "hbase/cluster.h"
#include "store/embedded/embedded_store.h"
#include "store/hbase/hbase_store.h"
#include "store/hbase/wire/kerberos_session.h"
#include "store/native/native_store.h"
#include "store/protocol_hint.h"

namespace fensi::store {
namespace {

using Kind = StoreUrl::Kind;

struct Scheme {
  std::string_view prefix;
  Kind kind;
};
constexpr Scheme kSchemes[] = {{"embedded:", Kind::kEmbedded},   {"hbase://", Kind::kHBase},
                               {"hbases://", Kind::kHBaseTls},   {"thrift://", Kind::kThrift},
                               {"thrifts://", Kind::kThriftTls}, {"thrift+https://", Kind::kThriftHttps}};
constexpr int kZooKeeperPort = 2181, kMasterPort = 16'000;

Status BadUrl(const std::string& url, std::string_view why) {
  return Status(
      StatusCode::kInvalidArgument,
      "store \"" + Escape(url) + "\": " + std::string(why) +
          ". Write one of: embedded:DIRECTORY, hbase://ZOOKEEPER:2181/hbase, hbase://MASTER:16000, thrift://HOST:PORT, "
          "thrifts://HOST:PORT, thrift+https://HOST:PORT/. For HBase over TLS, write hbases:// in place of hbase://");
}

/// The store is used through its interface.
template <typename T>
Result<std::unique_ptr<Store>> AsStore(Result<std::unique_ptr<T>> store) {
  if (!store.ok()) return store.status();
  return std::unique_ptr<Store>(std::move(*store));
}

/// Host and port of "HOST", "HOST:PORT" or "[ADDRESS]:PORT"; what is wrong with it, or empty. Several colons without
/// brackets are an address of IPv6 without a port.
std::string SplitAddress(std::string_view text, std::string* host, int* port) {
  const bool brackets = text.starts_with('[');
  const bool bare = !brackets && std::count(text.begin(), text.end(), ':') > 1;
  const size_t end = brackets ? text.find(']') : bare ? text.size() : std::min(text.find(':'), text.size());
  if (end == std::string_view::npos) return "the ']' is missing";
  *host = text.substr(brackets ? 1 : 0, brackets ? end - 1 : end);
  const std::string_view rest = text.substr(brackets ? end + 1 : end);
  if (host->empty() || host->find('/') != std::string::npos) return "the host is missing";
  if (rest.empty()) return "";
  *port = ParseWhole<uint16_t>(rest.substr(1)).value_or(0);
  return rest[0] == ':' && *port > 0 ? "" : "the port is not a number of 1 to 65535";
}

/// Takes the path from the end of an address, where there may be one.
std::string_view WithoutPath(std::string_view address, std::string* path) {
  const size_t slash = std::min(address.find('/'), address.size());
  *path = slash == address.size() ? "/" : std::string(address.substr(slash));
  return address.substr(0, slash);
}

bool IsOfHBase(const StoreUrl& url) { return url.kind == Kind::kHBase || url.kind == Kind::kHBaseTls; }

/// Options that would protect a connection, and would have no effect.
Status CheckSecurity(const StoreUrl& url, const GatewaySecurity& security) {
  if (url.kind == Kind::kHBase && security.pems) {
    return InvalidArgument(
        "--store_tls_ca_file, --store_tls_cert_file and --store_tls_key_file are for TLS, and --store is hbase://, "
        "which has none: write hbases://");
  }
  if (IsOfHBase(url)) return {};
  if (security.kerberos_service.find('/') != std::string::npos) {
    return InvalidArgument(
        "--store_kerberos_service has a '/': give the name of the service alone, for example hbase. Only hbase:// and "
        "hbases:// take a whole principal");
  }
  if (!security.kerberos_masters.empty() || security.allow_simple_auth) {
    return InvalidArgument(
        "--store_kerberos_masters and --store_allow_simple_auth are only for hbase:// and hbases://, and --store is "
        "neither: leave them out");
  }
  if (url.kind == Kind::kThrift && security.pems) {
    return InvalidArgument(
        "--store_tls_ca_file, --store_tls_cert_file and --store_tls_key_file require TLS, and thrift:// has none: "
        "write --store=thrifts://HOST:PORT, or thrift+https://HOST:PORT/ for a gateway in HTTP mode");
  }
  if (url.kind == Kind::kThriftHttps && !security.kerberos_service.empty()) {
    return Status(StatusCode::kConfiguration, kNoSpnego);
  }
  return Status();
}

/// The files are read once: their faults are reported before anything is done.
Result<std::shared_ptr<TlsClientContexts>> OpenTls(const GatewaySecurity& security) {
  auto tls = std::make_shared<TlsClientContexts>(security.pems);
  std::string unused;
  const auto first = tls->Newest(&unused);
  if (!first.ok()) return first.status();
  return tls;
}

Result<hbase::SecurityOptions> SecurityOfCluster(const StoreUrl& url, const GatewaySecurity& security) {
  hbase::SecurityOptions options;
  if (!security.kerberos_service.empty()) {
    options.kerberos = hbase::KerberosLogin{security.kerberos_service, security.kerberos_masters, security.qop,
                                            security.allow_simple_auth};
  }
  if (url.kind == Kind::kHBase) return options;
  FENSI_ASSIGN_OR_RETURN(options.tls, OpenTls(security));
  return options;
}

Result<GatewayLayers> LayersOf(const StoreUrl& url, const GatewaySecurity& security) {
  FENSI_RETURN_IF_ERROR(CheckSecurity(url, security));
  GatewayLayers layers;
  layers.http_path = url.http_path;
  if (!security.kerberos_service.empty()) {
    layers.sasl = [service = security.kerberos_service, host = url.host, qop = security.qop] {
      return MakeKerberosSession(service, host, qop);
    };
  }
  if (url.kind == Kind::kThrift) return layers;
  FENSI_ASSIGN_OR_RETURN(layers.tls, OpenTls(security));
  return layers;
}

std::unique_ptr<Store> WithHint(std::unique_ptr<Store> store, const ProtocolHint::Place& place) {
  return std::make_unique<ProtocolHint>(std::shared_ptr<Store>(std::move(store)), place);
}

Result<std::unique_ptr<Store>> OpenThrift(const StoreUrl& url, const OpenOptions& options) {
  FENSI_ASSIGN_OR_RETURN(GatewayLayers layers, LayersOf(url, options.security));
  HBaseOptions hbase;
  hbase.host = url.host;
  hbase.port = url.port;
  hbase.connections = options.connections;
  hbase.connect_timeout = options.connect_timeout;
  hbase.call_timeout = options.call_timeout;
  hbase.first_answer = options.first_answer;
  hbase.layers = std::move(layers);
  hbase.counts = options.counts;
  hbase.clock = options.clock;
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<HBaseStore> store, HBaseStore::Open(hbase));
  if (url.kind != Kind::kThrift) return std::unique_ptr<Store>(std::move(store));
  return WithHint(std::move(store), {.host = url.host, .port = url.port});
}

Result<std::unique_ptr<Store>> OpenNative(const StoreUrl& url, const OpenOptions& options) {
  FENSI_RETURN_IF_ERROR(CheckSecurity(url, options.security));
  hbase::ClusterOptions cluster{.registry = {.servers = {}, .znode = url.znode}};
  for (const auto& [host, port] : url.servers) cluster.registry.servers.push_back({host, port});
  cluster.connect_timeout = options.connect_timeout;
  cluster.call_timeout = options.call_timeout;
  cluster.first_answer = options.first_answer;
  FENSI_ASSIGN_OR_RETURN(cluster.security, SecurityOfCluster(url, options.security));
  FENSI_ASSIGN_OR_RETURN(std::shared_ptr<hbase::Cluster> opened, hbase::Cluster::Open(cluster));
  const auto& [host, port] = url.servers.front();
  return WithHint(std::make_unique<NativeStore>(std::move(opened)), {.host = host,
                                                                     .port = port,
                                                                     .zookeeper = !url.znode.empty(),
                                                                     .masters = url.znode.empty(),
                                                                     .tls = url.kind == Kind::kHBaseTls});
}

/// The error in it, or empty.
std::string ParseServers(std::string_view text, StoreUrl* url) {
  const size_t slash = std::min(text.find('/'), text.size());
  url->znode = text.substr(slash);
  while (url->znode.ends_with('/')) url->znode.pop_back();
  if (slash < text.size() && url->znode.empty()) return "the znode of HBase is missing after the '/' (usually /hbase)";
  for (const std::string& server : SplitList(std::string(text.substr(0, slash)))) {
    std::string host;
    int port = url->znode.empty() ? kMasterPort : kZooKeeperPort;
    if (std::string fault = SplitAddress(server, &host, &port); !fault.empty()) return fault;
    url->servers.emplace_back(std::move(host), port);
  }
  return url->servers.empty() ? "the host is missing" : "";
}

}  // namespace

Result<StoreUrl> ParseStoreUrl(const std::string& text) {
  const auto* scheme = std::find_if(std::begin(kSchemes), std::end(kSchemes),
                                    [&text](const Scheme& one) { return text.starts_with(one.prefix); });
  if (scheme == std::end(kSchemes)) return BadUrl(text, "the text begins with no kind of store that fensi knows");
  StoreUrl url;
  url.kind = scheme->kind;
  std::string_view rest = std::string_view(text).substr(scheme->prefix.size());
  if (url.kind == Kind::kEmbedded) {
    url.directory = rest;
    if (rest.empty()) return BadUrl(text, "the directory is missing");
    return url;
  }
  if (IsOfHBase(url)) {
    const std::string fault = ParseServers(rest, &url);
    return fault.empty() ? Result<StoreUrl>(url) : Result<StoreUrl>(BadUrl(text, fault));
  }
  if (url.kind == Kind::kThriftHttps) rest = WithoutPath(rest, &url.http_path);
  const std::string fault = SplitAddress(rest, &url.host, &url.port);
  if (!fault.empty()) return BadUrl(text, fault);
  if (url.http_path.find_first_of(" \t\r\n") != std::string::npos)
    return BadUrl(text, "the path has a blank, and must have none");
  return url;
}

bool LeadToOneStore(const StoreUrl& one, const StoreUrl& other) {
  if (IsOfHBase(one) && IsOfHBase(other)) {
    const auto in_other = [&](const auto& server) {
      return std::find(other.servers.begin(), other.servers.end(), server) != other.servers.end();
    };
    return one.znode == other.znode && std::any_of(one.servers.begin(), one.servers.end(), in_other);
  }
  if (IsOfHBase(one) || IsOfHBase(other)) return false;
  if (one.kind == Kind::kEmbedded || other.kind == Kind::kEmbedded) {
    // From the root on: of a name without an existing part the result would be the name.
    const auto place = [](const std::string& directory) {
      std::error_code unknown;  // then the name as it is
      return std::filesystem::weakly_canonical(std::filesystem::absolute(directory + "/", unknown), unknown);
    };
    return one.kind == other.kind && place(one.directory) == place(other.directory);
  }
  return one.host == other.host && one.port == other.port;
}

Result<std::unique_ptr<Store>> OpenStore(const std::string& text, const OpenOptions& options) {
  FENSI_ASSIGN_OR_RETURN(StoreUrl url, ParseStoreUrl(text));
  if (IsOfHBase(url)) return OpenNative(url, options);
  if (url.kind != Kind::kEmbedded) return OpenThrift(url, options);
  EmbeddedOptions embedded;
  embedded.directory = url.directory;
  embedded.read_only = options.read_only;
  embedded.existing = options.existing;
  embedded.clock = options.clock;
  return AsStore(EmbeddedStore::Open(embedded));
}

Result<std::unique_ptr<Store>> OpenMemoryStore(Clock* clock) {
  EmbeddedOptions embedded;
  embedded.in_memory = true;
  embedded.clock = clock;
  return AsStore(EmbeddedStore::Open(embedded));
}

}  // namespace fensi::store
