#!/usr/bin/env python3
"""HBase's own protocol on servers that know whom they talk to: the main job with Kerberos in each way of protection, with TLS
below it, and each way in which a login fails, with its cause. HBase checks rights. On servers of its own, on loopback."""
import contextlib
import os
import time
import unittest
from unittest import mock

from lib import secured
from lib.program import FENSI, Daemon, fensi, fensi_ok
from lib.wait import until
from secure_stack_test import LINE, MAPPING, SecureStack

ACCESS = "org.apache.hadoop.hbase.security.access.AccessController"


@contextlib.contextmanager
def clock(offset_s):
    """The clock of the programs that begin meanwhile differs from that of the servers."""
    settings = {"LD_PRELOAD": os.path.join(os.path.dirname(FENSI), "shifted_clock.so"), "FENSI_TEST_CLOCK_S": str(offset_s)}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name in settings:
            os.environ.pop(name)


class NativeKerberosTest(SecureStack):
    """Kerberos in each way of protection that HBase has. The user fensi may do everything, and reader nothing."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        kerberos = secured.Kerberos(cls, "fensi", "other", "reader", "zookeeper/localhost")
        cls.realm = kerberos.realm
        cls.keytab = cls.realm.keytab("fensi.keytab", "fensi")
        cls.reader = cls.realm.keytab("reader.keytab", "reader")
        shown = cls.certificates.issue("server")
        cls.hbase.properties = {**kerberos.hbase, **cls.properties(shown)}
        cls.bring_up(cls.hbase, cls.place.ports["master"])

    @classmethod
    def properties(cls, _):
        checks = dict.fromkeys(("hbase.coprocessor.%s.classes" % kind for kind in ("master", "region", "regionserver")), ACCESS)
        return {"hbase.rpc.protection": "authentication,integrity,privacy", "hbase.security.authorization": "true",
                "hbase.superuser": "fensi", **checks}

    def store(self, qop="auth-conf", *more, registry="zookeeper", keytab=None):
        urls = {"zookeeper": "%s://127.0.0.1:%d/hbase" % (self.scheme, self.place.ports["zookeeper"]),
                "masters": "%s://localhost:%d" % (self.scheme, self.place.ports["master"])}
        return ("--store=" + urls[registry], "--store_kerberos_service=hbase", "--store_qop=" + qop,
                "--kerberos_keytab=" + (keytab or self.keytab), *more)

    scheme = "hbase"
    offsets_s = (-600, 600)

    def test_the_main_job_is_exact_in_each_way_of_protection(self):
        for qop in ("auth", "auth-int", "auth-conf"):
            for registry in ("zookeeper", "masters"):
                self.main_job("%s_%s" % (qop.replace("-", "_"), registry), *self.store(qop, registry=registry))

    def test_a_whole_principal_is_taken_as_in_the_configuration_of_hbase(self):
        store = ("--store_kerberos_service=hbase/_HOST@" + secured.REALM, *self.store()[:1], *self.store()[2:])
        self.main_job("principal", *store)

    def test_a_client_without_kerberos_is_told_what_hbase_demands(self):
        self.refused(77, ("Authentication is required", "--store_kerberos_service"), self.store()[0])

    def test_a_server_without_that_principal_is_named(self):
        for service, says in (("nobody", "not found in Kerberos database"), ("zookeeper", "--store_kerberos_service")):
            store = [word for word in self.store() if not word.startswith("--store_kerberos_service=")]
            self.refused(77, says, *store, "--store_kerberos_service=" + service)

    def test_old_keys_are_named(self):
        old = self.realm.keytab("other.keytab", "other")
        self.realm.keytab("newer.keytab", "other")
        self.refused(77, "has old keys", *self.store(keytab=old))

    def test_a_ticket_that_has_expired_is_named(self):
        """Of kinit, which fensi cannot renew."""
        cache = "FILE:" + self.realm.path("brief.cache")
        self.realm.run("kinit", "-c", cache, "-l", "1s", "-k", "-t", self.keytab, "fensi")
        time.sleep(2)  # its whole life
        os.environ["KRB5CCNAME"] = cache
        self.addCleanup(os.environ.pop, "KRB5CCNAME")
        store = [word for word in self.store() if not word.startswith("--kerberos_keytab=")]
        self.refused(77, ("xpired", "run kinit, or give --kerberos_keytab"), *store)

    def test_a_user_without_rights_is_told_which_are_missing(self):
        self.main_job("guarded", *self.store())
        self.write("refused.yaml", MAPPING.format("refused"))
        store = self.store(keytab=self.reader)
        for words in (("scan", "guarded_by"), ("create", self.path("refused.yaml"), "--execute")):
            done = fensi(*words, *store, "--connect_timeout_s=5")
            self.assertEqual(done.returncode, 77, done.stderr)
            for text in ("AccessDeniedException", "reader", "Grant the right to this user"):
                self.assertIn(text, done.stderr)

    def test_a_clock_that_differs_by_ten_minutes_is_named(self):
        """Kerberos' library follows the clock of the KDC, unless krb5.conf forbids it."""
        with clock(600):
            self.main_job("ahead", *self.store())
        with open(self.realm.path("krb5.conf"), encoding="ascii") as text:
            strict = self.realm.write("strict.conf", text.read().replace("[libdefaults]", "[libdefaults]\n  kdc_timesync = 0"))
        for offset_s in self.offsets_s:
            with clock(offset_s), mock.patch.dict(os.environ, KRB5_CONFIG=strict):
                self.refused(77, "the clocks of this machine and of the KDC or the server differ", *self.store())

    def test_tickets_are_renewed_while_it_works(self):
        """Tickets of 15 s; each command after that needs another one, and the daemon's connections stay."""
        self.realm.admin("modprinc -maxlife 15s fensi")
        self.addCleanup(self.realm.admin, "modprinc -maxlife 1d fensi")
        mapping = self.write("native.yaml", MAPPING.format("native"))
        store = self.store()
        fensi_ok("create", mapping, *store, "--connect_timeout_s=120", "--execute")
        events = self.write("native.jsonl", "")
        with Daemon(self.folder, "native", mapping, "--source=file:" + events, "--follow", *store) as run:
            for row in range(3):
                with open(events, "a", encoding="ascii") as out:
                    out.write(LINE % ("native", row, row + 1, row + 1, row))
                found = lambda row=row: "r%d" % row in fensi("scan", "native_by", *store).stdout
                until("event %d is applied" % row, lambda: found() or not run.is_up(), 60)
                time.sleep(20)  # beyond the life of a ticket
            self.assertEqual(run.stop(), 0, run.messages())


class NativeTlsTest(NativeKerberosTest):
    """TLS below Kerberos."""
    scheme = "hbases"
    offsets_s = (600,)

    @classmethod
    def properties(cls, shown):
        cls.certificates.issue("client")
        return {**super().properties(shown), "hbase.server.netty.tls.enabled": "true", "hbase.client.netty.tls.enabled": "true",
                "hbase.server.netty.tls.supportplaintext": "false", "hbase.rpc.tls.keystore.location": shown + ".pem",
                "hbase.rpc.tls.truststore.location": cls.trusted(), "hbase.server.netty.tls.client.auth.mode": "NEED"}

    @classmethod
    def trusted(cls):
        with open(cls.certificates.authority, encoding="ascii") as text, open(cls.path("ca.pem"), "w", encoding="ascii") as out:
            out.write(text.read())
        return cls.path("ca.pem")

    def store(self, qop="auth-conf", *more, registry="zookeeper", keytab=None):
        return (*super().store(qop, *more, registry=registry, keytab=keytab), "--store_tls_ca_file=" + self.path("ca.pem"),
                "--store_tls_cert_file=" + self.path("client.crt"), "--store_tls_key_file=" + self.path("client.key"))

    def test_a_client_without_kerberos_is_told_what_hbase_demands(self):
        self.refused(77, ("Authentication is required", "--store_kerberos_service"), self.store()[0], *self.store()[4:])

    def refuses_server(self, says, **issued):
        """What stands before the master shows another certificate."""
        authority = issued.pop("authority", self.certificates)
        proxy = secured.TlsProxy(self.folder, "odd", authority.issue("odd", **issued), self.place.ports["master"])
        proxy.begin()
        try:
            self.refused(78, says, "--store=hbases://localhost:%d" % proxy.port, *self.store()[1:])
        finally:
            proxy.end()

    def test_a_wrong_authority_host_or_time_is_named(self):
        strangers = secured.Certificates(self.folder, "strangers")
        url, service, qop, keytab, _, *mine = self.store()
        others = "--store_tls_ca_file=" + strangers.authority
        self.refused(78, "was signed by an unknown authority", url, service, qop, keytab, others, *mine)
        self.refuses_server("was signed by an unknown authority", authority=strangers)
        self.refuses_server("has expired", days=-1)
        self.refuses_server("is not for localhost", hosts="DNS:other")

    def test_no_certificate_or_a_strangers_is_refused(self):
        self.refused(77, "demands a certificate", *self.store()[:5])
        shown = secured.Certificates(self.folder, "intruders").issue("intruder")
        self.refused(77, "refused the certificate", *self.store()[:5], "--store_tls_cert_file=" + shown + ".crt",
                     "--store_tls_key_file=" + shown + ".key")

    def test_a_client_that_speaks_plainly_is_told_the_url(self):
        plain = self.store(registry="masters")[0].replace("hbases", "hbase")
        self.refused(78, "speaks TLS: write hbases://", plain, *self.store()[1:4], timeout_s=30)

    def test_a_clock_before_the_certificates_is_named(self):
        with clock(-86_400):
            self.refused(78, "the certificate is not valid yet. Check the clock of this machine", *self.store())

    def test_certificates_of_another_authority_are_read_while_it_works(self):
        """All certificates and the authority are replaced, HBase begins again, and the daemon goes on."""
        mapping = self.write("rotated.yaml", MAPPING.format("rotated"))
        events = self.write("rotated.jsonl", LINE % ("rotated", 1, 1, 1, 1))
        fensi_ok("create", mapping, *self.store(), "--connect_timeout_s=120", "--execute")
        with Daemon(self.folder, "rotated", mapping, "--source=file:" + events, "--follow", *self.store()) as run:
            found = lambda row: row in fensi("scan", "rotated_by", *self.store(), "--connect_timeout_s=5").stdout
            until("the first event is applied", lambda: found("r1") or not run.is_up())
            type(self).certificates = secured.Certificates(self.folder, "successors")
            for name in ("server", "client"):
                self.certificates.issue(name)
            self.trusted()
            self.hbase.end()
            self.hbase.begin(self.place.ports["master"])
            with open(events, "a", encoding="ascii") as out:
                out.write(LINE % ("rotated", 2, 2, 2, 2))
            until("the second event is applied", lambda: found("r2") or not run.is_up(), 300)
            self.assertEqual(run.stop(), 0, run.messages())


if __name__ == "__main__":
    unittest.main(verbosity=2)
