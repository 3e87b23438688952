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

Result<Agreement> RootClaim::Take(const std::function<bool()>& stop) {
  FENSI_RETURN_IF_ERROR(CreatePath(session_, Path("rs")));
  FENSI_RETURN_IF_ERROR(ClaimId());
  // The znode of one that was killed goes with its session.
  const auto deadline = clock_->SinceBoot() + 2 * options_.session_timeout;
  while (true) {
    const bool last_try = clock_->SinceBoot() > deadline;
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
  Result<std::optional<Agreement>> agreed = Agree(last_try);
  if (agreed.ok() && agreed->has_value()) FENSI_RETURN_IF_ERROR(TakePlaces());
  return agreed;
}

/// It goes first: a region server that finds the root without it waits longer and longer.
Status RootClaim::ClaimId() {
  const std::string path = Path("hbaseid");
  const std::string wanted = ClusterIdData(PeerUuid(options_.root));
  const Status made = session_->Create(path, wanted, /*ephemeral=*/false);
  if (made.code() != StatusCode::kAlreadyExists) return made;
  const Result<std::optional<Znode>> found = session_->Get(path);
  if (!found.ok()) return found.status();
  if (found->has_value() && (*found)->data == wanted) return Status();
  return Status(StatusCode::kConfiguration, "znode " + path + " is not of fensi: " + options_.root +
                                                " is the root of another cluster; choose another --znode");
}

/// One at a time: who is seen to be alone stays so until he has his place.
Status RootClaim::EnterDoor(const std::function<bool()>& stop) {
  const auto deadline = clock_->SinceBoot() + 3 * options_.session_timeout;
  while (true) {
    const Status made = session_->Create(Path("door"), options_.host, /*ephemeral=*/true);
    if (made.code() != StatusCode::kAlreadyExists) return made;
    if (clock_->SinceBoot() > deadline) {
      return Status(StatusCode::kUnavailable, "another capture has been starting at " + options_.root +
                                                  " for too long (znode " + Path("door") + ")");
    }
    FENSI_RETURN_IF_ERROR(Pause(stop));
  }
}

/// Who listens on our port is us: an older znode of it belongs to a process that has died.
Status RootClaim::RemoveFormerSelf() {
  const Result<std::vector<std::string>> servers = session_->Children(Path("rs"));
  if (!servers.ok()) return servers.status();
  for (const std::string& server : *servers) {
    const auto ours = [&](uint16_t port) { return server.starts_with(PlaceOf(options_.host, port)); };
    if (std::none_of(options_.ports.begin(), options_.ports.end(), ours)) continue;
    FENSI_RETURN_IF_ERROR(session_->Delete(Path("rs/" + server)));
  }
  return Status();
}

Result<std::optional<Agreement>> RootClaim::Agree(bool last_try) {
  const Result<std::optional<Znode>> node = session_->Get(Path("capture"));
  if (!node.ok()) return node.status();
  const Result<std::vector<std::string>> others = session_->Children(Path("rs"));
  if (!others.ok()) return others.status();
  if (!node->has_value()) {
    const Status made = session_->Create(Path("capture"), AgreementText(options_.agreement), /*ephemeral=*/false);
    if (made.code() == StatusCode::kAlreadyExists) return std::optional<Agreement>();
    FENSI_RETURN_IF_ERROR(made);
    return std::optional(options_.agreement);
  }
  const Result<Agreement> found = ParseAgreement((*node)->data);
  if (!found.ok()) return found.status().WithContext("znode " + Path("capture"));
  if (!others->empty()) {
    Result<Agreement> joined = JoinAgreement(*found, options_.agreement);
    if (joined.ok()) return std::optional(std::move(*joined));
    if (!last_try) return std::optional<Agreement>();
    return joined.status().WithContext("a capture at " + others->front() + " shares " + options_.root +
                                       " and does something else");
  }
  Result<Agreement> replaced = ReplaceAgreement(*found, options_.agreement, options_.drop);
  if (!replaced.ok()) return replaced.status().WithContext(options_.root);
  if (*replaced == *found) return std::optional(std::move(*replaced));
  const Status set = session_->Set(Path("capture"), AgreementText(*replaced), (*node)->version);
  if (set.code() == StatusCode::kAlreadyExists) return std::optional<Agreement>();
  FENSI_RETURN_IF_ERROR(set);
  return std::optional(std::move(*replaced));
}

Status RootClaim::TakePlaces() {
  const std::string start_code = std::to_string(clock_->WallMillis());
  for (const uint16_t port : options_.ports) {
    nodes_.push_back(Path("rs/" + PlaceOf(options_.host, port) + start_code));
    FENSI_RETURN_IF_ERROR(session_->Create(nodes_.back(), "", /*ephemeral=*/true));
  }
  return Status();
}

Status RootClaim::Pause(const std::function<bool()>& stop) {
  if (stop()) return Status(StatusCode::kCancelled, "stopped before it stood in ZooKeeper");
  clock_->Sleep(kRetryPause);
  return Status();
}

Result<bool> RootClaim::StillAgreed(const Agreement& agreement) {
  const Result<std::optional<Znode>> node = session_->Get(Path("capture"));
  if (!node.ok()) return node.status();
  if (!node->has_value()) return false;
  Result<Agreement> found = ParseAgreement((*node)->data);
  if (!found.ok()) return false;
  if (agreement.source.empty()) found->source.clear();
  return *found == agreement;
}

Result<std::string> RootClaim::PinSource(const std::string& uuid) {
  while (true) {
    const Result<std::optional<Znode>> node = session_->Get(Path("capture"));
    if (!node.ok()) return node.status();
    if (!node->has_value()) return Status(StatusCode::kUnavailable, "znode " + Path("capture") + " is gone");
    Result<Agreement> found = ParseAgreement((*node)->data);
    if (!found.ok()) return found.status();
    if (!found->source.empty()) return found->source;
    found->source = uuid;
    const Status set = session_->Set(Path("capture"), AgreementText(*found), (*node)->version);
    if (set.ok()) return uuid;
    if (set.code() != StatusCode::kAlreadyExists) return set;
  }
}

}  // namespace fensi::capture
