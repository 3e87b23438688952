#!/usr/bin/env python3
"""A thousand events of three kinds that are parked on real servers: counted, one of them shown, and ended by a person."""
import json
import subprocess
import tempfile
import unittest

from lib import reading, stack
from lib.program import FENSI, fensi
from lib.stream import Stream, partition_of

MAPPING = """\
source: %(source)s
indexes:
  %(index)s:
    row: '{f1:from | int | decimal}'
    allow: [unpadded-number, growing-key]
    columns: { 'f1:{row}': '{f1:note}' }
    table: %(index)s
    create: { families: { f1: { versions: 1 } } }
"""
GOOD, REJECTED, UNMAPPABLE, UNDECODABLE = 200, 700, 290, 10
LIMIT = "hbase.server.keyvalue.maxsize"  # of a table: HBase takes no larger cell


class ParkedTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.stream = Stream(folder.name, "parked", MAPPING)
        self.stream.create()

    def event(self, row, key, note):
        cells = [{"type": "put", "column": "f1:" + column, "ts": 10, "value": value}
                 for column, value in (("from", key), ("note", note))]
        return json.dumps({"table": self.stream.source, "row": row, "cells": cells}) + "\n"

    def parked(self, action, *words, code=0):
        done = fensi("parked", action, self.stream.mapping, self.stream.index, "--source", stack.kafka_url(), *words)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def counts(self):
        """kind -> (open, replayed, dropped)"""
        lines = [json.loads(line) for line in self.parked("list", "--json").stdout.splitlines()]
        return {line["kind"]: (line["open"], line["replayed"], line["dropped"]) for line in lines if "kind" in line}

    def publish(self):
        large = "x" * 2000
        self.stream.publish([self.event("good%d" % i, str(i), "small") for i in range(GOOD)] +
                            [self.event("large%d" % i, str(i), large) for i in range(REJECTED)] +
                            [self.event("bad%d" % i, "no number", "small") for i in range(UNMAPPABLE)])
        for i in range(UNDECODABLE):
            stack.admin("produce", self.stream.topic, str(partition_of("raw%d" % i)), "raw%d" % i, "no-event-%d" % i)
        right = {(str(i), "f1:good%d" % i): "small" for i in range(GOOD)}
        return right

    def index(self):
        return {cell: value for cell, (_, value) in reading.by_scan(self.stream.index, stack.hbase_url()).items()}

    def test_parked_events_are_counted_shown_and_ended(self):
        stack.admin("alter", self.stream.index, "-", LIMIT, "1000")
        right = self.publish()
        with self.stream.daemon("daemon") as daemon:
            self.stream.wait_caught_up(60)
            self.assertEqual(daemon.stop(), 0)
        self.assertEqual(self.index(), right)
        self.assertEqual(self.counts(), {"rejected": (REJECTED, 0, 0), "unmappable": (UNMAPPABLE, 0, 0),
                                         "undecodable": (UNDECODABLE, 0, 0)})
        self.show_one()
        drop = ("drop", "--kind", "unmappable", "--reason", "nobody's numbers")
        plan = self.parked(*drop)
        self.assertIn("%d letters to be dropped" % UNMAPPABLE, plan.stdout)
        self.assertEqual(self.counts()["unmappable"], (UNMAPPABLE, 0, 0), "nothing without --execute")
        line = plan.stdout.splitlines()[-1]
        subprocess.run(["bash", "-c", line.replace("fensi", FENSI, 1)], check=True, stdout=subprocess.DEVNULL)
        self.assertEqual(self.counts(), {"rejected": (REJECTED, 0, 0), "unmappable": (0, 0, UNMAPPABLE),
                                         "undecodable": (UNDECODABLE, 0, 0)})

    def show_one(self):
        line = self.parked("list", "--letters", "--kind", "rejected", "--rows").stdout.splitlines()[0]
        self.assertIn("row large", line)
        shown = self.parked("show", line.split()[0]).stdout
        for words in ("kind:    rejected", "from:    " + self.stream.topic, '"value":"xxxx', "put f1:large"):
            self.assertIn(words, shown)


unittest.main(verbosity=2)
