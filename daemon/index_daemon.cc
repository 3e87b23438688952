#include "daemon/index_daemon.h"

#include <utility>

#include "base/clock.h"
#include "daemon/control/run_control.h"
#include "daemon/indexes/index_metrics.h"
#include "daemon/indexes/open_letters.h"
#include "daemon/log/log.h"
#include "daemon/service/service_report.h"
#include "daemon/sources/sources.h"
#include "daemon/supervisor.h"
#include "operations/access/admin_place.h"
#include "operations/access/flag_faults.h"
#include "operations/jobs/signals.h"

namespace fensi::daemon {

using mapping::Mapping;

Status CheckDaemonOptions(const RunOptions& options) {
  const bool ends = options.start.source.ends();
  if (options.drop_expired && ends) {
    return InvalidArgument(
        std::string(kRunHasEnd) +
        ", and --drop_expired is only for a run without end. To drop once, enter: fensi drop MAPPING "
        "INDEX --expired --store URL --execute");
  }
  if (options.scrub_repair && options.scrub_rows_per_second == 0) {
    return operations::FlagRequires("--scrub_repair", "--scrub_rows_per_second");
  }
  if (options.scrub_rows_per_second == 0 || !ends) return {};
  return InvalidArgument(std::string(kRunHasEnd) +
                         ", and --scrub_rows_per_second is only for a run without end. To compare once, enter: fensi "
                         "verify MAPPING INDEX --store URL");
}

Result<int> IndexDaemon::Run() {
  const bool ends = source().ends();
  if (!ends) operations::BlockReloadSignal();
  FENSI_RETURN_IF_ERROR(CheckDaemonOptions(options_.run));
  FENSI_ASSIGN_OR_RETURN(const std::vector<Mapping> mappings,
                         operations::LoadMappings(options_.paths, options_.run.start.store.meta_table));
  FENSI_ASSIGN_OR_RETURN(const operations::Indexes chosen, operations::ChosenIndexes(mappings, options_.indexes));
  FENSI_RETURN_IF_ERROR(CheckSource(source(), chosen));
  FENSI_RETURN_IF_ERROR(MemoryOfEach(options_.run.memory, chosen.size()).status());
  FENSI_ASSIGN_OR_RETURN(const admin::ServerOptions admin_settings,
                         AdminSettings(options_.admin, operations::kRunPort, !ends));
  FENSI_RETURN_IF_ERROR(CheckAdminAddress(admin_settings));
  SetMostPartitions(options_.live.metrics_partitions);
  operations::BlockStopSignals();
  const DaemonLog log(options_.live.log);
  FENSI_ASSIGN_OR_RETURN(std::shared_ptr<FaultPlan> faults, AskedFaults());
  IndexRunMaker maker(options_.run, std::move(faults));
  FENSI_ASSIGN_OR_RETURN(IndexRuns made, MakeRuns(mappings, chosen, &maker));
  IndexRunList runs(std::move(made));
  return Serve(&runs, &maker, admin_settings);
}

Result<std::shared_ptr<FaultPlan>> IndexDaemon::AskedFaults() const {
  if (options_.faults.empty()) return std::shared_ptr<FaultPlan>();
  const auto tell = [](const std::string& text) { Log("fault_injected", text); };
  if (options_.faults_unlocked) return FaultPlan::Parse(options_.faults, tell);
  return operations::FlagRequires("--fault",
                                  "--unlock_faults, because it breaks the program on purpose. In production, "
                                  "leave --fault out");
}

Result<IndexRuns> IndexDaemon::MakeRuns(const std::vector<Mapping>& mappings, const operations::Indexes& chosen,
                                        IndexRunMaker* maker) const {
  if (source().is_standard_input() && chosen.size() > 1) {
    return InvalidArgument(
        "standard input can feed only one index. Choose the index with --index=NAME, or write the events to a file");
  }
  if (source().is_standard_input()) options_.prompt();
  FENSI_ASSIGN_OR_RETURN(const IndexMemory memory, MemoryOfEach(options_.run.memory, chosen.size()));
  IndexRuns runs;
  for (const auto& index : chosen) {
    Result<std::unique_ptr<IndexRun>> run = maker->Make(index, operations::PathOf(mappings, *index), memory);
    if (!run.ok()) return run.status().WithContext("index " + index->name());
    runs.push_back(std::move(*run));
  }
  return runs;
}

Result<int> IndexDaemon::Serve(IndexRunList* runs, IndexRunMaker* maker,
                               const admin::ServerOptions& admin_settings) const {
  const StartOptions& start = options_.run.start;
  const bool control_allowed = options_.admin.control;
  OpenLetterWatch letters(SystemClock());
  RunStatus shown(*runs, {options_.facts, NamesOf(start), control_allowed, options_.default_of}, SystemClock(),
                  [&letters](const std::string& index) { return letters.Of(index); });
  Reloader reloader({.runs = runs,
                     .maker = maker,
                     .shown = &shown,
                     .paths = options_.paths,
                     .indexes = options_.indexes,
                     .control = control_allowed,
                     .live = options_.live,
                     .read_flags = options_.read_flags,
                     .take_flags = options_.take_flags});
  RunControl control(*runs, {source().ends(), options_.fault_of_reason},
                     [&reloader](const auto& ending) { return reloader.Reload(ending); });
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<admin::Server> server,
                         ServeAdmin(admin_settings, &shown, control_allowed ? &control : nullptr));
  reloader.UseServer(server.get());
  ServiceReport service(&shown, SystemClock(), ManagerOfEnvironment());
  if (source().ends()) service.NoteReady();
  AdminCertificateWatch certificate = WatchAdminCertificate(options_.admin, admin_settings, server.get());
  return Supervisor({*runs, start, maker->place(), shown, control, service, certificate, letters}).Run();
}

}  // namespace fensi::daemon
