#!/ usr / bin / env python3
"""The index table is dropped and made again under a living daemon, and truncated under a stopped one: the index is 'mismatch' wherever
somebody looks, `fensi wait` and `fensi switch` refuse it, and what the messages say to do makes it exact again."""
import json
import os
import subprocess
import tempfile
import unittest

from lib import stack
from lib.program import fensi, fensi_ok
from lib.stream import Stream
from lib.wait import until

ROWS = 40
LOOKED_S = 180  # a living daemon looks once a minute, and the machine may be busy
DIFFERS, REFUSED = 1, 78


class TableAgainTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.stream = Stream(self.folder, "again", partitions=1)
        stack.admin("create", self.stream.source, "f1")
        self.stream.create()
        self.put("old", ROWS)

    def put(self, word, count):
        """Rows in the source, and what happened to them in its topic."""
        rows = ["%s%d" % (word, i) for i in range(count)]
        client = [os.path.join(stack.ROOT, "deploy", "devstack"), "client", self.stream.source]
        lines = "".join("put %s f1:b x %d\n" % (row, i + 1) for i, row in enumerate(rows))
        subprocess.run(client, input=lines, text=True, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
        cells = [{
  "type" : "put", "column" : "f1:b", "ts" : i + 1, "value" : "x"} for i in range(count)]
        events = [{
  "table" : self.stream.source, "row" : row, "seq" : i + 1, "cells" : [cell]} for i, (row, cell) in enumerate(zip(rows, cells))]
        self.stream.publish(json.dumps(event) + "\n" for event in events)

    def on_index(self, command, *words, code=0):
        done = fensi(command, self.stream.mapping, self.stream.index, "--store", stack.hbase_url(), *words)
        self.assertEqual(done.returncode, code, "%s\n%s%s" % (command, done.stdout, done.stderr))
        return done.stdout + done.stderr

    def daemon(self, name):
        return self.stream.daemon(name, "--admin=unix:" + self.socket(name))

    def socket(self, name):
        return os.path.join(self.folder, name + ".sock")

    def status(self, name, code):
        """The state of the index as its daemon says it; absent: it does not answer."""
        done = fensi("status", "--daemon=unix:" + self.socket(name))
        if done.returncode not in (0, DIFFERS):
            return ""
        state = done.stdout.splitlines()[1].split()[1]
        if state in ("running", "mismatch"):
            self.assertEqual(done.returncode, code[state], done.stdout)
        return state

    def await_state(self, name, state, seconds):
        until("the index is " + state, lambda: self.status(name, {"running": 0, "mismatch": DIFFERS}) == state, seconds)

    def entries(self):
        return len(fensi_ok("scan", self.stream.index, "--store", stack.hbase_url(), "--json").stdout.splitlines())

    def repair(self, *words):
        return self.on_index("repair", "--source", stack.kafka_url(), "--recheck_s=1", *words, "--execute")

    def look_everywhere(self, daemon):
        """While the daemon is at work."""
        self.assertIn("error: index %s: Table %s was dropped and created again" % (self.stream.index, self.stream.index), daemon.messages())
        self.assertIn("is 'mismatch'. Table %s was dropped and created again" % self.stream.index, self.on_index("wait", "--until=now", code=REFUSED))
        places = ("--source", stack.kafka_url(), "--store", stack.hbase_url())
        shown = fensi("status", self.stream.mapping, *places)
        self.assertEqual((shown.returncode, shown.stdout.splitlines()[1].split()[1]), (DIFFERS, "mismatch"), shown.stdout)
        checked = fensi("check", self.stream.mapping, "--online", "--store", stack.hbase_url())
        self.assertEqual(checked.returncode, REFUSED, checked.stdout + checked.stderr)
        self.assertIn("the index is 'mismatch'", checked.stdout + checked.stderr)
        switch = fensi("switch", self.stream.mapping, "fans", "--to", self.stream.index, "--skip_verification", "--store", stack.hbase_url())
        self.assertEqual(switch.returncode, REFUSED, switch.stderr)
        self.assertIn("the index is 'mismatch'. Table", switch.stderr)

    def test_a_table_that_is_made_again_or_truncated_is_a_mismatch_until_it_is_proved(self):
        with self.daemon("first") as daemon:
            self.await_state("first", "running", 120)
            self.stream.wait_caught_up()
            self.assertEqual(self.entries(), ROWS)
            stack.admin("disable", self.stream.index)
            stack.admin("enable", self.stream.index)
            stack.admin("drop", self.stream.index)
            self.stream.create()  # as the message about a missing table says
            self.await_state("first", "mismatch", LOOKED_S)
            self.look_everywhere(daemon)
            self.put("new", ROWS)
            self.stream.wait_caught_up()
            self.assertEqual(self.entries(), ROWS, "it takes in what comes, and lacks the rest")
            self.prove_by_report()
            self.await_state("first", "running", 60)
            self.assertIn("The state 'mismatch' has ended", daemon.messages())
            self.assertEqual(daemon.stop(), 0)
        stack.admin("truncate", self.stream.index)
        with self.daemon("second") as daemon:
            self.await_state("second", "mismatch", 60)
            self.assertIn("Table %s was dropped and created again, or truncated" % self.stream.index, daemon.messages())
            self.assertEqual(self.entries(), 0)
            self.assertIn("is no 'mismatch' any more", self.repair("--verify_first"))
            self.await_state("second", "running", 60)
            self.assert_exact()
            self.assertEqual(daemon.stop(), 0)
        with self.daemon("third") as daemon:
            self.await_state("third", "running", 120)
            self.assertNotIn("mismatch", daemon.messages())

    def prove_by_report(self):
        report = os.path.join(self.folder, "report.jsonl")
        self.on_index("verify", "--recheck_s=1", "--report", report, code=DIFFERS)
        self.assertIn("is no 'mismatch' any more", self.repair("--from_report", report))
        self.assert_exact()

    def assert_exact(self):
        self.assertIn(": 0 differences among ", self.on_index("verify", "--recheck_s=1"))
        self.assertEqual(self.entries(), 2 * ROWS)


if __name__ == "__main__":
    unittest.main(verbosity=2)
