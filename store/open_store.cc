#include "store/open_store.h"

#include "base/bytes.h"
#include "store/embedded/embedded_store.h"

namespace fensi::store {
namespace {

constexpr std::string_view kEmbedded = "embedded:";
constexpr std::string_view kHBase = "hbase://";

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

Result<std::unique_ptr<Store>> OpenHBase(const std::string& url, const OpenOptions&) {
  return BadUrl(url, "this build has no HBase yet");
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
