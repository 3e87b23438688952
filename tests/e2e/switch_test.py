#!/usr/bin/env python3
"""An index is defined anew on real servers: v2 beside v1 from the same topic, filled, proved, switched to, back, and v1 dropped,
while an application writes; or because its topic must have more partitions and another name."""
import copy
import json
import os
import re
import subprocess
import tempfile
import threading
import time
import unittest

from lib import stack
from lib.captured import Captured
from lib.deadly import DeadlyGateway
from lib.program import fensi, fensi_ok
from lib.graph import MAPPING
from lib.stream import Stream
from lib.wait import until

SECOND = """  %(index)s-2:
    each: f1:*
    row: '%(row)s'
    columns: { '%(column)s': 'second' }
    table: %(index)s-2
    create: { families: { f1: { versions: 1 } } }
"""
ROWS = 500
CHANGES = ("checkAndPut", "putMultiple", "deleteMultiple", "createTable", "disableTable", "deleteTable")


class Redefined(unittest.TestCase):
    """A captured table with an index, and another one that is to take its place."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.table = Captured(scratch.name, "switch", watermark_interval_ms=1000)
        self.first, self.second = self.table.index, self.table.index + "-2"
        self.mapping = self.table.mapping
        self.define()
        self.table.create()
        self.addCleanup(self.table.remove_peer)

    def define(self):
        """The other one, or later."""

    def on_store(self, command, *words):
        return fensi(command, self.mapping, *words, "--store", stack.hbase_url())

    def report(self, index):
        """Of an index that is made live and proved."""
        source = ("--source", stack.kafka_url())
        until("a mark proves it", lambda: self.on_store("backfill", index, *source).returncode == 0)
        self.assertIn("phase live", self.on_store("backfill", index, *source, "--execute").stdout)
        path = os.path.join(self.table.folder, index + ".jsonl")
        done = self.on_store("verify", index, "--recheck_s=1", "--report", path)
        self.assertEqual(done.returncode, 0, done.stdout)
        return path

    def switch(self, *words, code=0):
        done = self.on_store("switch", "followers", *words, "--execute")
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stderr

    def drop(self, *words, code=0):
        done = self.on_store("drop", self.first, "--kafka", os.environ["FENSI_TEST_KAFKA"], *words)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def put(self, row):
        self.assertEqual(self.table.load([(row, "f1:b", int(time.time() * 1000), "x")]).wait(), 0)

    def shown(self):
        """{follower: value} as applications read it by the alias."""
        done = self.on_store("lookup", "@followers", "b", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        cells = [json.loads(line) for line in done.stdout.splitlines()]
        return {cell["column"][3:]: cell["value"] for cell in cells}

    def drop_when_unused(self):
        until("the group is empty", lambda: self.on_store("drop", self.first, "--kafka", os.environ["FENSI_TEST_KAFKA"]).returncode == 0)
        self.assertIn("This cannot be undone", self.drop())
        self.assertIn("is gone", self.drop("--execute"))


class SwitchTest(Redefined):
    def define(self):
        with open(self.table.mapping, "a", encoding="utf-8") as out:
            out.write(SECOND % {"index": self.table.index, "row": "{qualifier}", "column": "f1:{row}"})

    def topics(self):
        return {name for name in (self.first + ".requests", self.first + ".dead", self.second + ".requests", self.table.topic)
                if fensi("tail", name, "--kafka", os.environ["FENSI_TEST_KAFKA"], "--from=latest", "--until_end").returncode == 0}

    def test_v2_takes_the_place_of_v1_and_v1_is_dropped(self):
        self.assertEqual(self.table.load([("r%d" % i, "f1:b", 1000 + i, "x") for i in range(ROWS)]).wait(), 0)
        with self.table.capture(), self.table.daemon("first", "--index", self.first) as first, \
                self.table.daemon("second", "--index", self.second):
            self.switch("--to", self.first, "--from_report", self.report(self.first))
            report = self.report(self.second)
            self.assertEqual(len(self.shown()), ROWS)
            self.assertNotIn("second", self.shown().values())
            self.switch("--to", self.second, "--from_report", report)
            self.assertEqual(self.shown(), {"r%d" % i: "second" for i in range(ROWS)})
            self.put("late")
            until("v2 shows what was put", lambda: self.shown().get("late") == "second")
            self.switch("--back")
            until("v1 has followed all the time", lambda: self.shown().get("late") not in (None, "second"))
            self.assertIn("alias followers names the index", self.drop("--execute", code=78))
            self.switch("--back")
            self.assertIn("has 1 member", self.drop("--execute", code=78))
            self.assertEqual(first.stop(), 0)
            self.drop_when_unused()
            self.assertIn("has no record of the ", self.switch("--back", code=78))
            self.put("later")
            until("v2 goes on", lambda: self.shown().get("later") == "second")
        self.assertEqual(self.on_store("verify", self.second, "--recheck_s=1").returncode, 0)
        self.assertEqual(self.topics(), {self.second + ".requests", self.table.topic})
        for table in (self.first, self.first + "_state"):
            self.assertEqual(fensi("scan", table, "--store", stack.hbase_url()).returncode, 78)
        self.assertIn("nothing of index", self.drop("--execute"))
        refused = fensi("run", *self.table.run_words("--index", self.first, "--until_end"))
        self.assertEqual(refused.returncode, 78, refused.stderr)  # nothing is made again in silence


class ReaderTest(Redefined):
    """The code that `fensi code java` prints, in an application that reads while the alias moves under load."""
    READ_S = int(os.environ.get("FENSI_TEST_READ_S", "8"))
    KEPT_S = 5  # what the reader was told of the alias

    def define(self):
        with open(self.table.mapping, "a", encoding="utf-8") as out:
            # An index row for each entry, so that a page has some of them.
            out.write(SECOND % {"index": self.table.index, "row": "{qualifier | terminated}{row}", "column": "f1:q"})

    def application(self):
        """The process, and a list of what it prints."""
        classes = os.path.join(self.table.folder, "classes")
        os.makedirs(classes)
        for name, index in (("FirstIndex", self.first), ("SecondIndex", self.second)):
            code = fensi_ok("code", "java", self.mapping, index).stdout
            found = re.search(r"^public final class (\w+)", code, re.M).group(1)
            path = os.path.join(classes, name + ".java")
            with open(path, "w", encoding="utf-8") as out:
                out.write(re.sub(r"\b%s\b" % found, name, code))
            stack.compile_java(path, classes)
        stack.compile_java(os.path.join("tests", "e2e", "client", "FollowAlias.java"), classes)
        command, options = stack.java_command("FollowAlias", "followers", str(ROWS), classes=classes)
        process = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)
        lines = []
        threading.Thread(target=lambda: lines.extend(process.stdout), daemon=True).start()
        return process, lines

    def moves(self, lines, count):
        until("the application has noticed", lambda: sum(line.startswith("moved ") for line in lines) == count, 60)
        return int(lines[-1].split()[2]) / 1000

    def test_an_application_follows_the_alias_and_misses_nothing(self):
        self.assertEqual(self.table.load([("r%d" % i, "f1:b", 1000 + i, "x") for i in range(ROWS)]).wait(), 0)
        with self.table.capture(), self.table.daemon("first", "--index", self.first), self.table.daemon("second", "--index", self.second):
            self.switch("--to", self.first, "--from_report", self.report(self.first))
            report = self.report(self.second)
            load = self.table.load([("w%d" % i, "f1:b", 1000 + i, "x") for i in range(100_000)], per_second=200)
            process, lines = self.application()
            took = []
            for number, words in enumerate((("--to", self.second, "--from_report", report), ("--back",), ("--back",)), 1):
                time.sleep(self.READ_S)  # how long it reads one of them
                self.switch(*words)
                begin = time.time()
                took.append(self.moves(lines, number) - begin)
            time.sleep(self.READ_S)
            load.kill()
            load.wait()
            process.stdin.close()
            self.assertEqual(process.wait(60), 0)
            until("its last line", lambda: not lines[-1].startswith("moved"), 10)
        reads, *wrong = (int(word) for word in lines[-1].split())
        print("%d answers, noticed after %s s" % (reads, ", ".join("%.1f" % one for one in took)))
        self.assertEqual(wrong, [0, 0, 0], "rows that were missing, that nobody wrote, that came twice")
        self.assertGreater(reads, 20)
        self.assertLess(max(took), self.KEPT_S + 15)


class MoveTest(Redefined):
    """As docs/redefinition.md says of a topic that must grow or move."""

    def successor(self):
        """The same table with a topic, an index, a peer and a znode of its own."""
        moved = copy.copy(self.table)
        moved.index, moved.topic, moved.group = self.second, self.table.topic + ".2", "fensi-" + self.second
        moved.peer, moved.znode, moved._partitions = self.table.peer + "2", self.table.znode + "_2", 2 * self.table._partitions
        moved.mapping = os.path.join(self.table.folder, "moved.yaml")
        with open(moved.mapping, "w", encoding="utf-8") as out:
            out.write("topic: %s\n" % moved.topic + MAPPING % {"source": moved.source, "index": moved.index})
        self.mapping = self.table.folder  # both files
        return moved

    def test_a_topic_that_grows_and_moves_is_another_index_that_takes_the_place(self):
        self.assertEqual(self.table.load([("r%d" % i, "f1:b", 1000 + i, "x") for i in range(ROWS)]).wait(), 0)
        with self.table.capture("capture") as capture, self.table.daemon("first") as first:
            self.switch("--to", self.first, "--from_report", self.report(self.first))
            moved = self.successor()
            Stream.create(moved)
            moved.add_peer()
            self.addCleanup(moved.remove_peer)
            with moved.capture("capture2", "--topic", "{table}.2"), moved.daemon("second"):
                self.put("meanwhile")
                self.switch("--to", self.second, "--from_report", self.report(self.second))
                self.assertEqual(set(self.shown()), {"r%d" % i for i in range(ROWS)} | {"meanwhile"})
                self.assertEqual(first.stop(), 0)
                self.drop_when_unused()
                self.table.remove_peer()
                self.assertEqual(capture.stop(), 0)
                self.put("later")
                until("the new one goes on alone", lambda: "later" in self.shown())
                self.assertEqual(len(moved.partitions()), 8)
        self.assertEqual(self.on_store("verify", self.second, "--recheck_s=1").returncode, 0)


class DeathsTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.stream = Stream(scratch.name, "deaths")
        stack.admin("create", self.stream.source, "f1")
        self.stream.create()
        self.stream.publish(['{"table":"%s","row":"a","seq":1,"cells":[{"type":"put","column":"f1:b","ts":1,"value":"x"}]}\n'
                             % self.stream.source])
        self.stream.run_to_end()

    def test_a_drop_that_dies_after_each_of_its_changes_is_ended_by_the_same_line(self):
        deaths = []
        with DeadlyGateway(CHANGES) as gateway:
            until("the group is empty", lambda: self.drop(stack.hbase_url()).returncode == 0)
            for _ in range(30):
                code, said = gateway.run(*self.words(gateway.url()), "--execute")
                self.assertIn(code, (None, 0), "after the deaths at %s: %s" % (deaths, said))
                if code == 0:
                    break
                deaths.append(said)
                self.refused()
        print(", ".join(deaths))
        self.assertEqual((deaths.count("disableTable"), deaths.count("deleteTable")), (2, 2))
        self.assertIn("nothing of index", self.drop(stack.hbase_url()).stderr)
        existing = stack.admin("tables").split("\n")
        self.assertFalse({self.stream.index, self.stream.index + "_state"} & set(existing))
        self.assertIn(self.stream.source, existing)
        self.stream.create()  # its name is free
        self.stream.run_to_end()

    def words(self, url):
        return ("drop", self.stream.mapping, self.stream.index, "--store", url, "--kafka", os.environ["FENSI_TEST_KAFKA"])

    def drop(self, url):
        return fensi(*self.words(url))

    def refused(self):
        done = fensi("run", *self.stream.run_words("--until_end"))
        self.assertEqual(done.returncode, 78, done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
