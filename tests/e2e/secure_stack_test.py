#!/usr/bin/env python3
"""The main job on servers that know whom they talk to, and each way in which they do not: a plain HBase behind TLS (stunnel
before a gateway, a gateway in HTTP mode), and an HBase with Kerberos whose gateways demand it. All on loopback, on ports and
in folders of their own."""
import os
import re
import time
import unittest

from lib import secured
from lib.program import Daemon, fensi, fensi_ok
from lib.proxy import Proxy
from lib.wait import until

EVENTS = int(os.environ.get("FENSI_TEST_EVENTS", "20000"))
MAPPING = "source: {0}\nindexes:\n  {0}_by:\n    table: {0}_by\n    row: '{{f1:from}}'\n    columns:\n      'f1:{{row}}': '{{f1:from}}'\n"
LINE = '{"table":"%s","row":"r%d","seq":%d,"cells":[{"type":"put","column":"f1:from","ts":%d,"value":"v%d"}]}\n'


class SecureStack(unittest.TestCase):
    """One HBase for the tests of a class."""

    @classmethod
    def setUpClass(cls):
        cls.place = secured.place_of(cls, "hbase")
        cls.certificates = secured.Certificates(cls.folder, "ours")
        cls.hbase = secured.HBase(cls.place)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def bring_up(cls, server, *where):
        server.begin(*where)
        cls.addClassCleanup(server.end)
        return server

    @classmethod
    def gateway(cls, name, **properties):
        return cls.bring_up(secured.Gateway(cls.place, name, **properties))

    def write(self, name, text):
        with open(self.path(name), "w", encoding="ascii") as out:
            out.write(text)
        return self.path(name)

    def main_job(self, name, *store):
        """An index is made, filled by events of which each row has two, and read: exact. The rate is printed."""
        mapping = self.write(name + ".yaml", MAPPING.format(name))
        events = self.write(name + ".jsonl", "".join(
            LINE % (name, row, seq, seq, row % 100 if seq == 2 else 777) for seq in (1, 2) for row in range(EVENTS // 2)))
        fensi_ok("create", mapping, *store, "--connect_timeout_s=120", "--execute")
        begin = time.monotonic()
        fensi_ok("run", mapping, "--source=file:" + events, *store)
        print("%s: %d events/s" % (name, EVENTS / (time.monotonic() - begin)))
        found = sorted(line.split("\t")[:2] for line in
                       fensi_ok("scan", name + "_by", *store, "--format=tsv").stdout.splitlines())
        self.assertEqual(found, sorted(["v%d" % (row % 100), "f1:r%d" % row] for row in range(EVENTS // 2)))

    def refused(self, code, says, *store, timeout_s=5):
        """Within the time that was given, with code and words, whichever command it is."""
        self.write("refused.yaml", MAPPING.format("refused"))
        for words in (("scan", "refused_by", "--connect_timeout_s=%d" % timeout_s),
                      ("create", self.path("refused.yaml"), "--connect_timeout_s=%d" % timeout_s)):
            begin = time.monotonic()
            done = fensi(*words, *store)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertLess(time.monotonic() - begin, timeout_s + 10)
            for text in (says,) if isinstance(says, str) else says:
                self.assertIn(text, done.stderr)


class TlsTest(SecureStack):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.strangers = secured.Certificates(cls.folder, "strangers")
        shown = cls.certificates.issue("gateway")
        cls.bring_up(cls.hbase, cls.place.ports["master"])
        cls.plain = cls.gateway("plain")
        cls.https = cls.gateway("https", **secured.of_https(shown))
        cls.proxy = cls.bring_up(secured.TlsProxy(cls.folder, "proxy", shown, cls.plain.port))
        cls.asking = cls.bring_up(
            secured.TlsProxy(cls.folder, "asking", shown, cls.plain.port, client_authority=cls.certificates.authority))

    def tls(self, port, authority=None, host="127.0.0.1", scheme="thrifts"):
        return ("--store=%s://%s:%d" % (scheme, host, port), "--store_tls_ca_file=" + (authority or self.certificates.authority))

    def https_store(self, **more):
        url, authority = self.tls(self.https.port, scheme="thrift+https", **more)
        return url + "/", authority

    def proxy_with(self, *, authority=None, hosts="IP:127.0.0.1", days=1):
        authority = authority or self.certificates
        proxy = secured.TlsProxy(self.folder, "odd", authority.issue("odd", hosts, days), self.plain.port)
        proxy.begin()
        self.addCleanup(proxy.end)
        return proxy

    def shown(self, authority):
        name = authority.issue("client")
        return "--store_tls_cert_file=" + name + ".crt", "--store_tls_key_file=" + name + ".key"

    def test_the_main_job_is_exact_by_each_way(self):
        self.main_job("plain", "--store=thrift://127.0.0.1:%d" % self.plain.port)
        self.main_job("tls", *self.tls(self.proxy.port))
        self.main_job("mtls", *self.tls(self.asking.port), *self.shown(self.certificates))
        self.main_job("https", *self.https_store())

    def test_a_wrong_authority_host_or_time_is_a_wrong_configuration(self):
        strange = self.strangers.authority
        self.refused(78, ("signed by an unknown authority", "--store_tls_ca_file"), *self.tls(self.proxy.port, strange))
        self.refused(78, "signed by an unknown authority", *self.https_store(authority=strange))
        self.refused(78, "has expired", *self.tls(self.proxy_with(days=-1).port))
        self.refused(78, "is not for localhost", *self.tls(self.proxy_with(hosts="DNS:other").port, host="localhost"))

    def test_no_certificate_or_a_strangers_is_refused_by_who_demands_one(self):
        self.refused(77, "demands a certificate", *self.tls(self.asking.port))
        self.refused(77, "refused the certificate", *self.tls(self.asking.port), *self.shown(self.strangers))

    def test_plain_tls_and_http_that_are_mixed_up_are_told_in_time(self):
        causes = ("--store_kerberos_service", "thrifts://", "thrift+https://")
        for port in (self.proxy.port, self.https.port):
            self.refused(69, causes, "--store=thrift://127.0.0.1:%d" % port)
        self.refused(69, "If this port has no TLS", *self.tls(self.plain.port))
        other = "thrifts:// is for a gateway in binary mode, thrift+https:// for a gateway in HTTP mode"
        self.refused(69, other, *self.tls(self.proxy.port, scheme="thrift+https"))
        url, authority = self.https_store()
        self.refused(69, other, url.replace("thrift+https", "thrifts").rstrip("/"), authority)

    def test_a_proxy_that_comes_again_with_another_certificate_is_followed_when_that_is_right(self):
        """With a wrong one for a moment the daemon waits."""
        mapping = self.write("again.yaml", MAPPING.format("again"))
        shown = self.certificates.issue("moving")
        proxy = secured.TlsProxy(self.folder, "moving", shown, self.plain.port)
        proxy.begin()
        self.addCleanup(lambda: proxy.end())
        store = self.tls(proxy.port)
        fensi_ok("create", mapping, *store, "--connect_timeout_s=120", "--execute")
        events = self.path("again.jsonl")
        with open(events, "w", encoding="ascii") as out:
            out.write(LINE % ("again", 1, 1, 1, 1))
        with Daemon(self.folder, "again", mapping, "--source=file:" + events, "--follow", *store) as run:
            read = lambda: fensi("scan", "again_by", "--store=thrift://127.0.0.1:%d" % self.plain.port).stdout
            until("the first event is applied", lambda: "r1" in read() or not run.is_up())
            for authority in (self.strangers, self.certificates):
                proxy.end()
                authority.issue("moving")
                proxy.begin()
                if authority is self.strangers:
                    with open(events, "a", encoding="ascii") as out:
                        out.write(LINE % ("again", 2, 2, 2, 2))
                    until("the certificate is refused", lambda: "signed by an unknown authority" in run.messages() or not run.is_up())
            until("the second event is applied", lambda: "r2" in read() or not run.is_up())
            self.assertEqual(run.stop(), 0, run.messages())


class KerberosTest(SecureStack):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        kerberos = secured.Kerberos(cls, "fensi", "other", "reader")
        cls.realm, cls.kerberos, cls.login = kerberos.realm, kerberos.hbase, kerberos.gateway
        cls.keytab = cls.realm.keytab("fensi.keytab", "fensi")
        cls.reader = cls.realm.keytab("reader.keytab", "reader")
        cls.hbase.properties = cls.kerberos
        cls.bring_up(cls.hbase, cls.place.ports["master"])
        cls.gateways = {qop: cls.gateway(qop, **cls.login, **{"hbase.thrift.security.qop": qop})
                        for qop in ("auth", "auth-int", "auth-conf")}

    def store(self, qop, asked=None, keytab=None):
        return ("--store=thrift://localhost:%d" % self.gateways[qop].port, "--store_kerberos_service=hbase",
                "--store_qop=" + (asked or qop), "--kerberos_keytab=" + (keytab or self.keytab))

    def test_the_main_job_is_exact_in_each_way_of_protection(self):
        for qop in self.gateways:
            self.main_job(qop.replace("-", "_"), *self.store(qop))

    def test_other_ways_of_protection_are_named(self):
        for theirs, ours in (("auth-conf", "auth"), ("auth", "auth-conf"), ("auth-int", "auth-conf")):
            self.refused(78, "hbase.thrift.security.qop is %s, and --store_qop is %s" % (theirs, ours), *self.store(theirs, ours))

    def test_who_says_nothing_of_kerberos_is_told_the_causes_in_time(self):
        self.refused(69, ("--store_kerberos_service", "thrifts://", "thrift+https://"),
                     "--store=thrift://localhost:%d" % self.gateways["auth-conf"].port)

    def test_a_keytab_that_is_missing_open_or_of_others_is_refused(self):
        self.refused(78, "--kerberos_keytab", *self.store("auth-conf", keytab=self.path("absent")))
        shared = self.path("shared.keytab")
        with open(self.keytab, "rb") as keys, open(shared, "wb") as out:
            out.write(keys.read())
        os.chmod(shared, 0o644)
        self.refused(78, "holds a secret, and other users may read or change it", *self.store("auth-conf", keytab=shared))
        self.refused(77, "--kerberos_principal", *self.store("auth-conf"), "--kerberos_principal=other")
        old = self.realm.keytab("other.keytab", "other")
        self.realm.keytab("newer.keytab", "other")
        self.refused(77, "Kerberos: ", *self.store("auth-conf", keytab=old))

    def test_without_a_keytab_there_is_no_ticket(self):
        done = fensi("scan", "t", *self.store("auth-conf")[:3], "--connect_timeout_s=5")
        self.assertEqual(done.returncode, 77, done.stderr)

    def test_an_unknown_service_is_told_in_kerberos_words(self):
        url, _, qop, keytab = self.store("auth-conf")
        self.refused(77, "not found in Kerberos database", url, "--store_kerberos_service=nobody", qop, keytab)

    def test_spnego_is_refused_with_the_way_out(self):
        shown = self.certificates.issue("spnego")
        spnego = self.gateway("spnego", **self.login, **secured.of_https(shown),
                              **{"hbase.thrift.spnego.keytab.file": self.realm.path("hbase.keytab"),
                                 "hbase.thrift.spnego.principal": "HTTP/localhost@" + secured.REALM})
        url = "--store=thrift+https://localhost:%d/" % spnego.port
        authority = "--store_tls_ca_file=" + self.certificates.authority
        self.refused(78, "hbase.thrift.security.qop=auth-conf", url, authority)
        self.refused(78, "auth-conf", url, authority, "--store_kerberos_service=hbase")

    def test_a_kdc_that_is_away_is_unavailable(self):
        self.realm.stop_kdc()
        try:
            self.refused(69, "KDC", *self.store("auth-conf"))
        finally:
            self.realm.start_kdc()

    def test_tickets_are_renewed_while_it_works(self):
        """Tickets of 15 s, and a run of a minute whose connections are made anew, since it is idle for longer than they last."""
        self.realm.admin("modprinc -maxlife 15s fensi")
        self.addCleanup(self.realm.admin, "modprinc -maxlife 1d fensi")
        mapping = self.write("renewed.yaml", MAPPING.format("renewed"))
        store = self.store("auth-conf")
        fensi_ok("create", mapping, *store, "--connect_timeout_s=120", "--execute")
        reader = self.store("auth-conf", keytab=self.reader)  # so that the KDC's log tells who asked
        before = self.tickets_of_fensi()
        events = self.write("renewed.jsonl", "")
        with Daemon(self.folder, "renewed", mapping, "--source=file:" + events, "--follow", *store) as run:
            for row in range(4):
                with open(events, "a", encoding="ascii") as out:
                    out.write(LINE % ("renewed", row, row + 1, row + 1, row))
                found = lambda row=row: "r%d" % row in fensi("scan", "renewed_by", *reader).stdout
                until("event %d is applied" % row, lambda: found() or not run.is_up(), 60)
                time.sleep(35)  # beyond the life of a ticket, and of an idle connection
            self.assertNotIn("expired", run.messages())
            self.assertEqual(run.stop(), 0, run.messages())
        self.assertGreaterEqual(self.tickets_of_fensi() - before, 4)

    def test_a_kdc_that_goes_away_later_is_waited_for(self):
        """With tickets of 15 s that have expired, and connections that were cut, the daemon needs the KDC for whatever comes next."""
        self.realm.admin("modprinc -maxlife 15s fensi")
        self.addCleanup(self.realm.admin, "modprinc -maxlife 1d fensi")
        mapping = self.write("awaited.yaml", MAPPING.format("awaited"))
        proxy = self.enterContext(Proxy(self.gateways["auth-conf"].port))
        store = ("--store=thrift://localhost:%d" % proxy.port, *self.store("auth-conf")[1:])
        fensi_ok("create", mapping, *store, "--connect_timeout_s=120", "--execute")
        reader = self.store("auth-conf", keytab=self.reader)
        events = self.write("awaited.jsonl", LINE % ("awaited", 1, 1, 1, 1))
        with Daemon(self.folder, "awaited", mapping, "--source=file:" + events, "--follow", *store) as run:
            read = lambda: fensi("scan", "awaited_by", *reader, "--connect_timeout_s=5").stdout
            until("the first event is applied", lambda: "r1" in read() or not run.is_up())
            self.realm.stop_kdc()
            try:
                time.sleep(16)
                proxy.tell("reset")
                with open(events, "a", encoding="ascii") as out:
                    out.write(LINE % ("awaited", 2, 2, 2, 2))
                until("the KDC is missed", lambda: "no KDC gave another" in run.messages() or not run.is_up())
                time.sleep(40)  # longer than a refusal may last
                self.assertTrue(run.is_up(), run.messages())
            finally:
                self.realm.start_kdc()
            until("the second event is applied", lambda: "r2" in read() or not run.is_up())
            self.assertEqual(run.stop(), 0, run.messages())

    def test_it_feeds_a_capture_by_a_peer_that_is_told_to_speak_plainly(self):
        keytab = self.realm.path("hbase.keytab")
        admin = secured.Admin(self.place)
        admin.properties = {**self.kerberos, "hbase.client.keytab.file": keytab, "hbase.client.keytab.principal": secured.PRINCIPAL}
        self.bring_up(admin, self.place.ports["admin"])
        kafka = secured.servers.Kafka(self.place)
        kafka.start()
        self.addCleanup(kafka.process.stop, 10)
        until("Kafka answers", kafka.ready)
        zookeeper, brokers = self.place.address("zookeeper"), self.place.address("kafka")
        admin.tell("create", "fed", "f1,REPLICATION_SCOPE=1")
        admin.tell("add_peer", "fed", zookeeper + ":/fensi_fed", "hbase.security.authentication=simple", "fed")
        words = ("fed", "--zookeeper", zookeeper, "--znode=/fensi_fed", "--kafka", brokers, "--listen=127.0.0.1:0")
        with Daemon(self.folder, "fed", *words, command="capture") as capture:
            until("the capture is ready", lambda: ", ready" in capture.messages() or not capture.is_up())
            admin.tell("fill", "fed", "f1", "3")
            read = fensi_ok("tail", "fed", "--kafka", brokers, "--from=earliest", "--max_events=3")
            self.assertEqual(len(re.findall('"row":"([^"]+)"', read.stdout)), 3, read.stdout)
            self.assertEqual(capture.stop(), 0, capture.messages())

    def tickets_of_fensi(self):
        """How often the KDC gave fensi the ticket for further tickets."""
        with open(self.realm.path("kdc.log"), encoding="utf-8") as log:
            return len(re.findall(r"AS_REQ .* ISSUE: .*fensi@\S+ for krbtgt", log.read()))


if __name__ == "__main__":
    unittest.main(verbosity=2)
