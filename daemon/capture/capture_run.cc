#include "daemon/capture/capture_run.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/hbase_limits.h"
#include "base/text.h"
#include "daemon/capture/capture_status.h"
#include "daemon/capture/certificates.h"
#include "daemon/capture/kafka_watch.h"
#include "daemon/capture/own_tables.h"
#include "daemon/capture/plan.h"
#include "daemon/capture/watch.h"
#include "daemon/log/log.h"
#include "daemon/log/outage_watch.h"
#include "daemon/service/service_report.h"
#include "operations/access/admin_place.h"
#include "operations/access/flag_faults.h"
#include "operations/jobs/signals.h"
#include "operations/jobs/unless_stopped.h"
#include "operations/mappings/mapping_files.h"
#include "operations/tables/topic_plan.h"

namespace fensi::daemon {
namespace {

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

/// Runs a first contact with that server; a stop does not wait for it.
template <typename Contact>
auto Reach(const std::string& server, Contact contact) {
  return operations::UnlessStopped(std::move(contact), [&server] {
    Log("stopped_before_start",
        "the capture was stopped before " + server +
            " had answered. The capture took no edits, and HBase keeps them. If you did not stop the capture, start it "
            "again",
        {.server = server});
    return kExitDone;
  });
}

OutageWatch::Sight SightOfKafka(const KafkaWatch& kafka, int64_t wall_millis) {
  return {.away = kafka.away(),
          .silent = kafka.silence(),
          .waits =
              "until Kafka answers, the capture acknowledges nothing, and HBase keeps its logs on HDFS. Check the "
              "brokers, and the network to them. The capture then continues by itself" +
              (kafka.why().empty() ? "" : " (" + kafka.why() + ")"),
          .wall_millis = wall_millis};
}

}  // namespace

Status CheckHeartbeat(const CaptureRunOptions& options, const std::vector<std::string>& tables) {
  if (options.heartbeat_table.empty()) return Status();
  if (options.store.url.empty()) {
    return operations::FlagRequires("--heartbeat_table", "--store, which names the HBase to write to");
  }
  FENSI_ASSIGN_OR_RETURN(const std::string heartbeat, ParseTableName(options.heartbeat_table));
  if (std::find(tables.begin(), tables.end(), heartbeat) == tables.end()) return Status();
  return InvalidArgument("--heartbeat_table " + options.heartbeat_table +
                         " is also a captured table, and the heartbeat would write rows into this table. Name another "
                         "table, which has a region on each region server. The table needs no REPLICATION_SCOPE");
}

Status CaptureRun::Check(const std::vector<std::string>& names) {
  FENSI_ASSIGN_OR_RETURN(tables_, ParseTableNames(names));
  FENSI_ASSIGN_OR_RETURN(settled_, OptionsOfCapture(options_.capture, tables_));
  FENSI_RETURN_IF_ERROR(operations::CheckSourceStore(options_.store));
  FENSI_RETURN_IF_ERROR(CheckHeartbeat(options_, tables_));
  return CheckOwnTables();
}

Status CaptureRun::CheckOwnTables() const {
  std::vector<mapping::Mapping> mappings;
  if (!options_.mappings.empty()) {
    FENSI_ASSIGN_OR_RETURN(mappings, operations::LoadMappings(options_.mappings, options_.store.meta_table));
  }
  return RefuseOwnTables(tables_, options_.capture.topic, options_.store.meta_table, mappings);
}

Result<std::string> CaptureRun::Plan() const {
  TableFamilies families;
  if (options_.store.url.empty()) {
    for (const std::string& table : tables_) families[table] = {"FAMILY"};
  } else {
    FENSI_ASSIGN_OR_RETURN(families, FamiliesToReplicate(SourceOf(options_.store), tables_));
  }
  const CertificateFiles& tls = options_.capture.tls;
  const PeerTls peer_tls = tls.cert.empty() ? PeerTls::kPlain
                           : tls.ca.empty() ? PeerTls::kOurCertificate
                                            : PeerTls::kBothCertificates;
  return CapturePlanText({.tables = families,
                          .topics = {settled_.publisher.topics.begin(), settled_.publisher.topics.end()},
                          .tables_found = !options_.store.url.empty(),
                          .peer = options_.peer,
                          .cluster_key = ClusterKey(options_.capture.zookeeper, options_.capture.znode),
                          .tls = peer_tls,
                          .kerberos = settled_.server.kerberos});
}

Result<int> CaptureRun::Run() {
  if (options_.kafka.empty()) return InvalidArgument("--kafka is missing. Name the brokers, as in --kafka=HOST:PORT");
  FENSI_ASSIGN_OR_RETURN(const admin::ServerOptions admin_settings,
                         AdminSettings(options_.admin, operations::kCapturePort, true));
  operations::BlockStopSignals();
  const DaemonLog log(options_.log);
  FENSI_RETURN_IF_ERROR(RaiseFileLimit(settled_.server.max_connections));
  if (!options_.store.url.empty()) {
    FENSI_RETURN_IF_ERROR(Reach(
        options_.store.url, [this] { return CheckTablesInStore(tables_, options_.capture.topic, options_.store); }));
  }
  FENSI_ASSIGN_OR_RETURN(std::string kafka, Reach(options_.kafka, [this] { return PrepareTopics(); }));
  settled_.registration.agreement.kafka = std::move(kafka);
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<capture::Capture> capture,
                         capture::Capture::Create(settled_, Tell, SystemClock()));
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<Heartbeat> heartbeat,
                         Reach(options_.store.url, [this] { return StartHeartbeat(); }));
  return Serve(capture.get(), admin_settings);
}

void CaptureRun::WarnOfUnseenTables(const std::string& topic) const {
  if (!options_.store.url.empty()) return;  // CheckTablesInStore has found them
  std::vector<std::string> tables;
  for (const auto& [table, its_topic] : settled_.publisher.topics) {
    if (its_topic == topic) tables.push_back(table);
  }
  if (tables.empty()) return;
  const auto open = [this] { return OpenZooKeeperBriefly(options_.capture); };
  for (const auto& [table, words] : UnseenTables(open, options_.capture.hbase_znode, topic, tables)) {
    Log("table_unseen", words, {.topic = topic, .table = table});
  }
}

Result<std::string> CaptureRun::PrepareTopics() {
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<consumer::TopicAdmin> admin,
                         consumer::TopicAdmin::Create(options_.capture.kafka, options_.capture.connect_timeout));
  const auto limit = static_cast<int64_t>(settled_.publisher.kafka.max_message_bytes);
  for (const consumer::TopicSpec& spec : CaptureTopics(options_.capture, settled_)) {
    FENSI_ASSIGN_OR_RETURN(const operations::TopicPlan plan, operations::PlanTopic(spec, admin.get()));
    if (!plan.fault.empty()) return Status(StatusCode::kConfiguration, "topic " + spec.name + ": " + plan.fault);
    FENSI_RETURN_IF_ERROR(CheckMessageLimit(plan, limit));
    if (!plan.exists) WarnOfUnseenTables(spec.name);
    FENSI_RETURN_IF_ERROR(operations::CreateTopics({plan}, admin.get()));
    if (spec.name != settled_.publisher.dead_letter_topic) {
      settled_.marks.partitions[spec.name] = plan.exists ? plan.found.partitions : spec.partitions;
    }
    if (plan.exists) continue;
    Log("topic_created", "topic " + spec.name + " created with " + Counted(spec.partitions, "partition"),
        {.topic = spec.name});
  }
  return admin->ClusterId();
}

Result<std::unique_ptr<Heartbeat>> CaptureRun::StartHeartbeat() const {
  if (options_.heartbeat_table.empty()) return std::unique_ptr<Heartbeat>();
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<store::Store> store, operations::OpenStoreToWrite(SourceOf(options_.store)));
  auto heartbeat =
      std::make_unique<Heartbeat>(std::move(store), options_.heartbeat_table, options_.heartbeat_period, Tell);
  FENSI_RETURN_IF_ERROR(heartbeat->Start());
  return heartbeat;
}

CaptureFacts CaptureRun::FactsOf(const capture::Capture& capture) const {
  CaptureFacts facts;
  facts.tables = tables_;
  facts.root = options_.capture.znode;
  facts.cluster_key = ClusterKey(options_.capture.zookeeper, options_.capture.znode);
  if (!options_.capture.kerberos.keytab.empty()) facts.principal = options_.capture.kerberos.principal;
  for (const uint16_t port : capture.ports()) {
    if (!facts.address.empty()) facts.address += ", ";
    facts.address += settled_.registration.host + ":" + std::to_string(port);
  }
  return facts;
}

Result<std::function<Status()>> CaptureRun::QuestionToKafka() const {
  constexpr std::chrono::seconds kLongest{5};
  FENSI_ASSIGN_OR_RETURN(std::shared_ptr<consumer::TopicAdmin> admin,
                         consumer::TopicAdmin::Create(options_.capture.kafka, kLongest));
  return std::function<Status()>([admin = std::move(admin), topic = settled_.publisher.dead_letter_topic] {
    return admin->Partitions(topic).status();
  });
}

Result<int> CaptureRun::Serve(capture::Capture* capture, const admin::ServerOptions& admin_settings) const {
  const CaptureFacts facts = FactsOf(*capture);
  FENSI_ASSIGN_OR_RETURN(std::function<Status()> question, QuestionToKafka());
  KafkaWatch kafka(std::move(question), SystemClock());
  OutageWatch kafka_outage("Kafka", options_.kafka);
  CaptureStatus shown(capture, &kafka, options_.facts, SystemClock());
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<admin::Server> server, ServeAdmin(admin_settings, &shown));
  ServiceReport service(&shown, SystemClock(), ManagerOfEnvironment());
  bool stopped = false;
  const auto go_on = [&] {
    service.Tick();
    return !(stopped = stopped || operations::AwaitStopSignal(std::chrono::milliseconds(0)) != 0);
  };
  const Status started = capture->Start(go_on);
  if (started.code() == StatusCode::kCancelled) return kExitDone;
  FENSI_RETURN_IF_ERROR(started);
  shown.NoteTurn();
  shown.NoteStart();
  Log("capture_ready", "capture: peer \"" + facts.cluster_key + "\" at " + facts.address + ", ready");
  CaptureWatch watch(capture, options_.capture, facts, SystemClock());
  const auto read_tls = [files = options_.capture.tls] { return ReadCertificates(files); };
  const auto use_tls = [capture](const capture::TlsPems& pems) { return capture->UseTls(pems); };
  CertificateWatch certificates(settled_.server.tls, {read_tls, use_tls, TellOfCertificates(Tell)}, SystemClock());
  AdminCertificateWatch admin_certificate = WatchAdminCertificate(options_.admin, admin_settings, server.get());
  while (operations::AwaitStopSignal(std::chrono::milliseconds(100)) == 0) {
    watch.Tick();
    kafka.Tick();
    if (const auto due = kafka_outage.Note(SightOfKafka(kafka, SystemClock()->WallMillis()))) Write(*due);
    certificates.Tick();
    admin_certificate.Tick();
    TickLog();
    shown.NoteTurn();
    service.Tick();
  }
  shown.NoteStop();
  service.NoteStop();
  Log("stopping", "stopping: acknowledging the calls in flight");
  capture->Stop();
  Log("capture_ended", watch.Summary());
  return kExitDone;
}

}  // namespace fensi::daemon
