// Queries daemons for `fensi status`.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "admin/address.h"
#include "base/status.h"

namespace fensi::operations {

struct DaemonsOptions {
  std::vector<std::string> places;  // of admin servers; empty: the default ports of this machine
  std::string token_file;           // with their token; empty: none
  std::string ca_file;              // PEM, issuers of their certificates; empty: those of the system
};

struct Daemon {
  std::string place;  // "127.0.0.1:16180"
  nlohmann::ordered_json status;
};

struct Daemons {
  std::vector<Daemon> answered;
  std::vector<Status> faults;  // of each given daemon that cannot be reached, and of unexpected servers on default
                               // ports
};

/// The content of the file of --daemon_ca_file; empty for the path "". Blocks on the file system.
Result<std::string> DaemonAuthorities(const std::string& ca_file);

/// Parses an admin server's answer to /status. kConfiguration: it is none, or beyond its bounds: memory and time are
/// proportional to the bytes, whatever they are.
Result<nlohmann::ordered_json> StatusIn(const std::string& body);

/// Queries the given daemons, or all on the default ports of this machine; blocks for `timeout` at most. An error: a
/// flag is wrong, or no daemon has answered. An answer may have 32 MiB, and 4 MiB on a default port. Any thread.
Result<Daemons> AskDaemons(const DaemonsOptions& options, std::chrono::milliseconds timeout);

/// kUnavailable: only captures have answered, and a live capture says nothing about a dead `fensi run`.
Status CheckAnyRuns(const Daemons& daemons);

/// The given addresses, or the one `fensi run` that answers on a default port of this machine: kInvalidArgument if
/// there are several or one does not answer, kUnavailable if there is none.
Result<std::vector<admin::Address>> DaemonsToChange(const DaemonsOptions& options);

}  // namespace fensi::operations
