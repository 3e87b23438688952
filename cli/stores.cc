#include "cli/stores.h"

#include <algorithm>

#include "cli/flags/flags.h"
#include "store/open_store.h"

namespace fensi::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Between two attempts to reach a server: a gateway that is starting needs seconds.
constexpr milliseconds kPause{300};
// Any name does: an answer, even "no such table", shows that the server is there.
constexpr char kProbeTable[] = "fensi_probe";

Result<std::unique_ptr<store::Store>> Open(bool read_only) {
  store::OpenOptions options;
  options.read_only = read_only;
  options.connections = 1;
  options.connect_timeout = std::min<milliseconds>(options.connect_timeout, seconds(FLAGS_connect_timeout_s));
  return store::OpenStore(FLAGS_store, options);
}

Status Probe(store::Store* store, const std::string& table, bool* exists) {
  const auto attempt = [&] {
    const auto answer = store->DescribeTable(table);
    if (answer.ok()) *exists = answer->has_value();
    return answer.status();
  };
  return UntilReached(attempt, seconds(FLAGS_connect_timeout_s), SystemClock());
}

}  // namespace

Result<std::unique_ptr<store::Store>> OpenStoreToRead(const std::string& table) {
  Result<std::unique_ptr<store::Store>> store = Open(true);
  if (!store.ok()) return store;
  bool exists = false;
  FENSI_RETURN_IF_ERROR(Probe(store->get(), table, &exists));
  if (!exists) return Status(StatusCode::kNotFound, FLAGS_store + " has no table '" + table + "'");
  return store;
}

Result<std::unique_ptr<store::Store>> OpenStoreToReadAny() {
  Result<std::unique_ptr<store::Store>> store = Open(true);
  if (!store.ok()) return store;
  bool exists = false;
  FENSI_RETURN_IF_ERROR(Probe(store->get(), kProbeTable, &exists));
  return store;
}

Result<std::unique_ptr<store::Store>> OpenStoreToWrite() {
  Result<std::unique_ptr<store::Store>> store = Open(false);
  if (!store.ok()) return store;
  bool exists = false;
  FENSI_RETURN_IF_ERROR(Probe(store->get(), kProbeTable, &exists));
  return store;
}

Status UntilReached(const std::function<Status()>& attempt, milliseconds patience, Clock* clock) {
  const milliseconds deadline = clock->SinceBoot() + patience;
  while (true) {
    const Status status = attempt();
    if (status.code() != StatusCode::kUnavailable || clock->SinceBoot() >= deadline) return status;
    clock->Sleep(std::min(kPause, deadline - clock->SinceBoot()));
  }
}

bool StoreIsEmbedded(const std::string& url) { return url.starts_with("embedded:"); }

}  // namespace fensi::cli
