#include "cli/repair/repair.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/bytes.h"
#include "base/counted.h"
#include "cli/access/kafka.h"
#include "cli/access/newest_puts.h"
#include "cli/access/stores.h"
#include "cli/access/telling_store.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/jobs/stop_limit.h"
#include "cli/mappings/mapping_files.h"
#include "cli/program/output.h"
#include "cli/reading/finding_text.h"
#include "cli/redefinition/own_name.h"
#include "cli/repair/incarnation.h"
#include "cli/repair/kafka_owners.h"
#include "cli/repair/local_owners.h"
#include "cli/repair/report_targets.h"
#include "cli/run/signals.h"
#include "cli/run/sources.h"
#include "cli/run/store_place.h"
#include "cli/run/unless_stopped.h"
#include "cli/verify/followed_by_marks.h"
#include "cli/verify/incarnation.h"
#include "cli/verify/report.h"
#include "cli/verify/table_proof.h"
#include "indexer/index_meta.h"

namespace fensi::cli {
namespace {

using mapping::Index;

// Regions move and gateways start again; longer than that is no passing trouble.
constexpr std::chrono::minutes kGiveUp{2};
constexpr int64_t kUsualRowsPerSecond = 1000;

bool Embedded() { return StoreIsEmbedded(FLAGS_store); }

Status CheckWays(const Arguments& arguments) {
  const bool rows = arguments.size() > 2;
  const int ways = (rows ? 1 : 0) + (FLAGS_from_report.empty() ? 0 : 1) + (FLAGS_direct ? 1 : 0);
  if (ways != 1) {
    return Status(StatusCode::kInvalidArgument,
                  "what is to be repaired? Either --from_report FILE, or --direct, or source rows behind the index");
  }
  if (FLAGS_partial_report && FLAGS_from_report.empty()) {
    return Status(StatusCode::kInvalidArgument, "--partial_report belongs to --from_report, which is not given");
  }
  if (Embedded() && !FLAGS_source.empty()) {
    return Status(StatusCode::kInvalidArgument,
                  "--source does not go with an embedded store: this process repairs it itself, as nobody else can "
                  "own its rows meanwhile");
  }
  if (!Embedded() && !SourceIsKafka()) {
    return Status(StatusCode::kInvalidArgument,
                  "--source kafka://HOST:PORT is missing: the owners of the rows are asked through its topics");
  }
  return Status();
}

Result<std::vector<std::string>> NamedRows(const Arguments& arguments) {
  std::vector<std::string> rows;
  for (size_t i = 2; i < arguments.size(); ++i) {
    Result<std::string> row = Unescape(arguments[i]);
    if (!row.ok()) return row.status().WithContext("row " + arguments[i]);
    if (row->empty() || row->size() > kMaxRowBytes) {
      return Status(StatusCode::kInvalidArgument, "a source row has 1 to " + std::to_string(kMaxRowBytes) + " bytes");
    }
    rows.push_back(std::move(*row));
  }
  return rows;
}

Result<std::shared_ptr<store::Store>> OpenAllTables(const Index& index) {
  Result<std::unique_ptr<store::Store>> store = FLAGS_execute ? OpenStoreToWrite() : OpenStoreToReadAny();
  FENSI_RETURN_IF_ERROR(store.status());
  FENSI_RETURN_IF_ERROR(RequireOwnName(index, store->get()));
  for (const std::string& table : {index.source_table(), index.state_table()}) {
    FENSI_RETURN_IF_ERROR(RequireTable(store->get(), table).status());
  }
  if (!index.table_is_template()) FENSI_RETURN_IF_ERROR(RequireTable(store->get(), index.table()).status());
  auto telling = std::make_unique<TellingStore>(std::move(*store), TellingStore::Options{"repair", Say});
  return std::shared_ptr<store::Store>(WaitingStore(std::move(telling), kGiveUp));
}

/// What is left, for people.
class LeftOver final : public sweep::FindingSink {
 public:
  Status Add(const sweep::Finding& finding) override {
    Print(TextOfFinding(finding));
    return FinishOutput();
  }
};

/// A file that goes with this process, however that ends: it has no name but that of its descriptor.
class ScratchFile {
 public:
  static Result<std::unique_ptr<ScratchFile>> Make() {
    std::error_code none;
    std::string path = (std::filesystem::temp_directory_path(none) / "fensi-report-XXXXXX").string();
    const int file = mkstemp(path.data());
    if (file < 0) return Status(StatusCode::kInternal, "cannot make " + path + " for the report");
    unlink(path.c_str());
    return std::unique_ptr<ScratchFile>(new ScratchFile(file));
  }
  ~ScratchFile() { close(file_); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  explicit ScratchFile(int file) : file_(file), path_("/proc/self/fd/" + std::to_string(file)) {}
  const int file_;
  const std::string path_;
};

/// One repair from the command line.
class RepairRun {
 public:
  RepairRun(std::shared_ptr<const Index> index, std::shared_ptr<store::Store> store)
      : index_(std::move(index)), store_(std::move(store)), meta_(index_.get(), store_.get()) {
    if (Embedded()) place_.emplace(FLAGS_store);
  }

  Result<int> Run(const Arguments& arguments) {
    const Result<std::string> incarnation = NeededIncarnation(*index_, meta_);
    FENSI_RETURN_IF_ERROR(incarnation.status());
    options_.incarnation = *incarnation;
    options_.rows_per_second = FlagIsGiven("rows_per_second") ? FLAGS_rows_per_second : kUsualRowsPerSecond;
    options_.wait = std::chrono::seconds(FLAGS_wait_s);
    options_.judge.recheck = std::chrono::seconds(FLAGS_recheck_s);
    options_.judge.followed = FollowedByMarks(*index_, *incarnation, store_.get());
    options_.judge.newest_put = NewestPuts(*index_, store_.get());
    options_.tell = [](const std::string& line) { Print(line); };
    proof_.emplace(*index_, "repair", store_.get());
    if (FLAGS_execute) FENSI_RETURN_IF_ERROR(FindOwners());
    FENSI_RETURN_IF_ERROR(FindTargets(arguments));
    if (too_many_) return kExitNotComparable;
    Repair repair(index_.get(), store_.get(), SystemClock(), options_, targets_.get(), owners_.get());
    FENSI_RETURN_IF_ERROR(repair.Ask());
    Print(AskedText(repair));
    FENSI_RETURN_IF_ERROR(FinishOutput());
    if (FLAGS_execute) return Finish(&repair);
    Say("repair: nothing was done; the same line with --execute does it");
    return kExitDone;
  }

 private:
  /// Before anything is compared or asked.
  Status FindOwners() {
    if (Embedded()) return OwnAll();
    Result<std::unique_ptr<KafkaOwners>> owners = KafkaOwners::Create(index_.get(), options_.incarnation, store_.get());
    if (owners.status().code() == StatusCode::kNotFound) {
      return Status(StatusCode::kNotFound, owners.status().message() + "; make it with: fensi create … --kafka " +
                                               SourceCluster().brokers + " --execute, and start 'fensi run' again");
    }
    FENSI_RETURN_IF_ERROR(owners.status());
    if (FLAGS_wait_s > 0) FENSI_RETURN_IF_ERROR((*owners)->RequireDaemon());
    owners_ = std::move(*owners);
    return Status();
  }

  Status OwnAll() {
    Result<std::shared_ptr<consumer::DeadLetterSink>> letters = letters_.For(*index_);
    FENSI_RETURN_IF_ERROR(letters.status());
    sink_ = std::move(*letters);
    owner_ = std::make_unique<indexer::SoleOwner>(index_.get(), store_.get(), sink_.get(), SystemClock());
    FENSI_RETURN_IF_ERROR(owner_->Open());
    owners_ = std::make_unique<LocalOwners>(owner_.get());
    return Status();
  }

  Status FindTargets(const Arguments& arguments) {
    if (FLAGS_direct) FENSI_RETURN_IF_ERROR(VerifyFirst());
    if (too_many_) return Status();
    const std::string path = FLAGS_direct ? scratch_->path() : FLAGS_from_report;
    if (!path.empty()) {
      Result<std::unique_ptr<ReportTargets>> report =
          ReportTargets::Open(path, {index_.get(), options_.incarnation, FLAGS_partial_report});
      FENSI_RETURN_IF_ERROR(report.status());
      if (!FLAGS_partial_report) whole_table_ = (*report)->whole_table();
      targets_ = std::move(*report);
      return Status();
    }
    Result<std::vector<std::string>> rows = NamedRows(arguments);
    FENSI_RETURN_IF_ERROR(rows.status());
    rows_alone_ = true;
    targets_ = std::make_unique<RowList>(std::move(*rows));
    return Status();
  }

  /// All of it, into a file that is read as any other report.
  Status VerifyFirst() {
    Result<std::unique_ptr<ScratchFile>> scratch = ScratchFile::Make();
    FENSI_RETURN_IF_ERROR(scratch.status());
    scratch_ = std::move(*scratch);
    Result<ReportFile> file = ReportFile::Open(scratch_->path(), true);
    FENSI_RETURN_IF_ERROR(file.status());
    sweep::CompareOptions compare;
    compare.judge = options_.judge;
    compare.walk.rows_per_second = FLAGS_rows_per_second;
    VerifyReport report(index_.get(), std::move(*file), false, SystemClock());
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

  std::string AskedText(const Repair& repair) const {
    std::string text = "index " + index_->name() + ": " + Counted(repair.rows(), "source row") +
                       (FLAGS_execute ? " asked for" : " to be asked for");
    if (repair.right() > 0) text += "; " + WithCommas(repair.right()) + " not wrong any more";
    if (repair.unknown() > 0) text += "; " + Counted(repair.unknown(), "cell") + " of no known source row";
    if (repair.removed() > 0) text += ", " + Counted(repair.removed(), "version") + " of them removed";
    return text + "\n";
  }

  Result<int> Finish(Repair* repair) {
    const Result<bool> done = repair->Await();
    FENSI_RETURN_IF_ERROR(done.status());
    if (!*done) {
      Say("repair: asked, and not judged: " +
          (FLAGS_wait_s == 0 ? "--wait_s 0 does not wait"
                             : "the daemons have not done it within " + DurationText(FLAGS_wait_s)) +
          ". They do it all the same; 'fensi verify' tells, or the same line again");
      return kExitNotComparable;
    }
    LeftOver left;
    FENSI_RETURN_IF_ERROR(repair->JudgeAgain(&left));
    if (place_) FENSI_RETURN_IF_ERROR(place_->Check());
    FENSI_RETURN_IF_ERROR(CheckStillThe(*index_, options_.incarnation, store_.get()));
    return Conclude(*repair);
  }

  Result<int> Conclude(const Repair& repair) const {
    const int64_t differences = repair.left().differences();
    const int64_t undecided = repair.left().undecided + undecided_;
    std::string text = "index " + index_->name() + ": " + Counted(differences, "difference") + " left";
    if (rows_alone_) text += " in what the rows should have ('fensi verify' finds entries that no row gives)";
    if (undecided > 0) text += "; " + WithCommas(undecided) + " undecided";
    Print(text + "\n");
    FENSI_RETURN_IF_ERROR(FinishOutput());
    if (differences > 0) return kExitDifference;
    if (undecided > 0) return kExitNotComparable;
    proof_->Note(whole_table_, store_.get());
    return kExitDone;
  }

  const std::shared_ptr<const Index> index_;
  const std::shared_ptr<store::Store> store_;
  const indexer::IndexMeta meta_;
  std::optional<StorePlace> place_;  // of an embedded store
  std::optional<TableProof> proof_;
  std::optional<store::TableIdentity> whole_table_;  // of which all was repaired that is wrong
  RepairOptions options_;
  DeadLetterSinks letters_;
  std::shared_ptr<consumer::DeadLetterSink> sink_;
  std::unique_ptr<indexer::SoleOwner> owner_;
  std::unique_ptr<RowOwners> owners_;
  std::unique_ptr<ScratchFile> scratch_;
  std::unique_ptr<TargetList> targets_;
  int64_t undecided_ = 0;
  bool too_many_ = false;
  bool rows_alone_ = false;  // named, without what a comparison found
};

Result<int> OpenAndRun(const std::shared_ptr<const Index>& index, const Arguments& arguments) {
  Result<std::shared_ptr<store::Store>> store = OpenAllTables(*index);
  FENSI_RETURN_IF_ERROR(store.status());
  return RepairRun(index, *store).Run(arguments);
}

Result<int> RunRepair(const Arguments& arguments) {
  FENSI_RETURN_IF_ERROR(CheckWays(arguments));
  FENSI_RETURN_IF_ERROR(NamedRows(arguments).status());
  const auto index = LoadIndex(arguments[0], arguments[1]);
  FENSI_RETURN_IF_ERROR(index.status());
  BlockStopSignals();
  const StopLimit limit("repair");
  return UnlessStopped([&] { return OpenAndRun(*index, arguments); },
                       Embedded() ? "repair: stopped; the same line goes on"
                                  : "repair: stopped; what was asked is done all the same, and the same line goes on");
}

}  // namespace

Command RepairCommand() {
  Command command;
  command.name = "repair";
  command.summary = "make what differs from the source right again";
  command.arguments = "MAPPING INDEX [ROW…]";
  command.min_arguments = 2;
  command.max_arguments = kAnyNumber;
  command.description =
      "Takes what 'fensi verify' found (--from_report), or verifies first (--direct), or takes source rows that you "
      "name (\\xNN for bytes), and looks at each once more. Without --execute it says which rows it would ask for. "
      "With "
      "it the daemons that own these rows are asked to read them from the source, to put what the index should have "
      "above everything it has, and to remove what was found besides; it waits until they have done it (--wait_s), "
      "judges each row again and names what is left. Other writers need not stop; to ask twice changes nothing but "
      "versions. An embedded store is repaired by this process itself. Exit code 0: nothing is left; 1: something is; "
      "2: it could not be judged in time.";
  command.flags = {{"store", true}, {"source"},        {"from_report"},      {"partial_report"},
                   {"direct"},      {"execute"},       {"wait_s"},           {"rows_per_second"},
                   {"recheck_s"},   {"dead_letters"},  {"kafka_property"},   {"kafka_property_file"},
                   {"meta_table"},  {"clock_skew_ms"}, {"connect_timeout_s"}};
  command.examples = {
      {"fensi repair guanzhu.yaml fensi --from_report fensi.jsonl --source kafka://127.0.0.1:9092 --store "
       "hbase://127.0.0.1:9090",
       "what would be done about a report of 'fensi verify --report fensi.jsonl'"},
      {"fensi repair guanzhu.yaml fensi --direct --source kafka://127.0.0.1:9092 --store hbase://127.0.0.1:9090 "
       "--execute",
       "verifies, repairs, and judges again"},
      {"fensi repair guanzhu.yaml fensi a b --store embedded:data --execute", "two source rows of an embedded store"}};
  command.run = RunRepair;
  return command;
}

}  // namespace fensi::cli
