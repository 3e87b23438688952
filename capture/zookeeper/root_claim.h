// Claims the place of a capture below its root: one capture at a time, in agreement with the captures that are there.
//
//   ROOT/hbaseid         the id of the peer, as HBase reads it
//   ROOT/rs/HOST,PORT,T  ephemeral, one for each port; has the listener, which distinguishes an earlier run of this
//                        capture from a duplicate
//   ROOT/master          ephemeral: one of these servers, which HBase 3 asks for all of them
//   ROOT/capture         the Agreement
//   ROOT/door            ephemeral: the lock while a capture claims its place
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

/// A znode of a capture that was deleted while the capture runs.
std::string GoneText(const std::string& znode);
/// kCancelled.
Status StoppedBeforeRegistration();

class RootClaim {
 public:
  RootClaim(const RegistrationOptions& options, hbase::ZooKeeperSession* session, Clock* clock)
      : options_(options), session_(session), clock_(clock) {}

  /// Creates all znodes; returns the agreement of this root's captures. kConfiguration: see Registration::Start.
  /// kCancelled: `stop` said so.
  Result<Agreement> Take(const std::function<bool()>& stop);
  /// The ephemeral znodes of the ports.
  const std::vector<std::string>& nodes() const { return nodes_; }

  /// Servers of all captures of this root.
  Result<std::vector<std::string>> Servers() { return session_->Children(Path("rs")); }
  /// Makes the server of this znode the master, unless another one is.
  Status KeepMaster(const std::string& server_node);

  /// True if the root still has this agreement, whatever its source is.
  Result<bool> StillAgreed(const Agreement& agreement);
  /// Records the source cluster in the root, if there is none yet; returns the recorded one.
  Result<std::string> PinSource(const std::string& uuid);

 private:
  std::string Path(const std::string& below) const { return options_.root + "/" + below; }
  Status ClaimId();
  struct ForeignNodes {
    std::string faults, remedies;
  };
  Status CheckStillOwner();
  Status CheckNode(const std::string& node, hbase::Sight sight, const std::string& remedy, ForeignNodes* foreign);
  Status EnterDoor(const std::function<bool()>& stop);
  Status RemoveFormerSelf();
  /// The znode of another capture with our host and port; empty: none.
  Result<std::string> Twin();
  /// True if this server has the name of one of our ports.
  bool IsOurs(const std::string& server) const;
  /// Absent: try again, another capture was faster or may be gone in a moment.
  Result<std::optional<Agreement>> TakeOnce(bool last_try);
  Result<std::optional<Agreement>> Agree(bool last_try);
  Status TakePlaces();
  Status Pause(const std::function<bool()>& stop);

  const RegistrationOptions& options_;
  hbase::ZooKeeperSession* const session_;
  Clock* const clock_;
  std::vector<std::string> nodes_;
};

}  // namespace fensi::capture
