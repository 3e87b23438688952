#include "daemon/indexes/index_scrub.h"

#include <exception>
#include <utility>

#include "base/random_name.h"
#include "base/text.h"
#include "daemon/indexes/index_metrics.h"
#include "daemon/log/log.h"
#include "indexer/index_meta.h"
#include "operations/access/newest_puts.h"
#include "operations/repair/kafka_owners.h"
#include "operations/repair/repair.h"
#include "operations/verify/report.h"

namespace fensi::daemon {
namespace {

constexpr int64_t kRowsAskedPerSecond = 100;
constexpr std::chrono::seconds kPause{1};

/// The findings of a piece of a scrub.
class FoundTargets final : public operations::TargetList {
 public:
  explicit FoundTargets(const std::vector<sweep::Finding>* findings) : findings_(findings) {}
  Status ForEach(const Use& use) override {
    for (const sweep::Finding& finding : *findings_) FENSI_RETURN_IF_ERROR(use({finding.source, finding.cell}));
    return {};
  }

 private:
  const std::vector<sweep::Finding>* const findings_;
};

}  // namespace

std::string TextOfPass(const sweep::ScrubSum& sum) {
  std::string text = Counted(sum.rows, "source row") + " and " + Counted(sum.cells, "index cell") + " compared, " +
                     Counted(sum.found(), "difference");
  if (sum.found() > 0) {
    text += " (" + WithCommas(sum.missing) + " missing, " + WithCommas(sum.orphan) + " orphan, " +
            WithCommas(sum.differs) + " with another value)";
  }
  if (sum.undecided > 0) text += "; " + WithCommas(sum.undecided) + " undecided";
  if (sum.unattributed > 0) {
    text += "; " + Counted(sum.unattributed, "cell") +
            " not compared, because they do not name their source row. 'fensi verify' compares them";
  }
  return text;
}

std::string WhyBehind(const consumer::StreamState& stream, int64_t now) {
  if (stream.reachable && !*stream.reachable) return "no broker of Kafka is connected";
  if (stream.assigned == 0) return "the daemon has no partition of the index";
  if (static_cast<size_t>(stream.assigned) != stream.partitions.size())
    return "a partition of the index has not begun yet";
  for (const consumer::PartitionState& partition : stream.partitions) {
    const std::optional<double> lag = LagSeconds(partition, now);
    if (!lag) return "the lag of the index is unknown";
    if (*lag > std::chrono::duration<double>(sweep::Scrub::kMostBehind).count())
      return "the index is more than 10 s behind, or the clock of this machine is ahead";
  }
  return "";
}

void IndexScrub::Join() {
  if (thread_.joinable()) thread_.join();
}

void IndexScrub::Start() {
  thread_ = std::thread([this] {
    try {
      Work();
    } catch (const std::exception& error) {  // lack of memory
      Tell("scrub_failed", "the scrub has ended: " + InternalError(error).words() + ". Then start the daemon again");
      const MutexLock lock(mu_);
      ++counts_.failures;
    }
  });
}

void IndexScrub::Work() {
  Clock* const clock = SystemClock();
  const auto go_on = [this] { return GoOn(); };
  while (!parts_.why_suspended().empty()) {
    if (!sweep::WaitUntil(clock->MonotonicNow() + kPause, clock, go_on).ok()) return;
  }
  for (;;) {
    const Result<std::string> incarnation = Incarnation();
    if (incarnation.ok()) incarnation_ = *incarnation;
    if (incarnation.ok()) break;
    Failed(incarnation.status());
    if (!sweep::WaitUntil(clock->MonotonicNow() + sweep::Scrub::kPause, clock, go_on).ok()) return;
  }
  if (const Status reached = ReachOwners(); !reached.ok()) Failed(reached);
  sweep::Scrub scrub({.index = parts_.index,
                      .store = parts_.store.get(),
                      .clock = clock,
                      .listener = this,
                      .meta_table = parts_.meta_table,
                      .incarnation = incarnation_,
                      .worker = RandomName(),
                      .rows_per_second = parts_.rows_per_second,
                      .newest_put = operations::NewestPuts(*parts_.index, parts_.store.get()),
                      .stopped = parts_.stopped,
                      .why_suspended = parts_.why_suspended});
  scrub.Run();
}

Status IndexScrub::GoOn() const {
  return parts_.stopped() ? Status(StatusCode::kCancelled, "asked to stop") : Status();
}

Result<std::string> IndexScrub::Incarnation() const {
  const auto known = indexer::IndexMeta(parts_.index, parts_.store.get()).Known();
  FENSI_RETURN_IF_ERROR(known.status());
  if (known->has_value() && !(*known)->incarnation.empty()) return (*known)->incarnation;
  return Status(StatusCode::kUnavailable, "the index has not recorded its start in the state table yet");
}

Status IndexScrub::Piece(const sweep::ScrubSum& sum, const std::vector<sweep::Finding>& findings) {
  {
    const MutexLock lock(mu_);
    counts_.rows += sum.rows;
    counts_.cells += sum.cells;
    counts_.missing += sum.missing;
    counts_.orphan += sum.orphan;
    counts_.differs += sum.differs;
  }
  for (const sweep::Finding& finding : findings) {
    std::string text = operations::TextOfFinding(finding);
    text.pop_back();
    const std::string kind = std::string(sweep::KindName(finding.kind)) + "\t";
    Tell("scrub_difference", kind + RedactableText::Quote(text.substr(kind.size())));
  }
  if (!parts_.repair || findings.empty()) return {};
  // The place of the scrub is already after this piece.
  return Ask(findings).WithSuffix(
      ". So differences of this piece are not corrected before the next pass. Correct them with 'fensi verify' and "
      "'fensi repair'");
}

void IndexScrub::Pass(const sweep::ScrubSum& sum, bool ours) {
  const MutexLock lock(mu_);
  counts_.last = sum;
  if (!ours) return;
  Tell("scrub_pass", RedactableText(TextOfPass(sum)));
}

void IndexScrub::Failed(const Status& why) {
  Tell("scrub_failed", why.words() + ". The scrub continues by itself");
  const MutexLock lock(mu_);
  ++counts_.failures;
}

void IndexScrub::OnSuspended(const std::string& why) {
  Tell("scrub_suspended",
       RedactableText(why.empty() ? "continues" : "suspended, and continues by itself when this cause ends: " + why));
  const MutexLock lock(mu_);
  counts_.suspended_reason = why;
}

void IndexScrub::Tell(Event event, const RedactableText& words) const {
  Log(event, "index " + parts_.index->name() + ": scrub: " + words, {.index = parts_.index->name()});
}

Status IndexScrub::ReachOwners() {
  if (!parts_.repair || owners_ != nullptr) return {};
  Result<std::unique_ptr<operations::KafkaOwners>> owners =
      operations::KafkaOwners::Create(parts_.index, incarnation_, parts_.store.get(), parts_.kafka);
  if (!owners.ok()) return owners.status().WithContext("cannot send repair requests (--scrub_repair)");
  owners_ = std::move(*owners);
  return {};
}

Status IndexScrub::Ask(const std::vector<sweep::Finding>& findings) {
  FENSI_RETURN_IF_ERROR(ReachOwners());
  FoundTargets targets(&findings);
  operations::RepairOptions options;
  options.incarnation = incarnation_;
  options.rows_per_second = kRowsAskedPerSecond;
  options.judge.newest_put = operations::NewestPuts(*parts_.index, parts_.store.get());
  options.judge.go_on = [this] { return GoOn(); };
  operations::Repair repair(parts_.index, parts_.store.get(), SystemClock(), options, &targets, owners_.get());
  FENSI_RETURN_IF_ERROR(repair.Ask());
  FENSI_RETURN_IF_ERROR(owners_->Flush());
  Tell("scrub_repair", RedactableText("asked the partition owners to correct " + Counted(repair.rows(), "source row")));
  return {};
}

ScrubCounts IndexScrub::counts() const {
  const MutexLock lock(mu_);
  return counts_;
}

}  // namespace fensi::daemon
