// The table of all flags: FLAG(type, name, default, rule, help). gflags' definitions, the rules of values, the help and
// docs/commands.md are made of it. Which command takes a flag, and in which order its help shows them, says the
// command.
//
// A name begins with its area and ends with its unit (kafka_session_timeout_ms). The rules are those of flags.cc and
// value_rules.h. No include guard: each includer defines FLAG for its own purpose.

FLAG(string, source, "", Place(Value("URL", FaultOfSourceUrl)),
     "address of the change stream: kafka://HOST:PORT[,HOST:PORT], file:PATH[,PATH] or file:- (standard input). A "
     "file has one JSON event a line, or CSV with --csv_row. A PATH may be a pattern such as 'days/*.gz'");
FLAG(string, store, "", Place(Value("URL", FaultOfStoreUrl)),
     "address of the tables. HBase by its ZooKeeper: hbase://HOST:2181,HOST:2181/hbase. HBase by its masters: "
     "hbase://HOST:16000,HOST:16000. HBase over TLS: hbases:// in place of hbase://. A Thrift2 gateway: "
     "thrift://HOST:PORT, thrifts://HOST:PORT (TLS) or thrift+https://HOST:PORT/ (HTTP mode with TLS). A local "
     "store without a server: embedded:DIR");
FLAG(string, store_kerberos_service, "", Value("NAME", FaultOfServerPrincipal),
     "first part of the Kerberos principal of the store's servers, usually hbase. With this flag, fensi logs in "
     "to the store with Kerberos. For hbase:// you can also give the whole principal, such as "
     "hbase/_HOST@EXAMPLE.ORG");
FLAG(string, store_kerberos_masters, "", Value("NAME", FaultOfServerPrincipal),
     "Kerberos principal of HBase's masters, for hbase:// (default: the value of --store_kerberos_service)");
FLAG(bool, store_allow_simple_auth, false, Switch(),
     "accept servers of hbase:// that have no Kerberos and ask for simple authentication, although "
     "--store_kerberos_service is given");
FLAG(string, store_qop, "auth-conf", Value("WAY", FaultOfQop),
     "protection of the data on a connection with Kerberos: auth (none), auth-int (against changes) or auth-conf "
     "(encryption). The value must match the setting of the server: hbase.thrift.security.qop of a gateway, or "
     "hbase.rpc.protection of HBase");
FLAG(string, store_tls_ca_file, "", Value("FILE", FaultOfPath),
     "PEM file with the issuers of the store's certificate (default: the issuers that this machine trusts). fensi "
     "reads this file, --store_tls_cert_file and --store_tls_key_file again for each connection");
FLAG(string, store_tls_cert_file, "", Value("FILE", FaultOfPath),
     "PEM file with the client certificate of fensi and its issuers, for a store that demands a client certificate");
FLAG(string, store_tls_key_file, "", Value("FILE", FaultOfPath),
     "key of --store_tls_cert_file, as PEM without a pass phrase, in a file that only its owner can read (mode "
     "0600)");
FLAG(string, source_store, "", Place(Value("URL", FaultOfStoreUrl)),
     "address of the source tables, in the forms of --store, if the source tables are in another HBase cluster "
     "than the index. All other tables are in --store (default: the value of --store)");
FLAG(string, source_store_kerberos_service, "", Value("NAME", FaultOfServerPrincipal),
     "the same as --store_kerberos_service, for --source_store. Write 'none' to connect to "
     "--source_store without Kerberos (default: the value of --store_kerberos_service)");
FLAG(string, source_store_kerberos_masters, "", Value("NAME", FaultOfServerPrincipal),
     "the same as --store_kerberos_masters, for --source_store (default: the value of "
     "--source_store_kerberos_service if that flag is given, otherwise the value of --store_kerberos_masters)");
FLAG(string, source_store_qop, "auth-conf", Value("WAY", FaultOfQop),
     "the same as --store_qop, for --source_store (default: the value of --store_qop)");
FLAG(string, source_store_tls_ca_file, "", Value("FILE", FaultOfPath),
     "the same as --store_tls_ca_file, for --source_store (default: the value of --store_tls_ca_file, if both "
     "stores use TLS)");
FLAG(string, source_store_tls_cert_file, "", Value("FILE", FaultOfPath),
     "the same as --store_tls_cert_file, for --source_store (default: --store_tls_cert_file with "
     "--store_tls_key_file, if both stores use TLS)");
FLAG(string, source_store_tls_key_file, "", Value("FILE", FaultOfPath),
     "the same as --store_tls_key_file, for --source_store: the key of --source_store_tls_cert_file");
FLAG(string, kerberos_keytab, "", Value("FILE", FaultOfPath),
     "keytab file that only its owner can read (mode 0600). fensi gets tickets for Kafka and the store with a key "
     "of the keytab, and renews the tickets before they expire (default: the tickets that the environment names, "
     "as after kinit)");
FLAG(string, kerberos_principal, "", Value("NAME", FaultOfPrincipal),
     "principal of --kerberos_keytab with which fensi logs in (default: the first principal of the keytab)");
FLAG(string, index, "", List("NAME", FaultOfNames),
     "names of the indexes of the mapping files that the command uses (default: all indexes)");
FLAG(int32, workers, 4, Number(1, 64), "number of threads that apply events. A partition uses one thread at a time");
FLAG(int32, connections, 4, Number(1, 64), "number of connections to the store for each index");
FLAG(int32, memory_mb, 0, Number(0, 1'048'576),
     "memory limit for all indexes of the process, in MB. One half is for queued messages, the other half for row "
     "states. The process needs 60 MB more, and for each index twice the size of the largest batch. 0: "
     "--max_queued_mb and --state_cache_mb limit each index");
FLAG(int32, max_queued_mb, 64, Number(1, 16'384),
     "memory limit of an index for messages that are fetched and not yet applied, in MB");
FLAG(int32, state_cache_mb, 64, Number(1, 16'384),
     "memory limit of an index for the states of recently written rows, in MB");
FLAG(bool, until_end, false, Switch(), "stop at the end that the stream had when the command started");
FLAG(bool, follow, false, Switch(),
     "wait for new lines at the end of the file, also after the file was rotated or emptied");
FLAG(string, csv_row, "", Value("COLUMN", FaultOfGivenText),
     "name of the CSV column with the row keys. The files of --source are then read as CSV. Each other field "
     "becomes a put to the column that its heading names: FAMILY:QUALIFIER. An empty field writes nothing, and "
     "\"\" writes an empty value");
FLAG(string, csv_time, "", Value("COLUMN", FaultOfGivenText),
     "name of the CSV column with the timestamps of the rows, in milliseconds since 1970 (default: the time at "
     "which the file was last changed)");
FLAG(string, csv_family, "", Value("FAMILY", FaultOfGivenText),
     "column family of the CSV columns whose headings name no family");
FLAG(string, kafka, "", Place(Value("HOST:PORT", FaultOfKafka)),
     "Kafka brokers for the first connection: HOST:PORT[,HOST:PORT]");
FLAG(string, kafka_property, "", Hiding(List("KEY=VALUE", FaultOfProperties)),
     "settings of librdkafka, separated by commas. Write a comma inside a value as \\,. A secret must not be in "
     "the command line: KEY=@/PATH reads the value from a file, and KEY=@credential:NAME from a credential of "
     "systemd");
FLAG(string, kafka_property_file, "", Value("FILE", FaultOfPath),
     "file with settings of librdkafka, one KEY=VALUE a line. A '#' begins a comment, and a comma needs no "
     "backslash. Put passwords into this file. A file with a password must be readable by its owner alone (chmod "
     "600). If another user owns the file, mode 640 with a group of the process is also accepted");
FLAG(string, kafka_format, "event", Value("NAME", FaultOfFormat),
     "format of the messages in the topic: event (the format of fensi) or hbase_kafka_proxy (Avro records of the "
     "Apache HBase Kafka proxy, which one thread reads)");
FLAG(int32, kafka_session_timeout_ms, 45000, Number(6000, 1'800'000),
     "time without a heartbeat after which Kafka gives the partitions of a daemon to other daemons, in "
     "milliseconds");
FLAG(string, instance, "", Value("NAME", FaultOfInstance),
     "name that no other daemon has, and that this daemon keeps across restarts. A daemon that restarts within "
     "--kafka_session_timeout_ms gets its partitions back. No other daemon gets the partitions of a stopped "
     "daemon before this time has passed");
FLAG(int32, connect_timeout_s, 10, Number(1, 3600),
     "time limit for reaching a server, in seconds. After this time, fensi gives up with exit code 69. An attempt "
     "that is already in progress may take as long again");
FLAG(string, dead_letters, "", Value("WHERE", FaultOfDeadLetters),
     "place for events that fensi cannot apply: kafka (the dead-letter topic of each index) or file:PATH "
     "(default: kafka if the source is Kafka, otherwise the file fensi.dead.jsonl beside an embedded store or in "
     "the working directory)");
FLAG(string, admin, "", Place(Value("WHERE", FaultOfAdmin)),
     "address of the HTTP server for metrics, status and health: ADDRESS:PORT, unix:PATH or none (default: none "
     "for a run that ends at the end of its source, otherwise 127.0.0.1 with the first free port from 16180 for "
     "'fensi run' or from 16181 for 'fensi capture')");
FLAG(string, admin_host, "", List("NAME", FaultOfHosts),
     "further host names that clients may use for the admin server. The address of the server, localhost and the "
     "name of the machine are always allowed");
FLAG(bool, admin_control, false, Switch(),
     "let clients of the admin server pause and resume indexes and reload mapping files (POST "
     "/indexes/NAME/pause, /indexes/NAME/resume and /-/reload). An address other than loopback or unix:PATH "
     "requires a token and TLS");
FLAG(string, admin_token_file, "", Value("FILE", FaultOfPath),
     "token of the admin server, as one line in a file that only its owner can read (mode 0600). A request must "
     "have the header 'Authorization: Bearer TOKEN'. The paths /-/healthy and /-/ready need no token. The status "
     "page asks its user for the token");
FLAG(string, admin_tls_cert_file, "", Value("FILE", FaultOfPath),
     "PEM file with the certificate of the admin server and its issuers. The server then accepts only https. "
     "Every 10 s fensi checks this file and --admin_tls_key_file for changes");
FLAG(string, admin_tls_key_file, "", Value("FILE", FaultOfPath),
     "key of --admin_tls_cert_file, as PEM without a pass phrase, in a file that only its owner can read (mode "
     "0600)");
FLAG(string, daemon_ca_file, "", Value("FILE", FaultOfPath),
     "PEM file with the issuers of the daemons' certificates. With this flag, fensi connects to the daemons over "
     "TLS, and a daemon's certificate must be valid for the address of the daemon");
FLAG(int32, metrics_partitions, 2000, Number(0, 100'000),
     "number of partitions of an index, counted from partition 0, that have metrics and status of their own");
FLAG(string, daemon, "", Place(List("WHERE", FaultOfDaemons)),
     "addresses of the daemons' admin servers, separated by commas: ADDRESS:PORT or unix:PATH (default: all "
     "daemons on 127.0.0.1, ports 16180 to 16199)");
FLAG(int32, max_lag_s, 0, Number(0, 86400),
     "largest acceptable lag, in seconds. An index is late if one of its events has waited longer. 0: no index is "
     "ever late");
FLAG(int32, partitions, 4, Number(1, 10'000), "number of partitions of a change stream that fensi creates");
FLAG(int32, replication, 1, Number(1, 100), "number of replicas of a topic that fensi creates");
FLAG(bool, execute, false, Deed(), "carry out the plan. Without this flag, the command only shows the plan");
FLAG(bool, json, false, Switch(), "print one JSON object a line, for programs");
FLAG(string, color, "auto", Value("WHEN", FaultOfColor),
     "when to use colours in messages about mapping files and in results of tests: auto (on a terminal, unless "
     "the environment has NO_COLOR), always or never");
FLAG(bool, each, false, Switch(),
     "check each file by itself. Use this flag for files that define the same index in different ways");
FLAG(string, format, "", Value("FORM", FaultOfCellForm),
     "output format: table (aligned, with a heading), tsv (fields separated by tabs), json (one array), jsonl "
     "(one JSON object a line) or shell (lines for the HBase shell that write the same cells). Without this flag, "
     "the format is table on a terminal and tsv in a pipe");
FLAG(string, package, "", Value("NAME", FaultOfPackage),
     "package of the Java file (com.example) or of the Go file (orders), or namespace of the C++ file");
FLAG(bool, count, false, Switch(), "print only the number of rows");
FLAG(int64, max_cells, 0, Number(0, INT64_MAX),
     "largest number of cells to print for a row. At the end fensi prints how many cells it left out. 0: all cells");
FLAG(bool, bytes, false, Switch(), "print every byte above ASCII as \\xNN, also in values that are valid text");
FLAG(bool, source_rows, false, Switch(),
     "also read the source row of each entry, and mark an entry as STALE if its source row does not give the entry");
FLAG(string, near, "", Value("LAT,LON", FaultOfPosition),
     "centre of a search area, in degrees. The lookup shows the entries that are at most --radius away");
FLAG(string, radius, "", Value("DISTANCE", FaultOfDistance), "distance from --near, such as 500m or 2km");
FLAG(string, box, "", Value("S,W,N,E", FaultOfBox),
     "search area between two latitudes and two longitudes, in degrees: south, west, north, east. West may be "
     "greater than east");
FLAG(bool, watch, false, Switch(), "repeat until Ctrl-C");
FLAG(bool, wait, false, Switch(),
     "return only after the daemons of this machine, or of --daemon, have stopped writing to the index");
FLAG(int32, interval_s, 2, Number(1, 3600), "time between two rounds of --watch, in seconds");
FLAG(bool, no_pager, false, Switch(), "print without $PAGER or less, also on a terminal");
FLAG(bool, raw, false, Switch(), "also print delete markers and hidden versions");
FLAG(string, prefix, "", Value("TEXT", FaultOfEscapedText),
     "use only rows whose keys begin with this text (\\xNN for bytes)");
FLAG(string, row, "", Value("TEXT", FaultOfGivenText), "key of the source row (\\xNN for bytes)");
FLAG(int64, max_rows, 0, Number(0, INT64_MAX), "stop after this number of rows. 0: read all rows");
FLAG(int64, max_events, 0, Number(0, INT64_MAX), "stop after this number of events. 0: do not stop");
FLAG(int64, last, 0, Number(0, INT64_MAX),
     "start this number of messages before the end of each partition. 0: start at --from");
FLAG(int32, partition, 0, Number(0, INT32_MAX), "print only the messages of this partition (default: all partitions)");
FLAG(string, fault, "", List("CALL:N=ACTION", FaultOfFaultPlan),
     "fault to inject: CALL:N=ACTION. This flag is only for tests of fensi (daemon/faults/fault_plan.h)");
FLAG(bool, unlock_faults, false, Switch(), "allow --fault, which breaks the program on purpose");
FLAG(string, zookeeper, "", Place(Value("HOST:PORT", FaultOfBrokers)),
     "ZooKeeper servers of the source HBase: HOST:PORT[,HOST:PORT]");
FLAG(string, zookeeper_auth_file, "", Value("FILE", FaultOfPath),
     "user of ZooKeeper (scheme digest), as USER:PASSWORD in a file that only its owner can read (mode 0600). "
     "Only this user can then write the capture's znodes. Other users can only read the znodes that HBase needs "
     "(default: every user can write the znodes)");
FLAG(string, znode, "/fensi", Value("PATH", FaultOfZnode),
     "path of the capture's znode in ZooKeeper. Each replication peer needs a znode of its own");
FLAG(string, hbase_znode, "/hbase", Value("PATH", FaultOfZnode), "path of the source HBase's znode in ZooKeeper");
FLAG(string, peer, "fensi", Value("NAME", FaultOfPeer), "name of the replication peer in the lines of --plan");
FLAG(string, listen, "127.0.0.1:0", Place(List("ADDRESS:PORT", FaultOfListeners)),
     "addresses to which region servers connect: ADDRESS:PORT. With several addresses, a capture handles that number "
     "of calls in parallel. Region servers on other machines must be able to reach one of the addresses. Port 0 is "
     "any free port. If a capture was killed, a new capture with the same fixed port replaces its znode at once");
FLAG(string, allow_from, "", List("NETWORK", FaultOfNetworks),
     "networks from which region servers may connect: ADDRESS or ADDRESS/BITS, such as 10.1.0.0/16 (default: all "
     "networks)");
FLAG(int32, max_connections, 2048, Number(1, 100'000),
     "largest number of open connections from region servers. A region server opens one connection to each "
     "address. Over TLS, a connection takes about 100 kB of memory");
FLAG(string, stop_capturing, "", List("TABLE", FaultOfTables),
     "tables that the captures of this --znode no longer capture. From now on fensi acknowledges the edits of "
     "these tables to HBase and discards them. The edits are lost to the change streams");
FLAG(string, may_be_large, "", List("COLUMN", FaultOfLargeColumns),
     "columns that no index reads: TABLE/FAMILY:QUALIFIER, or TABLE/FAMILY for a whole family. If a cell of these "
     "columns is larger than --message_kb, fensi writes a dead letter, and logs a warning in place of an error");
FLAG(string, announce, "", Place(Value("HOST", FaultOfHost)),
     "host name or address by which region servers reach this machine (default: the address of --listen, or the "
     "name of the machine)");
FLAG(string, tls_cert_file, "", Value("FILE", FaultOfPath),
     "PEM file with the certificate of this machine and its issuers, valid for the host of --announce. Region "
     "servers must then use TLS. Every 10 s fensi checks the file for changes");
FLAG(string, tls_key_file, "", Value("FILE", FaultOfPath),
     "key of --tls_cert_file, as PEM without a pass phrase, in a file that only its owner can read (mode 0600)");
FLAG(string, tls_ca_file, "", Value("FILE", FaultOfPath),
     "PEM file with the issuers of the certificates that region servers must have (default: region servers need "
     "no certificate)");
FLAG(string, rpc_keytab, "", Value("FILE", FaultOfPath),
     "keytab file with the key of --rpc_principal, which only its owner can read (mode 0600). Region servers must "
     "then log in with Kerberos");
FLAG(string, rpc_principal, "", Value("NAME", FaultOfServicePrincipal),
     "Kerberos principal of this capture: NAME/HOST@REALM. Region servers ask their KDC for a ticket for this "
     "principal");
FLAG(string, rpc_qop, "auth-conf", Value("WAY", FaultOfQop),
     "weakest protection that fensi accepts from region servers with Kerberos: auth (none), auth-int (against "
     "changes) or auth-conf (encryption)");
FLAG(string, allow_principal, "", List("NAME", FaultOfPrincipals),
     "principals that may send edits: NAME/HOST@REALM, or NAME/*@REALM for every host (default: hbase/*@REALM, with "
     "the realm of --rpc_principal)");
FLAG(string, topic, "{table}", Value("NAME", FaultOfTopic),
     "name of a table's topic. {table} stands for the table name with '.' in place of ':', so the topic of table "
     "shop:orders is shop.orders. A table a.b of the namespace default has the topic default.a.b");
FLAG(string, mapping, "", List("FILE", FaultOfNames),
     "mapping files whose index tables and state tables must not be captured");
FLAG(bool, plan, false, Switch(),
     "print the lines for the HBase shell and the settings of HBase that the capture needs, and end");
FLAG(string, heartbeat_table, "", Value("TABLE", FaultOfTable),
     "table of the source HBase for heartbeats. The capture writes a row to each region of this table every "
     "--heartbeat_s, so that idle region servers keep sending edits. Requires --store");
FLAG(int32, heartbeat_s, 1, Number(1, 3600), "time between two heartbeats, in seconds");
FLAG(int32, clock_skew_ms, 1000, Number(0, 3600000),
     "largest difference between the clocks of the machines, in milliseconds");
FLAG(string, until, "", Value("now|TIME", FaultOfGivenText),
     "the time up to which the index must be complete: now, a time such as 2016-12-20T12:00:00 (UTC), or "
     "milliseconds since 1970");
FLAG(int32, timeout_s, 60, Number(0, 86400), "how long to wait until the index is complete, in seconds");
FLAG(string, since, "", Value("TIME", FaultOfGivenText),
     "use only dead letters that were written at this time or later: 2016-12-20T12:00:00 (UTC), or milliseconds "
     "since 1970");
FLAG(string, kind, "", List("KIND", FaultOfKinds),
     "use only dead letters of these kinds: undecodable, unmappable, rejected, source_required, "
     "outside_retention, or unknown (from an older fensi that recorded no kind)");
FLAG(string, state, "", Value("STATE", FaultOfLetterState),
     "use only dead letters in this state: open, retried, discarded or all");
FLAG(string, reason, "", Value("TEXT", FaultOfReason), "reason for the change, which other operators see");
FLAG(int64, max, 0, Number(0, INT64_MAX), "largest number of dead letters to retry or discard. 0: all dead letters");
FLAG(bool, letters, false, Switch(),
     "print a line for each dead letter. Without --state, fensi prints only open dead letters");
FLAG(bool, rows, false, Switch(), "also print row keys and reasons. A reason may quote values of the row");
FLAG(bool, all, false, Switch(), "retry or discard all open dead letters");
FLAG(bool, force, false, Deed(), "also retry dead letters that failed again after three retries");
FLAG(int32, watermark_interval_ms, 1000, Number(0, 60000),
     "time between two watermarks, in milliseconds. A watermark is the time up to which a stream is complete. 0: "
     "no watermarks. HBase must write replication markers: --plan prints the setting");
FLAG(int32, message_kb, 1000, Number(64, 99'000),
     "size of the largest message that fensi writes to a stream, in kB. fensi sends a larger mutation in several "
     "messages. The value must not exceed max.message.bytes of the topics");
FLAG(int32, frame_mb, 256, Number(1, 1024), "size of the largest call that fensi accepts from a region server, in MB");
FLAG(int32, calls_mb, 512, Number(1, 16'384), "memory limit for the calls of region servers that are in flight, in MB");
FLAG(string, from, "", Value("WHERE", FaultOfGivenText),
     "position to start at: earliest, latest, an offset, or a time such as 2026-01-31T12:00:00Z, "
     "2026-01-31T20:00+08:00, now or -1d");
FLAG(string, to, "", Value("WHERE", FaultOfGivenText),
     "position to stop at (exclusive): a number, or a time such as 2016-12-20");
FLAG(string, event, "", Value("JSON", FaultOfEvent), "one event as JSON, in place of standard input");
FLAG(bool, print_scan, false, Switch(),
     "print the HBase shell commands that read the same entries, without reading the entries");
FLAG(bool, online, false, Switch(), "also check the tables of --store and the topics of --kafka");
FLAG(int32, sample, 100, Number(1, 10'000), "number of rows in the sample, spread over the regions of the table");
FLAG(int64, table_rows, 0, Number(0, INT64_MAX),
     "number of rows of the source table, for a store that does not report the sizes of its regions. 0: fensi "
     "counts the rows");
FLAG(int64, scan_rate, 0, Number(0, 1'000'000'000),
     "source rows per second that a backfill reads. 0: fensi measures the rate with one thread");
FLAG(int64, write_rate, 0, Number(0, 1'000'000'000),
     "cells per second that HBase accepts from a backfill. 0: the rate is unknown");
FLAG(bool, compare, false, Switch(),
     "read the tables of the index after a backfill, and compare the tables with the forecast");
FLAG(string, output, "", Value("FILE", FaultOfPath),
     "write to this file in place of standard output. An existing file is replaced only with --overwrite");
FLAG(bool, overwrite, false, Switch(), "replace the file of --output, if the file exists");
FLAG(string, direction, "both", Value("WAY", FaultOfDirection),
     "direction of the comparison: forward (from the source to the index, finds missing and different entries), "
     "reverse (from the index to the source, finds orphans) or both");
FLAG(string, method, "lookup", Value("HOW", FaultOfMethod),
     "method of the comparison. lookup: read the other side of each row. digest: read both sides once, compare "
     "sums, and look up only the rows whose sums differ. digest is quicker if few rows change during the run");
FLAG(string, start_row, "", Value("TEXT", FaultOfGivenText), "first source row (inclusive; \\xNN for bytes)");
FLAG(string, stop_row, "", Value("TEXT", FaultOfGivenText), "source row at which to stop (exclusive; \\xNN for bytes)");
FLAG(string, as_of, "", Value("watermark|TIME", FaultOfGivenText),
     "newest time to compare: watermark (the time up to which the index is complete when the command starts), or "
     "a time such as 2026-01-31T12:00:00Z. fensi leaves out younger rows and cells, and reports how many they are");
FLAG(bool, distributed, false, Switch(), "share the comparison with all other processes that run the same command");
FLAG(int32, recheck_s, 5, Number(0, 86'400),
     "time after which fensi checks a difference again, in seconds. fensi also waits for the watermark of the "
     "index. For an index without a watermark, the time must be longer than the lag of the index");
FLAG(int64, max_suspects, 100000, Number(1, 10'000'000),
     "largest number of differences that wait for their second check. At this number, the scan waits");
FLAG(int64, rows_per_second, 0, Number(0, 1'000'000'000),
     "rows to read per second, by all processes together. 0: no limit");
FLAG(string, from_report, "", Value("FILE", FaultOfPath), "report of 'fensi verify' whose differences fensi repairs");
FLAG(bool, back, false, Switch(), "return to the previous index of the alias");
FLAG(bool, remove, false, Switch(), "let the alias point to no index");
FLAG(bool, expired, false, Switch(),
     "drop only the tables of periods that ended longer ago than 'retention:' plus an hour. The index stays");
FLAG(bool, skip_verification, false, Deed(),
     "switch without a report of 'fensi verify' and without a recent watermark");
FLAG(bool, partial_report, false, Switch(), "accept an incomplete report, and repair the differences in the report");
FLAG(bool, verify_first, false, Switch(),
     "compare the index with its source first, and repair the differences that the comparison finds");
FLAG(int32, wait_s, 600, Number(0, 86'400),
     "how long to wait for the daemons, in seconds. 0: send the requests, and return without a result");
FLAG(int32, begin_wait_s, 30, Number(0, 86'400),
     "how long to wait until 'fensi run' has started the index, in seconds. fensi then waits as long again for "
     "the first watermark. 0: do not wait");
FLAG(int64, scrub_rows_per_second, 0, Number(0, 1'000'000'000),
     "largest number of rows per second that a daemon compares with their source, without end. 0: the daemon "
     "compares no rows");
FLAG(bool, scrub_repair, false, Switch(),
     "also repair the rows in which the comparison of --scrub_rows_per_second finds differences");
FLAG(bool, drop_expired, false, Switch(),
     "drop the tables of periods that ended longer ago than 'retention:' at the start and each hour, as 'fensi "
     "drop --expired' does");
FLAG(string, meta_table, fensi::mapping::kDefaultMetaTable, Value("TABLE", FaultOfTable),
     "HBase table (meta table) in which fensi records the progress of each index and the aliases of 'fensi switch'");
FLAG(int64, bytes_per_second, 0, Number(0, 1'000'000'000'000),
     "bytes to read per second, by all processes together. 0: no limit");
FLAG(int64, ahead_rows, 500000, Number(1, 1'000'000'000'000),
     "largest number of rows that are read and not yet applied. At this number, the scan waits");
FLAG(bool, skip_watermark_check, false, Deed(),
     "begin although the index has no watermark. fensi then cannot check that changes of the source reach the "
     "index");
FLAG(bool, restart, false, Switch(), "start a job again that is done or was cancelled");
FLAG(bool, pause, false, Switch(), "pause the job on all machines until --resume");
FLAG(bool, resume, false, Switch(), "resume the job on all machines. If you give a pace, the job takes this pace");
FLAG(bool, cancel, false, Switch(), "cancel the job on all machines");
FLAG(bool, print_flags, false, Switch(),
     "print all flags with their values and origins, in the form of a flag file and without secrets, and end");
FLAG(string, log_format, "text", Value("FORM", FaultOfLogFormat),
     "format of log lines: text, or json (one object a line)");
FLAG(string, log_level, "info", Value("LEVEL", FaultOfLogLevel),
     "lowest level that is logged: debug, info, warning or error");
FLAG(int32, log_window_s, 10, Number(0, 3600),
     "time window for repeated log events of an index, in seconds. fensi counts repeated events in the window, "
     "and logs them as one line at the end of the window. 0: fensi logs each event");
FLAG(bool, log_rows, false, Switch(), "allow row keys, values and texts of mappings in the log");
FLAG(string, report, "", Value("FILE", FaultOfPath),
     "write the report to this file, one JSON object a line. An existing file is replaced only with --overwrite");
