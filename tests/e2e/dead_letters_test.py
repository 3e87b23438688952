#!/usr/bin/env python3
"""A thousand events of five kinds that become dead letters on real servers: counted, one of them shown, the cause fixed, and retried by two
persons at once: the index is what its source says, exactly, and the ledger says who did it. What cannot be mended comes back and is
ended."""
import json
import os
import re
import subprocess
import tempfile
import threading
import time
import unittest

from lib import reading, stack
from lib.program import FENSI, fensi
from lib.stream import Stream

MAPPING = """\
source: %(source)s
indexes:
  %(index)s:
    row: '{f1:from | int | decimal}'
    ignore_warnings: [unpadded-number, growing-key]
    columns: { 'f1:{row}': '{f1:note}' }
    table: '%(index)s_{f1:from@ts | time %%Y}'
    retention: 300d
    create: { families: { f1: { versions: 1 } } }
"""
GOOD = 200
PARKED = {"undecodable": 10, "rejected": 600, "unmappable": 290, "outside_retention": 100}
LIMIT = "hbase.server.keyvalue.maxsize"  # of a table: HBase takes no larger cell
LARGE = "x" * 2000
NOW = int(time.time() * 1000)
TOO_OLD = NOW - 400 * 86_400_000


class DeadLettersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.stream = Stream(folder.name, "parked", MAPPING)
        stack.admin("create", self.stream.source, "f1")
        self.stream.create()
        self.table = self.stream.index + time.strftime("_%Y", time.gmtime(NOW / 1000))

    def event(self, row, key, note="small", ts=NOW):
        cells = [{"type": "put", "column": "f1:from", "ts": ts, "value": key},
                 {"type": "put", "column": "f1:note", "ts": ts, "value": note}]
        return json.dumps({"table": self.stream.source, "row": row, "cells": cells}) + "\n"

    def parked(self, action, *words, code=0):
        places = ("--store", stack.hbase_url()) if action == "retry" else ()
        done = fensi("dead-letters", action, self.stream.mapping, self.stream.index, "--source", stack.kafka_url(), *places, *words)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def run_lines_of_the_page(self, action, place=""):
        """What docs/operations.md shows of one action, with the names that are here; what the lines print."""
        with open(os.path.join(stack.ROOT, "docs", "operations.md"), encoding="utf-8") as page:
            lines = re.findall(r"^(fensi dead-letters %s .*)$" % action, page.read(), re.M)
        self.assertTrue(lines, action)
        for meant, here in (("kafka://HOST:PORT", stack.kafka_url()), ("hbase://HOST:PORT/hbase", stack.hbase_url()), ("TEXT", "settled"),
                            ("PARTITION/OFFSET", place), ("MAPPING INDEX", self.stream.mapping + " " + self.stream.index)):
            lines = [line.replace(meant, here) for line in lines]
        return [subprocess.run([FENSI, *line.split()[1:]], check=True, text=True, capture_output=True).stdout for line in lines]

    def counts(self):
        """kind -> (open, retried, discarded)"""
        lines = [json.loads(line) for line in self.parked("list", "--json").stdout.splitlines()]
        return {line["kind"]: (line["open"], line["retried"], line["discarded"]) for line in lines if "kind" in line}

    def fill_source(self):
        """What the rows hold when everything is mended; the index that must come of it."""
        rows = [("good%d" % i, "small") for i in range(GOOD)]
        rows += [(kind + str(i), LARGE if kind == "rejected" else "small") for kind, count in PARKED.items() for i in range(count)]
        cells = [(row, str(number), note) for number, (row, note) in enumerate(rows)]
        lines = "".join("put %s f1:from %s %d\nput %s f1:note %s %d\n" %
                        (row, key, NOW, row, note, NOW) for row, key, note in cells)
        subprocess.run([os.path.join(stack.ROOT, "deploy", "devstack"), "client", self.stream.source], input=lines, text=True, check=True)
        self.keys = {row: key for row, key, _ in cells}
        return {(key, "f1:" + row): note for row, key, note in cells}

    def park(self):
        """First what a daemon cannot read that was told the wrong format; then an index table that takes no large cells."""
        rows = {kind: [kind + str(i) for i in range(count)] for kind, count in PARKED.items()}
        self.stream.publish(self.event(row, self.keys[row]) for row in rows["undecodable"])
        wrong = fensi("run", *self.stream.run_words("--until_end", "--kafka_format=hbase_kafka_proxy"))
        self.assertEqual(wrong.returncode, 1, wrong.stderr)
        self.stream.publish(self.event("good%d" % i, str(i)) for i in range(GOOD))
        self.stream.run_to_end()
        stack.admin("alter", self.table, "-", LIMIT, "1000")
        self.stream.publish([self.event(row, self.keys[row], LARGE) for row in rows["rejected"]] +
                            [self.event(row, "no number") for row in rows["unmappable"]] +
                            [self.event(row, self.keys[row], ts=TOO_OLD) for row in rows["outside_retention"]])

    def index(self):
        return {cell: value for cell, (_, value) in reading.by_scan(self.table, stack.hbase_url()).items()}

    def test_dead_letters_are_retried_to_exactness_and_the_ledger_says_so(self):
        right = self.fill_source()
        self.park()
        with self.stream.daemon("daemon") as daemon:
            self.stream.wait_caught_up(60)
            self.assertEqual(self.counts(), {kind: (count, 0, 0) for kind, count in PARKED.items()})
            self.assertEqual(len(self.index()), GOOD)
            self.list_as_the_page_does()
            self.show_one("open")
            self.is_not_done_in_time(daemon)
            dropped = self.comes_back_and_is_ended()
            stack.admin("alter", self.table, "-", LIMIT, "1000000")
            self.run_lines_of_the_page("retry")
            self.replay_twice_at_once()
            self.run_lines_of_the_page("discard")  # of which there are none any more
            self.parked("retry", dropped, "--state=discarded", "--execute")  # somebody thought better of it
            reading.assert_equal(self.index(), right)
            ends = {kind: (0, count + (kind == "rejected"), 0) for kind, count in PARKED.items()}
            self.assertEqual(self.counts(), ends)
            self.show_one("retried by ")
            self.assertEqual(daemon.stop(), 0)
        verified = fensi("verify", self.stream.mapping, self.stream.index, "--store", stack.hbase_url(), "--recheck_s=1")
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        self.parked("retry", "--kind=undecodable", "--state=all", "--execute", code=78)  # nobody runs the index

    def list_as_the_page_does(self):
        kinds, letters = self.run_lines_of_the_page("list")
        for kind, count in PARKED.items():
            self.assertIn("  %s: %d open, " % (kind, count), kinds)
        lines = letters.splitlines()
        self.assertEqual(len([line for line in lines if " unmappable open" in line and '"no number"' in line]), PARKED["unmappable"])

    def show_one(self, words):
        line = self.parked("list", "--letters", "--kind", "rejected", "--state=all", "--rows").stdout.splitlines()[0]
        self.assertIn("row rejected", line)
        (shown,) = self.run_lines_of_the_page("show", line.split()[0])
        for each in (words, "kind:    rejected", "from:    ", '"value":"xxxx', "put f1:rejected"):
            self.assertIn(each, shown)

    def is_not_done_in_time(self, daemon):
        """Who waits says so; what he asked for is done later."""
        place = self.parked("list", "--letters", "--kind=outside_retention").stdout.split()[0]
        daemon.pause()
        late = self.parked("retry", place, "--execute", "--wait_s=1", code=75)
        self.assertIn("not in time", late.stderr)
        daemon.resume()

    def comes_back_and_is_ended(self):
        """What is not fixed fails again, says how often it was sent, and is ended by a person with the line that he is told."""
        place = self.parked("list", "--letters", "--kind=rejected").stdout.split()[0]
        again = self.parked("retry", place, "--execute", code=1)
        self.assertIn("1 dead letter failed again", again.stderr)
        self.assertIn("it was already retried", self.parked("retry", place, "--execute", code=1).stdout)
        self.assertEqual(self.counts()["rejected"], (PARKED["rejected"], 1, 0))
        place = next(line.split()[0] for line in self.parked("list", "--letters").stdout.splitlines() if "sent again 1 time" in line)
        plan = self.parked("discard", place, "--reason", "nobody's")
        self.assertEqual(self.counts()["rejected"], (PARKED["rejected"], 1, 0), "nothing without --execute")
        line = plan.stdout.splitlines()[-1]
        subprocess.run(["bash", "-c", line.replace("fensi", FENSI, 1)], check=True, stdout=subprocess.DEVNULL)
        self.assertIn("ended:   discarded by ", self.parked("show", place).stdout)
        self.assertEqual(self.counts()["rejected"], (PARKED["rejected"] - 1, 1, 1))
        return place

    def replay_twice_at_once(self):
        plan = self.parked("retry", "--all").stdout
        self.assertIn("%d dead letters to be retried" % (PARKED["unmappable"] + PARKED["outside_retention"] - 1), plan)
        self.assertIn("not retried: %d dead letters that fensi could not decode" % PARKED["undecodable"], plan)
        self.assertTrue(plan.splitlines()[-1].startswith("fensi dead-letters retry "), plan)
        ends = []
        both = [threading.Thread(target=lambda: ends.append(self.parked("retry", "--all", "--execute"))) for _ in range(2)]
        for each in both:
            each.start()
        for each in both:
            each.join()
        self.assertEqual(len(ends), 2)
        self.assertIn("the daemons have applied all retried dead letters", ends[0].stderr)
        self.assertIn("the daemons have applied all retried dead letters", self.parked("retry", "--kind=undecodable", "--execute").stderr)


unittest.main(verbosity=2)
