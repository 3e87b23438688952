// The store that --store names, opened for what a command does with it. Blocks; the store itself is thread-safe.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "store/store.h"

namespace fensi::cli {

/// A store that `fensi run` has never reached within this time from its start ends the index; one that it has reached
/// is waited for without end.
constexpr std::chrono::seconds kFirstContact{30};

/// For commands that read `table`: an embedded store may be in use by a running daemon. kUnavailable when the server is
/// not reached within --connect_timeout_s, kNotFound when there is no such table.
Result<std::unique_ptr<store::Store>> OpenStoreToRead(const std::string& table);

/// As OpenStoreToRead, when it is no fault that a table does not exist.
Result<std::unique_ptr<store::Store>> OpenStoreToReadAny();

/// For commands that read and write once, in tables that are there: kUnavailable when the server is not reached within
/// --connect_timeout_s, kNotFound when there is no embedded store.
Result<std::unique_ptr<store::Store>> OpenStoreToWrite();

/// As OpenStoreToWrite, but makes an embedded store where there is none: for commands that make tables.
Result<std::unique_ptr<store::Store>> OpenStoreToMake();

/// kNotFound names --store and the table when it is not there. Blocks.
Result<store::TableDescriptor> RequireTable(store::Store* store, const std::string& table);

/// The same store for what goes on for long: a server that is away is waited for so long.
std::unique_ptr<store::Store> WaitingStore(std::unique_ptr<store::Store> store, std::chrono::minutes give_up_after);

/// The same store, but calls end soon after `permission` has an error, even while they wait for a server.
std::shared_ptr<store::Store> GuardedStore(const std::shared_ptr<store::Store>& store,
                                           std::function<Status()> permission);

/// Calls `attempt` until it answers with anything but kUnavailable or `timeout` is over; the last answer.
Status UntilReached(const std::function<Status()>& attempt, std::chrono::milliseconds timeout, Clock* clock);

/// The first rows of a table's regions. What a gateway cannot tell while they move or split is asked again for
/// kFirstContact.
Result<std::vector<std::string>> RegionStartsOf(store::Store* store, const std::string& table, Clock* clock);

/// True for embedded:DIR.
bool StoreIsEmbedded(const std::string& url);

}  // namespace fensi::cli
