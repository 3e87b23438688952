#!/usr/bin/env python3
"""Every command that writes to a real HBase dies after each of its changes, while its daemon lives and the other commands' work stands. The
same line ends the work, and the index is what its source says. The table of all cases is tests/cli/deaths_test.py."""
import os
import subprocess
import tempfile
import unittest

from lib import stack
from lib.deadly import DeadlyGateway
from lib.program import fensi, fensi_ok
from lib.stream import Stream
from lib.wait import until

CHANGES = ("checkAndPut", "putMultiple", "deleteMultiple", "createTable", "disableTable", "deleteTable")
ROWS = 40
MOST_DEATHS = 60


class DeathsTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.stream = Stream(scratch.name, "alldeaths")
        stack.admin("create", self.stream.source, "f1")

    def die(self, command, *words, beside=(), claims=False):
        """After each change, until the command has nothing more to change. `words`: behind mapping and index. `claims`: each start
        changes something anew, so each lives for one change more than the one before."""
        deaths = []
        with DeadlyGateway(CHANGES) as gateway:
            while len(deaths) < MOST_DEATHS:
                code, said = gateway.run(command, self.stream.mapping, *beside, *words, "--store", gateway.url(),
                                         spared=len(deaths) if claims else 0)
                self.assertIn(code, (None, 0), "%s after the deaths at %s: %s" % (command, deaths, said))
                if code == 0:
                    print("%s: %s" % (command, ", ".join(deaths)), flush=True)
                    self.assertTrue(deaths, command)
                    return
                deaths.append(said)
        self.fail("%s comes to no end: %s" % (command, deaths))

    def of_index(self, command, *words, claims=False):
        self.die(command, *words, beside=(self.stream.index,), claims=claims)

    def verify(self, *words):
        done = fensi("verify", self.stream.mapping, self.stream.index, "--store", stack.hbase_url(), "--recheck_s=1", *words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def line(self, row):
        return ('{"table":"%s","row":"%s","seq":1,"cells":[{"type":"put","column":"f1:b","ts":1000,"value":"x"}]}\n' % (self.stream.source, row))

    def put_source(self):
        """The rows as writers of the source put them, and as events."""
        subprocess.run([os.path.join(stack.ROOT, "deploy", "devstack"), "client", self.stream.source], check=True, text=True,
                       input="".join("put r%d f1:b x 1000\n" % n for n in range(ROWS)), stdout=subprocess.DEVNULL)
        self.stream.publish([self.line("r%d" % n) for n in range(ROWS)])

    def test_each_command_is_ended_by_the_same_line(self):
        kafka, source = os.environ["FENSI_TEST_KAFKA"], stack.kafka_url()
        self.die("create", "--kafka", kafka, "--partitions", "4", "--execute")
        self.put_source()
        self.die("run", "--source", source, "--until_end", "--kafka_session_timeout_ms", "6000", claims=True)
        until("nobody runs it", lambda: self.stream.owners() == {"-"})
        self.of_index("replay", "--source", source, "--from", "earliest", "--execute", claims=True)
        with self.stream.daemon("beside", "--kafka_session_timeout_ms", "6000"):
            until("it is run", lambda: "-" not in self.stream.owners())
            self.of_index("backfill", "--source", source, "--skip_watermark_check", "--execute", claims=True)
            self.of_index("verify", "--distributed", "--recheck_s", "1", claims=True)
            self.of_index("pause", "--reason", "a test", "--execute")
            self.of_index("resume", "--execute")
            self.verify()
        self.die("switch", "--to", self.stream.index, "--skip_verification", "--execute", beside=("fans",))
        fensi_ok("switch", self.stream.mapping, "fans", "--remove", "--execute", "--store", stack.hbase_url())
        until("the group is empty", lambda: fensi("drop", self.stream.mapping, self.stream.index, "--store", stack.hbase_url(),
                                                  "--kafka", kafka).returncode == 0)
        self.of_index("drop", "--kafka", kafka, "--execute")
        self.assertIn(self.stream.source, stack.admin("tables").split("\n"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
