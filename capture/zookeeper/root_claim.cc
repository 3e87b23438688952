#include "capture/zookeeper/root_claim.h"

#include <algorithm>

#include "base/bytes.h"
#include "capture/zookeeper/cluster_id.h"

namespace fensi::capture {
namespace {

constexpr std::chrono::milliseconds kRetryPause{200};

/// "host,port," in front of the start code of a server's znode.
std::string PlaceOf(const std::string& host, uint16_t port) { return host + "," + std::to_string(port) + ","; }

}  // namespace

std::string GoneText(const std::string& znode) {
  return "znode " + znode +
         " is gone. The capture registers again by itself. Let no other program delete the znodes of a capture";
}

Status StoppedBeforeRegistration() {
  return Status(StatusCode::kCancelled, "the capture was stopped before it had registered in ZooKeeper");
}

Result<Agreement> RootClaim::Take(const std::function<bool()>& stop) {
  FENSI_RETURN_IF_ERROR(hbase::CreatePath(session_, Path("rs")));
  FENSI_RETURN_IF_ERROR(ClaimId());
  // The znode of one that was killed goes with its session, which lasts as long as ours would.
  const auto deadline = clock_->MonotonicNow() + 2 * session_->timeout();
  while (true) {
    const bool last_try = clock_->MonotonicNow() > deadline;
    FENSI_RETURN_IF_ERROR(EnterDoor(stop));
    Result<std::optional<Agreement>> taken = TakeOnce(last_try);
    FENSI_RETURN_IF_ERROR(session_->Delete(Path("door")));
    if (!taken.ok()) return taken.status();
    if (taken->has_value()) return std::move(**taken);
    FENSI_RETURN_IF_ERROR(Pause(stop));
  }
}

Result<std::optional<Agreement>> RootClaim::TakeOnce(bool last_try) {
  FENSI_RETURN_IF_ERROR(RemoveFormerSelf());
  FENSI_ASSIGN_OR_RETURN(const std::string twin, Twin());
  if (!twin.empty() && !last_try) return std::optional<Agreement>();  // a dead one goes with its session
  if (!twin.empty()) return Status(StatusCode::kConfiguration, twin);
  FENSI_RETURN_IF_ERROR(CheckStillOwner());
  Result<std::optional<Agreement>> agreed = Agree(last_try);
  if (agreed.ok() && agreed->has_value()) FENSI_RETURN_IF_ERROR(TakePlaces());
  return agreed;
}

/// It goes first: a region server that finds the root without it waits longer and longer.
Status RootClaim::ClaimId() {
  const std::string path = Path("hbaseid");
  const std::string wanted = ClusterIdData(PeerUuid(options_.root));
  const Status made = session_->Create(path, wanted, {});
  if (made.code() != StatusCode::kAlreadyExists) return made;
  FENSI_ASSIGN_OR_RETURN(const std::optional<hbase::Znode> found, session_->Get(path));
  if (found.has_value() && found->data == wanted) return Status();
  return Status(StatusCode::kConfiguration,
                "znode " + path + " was not written by fensi, so znode " + options_.root +
                    " belongs to another HBase cluster or program. Choose another --znode, such as /fensi2");
}

/// Nobody else may write what stands here, if we have a user of our own.
Status RootClaim::CheckStillOwner() {
  if (options_.zookeeper.digest.empty()) return Status();
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> servers, Servers());
  ForeignNodes foreign;
  for (const std::string& node : {options_.root, Path("rs"), Path("hbaseid"), Path("master"), Path("capture")}) {
    const hbase::Sight sight = node == Path("capture") ? hbase::Sight::kOurs : hbase::Sight::kAnybodys;
    FENSI_RETURN_IF_ERROR(CheckNode(node, sight, "setAcl " + node + " " + hbase::ShellGrants(sight), &foreign));
  }
  for (const std::string& server : servers) {
    const std::string node = Path("rs/" + server);
    FENSI_RETURN_IF_ERROR(CheckNode(node, hbase::Sight::kAnybodys, "delete " + node, &foreign));
  }
  if (foreign.faults.empty()) return Status();
  return Status(StatusCode::kConfiguration,
                "znodes of the capture do not belong to the user of --zookeeper_auth_file "
                "alone: " +
                    foreign.faults + ". Stop all captures of " + options_.root +
                    ". Then enter in ZooKeeper's shell (zkCli.sh): addauth digest "
                    "USER:PASSWORD" +
                    foreign.remedies);
}

Status RootClaim::CheckNode(const std::string& node, hbase::Sight sight, const std::string& remedy,
                            ForeignNodes* foreign) {
  const Result<std::vector<hbase::Grant>> grants = session_->Grants(node);
  if (grants.status().code() == StatusCode::kNotFound) return Status();  // not yet, or no more
  if (!grants.ok()) return grants.status();
  const std::string fault = hbase::FaultOfGrants(*grants, hbase::DigestId(options_.zookeeper.digest), sight);
  if (fault.empty()) return Status();
  foreign->faults += (foreign->faults.empty() ? "znode " : ", znode ") + Escape(node) + " (" + fault + ")";
  foreign->remedies += "; " + Escape(remedy);
  return Status();
}

/// One at a time: who is seen to be alone stays so until he has his place.
Status RootClaim::EnterDoor(const std::function<bool()>& stop) {
  const auto deadline = clock_->MonotonicNow() + 3 * session_->timeout();
  while (true) {
    const Status made =
        session_->Create(Path("door"), options_.host, {.ephemeral = true, .sight = hbase::Sight::kOurs});
    if (made.code() != StatusCode::kAlreadyExists) return made;
    if (clock_->MonotonicNow() > deadline) {
      return Status(StatusCode::kUnavailable,
                    "another capture is starting at znode " + options_.root + ", and does not finish. 'get " +
                        Path("door") +
                        "' in ZooKeeper's shell (zkCli.sh) prints its host. End that process, "
                        "then start this capture again");
    }
    FENSI_RETURN_IF_ERROR(Pause(stop));
  }
}

/// Nobody else listens where we do: an older znode of that belongs to a process that has died.
Status RootClaim::RemoveFormerSelf() {
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> servers, Servers());
  for (const std::string& server : servers) {
    if (!IsOurs(server)) continue;
    FENSI_ASSIGN_OR_RETURN(const std::optional<hbase::Znode> node, session_->Get(Path("rs/" + server)));
    const bool former_self = node.has_value() && node->data == options_.listener;
    if (former_self) FENSI_RETURN_IF_ERROR(session_->Delete(Path("rs/" + server)));
  }
  return Status();
}

Result<std::string> RootClaim::Twin() {
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> servers, Servers());
  const auto twin = std::find_if(servers.begin(), servers.end(), [this](const auto& name) { return IsOurs(name); });
  if (twin == servers.end()) return std::string();
  FENSI_ASSIGN_OR_RETURN(const std::optional<hbase::Znode> node, session_->Get(Path("rs/" + *twin)));
  if (!node.has_value()) return std::string();
  return "another capture is announced as " + twin->substr(0, twin->rfind(',')) +
         ", so region servers could not distinguish the two captures. The other capture listens at " +
         Escape(node->data) + ", and this capture listens at " + Escape(options_.listener) +
         ". Give each capture its own --announce, or another port in --listen";
}

Result<std::optional<Agreement>> RootClaim::Agree(bool last_try) {
  FENSI_ASSIGN_OR_RETURN(const std::optional<hbase::Znode> node, session_->Get(Path("capture")));
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> others, Servers());
  if (!node.has_value()) {
    const Status made =
        session_->Create(Path("capture"), AgreementText(options_.agreement), {.sight = hbase::Sight::kOurs});
    if (made.code() == StatusCode::kAlreadyExists) return std::optional<Agreement>();
    FENSI_RETURN_IF_ERROR(made);
    return std::optional(options_.agreement);
  }
  const Result<Agreement> found = ParseAgreement(node->data);
  if (!found.ok()) return found.status().WithContext("znode " + Path("capture"));
  if (!others.empty()) {
    Result<Agreement> joined = JoinAgreement(*found, options_.agreement);
    if (joined.ok()) return std::optional(std::move(*joined));
    if (!last_try) return std::optional<Agreement>();
    return joined.status().WithContext("a capture at " + others.front() + " shares " + options_.root +
                                       " with other settings");
  }
  Result<Agreement> replaced = ReplaceAgreement(*found, options_.agreement, options_.drop);
  if (!replaced.ok()) return replaced.status().WithContext(options_.root);
  if (*replaced == *found) return std::optional(std::move(*replaced));
  const Status set = session_->Set(Path("capture"), AgreementText(*replaced), node->version);
  if (set.code() == StatusCode::kAlreadyExists) return std::optional<Agreement>();
  FENSI_RETURN_IF_ERROR(set);
  return std::optional(std::move(*replaced));
}

Status RootClaim::TakePlaces() {
  const std::string start_code = std::to_string(clock_->WallMillis());
  for (const uint16_t port : options_.ports) {
    nodes_.push_back(Path("rs/" + PlaceOf(options_.host, port) + start_code));
    FENSI_RETURN_IF_ERROR(session_->Create(nodes_.back(), options_.listener, {.ephemeral = true}));
  }
  return Status();
}

Status RootClaim::KeepMaster(const std::string& server_node) {
  const std::string wanted = MasterData(server_node.substr(server_node.rfind('/') + 1));
  FENSI_ASSIGN_OR_RETURN(const std::optional<hbase::Znode> found, session_->Get(Path("master")));
  if (found.has_value()) {
    const std::string server = MasterOf(found->data);
    const bool former_self = found->data != wanted && IsOurs(server);
    if (!former_self) return Status();
    FENSI_RETURN_IF_ERROR(session_->Delete(Path("master")));
  }
  const Status made = session_->Create(Path("master"), wanted, {.ephemeral = true});
  return made.code() == StatusCode::kAlreadyExists ? Status() : made;
}

bool RootClaim::IsOurs(const std::string& server) const {
  const auto ours = [&](uint16_t port) { return server.starts_with(PlaceOf(options_.host, port)); };
  return std::any_of(options_.ports.begin(), options_.ports.end(), ours);
}

Status RootClaim::Pause(const std::function<bool()>& stop) {
  if (stop()) return StoppedBeforeRegistration();
  clock_->Sleep(kRetryPause);
  return Status();
}

Result<bool> RootClaim::StillAgreed(const Agreement& agreement) {
  FENSI_ASSIGN_OR_RETURN(const std::optional<hbase::Znode> node, session_->Get(Path("capture")));
  if (!node.has_value()) return false;
  Result<Agreement> found = ParseAgreement(node->data);
  if (!found.ok()) return false;
  if (agreement.source.empty()) found->source.clear();
  return *found == agreement;
}

Result<std::string> RootClaim::PinSource(const std::string& uuid) {
  while (true) {
    FENSI_ASSIGN_OR_RETURN(const std::optional<hbase::Znode> node, session_->Get(Path("capture")));
    if (!node.has_value()) return Status(StatusCode::kUnavailable, GoneText(Path("capture")));
    FENSI_ASSIGN_OR_RETURN(Agreement found, ParseAgreement(node->data));
    if (!found.source.empty()) return found.source;
    found.source = uuid;
    const Status set = session_->Set(Path("capture"), AgreementText(found), node->version);
    if (set.ok()) return uuid;
    if (set.code() != StatusCode::kAlreadyExists) return set;
  }
}

}  // namespace fensi::capture
