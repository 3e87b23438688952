#include "cli/flags/flags.h"

#include <gflags/gflags.h>

#include "cli/flags/value_rules.h"

DEFINE_string(source, "",
              "where the changes come from: kafka://HOST:PORT[,HOST:PORT], file:PATH (JSON lines) or file:- "
              "(standard input)");
DEFINE_string(store, "", "where the tables are: hbase://HOST:PORT (a Thrift2 gateway) or embedded:DIR (a local store)");
DEFINE_string(index, "", "only these indexes of the mapping files");
DEFINE_int32(workers, 4, "threads at work; a partition, or a region server's call, is in the hands of one at a time");
DEFINE_int32(connections, 4, "connections to the store per index");
DEFINE_int32(max_queued_mb, 64, "memory for messages that were fetched and not yet applied, per index");
DEFINE_int32(state_cache_mb, 64, "memory for states of rows that were written lately, per index");
DEFINE_bool(until_end, false, "stop at the end of the stream as it was found at the start");
DEFINE_string(kafka, "", "brokers to ask first: HOST:PORT[,HOST:PORT]");
DEFINE_string(kafka_property, "", "any librdkafka setting");
DEFINE_string(kafka_format, "event",
              "what the topic holds: event (fensi's own) or hbase_kafka_proxy (Avro records of the "
              "Apache HBase Kafka proxy, consumed by one worker)");
DEFINE_int32(kafka_session_timeout_ms, 45000, "silence after which the group gives a member's partitions to others");
DEFINE_int32(connect_timeout_s, 10, "how long to try to reach a server before giving up with exit code 69");
DEFINE_string(dead_letters, "",
              "where events go that cannot be applied: file:PATH, or kafka for the dead-letter topic of "
              "each index (default: kafka for a Kafka source, else file:fensi.dead.jsonl)");
DEFINE_int32(partitions, 4, "partitions of a topic that is created");
DEFINE_int32(replication, 1, "replicas of a topic that is created");
DEFINE_bool(execute, false, "do it; without this flag only the plan is shown");
DEFINE_bool(json, false, "one JSON object a line, for programs");
DEFINE_bool(raw, false, "also delete markers and hidden versions");
DEFINE_string(prefix, "", "only rows that begin with this (\\xNN for bytes)");
DEFINE_string(row, "", "the source row to look at (\\xNN for bytes)");
DEFINE_int64(max_rows, 0, "stop after so many rows; 0: all");
DEFINE_int64(max_events, 0, "stop after so many events; 0: do not stop");
DEFINE_string(fault, "", "a fault to meet: CALL:N=ACTION (see cli/run/faults/fault_plan.h); for tests of fensi");
DEFINE_bool(unlock_faults, false, "allow --fault, which breaks the program on purpose");
DEFINE_string(zookeeper, "", "ZooKeeper servers of the source HBase: HOST:PORT[,HOST:PORT]");
DEFINE_string(znode, "/fensi", "where the capture stands in ZooKeeper; one for each replication peer");
DEFINE_string(hbase_znode, "/hbase", "where the source HBase stands in ZooKeeper; only looked at when nothing arrives");
DEFINE_string(peer, "fensi", "name of the replication peer, for --plan");
DEFINE_string(
    listen, "127.0.0.1:0",
    "addresses on which region servers are awaited: ADDRESS:PORT, several for so many calls at a time. Region servers "
    "on other machines need one that they reach. Port 0 is any free one; with a fixed one a capture that was killed "
    "has "
    "its place again at once");
DEFINE_string(allow_from, "",
              "networks from which region servers may connect: ADDRESS or ADDRESS/BITS, such as 10.1.0.0/16 (default: "
              "any)");
DEFINE_int32(max_connections, 2048, "connections of region servers at a time: one for each server and address");
DEFINE_string(
    drop, "",
    "tables that this --znode captured until now and that are no longer wanted: their edits are lost to their "
    "streams from now on");
DEFINE_string(announce, "",
              "host by which region servers reach this machine (default: the address of --listen, or the machine's "
              "name)");
DEFINE_string(topic, "{table}", "the topic of a table; ':' in its name becomes '.'");
DEFINE_string(mapping, "", "mapping files whose index and state tables must not be captured");
DEFINE_bool(plan, false, "print what is to be done in HBase, and end");
DEFINE_string(heartbeat_table, "",
              "a table of the source that gets a row in each region now and then, so that idle region servers do not "
              "fall asleep; needs --store");
DEFINE_int32(heartbeat_s, 1, "time between heartbeats");
DEFINE_int32(message_kb, 1000,
             "largest message, in kilobytes; larger mutations travel in parts. Not above the topics' "
             "max.message.bytes");
DEFINE_int32(frame_mb, 256, "largest call of a region server that is taken");
DEFINE_int32(calls_mb, 512, "memory for calls of region servers that are in hand");
DEFINE_string(
    from, "",
    "where to start: of a stream earliest, latest, an offset, or a time such as 2026-01-31T12:00:00Z; of an index "
    "a number or a time");
DEFINE_string(to, "", "where to stop, itself not included: a number or a time such as 2016-12-20");
DEFINE_string(event, "", "one event as JSON, instead of standard input");
DEFINE_bool(print_scan, false, "only show what would be read, as commands of the HBase shell");
DEFINE_bool(online, false, "also compare with the tables of --store and the topics of --kafka");
DEFINE_int32(sample, 100, "rows to look at, spread over the regions of the table");
DEFINE_string(output, "", "write to this file instead of standard output; one that exists is left as it is");
DEFINE_bool(overwrite, false, "let --output replace a file that exists");

namespace fensi::cli {
namespace {

std::vector<FlagRule> MakeRules() {
  std::vector<FlagRule> rules;
  const auto value = [&](const char* name, const char* placeholder, auto fault) {
    rules.push_back({name, placeholder, false, false, fault});
  };
  const auto list = [&](const char* name, const char* placeholder, auto fault) {
    rules.push_back({name, placeholder, false, true, fault});
  };
  value("source", "URL", FaultOfSourceUrl);
  value("store", "URL", FaultOfStoreUrl);
  value("kafka", "HOST:PORT", FaultOfBrokers);
  value("dead_letters", "WHERE", FaultOfDeadLetters);
  value("from", "WHERE", FaultOfGivenText);
  value("to", "WHERE", FaultOfGivenText);
  value("event", "JSON", FaultOfEvent);
  value("prefix", "TEXT", FaultOfEscapedText);
  value("row", "TEXT", FaultOfGivenText);
  value("kafka_format", "NAME", FaultOfFormat);
  list("index", "NAME", FaultOfNames);
  list("kafka_property", "KEY=VALUE", FaultOfProperties);
  list("fault", "CALL:N=ACTION", FaultOfFaultPlan);
  value("zookeeper", "HOST:PORT", FaultOfBrokers);
  value("znode", "PATH", FaultOfZnode);
  value("hbase_znode", "PATH", FaultOfZnode);
  value("peer", "NAME", FaultOfPeer);
  value("announce", "HOST", FaultOfHost);
  value("topic", "NAME", FaultOfTopic);
  value("heartbeat_table", "TABLE", FaultOfTable);
  list("listen", "ADDRESS:PORT", FaultOfListeners);
  list("mapping", "FILE", FaultOfNames);
  list("allow_from", "NETWORK", FaultOfNetworks);
  list("drop", "TABLE", FaultOfTables);
  value("max_connections", "N", WholeNumber(1, 100'000));
  value("heartbeat_s", "N", WholeNumber(1, 3600));
  value("message_kb", "N", WholeNumber(64, 99'000));  // a client takes answers of up to 100 MB
  value("frame_mb", "N", WholeNumber(1, 1024));
  value("calls_mb", "N", WholeNumber(1, 16384));
  value("workers", "N", WholeNumber(1, 64));
  value("connections", "N", WholeNumber(1, 64));
  value("max_queued_mb", "N", WholeNumber(1, 16384));
  value("state_cache_mb", "N", WholeNumber(1, 16384));
  value("kafka_session_timeout_ms", "N", WholeNumber(6000, 1800000));
  value("connect_timeout_s", "N", WholeNumber(1, 3600));
  value("sample", "N", WholeNumber(1, 10'000));
  value("output", "FILE", FaultOfPath);
  value("partitions", "N", WholeNumber(1, 10000));
  value("replication", "N", WholeNumber(1, 100));
  value("max_rows", "N", WholeNumber(0, INT64_MAX));
  value("max_events", "N", WholeNumber(0, INT64_MAX));
  for (const char* name :
       {"until_end", "execute", "json", "raw", "plan", "unlock_faults", "print_scan", "online", "overwrite"})
    rules.push_back({name, "", true, false, FaultOfSwitch});
  return rules;
}

gflags::CommandLineFlagInfo InfoOf(const std::string& name) {
  gflags::CommandLineFlagInfo info;
  gflags::GetCommandLineFlagInfo(name.c_str(), &info);
  return info;
}

}  // namespace

const FlagRule* FindFlagRule(const std::string& name) {
  static const std::vector<FlagRule> rules = MakeRules();
  for (const FlagRule& rule : rules) {
    if (rule.name == name) return &rule;
  }
  return nullptr;
}

std::string FaultOfValue(const FlagRule& rule, const std::string& value) { return rule.fault(value); }

std::string FlagDescription(const std::string& name) { return InfoOf(name).description; }

std::string FlagDefault(const std::string& name) { return InfoOf(name).default_value; }

bool FlagIsGiven(const std::string& name) { return !InfoOf(name).is_default; }

std::vector<std::string> SplitList(const std::string& list) {
  std::vector<std::string> parts;
  size_t at = 0;
  while (at <= list.size()) {
    const size_t comma = std::min(list.find(',', at), list.size());
    if (comma > at) parts.push_back(list.substr(at, comma - at));
    at = comma + 1;
  }
  return parts;
}

std::map<std::string, std::string> KafkaProperties() {
  std::map<std::string, std::string> properties;
  for (const std::string& pair : SplitList(FLAGS_kafka_property)) {
    const size_t equals = pair.find('=');
    properties[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  return properties;
}

}  // namespace fensi::cli
