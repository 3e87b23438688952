"""The admin server in TLS: who may change things through the network, what is refused before anything listens, and what clients
without TLS, with a wrong authority or with nothing to say are told."""
import contextlib
import fcntl
import http.client
import json
import os
import pty
import socket
import ssl
import subprocess
import termios
import time

import harness
from follow import MAPPING

TOKEN = "sesame-canary"


def openssl(folder, *words):
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)


class TlsTest(harness.CliTest):
    """A daemon on all addresses of the machine that may be changed: by the token, and by TLS with a certificate for 127.0.0.1."""

    def setUp(self):
        super().setUp()
        self.file("guanzhu.yaml", MAPPING)
        self.file("events.jsonl", "")
        self.secret("token", TOKEN + "\n")
        self.authority("ca")
        self.certificate("own", "ca", "IP:127.0.0.1")

    def secret(self, name, text):
        self.file(name, text)
        os.chmod(os.path.join(self.dir, name), 0o600)

    def authority(self, name):
        openssl(self.dir, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=" + name,
                "-keyout", name + ".key", "-out", name + ".pem")

    def certificate(self, name, authority, host, days="2"):
        openssl(self.dir, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=" + name, "-addext",
                "subjectAltName=" + host, "-keyout", name + ".new", "-out", name + ".csr")
        openssl(self.dir, "x509", "-req", "-in", name + ".csr", "-CA", authority + ".pem", "-CAkey", authority + ".key", "-days", days,
                "-copy_extensions", "copy", "-out", name + ".pem.new")
        os.chmod(os.path.join(self.dir, name + ".new"), 0o600)
        for made, used in ((".new", ".key"), (".pem.new", ".pem")):
            os.replace(os.path.join(self.dir, name + made), os.path.join(self.dir, name + used))

    def words(self, *more, place="0.0.0.0:0", certificate="own"):
        return ["run", "guanzhu.yaml", "--source=file:events.jsonl", "--follow", "--store=embedded:data", "--admin=" + place,
                f"--admin_tls_cert_file={certificate}.pem", f"--admin_tls_key_file={certificate}.key", *more]

    def start(self, *more, **options):
        process = subprocess.Popen([harness.FENSI, *self.words("--log_format=json", *more, **options)], cwd=self.dir, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.process = process
        said = next(line for line in map(json.loads, process.stderr) if line["event"] == "admin_serving")
        self.assertIn("https://", said["message"])
        self.port = int(said["server"].rsplit(":", 1)[1])
        self.place = "127.0.0.1:%d" % self.port

    def trusting(self, authority="ca"):
        return ssl.create_default_context(cafile=os.path.join(self.dir, authority + ".pem"))

    def ask(self, target, method="GET", context=None, **headers):
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=60, context=context or self.trusting())
        connection.request(method, target, headers={"Authorization": "Bearer " + TOKEN, **{name.replace("_", "-"): value for name, value in headers.items()}})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def serial(self):
        with socket.create_connection(("127.0.0.1", self.port), 60) as plain, self.trusting().wrap_socket(plain, server_hostname="127.0.0.1") as secure:
            return secure.getpeercert()["serialNumber"]


class Control(TlsTest):
    def test_through_the_network_it_takes_the_token_and_tls(self):
        self.start("--admin_control", "--admin_token_file=token")
        self.assertEqual(self.ask("/status")[0], 200)
        self.assertEqual(self.ask("/status", Authorization="Bearer x")[0], 401)
        self.assertEqual(self.ask("/-/healthy", Authorization="")[0], 200)
        self.assertEqual(self.ask("/status", Origin="https://" + self.place)[0], 200)
        self.assertEqual(self.ask("/status", Origin="http://" + self.place)[0], 403)
        code, text = self.ask("/-/reload", "POST", X_Fensi="1")
        self.assertEqual((code, json.loads(text)["taken"]), (200, True), text)
        asked = ("--daemon=" + self.place, "--daemon_ca_file=ca.pem", "--admin_token_file=token")
        self.assertIn("fensi", self.succeeds("status", *asked).out)
        self.assertIn("continues as before", self.succeeds("reload", *asked).out)
        self.assertEqual(self.fensi("reload", *asked[:2]).code, 77)

    def test_a_reload_does_not_take_the_token_away(self):
        self.file("flags.conf", "--admin_token_file=token\n--admin_control\n")
        self.start("--flagfile=flags.conf")
        self.file("flags.conf", "")
        code, text = self.ask("/-/reload", "POST", X_Fensi="1")
        self.assertEqual((code, "--admin_token_file" in text), (422, True), text)
        self.assertEqual(self.ask("/status", Authorization="")[0], 401)


class Refused(TlsTest):
    def test_before_anything_listens(self):
        self.authority("other")
        self.certificate("late", "ca", "IP:127.0.0.1", days="-1")
        self.certificate("open", "ca", "IP:127.0.0.1")
        os.chmod(os.path.join(self.dir, "open.key"), 0o644)
        os.replace(os.path.join(self.dir, "other.key"), os.path.join(self.dir, "mixed.key"))
        os.chmod(os.path.join(self.dir, "mixed.key"), 0o600)
        os.link(os.path.join(self.dir, "own.pem"), os.path.join(self.dir, "mixed.pem"))
        for name in ("nothing", "empty"):
            self.file(name + ".pem", "" if name == "empty" else "nonsense\n")
            self.secret(name + ".key", "nonsense\n")
        for certificate, says in (("late", "--admin_tls_cert_file: the certificate has expired"), ("open", "chmod 600"),
                                  ("mixed", "--admin_tls_key_file: no key in PEM"), ("nothing", "--admin_tls_cert_file: no certificate in PEM"),
                                  ("empty", "--admin_tls_cert_file: empty.pem: the file is empty"), ("missing", "--admin_tls_cert_file")):
            self.refuses(78, *self.words(certificate=certificate), says=says)
        self.refuses(64, *self.words()[:-1], says="require each other")
        self.assertFalse(os.path.exists(os.path.join(self.dir, "data")), "nothing was made")


class Terminal(TlsTest):
    """A pass phrase that is asked for on the terminal would stop whoever waits for a daemon."""
    ENCRYPTED = "-----BEGIN CERTIFICATE-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00112233445566778899AABBCCDDEEFF\n\n"

    def said_on_a_terminal(self, *words):
        master, terminal = pty.openpty()
        self.addCleanup(os.close, master)

        def own_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        done = subprocess.run([harness.FENSI, *words], cwd=self.dir, stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              preexec_fn=own_terminal, timeout=harness.DEADLINE_S, text=True, check=False)
        os.close(terminal)
        os.set_blocking(master, False)
        with contextlib.suppress(OSError):  # nothing, or the end of the terminal
            self.assertEqual(os.read(master, 1000), b"")
        return done

    def test_nobody_is_asked_there(self):
        with open(os.path.join(self.dir, "own.pem"), encoding="ascii") as own:
            self.file("locked.pem", own.read().replace("-----BEGIN CERTIFICATE-----\n", self.ENCRYPTED, 1))
        self.secret("some.key", "nonsense\n")
        for words, flag in ((("status", "--daemon=127.0.0.1:1", "--daemon_ca_file=locked.pem"), "--daemon_ca_file"),
                            (("scan", "t", "--store=thrifts://127.0.0.1:1", "--store_tls_ca_file=locked.pem"), "--store_tls_ca_file"),
                            (("capture", "t", "--zookeeper=127.0.0.1:1", "--kafka=127.0.0.1:1", "--tls_cert_file=own.pem",
                              "--tls_key_file=own.key", "--tls_ca_file=locked.pem"), "--tls_ca_file")):
            done = self.said_on_a_terminal(*words)
            self.assertEqual((done.returncode, flag in done.stderr), (78, True), done.stderr)


class Clients(TlsTest):
    def test_who_asks_without_tls_is_told(self):
        self.start()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", "/status")
        answer = connection.getresponse()
        self.assertEqual((answer.status, "https://" in answer.read().decode()), (400, True))
        for command in ("status", "reload"):
            self.refuses(78, command, "--daemon=" + self.place, says="name the authority of its certificate with --daemon_ca_file")

    def test_who_trusts_another_authority_or_another_name_does_not_take_it(self):
        self.authority("other")
        self.start()
        with self.assertRaises(ssl.SSLCertVerificationError):
            self.ask("/status", context=self.trusting("other"))
        self.refuses(78, "status", "--daemon=" + self.place, "--daemon_ca_file=other.pem", says="--daemon_ca_file")
        self.refuses(78, "status", "--daemon=" + self.place, "--daemon_ca_file=guanzhu.yaml", says="no certificates in PEM")
        self.certificate("elsewhere", "ca", "IP:127.0.0.2")
        self.process.kill()
        self.process.wait()
        self.start(certificate="elsewhere")
        self.refuses(78, "status", "--daemon=" + self.place, "--daemon_ca_file=ca.pem", says="not for this address")

    def test_old_versions_of_tls_are_not_spoken(self):
        self.start()
        context = self.trusting()
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
        with self.assertRaises(ssl.SSLError):
            self.ask("/status", context=context)
        self.assertEqual(self.ask("/status")[0], 200)

    def test_a_server_without_tls_is_not_taken_for_one(self):
        process = subprocess.Popen([harness.FENSI, *self.words(place="127.0.0.1:0")[:6], "--log_format=json"], cwd=self.dir, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        said = next(line for line in map(json.loads, process.stderr) if line["event"] == "admin_serving")
        self.refuses(78, "status", "--daemon=" + said["server"], "--daemon_ca_file=ca.pem", says="does not speak TLS")

    def test_who_says_nothing_is_closed_and_many_of_them_hinder_nobody_for_long(self):
        self.start()
        silent = [socket.create_connection(("127.0.0.1", self.port), 60) for _ in range(70)]
        begin = time.monotonic()
        silent[0].settimeout(60)
        self.assertEqual(silent[0].recv(1), b"")
        self.assertLess(time.monotonic() - begin, 40, "ten seconds are the limit")
        self.wait_for(lambda: self.answers_now())
        for each in silent:
            each.close()

    def answers_now(self):
        try:
            return self.ask("/status")[0] == 200
        except OSError:
            return False


class Renewed(TlsTest):
    def test_a_new_certificate_is_used_and_one_that_is_not_right_is_not(self):
        self.start()
        first = self.serial()
        self.certificate("own", "ca", "IP:127.0.0.1")
        self.wait_for(lambda: self.serial() != first)
        second = self.serial()
        self.file("own.pem", "nonsense\n")
        said = next(line for line in map(json.loads, self.process.stderr) if line["event"] == "certificate_reload_failed")
        self.assertIn("--admin_tls_cert_file", said["message"])
        self.assertRegex(said["message"], r"The former certificate is valid until 20\d\d-\d\d-\d\dT[\d:]{8}Z$")
        self.assertEqual(self.serial(), second)


harness.main_side_by_side(4)
