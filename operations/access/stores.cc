#include "operations/access/stores.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/shown_text.h"
#include "operations/access/flag_faults.h"
#include "store/open_store.h"
#include "store/retrying_store.h"
#include "store/routing_store.h"

namespace fensi::operations {
namespace {

using std::chrono::milliseconds;

// Between two attempts to reach a server: a gateway that is starting needs seconds.
constexpr milliseconds kPause{300};
// Any name does: an answer, even "no such table", shows that the server is there.
constexpr char kProbeTable[] = "fensi_probe";

enum class Use { kRead, kWrite, kMake };

bool IsSource(const StoreOptions& options, const std::string& table) {
  return std::find(options.source.tables.begin(), options.source.tables.end(), table) != options.source.tables.end();
}

/// One of the two stores, as it is named.
struct NamedStore {
  const std::string& url;
  const StoreSecurityOptions& security;
  std::chrono::seconds connect_timeout;
};

/// An open store whose server has answered whether it has the table.
Result<std::unique_ptr<store::Store>> OpenReached(const NamedStore& named, Use use, const std::string& table,
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

/// By a table that need not exist.
Result<std::unique_ptr<store::Store>> OpenProbed(const NamedStore& named, Use use) {
  bool exists = false;
  Result<std::unique_ptr<store::Store>> store = OpenReached(named, use, kProbeTable, &exists);
  const Status& status = store.status();
  if (store.ok() || status.message().find(kProbeTable) == std::string::npos) return store;
  return status.WithSuffix(std::string(". Table ") + kProbeTable +
                           " need not exist: fensi reads it to see whether the server answers");
}

/// Nothing is made in a source store.
Result<std::unique_ptr<store::Store>> OpenSource(const StoreOptions& options, Use use) {
  Result<std::unique_ptr<store::Store>> store =
      OpenProbed({options.source.url, options.source.security, options.connect_timeout},
                 use == Use::kRead ? Use::kRead : Use::kWrite);
  if (store.ok()) return store;
  return store.status().WithContext("--source_store " + options.source.url);
}

/// Both stores, if the command reads a source table of another one.
Result<std::unique_ptr<store::Store>> OpenBoth(const StoreOptions& options, Use use, const std::string* table,
                                               bool* exists) {
  FENSI_RETURN_IF_ERROR(CheckSourceStore(options));
  const NamedStore named{options.url, options.security, options.connect_timeout};
  const bool two = !options.source.url.empty() && !options.source.tables.empty();
  const bool probed = table == nullptr || (two && IsSource(options, *table));
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<store::Store> store,
                         probed ? OpenProbed(named, use) : OpenReached(named, use, *table, exists));
  if (!two) return store;
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<store::Store> source, OpenSource(options, use));
  store = JoinStores(options, std::move(store), std::move(source));
  if (!probed || table == nullptr) return store;
  FENSI_ASSIGN_OR_RETURN(const std::optional<store::TableDescriptor> found, store->DescribeTable(*table));
  *exists = found.has_value();
  return store;
}

Result<std::unique_ptr<store::Store>> OpenAny(const StoreOptions& options, Use use) {
  return OpenBoth(options, use, nullptr, nullptr);
}

/// A typing error most often. Who may not see the names of tables gets none.
Status Missing(const StoreOptions& options, const std::string& table, store::Store* store) {
  const std::string other = store->OtherPlaceOf(table);
  if (!other.empty()) {
    return Status(StatusCode::kNotFound, other + " (--source_store) has no table '" + table +
                                             "'. Check 'source:' of the mapping file, and --source_store");
  }
  if (table == options.meta_table) {
    return Status(StatusCode::kNotFound,
                  options.url + " has no table '" + table +
                      "', the meta table. Check --store. 'fensi create MAPPING --execute' makes the meta table. If "
                      "it has another name, give --meta_table");
  }
  const Result<std::vector<std::string>> names = store->TableNames();
  const std::string hint = names.ok() ? DidYouMean(table, *names) : "";
  std::string advice = hint;
  if (IsSource(options, table)) {
    advice += hint.empty() ? ". Check its name and --store. If" : " If";
    advice += " the source table is in another cluster, name that cluster by --source_store";
  } else {
    advice += hint.empty() ? ". Check the name ('fensi tables' lists them) and --store. If" : " If";
    advice += " an index needs the table, 'fensi create MAPPING --execute' makes it";
  }
  return Status(StatusCode::kNotFound, options.url + " has no table '" + table + "'" + advice);
}

}  // namespace

Result<std::unique_ptr<store::Store>> OpenStoreToRead(const StoreOptions& options, const std::string& table) {
  bool exists = false;
  Result<std::unique_ptr<store::Store>> store = OpenBoth(options, Use::kRead, &table, &exists);
  if (store.ok() && !exists) return Missing(options, table, store->get());
  return store;
}

Result<std::unique_ptr<store::Store>> OpenStoreToReadAny(const StoreOptions& options) {
  return OpenAny(options, Use::kRead);
}

Result<std::unique_ptr<store::Store>> OpenStoreToWrite(const StoreOptions& options) {
  return OpenAny(options, Use::kWrite);
}

Result<std::unique_ptr<store::Store>> OpenStoreToMake(const StoreOptions& options) {
  return OpenAny(options, Use::kMake);
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

StoreOptions WithSource(StoreOptions options, std::vector<std::string> tables) {
  options.source.tables = std::move(tables);
  return options;
}

StoreOptions SourceOf(const StoreOptions& options) {
  if (options.source.url.empty()) return options;
  StoreOptions alone = options;
  alone.url = options.source.url;
  alone.security = options.source.security;
  alone.source = {};
  return alone;
}

Status CheckSourceStore(const StoreOptions& options) {
  const SourceStoreOptions& source = options.source;
  if (source.url.empty()) {
    return source.flag_alone.empty() ? Status() : FlagRequires(source.flag_alone, "--source_store");
  }
  if (options.url.empty()) return FlagRequires("--source_store", "--store, which names the cluster of the index");
  if (StoreIsEmbedded(source.url) != StoreIsEmbedded(options.url)) {
    return FlagsExclude(
        "--source_store=" + source.url, "--store=" + options.url,
        "one of them is a server, and the other an embedded store. Use two servers, or two embedded stores");
  }
  FENSI_ASSIGN_OR_RETURN(const store::StoreUrl one, store::ParseStoreUrl(options.url));
  FENSI_ASSIGN_OR_RETURN(const store::StoreUrl other, store::ParseStoreUrl(source.url));
  if (store::LeadToOneStore(one, other)) {
    return FlagsExclude("--source_store=" + source.url, "--store=" + options.url,
                        "they are one store. Leave out --source_store if index and source are in one cluster");
  }
  if (!IsSource(options, options.meta_table)) return Status();
  return Status(StatusCode::kConfiguration, "table " + options.meta_table +
                                                " is a source table in --source_store and the meta table in --store: "
                                                "give the meta table another name (--meta_table)");
}

Result<std::unique_ptr<store::Store>> OpenSourceStore(const StoreOptions& options, SourceUse use) {
  return OpenSource(options, use == SourceUse::kRead ? Use::kRead : Use::kWrite);
}

std::unique_ptr<store::Store> JoinStores(const StoreOptions& options, std::shared_ptr<store::Store> index,
                                         std::shared_ptr<store::Store> source) {
  return std::make_unique<store::RoutingStore>(
      std::move(index), std::move(source),
      store::SourcePlace{options.source.url, {options.source.tables.begin(), options.source.tables.end()}});
}

bool StoreIsEmbedded(const std::string& url) { return url.starts_with("embedded:"); }

}  // namespace fensi::operations
