#!/usr/bin/env python3
"""Reloads under load: an index comes and goes FENSI_TEST_ROUNDS times while another one works, between files that are half written, links that
are broken and folders that are gone. What is wrong changes nothing; the one that stays is not rebalanced; at the end nothing of either is
missing, orphaned or wrong."""
import contextlib
import os
import signal
import tempfile
import unittest

from lib import reading, stack
from lib.mixed import MixedLoad
from lib.program import Daemon, fensi, fensi_ok
from lib.wait import until

ROUNDS = int(os.environ.get("FENSI_TEST_ROUNDS", "3"))
PER_SECOND = 800
HALF = "source: guanzhu\nindexes:\n  half:\n    table: h\n    ro"


class ReloadTest(unittest.TestCase):
    def setUp(self):
        exits = contextlib.ExitStack()
        self.addCleanup(exits.close)
        self.folder = exits.enter_context(tempfile.TemporaryDirectory())
        self.load = MixedLoad(self.folder, "reload", PER_SECOND)
        self.stream = self.load.stream
        self.other = self.stream.index + "_other"
        self.mappings = os.path.join(self.folder, "mappings")
        os.mkdir(self.mappings)
        with open(self.stream.mapping, encoding="utf-8") as mapping:
            self.text = mapping.read()
        self.write("a.yaml", self.text)
        self.create_other()
        self.write_aside("token", "first-token\n")
        self.write_aside("fensi.conf", self.flags())
        self.daemon = exits.enter_context(self.start())
        until("it works", lambda seen=self.stream.committed(): self.stream.committed() > seen, 300)

    def create_other(self):
        path = self.write("b.yaml", self.other_text())
        fensi_ok("create", path, "--store", stack.hbase_url(), "--kafka", os.environ["FENSI_TEST_KAFKA"], "--partitions", "4", "--execute")
        os.unlink(path)

    def other_text(self):
        return self.text.replace(self.stream.index, self.other)

    def flags(self, **more):
        flags = {"log_level": "info", "workers": "1", "admin_token_file": self.aside("token"), **more}
        return "".join("--%s=%s\n" % flag for flag in flags.items())

    def start(self):
        return Daemon(self.folder, "daemon", self.mappings, "--source", stack.kafka_url(), "--store", stack.hbase_url(),
                      "--admin=unix:" + self.aside("admin.sock"), "--admin_control", "--flagfile", self.aside("fensi.conf"))

    def aside(self, name):
        return os.path.join(self.folder, name)

    def write_aside(self, name, text):
        """At once, as an editor or a mount does it, and for nobody else to read."""
        path = self.aside(name)
        with open(path + ".new", "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(path + ".new", 0o600)
        os.rename(path + ".new", path)

    def write(self, name, text):
        path = os.path.join(self.mappings, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return path

    def reload(self, code, *says):
        done = fensi("reload", "--daemon=unix:" + self.aside("admin.sock"), "--admin_token_file", self.aside("token"))
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for text in says:
            self.assertIn(text, done.stdout + done.stderr)

    def refused(self, *says):
        self.reload(78, "refused: ", "nothing was changed", *says)

    # What is done in each round.

    def come_and_go(self, works):
        path = self.write("b.yaml", self.other_text())
        self.reload(0, "index %s: begins" % self.other, "1 index continues as before")
        self.reload(0, "2 indexes continue as before")
        if works:
            until("it works, too", lambda seen=self.of_other(): self.of_other() > seen, 300)
        os.unlink(path)
        self.reload(0, "index %s: has ended; its tables stay" % self.other, "1 index continues as before")

    def half_written(self):
        path = self.write("c.yaml", HALF)
        self.refused(path + ":5:")
        os.unlink(path)

    # What is done once.

    def broken_link(self):
        path = os.path.join(self.mappings, "d.yaml")
        os.symlink("nowhere", path)
        self.refused(path + ": No such file or directory")
        os.unlink(path)

    def folder_is_gone(self):
        os.rename(self.mappings, self.mappings + ".gone")
        self.refused(self.mappings + ": No such file or directory")
        os.rename(self.mappings + ".gone", self.mappings)

    def another_definition(self):
        self.write("a.yaml", self.text.replace("'{f1:from}'", "'{f1:from | upper}'", 1))
        self.refused("index %s: its definition has changed" % self.stream.index, "fensi switch", "fensi drop")
        self.write("a.yaml", self.text)

    def nothing_was_created(self):
        path = self.write("e.yaml", self.text.replace(self.stream.index, self.stream.index + "_nowhere"))
        self.refused("fensi create " + path)
        os.unlink(path)

    def a_failing_test(self):
        path = self.write("a.yaml", self.text + "tests:\n  - name: wrong\n    given: [ { put: a, 'f1:from': b, ts: 1 } ]\n"
                          "    expect: { %s: {} }\n" % self.stream.index)
        self.refused(path + ":", "failed: wrong")
        self.write("a.yaml", self.text + "# a comment\n")
        self.reload(0, "1 index continues as before")

    def other_flags(self):
        self.write_aside("fensi.conf", self.flags(log_level="debug", workers="2"))
        self.reload(1, "--log_level", "is taken", "needs a restart: --workers (")
        self.write_aside("fensi.conf", "--log_level=loud\n")
        self.refused("fensi.conf:1: ")
        self.write_aside("fensi.conf", self.flags())
        self.reload(0, "--log_level")

    def another_token(self):
        self.write_aside("token", "second-token\n")
        self.reload(77, "the token is missing or wrong")
        self.daemon.process.send_signal(signal.SIGHUP)
        until("the new one counts", lambda: fensi("reload", "--daemon=unix:" + self.aside("admin.sock"), "--admin_token_file",
                                                  self.aside("token")).returncode == 0, 60)

    def test_what_stays_is_exact_and_so_is_what_came_and_went(self):
        before = self.stream.rebalances()
        for play in (self.broken_link, self.folder_is_gone, self.another_definition, self.nothing_was_created, self.a_failing_test,
                     self.other_flags, self.another_token):
            play()
        for number in range(ROUNDS):
            self.come_and_go(works=number % 10 == 0)
            self.half_written()
        self.assertEqual(self.stream.rebalances(), before)
        self.write("b.yaml", self.other_text())
        self.reload(0, "index %s: begins" % self.other)
        self.load.finish()
        until("the other one has all", self.other_has_all, 300, 0.5)
        self.assertEqual(self.daemon.stop(), 0)
        self.assertIn("error: reload: refused, nothing was changed: " + os.path.join(self.mappings, "c.yaml:"), self.daemon.messages())
        for index in (self.stream.index, self.other):
            reading.assert_equal(reading.values(reading.by_admin(index)), self.load.changes.index())

    def lag_of_other(self):
        return [line.split() for line in stack.admin("lag", "fensi-" + self.other, self.stream.topic).split("\n")]

    def of_other(self):
        """Events that it has committed."""
        return sum(int(committed) for _, committed, _, _ in self.lag_of_other() if committed != "-")

    def other_has_all(self):
        return all(committed == end for _, committed, end, _ in self.lag_of_other())


if __name__ == "__main__":
    unittest.main(verbosity=2)
