// Asks admin servers by HTTP/1.1, all at once.
//
// Blocks its caller until each has answered, at most Question::timeout, on no thread but the caller's. What comes back
// is bounded whoever answers: see Question::most_bytes. Any thread.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "admin/address.h"
#include "base/status.h"

namespace fensi::admin {

struct Question {
  std::string target = "/status";
  bool changes = false;     // it is a POST, and the body of a refusal of what was asked for counts as an answer, too
  std::string token;        // empty: none is sent
  std::string authorities;  // in PEM: who issues the certificates of servers, which are asked in TLS then; empty: plain
  std::chrono::milliseconds timeout{3000};
  size_t most_bytes = size_t{32} << 20;  // of one answer; a server has no more on their way
};

/// kConfiguration: another program answers at the address, and no daemon of fensi.
inline fensi::Status NotADaemon() {
  return fensi::Status(StatusCode::kConfiguration,
                       "the server there is no 'fensi run' or 'fensi capture': correct the address (--daemon)");
}

/// The body of each one's answer, in the order of `addresses`, of which none is of kind none. kNotFound: nobody listens
/// there. kUnavailable: no whole answer in time. kPermission: we may not ask. kConfiguration: what answers is no server
/// of fensi's.
/// kConfiguration for all: `authorities` are none; of one: its certificate is not theirs, or not for its address.
std::vector<Result<std::string>> QueryAll(const std::vector<Address>& addresses, const Question& question);

}  // namespace fensi::admin
