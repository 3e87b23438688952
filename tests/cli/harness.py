"""Runs the program as a person would and keeps what it said."""
import os
import shutil
import subprocess
import tempfile
import time
import unittest

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

    def fensi(self, *arguments, stdin=""):
        done = subprocess.run([FENSI, *arguments], input=stdin.encode(), capture_output=True, cwd=self.dir,
                              timeout=DEADLINE_S)
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

    def succeeds(self, *arguments, stdin=""):
        outcome = self.fensi(*arguments, stdin=stdin)
        self.assertEqual(outcome.code, 0, outcome.err)
        return outcome

    def refuses(self, code, *arguments, says=(), stdin=""):
        """The exit code is `code`, and stderr holds every text of `says`."""
        outcome = self.fensi(*arguments, stdin=stdin)
        self.assertEqual(outcome.code, code, outcome.err)
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, outcome.err)
        return outcome


def main():
    unittest.main(verbosity=2)
