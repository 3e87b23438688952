#include "store/open_store.h"

#include <charconv>

#include "base/bytes.h"
#include "store/embedded/embedded_store.h"
#include "store/hbase/hbase_store.h"

namespace fensi::store {
namespace {

constexpr std::string_view kEmbedded = "embedded:";
constexpr std::string_view kHBase = "hbase://";
constexpr uint16_t kDefaultPort = 9090;

Status BadUrl(const std::string& url, std::string_view why) {
  return Status(StatusCode::kInvalidArgument, "store \"" + Escape(url) + "\": " + std::string(why) +
                                                  " (possible: embedded:DIRECTORY, hbase://HOST:PORT)");
}

/// The store is used through its interface.
template <typename T>
Result<std::unique_ptr<Store>> AsStore(Result<std::unique_ptr<T>> store) {
  if (!store.ok()) return store.status();
  return std::unique_ptr<Store>(std::move(*store));
}

Result<std::unique_ptr<Store>> OpenHBase(const std::string& url, const OpenOptions& options) {
  const std::string_view address = std::string_view(url).substr(kHBase.size());
  const size_t colon = address.rfind(':');
  const std::string_view host = address.substr(0, colon);
  uint16_t port = kDefaultPort;
  if (colon != std::string_view::npos) {
    const char* end = address.data() + address.size();
    const auto [rest, error] = std::from_chars(address.data() + colon + 1, end, port);
    if (error != std::errc() || rest != end || port == 0) return BadUrl(url, "the port is not a number of 1 to 65535");
  }
  if (host.empty() || host.find('/') != std::string_view::npos) return BadUrl(url, "there is no host");
  HBaseOptions hbase;
  const bool bracketed = host.starts_with('[') && host.ends_with(']');  // an IPv6 address
  hbase.host = bracketed ? host.substr(1, host.size() - 2) : host;
  hbase.port = port;
  hbase.connections = options.connections;
  hbase.connect_timeout = options.connect_timeout;
  hbase.call_timeout = options.call_timeout;
  hbase.clock = options.clock;
  return AsStore(HBaseStore::Open(hbase));
}

}  // namespace

Result<std::unique_ptr<Store>> OpenStore(const std::string& url, const OpenOptions& options) {
  if (url.starts_with(kHBase)) return OpenHBase(url, options);
  if (!url.starts_with(kEmbedded)) return BadUrl(url, "unknown kind of store");
  EmbeddedOptions embedded;
  embedded.directory = url.substr(kEmbedded.size());
  embedded.read_only = options.read_only;
  embedded.clock = options.clock;
  if (embedded.directory.empty()) return BadUrl(url, "there is no directory");
  return AsStore(EmbeddedStore::Open(embedded));
}

Result<std::unique_ptr<Store>> OpenMemoryStore(Clock* clock) {
  EmbeddedOptions embedded;
  embedded.in_memory = true;
  embedded.clock = clock;
  return AsStore(EmbeddedStore::Open(embedded));
}

}  // namespace fensi::store
