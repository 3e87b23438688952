// Every flag of every command, as the command tables have them, with an empty, a huge and a repeated value.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/program/command.h"
#include "cli/settings/command_line.h"
#include "tests/support/matchers.h"

namespace fensi::cli {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::StartsWith;

constexpr size_t kHuge = 1 << 20;

/// A value that each flag takes. A flag that is missing here fails the test: add it.
const std::map<std::string, std::string> kGood = {
    {"begin_wait_s", "30"},
    {"partition", "0"},
    {"package", "com.example"},
    {"last", "10"},
    {"admin", "127.0.0.1:0"},
    {"admin_host", "fensi.example.org"},
    {"admin_tls_cert_file", "admin.pem"},
    {"admin_tls_key_file", "admin.key"},
    {"admin_token_file", "token"},
    {"daemon_ca_file", "ca.pem"},
    {"metrics_partitions", "0"},
    {"ahead_rows", "1"},
    {"allow_from", "10.0.0.0/8"},
    {"allow_principal", "hbase/*@REALM"},
    {"as_of", "watermark"},
    {"announce", "host"},
    {"box", "39.8,116.3,40,116.5"},
    {"bytes_per_second", "1"},
    {"calls_mb", "16"},
    {"clock_skew_ms", "0"},
    {"color", "never"},
    {"connect_timeout_s", "10"},
    {"connections", "2"},
    {"csv_family", "f1"},
    {"csv_row", "id"},
    {"csv_time", "at"},
    {"daemon", "127.0.0.1:16180"},
    {"dead_letters", "file:letters"},
    {"direction", "reverse"},
    {"stop_capturing", "other"},
    {"may_be_large", "follows/f:html"},
    {"event", "{}"},
    {"fault", "put:1=fail"},
    {"flagfile", "file"},
    {"frame_mb", "16"},
    {"format", "table"},
    {"from", "1"},
    {"from_report", "file"},
    {"hbase_znode", "/hbase"},
    {"heartbeat_s", "1"},
    {"heartbeat_table", "beat"},
    {"index", "fensi"},
    {"instance", "fensi-0"},
    {"interval_s", "1"},
    {"kafka", "host:1"},
    {"kafka_format", "event"},
    {"kafka_property", "a=b"},
    {"kafka_property_file", "file"},
    {"kafka_session_timeout_ms", "6000"},
    {"listen", "127.0.0.1:0"},
    {"log_format", "json"},
    {"log_level", "warning"},
    {"log_window_s", "0"},
    {"mapping", "m.yaml"},
    {"watermark_interval_ms", "0"},
    {"max_connections", "1"},
    {"max_events", "1"},
    {"max_lag_s", "1"},
    {"max_queued_mb", "1"},
    {"memory_mb", "2"},
    {"kerberos_keytab", "keytab"},
    {"kerberos_principal", "fensi"},
    {"kind", "unmappable"},
    {"max", "1"},
    {"max_cells", "1"},
    {"max_rows", "1"},
    {"max_suspects", "1"},
    {"message_kb", "64"},
    {"meta_table", "fensi_meta"},
    {"method", "digest"},
    {"near", "39.9,116.4"},
    {"output", "file"},
    {"partitions", "1"},
    {"peer", "fensi"},
    {"prefix", "p"},
    {"radius", "2km"},
    {"reason", "why"},
    {"recheck_s", "0"},
    {"replication", "1"},
    {"report", "file"},
    {"row", "r"},
    {"rpc_keytab", "keytab"},
    {"rpc_principal", "fensi/here@REALM"},
    {"rpc_qop", "auth"},
    {"rows_per_second", "1"},
    {"sample", "1"},
    {"scan_rate", "10000"},
    {"table_rows", "1000000"},
    {"write_rate", "10000"},
    {"scrub_rows_per_second", "0"},
    {"source", "file:events"},
    {"source_store", "hbase://host:2181/hbase"},
    {"source_store_kerberos_masters", "hbase"},
    {"source_store_kerberos_service", "hbase"},
    {"source_store_qop", "auth"},
    {"source_store_tls_ca_file", "ca.pem"},
    {"source_store_tls_cert_file", "cert.pem"},
    {"source_store_tls_key_file", "key.pem"},
    {"start_row", "r"},
    {"since", "2016-12-20"},
    {"state", "open"},
    {"state_cache_mb", "1"},
    {"stop_row", "s"},
    {"store", "embedded:dir"},
    {"store_allow_simple_auth", "true"},
    {"store_kerberos_masters", "hbase"},
    {"store_kerberos_service", "hbase"},
    {"store_qop", "auth-int"},
    {"store_tls_ca_file", "ca.pem"},
    {"store_tls_cert_file", "cert.pem"},
    {"store_tls_key_file", "key.pem"},
    {"timeout_s", "0"},
    {"tls_ca_file", "ca.pem"},
    {"tls_cert_file", "cert.pem"},
    {"tls_key_file", "key.pem"},
    {"to", "2"},
    {"topic", "{table}"},
    {"until", "now"},
    {"wait_s", "0"},
    {"workers", "1"},
    {"zookeeper", "host:1"},
    {"zookeeper_auth_file", "auth"},
    {"znode", "/fensi"},
};

/// The only flags for which an empty value means something: a prefix of every row.
const std::set<std::string> kMayBeEmpty = {"prefix"};
/// Free text and paths, which may be as long as they like.
const std::set<std::string> kMayBeHuge = {"event",
                                          "until",
                                          "as_of",
                                          "since",
                                          "from",
                                          "to",
                                          "prefix",
                                          "row",
                                          "csv_row",
                                          "csv_time",
                                          "csv_family",
                                          "start_row",
                                          "stop_row",
                                          "report",
                                          "from_report",
                                          "output",
                                          "flagfile",
                                          "index",
                                          "mapping",
                                          "admin_tls_cert_file",
                                          "admin_tls_key_file",
                                          "admin_token_file",
                                          "daemon_ca_file",
                                          "kafka_property_file",
                                          "zookeeper_auth_file",
                                          "kerberos_keytab",
                                          "rpc_keytab",
                                          "source_store_tls_ca_file",
                                          "source_store_tls_cert_file",
                                          "source_store_tls_key_file",
                                          "store_tls_ca_file",
                                          "store_tls_cert_file",
                                          "store_tls_key_file",
                                          "tls_ca_file",
                                          "tls_cert_file",
                                          "tls_key_file"};

class CommandFlags : public ::testing::Test {
 protected:
  struct Case {
    const Command* command;
    const FlagRule* rule;
  };

  static void SetUpTestSuite() { SetCommands(MakeCommands()); }

  static std::vector<Case> All() {
    std::vector<Case> cases;
    for (const Command& command : AllCommands()) {
      for (const FlagUse& use : command.flags) cases.push_back({&command, FindFlagRule(use.name)});
    }
    return cases;
  }

  /// The faults of a line that name the flag.
  static std::vector<std::string> Faults(const Case& test, const std::vector<std::string>& values) {
    std::vector<std::string> words;
    for (const std::string& value : values) words.push_back("--" + test.rule->name + "=" + value);
    std::vector<std::string> faults = ParseCommandLine(*test.command, words).flags.faults();
    std::erase_if(faults, [&](const std::string& fault) { return !fault.starts_with("--" + test.rule->name); });
    return faults;
  }

  /// What a fault of a value begins with; a value that may be a secret is not shown.
  static std::string Named(const FlagRule& rule, const std::string& value = "") {
    return "--" + rule.name + (rule.may_hold_secrets ? "" : "=" + value);
  }

  static std::string Good(const FlagRule& rule) { return rule.is_switch ? "true" : kGood.at(rule.name); }
};

TEST_F(CommandFlags, HaveARuleAndAGoodValueEach) {
  for (const Case& test : All()) {
    ASSERT_NE(test.rule, nullptr) << test.command->name;
    ASSERT_TRUE(test.rule->is_switch || kGood.contains(test.rule->name)) << test.rule->name;
    EXPECT_THAT(Faults(test, {Good(*test.rule)}), IsEmpty()) << test.command->name;
  }
}

TEST_F(CommandFlags, RefuseAnEmptyValue) {
  for (const Case& test : All()) {
    const std::string what = test.command->name + " --" + test.rule->name;
    if (kMayBeEmpty.contains(test.rule->name)) {
      EXPECT_THAT(Faults(test, {""}), IsEmpty()) << what;
    } else {
      EXPECT_THAT(Faults(test, {""}), Contains(StartsWith(Named(*test.rule) + ": "))) << what;
    }
  }
}

TEST_F(CommandFlags, RefuseAHugeValueOrTakeItWhole) {
  const std::string letters(kHuge, 'x'), digits(kHuge, '9');
  for (const Case& test : All()) {
    const std::string what = test.command->name + " --" + test.rule->name;
    for (const std::string& huge : {letters, digits}) {
      const std::vector<std::string> words = {"--" + test.rule->name + "=" + huge};
      const SettingList flags = ParseCommandLine(*test.command, words).flags;
      if (kMayBeHuge.contains(test.rule->name)) {
        ASSERT_EQ(flags.settings().size(), 1u) << what;
        EXPECT_EQ(flags.settings()[0].value.size(), kHuge) << what;
      } else {
        EXPECT_THAT(flags.settings(), IsEmpty()) << what;
        EXPECT_THAT(flags.faults(), Contains(StartsWith(Named(*test.rule)))) << what;
      }
      for (const std::string& fault : flags.faults()) EXPECT_LT(fault.size(), 1000u) << what;
    }
  }
}

TEST_F(CommandFlags, RefuseARepeatedValueUnlessTheyAreLists) {
  for (const Case& test : All()) {
    const std::string what = test.command->name + " --" + test.rule->name;
    const std::vector<std::string> faults = Faults(test, {Good(*test.rule), Good(*test.rule)});
    if (test.rule->is_list) {
      EXPECT_THAT(faults, IsEmpty()) << what;
    } else {
      EXPECT_THAT(faults, Contains("--" + test.rule->name + ": given twice; remove one")) << what;
    }
  }
}

TEST_F(CommandFlags, RefuseNumbersAroundTheirRange) {
  for (const Case& test : All()) {
    if (test.rule->placeholder != "N") continue;
    for (const char* value : {"-1", "99999999999999999999", "1.5", "0x10", " 1", "1 ", "+1", "1e3"}) {
      EXPECT_THAT(Faults(test, {value}), Contains(AnyOf(HasSubstr("must be"), HasSubstr("not a whole number"))))
          << test.command->name << " --" << test.rule->name << "=" << value;
    }
  }
}

}  // namespace
}  // namespace fensi::cli
