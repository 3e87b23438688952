#include <string>
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
  return {{"fensi run guanzhu.yaml --source file:events.jsonl --store embedded:data", "a first try without any server"},
          {"fensi run guanzhu.yaml --source 'file:days/2016-*.jsonl.gz' --store embedded:data", "many recorded files"},
          {"fensi run guanzhu.yaml --source file:users.csv --csv_row id --csv_family f1 --store embedded:data",
           "rows of another database: the first line names the columns"},
          {"fensi run guanzhu.yaml --source kafka://127.0.0.1:9092 --store hbase://127.0.0.1:2181/hbase", "the daemon"},
          {"fensi run *.yaml --index fensi --source kafka://b1:9092,b2:9092 --store hbase://zk1:2181,zk2:2181/hbase "
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
      "HBase see 'fensi help create'. Files are read one after the other, packed ones (gzip, zstd) too; their end "
      "ends the run unless --follow waits for more. A Kafka topic ends it with --until_end. A run that ends by itself "
      "does so with exit code 1 when something went to the dead letters, when no event of the files is of a table "
      "of the mappings or when the table of an index was made again, and with 75 when SIGTERM or SIGINT came before "
      "the end. The daemon ends with 0 then: reading "
      "stops, events in flight are applied and committed. A "
      "folder stands for its files *.yaml and *.yml. SIGHUP or 'fensi reload' has a daemon read its files again while "
      "it works: new indexes begin, those that are gone end, and what is wrong changes nothing. With "
      "--scrub_rows_per_second it also compares its indexes with their sources, slowly and without end: one process "
      "at a time for each index; the log, the metrics and the status tell what it finds. "
      "With --drop_expired it drops tables of periods that are over, as 'fensi drop --expired' does: at its start and "
      "each hour, and the log names each.";
  command.flags = FlagUses(
      "source! store! index dead_letters until_end follow csv_row csv_time csv_family workers connections "
      "meta_table clock_skew_ms scrub_rows_per_second scrub_repair drop_expired memory_mb max_queued_mb "
      "state_cache_mb kafka_property kafka_property_file kafka_session_timeout_ms instance kafka_format "
      "admin admin_host admin_token_file admin_tls_cert_file admin_tls_key_file admin_control "
      "metrics_partitions log_format log_level log_window_s log_rows fault? unlock_faults?");
  command.examples = Examples();
  command.run = Run;
  return command;
}

}  // namespace fensi::cli
