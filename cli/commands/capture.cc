#include "capture/capture.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "base/counted.h"
#include "base/split_list.h"
#include "base/table_name.h"
#include "cli/access/kafka.h"
#include "cli/access/stores.h"
#include "cli/admin/serving.h"
#include "cli/capture/capture_status.h"
#include "cli/capture/certificates.h"
#include "cli/capture/heartbeat.h"
#include "cli/capture/kafka_watch.h"
#include "cli/capture/own_tables.h"
#include "cli/capture/plan.h"
#include "cli/capture/settings.h"
#include "cli/capture/watch.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/log/log.h"
#include "cli/log/outage_watch.h"
#include "cli/mappings/mapping_files.h"
#include "cli/planning/topic_plan.h"
#include "cli/program/output.h"
#include "cli/run/signals.h"
#include "cli/run/unless_stopped.h"
#include "cli/service/service_report.h"

namespace fensi::cli {
namespace {

using capture::CaptureOptions;
using capture::Severity;

constexpr LogLevel LevelOf(Severity severity) {
  if (severity == Severity::kAlarm) return LogLevel::kError;
  return severity == Severity::kWarning ? LogLevel::kWarning : LogLevel::kInfo;
}

/// The log has an event of this name and level.
constexpr bool IsEvent(const capture::NoticeRule& rule) {
  const size_t index = IndexOfEvent(rule.event);
  return index < kEvents.size() && kEvents[index].level == LevelOf(rule.severity);
}
static_assert(std::all_of(capture::kNoticeRules.begin(), capture::kNoticeRules.end(), IsEvent));

void Tell(const capture::Notice& notice) {
  const capture::NoticeRule& rule = RuleOf(notice.kind);
  Log(Event(kEvents.at(IndexOfEvent(rule.event))),
      rule.severity == Severity::kAlarm ? "ALARM: " + notice.words : notice.words,
      {.table = notice.table, .server = notice.server});
}

Result<int> Plan(const Arguments& tables, const std::optional<capture::KerberosOptions>& kerberos) {
  TableFamilies families;
  if (FLAGS_store.empty()) {
    for (const std::string& table : tables) families[table] = {"FAMILY"};
  } else {
    Result<TableFamilies> found = FamiliesToReplicate(tables);
    if (!found.ok()) return found.status();
    families = std::move(*found);
  }
  const PeerTls tls = FLAGS_tls_cert_file.empty() ? PeerTls::kPlain
                      : FLAGS_tls_ca_file.empty() ? PeerTls::kOurCertificate
                                                  : PeerTls::kBothCertificates;
  Print(CapturePlanText({.tables = families,
                         .peer = FLAGS_peer,
                         .cluster_key = ClusterKey(FLAGS_zookeeper, FLAGS_znode),
                         .tls = tls,
                         .kerberos = kerberos}));
  return kExitDone;
}

/// Makes what is missing, and notes how many partitions each stream has; kConfiguration for a topic that cannot be
/// used. The id of the cluster that has them.
Result<std::string> PrepareTopics(CaptureOptions* options) {
  const std::chrono::seconds timeout(FLAGS_connect_timeout_s);
  const Result<std::unique_ptr<consumer::TopicAdmin>> admin = consumer::TopicAdmin::Create(NamedCluster(), timeout);
  if (!admin.ok()) return admin.status();
  const auto limit = static_cast<int64_t>(options->publisher.kafka.max_message_bytes);
  for (const consumer::TopicSpec& spec : CaptureTopics(*options)) {
    const Result<TopicPlan> plan = PlanTopic(spec, admin->get());
    if (!plan.ok()) return plan.status();
    if (!plan->fault.empty()) return Status(StatusCode::kConfiguration, "topic " + spec.name + ": " + plan->fault);
    FENSI_RETURN_IF_ERROR(CheckMessageLimit(*plan, limit));
    FENSI_RETURN_IF_ERROR(CreateTopics({*plan}, admin->get()));
    if (spec.name != options->publisher.dead_letter_topic) {
      options->marks.partitions[spec.name] = plan->exists ? plan->found.partitions : spec.partitions;
    }
    if (plan->exists) continue;
    Log("topic_created", "topic " + spec.name + " created with " + Counted(spec.partitions, "partition"),
        {.topic = spec.name});
  }
  return (*admin)->ClusterId();
}

/// What a first contact with that server says; a stop does not wait for it.
template <typename Contact>
auto Reach(const std::string& server, Contact contact) {
  return UnlessStopped(std::move(contact), [&server] {
    Log("stopped_before_start", "stopped before " + server + " had answered: nothing was taken", {.server = server});
    return kExitDone;
  });
}

Result<std::unique_ptr<Heartbeat>> StartHeartbeat() {
  if (FLAGS_heartbeat_table.empty()) return std::unique_ptr<Heartbeat>();
  Result<std::unique_ptr<store::Store>> store = OpenStoreToWrite();
  if (!store.ok()) return store.status();
  const std::chrono::seconds period(FLAGS_heartbeat_s);
  auto heartbeat = std::make_unique<Heartbeat>(std::move(*store), FLAGS_heartbeat_table, period, Tell);
  FENSI_RETURN_IF_ERROR(heartbeat->Start());
  return heartbeat;
}

CaptureFacts FactsOf(const Arguments& tables, const CaptureOptions& options, const capture::Capture& capture) {
  CaptureFacts facts;
  facts.tables = tables;
  facts.root = FLAGS_znode;
  facts.cluster_key = ClusterKey(FLAGS_zookeeper, FLAGS_znode);
  if (!FLAGS_rpc_keytab.empty()) facts.principal = FLAGS_rpc_principal;
  for (const uint16_t port : capture.ports()) {
    if (!facts.address.empty()) facts.address += ", ";
    facts.address += options.registration.host + ":" + std::to_string(port);
  }
  return facts;
}

/// Whether Kafka answers: how many partitions one of the topics has.
Result<std::function<Status()>> QuestionToKafka(const CaptureOptions& options) {
  constexpr std::chrono::seconds kLongest{5};
  Result<std::unique_ptr<consumer::TopicAdmin>> admin = consumer::TopicAdmin::Create(NamedCluster(), kLongest);
  FENSI_RETURN_IF_ERROR(admin.status());
  return std::function<Status()>(
      [admin = std::shared_ptr<consumer::TopicAdmin>(std::move(*admin)), topic = options.publisher.dead_letter_topic] {
        return admin->Partitions(topic).status();
      });
}

OutageWatch::Sight SightOf(const KafkaWatch& kafka, int64_t wall_millis) {
  return {.away = kafka.away(),
          .silent = kafka.silence(),
          .waits =
              "nothing is acknowledged to HBase, which keeps its logs on its disks until Kafka answers; the "
              "capture goes on by itself",
          .wall_millis = wall_millis};
}

Result<int> Serve(capture::Capture* capture, const CaptureOptions& options, const CaptureFacts& facts,
                  const admin::ServerOptions& admin_settings) {
  Result<std::function<Status()>> question = QuestionToKafka(options);
  if (!question.ok()) return question.status();
  KafkaWatch kafka(std::move(*question), SystemClock());
  OutageWatch kafka_outage("Kafka", FLAGS_kafka);
  CaptureStatus shown(capture, &kafka, SystemClock());
  const Result<std::unique_ptr<admin::Server>> server = ServeAdmin(admin_settings, &shown);
  if (!server.ok()) return server.status();
  ServiceReport service(&shown, SystemClock(), ManagerOfEnvironment());
  bool stopped = false;
  const auto go_on = [&] {
    service.Tick();
    return !(stopped = stopped || AwaitStopSignal(std::chrono::milliseconds(0)) != 0);
  };
  const Status started = capture->Start(go_on);
  if (started.code() == StatusCode::kCancelled) return kExitDone;
  FENSI_RETURN_IF_ERROR(started);
  shown.NoteTurn();
  shown.NoteStart();
  Log("capture_ready", "capture: peer \"" + facts.cluster_key + "\" at " + facts.address + ", ready");
  CaptureWatch watch(capture, facts, SystemClock());
  const auto use_tls = [capture](const capture::TlsPems& pems) { return capture->UseTls(pems); };
  CertificateWatch certificates(options.server.tls, {ReadCertificates, use_tls, TellOfCertificates(Tell)},
                                SystemClock());
  AdminCertificateWatch admin_certificate = WatchAdminCertificate(admin_settings, server->get());
  while (AwaitStopSignal(std::chrono::milliseconds(100)) == 0) {
    watch.Tick();
    kafka.Tick();
    if (const auto due = kafka_outage.Note(SightOf(kafka, SystemClock()->WallMillis()))) Write(*due);
    certificates.Tick();
    admin_certificate.Tick();
    TickLog();
    shown.NoteTurn();
    service.Tick();
  }
  shown.NoteStop();
  service.NoteStop();
  Log("stopping", "stopping: acknowledging what is in hand");
  capture->Stop();
  Log("capture_ended", watch.Summary());
  return kExitDone;
}

Status CheckOwnTables(const Arguments& tables) {
  std::vector<mapping::Mapping> mappings;
  if (!FLAGS_mapping.empty()) {
    Result<std::vector<mapping::Mapping>> loaded = LoadMappings(SplitList(FLAGS_mapping));
    if (!loaded.ok()) return loaded.status();
    mappings = std::move(*loaded);
  }
  return RefuseOwnTables(tables, mappings);
}

Status CheckHeartbeat(const Arguments& tables) {
  if (FLAGS_heartbeat_table.empty()) return Status();
  if (FLAGS_store.empty()) {
    return Status(StatusCode::kInvalidArgument, "--heartbeat_table needs --store hbase://HOST:PORT");
  }
  const Result<std::string> heartbeat = ParseTableName(FLAGS_heartbeat_table);
  FENSI_RETURN_IF_ERROR(heartbeat.status());
  if (std::find(tables.begin(), tables.end(), *heartbeat) == tables.end()) return Status();
  return Status(StatusCode::kInvalidArgument,
                "--heartbeat_table " + FLAGS_heartbeat_table +
                    " is captured, so the rows that wake HBase would be taken for its data; give them a table of their "
                    "own, with a region on each region server (it need not be replicated)");
}

Result<int> CaptureTables(const Arguments& names) {
  const Result<std::vector<std::string>> parsed = ParseTableNames(names);
  FENSI_RETURN_IF_ERROR(parsed.status());
  const Arguments& tables = *parsed;
  Result<CaptureOptions> settings = CaptureSettings(tables);
  FENSI_RETURN_IF_ERROR(settings.status());
  CaptureOptions& options = *settings;
  FENSI_RETURN_IF_ERROR(CheckHeartbeat(tables));
  FENSI_RETURN_IF_ERROR(CheckOwnTables(tables));
  if (FLAGS_plan) return Plan(tables, options.server.kerberos);
  if (FLAGS_kafka.empty()) return Status(StatusCode::kInvalidArgument, "--kafka is missing (HOST:PORT)");
  const Result<admin::ServerOptions> admin_settings = AdminSettings(kCapturePort, true);
  if (!admin_settings.ok()) return admin_settings.status();
  BlockStopSignals();
  const DaemonLog log;
  FENSI_RETURN_IF_ERROR(RaiseFileLimit(options.server.max_connections));
  if (!FLAGS_store.empty()) {
    FENSI_RETURN_IF_ERROR(Reach(FLAGS_store, [&] { return CheckTablesInStore(tables); }));
  }
  Result<std::string> kafka = Reach(FLAGS_kafka, [&] { return PrepareTopics(&options); });
  FENSI_RETURN_IF_ERROR(kafka.status());
  options.registration.agreement.kafka = std::move(*kafka);
  const Result<std::unique_ptr<capture::Capture>> capture = capture::Capture::Create(options, Tell, SystemClock());
  if (!capture.ok()) return capture.status();
  const Result<std::unique_ptr<Heartbeat>> heartbeat = Reach(FLAGS_store, StartHeartbeat);
  if (!heartbeat.ok()) return heartbeat.status();
  return Serve(capture.value().get(), options, FactsOf(tables, options, *capture.value()), *admin_settings);
}

std::vector<Example> CaptureExamples() {
  return {{"fensi capture guanzhu --zookeeper 127.0.0.1:2181 --plan", "what to enter into the HBase shell"},
          {"fensi capture guanzhu --zookeeper 127.0.0.1:2181 --kafka 127.0.0.1:9092", "the daemon"},
          {"fensi capture guanzhu ns:orders --zookeeper zk1:2181,zk2:2181 --kafka b1:9092 --listen "
           "10.1.0.5:16100,10.1.0.5:16101 --allow_from 10.1.0.0/16 "
           "--announce capture1.example.org",
           "two tables, two addresses"}};
}

std::vector<FlagUse> CaptureFlags() {
  return {{"zookeeper", true},
          {"kafka"},
          {"plan"},
          {"listen"},
          {"allow_from"},
          {"max_connections"},
          {"drop"},
          {"may_be_large"},
          {"announce"},
          {"tls_cert_file"},
          {"tls_key_file"},
          {"tls_ca_file"},
          {"rpc_keytab"},
          {"rpc_principal"},
          {"rpc_qop"},
          {"allow_principal"},
          {"znode"},
          {"zookeeper_auth_file"},
          {"peer"},
          {"hbase_znode"},
          {"topic"},
          {"partitions"},
          {"replication"},
          {"mapping"},
          {"store"},
          {"heartbeat_table"},
          {"heartbeat_s"},
          {"mark_ms"},
          {"message_kb"},
          {"frame_mb"},
          {"calls_mb"},
          {"workers"},
          {"kafka_property"},
          {"kafka_property_file"},
          {"admin"},
          {"admin_host"},
          {"admin_token_file"},
          {"admin_tls_cert_file"},
          {"admin_tls_key_file"},
          {"log_format"},
          {"log_level"},
          {"log_window_s"},
          {"log_rows"},
          {"connect_timeout_s"}};
}

}  // namespace

Command CaptureCommand() {
  Command command;
  command.name = "capture";
  command.summary = "write the changes of HBase tables to Kafka as they happen";
  command.arguments = "TABLE…";
  command.min_arguments = 1;
  command.max_arguments = kAnyNumber;
  command.description =
      "Stands in ZooKeeper as a replication peer of HBase, takes the edits of the tables from its region servers, and "
      "writes them to Kafka as the change streams that 'fensi run' reads. HBase is told that it has an edit only when "
      "Kafka has it durably, so nothing is lost whatever dies; after a failure edits may come twice. --plan prints "
      "what is to be done in the HBase shell before. Several captures with the same tables and --znode share the work. "
      "SIGTERM and SIGINT: what is in hand is acknowledged, exit code 0.";
  command.flags = CaptureFlags();
  command.examples = CaptureExamples();
  command.run = CaptureTables;
  return command;
}

}  // namespace fensi::cli
