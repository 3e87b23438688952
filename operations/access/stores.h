// Opens a store for a command. Blocks; the store itself is thread-safe.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "mapping/environment.h"
#include "operations/access/store_security.h"
#include "store/store.h"

namespace fensi::operations {

/// If `fensi run` has not reached its store within this time from its start, the index ends; once reached, the store is
/// retried without end.
constexpr std::chrono::seconds kFirstContact{30};

/// The store of the source tables, if they are in another cluster than the index.
struct SourceStoreOptions {
  std::string url;  // empty: they are in the store of the index
  StoreSecurityOptions security;
  std::string flag_alone;           // a flag that was given without a URL
  std::vector<std::string> tables;  // that the command reads as sources; WithSource
};

struct StoreOptions {
  std::string url;                                      // embedded:DIR, or thrift://HOST:PORT; empty: not given
  std::string meta_table = mapping::kDefaultMetaTable;  // shared by all indexes of the store
  std::chrono::seconds connect_timeout{10};             // time in which its server must answer
  StoreSecurityOptions security;
  SourceStoreOptions source;
};

/// The same options for work that reads these source tables.
StoreOptions WithSource(StoreOptions options, std::vector<std::string> tables);

/// The options of the source's store as the only one, for work on the source alone.
StoreOptions SourceOf(const StoreOptions& options);

/// kInvalidArgument: the two stores are one, or only one of them is embedded, or a flag of the source store is given
/// without it. kConfiguration: a source table is also a table of fensi in the store of the index.
Status CheckSourceStore(const StoreOptions& options);

enum class SourceUse { kRead, kWrite };

/// The store of the source alone. Nothing is made in it: kNotFound if there is no embedded store.
Result<std::unique_ptr<store::Store>> OpenSourceStore(const StoreOptions& options, SourceUse use);

/// The store of the index and that of its source as one store (store/routing_store.h).
std::unique_ptr<store::Store> JoinStores(const StoreOptions& options, std::shared_ptr<store::Store> index,
                                         std::shared_ptr<store::Store> source);

// With a source store and source tables, each of the following opens both stores: the source's store only to use what
// is there. Errors are those of both.

/// For commands that read `table`: an embedded store may be in use by a running daemon. kUnavailable if the server is
/// not reached within `connect_timeout`, kNotFound if the table does not exist.
Result<std::unique_ptr<store::Store>> OpenStoreToRead(const StoreOptions& options, const std::string& table);

/// As OpenStoreToRead, for tables that need not exist.
Result<std::unique_ptr<store::Store>> OpenStoreToReadAny(const StoreOptions& options);

/// For commands that read and write once, in existing tables: kUnavailable if the server is not reached within
/// `connect_timeout`, kNotFound if there is no embedded store.
Result<std::unique_ptr<store::Store>> OpenStoreToWrite(const StoreOptions& options);

/// As OpenStoreToWrite, but creates a missing embedded store: for commands that create tables.
Result<std::unique_ptr<store::Store>> OpenStoreToMake(const StoreOptions& options);

/// kNotFound names the store and the missing table, and for a source table the flag of another store. Blocks.
Result<store::TableDescriptor> RequireTable(const StoreOptions& options, store::Store* store, const std::string& table);

/// The same store for long work: retries an unreachable server for this time.
std::unique_ptr<store::Store> WaitingStore(std::unique_ptr<store::Store> store, std::chrono::minutes give_up_after);

/// The same store, but calls end soon after `permission` returns an error, even while they wait for a server.
std::shared_ptr<store::Store> GuardedStore(const std::shared_ptr<store::Store>& store,
                                           std::function<Status()> permission);

/// Calls `attempt` until it returns anything but kUnavailable or `timeout` is over; returns the last result.
Status UntilReached(const std::function<Status()>& attempt, std::chrono::milliseconds timeout, Clock* clock);

/// The first rows of a table's regions. Retries for kFirstContact while regions move or split.
Result<std::vector<std::string>> RegionStartsOf(store::Store* store, const std::string& table, Clock* clock);

/// True for embedded:DIR.
bool StoreIsEmbedded(const std::string& url);

}  // namespace fensi::operations
