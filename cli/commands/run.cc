#include <unistd.h>

#include <algorithm>

#include "base/split_list.h"
#include "cli/access/stores.h"
#include "cli/admin/serving.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/log/log.h"
#include "cli/mappings/mapping_files.h"
#include "cli/program/drawn_line.h"
#include "cli/program/output.h"
#include "cli/run/faults/fault_source.h"
#include "cli/run/faults/fault_store.h"
#include "cli/run/index_job.h"
#include "cli/run/memory.h"
#include "cli/run/progress.h"
#include "cli/run/run_control.h"
#include "cli/run/run_status.h"
#include "cli/run/signals.h"
#include "cli/run/sources.h"
#include "cli/run/store_place.h"
#include "store/open_store.h"

namespace fensi::cli {
namespace {

using mapping::Mapping;

Result<std::unique_ptr<store::Store>> OpenStoreToRun() {
  store::OpenOptions options;
  options.connections = FLAGS_connections;
  options.first_answer = kFirstContact;
  return store::OpenStore(FLAGS_store, options);
}

/// Opens what each index needs. An embedded store is shared: one process may open it once.
class JobMaker {
 public:
  /// `faults` is null but in tests of the program.
  JobMaker(std::shared_ptr<FaultPlan> faults, const IndexMemory& memory)
      : faults_(std::move(faults)), memory_(memory) {}

  /// Where the embedded store was when it was opened; null before, and for servers.
  const StorePlace* place() const { return place_.get(); }

  Result<std::unique_ptr<IndexJob>> Make(std::shared_ptr<const mapping::Index> index, const std::string& path) {
    Result<OpenedSource> stream = OpenSource(*index, memory_.queued_bytes);
    if (!stream.ok()) return stream.status();
    FENSI_RETURN_IF_ERROR(DeadLetterSinks::CheckAsked());
    FENSI_RETURN_IF_ERROR(OpenStore());  // last: it makes the folder of an embedded store
    Result<std::shared_ptr<consumer::DeadLetterSink>> sink = sinks_.For(*index);
    if (!sink.ok()) return sink.status();
    IndexJobParts parts;
    parts.index = std::move(index);
    parts.mapping_path = path;
    parts.stream = std::move(*stream);
    parts.store = store_;
    if (faults_ != nullptr) InjectFaults(&parts);
    parts.dead_letters = std::move(*sink);
    parts.scrub_rows_per_second = FLAGS_scrub_rows_per_second;
    parts.scrub_repair = FLAGS_scrub_repair;
    parts.options.workers = FLAGS_workers;
    if (SourceIsKafka()) parts.options.meta_table = FLAGS_meta_table;
    parts.options.clock_skew = std::chrono::milliseconds(FLAGS_clock_skew_ms);
    parts.options.cache_bytes = memory_.cache_bytes;
    return std::make_unique<IndexJob>(std::move(parts));
  }

 private:
  void InjectFaults(IndexJobParts* parts) const {
    parts->store = std::make_shared<FaultStore>(parts->store, faults_, parts->index->state_table());
    parts->stream.source = std::make_unique<FaultSource>(std::move(parts->stream.source), faults_);
  }

  Status OpenStore() {
    if (store_ != nullptr && StoreIsEmbedded(FLAGS_store)) return Status();
    Result<std::unique_ptr<store::Store>> store = OpenStoreToRun();
    FENSI_RETURN_IF_ERROR(store.status());
    store_ = std::move(*store);
    if (StoreIsEmbedded(FLAGS_store)) place_ = std::make_unique<StorePlace>(FLAGS_store);
    return Status();
  }

  const std::shared_ptr<FaultPlan> faults_;
  const IndexMemory memory_;
  std::shared_ptr<store::Store> store_;
  std::unique_ptr<StorePlace> place_;
  DeadLetterSinks sinks_;
};

/// Null when none are asked for.
Result<std::shared_ptr<FaultPlan>> AskedFaults() {
  if (FLAGS_fault.empty()) return std::shared_ptr<FaultPlan>();
  const auto tell = [](const std::string& text) { Log("fault_injected", text); };
  if (FLAGS_unlock_faults) return FaultPlan::Parse(FLAGS_fault, tell);
  return Status(StatusCode::kInvalidArgument,
                "--fault breaks the program on purpose and is refused without "
                "--unlock_faults");
}

Result<Jobs> MakeJobs(const std::vector<Mapping>& mappings, const Indexes& chosen, JobMaker* maker) {
  if (SourceIsStandardInput() && chosen.size() > 1) {
    return Status(StatusCode::kInvalidArgument,
                  "standard input feeds one index only; name it with --index, or record the events in a file");
  }
  Jobs jobs;
  for (const Mapping& mapping : mappings) {
    for (const auto& index : mapping.indexes) {
      if (std::find(chosen.begin(), chosen.end(), index) == chosen.end()) continue;
      Result<std::unique_ptr<IndexJob>> job = maker->Make(index, mapping.path);
      if (!job.ok()) return job.status().WithContext("index " + index->name());
      jobs.push_back(std::move(*job));
    }
  }
  return jobs;
}

Status CheckScrub() {
  if (FLAGS_scrub_repair && FLAGS_scrub_rows_per_second == 0) {
    return InvalidArgument("--scrub_repair belongs to --scrub_rows_per_second, which is not given");
  }
  if (FLAGS_scrub_rows_per_second == 0 || !SourceEnds()) return {};
  return InvalidArgument(
      "--scrub_rows_per_second is for a daemon, and this run ends with its source; 'fensi verify' compares once");
}

/// Waits for the ends of the jobs, tells each, and answers with the worst exit code.
class Supervisor {
 public:
  /// `place` is null unless the store is embedded.
  Supervisor(const Jobs& jobs, const StorePlace* place, RunStatus* shown)
      : jobs_(jobs),
        place_(place),
        shown_(shown),
        told_(jobs.size(), false),
        progress_(jobs, StderrIsTerminal() && LogIsText(), SystemClock()) {}

  int Run() {
    for (const auto& job : jobs_) job->Start();
    while (ReportEnded() < jobs_.size()) {
      const int signal = AwaitStopSignal(std::chrono::milliseconds(50));
      if (signal != 0) StopAll();
      CheckPlace();
      progress_.Tick();
      TickLog();
      shown_->NoteTurn();
    }
    CheckPlace();
    ClearProgress();
    for (const auto& job : jobs_) job->Join();
    return worst_;
  }

 private:
  void CheckPlace() {
    if (place_ == nullptr || place_lost_) return;
    const Status status = place_->Check();
    if (status.ok()) return;
    place_lost_ = true;
    worst_ = std::max(worst_, ExitCode(status.code()));
    Log("store_replaced", status.words(), {.code = std::string(StatusCodeName(status.code()))});
    for (const auto& job : jobs_) job->Stop();
  }

  void StopAll() {
    if (stopping_) {
      ClearProgress();
      FlushLog();
      Log("stopped_at_once", "stopped at once on a second signal; what was in hand will be done again by the next run");
      _exit(ExitCode(StatusCode::kCancelled));
    }
    stopping_ = true;
    shown_->NoteStop();
    Log("stopping", "stopping: finishing what is in hand");
    for (const auto& job : jobs_) job->Stop();
  }

  size_t ReportEnded() {
    for (size_t i = 0; i < jobs_.size(); ++i) {
      if (told_[i] || !jobs_[i]->ended()) continue;
      told_[i] = true;
      ReportEnd(*jobs_[i]);
    }
    return static_cast<size_t>(std::count(told_.begin(), told_.end(), true));
  }

  void ReportEnd(const IndexJob& job) {
    std::string summary = progress_.Summary(job);
    if (job.counts().dead_letters > 0) summary += " in " + DeadLetterSinks::PlaceText(job.index());
    Log("index_ended", summary, {.index = job.name()});
    // Whoever gave a file is told that not all of it was taken; a daemon's letters wait in their topic.
    if (SourceEnds() && job.counts().dead_letters > 0) worst_ = std::max(worst_, kExitDifference);
    const Status status = job.status();
    const bool told = place_lost_ && status.code() == StatusCode::kCancelled;
    if (status.ok() || told) return;
    worst_ = std::max(worst_, ExitCode(status.code()));
    Log("index_stopped", "index " + job.name() + " stopped: " + status.words(),
        {.index = job.name(), .code = std::string(StatusCodeName(status.code()))});
  }

  const Jobs& jobs_;
  const StorePlace* const place_;
  RunStatus* const shown_;
  std::vector<bool> told_;
  ProgressReport progress_;
  bool stopping_ = false;
  bool place_lost_ = false;
  int worst_ = kExitDone;
};

Result<int> Run(const Arguments& paths) {
  FENSI_RETURN_IF_ERROR(CheckScrub());
  const Result<std::vector<Mapping>> mappings = LoadMappings(paths);
  if (!mappings.ok()) return mappings.status();
  const Result<Indexes> chosen = ChosenIndexes(*mappings, SplitList(FLAGS_index));
  if (!chosen.ok()) return chosen.status();
  const Result<IndexMemory> memory = MemoryOfEach(chosen->size());
  if (!memory.ok()) return memory.status();
  const Result<admin::ServerOptions> admin_settings = AdminSettings(kRunPort, !SourceEnds());
  if (!admin_settings.ok()) return admin_settings.status();
  BlockStopSignals();
  const DaemonLog log;
  Result<std::shared_ptr<FaultPlan>> faults = AskedFaults();
  if (!faults.ok()) return faults.status();
  JobMaker maker(std::move(*faults), *memory);
  const Result<Jobs> jobs = MakeJobs(*mappings, *chosen, &maker);
  if (!jobs.ok()) return jobs.status();
  RunStatus shown(*jobs, SystemClock());
  const auto control = FLAGS_admin_control ? std::make_unique<RunControl>(*jobs) : nullptr;
  const Result<std::unique_ptr<admin::Server>> server = ServeAdmin(*admin_settings, &shown, control.get());
  if (!server.ok()) return server.status();
  return Supervisor(*jobs, maker.place(), &shown).Run();
}

}  // namespace

Command RunCommand() {
  Command command;
  command.name = "run";
  command.summary = "keep the indexes of mapping files up to date";
  command.arguments = "MAPPING…";
  command.min_arguments = 1;
  command.max_arguments = kAnyNumber;
  command.description =
      "Reads the change streams of the mapping files' tables and keeps their indexes up to date. Every index has its "
      "own "
      "progress; one that must stop is named and the others go on. An embedded store gets its tables made; for HBase "
      "see "
      "'fensi help create'. A file ends the run; a Kafka topic does with --until_end: such a run ends with "
      "exit code 1 when something went to the dead letters, and with 75 when SIGTERM or SIGINT came before the end. "
      "The daemon ends with 0 then: reading stops, what is in hand is finished and committed. With "
      "--scrub_rows_per_second it also compares its indexes with their sources, slowly and without end: one process "
      "at a time for each index; the log, the metrics and the status tell what it finds.";
  command.flags = {{"source", true},
                   {"store", true},
                   {"index"},
                   {"dead_letters"},
                   {"until_end"},
                   {"workers"},
                   {"connections"},
                   {"meta_table"},
                   {"clock_skew_ms"},
                   {"scrub_rows_per_second"},
                   {"scrub_repair"},
                   {"memory_mb"},
                   {"max_queued_mb"},
                   {"state_cache_mb"},
                   {"kafka_property"},
                   {"kafka_property_file"},
                   {"kafka_session_timeout_ms"},
                   {"kafka_format"},
                   {"admin"},
                   {"admin_host"},
                   {"admin_token_file"},
                   {"admin_control"},
                   {"log_format"},
                   {"log_level"},
                   {"log_window_s"},
                   {"log_rows"},
                   {.name = "fault", .hidden = true},
                   {.name = "unlock_faults", .hidden = true}};
  command.examples = {
      {"fensi run guanzhu.yaml --source file:events.jsonl --store embedded:data", "a first try without any server"},
      {"fensi run guanzhu.yaml --source kafka://127.0.0.1:9092 --store hbase://127.0.0.1:9090", "the daemon"},
      {"fensi run *.yaml --index fensi --source kafka://b1:9092,b2:9092 --store hbase://gateway:9090 "
       "--kafka_property_file kafka.properties",
       "one index; the file has security.protocol, sasl.password and the like"}};
  command.run = Run;
  return command;
}

}  // namespace fensi::cli
