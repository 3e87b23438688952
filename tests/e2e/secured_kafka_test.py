#!/usr/bin/env python3
"""A real Kafka that takes only TLS and passwords (SASL_SSL, PLAIN): who has both gets in by --kafka_property_file, and who
has not is told so."""
import os
import subprocess
import sys
import tempfile
import time
import unittest

from lib import stack
from lib.program import Daemon, fensi, fensi_ok
from lib.wait import until

sys.path.append(os.path.join(stack.ROOT, "deploy"))
from stack import servers, settings  # those that run the development stack, too

PASSWORD = "pa55word"
LINE = '{"table":"t","row":"%s","cells":[{"type":"put","column":"f1:from","ts":1,"value":"b"}]}\n'
MAPPING = "source: t\nindexes:\n  back:\n    table: back\n    row: '{f1:from}'\n    columns:\n      'f1:{row}': '{f1:from}'\n"
USERS = 'org.apache.kafka.common.security.plain.PlainLoginModule required username="kafka" password="own" ' \
        'user_kafka="own" user_fensi="%s";'


class SecuredKafka(servers.Kafka):
    """That of the development stack but for its door; kafka.pem in its folder is its key and its certificate."""
    password = PASSWORD

    def _write(self, text, *parts):
        broker, controller = self.settings.address("kafka"), self.settings.address("controller")
        door = {"listeners": "SASL_SSL://%s,CONTROLLER://%s" % (broker, controller),
                "advertised.listeners": "SASL_SSL://" + broker,
                "inter.broker.listener.name": "SASL_SSL",
                "listener.security.protocol.map": "SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT",
                "sasl.enabled.mechanisms": "PLAIN",
                "sasl.mechanism.inter.broker.protocol": "PLAIN",
                "listener.name.sasl_ssl.plain.sasl.jaas.config": USERS % self.password,
                "ssl.keystore.type": "PEM",
                "ssl.keystore.location": "kafka.pem",  # from its folder
                "ssl.truststore.type": "PEM",
                "ssl.truststore.location": "kafka.crt"}
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
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = scratch.name
        os.mkdir(cls.path("kafka"))
        cls.kafka = SecuredKafka(settings.load_or_create(cls.path("kafka"), "free", 1))
        cls.authority("kafka/kafka")
        cls.authority("stranger")
        with open(cls.path("kafka/kafka.pem"), "w", encoding="ascii") as out:
            for part in ("kafka/kafka.key", "kafka/kafka.crt"):
                with open(cls.path(part), encoding="ascii") as text:
                    out.write(text.read())
        cls.addClassCleanup(cls.kafka.end)
        cls.kafka.begin()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def authority(cls, name):
        """NAME.crt and NAME.key, for 127.0.0.1, signed by itself."""
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=authority",
                        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", cls.path(name + ".key"), "-out",
                        cls.path(name + ".crt")], check=True, capture_output=True)

    def user(self, password=PASSWORD, authority="kafka/kafka.crt"):
        """--kafka_property_file, which nobody else may read."""
        path = self.path("%s-%s" % (password, authority.replace("/", "-")))
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as out:
            out.write("security.protocol=sasl_ssl\nsasl.mechanism=PLAIN\nsasl.username=fensi\nsasl.password=%s\n"
                      "ssl.ca.location=%s\n" % (password, self.path(authority)))
        return "--kafka_property_file=" + path

    @property
    def address(self):
        return self.kafka.settings.address("kafka")

    def capture_words(self, user):
        return ("t", "--topic=t", "--zookeeper", os.environ["FENSI_TEST_ZOOKEEPER"], "--znode=/fensi_secured", "--kafka",
                self.address, "--listen=127.0.0.1:0", user)

    def captures(self):
        """A capture comes up, which makes the topic."""
        with Daemon(self.folder, "capture", *self.capture_words(self.user()), command="capture") as capture:
            until("the capture is ready", lambda: ", ready" in capture.messages() or not capture.is_up())
            self.assertEqual(capture.stop(), 0, capture.messages())
        self.assertNotIn(PASSWORD, capture.messages())

    def publishes(self, *rows):
        with tempfile.TemporaryFile("w+", encoding="ascii") as lines:
            lines.write("".join(LINE % row for row in rows))
            lines.seek(0)
            fensi_ok("publish", "t", "--kafka=" + self.address, self.user(), stdin=lines)


class SecuredKafkaTest(Secured):
    def refused(self, code, says, user):
        for words in (("capture", *self.capture_words(user), "--connect_timeout_s=3"),
                      ("publish", "t", "--kafka=" + self.address, "--connect_timeout_s=3", user)):
            done = fensi(*words)
            self.assertEqual(done.returncode, code, done.stderr)
            for text in says:
                self.assertIn(text, done.stderr)
            self.assertNotIn("pa55", done.stderr)

    def test_who_has_authority_and_password_gets_in(self):
        self.captures()
        self.publishes("secret-row")
        read = fensi_ok("tail", "t", "--kafka=" + self.address, "--from=earliest", "--max_events=1", self.user())
        self.assertIn("secret-row", read.stdout)

    def test_a_wrong_password_is_told_in_kafkas_words(self):
        self.refused(77, ("Kafka refuses the user", "Invalid username or password"), self.user(password="pa55wort"))

    def test_an_unknown_authority_is_a_wrong_configuration(self):
        self.refused(78, ("no encrypted connection to Kafka", "certificate verify failed"), self.user(authority="stranger.crt"))


class LastingTest(Secured):
    """A password that is not taken any more ends a run: it may be a mistake that passes, so not at once."""

    def test_a_run_ends_when_it_was_refused_for_30_seconds(self):
        with open(self.path("m.yaml"), "w", encoding="ascii") as out:
            out.write(MAPPING)
        self.captures()
        self.publishes("a")
        store = "--store=embedded:" + self.path("store")
        fensi_ok("create", self.path("m.yaml"), store, "--kafka=" + self.address, self.user(), "--execute")
        with Daemon(self.folder, "run", self.path("m.yaml"), store, "--source=kafka://" + self.address, self.user()) as run:
            until("the run has read it", lambda: ": 1 events" in run.messages() or not run.is_up())
            self.kafka.end()
            self.kafka.password = "another"
            self.kafka.begin()
            begin = time.monotonic()
            self.assertEqual(run.process.wait(100), 77, run.messages())
            self.assertGreater(time.monotonic() - begin, 20, run.messages())
            self.assertIn("Kafka refuses the user", run.messages())


if __name__ == "__main__":
    unittest.main(verbosity=2)
