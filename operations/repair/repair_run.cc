#include "operations/repair/repair_run.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/shown_text.h"
#include "base/text.h"
#include "operations/access/newest_puts.h"
#include "operations/console/console.h"
#include "operations/repair/incarnation.h"
#include "operations/repair/kafka_owners.h"
#include "operations/repair/local_owners.h"
#include "operations/repair/report_targets.h"
#include "operations/verify/incarnation.h"
#include "operations/verify/report.h"
#include "sweep/compare/comparison.h"

namespace fensi::operations {
namespace {

/// The remaining differences, for people.
class LeftOver final : public sweep::FindingSink {
 public:
  Status Add(const sweep::Finding& finding) override {
    Print(TextOfFinding(finding));
    return FinishOutput();
  }
};

}  // namespace

/// A temporary file that ends with this process in any case: it has no name but that of its descriptor.
class RepairRun::ScratchFile {
 public:
  static Result<std::unique_ptr<ScratchFile>> Make();
  ~ScratchFile() { close(file_); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  explicit ScratchFile(int file) : file_(file), path_("/proc/self/fd/" + std::to_string(file)) {}
  const int file_;
  const std::string path_;
};

Result<std::unique_ptr<RepairRun::ScratchFile>> RepairRun::ScratchFile::Make() {
  std::error_code none;
  std::string path = (std::filesystem::temp_directory_path(none) / "fensi-report-XXXXXX").string();
  const int file = mkstemp(path.data());
  if (file < 0)
    return Status(StatusCode::kInternal, "cannot create file " + path + " for the report: " + std::strerror(errno) +
                                             ". Set TMPDIR to a folder that this user may write");
  unlink(path.c_str());
  return std::unique_ptr<ScratchFile>(new ScratchFile(file));
}

RepairRun::RepairRun(std::shared_ptr<const mapping::Index> index, std::shared_ptr<store::Store> store,
                     RepairRunOptions options)
    : index_(std::move(index)), store_(std::move(store)), run_(std::move(options)), meta_(index_.get(), store_.get()) {
  if (StoreIsEmbedded(run_.store.url)) place_.emplace(run_.store.url);
}

RepairRun::~RepairRun() = default;

Result<int> RepairRun::Run() {
  FENSI_ASSIGN_OR_RETURN(const std::string incarnation, NeededIncarnation(*index_, meta_));
  options_.incarnation = incarnation;
  options_.rows_per_second = run_.asked_rows_per_second;
  options_.wait = run_.wait;
  options_.judge.recheck = run_.recheck;
  options_.judge.followed = FollowedByMarks(*index_, incarnation, store_.get(), run_.marks);
  options_.judge.newest_put = NewestPuts(*index_, store_.get());
  options_.tell = [](const std::string& line) { Print(line); };
  proof_.emplace(*index_, "repair", store_.get());
  if (run_.execute) FENSI_RETURN_IF_ERROR(FindOwners());
  FENSI_RETURN_IF_ERROR(FindTargets());
  if (too_many_) return kExitNotComparable;
  Repair repair(index_.get(), store_.get(), SystemClock(), options_, targets_.get(), owners_.get());
  FENSI_RETURN_IF_ERROR(repair.Ask());
  Print(AskedText(repair));
  FENSI_RETURN_IF_ERROR(FinishOutput());
  if (run_.execute) return Finish(&repair);
  SayDryRun("repair", "repair the index");
  return kExitDone;
}

Status RepairRun::FindOwners() {
  if (place_) return OwnAll();
  Result<std::unique_ptr<KafkaOwners>> owners =
      KafkaOwners::Create(index_.get(), options_.incarnation, store_.get(), run_.kafka);
  const bool names_requests = owners.status().message().find(index_->requests_topic()) != std::string::npos;
  if (owners.status().code() == StatusCode::kNotFound && names_requests) {
    return NoRequestsTopic(index_->requests_topic(), run_.kafka.cluster.brokers).As(StatusCode::kNotFound);
  }
  FENSI_RETURN_IF_ERROR(owners.status());
  if (run_.wait.count() > 0) FENSI_RETURN_IF_ERROR((*owners)->RequireDaemon());
  owners_ = std::move(*owners);
  return Status();
}

Status RepairRun::OwnAll() {
  FENSI_ASSIGN_OR_RETURN(sink_, run_.letters(*index_));
  owner_ = std::make_unique<indexer::InProcessOwner>(index_.get(), store_.get(), sink_.get(), SystemClock());
  FENSI_RETURN_IF_ERROR(owner_->Open());
  owners_ = std::make_unique<LocalOwners>(owner_.get());
  return Status();
}

Status RepairRun::FindTargets() {
  if (run_.direct) FENSI_RETURN_IF_ERROR(VerifyFirst());
  if (too_many_) return Status();
  const std::string path = run_.direct ? scratch_->path() : run_.report;
  if (!path.empty()) {
    Result<std::unique_ptr<ReportTargets>> report =
        ReportTargets::Open(path, {index_.get(), options_.incarnation, run_.partial_report});
    FENSI_RETURN_IF_ERROR(report.status());
    if (!run_.partial_report) whole_table_ = (*report)->whole_table();
    targets_ = std::move(*report);
    return Status();
  }
  rows_alone_ = true;
  targets_ = std::make_unique<RowList>(run_.rows);
  return Status();
}

Status RepairRun::VerifyFirst() {
  FENSI_ASSIGN_OR_RETURN(scratch_, ScratchFile::Make());
  FENSI_ASSIGN_OR_RETURN(ReportFile file, ReportFile::Open(scratch_->path(), true));
  sweep::CompareOptions compare;
  compare.judge = options_.judge;
  compare.walk.rows_per_second = run_.read_rows_per_second;
  VerifyReport report(index_.get(), std::move(file), false, SystemClock());
  FENSI_RETURN_IF_ERROR(report.Begin(compare, {options_.incarnation, proof_->table()}));
  sweep::Comparison comparison(index_.get(), store_.get(), SystemClock(), compare, &report);
  const Status end = comparison.Run();
  FENSI_RETURN_IF_ERROR(report.End(comparison.counts(), end));
  undecided_ = comparison.counts().undecided;
  too_many_ = comparison.too_many();
  if (!too_many_) return end;
  Say("repair: " + end.message());
  return Status();
}

std::string RepairRun::AskedText(const Repair& repair) const {
  std::string text = "index " + index_->name() + ": " + Counted(repair.rows(), "source row") +
                     (run_.execute ? " requested" : " to be requested");
  if (repair.right() > 0) text += "; " + WithCommas(repair.right()) + " not wrong any more";
  if (repair.unknown() > 0) text += "; " + Counted(repair.unknown(), "cell") + " of no known source row";
  if (repair.removed() > 0) text += ", " + Counted(repair.removed(), "version") + " of them removed";
  return text + "\n";
}

Result<int> RepairRun::Finish(Repair* repair) {
  FENSI_ASSIGN_OR_RETURN(const bool done, repair->Await());
  if (!done) {
    Say("repair: the repair of index " + index_->name() + " is requested, not confirmed" +
        (run_.wait.count() == 0 ? std::string(" (--wait_s 0)") : " after " + DurationText(run_.wait.count())) +
        ". The daemons apply the requests all the same. See the result with 'fensi verify MAPPING " + index_->name() +
        "'");
    return kExitNotComparable;
  }
  LeftOver left;
  FENSI_RETURN_IF_ERROR(repair->JudgeAgain(&left));
  if (place_) FENSI_RETURN_IF_ERROR(place_->Check());
  FENSI_RETURN_IF_ERROR(CheckStillThe(*index_, options_.incarnation, store_.get()));
  return Conclude(*repair);
}

Result<int> RepairRun::Conclude(const Repair& repair) const {
  const int64_t differences = repair.left().differences();
  const int64_t undecided = repair.left().undecided + undecided_;
  std::string text = "index " + index_->name() + ": " + Counted(differences, "difference") + " left";
  if (rows_alone_) text += " in the entries that the rows should have ('fensi verify' finds entries without a row)";
  if (undecided > 0) text += "; " + WithCommas(undecided) + " undecided";
  Print(text + "\n");
  FENSI_RETURN_IF_ERROR(FinishOutput());
  if (differences > 0) return kExitDifference;
  if (undecided > 0) return kExitNotComparable;
  proof_->Note(whole_table_, store_.get());
  return kExitDone;
}

}  // namespace fensi::operations
