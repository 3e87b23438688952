// The daemons that `fensi status` asks, and what they say of themselves.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "admin/address.h"
#include "base/status.h"

namespace fensi::cli {

struct Daemon {
  std::string place;  // "127.0.0.1:16180"
  nlohmann::ordered_json status;
};

struct Daemons {
  std::vector<Daemon> answered;
  std::vector<Status> faults;  // of each that was named and is not to be had, or has a default port and is odd
};

/// What an admin server answered to /status. kConfiguration: it is none, or beyond the bounds of one: memory and time
/// are those of the bytes, whatever they are.
Result<nlohmann::ordered_json> StatusIn(const std::string& body);

/// Asks those of --daemon, or whoever listens on a default port of this machine; blocks for `timeout` at most. An
/// error: a flag is wrong, or nobody has answered. An answer may have 32 MiB, and 4 MiB on a default port. Any thread.
Result<Daemons> AskDaemons(std::chrono::milliseconds timeout);

/// kUnavailable: only captures have answered, and a capture that lives says nothing of a `fensi run` that is dead.
Status CheckAnyRuns(const Daemons& daemons);

/// The places of --daemon, or the one `fensi run` that answers on a default port of this machine: kInvalidArgument when
/// there are several or one cannot be asked, kUnavailable when there is none.
Result<std::vector<admin::Address>> DaemonsToChange();

}  // namespace fensi::cli
