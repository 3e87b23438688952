#include "operations/status/daemons.h"

#include <algorithm>

#include "admin/client.h"
#include "operations/access/admin_place.h"
#include "operations/access/secret_file.h"
#include "operations/json/bounded_json.h"

namespace fensi::operations {
namespace {

using admin::Address;

constexpr size_t kMostUnaskedBytes = size_t{4} << 20;  // more than 20,000 partitions

/// Their form was checked before.
std::vector<Address> NamedAddresses(const DaemonsOptions& options) {
  std::vector<Address> addresses;
  for (const std::string& text : options.places) addresses.push_back(*admin::ParseAddress(text));
  return addresses;
}

std::vector<Address> DefaultAddresses() {
  std::vector<Address> addresses;
  for (uint16_t port = kRunPort; port <= kLastPort; ++port) {
    addresses.push_back({Address::Kind::kTcp, "127.0.0.1", port});
  }
  return addresses;
}

Result<nlohmann::ordered_json> StatusOf(const Result<std::string>& answer) {
  return answer.ok() ? StatusIn(*answer) : answer.status();
}

Status Nobody(const std::vector<Status>& faults) {
  if (!faults.empty()) return faults.front();
  return Status(StatusCode::kUnavailable, "no 'fensi run' and no 'fensi capture' answers on the ports " +
                                              std::to_string(kRunPort) + " to " + std::to_string(kLastPort) +
                                              " of 127.0.0.1. Start one, or name its address with --daemon");
}

}  // namespace

Result<std::string> DaemonAuthorities(const std::string& ca_file) {
  std::string authorities;
  if (!ca_file.empty()) FENSI_RETURN_IF_ERROR(ReadPem("--daemon_ca_file", ca_file, &authorities));
  return authorities;
}

Result<nlohmann::ordered_json> StatusIn(const std::string& body) {
  // A partition takes at least 129 bytes, and is 9 values.
  constexpr size_t kBytesOfAValue = 12;
  std::optional<nlohmann::ordered_json> json = ParseBounded(body, {.values = body.size() / kBytesOfAValue + 64});
  if (!json || !json->is_object() || !json->contains("format") || !json->contains("process")) {
    return admin::NotADaemon();
  }
  if ((*json)["format"] != 1) {
    return Status(
        StatusCode::kConfiguration,
        "the daemon runs a newer version of fensi, whose status this program cannot read. Upgrade fensi on this "
        "machine");
  }
  return std::move(*json);
}

Result<Daemons> AskDaemons(const DaemonsOptions& options, std::chrono::milliseconds timeout) {
  const bool named = !options.places.empty();
  const std::vector<Address> addresses = named ? NamedAddresses(options) : DefaultAddresses();
  FENSI_ASSIGN_OR_RETURN(std::string token, ReadAdminToken(options.token_file));
  FENSI_ASSIGN_OR_RETURN(std::string authorities, DaemonAuthorities(options.ca_file));
  admin::Question question{.token = std::move(token), .authorities = std::move(authorities), .timeout = timeout};
  // Any user of this machine can listen on a default port.
  if (!named) question.most_bytes = kMostUnaskedBytes;
  const std::vector<Result<std::string>> answers = admin::QueryAll(addresses, question);
  Daemons daemons;
  for (size_t i = 0; i < addresses.size(); ++i) {
    const std::string place = addresses[i].Text();
    Result<nlohmann::ordered_json> status = StatusOf(answers[i]);
    const bool absent = status.status().code() == StatusCode::kNotFound;
    if (status.ok()) {
      daemons.answered.push_back({place, std::move(*status)});
    } else if (named || !absent) {
      const StatusCode code = absent ? StatusCode::kUnavailable : status.status().code();
      daemons.faults.emplace_back(code, place + ": " + status.status().message());
    }
  }
  if (daemons.answered.empty()) return Nobody(daemons.faults);
  return daemons;
}

Status CheckAnyRuns(const Daemons& daemons) {
  const auto runs = [](const Daemon& daemon) { return daemon.status.contains("indexes"); };
  if (std::any_of(daemons.answered.begin(), daemons.answered.end(), runs)) return Status();
  return Status(
      StatusCode::kUnavailable,
      "no 'fensi run' answers on this machine, only a 'fensi capture'. If a 'fensi run' should run here, read "
      "its log and its exit code. Otherwise name its address with --daemon=ADDRESS:PORT");
}

Result<std::vector<Address>> DaemonsToChange(const DaemonsOptions& options) {
  if (!options.places.empty()) return NamedAddresses(options);
  FENSI_ASSIGN_OR_RETURN(const Daemons daemons, AskDaemons(options, std::chrono::seconds(3)));
  std::vector<std::string> places;
  for (const Daemon& daemon : daemons.answered) {
    if (daemon.status.contains("indexes")) places.push_back(daemon.place);
  }
  if (!daemons.faults.empty()) {
    return InvalidArgument("a daemon of this machine does not answer: " + daemons.faults.front().message() +
                           ". Name the daemons that you mean with --daemon=ADDRESS:PORT");
  }
  if (places.size() == 1) return std::vector<Address>{*admin::ParseAddress(places.front())};
  if (places.empty())
    return Status(StatusCode::kUnavailable, "no 'fensi run' answers. Start one, or name its address with --daemon");
  std::string text =
      "several daemons of this machine answer. Name the daemons that you mean with --daemon=ADDRESS:PORT:";
  for (const std::string& place : places) text += " " + place;
  return InvalidArgument(text);
}

}  // namespace fensi::operations
