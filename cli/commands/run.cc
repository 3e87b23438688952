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
           "reads rows of another database. The first line names the columns"},
          {"fensi run guanzhu.yaml --source kafka://127.0.0.1:9092 --store hbase://127.0.0.1:2181/hbase",
           "starts a daemon"},
          {"fensi run *.yaml --index fensi --source kafka://b1:9092,b2:9092 --store hbase://zk1:2181,zk2:2181/hbase "
           "--kafka_property_file kafka.properties",
           "runs one index. The properties file has security.protocol, sasl.password and other settings"}};
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
      "Reads the change streams of the source tables in the mapping files, and keeps the indexes up to date. A "
      "folder stands for its files *.yaml and *.yml. Every index has its own progress. If an index must stop, "
      "the log names the index, and the other indexes continue. In an embedded store, fensi creates the tables. "
      "For HBase, see 'fensi help create'.\n\n"
      "fensi reads files one after the other, also files that gzip or zstd packed. The run ends after the last "
      "file, unless you give --follow. A run of a Kafka topic ends at the end of the topic only with "
      "--until_end. Exit codes of a run that ends at the end of its source: 1 if an event became a dead letter, "
      "if no event of the files was of a mapped table, or if an index table was created again. 75 if SIGTERM or "
      "SIGINT stopped the run before the end. A daemon, which has no end, exits with 0 after such a signal: it "
      "stops reading, applies the events in flight, and commits their offsets.\n\n"
      "SIGHUP or 'fensi reload' makes a daemon read its files again while it works. New indexes begin, removed "
      "indexes end, and a file with errors changes nothing.\n\n"
      "With --scrub_rows_per_second, the daemon also compares its indexes with their sources, slowly and without "
      "end (scrub). One process at a time scrubs an index. The log, the metrics and the status show the "
      "differences. With --drop_expired, the daemon drops tables of ended periods ('retention:' in the mapping) "
      "at its start and each hour, as 'fensi drop --expired' does. The log names each dropped table.";
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
