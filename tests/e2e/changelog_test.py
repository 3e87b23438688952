#!/usr/bin/env python3
"""The changelog of an index on real servers, read by Flink's deserializer of debezium-json and by Debezium's own transformation behind
Kafka Connect's JsonConverter. Daemons are killed with -9, also between envelopes and cells, and one is suspended while another one takes
its partitions. In the end each reader has the table that HBase's own client reads.

FENSI_TEST_EVENTS events in each round (1,200). Maven fetches the readers once (tests/e2e/cdc/pom.xml)."""
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

from lib import reading, stack
from lib.program import fensi, fensi_ok
from lib.stream import Stream
from lib.wait import until

EVENTS = int(os.environ.get("FENSI_TEST_EVENTS", "1200"))
ROWS = 150
FLINK = "1.20.0"
SESSION = ("--kafka_session_timeout_ms", "6000")
FAULT_EXIT = 99
MAPPING = """\
source: %(source)s
indexes:
  %(index)s:
    table: %(index)s
    row: '{row}'
    columns: { 'f1:from': '{f1:from}', 'f1:to': '{f1:to}' }
    changelog: { topic: %(index)s.changelog, format: debezium }
  %(index)s_connect:
    table: %(index)s_connect
    row: '{row}'
    columns: { 'f1:from': '{f1:from}', 'f2:to': '{f1:to}' }
    changelog: { schema: true, names: qualifier }
"""


def java(*words, **options):
    sys.path.append(os.path.join(stack.ROOT, "deploy"))
    from stack import jars, java as program
    folder = jars.folder("flink", FLINK, os.path.join(stack.ROOT, "tests", "e2e", "cdc", "pom.xml"))
    command = [program.program(), "-XX:TieredStopAtLevel=1", "-Xmx384m", "-cp", os.path.join(folder, "*"),
               os.path.join(stack.ROOT, "tests", "e2e", "client", "ChangelogReader.java"), *words]
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          timeout=300, env=program.environment(), **options)


def read(topic, reader, *fields):
    """(row, field) -> value as the reader rebuilt it, and the numbers of messages."""
    done = java(os.environ["FENSI_TEST_KAFKA"], topic, reader, *fields)
    assert done.returncode == 0, done.stderr[-4000:]
    *lines, counts = done.stdout.splitlines()
    cells = {}
    for line in lines:
        row, *values = line.split("\t")
        cells.update({(row, field): value for field, value in zip(fields[1:], values) if value != "-"})
    return cells, counts


class ChangelogTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.stream = Stream(folder.name, "changelog", MAPPING)
        self.topic = self.stream.index + ".changelog"
        self.random = random.Random(7)
        self.clock = 1_482_125_382_000
        self.sequence = 0

    def event(self):
        row = "row%d" % self.random.randrange(ROWS)
        self.clock += 1
        self.sequence += 1
        cells = []
        for column in self.random.sample(["f1:from", "f1:to", "f1:other"], self.random.randrange(1, 4)):
            kind = self.random.choice(["put", "put", "put", "delete_column"])
            cell = {"type": kind, "column": column, "ts": self.clock}
            if kind == "put":
                cell["value"] = self.random.choice(["a", "b", "李"]) + str(self.clock)
            cells.append(cell)
        if self.random.randrange(8) == 0:
            cells = [{"type": "delete_family", "family": "f1", "ts": self.clock}]
        return json.dumps({"table": self.stream.source, "row": row, "seq": self.sequence, "region": "r1", "cells": cells}) + "\n"

    def publish(self):
        self.stream.publish([self.event() for _ in range(EVENTS)])

    def assert_readers_have_the_index(self):
        counts = {}
        for index, reader, fields in ((self.stream.index, "flink", ("row", "f1:from", "f1:to")),
                                      (self.stream.index + "_connect", "debezium", ("row", "from", "to"))):
            cells, counts[reader] = read(index + ".changelog", reader, *fields)
            wanted = reading.values(reading.by_admin(index))
            if reader == "debezium":
                wanted = {(row, column.split(":")[1]): value for (row, column), value in wanted.items()}
            wanted = {cell: value.encode("latin-1").decode() for cell, value in wanted.items()}
            reading.assert_equal(cells, wanted)
            self.assertGreater(len(cells), ROWS // 4)
        print(counts)
        return counts

    def run_until_caught_up(self, *more):
        with self.stream.daemon("survivor", *SESSION, *more) as daemon:
            self.wait_for_both()
            self.assertEqual(daemon.stop(), 0)
            return daemon.messages()

    def wait_for_both(self):
        self.stream.wait_caught_up(300)
        lag = "lag %s_connect %s" % (self.stream.group, self.stream.topic)
        until("the other index has caught up",
              lambda: all(line.split()[1] == line.split()[2] or line.split()[2] == "0" for line in stack.admin(*lag.split()).split("\n")), 300)

    def test_readers_rebuild_the_index_after_deaths(self):
        self.stream.create()
        self.publish()
        self.run_until_caught_up()
        self.assert_readers_have_the_index()
        for fault in ("put:%d=exit_before", "delete:%d=exit_before", "state:%d=exit_before", "done:%d=exit_before"):
            self.publish()
            words = (*SESSION, "--unlock_faults", "--fault", fault % self.random.randrange(1, 6))
            with self.stream.daemon("victim", *words) as victim:
                self.assertEqual(victim.process.wait(300), FAULT_EXIT, victim.messages()[-4000:])
        self.publish()
        with self.stream.daemon("killed", *SESSION) as killed:
            until("the daemon works", lambda: "killed" in self.stream.owners(), 300)
            killed.kill()
        self.run_until_caught_up()
        counts = self.assert_readers_have_the_index()
        for reader in ("flink", "debezium"):
            self.assertIn("tombstone=", counts[reader])

    def test_a_suspended_owner_writes_nothing_after_its_successor(self):
        self.stream.create()
        self.publish()
        with self.stream.daemon("sleeper", *SESSION) as sleeper:
            until("the daemon has committed", lambda: self.stream.committed() > 0, 300, 0.05)
            self.publish()
            sleeper.pause()
            with self.stream.daemon("successor", *SESSION) as successor:
                self.wait_for_both()
                sleeper.resume()
                self.publish()
                self.wait_for_both()
                self.assertEqual(successor.stop(), 0)
            self.wait_for_both()
            self.assertEqual(sleeper.stop(), 0)
        self.assert_readers_have_the_index()

    def test_a_missing_topic_is_named_at_the_start(self):
        self.stream.create()
        stack.admin("forget", self.topic, "nobody")
        done = fensi("run", *self.stream.run_words("--until_end"))
        self.assertEqual(done.returncode, 78, done.stderr)
        self.assertIn("topic %s does not exist" % self.topic, done.stderr)
        self.assertIn("fensi create", done.stderr)

    def test_drop_deletes_the_topic(self):
        self.stream.create()
        self.run_until_caught_up()
        done = fensi_ok("drop", self.stream.mapping, self.stream.index, "--store", stack.hbase_url(), "--kafka",
                        os.environ["FENSI_TEST_KAFKA"], "--execute")
        self.assertIn("topic %s: deleted" % self.topic, done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
