#include <vector>

#include "cli/commands/commands.h"
#include "cli/options/daemon_options.h"
#include "cli/reading/event_lines.h"
#include "daemon/index_daemon.h"

namespace fensi::cli {
namespace {

Result<int> Run(const Arguments& paths) {
  daemon::IndexDaemonOptions options = ReadIndexDaemonOptions();
  options.paths = paths;
  options.prompt = PromptOnTerminal;
  return daemon::IndexDaemon(std::move(options)).Run();
}

std::vector<Example> Examples() {
  return {{"fensi run guanzhu.yaml --source file:events.jsonl --store embedded:data",
           "runs without any server, for a first try"},
          {"fensi run guanzhu.yaml --source 'file:days/2016-*.jsonl.gz' --store embedded:data",
           "reads many recorded files"},
          {"fensi run guanzhu.yaml --source file:users.csv --csv_row id --csv_family f1 --store embedded:data",
           "reads rows of another database from a CSV file. The first line of the file names the columns"},
          {"fensi run guanzhu.yaml --source kafka://127.0.0.1:9092 --store hbase://127.0.0.1:2181/hbase",
           "starts a daemon"},
          {"fensi run *.yaml --index fensi --source kafka://b1:9092,b2:9092 --store hbase://zk1:2181,zk2:2181/hbase "
           "--kafka_property_file kafka.properties",
           "runs one index. The file kafka.properties has security.protocol, sasl.password and other settings"}};
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
      "Reads the change streams of the source tables in the mapping files, and keeps the indexes up to date. If you "
      "name a folder, fensi reads its files *.yaml and *.yml. fensi keeps the progress of each index separately. If "
      "an index must stop, the log names the index, and the other indexes continue. In an embedded store, fensi "
      "creates the tables. In HBase, create the tables with 'fensi create'.\n\n"
      "fensi reads the files of --source one after the other, and unpacks files of gzip and zstd. Without --follow, "
      "a run of files ends after the last file. With --until_end, a run of a Kafka topic ends at the end of the "
      "topic. A run that reaches the end of its source exits with 1 if an event became a dead letter. A run that "
      "reaches the end also exits with 1 if an index table was created again. A run of files also exits with 1 if no "
      "event was of a mapped table. If SIGTERM or SIGINT stops a run before the end of its source, the exit code is "
      "75. A daemon, whose source has no end, exits with 0 after SIGTERM or SIGINT. Before the exit, the daemon "
      "applies the events in flight, and commits their offsets.\n\n"
      "After SIGHUP or 'fensi reload', a daemon reads its mapping files and flag files again while it works. After a "
      "reload, new indexes begin, and removed indexes end. If a file has an error, the reload changes nothing.\n\n"
      "With --scrub_rows_per_second, the daemon also compares its indexes with their sources, slowly and without end "
      "(a scrub). Only one process at a time scrubs an index. The log, the metrics and the status show the "
      "differences that the scrub finds. With --drop_expired, the daemon drops tables as 'fensi drop --expired' "
      "does, at its start and each hour. The log names each table that the daemon drops.";
  command.flags = FlagUses(
      "source! store! source_store index dead_letters until_end follow csv_row csv_time csv_family workers connections "
      "meta_table clock_skew_ms scrub_rows_per_second scrub_repair drop_expired memory_mb max_queued_mb "
      "state_cache_mb kafka_property kafka_property_file kafka_session_timeout_ms instance kafka_format "
      "admin admin_host admin_token_file admin_tls_cert_file admin_tls_key_file admin_control "
      "metrics_partitions log_format log_level log_window_s log_rows fault? unlock_faults?");
  command.examples = Examples();
  command.run = Run;
  return command;
}

}  // namespace fensi::cli
