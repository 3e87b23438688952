#!/usr/bin/env python3
"""A real Prometheus watches a real daemon and a real capture: it takes the alerts, and every expression of alerts and dashboard
finds what it asks for."""
import contextlib
import os
import sys
import time
import unittest

from lib import stack
from lib.captured import captured
from lib.program import free_address
from lib.prometheus import Prometheus
from lib.stream import PARTITIONS
from lib.wait import until

sys.path.append(os.path.join(stack.ROOT, "tests", "support"))
import monitoring_files  # noqa: E402
import prometheus_tools  # noqa: E402

# What Grafana puts in: as often as it is scraped here, and everything.
GRAFANA = {"[$__rate_interval]": "[10s]", '"$job"': '".*"', '"$index"': '".*"'}
# There only while a bulk load waits, and none does here.
OF_A_LOAD = "fensi_bulk_load_waits_since_timestamp_seconds"
SKIPPED = 77
WEEK_MS = 7 * 24 * 3600 * 1000


def quick(expression):
    """As it stands, but for what needs minutes of samples."""
    for what, instead in GRAFANA.items():
        expression = expression.replace(what, instead)
    return expression.replace("[15m:1m]", "[15s:1s]")


class MonitoringTest(unittest.TestCase):
    def setUp(self):
        self.table = captured(self, "monitored", watermark_interval_ms=1000)
        # The stack's own topics keep for ever, which is no series.
        stack.admin("topic", self.table.topic, PARTITIONS, "retention.ms=%d" % WEEK_MS)
        self.table.create()
        self.addCleanup(self.table.remove_peer)

    def test_every_expression_of_alerts_and_dashboard_gives_a_series(self):
        targets = {"fensi-run": free_address(), "fensi-capture": free_address()}
        run = self.table.daemon("run", "--admin=" + targets["fensi-run"], "--scrub_rows_per_second=1000")
        capture = self.table.capture("capture", "--admin=" + targets["fensi-capture"])
        with run, capture, Prometheus(self.table.folder, targets) as prometheus:
            rows = [("r%d" % row, "f1:b", int(time.time() * 1000), "x") for row in range(100)]
            self.assertEqual(self.table.load(rows).wait(), 0)
            asked = {quick(part): where for where, expression in monitoring_files.expressions()
                     for part in monitoring_files.parts(expression) if OF_A_LOAD not in part}
            self.assertGreaterEqual(len(asked), 50)
            missing = dict(asked)

            def all_found():
                for expression in [each for each in missing if prometheus.series(each)]:
                    del missing[expression]
                return not missing
            with contextlib.suppress(AssertionError):
                until("all series", all_found, 120, 1)
            self.assertEqual({where: expression for expression, where in missing.items()}, {})
            self.rules_are_taken(prometheus)
            self.assertEqual((run.stop(), capture.stop()), (0, 0))

    def rules_are_taken(self, prometheus):
        rules = [rule for group in prometheus.ask("rules")["groups"] for rule in group["rules"]]
        self.assertEqual(len(rules), len(monitoring_files.alerts()))
        self.assertEqual({rule["health"] for rule in rules}, {"ok"})
        self.assertEqual([rule["name"] for rule in rules if rule["state"] == "firing"], [], "nothing is wrong here")


if __name__ == "__main__":
    if prometheus_tools.tool("prometheus") is None:
        print("there is no Prometheus, and apt cannot bring it")
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)
