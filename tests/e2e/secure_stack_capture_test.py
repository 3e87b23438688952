#!/usr/bin/env python3
"""A real HBase with Kerberos as the source: its region server comes to the capture with a ticket, by each protection of
FENSI_TEST_QOPS, and the capture is killed while an application writes. The index has exactly what the source has. On a stack of
its own."""
import os
import re
import subprocess
import threading
import time
import unittest

from lib import secured
from lib.program import Daemon, fensi, fensi_ok
from lib.wait import until

QOPS = os.environ.get("FENSI_TEST_QOPS", "auth").split(",")
KILLS = int(os.environ.get("FENSI_TEST_KILLS", "2"))
ROWS = int(os.environ.get("FENSI_TEST_ROWS", "300"))
MAPPING = "source: {0}\nindexes:\n  {0}_by:\n    table: {0}_by\n    row: '{{f1:from}}'\n    columns:\n      'f1:{{row}}': '{{f1:from}}'\n"
CAPTURE = "fensi/localhost@" + secured.REALM


class Application(threading.Thread):
    """Puts rows, changes their values, and deletes some, by HBase's own client, until it is told that it is enough."""

    def __init__(self, place, table, options):
        super().__init__(daemon=True)
        self.enough = threading.Event()
        self.changes = 0
        self.process = subprocess.Popen(
            [secured.servers.java.program(), *options, *secured.servers.OPENS, *secured.servers.COMMON, *secured.servers.BRIEF, "-Xmx128m", "-cp",
             secured.servers.hbase_classpath(place, "admin"), os.path.join(secured.servers.HERE, "HBaseClient.java"), table],
            cwd=place.directory, env=secured.servers.java.environment(), stdin=subprocess.PIPE, text=True)
        self.start()

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        self.changes += 1

    def run(self):
        while not (self.enough.is_set() and self.changes >= 3 * ROWS):
            row, turn = self.changes % ROWS, self.changes // ROWS
            self.tell("delete_row r%d" % row if (row + turn) % 7 == 0 else "put r%d f1:from v%d" % (row, (row + turn) % 20))
            time.sleep(0.002)

    def end(self):
        """Everything is acknowledged afterwards."""
        self.enough.set()
        self.join()
        self.process.stdin.close()
        assert self.process.wait() == 0


class SecureCaptureTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = secured.place_of(cls, "hbase")
        cls.kerberos = secured.Kerberos(cls, "fensi/localhost")
        cls.keytab = cls.kerberos.realm.keytab("capture.keytab", "fensi/localhost")
        cls.hbase = secured.HBase(cls.place)
        cls.hbase.properties = cls.kerberos.hbase
        cls.bring_up(cls.hbase, "master")
        cls.admin = secured.Admin(cls.place)
        cls.admin.properties = {**cls.kerberos.hbase, "hbase.client.keytab.file": cls.kerberos.realm.path("hbase.keytab"),
                                "hbase.client.keytab.principal": secured.PRINCIPAL}
        cls.bring_up(cls.admin, "admin")
        kafka = secured.servers.Kafka(cls.place)
        kafka.start()
        cls.addClassCleanup(kafka.process.stop, 10)
        until("Kafka answers", kafka.ready)
        cls.zookeeper, cls.brokers = cls.place.address("zookeeper"), cls.place.address("kafka")

    @classmethod
    def bring_up(cls, server, port):
        server.begin(cls.place.ports[port])
        cls.addClassCleanup(server.end)

    def words(self, table, *more):
        return (table, "--zookeeper", self.zookeeper, "--znode=/fensi_" + table, "--kafka", self.brokers, "--listen=127.0.0.1:0",
                "--partitions=2", "--watermark_interval_ms=0", *more)

    def ours(self, qop):
        return ("--rpc_keytab=" + self.keytab, "--rpc_principal=" + CAPTURE, "--rpc_qop=" + qop)

    def capture(self, table, *more):
        daemon = Daemon(self.folder, table, *self.words(table, *more), command="capture")
        begin = len(daemon.messages())
        until("the capture is ready", lambda: ", ready" in daemon.messages()[begin:] or not daemon.is_up(), 120)
        self.assertTrue(daemon.is_up(), daemon.messages())
        return daemon

    def add_peer(self, table, *flags):
        """With the CONFIG that --plan prints."""
        plan = fensi_ok("capture", *self.words(table, "--plan", *flags)).stdout
        config = re.findall(r'"(hbase[.a-z]+)" => "([^"]+)"', plan[plan.index("CONFIG => {"):plan.index("}\n#")])
        self.admin.tell("add_peer", table, self.zookeeper + ":/fensi_" + table, *("%s=%s" % item for item in config), table)
        self.addCleanup(self.admin.tell, "remove_peer", table)

    def rows_in_topic(self, table):
        return fensi_ok("tail", table, "--kafka", self.brokers, "--until_end").stdout

    def wait_for_all(self, table, application):
        """A row of the application that comes behind all others, and one that comes behind that."""
        for mark in ("first", "second"):
            application.tell("put %s f1:from mark" % mark)
            until("the topic has row " + mark, lambda mark=mark: '"row":"%s"' % mark in self.rows_in_topic(table), 300, 1)

    def assert_exact(self, table):
        path = os.path.join(self.folder, table)
        with open(path + ".yaml", "w", encoding="ascii") as out:
            out.write(MAPPING.format(table))
        store = "--store=embedded:" + path + ".store"
        fensi_ok("create", path + ".yaml", store, "--kafka", self.brokers, "--partitions=2", "--execute")
        fensi_ok("run", path + ".yaml", "--source=kafka://" + self.brokers, store, "--until_end")
        found = sorted(line.split("\t")[:2] for line in fensi_ok("scan", table + "_by", store, "--format=tsv").stdout.splitlines())
        self.admin.tell("dump", table, path + ".cells")
        with open(path + ".cells", encoding="ascii") as lines:
            cells = [[bytes.fromhex(field).decode() for field in (f[0], f[5])] for f in (line.rstrip("\n").split("\t") for line in lines)]
        self.assertEqual(found, sorted([value, "f1:" + row] for row, value in cells))
        print("%s: %d entries, 0 missing, 0 orphaned, 0 wrong" % (table, len(found)), flush=True)

    def test_an_index_is_exact_by_each_protection_while_captures_die(self):
        for qop in QOPS:
            table = "secure_" + qop.replace("-", "_")
            self.admin.tell("create", table, "f1,REPLICATION_SCOPE=1")
            self.add_peer(table, *self.ours(qop))
            capture = self.capture(table, *self.ours(qop))
            application = Application(self.place, table, secured.Secured.options)
            try:
                for kill in range(KILLS):
                    seen = self.rows_in_topic(table).count("\n")
                    try:
                        until("edits arrive", lambda: self.rows_in_topic(table).count("\n") > seen + 100 or not capture.is_up(), 120, 0.2)
                    except AssertionError as late:
                        raise AssertionError("kill %d: %s\n%s" % (kill, late, capture.messages())) from late
                    self.assertIn("connected (%s, %s)" % (secured.PRINCIPAL, qop), capture.messages())
                    if kill == 0:  # the region server's next ticket is for the new key
                        self.kerberos.realm.keytab("capture.keytab", "fensi/localhost")
                    capture.kill()
                    capture = self.capture(table, *self.ours(qop))
                application.enough.set()
                application.join()
                self.wait_for_all(table, application)
                application.end()
                self.assertNotIn("ALARM", capture.messages())
                self.assertEqual(capture.stop(), 0, capture.messages())
            finally:
                application.process.kill()
                if capture.is_up():
                    capture.kill()
            self.assert_exact(table)


class RefusedTest(SecureCaptureTest):
    """Who does not fit, is told on both sides, and comes in when the cause has gone: no edit is lost."""
    test_an_index_is_exact_by_each_protection_while_captures_die = None

    def refused(self, table, says, *flags):
        with self.capture(table, *flags) as capture:
            until("the cause is told", lambda: says in capture.messages() or not capture.is_up(), 120)
            self.assertNotIn("ALARM", capture.messages())
            self.assertEqual(capture.stop(), 0, capture.messages())

    def test_causes_are_told_on_both_sides_and_edits_wait(self):
        table = "refused"
        self.admin.tell("create", table, "f1,REPLICATION_SCOPE=1")
        self.add_peer(table, *self.ours("auth"))
        self.admin.tell("fill", table, "f1", "3")
        self.refused(table, "uses Kerberos, and this capture has no keytab")
        self.assertIn("fensi capture: the region server uses Kerberos", self.hbase.process.log_tail(4000))
        self.refused(table, "hbase.rpc.protection to privacy in the CONFIG of the replication peer", *self.ours("auth-conf"))
        self.refused(table, "the principal %s may not send edits" % secured.PRINCIPAL, *self.ours("auth"),
                     "--allow_principal=hbase/other@" + secured.REALM)
        with self.capture(table, *self.ours("auth")) as capture:
            until("the edits arrive", lambda: self.rows_in_topic(table).count('"row":"') >= 3 or not capture.is_up(), 120)
            self.assertEqual(capture.stop(), 0, capture.messages())

    def test_a_peer_that_speaks_plainly_is_refused_where_kerberos_is_demanded(self):
        table = "plainly"
        self.admin.tell("create", table, "f1,REPLICATION_SCOPE=1")
        self.admin.tell("add_peer", table, self.zookeeper + ":/fensi_" + table, "hbase.security.authentication=simple", table)
        self.addCleanup(self.admin.tell, "remove_peer", table)
        self.admin.tell("fill", table, "f1", "3")
        self.refused(table, "uses no Kerberos, and this capture demands Kerberos (--rpc_keytab)", *self.ours("auth"))

    def test_a_principal_that_the_kdc_has_not_is_named(self):
        table = "absent"
        self.admin.tell("create", table, "f1,REPLICATION_SCOPE=1")
        self.admin.tell("add_peer", table, self.zookeeper + ":/fensi_" + table,
                        "hbase.regionserver.kerberos.principal=nobody/localhost@" + secured.REALM, table)
        self.addCleanup(self.admin.tell, "remove_peer", table)
        self.admin.tell("fill", table, "f1", "3")
        self.refused(table, "or region servers that get no Kerberos ticket for " + CAPTURE, *self.ours("auth"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
