#!/usr/bin/env python3
"""Tables of periods that are over are dropped on a real HBase: by a command that dies after each of its changes, while the daemon lives and
rows of these periods change; and by two daemons at once."""
import json
import os
import subprocess
import tempfile
import time
import unittest

from lib import stack
from lib.deadly import DeadlyGateway
from lib.program import fensi
from lib.stream import Stream
from lib.wait import until

CHANGES = ("checkAndPut", "putMultiple", "deleteMultiple", "createTable", "disableTable", "deleteTable")
DAY_MS = 86_400_000
AGES = {"a": 400, "b": 300, "young": 3}  # days
MAPPING = """\
source: %(source)s
indexes:
  %(index)s:
    table: '%(index)s_{f1:b@ts | time "%%Y%%m%%d"}'
    retention: 9000d
    row: '{f1:b}'
    columns: { 'f1:{row}': '{f1:b}' }
    create: { families: { f1: { versions: 1 } } }
"""


class ExpiredTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.now = int(time.time() * 1000)
        self.stream = Stream(scratch.name, "expired", mapping=MAPPING)
        stack.admin("create", self.stream.source, "f1")
        self.stream.create()
        self.put({row: self.now - age * DAY_MS for row, age in AGES.items()})
        self.stream.run_to_end()
        # What it keeps is no part of its definition.
        with open(self.stream.mapping, encoding="utf-8") as text:
            mapping = text.read()
        with open(self.stream.mapping, "w", encoding="utf-8") as out:
            out.write(mapping.replace("9000d", "60d"))

    def put(self, times):
        """{row: time}: into the source, and as events."""
        subprocess.run([os.path.join(stack.ROOT, "deploy", "devstack"), "client", self.stream.source], check=True, text=True,
                       input="".join("put %s f1:b x %d\n" % cell for cell in times.items()), stdout=subprocess.DEVNULL)
        self.stream.publish([json.dumps({"table": self.stream.source, "row": row, "seq": at,
                                         "cells": [{"type": "put", "column": "f1:b", "ts": at, "value": "x"}]}) + "\n" for row, at in times.items()])

    def table(self, at):
        return time.strftime(self.stream.index + "_%Y%m%d", time.gmtime(at / 1000))

    def of_periods(self):
        return {name for name in stack.admin("tables").split("\n") if name.startswith(self.stream.index + "_2")}

    def wanted(self):
        return {self.table(self.now - AGES["young"] * DAY_MS)}

    def words(self, url):
        return ("drop", self.stream.mapping, self.stream.index, "--expired", "--store", url)

    def follow(self, times):
        self.put(times)
        self.stream.wait_caught_up(60)

    def verify(self):
        done = fensi("verify", self.stream.mapping, self.stream.index, "--store", stack.hbase_url(), "--recheck_s=1")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_drop_that_dies_after_each_of_its_changes_is_ended_by_the_same_line_and_stops_no_daemon(self):
        self.assertEqual(len(self.of_periods()), len(AGES))
        deaths = []
        with self.stream.daemon("beside", "--kafka_session_timeout_ms", "6000") as daemon, DeadlyGateway(CHANGES) as gateway:
            while True:
                code, said = gateway.run(*self.words(gateway.url()), "--execute")
                self.assertIn(code, (None, 0), "after the deaths at %s: %s" % (deaths, said))
                if code == 0:
                    break
                deaths.append(said)
                if said == "disableTable" and deaths.count(said) == 1:
                    self.assertIn("its drop has begun", fensi(*self.words(stack.hbase_url())).stdout)
                    # Its entry was in the table that is disabled now: that is not waited for, and verify does not either.
                    self.follow({"a": self.now})
                    self.verify()
            print(", ".join(deaths))
            self.assertEqual((deaths.count("disableTable"), deaths.count("deleteTable")), (2, 2))
            self.assertIn("nothing to do", fensi(*self.words(stack.hbase_url()), "--execute").stderr)
            # The table of this one is gone.
            self.follow({"b": self.now})
            self.assertEqual(daemon.stop(), 0)
        self.assertEqual(self.of_periods(), self.wanted() | {self.table(self.now)})
        self.verify()
        self.assertEqual(fensi("check", self.stream.mapping, "--online", "--store", stack.hbase_url(), "--kafka", os.environ["FENSI_TEST_KAFKA"]).returncode, 0)

    def test_two_daemons_drop_at_once_and_both_go_on(self):
        with self.stream.daemon("one", "--drop_expired") as one, self.stream.daemon("two", "--drop_expired") as two:
            until("what is over is dropped", lambda: self.of_periods() == self.wanted())
            self.follow({"a": self.now, "b": self.now})
            self.assertEqual((one.stop(), two.stop()), (0, 0))
            said = one.messages() + two.messages()
        for age in (AGES["a"], AGES["b"]):
            self.assertIn("table %s is dropped" % self.table(self.now - age * DAY_MS), said)
        self.assertNotIn("cannot drop", said)
        self.assertEqual(self.of_periods(), self.wanted() | {self.table(self.now)})
        self.verify()


if __name__ == "__main__":
    unittest.main(verbosity=2)
