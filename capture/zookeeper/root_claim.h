// How a capture takes its place below its root: alone at the door, in agreement with those who are there.
//
//   ROOT/hbaseid         the id of the peer, as HBase reads it
//   ROOT/rs/HOST,PORT,T  ephemeral, one for each port
//   ROOT/capture         the Agreement
//   ROOT/door            ephemeral: held while a capture looks who is there and takes its place
//
// Blocks on the session; one thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "capture/zookeeper/registration.h"

namespace fensi::capture {

class RootClaim {
 public:
  RootClaim(const RegistrationOptions& options, ZooKeeperSession* session, Clock* clock)
      : options_(options), session_(session), clock_(clock) {}

  /// Makes all znodes; what the captures of this root have agreed on. kConfiguration: see Registration::Start.
  /// kCancelled: `stop` said so.
  Result<Agreement> Take(const std::function<bool()>& stop);
  /// The ephemeral znodes that Take has made for the ports.
  const std::vector<std::string>& nodes() const { return nodes_; }

  /// Does the root still say so, whatever it says of the source?
  Result<bool> StillAgreed(const Agreement& agreement);
  /// Remembers the source cluster in the root, if none is yet; the one that is remembered.
  Result<std::string> PinSource(const std::string& uuid);

 private:
  std::string Path(const std::string& below) const { return options_.root + "/" + below; }
  Status ClaimId();
  Status EnterDoor(const std::function<bool()>& stop);
  Status RemoveFormerSelf();
  /// Absent: try again, somebody else was quicker or may be gone in a moment.
  Result<std::optional<Agreement>> TakeOnce(bool last_try);
  Result<std::optional<Agreement>> Agree(bool last_try);
  Status TakePlaces();
  Status Pause(const std::function<bool()>& stop);

  const RegistrationOptions& options_;
  ZooKeeperSession* const session_;
  Clock* const clock_;
  std::vector<std::string> nodes_;
};

}  // namespace fensi::capture
