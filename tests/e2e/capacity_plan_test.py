#!/usr/bin/env python3
"""What tests/bench/capacity makes of what it measures; and that its table has the rows of the page."""
import math
import os
import re
import sys
import unittest

ROOT = os.environ["FENSI_ROOT"]
sys.path.insert(0, os.path.join(ROOT, "tests", "bench"))

from capacity_plan import Measured, Wish, catch_up_s, daemons, lag_threshold, limit, retention_days, rows, table  # noqa: E402

MEASURED = Measured(capacity=1000, put=1.5, removed=0.5, states_read=0.25, rows_read=0.05, peak_mib=200)


class CapacityPlanTest(unittest.TestCase):
    def test_daemons_apply_twice_what_comes(self):
        self.assertEqual([daemons(MEASURED, Wish(inflow)) for inflow in (0.1, 500, 501, 10_000)], [1, 1, 2, 20])

    def test_who_applies_no_more_than_comes_never_catches_up(self):
        self.assertEqual(catch_up_s(3600, 1000, 500), 7.2)
        self.assertEqual(catch_up_s(1, 1000, 1000), math.inf)

    def test_retention_outlives_the_outage_and_the_catching_up_and_is_a_week_at_least(self):
        self.assertEqual(retention_days(MEASURED, Wish(500, outage_h=24)), 7)
        self.assertEqual(retention_days(MEASURED, Wish(500, outage_h=24 * 10)), 20)  # a backlog of ten days takes as long

    def test_numbers_stand_beside_their_rules(self):
        here = {plan: text for plan, _, text in rows(MEASURED, Wish(2000, indexes=3))}
        self.assertEqual(here["daemons"], "4 for 2,000 events/s; one applies 1,000")
        self.assertEqual(here["partitions"], "8 or more")
        self.assertEqual(here["HBase"], "6,000 cells/s written, 600 rows/s read")
        self.assertTrue(here["gateway workers"].startswith("48 of "))
        self.assertTrue(here["region servers, with `hbase://`"].startswith("12 to each"))
        self.assertEqual(here["memory"], "300 MiB; the peak was 200 MiB")
        self.assertEqual(here["catch up"], "24.0 h after 24 h")
        self.assertEqual(lag_threshold(MEASURED), 60_000)

    def test_what_limits_is_the_machine_or_waiting(self):
        busy = {"daemon": 0.95, "gateway": 0.3, "hbase": 0.6, "machine": 1.9}
        self.assertEqual(limit(busy, 2), "the machine is full, daemon has most of it")
        self.assertEqual(limit({**busy, "daemon": 0.1}, 2), "the machine is full, with 0.9 cores for the bench itself and strangers")
        self.assertEqual(limit(busy, 4), "the machine has 2.1 idle cores: processes wait for each other")

    def test_the_page_has_these_rows(self):
        with open(os.path.join(ROOT, "docs", "sizing.md"), encoding="utf-8") as page:
            section = page.read().split("\n## Plan the capacity\n", 1)[1].split("\n## ", 1)[0]
        names = re.findall(r"^\| ([^|]+) \|", table(MEASURED, Wish(2000)), re.M)
        self.assertEqual(re.findall(r"^\| ([^|]+) \|", section, re.M), names)


if __name__ == "__main__":
    unittest.main(verbosity=2)
