#!/usr/bin/env python3
"""A capture that keeps strangers out, with a real HBase and ZooKeeper: znodes of a user of their own, and TLS on its ports;
how HBase's client library finds its way by the znodes; and how it ends when ZooKeeper is silent."""
import os
import re
import socket
import subprocess
import time
import unittest

from lib import stack
from lib.captured import captured
from lib.program import Daemon, fensi
from lib.wait import until

ZOOKEEPER = os.environ["FENSI_TEST_ZOOKEEPER"]


class SecuredTest(unittest.TestCase):
    def setUp(self):
        self.table = captured(self, "safe")
        self.folder = self.table.folder
        self.table.create()
        self.addCleanup(self.table.remove_peer)

    def secret(self, name, text):
        path = os.path.join(self.folder, name)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="ascii") as out:
            out.write(text)
        return "--zookeeper_auth_file=" + path

    def refused(self, code, *words):
        outcome = fensi("capture", *self.table.capture_words(*words))
        self.assertEqual(outcome.returncode, code, outcome.stderr)
        self.assertNotIn("pa55", outcome.stderr)
        return outcome.stderr

    def test_the_peer_tells_what_a_source_of_hbase_3_asks(self):
        with self.table.capture() as capture:
            identity, *servers = stack.admin("peer_servers", ZOOKEEPER + ":" + self.table.znode).split("\n")
            self.assertRegex(identity, "^[0-9a-f-]{36}$")
            self.assertEqual(len(servers), 1)
            self.assertRegex(servers[0], r"^127\.0\.0\.1,\d+,\d+$")
            self.assertEqual(capture.stop(), 0)

    def test_znodes_of_a_user_are_his_alone_and_edits_arrive(self):
        ours = self.secret("auth", "fensi:pa55:word\n")
        with self.table.capture("capture", ours, "--log_level=debug") as capture, self.table.daemon("run") as run:
            self.table.change("put a f1:b x")
            self.table.wait_indexed("first")
            self.table.assert_index_is_transposed()
            self.assertIn("--zookeeper_auth_file", self.refused(77))
            self.assertIn("--zookeeper_auth_file", self.refused(77, self.secret("other", "fensi:pa55\n")))
            said = stack.zookeeper_shell("getAcl %s/rs" % self.table.znode, "create %s/rs/stranger,1,1" % self.table.znode,
                                   "get %s/capture" % self.table.znode)
            self.assertIn("'world,'anyone\n: r\n", said)
            self.assertEqual(said.count("Insufficient permission"), 2, said)
            self.assertEqual((capture.stop(), run.stop()), (0, 0))
            self.assertNotIn("pa55", capture.messages())

    def test_znodes_that_anybody_may_write_are_refused_until_the_remedy_is_done(self):
        ours = self.secret("auth", "fensi:pa55:word\n")
        with self.table.capture() as capture:
            self.assertEqual(capture.stop(), 0)
        said = self.refused(78, ours)
        self.assertIn("znode %s/rs (anybody has rwcda there)" % self.table.znode, said)
        remedy = [line.strip() for line in said[said.index("(zkCli.sh): ") + 12:].strip().split(";")]
        stack.zookeeper_shell(*(line.replace("USER:PASSWORD", "fensi:pa55:word") for line in remedy))
        with self.table.capture("again", ours) as capture:
            self.assertEqual(capture.stop(), 0)


class TlsTest(unittest.TestCase):
    """HBase is the client, with the settings that `fensi capture --plan` prints for its peer."""

    def setUp(self):
        self.table = captured(self, "tls")
        self.folder = self.table.folder
        self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                     "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "ca.pem")
        self.issue("capture")
        self.issue("regionserver")

    def path(self, name):
        return os.path.join(self.folder, name)

    def openssl(self, *words):
        done = subprocess.run(["openssl", *words], cwd=self.folder, check=False, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, done.stdout)

    def issue(self, name):
        """NAME.crt for 127.0.0.1, NAME.key, and both together in NAME.pem."""
        with open(self.path("san"), "w", encoding="ascii") as out:
            out.write("subjectAltName=IP:127.0.0.1\n")
        self.openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
                     "/CN=" + name, "-keyout", name + ".key", "-out", "request")
        self.openssl("x509", "-req", "-in", "request", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "1",
                     "-extfile", "san", "-out", name + ".crt")
        with open(self.path(name + ".pem"), "w", encoding="ascii") as out:
            for part in (".key", ".crt"):
                with open(self.path(name + part), encoding="ascii") as text:
                    out.write(text.read())

    def flags(self):
        return ("--tls_cert_file", self.path("capture.crt"), "--tls_key_file", self.path("capture.key"), "--tls_ca_file",
                self.path("ca.pem"))

    def create(self, *settings):
        self.table.create(*settings)
        self.addCleanup(self.table.remove_peer)

    def test_edits_arrive_by_tls_with_certificates_of_both(self):
        plan = fensi("capture", *self.table.capture_words("--plan", *self.flags())).stdout
        config = dict(re.findall(r'"(hbase[.a-z]+)" => "([^"]+)"', plan[plan.index("CONFIG => {"):plan.index("}\n#")]))
        self.assertEqual(config.pop("hbase.replication.source.maxthreads"), "1")  # that of all peers here
        self.assertEqual(set(config), {"hbase.client.netty.tls.enabled", "hbase.rpc.tls.truststore.location",
                                       "hbase.rpc.tls.keystore.location"})
        config["hbase.rpc.tls.truststore.location"] = self.path("ca.pem")
        config["hbase.rpc.tls.keystore.location"] = self.path("regionserver.pem")
        self.create(*("%s=%s" % setting for setting in config.items()))
        with self.table.capture("capture", *self.flags()) as capture, self.table.daemon("run") as run:
            self.table.change("put a f1:b x", "put a f1:c x", "wide big f1:column 300 8000")
            self.table.wait_indexed("first")
            self.table.assert_index_is_transposed()
            self.assertIn("region server at 127.0.0.1", capture.messages())
            self.issue("capture")  # while it runs
            until("the new certificate is used", lambda: "certificate, key and authorities for new connections" in capture.messages(), 60)
            self.assertEqual((capture.stop(), run.stop()), (0, 0))

    def test_a_region_server_that_speaks_plain_rpc_is_told_on_both_sides(self):
        self.create()
        with self.table.capture("capture", *self.flags()) as capture:
            self.table.change("put a f1:b x")
            until("the warning", lambda: "connects without TLS, and this capture demands TLS" in capture.messages(), 120)
            self.assertNotIn("ALARM", capture.messages())
            self.assertEqual(capture.stop(), 0)
        self.assertEqual(self.table.written(), 0)


class SilentZooKeeperTest(unittest.TestCase):
    SECONDS = 10

    def setUp(self):
        self.table = captured(self, "mute")

    def assert_stops_in_time(self, capture):
        begin = time.monotonic()
        self.assertEqual(capture.stop(), 0)
        seconds = time.monotonic() - begin
        print("stopped after %.1f s" % seconds, flush=True)
        self.assertLess(seconds, self.SECONDS)

    def test_a_capture_that_starts_ends_in_time(self):
        with socket.create_server(("127.0.0.1", 0)) as mute:
            words = list(self.table.capture_words())
            words[words.index("--zookeeper") + 1] = "127.0.0.1:%d" % mute.getsockname()[1]
            with Daemon(self.table.folder, "capture", *words, command="capture") as capture:
                connection, _ = mute.accept()  # and nothing more
                with connection:
                    self.assert_stops_in_time(capture)

    def test_a_capture_that_runs_ends_in_time(self):
        with self.table.capture() as capture, stack.silent("hbase"):  # ZooKeeper is in its process
            time.sleep(2)  # it is in the middle of looking
            self.assert_stops_in_time(capture)


if __name__ == "__main__":
    unittest.main(verbosity=2)
