// The table of all flags: FLAG(type, name, default, rule, help). gflags' definitions, the rules of values, the help and
// docs/commands.md are made of it. Which command takes a flag, and in which order its help shows them, says the
// command.
//
// A name begins with its area and ends with its unit (kafka_session_timeout_ms). The rules are those of flags.cc and
// value_rules.h. No include guard: each includer defines FLAG for its own purpose.

FLAG(string, source, "", Place(Value("URL", FaultOfSourceUrl)),
     "where the changes come from: kafka://HOST:PORT[,HOST:PORT], file:PATH[,PATH] (JSON lines or --csv_row; a "
     "PATH may be a pattern such as 'days/*.gz') or file:- (standard input)");
FLAG(string, store, "", Place(Value("URL", FaultOfStoreUrl)),
     "where the tables are: HBase, by its ZooKeeper (hbase://HOST:2181,HOST:2181/hbase) or its masters "
     "(hbase://HOST:16000,HOST:16000), or over TLS with hbases://; a Thrift2 gateway: thrift://HOST:PORT, "
     "thrifts://HOST:PORT (over TLS) or "
     "thrift+https://HOST:PORT/ (HTTP mode with TLS); or embedded:DIR, a local store");
FLAG(string, store_kerberos_service, "", Value("NAME", FaultOfServerPrincipal),
     "log in to the store by Kerberos; NAME is the first part of the server's principal, mostly hbase. With hbase:// "
     "also "
     "a whole principal: hbase/_HOST@EXAMPLE.ORG");
FLAG(string, store_kerberos_masters, "", Value("NAME", FaultOfServerPrincipal),
     "principal of HBase's masters, for hbase:// (default: --store_kerberos_service)");
FLAG(bool, store_allow_simple_auth, false, Switch(),
     "with --store_kerberos_service and hbase://, accept servers that have no Kerberos and ask for simple "
     "authentication");
FLAG(string, store_qop, "auth-conf", Value("WAY", FaultOfQop),
     "how Kerberos protects what is sent: auth (not at all), auth-int (against changes) or auth-conf (encrypted). It "
     "must be what the server has: hbase.thrift.security.qop of a gateway, or hbase.rpc.protection of HBase");
FLAG(string, store_tls_ca_file, "", Value("FILE", FaultOfPath),
     "issuers, in PEM, of the store's certificate (default: those that this machine trusts). Read again for each "
     "connection, as are --store_tls_cert_file and --store_tls_key_file");
FLAG(string, store_tls_cert_file, "", Value("FILE", FaultOfPath),
     "our certificate and its issuers, in PEM, for a store that demands one");
FLAG(string, store_tls_key_file, "", Value("FILE", FaultOfPath),
     "key of --store_tls_cert_file, in PEM without a pass phrase, in a file of your own (mode 0600)");
FLAG(string, source_store, "", Place(Value("URL", FaultOfStoreUrl)),
     "where the source tables are, if they are in another cluster than the index, in the forms of --store. All other "
     "tables are in --store");
FLAG(string, source_store_kerberos_service, "", Value("NAME", FaultOfServerPrincipal),
     "the same as --store_kerberos_service for --source_store; none: no Kerberos (default: --store_kerberos_service)");
FLAG(
    string, source_store_kerberos_masters, "", Value("NAME", FaultOfServerPrincipal),
    "as --store_kerberos_masters, for --source_store (default: --source_store_kerberos_service; without that flag too, "
    "the flags of --store count)");
FLAG(string, source_store_qop, "auth-conf", Value("WAY", FaultOfQop),
     "the same as --store_qop for --source_store (default: --store_qop)");
FLAG(string, source_store_tls_ca_file, "", Value("FILE", FaultOfPath),
     "the same as --store_tls_ca_file for --source_store (default: --store_tls_ca_file, if both use TLS)");
FLAG(string, source_store_tls_cert_file, "", Value("FILE", FaultOfPath),
     "the same as --store_tls_cert_file for --source_store (default: that of --store with its key, if both use TLS)");
FLAG(string, source_store_tls_key_file, "", Value("FILE", FaultOfPath), "key of --source_store_tls_cert_file");
FLAG(string, kerberos_keytab, "", Value("FILE", FaultOfPath),
     "a keytab of your own (mode 0600). fensi uses its key to get tickets for Kafka and the store, and renews them "
     "before they end (default: what the environment says, as after kinit)");
FLAG(string, kerberos_principal, "", Value("NAME", FaultOfPrincipal),
     "whose key of --kerberos_keytab (default: the first)");
FLAG(string, index, "", List("NAME", FaultOfNames), "only these indexes of the mapping files");
FLAG(int32, workers, 4, Number(1, 64), "threads at work; each partition uses one thread at a time");
FLAG(int32, connections, 4, Number(1, 64), "connections to the store per index");
FLAG(int32, memory_mb, 0, Number(0, 1'048'576),
     "memory for all indexes of the process: half for queued messages, half for row states. Add 60 MB for the "
     "process, and twice the largest batch for each index. 0: --max_queued_mb and --state_cache_mb apply");
FLAG(int32, max_queued_mb, 64, Number(1, 16'384),
     "memory for messages that were fetched and not yet applied, per index");
FLAG(int32, state_cache_mb, 64, Number(1, 16'384), "memory for states of rows that were written lately, per index");
FLAG(bool, until_end, false, Switch(), "stop at the end of the stream as it was found at the start");
FLAG(bool, follow, false, Switch(),
     "at the end of the file wait for what is written to it, also after it was rotated or emptied");
FLAG(string, csv_row, "", Value("COLUMN", FaultOfGivenText),
     "the files are CSV, and the column of this name has the row keys. Each other field becomes a put to its "
     "column FAMILY:QUALIFIER. An empty field writes nothing, and \"\" writes an empty value");
FLAG(string, csv_time, "", Value("COLUMN", FaultOfGivenText),
     "the column of CSV with the timestamps of the rows, in milliseconds since 1970 (default: when the file was "
     "written last)");
FLAG(string, csv_family, "", Value("FAMILY", FaultOfGivenText), "family of CSV columns whose names have no family");
FLAG(string, kafka, "", Place(Value("HOST:PORT", FaultOfKafka)), "brokers to ask first: HOST:PORT[,HOST:PORT]");
FLAG(string, kafka_property, "", Hiding(List("KEY=VALUE", FaultOfProperties)),
     "any setting of librdkafka; several are separated by commas, and a comma inside a value is written \\,. "
     "Keep secrets out of the command line: KEY=@/PATH takes the value from a file, KEY=@credential:NAME from a "
     "credential of systemd");
FLAG(string, kafka_property_file, "", Value("FILE", FaultOfPath),
     "a file of librdkafka's settings: one KEY=VALUE a line, a comma needs no backslash, '#' begins a comment. "
     "Passwords belong here. A file with a password must be readable by its owner alone (chmod 600), or be owned by "
     "another user with mode 640 and a group that the process is in");
FLAG(string, kafka_format, "event", Value("NAME", FaultOfFormat),
     "what the topic holds: event (fensi's own) or hbase_kafka_proxy (Avro records of the "
     "Apache HBase Kafka proxy, consumed by one worker)");
FLAG(int32, kafka_session_timeout_ms, 45000, Number(6000, 1'800'000),
     "time without a heartbeat after which the group gives a member's partitions to other members");
FLAG(string, instance, "", Value("NAME", FaultOfInstance),
     "a name that this daemon keeps across restarts, and that no other daemon has. A daemon that is back within "
     "--kafka_session_timeout_ms gets its partitions back. If a daemon never comes back, its partitions wait for "
     "that time");
FLAG(int32, connect_timeout_s, 10, Number(1, 3600),
     "how long to try to reach a server before giving up with exit code 69. An attempt that has begun may take as "
     "long again");
FLAG(string, dead_letters, "", Value("WHERE", FaultOfDeadLetters),
     "where fensi puts events that it cannot apply: file:PATH, or kafka for the dead-letter topic of each index "
     "(default: kafka for a Kafka source, otherwise fensi.dead.jsonl, beside an embedded store or here)");
FLAG(string, admin, "", Place(Value("WHERE", FaultOfAdmin)),
     "address of the HTTP server for metrics, status and health: ADDRESS:PORT, unix:PATH, or none (default: "
     "127.0.0.1 and the first free port from 16180 of a run, 16181 of a capture; none for a run that ends by "
     "itself)");
FLAG(string, admin_host, "", List("NAME", FaultOfHosts),
     "further host names that clients of the admin server may use, besides its address, localhost and the "
     "machine's name");
FLAG(bool, admin_control, false, Switch(),
     "let each client of the admin server pause and resume indexes and reload mapping files (POST "
     "/indexes/NAME/pause, …/resume, /-/reload). On an address other than loopback or unix:PATH this requires a "
     "token and TLS");
FLAG(string, admin_token_file, "", Value("FILE", FaultOfPath),
     "a file of your own (mode 0600) with one line, a token. A request must have 'Authorization: Bearer TOKEN'. "
     "/-/healthy and /-/ready need none, and the status page asks its reader for the token");
FLAG(string, admin_tls_cert_file, "", Value("FILE", FaultOfPath),
     "certificate of the admin server and its issuers, in PEM. The server then accepts only https. fensi checks "
     "both files for changes every 10 s");
FLAG(string, admin_tls_key_file, "", Value("FILE", FaultOfPath),
     "key of --admin_tls_cert_file, in PEM without a pass phrase, in a file of your own (mode 0600)");
FLAG(
    string, daemon_ca_file, "", Value("FILE", FaultOfPath),
    "issuers, in PEM, of the daemons' certificates. With it fensi asks the daemons by TLS, and the certificate of each "
    "must be valid for its address");
FLAG(int32, metrics_partitions, 2000, Number(0, 100'000),
     "this many partitions of each index, from partition 0 on, have metrics and status of their own");
FLAG(string, daemon, "", Place(List("WHERE", FaultOfDaemons)),
     "daemons to ask: ADDRESS:PORT or unix:PATH as in their --admin, separated by commas (default: all on "
     "127.0.0.1, ports 16180 to 16199)");
FLAG(int32, max_lag_s, 0, Number(0, 86400),
     "an index is late if an event waits for more than this number of seconds; 0: no index is ever late");
FLAG(int32, partitions, 4, Number(1, 10'000), "partitions of a topic that is created");
FLAG(int32, replication, 1, Number(1, 100), "replicas of a topic that is created");
FLAG(bool, execute, false, Deed(), "do it; without this flag only the plan is shown");
FLAG(bool, json, false, Switch(), "one JSON object a line, for programs");
FLAG(string, color, "auto", Value("WHEN", FaultOfColor),
     "colours in messages about mapping files and in results of tests: auto (on a terminal, unless the "
     "environment has NO_COLOR), always or never");
FLAG(bool, each, false, Switch(), "check each file by itself, for files that are alternatives of each other");
FLAG(string, format, "", Value("FORM", FaultOfCellForm),
     "output format: table (aligned, with a heading), tsv (tabs between), json (one array), jsonl (an object a "
     "line) or shell (lines for the HBase shell that make the same). Default: table on a terminal, tsv in a pipe");
FLAG(string, package, "", Value("NAME", FaultOfPackage),
     "package of the Java file (com.example) or of the Go file (orders), or namespace of the C++ file");
FLAG(bool, count, false, Switch(), "print only the number of rows");
FLAG(int64, max_cells, 0, Number(0, INT64_MAX),
     "largest number of cells shown of each row; the others are counted. 0: all");
FLAG(bool, bytes, false, Switch(), "show every byte above ASCII as \\xNN, also in values that are valid text");
FLAG(bool, source_rows, false, Switch(),
     "also read the source row of each entry, and mark an entry as STALE if its row does not give the entry");
FLAG(string, near, "", Value("LAT,LON", FaultOfPosition), "entries at most --radius from this position, in degrees");
FLAG(string, radius, "", Value("DISTANCE", FaultOfDistance), "distance from --near, such as 500m or 2km");
FLAG(string, box, "", Value("S,W,N,E", FaultOfBox),
     "entries between these latitudes and longitudes, in degrees; W may be greater than E");
FLAG(bool, watch, false, Switch(), "repeat until Ctrl-C");
FLAG(bool, wait, false, Switch(),
     "return when every asked daemon that has the index has stopped its work on the index");
FLAG(int32, interval_s, 2, Number(1, 3600), "time between two rounds of --watch");
FLAG(bool, no_pager, false, Switch(), "print without $PAGER or less, also on a terminal");
FLAG(bool, raw, false, Switch(), "also delete markers and hidden versions");
FLAG(string, prefix, "", Value("TEXT", FaultOfEscapedText), "only rows that begin with this (\\xNN for bytes)");
FLAG(string, row, "", Value("TEXT", FaultOfGivenText), "key of the source row (\\xNN for bytes)");
FLAG(int64, max_rows, 0, Number(0, INT64_MAX), "stop after this number of rows; 0: all");
FLAG(int64, max_events, 0, Number(0, INT64_MAX), "stop after this number of events; 0: do not stop");
FLAG(int64, last, 0, Number(0, INT64_MAX),
     "start this number of messages before the end of each partition; 0: start at --from");
FLAG(int32, partition, 0, Number(0, INT32_MAX), "only the messages of this partition (default: all partitions)");
FLAG(string, fault, "", List("CALL:N=ACTION", FaultOfFaultPlan),
     "inject a fault: CALL:N=ACTION (see daemon/faults/fault_plan.h); for tests of fensi");
FLAG(bool, unlock_faults, false, Switch(), "allow --fault, which breaks the program on purpose");
FLAG(string, zookeeper, "", Place(Value("HOST:PORT", FaultOfBrokers)),
     "ZooKeeper servers of the source HBase: HOST:PORT[,HOST:PORT]");
FLAG(string, zookeeper_auth_file, "", Value("FILE", FaultOfPath),
     "a file of your own (mode 0600) with USER:PASSWORD. The capture's znodes then belong to this user of "
     "ZooKeeper (scheme digest), and other users may only read the znodes that HBase needs (default: every user "
     "may write them)");
FLAG(string, znode, "/fensi", Value("PATH", FaultOfZnode),
     "znode of the capture in ZooKeeper; each replication peer needs its own");
FLAG(string, hbase_znode, "/hbase", Value("PATH", FaultOfZnode), "znode of the source HBase in ZooKeeper");
FLAG(string, peer, "fensi", Value("NAME", FaultOfPeer), "name of the replication peer, for --plan");
FLAG(string, listen, "127.0.0.1:0", Place(List("ADDRESS:PORT", FaultOfListeners)),
     "addresses that region servers connect to: ADDRESS:PORT. With several addresses, a capture takes that many calls "
     "in "
     "parallel. Region "
     "servers on other machines must be able to reach one of them. Port 0 is any free port. With a fixed port, a "
     "capture that was killed has its place again at once");
FLAG(string, allow_from, "", List("NETWORK", FaultOfNetworks),
     "networks from which region servers may connect: ADDRESS or ADDRESS/BITS, such as 10.1.0.0/16 (default: "
     "any)");
FLAG(int32, max_connections, 2048, Number(1, 100'000),
     "connections of region servers at a time: one for each server and address. By TLS each takes about 100 kB");
FLAG(string, stop_capturing, "", List("TABLE", FaultOfTables),
     "tables of this --znode that are no longer captured. From now on their edits are acknowledged and lost to "
     "their streams");
FLAG(string, may_be_large, "", List("COLUMN", FaultOfLargeColumns),
     "columns that no index watches: TABLE/FAMILY:QUALIFIER, or TABLE/FAMILY for a whole family. If one of their "
     "cells is above --message_kb, fensi logs a warning, and not an error, and writes a dead letter");
FLAG(string, announce, "", Place(Value("HOST", FaultOfHost)),
     "host by which region servers reach this machine (default: the address of --listen, or the machine's "
     "name)");
FLAG(string, tls_cert_file, "", Value("FILE", FaultOfPath),
     "PEM file with the certificate of this host and its issuers, valid for the host of --announce. Region servers "
     "must then use TLS. fensi looks for changes of the file every 10 s");
FLAG(string, tls_key_file, "", Value("FILE", FaultOfPath),
     "key of --tls_cert_file, in PEM without a pass phrase, in a file of your own (mode 0600)");
FLAG(string, tls_ca_file, "", Value("FILE", FaultOfPath),
     "issuers, in PEM, of the certificates that region servers must have (default: they need none)");
FLAG(string, rpc_keytab, "", Value("FILE", FaultOfPath),
     "a keytab of your own (mode 0600) with the key of --rpc_principal: region servers must come with Kerberos");
FLAG(string, rpc_principal, "", Value("NAME", FaultOfServicePrincipal),
     "the principal NAME/HOST@REALM for which region servers ask their KDC for a ticket");
FLAG(string, rpc_qop, "auth-conf", Value("WAY", FaultOfQop),
     "the least protection of what region servers send with Kerberos: auth (none), auth-int (unchanged) or auth-conf "
     "(encrypted)");
FLAG(string, allow_principal, "", List("NAME", FaultOfPrincipals),
     "principals that may send edits: NAME/HOST@REALM, or NAME/*@REALM for every host (default: hbase/*@REALM, with "
     "the realm of --rpc_principal)");
FLAG(string, topic, "{table}", Value("NAME", FaultOfTopic),
     "the topic of a table. {table} is its name with '.' for ':', so the topic of shop:orders is shop.orders. A table "
     "a.b of the namespace default has the topic default.a.b");
FLAG(string, mapping, "", List("FILE", FaultOfNames),
     "mapping files whose index and state tables must not be captured");
FLAG(bool, plan, false, Switch(), "print what is to be done in HBase, and end");
FLAG(string, heartbeat_table, "", Value("TABLE", FaultOfTable),
     "a table of the source HBase. The capture writes a row to each of its regions at intervals, so that idle "
     "region servers keep sending; requires --store");
FLAG(int32, heartbeat_s, 1, Number(1, 3600), "time between heartbeats");
FLAG(int32, clock_skew_ms, 1000, Number(0, 3600000), "largest difference between the clocks of the machines");
FLAG(string, until, "", Value("now|TIME", FaultOfGivenText),
     "the time up to which the index must be complete: now, 2016-12-20T12:00:00 (UTC), or milliseconds");
FLAG(int32, timeout_s, 60, Number(0, 86400), "how long to wait for completeness");
FLAG(string, since, "", Value("TIME", FaultOfGivenText),
     "only dead letters from this time on: 2016-12-20T12:00:00 (UTC), or milliseconds");
FLAG(string, kind, "", List("KIND", FaultOfKinds),
     "only dead letters of these kinds: undecodable, unmappable, rejected, source_required, outside_retention, or "
     "unknown (written without a kind by an older fensi)");
FLAG(string, state, "", Value("STATE", FaultOfLetterState),
     "only dead letters in this state: open, retried, discarded or all");
FLAG(string, reason, "", Value("TEXT", FaultOfReason), "reason for the change, shown to other operators");
FLAG(int64, max, 0, Number(0, INT64_MAX), "at most this number of dead letters; 0: all");
FLAG(bool, letters, false, Switch(), "list each dead letter in a line. Without --state, only open ones");
FLAG(bool, rows, false, Switch(), "also row keys and reasons, which may quote values");
FLAG(bool, all, false, Switch(), "all open dead letters");
FLAG(bool, force, false, Deed(), "also dead letters that failed again after three retries");
FLAG(int32, watermark_interval_ms, 1000, Number(0, 60000),
     "time between watermarks, which show up to when the streams are complete; 0: no watermarks. HBase must write "
     "replication markers: --plan prints the setting");
FLAG(int32, message_kb, 1000, Number(64, 99'000),
     "largest message, in kilobytes. A larger mutation is sent in parts. Must not exceed the topics' "
     "max.message.bytes");
FLAG(int32, frame_mb, 256, Number(1, 1024), "largest call that is accepted from a region server");
FLAG(int32, calls_mb, 512, Number(1, 16'384), "memory for calls of region servers that are in flight");
FLAG(string, from, "", Value("WHERE", FaultOfGivenText),
     "where to start: earliest, latest, an offset, or a time such as 2026-01-31T12:00:00Z, 2026-01-31T20:00+08:00, now "
     "or -1d");
FLAG(string, to, "", Value("WHERE", FaultOfGivenText),
     "where to stop (exclusive): a number or a time such as 2016-12-20");
FLAG(string, event, "", Value("JSON", FaultOfEvent), "one event as JSON, instead of standard input");
FLAG(bool, print_scan, false, Switch(), "only show what would be read, as commands of the HBase shell");
FLAG(bool, online, false, Switch(), "also compare with the tables of --store and the topics of --kafka");
FLAG(int32, sample, 100, Number(1, 10'000), "number of sampled rows, spread over the regions of the table");
FLAG(int64, table_rows, 0, Number(0, INT64_MAX),
     "rows of the source table, if the store does not know the sizes of its regions; 0: fensi counts them");
FLAG(int64, scan_rate, 0, Number(0, 1'000'000'000), "source rows that a backfill reads per second; 0: as measured");
FLAG(int64, write_rate, 0, Number(0, 1'000'000'000), "cells that HBase takes per second from a backfill; 0: unknown");
FLAG(bool, compare, false, Switch(), "count the tables of the index, and compare them with the forecast");
FLAG(string, output, "", Value("FILE", FaultOfPath),
     "write to this file instead of standard output. An existing file is not replaced");
FLAG(bool, overwrite, false, Switch(), "replace the file of --output, if it exists");
FLAG(string, direction, "both", Value("WAY", FaultOfDirection),
     "both, forward (from the source to the index: missing and different entries) or reverse (orphans)");
FLAG(string, method, "lookup", Value("HOW", FaultOfMethod),
     "lookup: read the other side of each row. digest: read both sides once, compare sums, and look up only rows "
     "whose sums differ. digest is quicker if few rows change meanwhile");
FLAG(string, start_row, "", Value("TEXT", FaultOfGivenText), "first source row (inclusive; \\xNN for bytes)");
FLAG(string, stop_row, "", Value("TEXT", FaultOfGivenText), "source row at which to stop (exclusive; \\xNN for bytes)");
FLAG(string, as_of, "", Value("watermark|TIME", FaultOfGivenText),
     "leave out rows and cells that are younger than this time: watermark (the time up to which the index is complete "
     "at the start) or a time");
FLAG(bool, distributed, false, Switch(), "share the comparison with all other processes that run the same command");
FLAG(int32, recheck_s, 5, Number(0, 86'400),
     "time after which fensi checks a difference again, besides the wait for the watermark. It must be longer "
     "than the lag of the index");
FLAG(int64, max_suspects, 100000, Number(1, 10'000'000),
     "largest number of differences that are checked again at a time. With more, the scan waits");
FLAG(int64, rows_per_second, 0, Number(0, 1'000'000'000), "rows to read per second; 0: no limit");
FLAG(string, from_report, "", Value("FILE", FaultOfPath),
     "a report of 'fensi verify', the differences of which are corrected");
FLAG(bool, back, false, Switch(), "return to the previous index of the alias");
FLAG(bool, remove, false, Switch(), "let the alias point to no index");
FLAG(bool, expired, false, Switch(),
     "drop only the tables of periods that ended longer ago than 'retention:'; the index stays");
FLAG(bool, skip_verification, false, Deed(), "switch without a verification report and without a recent watermark");
FLAG(bool, partial_report, false, Switch(), "accept an incomplete report, and repair the differences that it has");
FLAG(bool, verify_first, false, Switch(), "verify first, and repair the differences found");
FLAG(int32, wait_s, 600, Number(0, 86'400),
     "how long to wait for the daemons; 0: send the requests, and return without a result");
FLAG(int32, begin_wait_s, 30, Number(0, 86'400),
     "how long to wait until 'fensi run' has begun the index, and as long again for its first watermark; 0: do "
     "not wait");
FLAG(int64, scrub_rows_per_second, 0, Number(0, 1'000'000'000),
     "compare the index with its source without end, at most this number of rows per second; 0: no scrub");
FLAG(bool, scrub_repair, false, Switch(), "also repair the rows in which the scrub finds differences");
FLAG(bool, drop_expired, false, Switch(),
     "drop tables of periods that ended longer ago than 'retention:', as 'fensi drop --expired' does, each hour");
FLAG(string, meta_table, fensi::mapping::kDefaultMetaTable, Value("TABLE", FaultOfTable),
     "HBase table (meta table) in which fensi keeps how far each index is, and the aliases of 'fensi switch'");
FLAG(int64, bytes_per_second, 0, Number(0, 1'000'000'000'000), "bytes to read per second; 0: no limit");
FLAG(int64, ahead_rows, 500000, Number(1, 1'000'000'000'000),
     "largest number of rows that are read and not yet applied; then the scan waits");
FLAG(bool, skip_watermark_check, false, Deed(),
     "begin without a watermark. Without it fensi cannot see whether changes reach the index");
FLAG(bool, restart, false, Switch(), "start a job again that is done or cancelled");
FLAG(bool, pause, false, Switch(), "pause the job on all machines until --resume");
FLAG(bool, resume, false, Switch(), "resume the job on all machines, at the given pace if you give one");
FLAG(bool, cancel, false, Switch(), "give the job up, on all machines");
FLAG(bool, print_flags, false, Switch(),
     "print all flags with their values and origins, in the form of a flag file and without secrets, and end");
FLAG(string, log_format, "text", Value("FORM", FaultOfLogFormat),
     "format of log lines: text, or json (one object a line)");
FLAG(string, log_level, "info", Value("LEVEL", FaultOfLogLevel),
     "lowest level that is logged: debug, info, warning or error");
FLAG(int32, log_window_s, 10, Number(0, 3600),
     "repeated events of an index within this time are counted, and logged as one line at its end; 0: each event is "
     "logged");
FLAG(bool, log_rows, false, Switch(), "allow row keys, values and texts of mappings in the log");
FLAG(string, report, "", Value("FILE", FaultOfPath),
     "write the report to this file, one JSON object a line. An existing file is not replaced");
