#include "cli/flags/flags.h"

#include <gflags/gflags.h>

#include <set>

#include "cli/flags/secrets.h"
#include "cli/flags/value_rules.h"
#include "mapping/environment.h"

DEFINE_string(
    source, "",
    "where the changes come from: kafka://HOST:PORT[,HOST:PORT], file:PATH[,PATH] (JSON lines or --csv_row; a "
    "PATH may be a pattern such as 'days/*.gz') or file:- (standard input)");
DEFINE_string(
    store, "",
    "where the tables are: embedded:DIR (a local store), or a Thrift2 gateway: hbase://HOST:PORT, hbases://HOST:PORT "
    "(by TLS, for a proxy before it) or hbase+https://HOST:PORT/ (one in HTTP mode with TLS)");
DEFINE_string(
    store_kerberos_service, "",
    "the gateway wants Kerberos, and this is the first part of its principal SERVICE/HOST, mostly hbase; HOST is "
    "that of --store");
DEFINE_string(
    store_qop, "auth-conf",
    "how Kerberos protects what is sent, as the gateway's hbase.thrift.security.qop: auth (not at all), auth-int "
    "(unchanged) or auth-conf (encrypted)");
DEFINE_string(store_tls_ca_file, "",
              "issuers, in PEM, of the certificate that the gateway, or the proxy before it, must have (default: those "
              "that this machine trusts). Looked at for each connection, like the next two");
DEFINE_string(store_tls_cert_file, "",
              "our certificate and its issuers, in PEM, for a gateway, or a proxy before it, that demands one");
DEFINE_string(store_tls_key_file, "",
              "key of --store_tls_cert_file, in PEM without a pass phrase, in a file of your own (mode 0600)");
DEFINE_string(
    kerberos_keytab, "",
    "a keytab of your own (mode 0600): with its key tickets for Kafka and the store are asked for, and asked for "
    "again before they end (default: what the environment says, as after kinit)");
DEFINE_string(kerberos_principal, "", "whose key of --kerberos_keytab (default: the first)");
DEFINE_string(index, "", "only these indexes of the mapping files");
DEFINE_int32(workers, 4, "threads at work; a partition, or a region server's call, is in the hands of one at a time");
DEFINE_int32(connections, 4, "connections to the store per index");
DEFINE_int32(
    memory_mb, 0,
    "memory for all indexes of the run together, half for queues and half for states, in place of the next two "
    "flags. The process takes some 60 MB more, and twice the largest batch of each index. 0: as these say");
DEFINE_int32(max_queued_mb, 64, "memory for messages that were fetched and not yet applied, per index");
DEFINE_int32(state_cache_mb, 64, "memory for states of rows that were written lately, per index");
DEFINE_bool(until_end, false, "stop at the end of the stream as it was found at the start");
DEFINE_bool(follow, false,
            "at the end of the file wait for what is written to it, also after it was rotated or emptied");
DEFINE_string(
    csv_row, "",
    "the files are CSV, and the column of this name has the row keys; a field that is not empty, or \"\", is a "
    "put to its column FAMILY:QUALIFIER");
DEFINE_string(
    csv_time, "",
    "the column of CSV with the timestamps of the rows, in milliseconds since 1970 (default: when the file was "
    "written last)");
DEFINE_string(csv_family, "", "the family of columns of CSV whose names have none");
DEFINE_string(kafka, "", "brokers to ask first: HOST:PORT[,HOST:PORT]");
DEFINE_string(
    kafka_property, "",
    "any setting of librdkafka; several are separated by commas, and a comma inside a value is written \\,. A "
    "secret stands elsewhere: KEY=@/PATH or KEY=@credential:NAME (of systemd)");
DEFINE_string(
    kafka_property_file, "",
    "a file of librdkafka's settings: KEY=VALUE lines, commas as they are, '#' begins a comment. The place "
    "for passwords; one that holds any may be read by its owner alone (chmod 600), or be lent by another user to "
    "our group (640)");
DEFINE_string(kafka_format, "event",
              "what the topic holds: event (fensi's own) or hbase_kafka_proxy (Avro records of the "
              "Apache HBase Kafka proxy, consumed by one worker)");
DEFINE_int32(kafka_session_timeout_ms, 45000, "silence after which the group gives a member's partitions to others");
DEFINE_string(instance, "",
              "a name that this daemon keeps when it is started again, and that no other one has: within "
              "--kafka_session_timeout_ms it gets its partitions back, and nothing moves. The price: those of a daemon "
              "that has gone for good wait for that long");
DEFINE_int32(connect_timeout_s, 10, "how long to try to reach a server before giving up with exit code 69");
DEFINE_string(
    dead_letters, "",
    "where events go that cannot be applied: file:PATH, or kafka for the dead-letter topic of "
    "each index (default: kafka for a Kafka source, else fensi.dead.jsonl, beside an embedded store or here)");
DEFINE_string(
    admin, "",
    "where metrics, status and health are served by HTTP: ADDRESS:PORT, unix:PATH, or none (default: "
    "127.0.0.1 and the first free port from 16180 of a run, 16181 of a capture; none for what ends by itself)");
DEFINE_string(admin_host, "",
              "names by which that server may be asked for, beside its address, localhost and the machine's name");
DEFINE_bool(admin_control, false,
            "who may ask the admin server may also pause and resume indexes and have mapping files read again (POST "
            "/indexes/NAME/pause, …/resume, /-/reload); on loopback or unix:PATH, elsewhere only with a token and TLS");
DEFINE_string(admin_token_file, "",
              "a file of your own (mode 0600) with one line, a token: whoever asks sends it as 'Authorization: Bearer "
              "TOKEN', but for /-/healthy, /-/ready and the status page, which asks the person for it");
DEFINE_string(admin_tls_cert_file, "",
              "certificate of the admin server and its issuers, in PEM: it is asked by https:// only. Looked at again "
              "every 10 s, "
              "like the next one");
DEFINE_string(admin_tls_key_file, "",
              "key of --admin_tls_cert_file, in PEM without a pass phrase, in a file of your own (mode 0600)");
DEFINE_string(daemon_ca_file, "",
              "issuers, in PEM, of the certificates of the daemons: they are asked in TLS, and must have one for their "
              "address");
DEFINE_int32(
    metrics_partitions, 2000,
    "partitions of an index that have metrics of their own, and stand in its status: those of the lowest numbers");
DEFINE_string(daemon, "",
              "daemons to ask: ADDRESS:PORT or unix:PATH as their --admin says, several separated by commas (default: "
              "who listens on 127.0.0.1, ports 16180 to 16199)");
DEFINE_int32(max_lag_s, 0, "seconds that an event may wait before its index counts as late; 0: none does");
DEFINE_int32(partitions, 4, "partitions of a topic that is created");
DEFINE_int32(replication, 1, "replicas of a topic that is created");
DEFINE_bool(execute, false, "do it; without this flag only the plan is shown");
DEFINE_bool(json, false, "one JSON object a line, for programs");
DEFINE_string(color, "auto",
              "colours in messages about mapping files and in results of tests: auto (on a terminal, unless the "
              "environment has NO_COLOR), always or never");
DEFINE_bool(each, false, "each file by itself: of alternatives, of which a run takes one");
DEFINE_string(
    format, "",
    "how it is shown: table (aligned, with a heading), tsv (tabs between), json (one array), jsonl (an object a line) "
    "or shell (lines for the HBase shell that make the same); without it a table on a terminal, and tsv in a pipe");
DEFINE_bool(count, false, "only say how many rows there are");
DEFINE_int64(max_cells, 0, "show at most so many cells of a row, and say how many were left out; 0: all");
DEFINE_bool(bytes, false, "show all bytes above ASCII as \\xNN, text too");
DEFINE_bool(source_rows, false, "read the source row of each entry, too, and mark entries whose row does not say so");
DEFINE_bool(watch, false, "again and again; 'fensi lookup' prints what came and what went since");
DEFINE_bool(wait, false, "return when every daemon that was asked and has the index rests");
DEFINE_int32(interval_s, 2, "how long --watch waits in between");
DEFINE_bool(no_pager, false, "on a terminal, too, print without $PAGER or less");
DEFINE_bool(raw, false, "also delete markers and hidden versions");
DEFINE_string(prefix, "", "only rows that begin with this (\\xNN for bytes)");
DEFINE_string(row, "", "the source row to look at (\\xNN for bytes)");
DEFINE_int64(max_rows, 0, "stop after so many rows; 0: all");
DEFINE_int64(max_events, 0, "stop after so many events; 0: do not stop");
DEFINE_int64(last, 0, "begin so many messages before the end of each partition; 0: as --from says");
DEFINE_int32(partition, 0, "only the messages of this partition (default: of all)");
DEFINE_string(fault, "", "a fault to meet: CALL:N=ACTION (see cli/run/faults/fault_plan.h); for tests of fensi");
DEFINE_bool(unlock_faults, false, "allow --fault, which breaks the program on purpose");
DEFINE_string(zookeeper, "", "ZooKeeper servers of the source HBase: HOST:PORT[,HOST:PORT]");
DEFINE_string(
    zookeeper_auth_file, "",
    "a file of your own (mode 0600) with USER:PASSWORD: the capture's znodes belong to this user of ZooKeeper "
    "(scheme digest), and others may only read what HBase has to (default: anybody may write them)");
DEFINE_string(znode, "/fensi", "where the capture stands in ZooKeeper; one for each replication peer");
DEFINE_string(hbase_znode, "/hbase", "where the source HBase stands in ZooKeeper");
DEFINE_string(peer, "fensi", "name of the replication peer, for --plan");
DEFINE_string(
    listen, "127.0.0.1:0",
    "addresses on which region servers are awaited: ADDRESS:PORT, several for so many calls at a time. Region servers "
    "on other machines need one that they reach. Port 0 is any free one; with a fixed one a capture that was killed "
    "has its place again at once");
DEFINE_string(allow_from, "",
              "networks from which region servers may connect: ADDRESS or ADDRESS/BITS, such as 10.1.0.0/16 (default: "
              "any)");
DEFINE_int32(
    max_connections, 2048,
    "connections of region servers at a time: one for each server and address. By TLS each takes about 100 kB");
DEFINE_string(
    drop, "",
    "tables that this --znode captured until now and that are no longer wanted: their edits are lost to their "
    "streams from now on");
DEFINE_string(
    may_be_large, "",
    "columns that no index watches: TABLE/FAMILY:QUALIFIER, or TABLE/FAMILY for a whole family. A cell of them "
    "above --message_kb is a warning and a dead letter, and no alarm");
DEFINE_string(announce, "",
              "host by which region servers reach this machine (default: the address of --listen, or the machine's "
              "name)");
DEFINE_string(
    tls_cert_file, "",
    "certificate of this machine and its issuers, in PEM, for the host of --announce: region servers come by TLS "
    "only. Looked at again every 10 s, like the next two");
DEFINE_string(tls_key_file, "",
              "key of --tls_cert_file, in PEM without a pass phrase, in a file of your own (mode 0600)");
DEFINE_string(tls_ca_file, "",
              "issuers, in PEM, of the certificates that region servers must have (default: they need none)");
DEFINE_string(
    rpc_keytab, "",
    "a keytab of your own (mode 0600) with the key of --rpc_principal: region servers must come with Kerberos");
DEFINE_string(rpc_principal, "", "the principal NAME/HOST@REALM for which region servers ask their KDC for a ticket");
DEFINE_string(
    rpc_qop, "auth-conf",
    "the least protection of what region servers send with Kerberos: auth (none), auth-int (unchanged) or auth-conf "
    "(encrypted)");
DEFINE_string(
    allow_principal, "",
    "principals that may send edits: NAME/HOST@REALM, or NAME/*@REALM for every host (default: hbase/*@REALM, with "
    "the realm of --rpc_principal)");
DEFINE_string(
    topic, "{table}",
    "the topic of a table: ':' becomes '.', and a name with '.' of the namespace default begins with default.");
DEFINE_string(mapping, "", "mapping files whose index and state tables must not be captured");
DEFINE_bool(plan, false, "print what is to be done in HBase, and end");
DEFINE_string(heartbeat_table, "",
              "a table of the source that gets a row in each region now and then, so that idle region servers do not "
              "fall asleep; needs --store");
DEFINE_int32(heartbeat_s, 1, "time between heartbeats");
DEFINE_int32(clock_skew_ms, 1000, "by how much clocks of machines may differ");
DEFINE_string(until, "",
              "the time up to which the index must be complete: now, 2016-12-20T12:00:00, or milliseconds; "
              "of parked: only letters from before it");
DEFINE_int32(timeout_s, 60, "how long to wait for it");
DEFINE_string(since, "", "only letters from this time on: 2016-12-20T12:00:00, or milliseconds");
DEFINE_string(kind, "",
              "only letters of these kinds: undecodable, unmappable, rejected, unanswerable, outside_keep, or unknown "
              "(of a fensi that did not say)");
DEFINE_string(state, "", "only letters in this state: open, replayed, dropped or all");
DEFINE_string(reason, "", "why, for who finds it so");
DEFINE_int64(max, 0, "at most so many letters; 0: all");
DEFINE_bool(letters, false, "each letter in a line, those that are open unless --state says otherwise");
DEFINE_bool(rows, false, "also row keys and reasons, which may quote values");
DEFINE_bool(all, false, "every letter that is open");
DEFINE_bool(force, false, "also letters that came back three times");
DEFINE_int32(mark_ms, 1000,
             "time between marks, which tell readers up to when the streams are complete; 0: none. Region servers need "
             "replication markers for it (--plan)");
DEFINE_int32(message_kb, 1000,
             "largest message, in kilobytes; larger mutations travel in parts. Not above the topics' "
             "max.message.bytes");
DEFINE_int32(frame_mb, 256, "largest call of a region server that is taken");
DEFINE_int32(calls_mb, 512, "memory for calls of region servers that are in hand");
DEFINE_string(from, "",
              "where to start: of a stream earliest, latest, an offset, or a time such as 2026-01-31T12:00:00Z, "
              "2026-01-31T20:00+08:00, now or -1d; of an index a number or a time");
DEFINE_string(
    to, "",
    "where to stop, itself not included: a number or a time such as 2016-12-20; of switch: the index that is to be "
    "read");
DEFINE_string(event, "", "one event as JSON, instead of standard input");
DEFINE_bool(print_scan, false, "only show what would be read, as commands of the HBase shell");
DEFINE_bool(online, false, "also compare with the tables of --store and the topics of --kafka");
DEFINE_int32(sample, 100,
             "rows to look at, spread over the regions of the table; of verify: so many random ranges of 1,000 rows of "
             "each table, and without it all rows");
DEFINE_string(output, "", "write to this file instead of standard output; one that exists is left as it is");
DEFINE_bool(overwrite, false, "replace the file of --output, or of --report, if it exists");
DEFINE_string(direction, "both",
              "both, forward (from the source to the index: missing and different entries) or reverse (orphans)");
DEFINE_string(method, "lookup",
              "lookup: each row looks up its other side; digest: both sides are read once and summed, and only what "
              "does not come out even is looked up, which is quicker where little is written meanwhile");
DEFINE_string(start_row, "", "rows from this one on; of verify and backfill, rows of the source (\\xNN for bytes)");
DEFINE_string(stop_row, "", "rows up to this one, itself not included (\\xNN for bytes)");
DEFINE_string(as_of, "",
              "leave out what is younger than this time, in the source or in the index: mark (the index's mark at the "
              "start) or a time");
DEFINE_bool(job, false, "share the comparison with all other processes that run the same line");
DEFINE_int32(
    recheck_s, 5,
    "how long an index may take to follow its source, besides its marks: a suspect is looked at again after it");
DEFINE_int64(max_suspects, 100000, "suspects that are judged at a time; when they are more, the scan waits");
DEFINE_int64(rows_per_second, 0,
             "rows to read in a second; of repair: to ask for (default: 1000); 0: as many as it can");
DEFINE_string(from_report, "",
              "a report of 'fensi verify': what it found is repaired; of switch: that it found nothing is the proof");
DEFINE_bool(back, false, "back to the index that was read before");
DEFINE_bool(remove, false, "let the alias name no index any more");
DEFINE_bool(expired, false, "drop only the tables of periods that ended longer ago than 'keep:'; the index stays");
DEFINE_bool(unverified, false, "switch without a report that found nothing and without a mark that is young");
DEFINE_bool(partial_report, false, "take a report that is not whole: what it has is repaired");
DEFINE_bool(direct, false, "verify first, and repair what that finds");
DEFINE_int32(wait_s, 600, "how long to wait for the daemons; 0: ask, and neither wait nor judge");
DEFINE_int32(begin_wait_s, 30,
             "how long to wait until 'fensi run' has begun the index, and as long again for its first watermark; 0: "
             "refuse at once");
DEFINE_int64(scrub_rows_per_second, 0,
             "compare the index with its source all the time, at most so many rows in a second; 0: do not");
DEFINE_bool(scrub_repair, false, "also have the owners of rows in which the scrub finds differences make them right");
DEFINE_bool(drop_expired, false,
            "drop tables of periods that ended longer ago than 'keep:', as 'fensi drop --expired' does, each hour");
DEFINE_string(meta_table, fensi::mapping::kDefaultMetaTable,
              "the table in which all indexes of the store say how far they are");
DEFINE_int64(bytes_per_second, 0, "bytes to read in a second; 0: as many as it can");
DEFINE_int64(ahead_rows, 500000, "the scan waits while more rows than this are read and not applied");
DEFINE_bool(unproven, false, "begin although nothing shows that changes reach the index");
DEFINE_bool(again, false, "begin anew what is done or cancelled");
DEFINE_bool(pause, false, "let all machines wait until --resume");
DEFINE_bool(resume, false, "let all machines go on, at the pace that is given now, if any");
DEFINE_bool(cancel, false, "let all machines end before all is done");
DEFINE_bool(print_flags, false,
            "print all flags with their values and where each comes from, in the form of a flag file and without "
            "secrets, and end");
DEFINE_string(log_format, "text", "how lines of the log are written: text, or json (one object a line)");
DEFINE_string(log_level, "info", "the least that is written to the log: debug, info, warning or error");
DEFINE_int32(
    log_window_s, 10,
    "what is logged again of an index within this time is counted, and told once at its end; 0: nothing is held");
DEFINE_bool(log_rows, false, "row keys, values and texts of mappings may be in the log, too");
DEFINE_string(report, "", "write one JSON object a line to this file; one that exists is left as it is");

namespace fensi::cli {
namespace {

using Fault = std::function<std::string(const std::string&)>;

FlagRule Value(const char* name, const char* placeholder, Fault fault) {
  return {.name = name, .placeholder = placeholder, .fault = std::move(fault)};
}

FlagRule List(const char* name, const char* placeholder, Fault fault) {
  return {.name = name, .placeholder = placeholder, .is_list = true, .fault = std::move(fault)};
}

FlagRule Number(const char* name, int64_t least, int64_t most) { return Value(name, "N", WholeNumber(least, most)); }

FlagRule Switch(const char* name) { return {.name = name, .is_switch = true, .fault = FaultOfSwitch}; }
FlagRule Deed(const char* name) {
  return {.name = name, .is_switch = true, .must_be_typed = true, .fault = FaultOfSwitch};
}

FlagRule Hiding(FlagRule rule) {
  rule.may_hold_secrets = true;
  return rule;
}

FlagRule Place(FlagRule rule) {
  rule.is_place = true;
  return rule;
}

FlagRule FlagFile() {
  FlagRule rule = List("flagfile", "FILE", FaultOfNames);
  rule.description =
      "a file of flags: lines --FLAG=VALUE or --SWITCH, '#' begins a comment, a line --flagfile=FILE reads another. "
      "The command line goes before the environment (FENSI_ and the flag's name in capitals), and that before files: "
      "'fensi help configuration'";
  return rule;
}

std::vector<FlagRule> PlaceRules() {
  return {Place(Value("source", "URL", FaultOfSourceUrl)),
          Place(Value("store", "URL", FaultOfStoreUrl)),
          Value("store_kerberos_service", "NAME", FaultOfService),
          Value("store_qop", "WAY", FaultOfQop),
          Value("store_tls_ca_file", "FILE", FaultOfPath),
          Value("store_tls_cert_file", "FILE", FaultOfPath),
          Value("store_tls_key_file", "FILE", FaultOfPath),
          Value("kerberos_keytab", "FILE", FaultOfPath),
          Value("kerberos_principal", "NAME", FaultOfPrincipal),
          Value("meta_table", "TABLE", FaultOfTable),
          Place(Value("kafka", "HOST:PORT", FaultOfKafka)),
          Value("kafka_format", "NAME", FaultOfFormat),
          Hiding(List("kafka_property", "KEY=VALUE", FaultOfProperties)),
          Value("kafka_property_file", "FILE", FaultOfPath),
          Value("dead_letters", "WHERE", FaultOfDeadLetters),
          List("mapping", "FILE", FaultOfNames),
          FlagFile(),
          Value("output", "FILE", FaultOfPath),
          Value("report", "FILE", FaultOfPath),
          Value("from_report", "FILE", FaultOfPath),
          Value("instance", "NAME", FaultOfInstance),
          Number("kafka_session_timeout_ms", 6000, 1'800'000),
          Number("connect_timeout_s", 1, 3600),
          Place(Value("admin", "WHERE", FaultOfAdmin)),
          Place(List("daemon", "WHERE", FaultOfDaemons)),
          List("admin_host", "NAME", FaultOfHosts),
          Value("admin_token_file", "FILE", FaultOfPath),
          Value("admin_tls_cert_file", "FILE", FaultOfPath),
          Value("admin_tls_key_file", "FILE", FaultOfPath),
          Value("daemon_ca_file", "FILE", FaultOfPath),
          Number("connections", 1, 64)};
}

std::vector<FlagRule> ChoiceRules() {
  return {List("index", "NAME", FaultOfNames),
          Value("from", "WHERE", FaultOfGivenText),
          Value("to", "WHERE", FaultOfGivenText),
          Value("event", "JSON", FaultOfEvent),
          Value("prefix", "TEXT", FaultOfEscapedText),
          Value("row", "TEXT", FaultOfGivenText),
          Value("csv_row", "COLUMN", FaultOfGivenText),
          Value("csv_time", "COLUMN", FaultOfGivenText),
          Value("csv_family", "FAMILY", FaultOfGivenText),
          Value("start_row", "TEXT", FaultOfGivenText),
          Value("stop_row", "TEXT", FaultOfGivenText),
          Value("direction", "WAY", FaultOfDirection),
          Value("method", "HOW", FaultOfMethod),
          Value("color", "WHEN", FaultOfColor),
          Value("format", "FORM", FaultOfCellForm),
          Value("as_of", "mark|TIME", FaultOfGivenText),
          Number("recheck_s", 0, 86'400),
          Number("wait_s", 0, 86'400),
          Number("begin_wait_s", 0, 86'400),
          Number("max_suspects", 1, 10'000'000),
          Number("rows_per_second", 0, 1'000'000'000),
          Number("scrub_rows_per_second", 0, 1'000'000'000),
          Number("bytes_per_second", 0, 1'000'000'000'000),
          Number("ahead_rows", 1, 1'000'000'000'000),
          Number("max_rows", 0, INT64_MAX),
          Number("max_cells", 0, INT64_MAX),
          Number("max_events", 0, INT64_MAX),
          Number("last", 0, INT64_MAX),
          Number("partition", 0, INT32_MAX),
          Number("sample", 1, 10'000),
          Number("interval_s", 1, 3600),
          Number("partitions", 1, 10'000),
          Number("replication", 1, 100)};
}

std::vector<FlagRule> RunRules() {
  return {Number("workers", 1, 64),
          Number("memory_mb", 0, 1'048'576),
          Number("max_queued_mb", 1, 16'384),
          Number("state_cache_mb", 1, 16'384),
          Number("metrics_partitions", 0, 100'000),
          List("fault", "CALL:N=ACTION", FaultOfFaultPlan),
          Value("log_format", "FORM", FaultOfLogFormat),
          Value("log_level", "LEVEL", FaultOfLogLevel),
          Number("log_window_s", 0, 3600)};
}

std::vector<FlagRule> CaptureRules() {
  return {Place(Value("zookeeper", "HOST:PORT", FaultOfBrokers)),
          Value("zookeeper_auth_file", "FILE", FaultOfPath),
          Value("znode", "PATH", FaultOfZnode),
          Value("hbase_znode", "PATH", FaultOfZnode),
          Value("peer", "NAME", FaultOfPeer),
          Place(Value("announce", "HOST", FaultOfHost)),
          Value("tls_cert_file", "FILE", FaultOfPath),
          Value("tls_key_file", "FILE", FaultOfPath),
          Value("tls_ca_file", "FILE", FaultOfPath),
          Value("rpc_keytab", "FILE", FaultOfPath),
          Value("rpc_principal", "NAME", FaultOfServicePrincipal),
          Value("rpc_qop", "WAY", FaultOfQop),
          List("allow_principal", "NAME", FaultOfPrincipals),
          Value("topic", "NAME", FaultOfTopic),
          Value("heartbeat_table", "TABLE", FaultOfTable),
          Place(List("listen", "ADDRESS:PORT", FaultOfListeners)),
          List("allow_from", "NETWORK", FaultOfNetworks),
          List("drop", "TABLE", FaultOfTables),
          List("may_be_large", "COLUMN", FaultOfLargeColumns),
          Number("max_connections", 1, 100'000),
          Number("heartbeat_s", 1, 3600),
          Number("mark_ms", 0, 60000),
          Number("clock_skew_ms", 0, 3600000),
          Value("until", "now|TIME", FaultOfGivenText),
          Value("since", "TIME", FaultOfGivenText),
          List("kind", "KIND", FaultOfKinds),
          Value("state", "STATE", FaultOfLetterState),
          Value("reason", "TEXT", FaultOfReason),
          Number("max", 0, INT64_MAX),
          Number("timeout_s", 0, 86400),
          Number("max_lag_s", 0, 86400),
          Number("message_kb", 64, 99'000),  // a client takes answers of up to 100 MB
          Number("frame_mb", 1, 1024),
          Number("calls_mb", 1, 16'384)};
}

std::vector<FlagRule> SwitchRules() {
  return {Switch("until_end"),   Deed("execute"),         Switch("json"),          Switch("bytes"),
          Switch("raw"),         Switch("plan"),          Switch("unlock_faults"), Switch("print_scan"),
          Switch("online"),      Switch("overwrite"),     Deed("unproven"),        Switch("again"),
          Switch("pause"),       Switch("resume"),        Switch("cancel"),        Switch("partial_report"),
          Switch("direct"),      Switch("back"),          Deed("unverified"),      Switch("scrub_repair"),
          Switch("letters"),     Switch("rows"),          Switch("all"),           Switch("count"),
          Deed("force"),         Switch("admin_control"), Switch("job"),           Switch("remove"),
          Switch("print_flags"), Switch("log_rows"),      Switch("follow"),        Switch("source_rows"),
          Switch("watch"),       Switch("wait"),          Switch("no_pager"),      Switch("each"),
          Switch("expired"),     Switch("drop_expired")};
}

std::vector<FlagRule> MakeRules() {
  std::vector<FlagRule> rules;
  for (const auto& group : {PlaceRules(), ChoiceRules(), RunRules(), CaptureRules(), SwitchRules()}) {
    rules.insert(rules.end(), group.begin(), group.end());
  }
  return rules;
}

gflags::CommandLineFlagInfo InfoOf(const std::string& name) {
  gflags::CommandLineFlagInfo info;
  gflags::GetCommandLineFlagInfo(name.c_str(), &info);
  return info;
}

std::set<std::string>& TypedFlags() {
  static std::set<std::string> names;
  return names;
}

}  // namespace

const FlagRule* FindFlagRule(const std::string& name) {
  static const std::vector<FlagRule> rules = MakeRules();
  for (const FlagRule& rule : rules) {
    if (rule.name == name) return &rule;
  }
  return nullptr;
}

std::string FaultOfValue(const FlagRule& rule, const std::string& value) {
  if (rule.is_place && NamesUser(value)) {
    return "a user stands in front of a host; who we are is said by flags of its own ('fensi help configuration'), and "
           "what was written is not shown, since a password may be in it";
  }
  return rule.fault(value);
}

std::string FlagDescription(const std::string& name) {
  const FlagRule* rule = FindFlagRule(name);
  return rule == nullptr || rule->description.empty() ? InfoOf(name).description : rule->description;
}

std::string FlagDefault(const std::string& name) { return InfoOf(name).default_value; }

std::string FlagValue(const std::string& name) { return InfoOf(name).current_value; }

bool FlagIsGiven(const std::string& name) { return !InfoOf(name).is_default; }

bool FlagIsTyped(const std::string& name) { return TypedFlags().contains(name); }

void SetFlag(const std::string& name, const std::string& value, bool typed) {
  if (typed) TypedFlags().insert(name);
  if (name == "flagfile") {
    FLAGS_flagfile = value;  // gflags would read the files, by rules of its own
  } else {
    gflags::SetCommandLineOption(name.c_str(), value.c_str());
  }
}

}  // namespace fensi::cli
