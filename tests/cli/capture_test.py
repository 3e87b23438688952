"""What 'fensi capture' refuses and prints without any server."""
import os
import subprocess

import harness
from follow import MAPPING
from refusing_kafka import make_authority

ZOOKEEPER = "--zookeeper=127.0.0.1:1"


class Capture(harness.CliTest):
    def test_plan_prints_the_lines_for_the_shell(self):
        plan = self.succeeds("capture", "guanzhu", "--plan", ZOOKEEPER, "--znode=/f", "--peer=p").out
        self.assertIn("add_peer 'p', CLUSTER_KEY => \"127.0.0.1:1:/f\", TABLE_CFS => {\"guanzhu\" => []}", plan)

    def test_plan_shows_the_topics_and_that_no_table_was_looked_for(self):
        plan = self.succeeds("capture", "guanzu", "ns:t", "--plan", ZOOKEEPER).out
        self.assertIn("#    table guanzu: topic guanzu\n#    table ns:t: topic ns.t\n#    fensi has not checked that HBase has these tables.", plan)

    def test_bad_values_are_refused_all_at_once(self):
        outcome = self.refuses(64, "capture", "t", "--znode=fensi", "--listen=localhost:1,1.2.3.4", "--topic=a b",
                               "--announce=h:1", "--message_kb=1")
        for text in ("--znode=fensi: write a znode as /NAME", "'localhost:1' is not an address of this machine in numbers",
                     "--topic=a b: 'a b' is no topic's name", "--announce=h:1: 'h:1' is not a host",
                     "--message_kb=1: must be from 64 to 99000", "--zookeeper is missing"):
            self.assertIn(text, outcome.err)

    def test_an_address_of_ipv6_stands_in_brackets(self):
        for good in ("[::1]:16100", "[::]:0", "0.0.0.0:0,[2001:db8::7]:16100"):
            self.succeeds("capture", "t", ZOOKEEPER, "--plan", "--listen=" + good)
        for bad in ("::1:16100", ":0", "[::1]", "[::1]:x", "1.2.3.4"):
            outcome = self.refuses(64, "capture", "t", ZOOKEEPER, "--plan", "--listen=" + bad, says=f"'{bad}' is not an address of this machine")
            self.assertIn("[::]:16100 for IPv6", outcome.err)

    def test_a_topic_of_an_index_is_refused(self):
        mapping = self.file("guanzhu.yaml", MAPPING)
        for topic, what in (("fensi.requests", "the control topic fensi.requests of index fensi"),
                            ("fensi.dead", "the dead-letter topic fensi.dead of index fensi")):
            self.refuses(78, "capture", "t", ZOOKEEPER, "--plan", "--mapping", mapping, "--topic", topic, says=what)
        self.refuses(78, "capture", "fensi:requests", ZOOKEEPER, "--plan", "--mapping", mapping, says="the control topic fensi.requests")
        self.succeeds("capture", "t", ZOOKEEPER, "--plan", "--mapping", mapping)

    def test_columns_that_may_be_large_are_checked(self):
        self.succeeds("capture", "t", ZOOKEEPER, "--plan", "--may_be_large=t/f:html,t/raw")
        self.refuses(64, "capture", "t", ZOOKEEPER, "--plan", "--may_be_large=f:html", says="'f:html' is no column. Write TABLE/FAMILY:QUALIFIER")

    def test_places_that_have_another_use_are_refused(self):
        for znode, says in (("/..", "write a znode without '.' and '..'"), ("/a/./b", "write a znode without '.' and '..'"), ("/zookeeper", "ZooKeeper's own"),
                            ("/zookeeper/quota", "ZooKeeper's own"), ("/hbase", "is the znode of the source HBase itself")):
            self.refuses(64, "capture", "t", ZOOKEEPER, "--plan", "--znode=" + znode, says=says)
        self.refuses(64, "capture", "t", ZOOKEEPER, "--plan", "--znode=/a", "--hbase_znode=/a", says="--hbase_znode /a")
        for znode in ("/...", "/zookeepers", "/hbase-fensi", "/hbase/fensi"):
            self.succeeds("capture", "t", ZOOKEEPER, "--plan", "--znode=" + znode)
        self.refuses(64, "capture", "t", ZOOKEEPER, "--plan", "--topic=fensi-capture.dead", says="its dead letters")
        self.refuses(64, "capture", "dead", ZOOKEEPER, "--plan", "--topic=fensi-capture.{table}", says="table dead")

    def test_kafka_is_needed_without_plan(self):
        self.refuses(64, "capture", "t", ZOOKEEPER, says="--kafka is missing")

    def test_a_heartbeat_needs_a_store(self):
        self.refuses(64, "capture", "t", ZOOKEEPER, "--kafka=127.0.0.1:1", "--heartbeat_table=h", says="--heartbeat_table requires --store")

    def test_a_heartbeat_into_a_captured_table_is_refused(self):
        self.refuses(64, "capture", "t", ZOOKEEPER, "--kafka=127.0.0.1:1", "--heartbeat_table=t", "--store=embedded:x",
                     says="--heartbeat_table t is also a captured table")

    def test_bad_tables_are_refused(self):
        self.refuses(64, "capture", "a b", ZOOKEEPER, "--plan", says="'a b' is no table name of HBase")
        for name in ("", ":t", "ns:", "a:b:c", "-t", "n.s:t", "x" * 201):
            self.refuses(64, "capture", name, ZOOKEEPER, "--plan")
        self.refuses(64, "capture", "t", "t", ZOOKEEPER, "--plan", says="table t is named twice")
        self.refuses(64, "capture", "t", "default:t", ZOOKEEPER, "--plan", says="table t is named twice")

    def test_the_default_namespace_is_not_written(self):
        plan = self.succeeds("capture", "default:guanzhu", "--plan", ZOOKEEPER).out
        self.assertIn("TABLE_CFS => {\"guanzhu\" => []}", plan)
        self.refuses(78, "capture", "default:fensi_state", ZOOKEEPER, "--plan", says="fensi uses the table as a state table")
        self.refuses(64, "capture", "t", ZOOKEEPER, "--kafka=127.0.0.1:1", "--heartbeat_table=default:t",
                     "--store=embedded:x", says="is also a captured table")

    def test_own_tables_are_refused(self):
        self.refuses(78, "capture", "fensi_state", ZOOKEEPER, "--plan", says="fensi uses the table as a state table")
        self.refuses(78, "capture", "default:fensi_meta", ZOOKEEPER, "--plan", says="table fensi_meta cannot be captured, because fensi uses the table as the meta table")
        mapping = self.file("m.yaml", "source: guanzhu\nindexes:\n  fensi:\n    table: fensi\n    row: '{f1:from}'\n"
                                      "    columns:\n      'f1:{row}': '{f1:from@ts | decimal}'\n")
        self.refuses(78, "capture", "fensi", ZOOKEEPER, "--plan", "--mapping", mapping,
                     says="table fensi cannot be captured, because fensi uses the table as the table of index fensi")

    def test_a_password_stands_in_a_file_that_nobody_else_may_read(self):
        def refused(code, text, mode=0o600, says=""):
            path = self.file("auth", text)
            os.chmod(os.path.join(self.dir, path), mode)
            outcome = self.refuses(code, "capture", "t", ZOOKEEPER, "--kafka=127.0.0.1:1", "--connect_timeout_s=1",
                                   "--zookeeper_auth_file", path, says=says)
            self.assertNotIn("pa55word", outcome.err + outcome.out)

        refused(78, "fensi:pa55word\n", 0o640, "holds a secret, and other users may read or change it (mode 0640). Run 'chmod 600")
        refused(78, "fensi:pa55word\n", 0o604, "(mode 0604)")
        for text in ("", "pa55word\n", ":pa55word\n", "pa55word:\n"):
            refused(78, text)
        refused(78, "fensi:pa55word\nfensi:pa55word\n", says="has several lines")
        refused(69, "fensi:pa55word\n", says="broker 127.0.0.1:1 cannot be reached")
        self.refuses(78, "capture", "t", ZOOKEEPER, "--kafka=127.0.0.1:1", "--zookeeper_auth_file=/no/such",
                     says="/no/such: No such file")
        self.refuses(78, "capture", "t", ZOOKEEPER, "--kafka=127.0.0.1:1", "--zookeeper_auth_file=/tmp",
                     says="/tmp: is not a regular file")

    def test_certificates_that_are_not_right_are_named_before_any_server_is_asked(self):
        def refused(code, *flags, says):
            self.refuses(code, "capture", "t", ZOOKEEPER, "--kafka=127.0.0.1:1", *flags, says=says)

        for name in ("cert", "key", "ca", "open"):
            self.file(name, "no PEM\n")
            os.chmod(os.path.join(self.dir, name), 0o644 if name == "open" else 0o600)
        refused(64, "--tls_cert_file=cert", says="--tls_cert_file and --tls_key_file require each other")
        refused(64, "--tls_key_file=key", says="--tls_cert_file and --tls_key_file require each other")
        refused(64, "--tls_ca_file=ca", says="--tls_ca_file requires --tls_cert_file and --tls_key_file")
        refused(78, "--tls_cert_file=cert", "--tls_key_file=open", says="--tls_key_file: open: holds a secret, and other users may")
        refused(78, "--tls_cert_file=absent", "--tls_key_file=key", says="--tls_cert_file: absent: No such file")
        refused(78, "--tls_cert_file=cert", "--tls_key_file=key", says="--tls_cert_file: no certificate in PEM")

    def test_a_keytab_that_is_not_right_is_named_before_any_server_is_asked(self):
        def refused(code, *flags, says):
            self.refuses(code, "capture", "t", ZOOKEEPER, "--kafka=127.0.0.1:1", *flags, says=says)

        for name in ("keytab", "open"):
            self.file(name, "no keytab\n")
            os.chmod(os.path.join(self.dir, name), 0o644 if name == "open" else 0o600)
        ours = "--rpc_principal=fensi/here@REALM"
        refused(64, "--rpc_keytab=keytab", says="--rpc_keytab and --rpc_principal require each other")
        refused(64, ours, says="--rpc_keytab and --rpc_principal require each other")
        refused(64, "--rpc_qop=auth", says="--rpc_qop requires --rpc_keytab and --rpc_principal")
        refused(64, "--allow_principal=hbase/*@REALM", says="--allow_principal requires --rpc_keytab and --rpc_principal")
        refused(64, "--rpc_keytab=keytab", "--rpc_principal=fensi@REALM", says="write NAME/HOST@REALM")
        for principal in ("*", "hbase/*", "*/rs@REALM", "hbase/r*@REALM", "hbase/*@*", "hbase/a/b@REALM", "hbase/_HOST@REALM"):
            refused(64, "--rpc_keytab=keytab", ours, "--allow_principal=" + principal, says="write NAME/HOST@REALM or NAME/*@REALM")
        refused(78, "--rpc_keytab=absent", ours, says="--rpc_keytab: absent: No such file")
        refused(78, "--rpc_keytab=open", ours, says="--rpc_keytab: open: holds a secret, and other users may")
        refused(78, "--rpc_keytab=keytab", ours, says="has no key of --rpc_principal fensi/here@REALM: ")

    def test_files_in_other_forms_are_named_with_a_way_to_pem_that_works(self):
        """The commands that are printed are run, and what they make is taken."""
        def openssl(*words):
            subprocess.run(["openssl", *words], cwd=self.dir, check=True, capture_output=True)

        def advice(flag, path, makes):
            """Runs what is said of the file, and returns the path of what came of it."""
            files = {"--tls_cert_file": "c.crt", "--tls_key_file": "c.key", "--tls_ca_file": "c.crt", flag: path}
            said = self.refuses(78, "capture", "t", ZOOKEEPER, "--kafka=127.0.0.1:1", *("=".join(pair) for pair in files.items()),
                                says=flag + ": no ").err
            command = said[said.index("openssl "):].split()
            command = [{"FILE": path, makes: f"{path}-{makes}"}.get(word, word) for word in command]
            openssl(*command[1:], *(("-passin", "pass:word") if command[1] == "pkcs12" or path == "phrase" else ()))
            return f"{path}-{makes}"

        make_authority(self.dir, "c")
        openssl("pkcs12", "-export", "-in", "c.crt", "-inkey", "c.key", "-out", "store", "-passout", "pass:word")
        openssl("x509", "-in", "c.crt", "-outform", "der", "-out", "cert.der")
        openssl("pkey", "-in", "c.key", "-outform", "der", "-out", "key.der")
        openssl("pkcs8", "-topk8", "-in", "c.key", "-out", "phrase", "-passout", "pass:word")
        for name in ("store", "key.der", "phrase"):
            os.chmod(os.path.join(self.dir, name), 0o600)
        certificates = [advice("--tls_cert_file", "store", "CERTIFICATES.pem"), advice("--tls_cert_file", "cert.der", "CERTIFICATES.pem")]
        authorities = [advice("--tls_ca_file", "store", "CERTIFICATES.pem")] * 2
        keys = [advice("--tls_key_file", "store", "KEY.pem"), advice("--tls_key_file", "key.der", "KEY.pem"),
                advice("--tls_key_file", "phrase", "KEY.pem")]
        for certificate, authority, key in zip(certificates + certificates[:1], authorities + authorities[:1], keys):
            self.refuses(69, "capture", "t", ZOOKEEPER, "--kafka=127.0.0.1:1", "--connect_timeout_s=1",
                         "--tls_cert_file=" + certificate, "--tls_key_file=" + key, "--tls_ca_file=" + authority)

    def test_a_stop_is_obeyed_while_kafka_says_nothing(self):
        self.obeys_a_stop(0, "had answered. The capture took no edits",
                          lambda kafka: ("capture", "t", ZOOKEEPER, "--kafka=" + kafka, "--connect_timeout_s=60"))

    def test_a_stop_is_obeyed_while_the_store_says_nothing(self):
        self.obeys_a_stop(0, "had answered. The capture took no edits",
                          lambda gateway: ("capture", "t", ZOOKEEPER, "--kafka=127.0.0.1:1", "--heartbeat_table=h",
                                           "--store=thrift://" + gateway, "--connect_timeout_s=60"))

    def test_a_kafka_that_is_away_is_named(self):
        self.refuses(69, "capture", "t", ZOOKEEPER, "--kafka=127.0.0.1:1", "--connect_timeout_s=1",
                     says="broker 127.0.0.1:1 cannot be reached")


harness.main()
