#include "store/open_store.h"

#include <algorithm>
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

/// Host and port of "HOST", "HOST:PORT" or "[ADDRESS]:PORT"; what is wrong with it, or empty. Several colons without
/// brackets are an address of IPv6 without a port.
std::string SplitAddress(std::string_view text, std::string* host, uint16_t* port) {
  const bool brackets = text.starts_with('[');
  const bool bare = !brackets && std::count(text.begin(), text.end(), ':') > 1;
  const size_t end = brackets ? text.find(']') : bare ? text.size() : std::min(text.find(':'), text.size());
  if (end == std::string_view::npos) return "the ']' is missing";
  *host = text.substr(brackets ? 1 : 0, brackets ? end - 1 : end);
  const std::string_view rest = text.substr(brackets ? end + 1 : end);
  if (host->empty() || host->find('/') != std::string::npos) return "there is no host";
  if (rest.empty()) return "";
  const char* last = rest.data() + rest.size();
  const auto [parsed, error] = std::from_chars(rest.data() + 1, last, *port);
  const bool good = rest[0] == ':' && error == std::errc() && parsed == last && *port != 0;
  return good ? "" : "the port is not a number of 1 to 65535";
}

Result<std::unique_ptr<Store>> OpenHBase(const std::string& url, const OpenOptions& options) {
  HBaseOptions hbase;
  uint16_t port = kDefaultPort;
  const std::string fault = SplitAddress(std::string_view(url).substr(kHBase.size()), &hbase.host, &port);
  if (!fault.empty()) return BadUrl(url, fault);
  hbase.port = port;
  hbase.connections = options.connections;
  hbase.connect_timeout = options.connect_timeout;
  hbase.call_timeout = options.call_timeout;
  hbase.first_answer = options.first_answer;
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
  embedded.existing = options.existing;
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
