#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <memory>
#include <set>

#include "base/split_list.h"
#include "cli/access/kafka.h"
#include "cli/admin/serving.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/log/log.h"
#include "cli/mappings/mapping_files.h"
#include "cli/parked/open_letters.h"
#include "cli/program/drawn_line.h"
#include "cli/program/output.h"
#include "cli/reading/event_lines.h"
#include "cli/reload/reloader.h"
#include "cli/run/faults/fault_plan.h"
#include "cli/run/index_metrics.h"
#include "cli/run/index_run_list.h"
#include "cli/run/index_run_maker.h"
#include "cli/run/memory.h"
#include "cli/run/progress.h"
#include "cli/run/run_control.h"
#include "cli/run/run_status.h"
#include "cli/run/run_watch.h"
#include "cli/run/signals.h"
#include "cli/run/sources.h"
#include "cli/run/store_place.h"
#include "cli/service/service_report.h"

namespace fensi::cli {
namespace {

using mapping::Mapping;

/// Null when none are asked for.
Result<std::shared_ptr<FaultPlan>> AskedFaults() {
  if (FLAGS_fault.empty()) return std::shared_ptr<FaultPlan>();
  const auto tell = [](const std::string& text) { Log("fault_injected", text); };
  if (FLAGS_unlock_faults) return FaultPlan::Parse(FLAGS_fault, tell);
  return Status(StatusCode::kInvalidArgument,
                "--fault breaks the program on purpose and is refused without "
                "--unlock_faults");
}

Result<IndexRuns> MakeRuns(const std::vector<Mapping>& mappings, const Indexes& chosen, IndexRunMaker* maker) {
  if (SourceIsStandardInput() && chosen.size() > 1) {
    return Status(StatusCode::kInvalidArgument,
                  "standard input feeds one index only; name it with --index, or record the events in a file");
  }
  if (SourceIsStandardInput()) PromptOnTerminal();
  const Result<IndexMemory> memory = MemoryOfEach(chosen.size());
  FENSI_RETURN_IF_ERROR(memory.status());
  IndexRuns runs;
  for (const auto& index : chosen) {
    Result<std::unique_ptr<IndexRun>> run = maker->Make(index, PathOf(mappings, *index), *memory);
    if (!run.ok()) return run.status().WithContext("index " + index->name());
    runs.push_back(std::move(*run));
  }
  return runs;
}

std::shared_ptr<LetterReader> ReaderOfLetters(const mapping::Index& index) {
  const std::string file = DeadLetterSinks::FileOf();
  if (!file.empty()) return std::make_shared<FileLetters>(file);
  return std::make_shared<TopicLetters>(SourceCluster(), index.dead_letter_topic(),
                                        std::chrono::seconds(FLAGS_connect_timeout_s));
}

Status CheckDaemonFlags() {
  if (FLAGS_drop_expired && SourceEnds()) {
    return InvalidArgument(
        "--drop_expired is for a daemon, and this run ends with its source; 'fensi drop --expired' drops once");
  }
  if (FLAGS_scrub_repair && FLAGS_scrub_rows_per_second == 0) {
    return InvalidArgument("--scrub_repair belongs to --scrub_rows_per_second, which is not given");
  }
  if (FLAGS_scrub_rows_per_second == 0 || !SourceEnds()) return {};
  return InvalidArgument(
      "--scrub_rows_per_second is for a daemon, and this run ends with its source; 'fensi verify' compares once");
}

/// Waits for the ends of the runs, tells each, and answers with the worst exit code of those that are there then.
class Supervisor {
 public:
  struct Parts {
    IndexRunList& runs;
    const StorePlace* place;  // null unless the store is embedded
    RunStatus& shown;
    RunControl& control;
    ServiceReport& service;
    AdminCertificateWatch& certificate;
    OpenLetterWatch& letters;
  };
  explicit Supervisor(const Parts& parts)
      : runs_(parts.runs),
        place_(parts.place),
        shown_(parts.shown),
        control_(parts.control),
        service_(parts.service),
        certificate_(parts.certificate),
        letters_(parts.letters),
        watch_(parts.runs, SystemClock()),
        progress_(parts.runs, StderrIsTerminal(), SystemClock()) {}

  int Run() {
    runs_.Start();
    while (!runs_.CloseIfAllEnded()) Turn();
    control_.End();
    LetGo();
    CheckPlace();
    ReportEnded();
    ClearProgress();
    for (const auto& run : runs_.all()) run->Join();
    return WorstExit();
  }

 private:
  void Turn() {
    const int signal = AwaitSignal(std::chrono::milliseconds(50));
    if (signal == SIGHUP) reload_asked_ = true;
    if (signal != 0 && signal != SIGHUP) StopAll();
    if (reload_asked_ && control_.Try({.kind = admin::Wish::Kind::kReload}, [](const auto&) {})) reload_asked_ = false;
    CheckPlace();
    ReportEnded();
    LetGo();
    watch_.Tick();
    CountLetters();
    progress_.Tick();
    TickLog();
    shown_.NoteTurn();
    shown_.Remember();
    certificate_.Tick();
    service_.Tick();
  }

  void CountLetters() {
    if (const auto uncounted = letters_.Tick([this] { return LettersToCount(); })) Write(*uncounted);
  }

  std::map<std::string, OpenLetterWatch::Wanted> LettersToCount() const {
    std::map<std::string, OpenLetterWatch::Wanted> wanted;
    for (const auto& run : runs_.all()) {
      wanted[run->name()] = {[run] { return ReaderOfLetters(run->index()); }, run->counts().dead_letters};
    }
    return wanted;
  }

  void CheckPlace() {
    if (place_ == nullptr || place_lost_) return;
    const Status status = place_->Check();
    if (status.ok()) return;
    place_lost_ = true;
    worst_ = std::max(worst_, ExitCode(status.code()));
    Log("store_replaced", status.words(), {.code = std::string(StatusCodeName(status.code()))});
    runs_.StopAll();
  }

  void StopAll() {
    if (stopping_) {
      ClearProgress();
      FlushLog();
      Log("stopped_at_once", "stopped at once on a second signal; what was in hand will be done again by the next run");
      _exit(ExitCode(StatusCode::kCancelled));
    }
    stopping_ = true;
    shown_.NoteStop();
    service_.NoteStop();
    Log("stopping", "stopping: finishing what is in hand");
    runs_.StopAll();
  }

  void ReportEnded() {
    for (const auto& run : runs_.all()) ReportOnce(*run);
  }

  void ReportOnce(const IndexRun& run) {
    if (run.ended() && told_.insert(&run).second) ReportEnd(run);
  }

  /// Of those that a reload took away; the admin server may still be asking one for its numbers.
  void LetGo() {
    for (auto& run : runs_.TakeLeft()) {
      ReportOnce(*run);
      told_.erase(run.get());
      run->Join();
      left_.push_back(std::move(run));
    }
    std::erase_if(left_, [](const auto& run) { return run.use_count() == 1; });
  }

  void ReportEnd(const IndexRun& run) {
    watch_.NoteEnd(run);
    std::string summary = progress_.EndOf(run);
    if (run.counts().dead_letters > 0) summary += " in " + DeadLetterSinks::PlaceText(run.index());
    if (!SourceIsKafka() && IsOfOtherTables(run.counts())) {
      summary += "; none of them is of table " + run.index().source_table() +
                 ", so nothing was indexed: compare 'source:' of the mapping with the \"table\" of the events";
    }
    if (run.status().ok()) summary += WhatFilesLeave();
    Log("index_ended", summary, {.index = run.name()});
    const Status status = run.status();
    if (status.ok() || IsOfPlace(status)) return;
    LogFields about{.index = run.name(), .code = std::string(StatusCodeName(status.code()))};
    if (const auto place = run.failed_at()) {
      about.topic = place->topic;
      about.partition = place->partition;
      about.offset = place->offset;
    }
    Log("index_stopped", "index " + run.name() + " stopped: " + status.words(), about);
  }

  /// It was stopped because the store's folder went, and that was told.
  bool IsOfPlace(const Status& status) const { return place_lost_ && status.code() == StatusCode::kCancelled; }

  int WorstExit() const {
    int worst = worst_;
    for (const auto& run : runs_.all()) {
      // Whoever gave a file is told that not all of it was taken; a daemon's letters wait in their topic.
      if (SourceEnds() && run->counts().dead_letters > 0) worst = std::max(worst, kExitDifference);
      if (SourceEnds() && run->mismatch_since()) worst = std::max(worst, kExitDifference);
      const Status status = run->status();
      if (!status.ok() && !IsOfPlace(status)) worst = std::max(worst, ExitCode(status.code()));
    }
    return NothingWasTaken() ? std::max(worst, kExitDifference) : worst;
  }

  /// Files are read from their first line by each run, so that a wrong name of the table shows. A topic is not.
  bool NothingWasTaken() const {
    const auto runs = runs_.all();
    if (!SourceEnds() || SourceIsKafka() || runs.empty()) return false;
    return std::all_of(runs.begin(), runs.end(), [](const auto& run) { return IsOfOtherTables(run->counts()); });
  }

  IndexRunList& runs_;
  const StorePlace* const place_;
  RunStatus& shown_;
  RunControl& control_;
  ServiceReport& service_;
  AdminCertificateWatch& certificate_;
  OpenLetterWatch& letters_;
  std::set<const IndexRun*> told_;
  IndexRuns left_;  // ended, joined and not yet destroyed
  RunWatch watch_;
  ProgressReport progress_;
  bool reload_asked_ = false;
  bool stopping_ = false;
  bool place_lost_ = false;
  int worst_ = kExitDone;
};

Result<int> Run(const Arguments& paths) {
  if (!SourceEnds()) BlockReloadSignal();
  FENSI_RETURN_IF_ERROR(CheckDaemonFlags());
  const Result<std::vector<Mapping>> mappings = LoadMappings(paths);
  if (!mappings.ok()) return mappings.status();
  const Result<Indexes> chosen = ChosenIndexes(*mappings, SplitList(FLAGS_index));
  if (!chosen.ok()) return chosen.status();
  FENSI_RETURN_IF_ERROR(CheckSourceFlags(*chosen));
  FENSI_RETURN_IF_ERROR(MemoryOfEach(chosen->size()).status());
  const Result<admin::ServerOptions> admin_settings = AdminSettings(kRunPort, !SourceEnds());
  if (!admin_settings.ok()) return admin_settings.status();
  FENSI_RETURN_IF_ERROR(CheckAdminAddress(*admin_settings));
  SetMostPartitions(FLAGS_metrics_partitions);
  BlockStopSignals();
  const DaemonLog log;
  Result<std::shared_ptr<FaultPlan>> faults = AskedFaults();
  if (!faults.ok()) return faults.status();
  IndexRunMaker maker(std::move(*faults));
  Result<IndexRuns> made = MakeRuns(*mappings, *chosen, &maker);
  if (!made.ok()) return made.status();
  IndexRunList runs(std::move(*made));
  OpenLetterWatch letters(SystemClock());
  RunStatus shown(runs, SystemClock(), [&letters](const std::string& index) { return letters.Of(index); });
  Reloader reloader({.runs = &runs, .maker = &maker, .shown = &shown, .paths = paths});
  RunControl control(runs, [&reloader](const auto& ending) { return reloader.Reload(ending); });
  const Result<std::unique_ptr<admin::Server>> server =
      ServeAdmin(*admin_settings, &shown, FLAGS_admin_control ? &control : nullptr);
  if (!server.ok()) return server.status();
  reloader.UseServer(server->get());
  ServiceReport service(&shown, SystemClock(), ManagerOfEnvironment());
  if (SourceEnds()) service.NoteReady();
  AdminCertificateWatch certificate = WatchAdminCertificate(*admin_settings, server->get());
  return Supervisor({runs, maker.place(), shown, control, service, certificate, letters}).Run();
}

std::vector<FlagUse> Flags() {
  return {{"source", true},
          {"store", true},
          {"index"},
          {"dead_letters"},
          {"until_end"},
          {"follow"},
          {"csv_row"},
          {"csv_time"},
          {"csv_family"},
          {"workers"},
          {"connections"},
          {"meta_table"},
          {"clock_skew_ms"},
          {"scrub_rows_per_second"},
          {"scrub_repair"},
          {"drop_expired"},
          {"memory_mb"},
          {"max_queued_mb"},
          {"state_cache_mb"},
          {"kafka_property"},
          {"kafka_property_file"},
          {"kafka_session_timeout_ms"},
          {"instance"},
          {"kafka_format"},
          {"admin"},
          {"admin_host"},
          {"admin_token_file"},
          {"admin_tls_cert_file"},
          {"admin_tls_key_file"},
          {"admin_control"},
          {"metrics_partitions"},
          {"log_format"},
          {"log_level"},
          {"log_window_s"},
          {"log_rows"},
          {.name = "fault", .hidden = true},
          {.name = "unlock_faults", .hidden = true}};
}

std::vector<Example> Examples() {
  return {{"fensi run guanzhu.yaml --source file:events.jsonl --store embedded:data", "a first try without any server"},
          {"fensi run guanzhu.yaml --source 'file:days/2016-*.jsonl.gz' --store embedded:data", "many recorded files"},
          {"fensi run guanzhu.yaml --source file:users.csv --csv_row id --csv_family f1 --store embedded:data",
           "rows of another database: the first line names the columns"},
          {"fensi run guanzhu.yaml --source kafka://127.0.0.1:9092 --store hbase://127.0.0.1:9090", "the daemon"},
          {"fensi run *.yaml --index fensi --source kafka://b1:9092,b2:9092 --store hbase://gateway:9090 "
           "--kafka_property_file kafka.properties",
           "one index; the file has security.protocol, sasl.password and the like"}};
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
      "own progress; one that must stop is named and the others go on. An embedded store gets its tables made; for "
      "HBase see 'fensi help create'. Files are read one behind the other, packed ones (gzip, zstd) too; their end "
      "ends the run unless --follow waits for more. A Kafka topic ends it with --until_end. A run that ends by itself "
      "does so with exit code 1 when something went to the dead letters, when no event of the files is of a table "
      "of the mappings or when the table of an index was made again, and with 75 when SIGTERM or SIGINT came before "
      "the end. The daemon ends with 0 then: reading "
      "stops, what is in hand is finished and committed. A "
      "folder stands for its files *.yaml and *.yml. SIGHUP or 'fensi reload' has a daemon read its files again while "
      "it works: new indexes begin, those that are gone end, and what is wrong changes nothing. With "
      "--scrub_rows_per_second it also compares its indexes with their sources, slowly and without end: one process "
      "at a time for each index; the log, the metrics and the status tell what it finds. "
      "With --drop_expired it drops tables of periods that are over, as 'fensi drop --expired' does: at its start and "
      "each hour, and the log names each.";
  command.flags = Flags();
  command.examples = Examples();
  command.run = Run;
  return command;
}

}  // namespace fensi::cli
