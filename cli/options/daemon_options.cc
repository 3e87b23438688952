#include "cli/options/daemon_options.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/flags/flags.h"
#include "cli/options/operations_options.h"
#include "cli/settings/settled_again.h"
#include "daemon/capture/capture_run.h"
#include "daemon/index_daemon.h"

namespace fensi::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// The flag's rule has checked it.
daemon::LogLevel LeastLevel() {
  const auto& names = daemon::kLogLevelNames;
  return static_cast<daemon::LogLevel>(std::find(names.begin(), names.end(), FLAGS_log_level) - names.begin());
}

daemon::RpcKerberosOptions ReadRpcKerberosOptions() {
  return {.keytab = FLAGS_rpc_keytab,
          .principal = FLAGS_rpc_principal,
          .allowed = SplitList(FLAGS_allow_principal),
          .qop = *QopNamed(FLAGS_rpc_qop),  // the flag's rule has seen it
          .qop_given = FlagIsGiven("rpc_qop")};
}

daemon::CaptureSettings ReadCaptureSettings() {
  return {.listen = SplitList(FLAGS_listen),
          .announce = FLAGS_announce,
          .zookeeper = FLAGS_zookeeper,
          .zookeeper_auth_file = FLAGS_zookeeper_auth_file,
          .connect_timeout = seconds(FLAGS_connect_timeout_s),
          .znode = FLAGS_znode,
          .hbase_znode = FLAGS_hbase_znode,
          .topic = FLAGS_topic,
          .allow_from = SplitList(FLAGS_allow_from),
          .drop = SplitList(FLAGS_stop_capturing),
          .may_be_large = SplitList(FLAGS_may_be_large),
          .max_connections = FLAGS_max_connections,
          .frame_mb = FLAGS_frame_mb,
          .calls_mb = FLAGS_calls_mb,
          .workers = FLAGS_workers,
          .message_kb = FLAGS_message_kb,
          .mark_period = milliseconds(FLAGS_watermark_interval_ms),
          .partitions = FLAGS_partitions,
          .replication = FLAGS_replication,
          .kafka = NamedCluster(),
          .tls = {FLAGS_tls_cert_file, FLAGS_tls_key_file, FLAGS_tls_ca_file},
          .kerberos = ReadRpcKerberosOptions()};
}

daemon::ChangedFlag AsChangedFlag(const FlagSetting& setting) {
  return {setting.name, setting.value, setting.origin, ShownValue(setting.origin)};
}

daemon::RunOptions ReadRunOptions() {
  return {.start = {ReadSourceOptions(), ReadStoreOptions()},
          .workers = FLAGS_workers,
          .connections = FLAGS_connections,
          .memory = {.all_mb = FLAGS_memory_mb,
                     .queued_mb = FLAGS_max_queued_mb,
                     .cache_mb = FLAGS_state_cache_mb,
                     .queued_given = FlagIsGiven("max_queued_mb"),
                     .cache_given = FlagIsGiven("state_cache_mb")},
          .clock_skew = milliseconds(FLAGS_clock_skew_ms),
          .scrub_rows_per_second = FLAGS_scrub_rows_per_second,
          .scrub_repair = FLAGS_scrub_repair,
          .drop_expired = FLAGS_drop_expired,
          .meta_table_given = FlagIsGiven("meta_table")};
}

daemon::AdminOptions ReadAdminOptions() {
  return {.address = FLAGS_admin,
          .hosts = SplitList(FLAGS_admin_host),
          .token_file = FLAGS_admin_token_file,
          .tls_cert_file = FLAGS_admin_tls_cert_file,
          .tls_key_file = FLAGS_admin_tls_key_file,
          .control = FLAGS_admin_control};
}

daemon::LogSettings ReadLogSettings() {
  return {.json = FLAGS_log_format == "json",
          .least = LeastLevel(),
          .window = seconds(FLAGS_log_window_s),
          .rows = FLAGS_log_rows};
}

daemon::DaemonFacts ReadDaemonFacts() { return {FLAGS_instance, FlagsNow}; }

daemon::LiveOptions ReadLiveOptions() { return {ReadLogSettings(), FLAGS_admin_token_file, FLAGS_metrics_partitions}; }

/// The current content of the flag files (cli/settings), for a reload.
daemon::FlagsReadAgain ReadFlagsAgain() {
  const SettledAgain settled = SettleAgain();
  daemon::FlagsReadAgain again{.faults = settled.faults, .changed = {}};
  for (const FlagSetting& setting : settled.changed) again.changed.push_back(AsChangedFlag(setting));
  return again;
}

/// Uses them from now on.
daemon::LiveOptions TakeFlags(const std::vector<daemon::ChangedFlag>& taken) {
  for (const daemon::ChangedFlag& flag : taken) {
    SetFlag(flag.name, flag.value, flag.origin == kCommandLine);
    NoteTaken({flag.name, flag.value, flag.origin});
  }
  return ReadLiveOptions();
}

std::string FaultOfPauseReason(const std::string& reason) { return FaultOfValue(*FindFlagRule("reason"), reason); }

}  // namespace

daemon::SourceOptions ReadSourceOptions() {
  return {.url = FLAGS_source,
          .follow = FLAGS_follow,
          .until_end = FLAGS_until_end,
          .csv = ReadCsvColumns(),
          .kafka = ReadSourceKafkaOptions(),
          .property_file = FLAGS_kafka_property_file,
          .instance = FLAGS_instance,
          .format = FormatOfFlag(),
          .session_timeout = milliseconds(FLAGS_kafka_session_timeout_ms),
          .dead_letters = FLAGS_dead_letters,
          .store_url = FLAGS_store};
}

daemon::IndexDaemonOptions ReadIndexDaemonOptions() {
  return {.run = ReadRunOptions(),
          .admin = ReadAdminOptions(),
          .live = ReadLiveOptions(),
          .facts = ReadDaemonFacts(),
          .paths = {},
          .indexes = SplitList(FLAGS_index),
          .faults = FLAGS_fault,
          .faults_unlocked = FLAGS_unlock_faults,
          .default_of = FlagDefault,
          .fault_of_reason = FaultOfPauseReason,
          .read_flags = ReadFlagsAgain,
          .take_flags = TakeFlags};
}

daemon::CaptureRunOptions ReadCaptureRunOptions() {
  return {.capture = ReadCaptureSettings(),
          .kafka = FLAGS_kafka,
          .store = ReadStoreOptions(),
          .peer = FLAGS_peer,
          .mappings = SplitList(FLAGS_mapping),
          .heartbeat_table = FLAGS_heartbeat_table,
          .heartbeat_period = seconds(FLAGS_heartbeat_s),
          .admin = ReadAdminOptions(),
          .log = ReadLogSettings(),
          .facts = ReadDaemonFacts()};
}

}  // namespace fensi::cli
