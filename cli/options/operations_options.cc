#include "cli/options/operations_options.h"

#include <chrono>
#include <string>

#include "base/text.h"
#include "cli/flags/flags.h"

namespace fensi::cli {
namespace {

using std::chrono::seconds;

constexpr std::string_view kKafkaScheme = "kafka://";

operations::KafkaProperties& KnownProperties() {
  static operations::KafkaProperties properties;
  return properties;
}

consumer::KafkaCluster ClusterOf(std::string brokers) {
  if (brokers.starts_with(kKafkaScheme)) brokers.erase(0, kKafkaScheme.size());
  return {std::move(brokers), KnownProperties()};
}

}  // namespace

Status ReadKafkaFlags() {
  FENSI_ASSIGN_OR_RETURN(KnownProperties(),
                         operations::ReadKafkaProperties(FLAGS_kafka_property, FLAGS_kafka_property_file));
  return {};
}

consumer::KafkaCluster SourceCluster() { return ClusterOf(FLAGS_source.starts_with(kKafkaScheme) ? FLAGS_source : ""); }

operations::KafkaOptions ReadSourceKafkaOptions() { return {SourceCluster(), seconds(FLAGS_connect_timeout_s)}; }

consumer::KafkaCluster NamedCluster() { return ClusterOf(FLAGS_kafka); }

operations::KafkaOptions ReadNamedKafkaOptions() { return {NamedCluster(), seconds(FLAGS_connect_timeout_s)}; }

consumer::Format FormatOfFlag() { return consumer::FormatNamed(FLAGS_kafka_format).value(); }  // its rule has seen it

namespace {

operations::StoreSecurityOptions ReadStoreSecurity() {
  return {.tls_ca_file = FLAGS_store_tls_ca_file,
          .tls_cert_file = FLAGS_store_tls_cert_file,
          .tls_key_file = FLAGS_store_tls_key_file,
          .kerberos_service = FLAGS_store_kerberos_service,
          .kerberos_masters = FLAGS_store_kerberos_masters,
          .allow_simple_auth = FLAGS_store_allow_simple_auth,
          .qop = *QopNamed(FLAGS_store_qop),  // its rule has seen it
          .qop_given = FlagIsGiven("store_qop")};
}

operations::SourceStoreOptions ReadSourceStore(const operations::StoreSecurityOptions& of_store) {
  operations::SourceStoreOptions source{.url = FLAGS_source_store, .security = {}, .flag_alone = "", .tables = {}};
  if (source.url.empty()) {
    for (const char* flag :
         {"kerberos_service", "kerberos_masters", "qop", "tls_ca_file", "tls_cert_file", "tls_key_file"}) {
      const std::string name = std::string("source_store_") + flag;
      if (FlagIsGiven(name)) source.flag_alone = "--" + name;
    }
    return source;
  }
  source.security = operations::SecurityOfSource(of_store, FLAGS_store,
                                                 {.tls_ca_file = FLAGS_source_store_tls_ca_file,
                                                  .tls_cert_file = FLAGS_source_store_tls_cert_file,
                                                  .tls_key_file = FLAGS_source_store_tls_key_file,
                                                  .kerberos_service = FLAGS_source_store_kerberos_service,
                                                  .kerberos_masters = FLAGS_source_store_kerberos_masters,
                                                  .allow_simple_auth = false,
                                                  .qop = *QopNamed(FLAGS_source_store_qop),
                                                  .qop_given = FlagIsGiven("source_store_qop"),
                                                  .flags = "--source_store"},
                                                 FLAGS_source_store);
  return source;
}

}  // namespace

operations::StoreOptions ReadStoreOptions() {
  const operations::StoreSecurityOptions security = ReadStoreSecurity();
  return {.url = FLAGS_store,
          .meta_table = FLAGS_meta_table,
          .connect_timeout = seconds(FLAGS_connect_timeout_s),
          .security = security,
          .source = ReadSourceStore(security)};
}

operations::ExpiryOptions ReadExpiryOptions() {
  return {FLAGS_meta_table, FlagIsGiven("meta_table"), seconds(FLAGS_connect_timeout_s)};
}

operations::MarkOptions ReadMarkOptions() {
  return {FLAGS_meta_table, std::chrono::milliseconds(FLAGS_clock_skew_ms), operations::StoreIsEmbedded(FLAGS_store)};
}

operations::CsvColumns ReadCsvColumns() { return {FLAGS_csv_row, FLAGS_csv_time, FLAGS_csv_family}; }

operations::LetterFilterOptions ReadLetterFilterOptions() {
  return {.kinds = FLAGS_kind,
          .row = FLAGS_row,
          .since = FLAGS_since,
          .until = FLAGS_until,
          .state = FLAGS_state,
          .all = FLAGS_all};
}

operations::BackfillOptions ReadBackfillOptions() {
  return {.start_row = FLAGS_start_row,
          .stop_row = FLAGS_stop_row,
          .prefix = FLAGS_prefix,
          .from = FLAGS_from,
          .to = FLAGS_to,
          .rows_per_second = FLAGS_rows_per_second,
          .bytes_per_second = FLAGS_bytes_per_second,
          .paced = FlagIsGiven("rows_per_second") || FlagIsGiven("bytes_per_second"),
          .again = FLAGS_restart,
          .skip_watermark_check = FLAGS_skip_watermark_check,
          .execute = FLAGS_execute,
          .pause = FLAGS_pause,
          .resume = FLAGS_resume,
          .cancel = FLAGS_cancel};
}

operations::DaemonsOptions ReadDaemonsOptions() {
  return {SplitList(FLAGS_daemon), FLAGS_admin_token_file, FLAGS_daemon_ca_file};
}

std::optional<sweep::Wish> AskedToSteer() {
  if (FLAGS_pause) return sweep::Wish::kPause;
  if (FLAGS_resume) return sweep::Wish::kRun;
  if (FLAGS_cancel) return sweep::Wish::kCancel;
  return std::nullopt;
}

}  // namespace fensi::cli
