"""Secrets of every kind – a password, a pass phrase, keys, a token, a user of ZooKeeper, the content of a keytab – while what they are for
fails in every way: they are in nothing that is logged, printed or served, nor in what every user of the machine can see of the process."""
import os
import subprocess
import sys

import harness
from follow import MAPPING
from refusing_kafka import RefusingKafka, make_authority

sys.path.append(os.path.join(os.environ["FENSI_ROOT"], "tests", "support"))
from over_unix import OverUnix  # noqa: E402

NOBODY = "127.0.0.1:1"
PASSWORD, PHRASE, TOKEN, ZOOKEEPER, KEYTAB, OTHER = "goldammer", "zilpzalp", "dorngrasmuecke", "haubentaucher", "eisvogel", "kernbeisser"
WORDS = (PASSWORD, PHRASE, TOKEN, ZOOKEEPER, KEYTAB, OTHER)
MUTE = ("--admin=none", "--log_level=debug")


class Canary(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.file("m.yaml", MAPPING)
        self.file("events.jsonl", "")
        self.keys = []  # lines of private keys
        for name in ("kafka", "gateway"):
            make_authority(self.dir, name)
            os.chmod(os.path.join(self.dir, name + ".key"), 0o600)
            self.keys += [line for line in self.read(name + ".key").splitlines() if not line.startswith("-----")]

    def secret(self, name, text):
        self.file(name, text)
        os.chmod(os.path.join(self.dir, name), 0o600)
        return name

    def assert_silent(self, *said):
        for text in said:
            for secret in (*WORDS, *self.keys):
                self.assertNotIn(secret, text)

    def told(self, code, *words, variables=None, says=()):
        """The command ends with the code, and tells what `says` is, but no secret."""
        outcome = self.refuses(code, *words, variables=variables, says=says)
        self.assert_silent(outcome.out, outcome.err)


class WhatIsSet(Canary):
    def everything(self):
        """A file of flags with all that is secret."""
        self.secret("kafka.properties", f"sasl.password={PASSWORD}\nssl.key.password={PHRASE}\nsasl.oauthbearer.client.secret={OTHER}\n")
        self.secret("token", TOKEN + "\n")
        self.secret("zookeeper", f"anna:{ZOOKEEPER}\n")
        self.secret("keytab", KEYTAB)
        return self.secret("fensi.conf", (
            f"--kafka_property=sasl.username=anna,sasl.password={PASSWORD},ssl.key.pem={OTHER}\n--kafka_property_file=kafka.properties\n"
            "--admin_token_file=token\n--zookeeper_auth_file=zookeeper\n--kerberos_keytab=keytab\n--store_tls_cert_file=gateway.crt\n"
            "--store_tls_key_file=gateway.key\n--admin_tls_cert_file=kafka.crt\n--admin_tls_key_file=kafka.key\n--tls_key_file=kafka.key\n"))

    def test_print_flags_of_every_command_shows_none(self):
        conf = self.everything()
        for command in ("run", "capture", "verify", "backfill", "publish", "tail", "status", "create"):
            printed = self.succeeds(command, "--print_flags", "--flagfile=" + conf)
            self.assert_silent(printed.out, printed.err)
        variables = {"FENSI_KAFKA_PROPERTY": f"sasl.password={PASSWORD},sasl.oauthbearer.config=scope={PHRASE}"}
        self.assertNotIn(PASSWORD, self.succeeds("run", "--print_flags", variables=variables).out)

    def test_a_user_in_front_of_a_host_is_refused_and_not_shown(self):
        user = f"anna:{PASSWORD}@"
        for command, flag, value in (
                ("scan", "store", f"thrift+https://{user}{NOBODY}/"), ("scan", "store", f"thrift://{user}{NOBODY}"),
                ("scan", "store", f"https://{user}{NOBODY}"), ("run", "source", f"kafka://{NOBODY},{user}{NOBODY}"),
                ("tail", "kafka", user + NOBODY), ("capture", "zookeeper", user + NOBODY), ("status", "daemon", f"http://{user}{NOBODY}"),
                ("run", "admin", user + NOBODY), ("capture", "listen", user + NOBODY), ("capture", "announce", user + "host")):
            conf = self.secret("place.conf", f"--{flag}={value}\n")
            for words, variables in (((f"--{flag}={value}",), {}), ((f"--flagfile={conf}",), {}), ((), {"FENSI_" + flag.upper(): value})):
                self.told(64, command, *words, variables=variables, says="a user in front of a host")
                self.told(64, command, "--print_flags", *words, variables=variables, says="a user in front of a host")

    def test_an_at_sign_in_a_path_is_a_letter(self):
        self.succeeds("run", "m.yaml", "--source=file:events.jsonl", "--store=embedded:a@b", "--admin=unix:a@c")


class WhatIsWrong(Canary):
    """A file with something else in it is named, and not quoted."""

    def test_of_kafka(self):
        for text in (f"sasl.pasword={PASSWORD}\n", f"{PASSWORD}\n", f"sasl.password={PASSWORD}\n\0\n", f"security.protocol=ssl\nssl.key.pem={OTHER}\n",
                     f"security.protocol=ssl\nssl.key.location=kafka.key\nssl.certificate.pem={OTHER}\n"):
            self.told(78, "tail", "t", "--kafka=" + NOBODY, "--connect_timeout_s=2", "--kafka_property_file=" + self.secret("kafka.properties", text))

    def test_a_wrong_pass_phrase_of_a_key(self):
        subprocess.run(["openssl", "ec", "-aes256", "-passout", "pass:right", "-in", "kafka.key", "-out", "locked.key"], cwd=self.dir,
                       check=True, capture_output=True)
        properties = self.secret("kafka.properties", "security.protocol=ssl\nssl.key.location=locked.key\nssl.certificate.location=kafka.crt\n"
                                 f"ssl.key.password={PHRASE}\ndebug=all\n")
        self.told(78, "run", "m.yaml", f"--source=kafka://{NOBODY}", "--store=embedded:data", *MUTE, "--kafka_property_file=" + properties)

    def test_of_the_others(self):
        run = ("run", "m.yaml", "--source=file:events.jsonl")
        here = (*run, "--store=embedded:data")
        tls = (*run, f"--store=thrifts://{NOBODY}", "--admin=none", "--store_tls_cert_file=gateway.crt")
        self.told(78, *here, "--admin=127.0.0.1:0", "--admin_token_file=" + self.secret("token", f"{TOKEN} {TOKEN}\n"))
        self.told(78, *here, "--admin=127.0.0.1:0", "--admin_tls_cert_file=kafka.crt", "--admin_tls_key_file=gateway.key")
        self.told(78, *here, "--admin=127.0.0.1:0", "--admin_tls_cert_file=kafka.crt", "--admin_tls_key_file=" + self.secret("key", OTHER))
        self.told(78, *tls, "--store_tls_key_file=" + self.secret("key", OTHER))
        self.told(78, *tls, "--store_tls_key_file=kafka.key")
        self.told(78, *run, f"--store=thrift://{NOBODY}", "--admin=none", "--store_kerberos_service=hbase",
                  "--kerberos_keytab=" + self.secret("keytab", KEYTAB))
        for text in (ZOOKEEPER, f"anna:{ZOOKEEPER}\nanna:{ZOOKEEPER}\n"):
            self.told(78, "capture", "t", f"--zookeeper={NOBODY}", f"--kafka={NOBODY}", "--zookeeper_auth_file=" + self.secret("zookeeper", text))


class WhatIsRefused(Canary):
    """Programs at work with good secrets that nobody takes, with all that they and their libraries say."""

    def start(self, *words):
        with open(os.path.join(self.dir, "log"), "a", encoding="utf-8") as log:
            process = subprocess.Popen([harness.FENSI, *words], cwd=self.dir, stdout=log, stderr=log)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        with open("/proc/%d/cmdline" % process.pid, encoding="utf-8", errors="replace") as line:
            self.assert_silent(line.read())
        return process

    def asked(self):
        """What the admin server answers."""
        said = []
        for target in ("/", "/status", "/history", "/flags", "/metrics", "/-/healthy?verbose", "/-/ready?verbose"):
            connection = OverUnix(os.path.join(self.dir, "admin.sock"))
            connection.request("GET", target, headers={"Authorization": "Bearer " + TOKEN})
            answer = connection.getresponse()
            said.append(answer.read().decode())
            self.assertIn(answer.status, (200, 503), target)
        return said

    def by_kafka(self, form):
        kafka = RefusingKafka(tls=os.path.join(self.dir, "kafka"))
        self.addCleanup(kafka.close)
        kafka.refuses.clear()  # a process that is refused ends, and answers nothing any more
        properties = self.secret("kafka.properties", "security.protocol=sasl_ssl\nssl.ca.location=kafka.crt\nsasl.mechanism=PLAIN\n"
                                 f"sasl.username=anna\nsasl.password={PASSWORD}\nssl.key.password={PHRASE}\ndebug=all\n")
        self.secret("token", TOKEN + "\n")
        process = self.start("run", "m.yaml", f"--source=kafka://{kafka.address}", "--store=embedded:data", "--kafka_property_file=" + properties,
                             "--admin=unix:admin.sock", "--admin_token_file=token", "--log_level=debug", "--log_format=" + form)
        self.wait_for_admin(process)
        self.assert_silent(*self.asked())
        kafka.refuses.set()
        self.assertEqual(process.wait(harness.DEADLINE_S), 77)
        self.assertIn(PASSWORD.encode(), b"".join(kafka.attempts), "it was sent")
        self.assertIn("Invalid username or password", self.read("log"))
        self.assert_silent(self.read("log"))

    def test_by_kafka_with_a_log_of_text(self):
        self.by_kafka("text")

    def test_by_kafka_with_a_log_of_json(self):
        self.by_kafka("json")

    def test_by_who_would_be_a_gateway(self):
        """TLS is spoken with our certificate, and then nothing is answered."""
        gateway = RefusingKafka(tls=os.path.join(self.dir, "gateway"), asks_for_certificate=True)
        self.addCleanup(gateway.close)
        self.told(69, "scan", "t", f"--store=thrifts://{gateway.address}", "--connect_timeout_s=2", "--store_tls_ca_file=gateway.crt",
                  "--store_tls_cert_file=gateway.crt", "--store_tls_key_file=gateway.key")


harness.main_side_by_side(3)
