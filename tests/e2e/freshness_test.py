#!/usr/bin/env python3
"""Whoever believes an index that says "complete to T" misses no change that HBase acknowledged before T, while captures and daemons
are killed, regions move and logs roll; and an idle index is as complete as a busy one. A Java program without a line of fensi's
writes, believes and counts (client/Freshness.java). FENSI_TEST_FRESH_S: for so long, on a stack of its own with three region servers, of which
one ends under way."""
import itertools
import os
import re
import tempfile
import time
import unittest

from lib import stack
from lib.captured import SPLITS, Captured
from lib.program import Daemon, fensi
from lib.stream import Stream
from lib.wait import until

LONG_S = int(os.environ.get("FENSI_TEST_FRESH_S", "0"))
PER_SECOND = 400
ROWS = 8_000 if LONG_S else 2_000
KINDS = ("busy", "busy", "quiet", "idle")
MAPPING = """\
source: %(source)s
indexes:
  %(index)s:
    row: '{f1:from}'
    columns: { 'f1:{row}': '{f1:from@ts | decimal}' }
    table: %(index)s
    create: { families: { f1: { versions: 1 } }, split: { keys: ['2', '4', '6'] } }
"""


class Application:
    """client/Freshness.java at work on the tables."""

    def __init__(self, tables):
        words = ["%s=%s=%s" % (table.source, table.index, kind) for table, kind in zip(tables, KINDS)]
        self._process = stack.java_client(os.path.join("tests", "e2e", "client", "Freshness.java"), "fensi_meta", str(PER_SECOND),
                                          str(ROWS), *words)

    def phase(self, name):
        self._process.stdin.write(name + "\n")
        self._process.stdin.flush()

    def end(self):
        """Its exit code, and what it tells."""
        text, _ = self._process.communicate(timeout=600)
        return self._process.returncode, text

    def kill(self):
        self._process.kill()
        self._process.wait()


class FreshnessTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        if LONG_S:
            servers_of_our_own = stack.own_stack(os.path.join(self.folder, "stack"), "--regionservers", "3")
            servers_of_our_own.__enter__()
            self.addCleanup(servers_of_our_own.__exit__, None, None, None)
        self.tables = self.make_tables()
        self.captures, self.daemons = [None, None], [None, None]
        self.addCleanup(self.end_all)

    def make_tables(self):
        tables = []
        for number in range(len(KINDS)):
            folder = os.path.join(self.folder, str(number))
            os.mkdir(folder)
            table = Captured(folder, "fresh%d" % number, watermark_interval_ms=1000)
            table.mapping = os.path.join(folder, "mapping.yaml")
            with open(table.mapping, "w", encoding="utf-8") as out:
                out.write(MAPPING % {"source": table.source, "index": table.index})
            stack.admin("create", table.source, "f1,REPLICATION_SCOPE=1,VERSIONS=10",
                        *["@" + split.encode().hex() for split in SPLITS])
            Stream.create(table)
            tables.append(table)
        tables[0].add_peer(*[table.source for table in tables[1:]])
        self.addCleanup(tables[0].remove_peer)
        return tables

    def end_all(self):
        for daemon in self.captures + self.daemons:
            if daemon is not None and daemon.is_up():
                daemon.kill()

    def start_capture(self, number):
        others = [table.source for table in self.tables[1:]]
        self.captures[number] = self.tables[0].capture("capture%d" % number, *others)

    def start_daemon(self, number):
        _, *words = self.tables[0].run_words("--kafka_session_timeout_ms=6000", "--workers=2", "--connections=2")
        self.daemons[number] = Daemon(self.folder, "daemon%d" % number, *[table.mapping for table in self.tables], *words)

    # What is done to all this.

    def kill_capture(self, number):
        self.captures[number].kill()
        self.start_capture(number)

    def kill_both_captures(self):
        self.captures[0].kill()
        self.captures[1].kill()
        time.sleep(3)  # nobody takes what is written meanwhile
        self.start_capture(0)
        self.start_capture(1)

    @staticmethod
    def silence(daemon, seconds):
        """A capture keeps a call of one region server waiting meanwhile, and those of others go on; a daemon loses its partitions."""
        daemon.pause()
        time.sleep(seconds)
        daemon.resume()

    def hold_the_stream(self):
        """HBase sends nothing while captures go on telling marks, and then older edits and markers again."""
        stack.admin("disable_peer", self.tables[0].peer)
        time.sleep(5)  # longer than clocks may differ
        stack.admin("enable_peer", self.tables[0].peer)

    def kill_daemon(self, number):
        self.daemons[number].kill()
        self.start_daemon(number)

    def move(self):
        for table in self.tables[:2]:
            for key in ("", "2", "4", "6"):
                stack.admin("move", table.source, key.encode().hex())

    def stop_a_server(self):
        """Another one sends the rest of its log: a recovered queue, which HBase names after the peer and the server that ended."""
        server = stack.admin("stop_server")
        queue = "%s-%s" % (self.tables[0].peer, server)
        with open(os.path.join(os.environ["FENSI_TEST_STACK"], "log", "hbase.log"), encoding="utf-8", errors="replace") as log:
            until("the queue " + queue, lambda: any(queue in line for line in log))

    def flush(self):
        for table in self.tables:
            stack.admin("flush", table.source)

    def harms(self):
        short = [("the stream is held", self.hold_the_stream), ("a daemon is killed", lambda: self.kill_daemon(0)),
                 ("logs roll", lambda: stack.admin("roll_logs")), ("both captures are killed", self.kill_both_captures)]
        again = [("a capture is killed", lambda: self.kill_capture(1)), ("a daemon is killed", lambda: self.kill_daemon(1)),
                 ("a capture is silent", lambda: self.silence(self.captures[0], 5)), ("regions move", self.move),
                 ("a daemon is silent", lambda: self.silence(self.daemons[0], 10)), ("flushes", self.flush)]
        return itertools.cycle(short + again) if LONG_S else iter(short)

    def harm(self, application):
        begin, stopped, count = time.monotonic(), False, 0
        for name, action in self.harms():
            if LONG_S and not stopped and time.monotonic() > begin + LONG_S / 3:
                stopped, name, action = True, "a region server ends", self.stop_a_server
            application.phase(name)
            action()
            count += 1
            time.sleep(8 if LONG_S else 1)  # how long a harm may show
            if LONG_S and time.monotonic() > begin + LONG_S:
                break
        return count

    def test_what_is_complete_up_to_a_time_has_every_change_that_was_acknowledged_before(self):
        for number in (0, 1):
            self.start_capture(number)
            self.start_daemon(number)
        application = Application(self.tables)
        self.addCleanup(application.kill)
        until("there are marks", self.all_complete, 120)
        application.phase("quiet times")
        time.sleep(30 if LONG_S else 5)  # how long ages of marks are measured
        count = self.harm(application)
        application.phase("the time after")
        code, told = application.end()
        print(told + "%d harms" % count)
        changes, missed, unproven = map(int, re.search(r"changes (\d+) missed (\d+) unproven (\d+)", told).groups())
        self.assertEqual((code, missed), (0, 0), told)
        self.assertGreater(changes, PER_SECOND * (LONG_S or 10) / 20)  # it is no proof of a few, however slow the machine
        self.assertGreater(unproven, 0, "the readers would not see what is missing")

    def all_complete(self):
        return all(fensi("wait", table.mapping, table.index, "--store", stack.hbase_url(), "--until=0", "--timeout_s=1").returncode == 0
                   for table in self.tables)


if __name__ == "__main__":
    unittest.main(verbosity=2)
