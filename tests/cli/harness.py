"""Runs the program as a person would and keeps what it said."""
import io
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

sys.path.append(os.path.join(os.environ["FENSI_ROOT"], "tests", "support"))
from over_unix import listens  # noqa: E402

FENSI = os.environ["FENSI_BIN"]
DEADLINE_S = 100  # generous: the machine may be busy


class Outcome:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    @property
    def lines(self):
        return self.out.splitlines()


class CliTest(unittest.TestCase):
    """Every test gets its own empty directory, in which the program runs."""
    maxDiff = None

    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="fensi-cli-")
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def fensi(self, *arguments, stdin="", variables=None):
        done = subprocess.run([FENSI, *arguments], input=stdin.encode(), capture_output=True, cwd=self.dir,
                              timeout=DEADLINE_S, env={**os.environ, **(variables or {})}, check=False)
        outcome = Outcome(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
        self.assert_no_trace(outcome)
        return outcome

    def assert_no_trace(self, outcome):
        for sign in ("terminate called", "*** ", "Check failed", "Traceback", "core dumped"):
            self.assertNotIn(sign, outcome.err)
        self.assertGreaterEqual(outcome.code, 0, f"died of a signal: {outcome.err}")

    def file(self, name, text):
        path = os.path.join(self.dir, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return name

    def read(self, name):
        with open(os.path.join(self.dir, name), encoding="utf-8") as text:
            return text.read()

    def wait_for(self, condition):
        deadline = time.monotonic() + DEADLINE_S
        while not condition():
            self.assertLess(time.monotonic(), deadline, "waited too long")
            time.sleep(0.05)

    def wait_for_admin(self, process, name="admin.sock"):
        """Until the process, which runs with --admin=unix:NAME, takes connections there or has ended."""
        self.wait_for(lambda: listens(os.path.join(self.dir, name)) or process.poll() is not None)

    def obeys_a_stop(self, code, says, words):
        """While the server at the address that `words` is called with takes connections and says nothing."""
        with socket.create_server(("127.0.0.1", 0)) as silent:
            silent.settimeout(DEADLINE_S)
            for number in (signal.SIGTERM, signal.SIGINT):
                process = subprocess.Popen([FENSI, *words("127.0.0.1:%d" % silent.getsockname()[1])], cwd=self.dir,
                                           stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                with silent.accept()[0]:
                    begin = time.monotonic()
                    process.send_signal(number)
                    _, said = process.communicate(timeout=DEADLINE_S)
                self.assertEqual(process.returncode, code, said)
                self.assertIn(says, said)
                self.assertLess(time.monotonic() - begin, 30)  # a minute was allowed for the server

    def succeeds(self, *arguments, **given):
        outcome = self.fensi(*arguments, **given)
        self.assertEqual(outcome.code, 0, outcome.err)
        return outcome

    def refuses(self, code, *arguments, says=(), **given):
        """The exit code is `code`, and stderr holds every text of `says`."""
        outcome = self.fensi(*arguments, **given)
        self.assertEqual(outcome.code, code, outcome.err)
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, outcome.err)
        return outcome


def main():
    unittest.main(verbosity=2)


def main_side_by_side(at_once):
    """As main(), for tests that wait more than they compute."""
    if len(sys.argv) > 1:
        main()
    classes = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    tests = [test for tests_of_class in classes for test in tests_of_class]

    def run(test):
        said = io.StringIO()
        return unittest.TextTestRunner(stream=said, verbosity=2).run(test).wasSuccessful(), said.getvalue()
    with ThreadPoolExecutor(at_once) as pool:
        ends = list(pool.map(run, tests))
    sys.stderr.write("".join(said for _, said in ends))
    sys.exit(not all(passed for passed, _ in ends))
