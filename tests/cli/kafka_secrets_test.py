"""--kafka_property_file, and what a person is told when Kafka refuses the connection: words, and exit code 77 or 78."""
import os
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import harness
from follow import MAPPING, follow
from refusing_kafka import RefusingKafka, make_authority

NOBODY = "127.0.0.1:1"
SECRET = "hunter2,with=all; sorts #of\\things"
USER = "sasl.mechanism=PLAIN\nsasl.username=anna\nsasl.password=" + SECRET + "\n"
PATIENCE = "--connect_timeout_s=2"


class Secrets(harness.CliTest):
    def settings(self, text, mode=0o600):
        name = self.file("kafka.properties", text)
        os.chmod(os.path.join(self.dir, name), mode)
        return "--kafka_property_file=" + name

    def commands(self, kafka, *more):
        """Every command that talks to Kafka, each with a store of its own, which is there already."""
        self.file("m.yaml", MAPPING)
        self.file("events.jsonl", follow("a", "b", 10))
        store = {name: f"--store=embedded:{name}" for name in ("check", "create", "replay", "run")}
        self.succeeds("run", "m.yaml", "--source=file:events.jsonl", store["run"])
        for name in ("check", "create", "replay"):
            shutil.copytree(os.path.join(self.dir, "run"), os.path.join(self.dir, name), dirs_exist_ok=True)
        return (("capture", "guanzhu", f"--kafka={kafka}", f"--zookeeper={NOBODY}", *more),
                ("check", "m.yaml", "--online", store["check"], f"--kafka={kafka}", PATIENCE, *more),
                ("create", "m.yaml", store["create"], f"--kafka={kafka}", PATIENCE, *more),
                ("publish", "guanzhu", f"--kafka={kafka}", PATIENCE, *more),
                ("replay", "m.yaml", "fensi", store["replay"], f"--source=kafka://{kafka}", "--from=earliest", PATIENCE, *more),
                ("run", "m.yaml", store["run"], f"--source=kafka://{kafka}", *more),
                ("tail", "guanzhu", f"--kafka={kafka}", PATIENCE, *more))

    def all_refused(self, code, says, kafka, *more, look=lambda err: None):
        """All at once: most of their time they wait."""
        def refused(words):
            outcome = self.refuses(code, *words, says=says)
            self.assertNotIn("hunter2", outcome.err + outcome.out)
            return outcome.err
        with ThreadPoolExecutor() as pool:
            attempts = [(words[0], pool.submit(refused, words)) for words in self.commands(kafka, *more)]
        for name, attempt in attempts:
            with self.subTest(command=name):
                look(attempt.result())


class PropertyFile(Secrets):
    def test_every_command_with_properties_takes_the_file(self):
        self.all_refused(78, ("kafka.properties:2 is not KEY=VALUE",), NOBODY, self.settings("client.id=a\nhunter2\n"))

    def test_all_faulty_lines_are_named_and_none_is_shown(self):
        file = self.settings("# a comment = x\n\n  client.id = a  \r\nhunter2\n=hunter2\nclient.id=b\n")
        self.refuses(78, "tail", "t", f"--kafka={NOBODY}", file,
                     says=("properties:4 is not KEY=VALUE", "properties:5 is not", "properties:6 sets client.id a second time"))

    def test_what_fensi_decides_itself_is_refused_in_the_file_too(self):
        file = self.settings("acks=0\nno.such.thing=1\nenable.idempotence=false\n")
        self.refuses(78, "tail", "t", f"--kafka={NOBODY}", file,
                     says=("kafka.properties: ", '"acks" is decided by fensi', "no.such.thing", '"enable.idempotence" is decided'))

    def test_a_secret_that_others_may_read_is_refused(self):
        for mode in (0o644, 0o640, 0o620, 0o602, 0o604):
            self.refuses(78, "tail", "t", f"--kafka={NOBODY}", self.settings(USER, mode),
                         says=("holds a secret, and other users may read or change it", "chmod 600 kafka.properties"))

    def test_a_key_that_others_may_read_is_refused(self):
        for place in ("ssl.key.location", "ssl.keystore.location"):
            self.file("key", "no key\n")
            os.chmod(os.path.join(self.dir, "key"), 0o644)
            for given in (self.settings(f"security.protocol=ssl\n{place}=key\n"), f"--kafka_property=security.protocol=ssl,{place}=key"):
                self.refuses(78, "tail", "t", f"--kafka={NOBODY}", given, says=(place + ": key: holds a secret, and other users may read or change it", "chmod 600 key"))

    def test_a_place_of_a_secret_that_is_none_is_not_taken_for_the_secret(self):
        for value in ("@secret.txt", "@credentials:kafka", "@"):
            for given in (self.settings("sasl.password=" + value + "\n"), "--kafka_property=sasl.password=" + value):
                outcome = self.fensi("tail", "t", f"--kafka={NOBODY}", given)
                self.assertNotEqual(outcome.code, 69, outcome.err)
                self.assertIn("sasl.password", outcome.err)

    def test_without_a_secret_everybody_may_read_it(self):
        self.refuses(69, "tail", "t", f"--kafka={NOBODY}", PATIENCE, self.settings("client.id=a\n", 0o644))

    def test_a_file_that_is_missing_a_folder_or_huge_is_named(self):
        os.mkdir(os.path.join(self.dir, "folder"))
        self.file("huge", "#" * (2 << 20))
        for name, says in (("absent", "absent: No such file"), ("folder", "folder: Is a directory"), ("huge", "huge: the file has more than 1048576 bytes")):
            self.refuses(78, "tail", "t", f"--kafka={NOBODY}", f"--kafka_property_file={name}", says=says)

    def test_a_pipe_is_read_once_and_the_secret_is_in_no_command_line(self):
        kafka = RefusingKafka()
        self.addCleanup(kafka.close)
        self.file("m.yaml", MAPPING)
        command = f'exec "$0" run m.yaml --store embedded:data --source kafka://{kafka.address} --kafka_property_file <(cat secret)'
        self.file("secret", "security.protocol=sasl_plaintext\n" + USER)
        done = subprocess.run(["bash", "-c", command, harness.FENSI], cwd=self.dir, capture_output=True, text=True,
                              timeout=harness.DEADLINE_S)
        self.assertEqual(done.returncode, 77, done.stderr)
        self.assertNotIn("hunter2", done.stderr)

    def test_the_command_line_goes_before_the_file(self):
        self.refuses(64, "tail", "t", f"--kafka={NOBODY}", self.settings("client.id=a\n"), "--kafka_property=acks=0",
                     says='"acks" is decided by fensi')
        self.refuses(69, "tail", "t", f"--kafka={NOBODY}", PATIENCE, self.settings("security.protocol=ssl\nssl.ca.location=/absent\n"),
                     "--kafka_property=security.protocol=plaintext")


class Refused(Secrets):
    def kafka(self, **how):
        kafka = RefusingKafka(**how)
        self.addCleanup(kafka.close)
        return kafka.address

    def authority(self, name="ca"):
        return make_authority(self.dir, name)

    def test_a_wrong_password_is_told_in_kafkas_words(self):
        ca = self.authority()
        file = self.settings("security.protocol=sasl_ssl\nssl.ca.location=ca.crt\n" + USER)
        self.all_refused(77, "Invalid username or password", self.kafka(tls=ca), file)

    def test_a_certificate_of_an_unknown_authority_is_a_wrong_configuration(self):
        self.authority("other")
        file = self.settings("security.protocol=ssl\nssl.ca.location=other.crt\n")
        self.all_refused(78, ("certificate verify failed", "ssl.ca.location"), self.kafka(tls=self.authority()), file)

    def test_an_authority_that_is_not_there_is_a_wrong_configuration(self):
        file = self.settings("security.protocol=ssl\nssl.ca.location=absent.crt\n")
        self.all_refused(78, "ssl.ca.location", NOBODY, file)

    def test_a_broker_that_wants_a_certificate_refuses_us(self):
        file = self.settings("security.protocol=ssl\nssl.ca.location=ca.crt\n")
        kafka = self.kafka(tls=self.authority(), asks_for_certificate=True)
        self.all_refused(77, "certificate", kafka, file)

    def test_a_plain_connection_to_a_port_with_tls_says_what_may_be_wrong(self):
        self.refuses(69, "tail", "guanzhu", f"--kafka={self.kafka(tls=self.authority())}", PATIENCE, says="security.protocol")

    def test_tls_to_a_plain_port_says_what_may_be_wrong(self):
        """A broker that is being stopped looks the same: no reason to call the configuration wrong."""
        file = self.settings("security.protocol=ssl\n")
        self.refuses(69, "tail", "guanzhu", f"--kafka={self.kafka()}", PATIENCE, file, says="SSL")

    def test_a_run_ends_long_before_the_first_contact_is_given_up(self):
        self.file("m.yaml", MAPPING)
        begin = time.monotonic()
        self.refuses(77, "run", "m.yaml", "--store=embedded:data", f"--source=kafka://{self.kafka()}",
                     self.settings("security.protocol=sasl_plaintext\n" + USER), says="Kafka refuses the user")
        self.assertLess(time.monotonic() - begin, 20)

    def test_words_of_a_broker_steer_nothing(self):
        kafka = self.kafka(words="no\x1b[2J\n2026-01-01T00:00:00Z error: forged\x07\xc2\x9b31m")
        file = self.settings("security.protocol=sasl_plaintext\n" + USER)

        def look(err):
            self.assertNotRegex(err, "[\x00-\x08\x0b-\x1f\x7f-\x9f]")
            self.assertNotRegex(err, "(?m)^2026-01-01T00:00:00Z error: forged")
        self.all_refused(77, "forged", kafka, file, look=look)


harness.main_side_by_side(3)
