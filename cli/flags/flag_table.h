// The table of all flags: FLAG(type, name, default, rule, help). gflags' definitions, the rules of values, the help and
// docs/commands.md are made of it. Which command takes a flag, and in which order its help shows them, says the
// command.
//
// A name begins with its area and ends with its unit (kafka_session_timeout_ms). The rules are those of flags.cc and
// value_rules.h. No include guard: each includer defines FLAG for its own purpose.

FLAG(string, source, "", Place(Value("URL", FaultOfSourceUrl)),
     "address of the change stream: kafka://HOST:PORT[,HOST:PORT], file:PATH[,PATH] or file:- (standard input). A "
     "file has one JSON event per line. With --csv_row, a file has CSV. A PATH may be a pattern such as 'days/*.gz'");
FLAG(string, store, "", Place(Value("URL", FaultOfStoreUrl)),
     "address of the tables. To reach HBase by its ZooKeeper, write hbase://HOST:2181,HOST:2181/hbase. To reach "
     "HBase by its masters, write hbase://HOST:16000,HOST:16000. To reach HBase over TLS, write hbases:// in place "
     "of hbase://. For a Thrift2 gateway, write thrift://HOST:PORT, thrifts://HOST:PORT (TLS) or "
     "thrift+https://HOST:PORT/ (HTTP mode with TLS). For a local store without a server, write embedded:DIR");
FLAG(string, store_kerberos_service, "", Value("NAME", FaultOfServerPrincipal),
     "first part of the Kerberos principal of the store's servers, usually 'hbase'. With this flag, fensi logs in to "
     "the store with Kerberos. For --store=hbase://…, you can also give the whole principal, such as "
     "hbase/_HOST@EXAMPLE.ORG");
FLAG(string, store_kerberos_masters, "", Value("NAME", FaultOfServerPrincipal),
     "Kerberos principal of HBase's masters, for --store=hbase://… (default: the value of --store_kerberos_service)");
FLAG(bool, store_allow_simple_auth, false, Switch(),
     "accept servers of --store=hbase://… that have no Kerberos and ask for simple authentication. With "
     "--store_kerberos_service alone, fensi refuses servers without Kerberos");
FLAG(string, store_qop, "auth-conf", Value("WAY", FaultOfQop),
     "protection of the data on a connection with Kerberos: 'auth' (none), 'auth-int' (against changes) or "
     "'auth-conf' (encryption). The value must match the setting of the server. The setting of a gateway is "
     "hbase.thrift.security.qop, and the setting of HBase is hbase.rpc.protection");
FLAG(string, store_tls_ca_file, "", Value("FILE", FaultOfPath),
     "PEM file with the issuers of the store's certificate (default: the issuers that this machine trusts). For each "
     "connection, fensi reads the files of --store_tls_ca_file, --store_tls_cert_file and --store_tls_key_file again");
FLAG(string, store_tls_cert_file, "", Value("FILE", FaultOfPath),
     "PEM file with fensi's client certificate and the issuers of the certificate. Use this flag if the store "
     "demands a client certificate");
FLAG(string, store_tls_key_file, "", Value("FILE", FaultOfPath),
     "PEM file with the key of --store_tls_cert_file, without a pass phrase. Only the owner may read the file (mode "
     "0600)");
FLAG(string, source_store, "", Place(Value("URL", FaultOfStoreUrl)),
     "address of the source tables, in the forms of --store. Use this flag if the source tables are in another HBase "
     "cluster than the index. All other tables are in --store (default: the value of --store)");
FLAG(string, source_store_kerberos_service, "", Value("NAME", FaultOfServerPrincipal),
     "the same as --store_kerberos_service, for --source_store. To connect to --source_store without Kerberos, write "
     "'none' (default: the value of --store_kerberos_service)");
FLAG(string, source_store_kerberos_masters, "", Value("NAME", FaultOfServerPrincipal),
     "the same as --store_kerberos_masters, for --source_store (default: the value of "
     "--source_store_kerberos_service if given, otherwise the value of --store_kerberos_masters)");
FLAG(string, source_store_qop, "auth-conf", Value("WAY", FaultOfQop),
     "the same as --store_qop, for --source_store (default: the value of --store_qop)");
FLAG(string, source_store_tls_ca_file, "", Value("FILE", FaultOfPath),
     "the same as --store_tls_ca_file, for --source_store (default: the value of --store_tls_ca_file, if --store and "
     "--source_store use TLS)");
FLAG(string, source_store_tls_cert_file, "", Value("FILE", FaultOfPath),
     "the same as --store_tls_cert_file, for --source_store (default: the values of --store_tls_cert_file and "
     "--store_tls_key_file, if --store and --source_store use TLS)");
FLAG(string, source_store_tls_key_file, "", Value("FILE", FaultOfPath),
     "PEM file with the key of --source_store_tls_cert_file, without a pass phrase. Only the owner may read the file "
     "(mode 0600)");
FLAG(string, kerberos_keytab, "", Value("FILE", FaultOfPath),
     "keytab file (default: no keytab, but the tickets that the environment names, as after kinit). Only the owner "
     "may read the file (mode 0600). With a key of the keytab, fensi gets and renews Kerberos tickets for Kafka and "
     "the store");
FLAG(string, kerberos_principal, "", Value("NAME", FaultOfPrincipal),
     "principal of --kerberos_keytab with which fensi logs in (default: the first principal of the keytab)");
FLAG(string, index, "", List("NAME", FaultOfNames),
     "names of the indexes that the command uses, separated by commas (default: all indexes of the mapping files)");
FLAG(int32, workers, 4, Number(1, 64),
     "number of threads that apply events. At any time, at most one thread applies the events of a partition");
FLAG(int32, connections, 4, Number(1, 64), "number of connections to the store for each index");
FLAG(int32, memory_mb, 0, Number(0, 1'048'576),
     "memory limit for all indexes of the process together, in MB. fensi uses one half for queued messages, and the "
     "other half for row states. The process needs 60 MB more, and for each index twice the size of its largest "
     "batch. If the value is 0, --max_queued_mb and --state_cache_mb limit each index");
FLAG(int32, max_queued_mb, 64, Number(1, 16'384),
     "memory limit of an index, in MB, for messages that fensi has fetched and not yet applied");
FLAG(int32, state_cache_mb, 64, Number(1, 16'384),
     "memory limit of an index, in MB, for the states of recently written rows");
FLAG(bool, until_end, false, Switch(), "read only the events that exist when the command starts, and then end");
FLAG(bool, follow, false, Switch(),
     "wait for new lines at the end of the file. If another program rotates or empties the file, fensi continues "
     "with the new lines");
FLAG(string, csv_row, "", Value("COLUMN", FaultOfGivenText),
     "name of the CSV column with the row keys. With this flag, fensi reads the files of --source as CSV. The "
     "heading of each other CSV column names an HBase column (FAMILY:QUALIFIER). Each field becomes a put to the "
     "HBase column that its heading names. An empty field writes nothing, and \"\" writes an empty value");
FLAG(string, csv_time, "", Value("COLUMN", FaultOfGivenText),
     "name of the CSV column with the timestamps of the rows, in milliseconds since 1970 (default: the time at "
     "which the file was last changed)");
FLAG(string, csv_family, "", Value("FAMILY", FaultOfGivenText),
     "column family for the CSV columns whose headings name no family");
FLAG(string, kafka, "", Place(Value("HOST:PORT", FaultOfKafka)),
     "Kafka brokers for the first connection: HOST:PORT[,HOST:PORT]");
FLAG(string, kafka_property, "", Hiding(List("KEY=VALUE", FaultOfProperties)),
     "settings of librdkafka, separated by commas. Write a comma inside a value as '\\,'. Do not write a secret on "
     "the command line. KEY=@/PATH reads the value from a file. KEY=@credential:NAME reads the value from a "
     "credential of systemd");
FLAG(string, kafka_property_file, "", Value("FILE", FaultOfPath),
     "file with settings of librdkafka, one KEY=VALUE per line. A '#' begins a comment, and a comma needs no "
     "backslash. Write passwords into this file. If the file has a password, only the owner may read the file (mode "
     "0600). If another user owns the file, mode 0640 with a group of the process is also accepted");
FLAG(string, kafka_format, "event", Value("NAME", FaultOfFormat),
     "format of the messages in the topic: 'event' (the format of fensi) or 'hbase_kafka_proxy' (Avro records of the "
     "Apache HBase Kafka proxy). One thread reads all records of the format hbase_kafka_proxy");
FLAG(int32, kafka_session_timeout_ms, 45000, Number(6000, 1'800'000),
     "session timeout of Kafka, in milliseconds. If a daemon sends no heartbeat for this time, Kafka gives the "
     "partitions of the daemon to other daemons");
FLAG(string, instance, "", Value("NAME", FaultOfInstance),
     "name that no other daemon has, and that this daemon keeps across restarts. If a daemon restarts within "
     "--kafka_session_timeout_ms, Kafka gives the same partitions to this daemon again. If a daemon stops, other "
     "daemons get its partitions only after --kafka_session_timeout_ms");
FLAG(int32, connect_timeout_s, 10, Number(1, 3600),
     "time limit for reaching a server, in seconds. If fensi does not reach the server in time, the exit code is 69. "
     "If an attempt to connect is in progress when the time ends, fensi may need twice the time");
FLAG(string, dead_letters, "", Value("WHERE", FaultOfDeadLetters),
     "place for events that fensi cannot apply: 'kafka' (the dead-letter topic of each index) or file:PATH (default: "
     "'kafka' for a Kafka source, otherwise the file fensi.dead.jsonl). The default file fensi.dead.jsonl is beside "
     "the folder of the embedded store. Without an embedded store, fensi.dead.jsonl is in the working directory");
FLAG(string, admin, "", Place(Value("WHERE", FaultOfAdmin)),
     "address of the HTTP server for metrics, status and health: ADDRESS:PORT, unix:PATH or 'none' (default: "
     "127.0.0.1 with the first free port, from 16180 for 'fensi run' and from 16181 for 'fensi capture'). For a run "
     "that ends at the end of its source, the default is 'none'");
FLAG(string, admin_host, "", List("NAME", FaultOfHosts),
     "further host names that clients may use for the admin server. The address of the server, localhost and the "
     "name of the machine are always allowed");
FLAG(bool, admin_control, false, Switch(),
     "let clients of the admin server pause and resume indexes (POST /indexes/NAME/pause and /indexes/NAME/resume), "
     "and reload mapping files (POST /-/reload). If the address of --admin is neither loopback nor unix:PATH, "
     "--admin_control requires a token and TLS");
FLAG(string, admin_token_file, "", Value("FILE", FaultOfPath),
     "file with the token of the admin server, in one line. Only the owner may read the file (mode 0600). A request "
     "must have the header 'Authorization: Bearer TOKEN'. The paths /-/healthy and /-/ready need no token. The "
     "status page asks its user for the token");
FLAG(string, admin_tls_cert_file, "", Value("FILE", FaultOfPath),
     "PEM file with the certificate of the admin server and the issuers of the certificate. With this flag, the "
     "admin server accepts only https. Every 10 s, fensi checks the files of --admin_tls_cert_file and "
     "--admin_tls_key_file for changes");
FLAG(string, admin_tls_key_file, "", Value("FILE", FaultOfPath),
     "PEM file with the key of --admin_tls_cert_file, without a pass phrase. Only the owner may read the file (mode "
     "0600)");
FLAG(string, daemon_ca_file, "", Value("FILE", FaultOfPath),
     "PEM file with the issuers of the daemons' certificates. With this flag, fensi connects to the daemons over "
     "TLS. The certificate of a daemon must be valid for the address of the daemon");
FLAG(int32, metrics_partitions, 2000, Number(0, 100'000),
     "number of partitions of an index for which fensi shows separate metrics and status: the partitions with the "
     "lowest numbers");
FLAG(string, daemon, "", Place(List("WHERE", FaultOfDaemons)),
     "addresses of the daemons' admin servers, separated by commas: ADDRESS:PORT or unix:PATH (default: all daemons "
     "on ports 16180 to 16199 of 127.0.0.1)");
FLAG(int32, max_lag_s, 0, Number(0, 86400),
     "largest acceptable lag of an index, in seconds. The lag of an index is the time for which its oldest waiting "
     "event has waited. 0: fensi accepts every lag");
FLAG(int32, partitions, 4, Number(1, 10'000), "number of partitions of a new change stream");
FLAG(int32, replication, 1, Number(1, 100), "number of replicas of a new topic");
FLAG(bool, execute, false, Deed(), "carry out the plan. Without this flag, the command only shows the plan");
FLAG(bool, json, false, Switch(), "print one JSON object per line, for programs");
FLAG(string, color, "auto", Value("WHEN", FaultOfColor),
     "when to print colours in messages about mapping files and in test results: 'auto' (on a terminal, unless the "
     "environment has NO_COLOR), 'always' or 'never'");
FLAG(bool, each, false, Switch(),
     "check each mapping file by itself. Use this flag if several files define the same index");
FLAG(string, format, "", Value("FORM", FaultOfCellForm),
     "output format: 'table', 'tsv', 'json', 'jsonl' or 'shell'. 'table' is aligned and has a heading. 'tsv' "
     "separates fields by tabs. 'json' prints one array, and 'jsonl' prints one JSON object per line. 'shell' prints "
     "HBase shell lines that write the same cells. Without --format, the format is 'table' on a terminal and 'tsv' "
     "in a pipe");
FLAG(string, package, "", Value("NAME", FaultOfPackage),
     "package of a Java file (such as com.example), package of a Go file (such as orders), or namespace of a C++ "
     "file");
FLAG(bool, count, false, Switch(), "print only the number of rows");
FLAG(int64, max_cells, 0, Number(0, INT64_MAX),
     "largest number of cells to print for each row. At the end, fensi prints how many cells fensi left out. 0: all "
     "cells");
FLAG(bool, bytes, false, Switch(), "print every byte above 0x7F as \\xNN, also in valid UTF-8 text");
FLAG(bool, source_rows, false, Switch(),
     "also read the source row of each entry. If the source row does not give the entry, mark the entry as STALE");
FLAG(string, near, "", Value("LAT,LON", FaultOfPosition),
     "centre of a search area, in degrees. The command shows the entries that are at most --radius away from the "
     "centre");
FLAG(string, radius, "", Value("DISTANCE", FaultOfDistance),
     "largest distance from the position of --near, such as 500m or 2km");
FLAG(string, box, "", Value("S,W,N,E", FaultOfBox),
     "limits of a search area, in degrees: south, west, north, east. West may be greater than east");
FLAG(bool, watch, false, Switch(), "repeat the output until Ctrl-C");
FLAG(bool, wait, false, Switch(),
     "wait until the daemons of this machine have stopped writing to the index. With --daemon, wait for the daemons "
     "of --daemon instead");
FLAG(int32, interval_s, 2, Number(1, 3600), "time between two outputs of --watch, in seconds");
FLAG(bool, no_pager, false, Switch(), "do not send the output through a pager ($PAGER or the program 'less')");
FLAG(bool, raw, false, Switch(), "also print delete markers and hidden versions");
FLAG(string, prefix, "", Value("TEXT", FaultOfEscapedText),
     "use only rows whose keys begin with this text (\\xNN for bytes)");
FLAG(string, row, "", Value("TEXT", FaultOfGivenText), "key of the source row (\\xNN for bytes)");
FLAG(int64, max_rows, 0, Number(0, INT64_MAX), "stop after this number of rows. 0: read all rows");
FLAG(int64, max_events, 0, Number(0, INT64_MAX), "stop after this number of events. 0: no limit");
FLAG(int64, last, 0, Number(0, INT64_MAX),
     "begin this number of messages before the end of each partition. 0: begin at --from");
FLAG(int32, partition, 0, Number(0, INT32_MAX), "print only the messages of this partition (default: all partitions)");
FLAG(string, fault, "", List("CALL:N=ACTION", FaultOfFaultPlan),
     "fault to inject: CALL:N=ACTION. This flag is only for tests of fensi (daemon/faults/fault_plan.h)");
FLAG(bool, unlock_faults, false, Switch(), "allow --fault, which breaks the program on purpose");
FLAG(string, zookeeper, "", Place(Value("HOST:PORT", FaultOfBrokers)),
     "ZooKeeper servers of the source HBase: HOST:PORT[,HOST:PORT]");
FLAG(string, zookeeper_auth_file, "", Value("FILE", FaultOfPath),
     "file with a ZooKeeper user (scheme digest) as USER:PASSWORD. Only the owner may read the file (mode 0600). "
     "With this flag, only the ZooKeeper user can write the capture's znodes. Other users can only read the znodes "
     "that HBase needs (default: every user can write the znodes)");
FLAG(string, znode, "/fensi", Value("PATH", FaultOfZnode),
     "path of the capture's znode in ZooKeeper. Each replication peer needs a znode of its own");
FLAG(string, hbase_znode, "/hbase", Value("PATH", FaultOfZnode), "path of the znode of the source HBase in ZooKeeper");
FLAG(string, peer, "fensi", Value("NAME", FaultOfPeer), "name of the replication peer in the output of --plan");
FLAG(string, listen, "127.0.0.1:0", Place(List("ADDRESS:PORT", FaultOfListeners)),
     "addresses to which region servers connect: ADDRESS:PORT. With N addresses, the capture handles N calls in "
     "parallel. Region servers on other machines must be able to reach one of the addresses. Port 0 is any free "
     "port. If a capture was killed, a new capture with the same fixed port replaces the znode of the killed capture "
     "at once");
FLAG(string, allow_from, "", List("NETWORK", FaultOfNetworks),
     "networks from which region servers may connect: ADDRESS or ADDRESS/BITS, such as 10.1.0.0/16 (default: all "
     "networks)");
FLAG(int32, max_connections, 2048, Number(1, 100'000),
     "largest number of open connections from region servers. A region server opens one connection to each address "
     "of --listen. A connection with TLS takes about 100 kB of memory");
FLAG(string, stop_capturing, "", List("TABLE", FaultOfTables),
     "tables that the captures of --znode must no longer capture. fensi acknowledges the edits of these tables to "
     "HBase, and discards the edits. The change streams of these tables never get the discarded edits");
FLAG(string, may_be_large, "", List("COLUMN", FaultOfLargeColumns),
     "columns that no index reads: TABLE/FAMILY:QUALIFIER, or TABLE/FAMILY for a whole family. If a cell of these "
     "columns is larger than --message_kb, fensi writes a dead letter and logs a warning. For other columns, fensi "
     "logs an error in place of the warning");
FLAG(string, announce, "", Place(Value("HOST", FaultOfHost)),
     "host name or address by which region servers reach this machine (default: the address of --listen, or the "
     "name of the machine)");
FLAG(string, tls_cert_file, "", Value("FILE", FaultOfPath),
     "PEM file with the certificate of this machine and the issuers of the certificate. The certificate must be "
     "valid for the host of --announce. With this flag, region servers must use TLS. Every 10 s, fensi checks the "
     "file for changes");
FLAG(string, tls_key_file, "", Value("FILE", FaultOfPath),
     "PEM file with the key of --tls_cert_file, without a pass phrase. Only the owner may read the file (mode 0600)");
FLAG(string, tls_ca_file, "", Value("FILE", FaultOfPath),
     "PEM file with issuers of certificates. With this flag, a region server must have a certificate of one of the "
     "issuers (default: region servers need no certificate)");
FLAG(string, rpc_keytab, "", Value("FILE", FaultOfPath),
     "keytab file with the key of --rpc_principal. Only the owner may read the file (mode 0600). With this flag, "
     "region servers must log in with Kerberos");
FLAG(string, rpc_principal, "", Value("NAME", FaultOfServicePrincipal),
     "Kerberos principal of this capture: NAME/HOST@REALM. Region servers ask their KDC for a ticket for the "
     "principal");
FLAG(string, rpc_qop, "auth-conf", Value("WAY", FaultOfQop),
     "weakest protection that fensi accepts from region servers with Kerberos: 'auth' (none), 'auth-int' (against "
     "changes) or 'auth-conf' (encryption)");
FLAG(string, allow_principal, "", List("NAME", FaultOfPrincipals),
     "principals of region servers that may send edits: NAME/HOST@REALM, or NAME/*@REALM for every host (default: "
     "hbase/*@REALM, with the realm of --rpc_principal)");
FLAG(string, topic, "{table}", Value("NAME", FaultOfTopic),
     "name of the topic of each table. {table} stands for the table name with '.' in place of ':'. With {table}, the "
     "topic of table shop:orders is shop.orders. If a table of the namespace default has a '.' in its name, {table} "
     "also has the namespace: table a.b has the topic default.a.b");
FLAG(string, mapping, "", List("FILE", FaultOfNames),
     "mapping files whose index tables and state tables must not be captured");
FLAG(bool, plan, false, Switch(), "print the HBase shell lines and the HBase settings that the capture needs, and end");
FLAG(string, heartbeat_table, "", Value("TABLE", FaultOfTable),
     "table of the source HBase for heartbeats. The capture writes a row to each region of this table every "
     "--heartbeat_s. Because of the heartbeats, idle region servers keep sending edits. --heartbeat_table requires "
     "--store");
FLAG(int32, heartbeat_s, 1, Number(1, 3600), "time between two heartbeats, in seconds");
FLAG(int32, clock_skew_ms, 1000, Number(0, 3600000),
     "largest expected difference between the clocks of the machines, in milliseconds");
FLAG(string, until, "", Value("now|TIME", FaultOfGivenText),
     "time up to which the index must be complete: 'now', a time such as 2016-12-20T12:00:00 (UTC), or milliseconds "
     "since 1970");
FLAG(int32, timeout_s, 60, Number(0, 86400), "how long to wait until the index is complete, in seconds");
FLAG(string, since, "", Value("TIME", FaultOfGivenText),
     "use only dead letters that were written at this time or later. Give a time such as 2016-12-20T12:00:00 (UTC), "
     "or milliseconds since 1970");
FLAG(string, kind, "", List("KIND", FaultOfKinds),
     "use only dead letters of these kinds: 'undecodable', 'unmappable', 'rejected', 'source_required', "
     "'outside_retention' or 'unknown'. If an older fensi wrote a dead letter without a kind, the dead letter has "
     "the kind 'unknown'");
FLAG(string, state, "", Value("STATE", FaultOfLetterState),
     "use only dead letters in this state: 'open', 'retried', 'discarded' or 'all'");
FLAG(string, reason, "", Value("TEXT", FaultOfReason), "your reason for the pause. Other operators see the reason");
FLAG(int64, max, 0, Number(0, INT64_MAX), "largest number of dead letters to retry or discard. 0: no limit");
FLAG(bool, letters, false, Switch(),
     "print a line for each dead letter. Without --state, fensi prints only open dead letters");
FLAG(bool, rows, false, Switch(),
     "also print the row key and the reason of each dead letter. --rows requires --letters. A reason may quote "
     "values of the row");
FLAG(bool, all, false, Switch(), "retry or discard all open dead letters");
FLAG(bool, force, false, Deed(), "also retry dead letters that have failed again after three retries");
FLAG(int32, watermark_interval_ms, 1000, Number(0, 60000),
     "time between two watermarks, in milliseconds. A watermark is the time up to which a stream is complete. 0: no "
     "watermarks. For watermarks, HBase must write replication markers. --plan prints the HBase setting for "
     "replication markers");
FLAG(int32, message_kb, 1000, Number(64, 99'000),
     "size of the largest message that fensi writes to a stream, in kB. fensi sends a larger mutation in several "
     "messages. The value must not exceed max.message.bytes of the topics");
FLAG(int32, frame_mb, 256, Number(1, 1024), "size of the largest call that fensi accepts from a region server, in MB");
FLAG(int32, calls_mb, 512, Number(1, 16'384),
     "memory limit for the calls of region servers that fensi has received and not yet answered, in MB");
FLAG(string, from, "", Value("WHERE", FaultOfGivenText),
     "position to start at: 'earliest', 'latest', an offset, or a time. Examples of a time are 2026-01-31T12:00:00Z, "
     "2026-01-31T20:00+08:00, 'now' and '-1d' (a day ago)");
FLAG(string, to, "", Value("WHERE", FaultOfGivenText),
     "position to stop at (exclusive): a number, or a time such as 2016-12-20");
FLAG(string, event, "", Value("JSON", FaultOfEvent), "one event as JSON, in place of standard input");
FLAG(bool, print_scan, false, Switch(),
     "print HBase shell commands that read the same entries. fensi itself then reads no entries");
FLAG(bool, online, false, Switch(), "also check the tables of --store and the topics of --kafka");
FLAG(int32, sample, 100, Number(1, 10'000),
     "number of rows in the sample. The rows are spread over the regions of the table");
FLAG(int64, table_rows, 0, Number(0, INT64_MAX),
     "number of rows of the source table. Use this flag if the store does not report the sizes of its regions. 0: "
     "fensi counts the rows");
FLAG(int64, scan_rate, 0, Number(0, 1'000'000'000),
     "source rows per second that a backfill reads. 0: fensi measures the rate with one thread");
FLAG(int64, write_rate, 0, Number(0, 1'000'000'000),
     "cells per second that HBase accepts from a backfill. 0: the rate is unknown");
FLAG(bool, compare, false, Switch(), "compare the forecast with the tables of the index, after a backfill");
FLAG(string, output, "", Value("FILE", FaultOfPath),
     "write to this file in place of standard output. fensi replaces an existing file only with --overwrite");
FLAG(bool, overwrite, false, Switch(), "replace the file of --output, if the file exists");
FLAG(string, direction, "both", Value("WAY", FaultOfDirection),
     "direction of the comparison. 'forward' compares from the source to the index, and finds missing and different "
     "entries. 'reverse' compares from the index to the source, and finds orphans. 'both' compares in both "
     "directions");
FLAG(string, method, "lookup", Value("HOW", FaultOfMethod),
     "method of the comparison. 'lookup' looks up each row of one table in the other table. 'digest' reads both "
     "tables once, compares sums, and looks up only the rows whose sums differ. If few rows change during the run, "
     "'digest' is quicker");
FLAG(string, start_row, "", Value("TEXT", FaultOfGivenText), "first source row (inclusive; \\xNN for bytes)");
FLAG(string, stop_row, "", Value("TEXT", FaultOfGivenText), "source row at which to stop (exclusive; \\xNN for bytes)");
FLAG(string, as_of, "", Value("watermark|TIME", FaultOfGivenText),
     "newest time to compare: a time such as 2026-01-31T12:00:00Z, or 'watermark'. 'watermark' is the time up to "
     "which the index is complete when the command starts. fensi leaves out all younger rows and cells, and reports "
     "their number");
FLAG(bool, distributed, false, Switch(), "share the comparison with all other processes that run the same command");
FLAG(int32, recheck_s, 5, Number(0, 86'400),
     "time after which fensi checks a difference again, in seconds. fensi also waits for the watermark of the index. "
     "If the index has no watermark, --recheck_s must be longer than the lag of the index");
FLAG(int64, max_suspects, 100000, Number(1, 10'000'000),
     "largest number of differences that wait for their second check. At this number, the scan of the tables waits");
FLAG(int64, rows_per_second, 0, Number(0, 1'000'000'000),
     "largest number of rows that all processes together read per second. 0: no limit");
FLAG(string, from_report, "", Value("FILE", FaultOfPath), "report of 'fensi verify' whose differences fensi repairs");
FLAG(bool, back, false, Switch(), "return to the previous index of the alias");
FLAG(bool, remove, false, Switch(), "let the alias point to no index");
FLAG(bool, expired, false, Switch(),
     "drop only the tables of periods that ended longer ago than 'retention:' plus one hour. The index stays");
FLAG(bool, skip_verification, false, Deed(),
     "switch without a report of 'fensi verify' and without a recent watermark");
FLAG(bool, partial_report, false, Switch(),
     "accept an incomplete report, and repair only the differences in the report");
FLAG(bool, verify_first, false, Switch(),
     "first compare the index with its source, and then repair the differences that the comparison finds");
FLAG(int32, wait_s, 600, Number(0, 86'400),
     "how long to wait for the daemons, in seconds. 0: send the requests, and do not wait for the result");
FLAG(int32, begin_wait_s, 30, Number(0, 86'400),
     "how long to wait until 'fensi run' has started the index, in seconds. After the start, fensi also waits up to "
     "this time for the first watermark. 0: do not wait");
FLAG(int64, scrub_rows_per_second, 0, Number(0, 1'000'000'000),
     "largest number of rows that the scrub compares per second. In a scrub, the daemon compares each index with its "
     "source, again and again. 0: no scrub");
FLAG(bool, scrub_repair, false, Switch(),
     "also repair the differences that the scrub finds (see --scrub_rows_per_second), at most 500 in 10,000 compared "
     "rows. The next pass finds the rest");
FLAG(bool, drop_expired, false, Switch(),
     "drop the tables that 'fensi drop --expired' would drop, at the start and each hour");
FLAG(string, meta_table, fensi::mapping::kDefaultMetaTable, Value("TABLE", FaultOfTable),
     "name of the meta table. In the meta table, fensi records the progress of each index and the aliases of 'fensi "
     "switch'");
FLAG(int64, bytes_per_second, 0, Number(0, 1'000'000'000'000),
     "largest number of bytes that all processes together read per second. 0: no limit");
FLAG(int64, ahead_rows, 500000, Number(1, 1'000'000'000'000),
     "largest number of rows that are scanned and not yet applied. At this number, the scan waits");
FLAG(bool, skip_watermark_check, false, Deed(),
     "begin the backfill although the index has no watermark. fensi then cannot check that the index receives the "
     "changes of the source");
FLAG(bool, restart, false, Switch(), "start the job again, although the job is done or was cancelled");
FLAG(bool, pause, false, Switch(), "pause the job on all machines until --resume");
FLAG(bool, resume, false, Switch(),
     "resume the job on all machines. With --rows_per_second or another flag for the pace, the job continues at the "
     "new pace");
FLAG(bool, cancel, false, Switch(), "cancel the job on all machines");
FLAG(bool, print_flags, false, Switch(),
     "print all flags and end. The output is a flag file with the value and the origin of each flag, and without "
     "secrets");
FLAG(string, log_format, "text", Value("FORM", FaultOfLogFormat),
     "format of log lines: 'text' or 'json' (one JSON object per line)");
FLAG(string, log_level, "info", Value("LEVEL", FaultOfLogLevel),
     "lowest level of events in the log: 'debug', 'info', 'warning' or 'error'");
FLAG(int32, log_window_s, 10, Number(0, 3600),
     "time window for repeated log events of an index, in seconds. At the end of the window, one log line gives the "
     "number of repetitions. 0: fensi logs each event");
FLAG(bool, log_rows, false, Switch(), "allow row keys, values and texts of mapping files in the log");
FLAG(string, report, "", Value("FILE", FaultOfPath),
     "write the report to this file, one JSON object per line. fensi replaces an existing file only with --overwrite");
