#!/usr/bin/env python3
"""What can happen at night to a daemon with two indexes, one thing after the other: the alert of each fires and no other does; what its
section of docs/operations.md says leads to the cause, and mends it; then the alert ends."""
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

from lib import graph, stack
from lib.captured import LOADER
from lib.program import Daemon, fensi, fensi_ok, free_address
from lib.prometheus import Prometheus, prometheus_tools
from lib.stream import Stream
from lib.wait import until

FASTER = 12  # the alert of a process that is down fires after 10 s, its series are forgotten after 15 s
ROWS = 200
SKIPPED = 77


class AlertsTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.stream = Stream(self.folder, "alerts")
        self.other = self.stream.index + "_other"
        with open(self.stream.mapping, encoding="utf-8") as mapping:
            index = mapping.read()
        lines = index.split("indexes:\n")[1]
        self.text = index + lines.replace(self.stream.index, self.other)
        self.write(self.text)
        self.kafka = "--kafka=" + os.environ["FENSI_TEST_KAFKA"]
        self.store, self.source = "--store=" + stack.hbase_url(), "--source=" + stack.kafka_url()
        self.stream.create()
        self.place = free_address()
        self.follows = graph.Graph(self.stream.source, ROWS)
        stack.admin("create", self.stream.source, "f1")
        self.fill_source([(*edge, timestamp) for edge, timestamp in self.follows.living.items()])
        self.stream.publish(self.follows.events())

    def fill_source(self, edges):
        cells = "".join("%s\tf1:%s\t%d\tfollows\n" % edge for edge in edges)
        subprocess.run([LOADER, stack.hbase_url(), self.stream.source, "0"], input=cells, text=True, check=True)

    def write(self, text):
        with open(self.stream.mapping, "w", encoding="utf-8") as mapping:
            mapping.write(text)

    def daemon(self):
        return Daemon(self.folder, "daemon", self.stream.mapping, self.source, self.store, "--admin=" + self.place, "--admin_control")

    def section(self, alert):
        with open(os.path.join(stack.ROOT, "docs", "operations.md"), encoding="utf-8") as page:
            return re.search(r"^### %s$(.*?)^##" % alert, page.read(), re.M | re.S).group(1)

    def status(self):
        return fensi("status", "--daemon=" + self.place).stdout

    def status_of(self, index):
        with urllib.request.urlopen("http://%s/status" % self.place, timeout=30) as page:
            return next(each["state"] for each in json.load(page)["indexes"] if each["name"] == index)

    def publish(self, row, column, timestamp):
        event = '{"table":"%s","row":"%s","cells":[{"type":"put","column":"f1:%s","ts":%d,"value":"x"}]}\n'
        self.stream.publish([event % (self.stream.source, row, column, timestamp)])

    def fires(self, alert, *indexes):
        """Of these, and no other."""
        expected = {(alert, index, "") for index in indexes or ("",)}
        until("%s fires" % alert, self.prometheus.firing, 90, 0.5)
        self.assertLessEqual(self.prometheus.firing(), expected)
        until("%s fires everywhere" % alert, lambda: self.prometheus.firing() == expected, 60, 0.5)

    def ends(self):
        until("the alert ends", lambda: not self.prometheus.firing(), 90, 0.5)

    def test_each_fault_fires_its_own_alert_and_the_section_mends_it(self):
        self.running = self.daemon()
        self.addCleanup(lambda: self.running.is_up() and self.running.kill())
        with Prometheus(self.folder, {"fensi-run": self.place}, FASTER) as self.prometheus:
            self.stream.wait_caught_up()
            time.sleep(3)
            self.assertEqual(self.prometheus.firing(), set())
            for fault in (self.dead_letter, self.refused_reload, self.dropped_table, self.killed):
                fault()
                self.ends()
            self.assertTrue(self.running.is_up(), self.running.messages())

    def killed(self):
        self.running.kill()
        self.fires("FensiDown")
        self.assertIn("exit code", self.section("FensiDown"))
        self.running = self.daemon()

    def dead_letter(self):
        self.publish("bad", "x" * 70_000, 1)
        self.fires("FensiDeadLetters", self.stream.index, self.other)
        self.assertIn("fensi dead-letters list", self.section("FensiDeadLetters"))
        for index in (self.stream.index, self.other):
            self.assertIn("unmappable", fensi_ok("dead-letters", "list", self.stream.mapping, index, self.source).stdout)
            fensi_ok("dead-letters", "discard", self.stream.mapping, index, self.source, "--kind", "unmappable", "--reason", "too long", "--execute")

    def refused_reload(self):
        self.write(self.text.replace("'{ts | decimal}'", "'another value'", 1))
        self.assertNotEqual(fensi("reload", "--daemon=" + self.place).returncode, 0)
        self.fires("FensiReloadFailed")
        self.assertIn("fensi check /etc/fensi/mappings/NAME.yaml --online", self.section("FensiReloadFailed"))
        asked = fensi("check", self.stream.mapping, "--online", self.store, self.kafka)
        self.assertEqual(asked.returncode, 78, asked.stdout + asked.stderr)
        self.assertIn(self.stream.index, asked.stdout + asked.stderr)
        self.write(self.text)
        fensi_ok("reload", "--daemon=" + self.place)

    def dropped_table(self):
        """Of one index: the other goes on."""
        stack.admin("drop", self.stream.index)
        late = ("late", "7", 1_000)
        self.fill_source([late])
        self.publish(*late)
        self.fires("FensiIndexStopped", self.stream.index)
        section, status = self.section("FensiIndexStopped"), self.status()
        self.assertIn("| `not found`, or `configuration` with `is missing` at a start: another table or topic |", section)
        self.assertIn("not found", status)
        self.assertIn("fensi create", status)
        report = os.path.join(self.folder, "report")
        index = (self.stream.mapping, self.stream.index)
        fensi_ok("create", self.stream.mapping, self.store, self.kafka, "--execute")
        fensi_ok("reload", "--daemon=" + self.place)
        until("it works", lambda: self.status_of(self.stream.index) != "stopped", 60)
        self.assertEqual(fensi("verify", *index, self.store, "--report", report).returncode, 1)
        fensi_ok("repair", *index, self.store, self.source, "--from_report", report, "--execute")
        self.assertIn(" with %d entries, and %d index cells" % (ROWS + 1, ROWS + 1), fensi_ok("verify", *index, self.store).stdout)


if __name__ == "__main__":
    if prometheus_tools.tool("prometheus") is None:
        print("there is no Prometheus, and apt cannot bring it")
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)
