#!/usr/bin/env python3
"""A real Kafka with three doors, all by TLS: one for passwords (PLAIN), one for certificates, one for tickets of Kerberos. Who has
what a door asks for gets in by --kafka_property_file, and who has not is told so."""
import os
import tempfile
import time
import unittest

from lib import secured
from lib.program import Daemon, fensi, fensi_ok
from lib.proxy import Proxy
from lib.secured import kerberos_realm, servers
from lib.wait import until

PASSWORD = "pa55word"
LINE = '{"table":"t","row":"%s","cells":[{"type":"put","column":"f1:from","ts":1,"value":"b"}]}\n'
MAPPING = "source: t\nindexes:\n  back:\n    table: back\n    row: '{f1:from}'\n    columns:\n      'f1:{row}': '{f1:from}'\n"
USERS = 'org.apache.kafka.common.security.plain.PlainLoginModule required username="kafka" password="own" ' \
        'user_kafka="own" user_fensi="%s";'
KEYTAB = 'com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true keyTab="%s" ' \
         'principal="kafka/localhost@' + kerberos_realm.REALM + '";'


class SecuredKafka(servers.Kafka):
    """That of the development stack but for its doors; in its folder stand its certificates and keytab."""
    password = PASSWORD
    realm = None  # with the third door

    def __init__(self, place):
        super().__init__(place)
        self.doors = {"passwords": self.settings.address("kafka"), "certificates": "127.0.0.1:%d" % kerberos_realm.free_port()}
        self.proxies = {}  # of doors that clients reach otherwise

    def command_line(self):
        options = ["-Djava.security.krb5.conf=" + self.realm.path("krb5.conf")] if self.realm else []
        return options + super().command_line()

    def _write(self, text, *parts):
        controller = "CONTROLLER://" + self.settings.address("controller")
        listed = lambda doors: ",".join("%s://%s" % (name.upper(), address) for name, address in doors.items())
        door = {"listeners": listed(self.doors) + "," + controller,
                "advertised.listeners": listed({**self.doors, **self.proxies}),
                "inter.broker.listener.name": "PASSWORDS",
                "listener.security.protocol.map": "PASSWORDS:SASL_SSL,CERTIFICATES:SSL,TICKETS:SASL_SSL,CONTROLLER:PLAINTEXT",
                "sasl.enabled.mechanisms": "PLAIN",
                "sasl.mechanism.inter.broker.protocol": "PLAIN",
                "listener.name.passwords.plain.sasl.jaas.config": USERS % self.password,
                "listener.name.certificates.ssl.client.auth": "required",
                "ssl.keystore.type": "PEM",
                "ssl.keystore.location": "kafka.pem",  # from its folder
                "ssl.truststore.type": "PEM",
                "ssl.truststore.location": "kafka-ca.crt"}
        if self.realm:
            door.update({"listener.name.tickets.sasl.enabled.mechanisms": "GSSAPI",
                         "listener.name.tickets.sasl.kerberos.service.name": "kafka",
                         "listener.name.tickets.gssapi.sasl.jaas.config": KEYTAB % self.realm.path("kafka.keytab"),
                         "listener.name.tickets.ssl.keystore.type": "PEM",
                         "listener.name.tickets.ssl.keystore.location": "tickets.pem"})
        kept = [line for line in text.splitlines() if line.split("=")[0] not in door]
        super()._write("\n".join(kept + ["%s=%s" % item for item in door.items()]) + "\n", *parts)

    def begin(self):
        starts = self.process.log_tail(10000).count("Kafka Server started")
        self.start()
        until("Kafka has started", lambda: self.process.log_tail(10000).count("Kafka Server started") > starts or
              self.process.pid() is None)
        assert self.process.pid() is not None, self.process.log_tail(40)

    def end(self):
        self.process.stop(self.stop_seconds)


class Secured(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kafka = SecuredKafka(secured.place_of(cls, "kafka"))
        cls.authority = secured.Certificates(cls.path("kafka"), "kafka-ca")
        cls.strangers = secured.Certificates(cls.folder, "stranger")
        cls.authority.issue("kafka", "IP:127.0.0.1")
        cls.prepare()
        cls.addClassCleanup(cls.kafka.end)
        cls.kafka.begin()

    @classmethod
    def prepare(cls):
        """What more a class wants of its Kafka, before it is there."""

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    def property_file(self, name, **properties):
        """--kafka_property_file, which nobody else may read."""
        path = self.path(name)
        lines = "".join("%s=%s\n" % (key.replace("_", "."), value) for key, value in properties.items())
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as out:
            out.write(lines)
        return "--kafka_property_file=" + path

    def user(self, password=PASSWORD, authority=None):
        return self.property_file("user", security_protocol="sasl_ssl", sasl_mechanism="PLAIN", sasl_username="fensi",
                                  sasl_password=password, ssl_ca_location=(authority or self.authority).authority)

    @property
    def address(self):
        return self.kafka.settings.address("kafka")

    def capture_words(self, user):
        return ("t", "--topic=t", "--zookeeper", os.environ["FENSI_TEST_ZOOKEEPER"], "--znode=/fensi_secured_%d" % self.kafka.settings.ports["kafka"], "--kafka",
                self.address, "--listen=127.0.0.1:0", user)

    def captures(self):
        """A capture comes up, which makes the topic; once is enough."""
        if os.path.exists(self.path("capture.log")):
            return
        with Daemon(self.folder, "capture", *self.capture_words(self.user()), command="capture") as capture:
            until("the capture is ready", lambda: ", ready" in capture.messages() or not capture.is_up())
            self.assertEqual(capture.stop(), 0, capture.messages())
        self.assertNotIn(PASSWORD, capture.messages())

    def run_of_an_index(self, address, *user):
        with open(self.path("m.yaml"), "w", encoding="ascii") as out:
            out.write(MAPPING)
        self.captures()
        store = "--store=embedded:" + self.path("store")
        fensi_ok("create", self.path("m.yaml"), store, "--kafka=" + self.address, self.user(), "--execute")
        return Daemon(self.folder, "run", self.path("m.yaml"), store, "--source=kafka://" + address, *user)

    def applied(self, events, run):
        until("%d events are applied" % events, lambda: ": %d events" % events in run.messages() or not run.is_up())
        self.assertTrue(run.is_up(), run.messages())

    def publishes(self, *rows):
        with tempfile.TemporaryFile("w+", encoding="ascii") as lines:
            lines.write("".join(LINE % row for row in rows))
            lines.seek(0)
            fensi_ok("publish", "t", "--kafka=" + self.address, self.user(), stdin=lines)


class WithTickets(Secured):
    """Its third door stands open, too."""

    @classmethod
    def prepare(cls):
        os.mkdir(cls.path("realm"))
        cls.realm = cls.kafka.realm = kerberos_realm.Realm(cls.path("realm"))
        cls.realm.begin("fensi", "kafka/localhost")
        cls.addClassCleanup(cls.realm.stop_kdc)
        cls.realm.keytab("kafka.keytab", "kafka/localhost")
        cls.keytab = "--kerberos_keytab=" + cls.realm.keytab("fensi.keytab", "fensi")
        os.environ["KRB5_CONFIG"] = cls.realm.path("krb5.conf")
        cls.authority.issue("tickets", "IP:127.0.0.1,DNS:localhost")
        cls.kafka.doors["tickets"] = "localhost:%d" % kerberos_realm.free_port()

    def by_ticket(self):
        return self.property_file("ticket", security_protocol="sasl_ssl", sasl_mechanism="GSSAPI",
                                  ssl_ca_location=self.authority.authority)


class SecuredKafkaTest(WithTickets):
    def refused(self, code, says, *user, door="passwords", address=None):
        address = address or self.kafka.doors[door]
        for words in (("publish", "t"), ("tail", "t", "--from=earliest", "--max_events=1")):
            done = fensi(*words, "--kafka=" + address, "--connect_timeout_s=3", *user)
            self.assertEqual(done.returncode, code, done.stderr)
            for text in says:
                self.assertIn(text, done.stderr)
            self.assertNotIn("pa55", done.stderr)

    def lets_in(self, door, *user):
        self.captures()
        self.publishes("secret-row")
        read = fensi_ok("tail", "t", "--kafka=" + self.kafka.doors[door], "--from=earliest", "--max_events=1", *user)
        self.assertIn("secret-row", read.stdout)

    def certified(self, name, authority):
        authority.issue(name)
        return self.property_file(name, security_protocol="ssl", ssl_ca_location=self.authority.authority,
                                  ssl_certificate_location=authority.path(name + ".crt"),
                                  ssl_key_location=authority.path(name + ".key"))

    def test_who_has_authority_and_password_gets_in(self):
        self.lets_in("passwords", self.user())

    def test_a_wrong_password_is_told_in_kafkas_words(self):
        says = ("Kafka refuses the user", "Invalid username or password")
        self.refused(77, says, self.user(password="pa55wort"))
        done = fensi("capture", *self.capture_words(self.user(password="pa55wort")), "--connect_timeout_s=3")
        self.assertEqual((done.returncode, says[1] in done.stderr), (77, True), done.stderr)

    def test_an_unknown_authority_or_another_host_is_a_wrong_configuration(self):
        says = ("no encrypted connection to Kafka", "certificate verify failed")
        self.refused(78, says, self.user(authority=self.strangers))
        port = self.kafka.doors["passwords"].split(":")[1]
        self.refused(78, says, self.user(), address="localhost:" + port)

    def test_a_certificate_lets_in_and_none_or_a_strangers_does_not(self):
        self.lets_in("certificates", self.certified("client", self.authority))
        self.refused(77, ("Kafka refuses the user",), self.certified("foreign", self.strangers), door="certificates")
        nobody = self.property_file("nobody", security_protocol="ssl", ssl_ca_location=self.authority.authority)
        self.refused(77, ("Kafka refuses the user",), nobody, door="certificates")

    def test_a_keytab_lets_in_and_without_ticket_or_kdc_nobody_comes(self):
        self.lets_in("tickets", self.by_ticket(), self.keytab)
        self.refused(77, ("Kafka refuses the user", "GSSAPI"), self.by_ticket(), door="tickets")
        self.realm.stop_kdc()
        try:
            self.refused(69, ("KDC",), self.by_ticket(), self.keytab, door="tickets")
        finally:
            self.realm.start_kdc()


class LastingTest(Secured):
    """A password that is not taken any more ends a run: it may be a mistake that passes, so not at once."""

    def test_a_run_ends_when_it_was_refused_for_30_seconds(self):
        with self.run_of_an_index(self.address, self.user()) as run:
            self.publishes("a")
            self.applied(1, run)
            self.kafka.end()
            self.kafka.password = "another"
            self.kafka.begin()
            begin = time.monotonic()
            self.assertEqual(run.process.wait(100), 77, run.messages())
            self.assertGreater(time.monotonic() - begin, 20, run.messages())
            self.assertIn("Kafka refuses the user", run.messages())
            self.assertNotIn("pa55", run.messages())


class LastingTicketsTest(WithTickets):
    """Tickets of 15 s, and connections that are cut, so that the next ones need another."""

    @classmethod
    def prepare(cls):
        super().prepare()
        cls.proxy = cls.enterClassContext(Proxy(int(cls.kafka.doors["tickets"].split(":")[1])))
        cls.kafka.proxies["tickets"] = "localhost:%d" % cls.proxy.port

    def cut(self):
        time.sleep(20)  # no ticket lasts so long
        self.proxy.tell("reset")

    def test_a_run_outlives_its_tickets_and_a_kdc_that_is_away(self):
        self.realm.admin("modprinc -maxlife 15s fensi")
        with self.run_of_an_index(self.kafka.proxies["tickets"], self.by_ticket(), self.keytab) as run:
            self.publishes("a")
            self.applied(1, run)
            self.cut()
            self.publishes("b")
            self.applied(2, run)
            self.realm.stop_kdc()
            try:
                self.cut()
                self.publishes("c")
                until("the KDC is missed", lambda: "KDC" in run.messages() or not run.is_up())
                time.sleep(40)  # longer than a refusal may last
                self.assertTrue(run.is_up(), run.messages())
            finally:
                self.realm.start_kdc()
            self.applied(3, run)
            self.assertEqual(run.stop(), 0, run.messages())


if __name__ == "__main__":
    unittest.main(verbosity=2)
