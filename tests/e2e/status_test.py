#!/usr/bin/env python3
"""`fensi status` of an index by Kafka and HBase alone: new, working, without a daemon, paused, changed, with letters."""
import json
import os
import tempfile
import unittest

from lib import stack
from lib.program import fensi, fensi_ok
from lib.stream import Stream
from lib.wait import until


def follow(row, followed, ts):
    return json.dumps({"row": row, "cells": [{"type": "put", "column": "f1:from", "ts": ts, "value": followed}]})


class StatusTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.stream = Stream(scratch.name, "status")
        self.stream.create()

    def status(self, *words, code=0, mapping=None):
        done = fensi("status", mapping or self.stream.mapping, "--source", stack.kafka_url(), "--store", stack.hbase_url(), "--json", *words)
        self.assertIn(done.returncode, [code] if code is not None else [0, 1], done.stderr)
        (told,) = [json.loads(line) for line in done.stdout.splitlines()]
        return told

    def events(self, count, first=1):
        table = self.stream.source
        return [json.dumps({"table": table, **json.loads(follow("r%d" % each, "b", 1000 + each))}) + "\n" for each in range(first, first + count)]

    def test_without_any_daemon_kafka_and_hbase_tell(self):
        told = self.status()
        self.assertEqual((told["state"], told["members"], len(told["partitions"]), told["lag_records"]), ("new", 0, 4, 0))
        self.stream.publish(self.events(10))
        with self.stream.daemon("one") as daemon:
            until("it works", lambda: self.status(code=None)["state"] == "running", 120)  # 1: it is not in the group yet
            self.stream.wait_caught_up()
            self.assertEqual((self.status("--max_lag_s", "30")["members"], self.status()["lag_records"]), (1, 0))
            self.assertEqual(daemon.stop(), 0)
        self.stream.publish(self.events(25, first=100))
        told = until("nobody has it", lambda: (lambda told: told["state"] == "unassigned" and told)(self.status(code=1)), 60)
        self.assertEqual((told["lag_records"], told["group_state"]), (25, "Empty"))
        self.assertGreater(told["lag_seconds"], 0)
        self.assertLess(told["lag_seconds"], 600)
        self.says_so_to_people()
        self.pause_and_change()

    def says_so_to_people(self):
        done = fensi("status", self.stream.mapping, "--source", stack.kafka_url(), "--store", stack.hbase_url())
        self.assertEqual((done.returncode, "no daemon has the index" in done.stderr), (1, True), done.stderr)
        self.assertIn("unassigned", done.stdout)

    def pause_and_change(self):
        fensi_ok("pause", self.stream.mapping, self.stream.index, "--store", stack.hbase_url(), "--reason", "upgrade", "--execute")
        told = self.status()
        self.assertEqual((told["state"], told["paused"].endswith(": upgrade")), ("paused", True))
        with open(self.stream.mapping, encoding="utf-8") as text:
            changed = text.read().replace("row: '{qualifier}'", "row: 'x{qualifier}'")
        path = os.path.join(self.stream.folder, "changed.yaml")
        with open(path, "w", encoding="utf-8") as out:
            out.write(changed)
        told = self.status(code=1, mapping=path)
        self.assertEqual(told["state"], "misconfigured")
        self.assertIn("definition", told["faults"][0])


if __name__ == "__main__":
    unittest.main(verbosity=2)
