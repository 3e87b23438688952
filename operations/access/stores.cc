#include "operations/access/stores.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/shown_text.h"
#include "store/open_store.h"
#include "store/retrying_store.h"

namespace fensi::operations {
namespace {

using std::chrono::milliseconds;

// Between two attempts to reach a server: a gateway that is starting needs seconds.
constexpr milliseconds kPause{300};
// Any name does: an answer, even "no such table", shows that the server is there.
constexpr char kProbeTable[] = "fensi_probe";

enum class Use { kRead, kWrite, kMake };

/// An open store whose server has answered whether it has the table.
Result<std::unique_ptr<store::Store>> OpenReached(const StoreOptions& named, Use use, const std::string& table,
                                                  bool* exists) {
  store::OpenOptions options;
  options.read_only = use == Use::kRead;
  options.existing = use != Use::kMake;
  options.connections = 1;
  options.connect_timeout = std::min<milliseconds>(options.connect_timeout, named.connect_timeout);
  options.first_answer = named.connect_timeout;
  FENSI_ASSIGN_OR_RETURN(options.security, StoreSecurity(named.security));
  Result<std::unique_ptr<store::Store>> store = store::OpenStore(named.url, options);
  if (!store.ok()) return store;
  const auto attempt = [&] {
    const auto answer = (*store)->DescribeTable(table);
    if (answer.ok()) *exists = answer->has_value();
    return answer.status();
  };
  FENSI_RETURN_IF_ERROR(UntilReached(attempt, named.connect_timeout, SystemClock()));
  return store;
}

Result<std::unique_ptr<store::Store>> OpenReached(const StoreOptions& options, Use use) {
  bool exists = false;
  Result<std::unique_ptr<store::Store>> store = OpenReached(options, use, kProbeTable, &exists);
  const Status& status = store.status();
  if (store.ok() || status.message().find(kProbeTable) == std::string::npos) return store;
  return Status(status.code(), status.words() + " (table " + kProbeTable +
                                   " need not exist: fensi reads it to see whether the server answers)");
}

/// A typing error most often. Who may not see the names of tables gets none.
Status Missing(const StoreOptions& options, const std::string& table, store::Store* store) {
  const Result<std::vector<std::string>> names = store->TableNames();
  return Status(StatusCode::kNotFound, options.url + " has no table '" + table + "'" +
                                           (names.ok() ? DidYouMean(table, *names) : "") +
                                           "; 'fensi create MAPPING --execute' makes the tables of an index");
}

}  // namespace

Result<std::unique_ptr<store::Store>> OpenStoreToRead(const StoreOptions& options, const std::string& table) {
  bool exists = false;
  Result<std::unique_ptr<store::Store>> store = OpenReached(options, Use::kRead, table, &exists);
  if (store.ok() && !exists) return Missing(options, table, store->get());
  return store;
}

Result<std::unique_ptr<store::Store>> OpenStoreToReadAny(const StoreOptions& options) {
  return OpenReached(options, Use::kRead);
}

Result<std::unique_ptr<store::Store>> OpenStoreToWrite(const StoreOptions& options) {
  return OpenReached(options, Use::kWrite);
}

Result<std::unique_ptr<store::Store>> OpenStoreToMake(const StoreOptions& options) {
  return OpenReached(options, Use::kMake);
}

Result<store::TableDescriptor> RequireTable(const StoreOptions& options, store::Store* store,
                                            const std::string& table) {
  FENSI_ASSIGN_OR_RETURN(std::optional<store::TableDescriptor> found, store->DescribeTable(table));
  if (!found.has_value()) return Missing(options, table, store);
  return std::move(*found);
}

std::unique_ptr<store::Store> WaitingStore(std::unique_ptr<store::Store> store, std::chrono::minutes give_up_after) {
  store::RetryOptions retry;
  retry.give_up_after = give_up_after;
  return std::make_unique<store::RetryingStore>(std::move(store), retry);
}

std::shared_ptr<store::Store> GuardedStore(const std::shared_ptr<store::Store>& store,
                                           std::function<Status()> permission) {
  return store->Guarded(std::move(permission));
}

Status UntilReached(const std::function<Status()>& attempt, milliseconds timeout, Clock* clock) {
  const milliseconds deadline = clock->MonotonicNow() + timeout;
  while (true) {
    const Status status = attempt();
    if (status.code() != StatusCode::kUnavailable || clock->MonotonicNow() >= deadline) return status;
    clock->Sleep(std::min(kPause, deadline - clock->MonotonicNow()));
  }
}

Result<std::vector<std::string>> RegionStartsOf(store::Store* store, const std::string& table, Clock* clock) {
  std::vector<std::string> found;
  const auto ask = [&]() -> Status {
    Result<std::vector<std::string>> starts = store->RegionStarts(table);
    if (starts.ok()) found = std::move(*starts);
    return starts.status();
  };
  FENSI_RETURN_IF_ERROR(UntilReached(ask, kFirstContact, clock));
  return found;
}

bool StoreIsEmbedded(const std::string& url) { return url.starts_with("embedded:"); }

}  // namespace fensi::operations
