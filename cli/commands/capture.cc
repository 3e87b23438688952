#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/daemon_options.h"
#include "cli/program/output.h"
#include "daemon/capture/capture_run.h"

namespace fensi::cli {
namespace {

Result<int> CaptureTables(const Arguments& tables) {
  daemon::CaptureRun run(ReadCaptureRunOptions());
  FENSI_RETURN_IF_ERROR(run.Check(tables));
  if (!FLAGS_plan) return run.Run();
  FENSI_ASSIGN_OR_RETURN(const std::string plan, run.Plan());
  Print(plan);
  return kExitDone;
}

std::vector<Example> CaptureExamples() {
  return {{"fensi capture guanzhu --zookeeper 127.0.0.1:2181 --plan",
           "prints the HBase shell lines and the HBase settings that the capture needs"},
          {"fensi capture guanzhu --zookeeper 127.0.0.1:2181 --kafka 127.0.0.1:9092", "starts the capture"},
          {"fensi capture guanzhu ns:orders --zookeeper zk1:2181,zk2:2181 --kafka b1:9092 --listen "
           "10.1.0.5:16100,10.1.0.5:16101 --allow_from 10.1.0.0/16 "
           "--announce capture1.example.org",
           "captures two tables, with two addresses for region servers"}};
}

}  // namespace

Command CaptureCommand() {
  Command command;
  command.name = "capture";
  command.summary = "write the changes of HBase tables to Kafka";
  command.arguments = "TABLE…";
  command.min_arguments = 1;
  command.max_arguments = kAnyNumber;
  command.description =
      "Registers in ZooKeeper as a server of a replication peer, which you add to HBase with add_peer. The "
      "capture receives the edits of the tables from the region servers, and writes the edits to Kafka. 'fensi run' "
      "reads the topics of the tables as change streams. The capture acknowledges an edit to HBase only after all "
      "in-sync replicas of the topic have the edit. No edit is lost if a process or a machine dies. After a failure, "
      "the capture may write an edit twice.\n\n"
      "First run the command with --plan. --plan prints the HBase shell lines and the HBase settings that the "
      "capture needs. Several captures with the same tables and the same --znode share the work. After SIGTERM or "
      "SIGINT, the capture acknowledges the calls in flight, and ends with exit code 0.";
  command.flags = FlagUses(
      "zookeeper! kafka plan listen allow_from max_connections stop_capturing may_be_large announce "
      "tls_cert_file tls_key_file tls_ca_file rpc_keytab rpc_principal rpc_qop allow_principal znode "
      "zookeeper_auth_file peer hbase_znode topic partitions replication mapping store source_store heartbeat_table "
      "heartbeat_s watermark_interval_ms message_kb frame_mb calls_mb workers kafka_property "
      "kafka_property_file admin admin_host admin_token_file admin_tls_cert_file admin_tls_key_file "
      "log_format log_level log_window_s log_rows connect_timeout_s");
  SetMeaning(&command, "workers", "number of threads. Each call of a region server uses one thread", "4");
  command.examples = CaptureExamples();
  command.run = CaptureTables;
  return command;
}

}  // namespace fensi::cli
