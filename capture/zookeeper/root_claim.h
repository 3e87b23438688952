// How a capture takes its place below its root: alone at the door, in agreement with those who are there.
//
//   ROOT/hbaseid         the id of the peer, as HBase reads it
//   ROOT/rs/HOST,PORT,T  ephemeral, one for each port; holds the listener, by which a former self is told from a twin
//   ROOT/master          ephemeral: one of these servers, whom HBase 3 asks for all of them
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

  /// Of all captures of this root.
  Result<std::vector<std::string>> Servers() { return session_->Children(Path("rs")); }
  /// Makes the server of this znode the master, unless another one is.
  Status KeepMaster(const std::string& server_node);

  /// Does the root still say so, whatever it says of the source?
  Result<bool> StillAgreed(const Agreement& agreement);
  /// Remembers the source cluster in the root, if none is yet; the one that is remembered.
  Result<std::string> PinSource(const std::string& uuid);

 private:
  std::string Path(const std::string& below) const { return options_.root + "/" + below; }
  Status ClaimId();
  struct ForeignNodes {
    std::string faults, remedies;
  };
  Status CheckOurs();
  Status CheckNode(const std::string& node, Sight sight, const std::string& remedy, ForeignNodes* foreign);
  Status EnterDoor(const std::function<bool()>& stop);
  Status RemoveFormerSelf();
  /// The znode of another capture with our host and port; empty: there is none.
  Result<std::string> Twin();
  /// Has this server the name of one of our ports?
  bool IsOurs(const std::string& server) const;
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
