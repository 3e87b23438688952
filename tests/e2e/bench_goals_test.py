#!/usr/bin/env python3
"""What tests/bench/growth and tests/bench/goals make of what they measure."""
import itertools
import json
import os
import re
import sys
import unittest

ROOT = os.environ["FENSI_ROOT"]
sys.path.insert(0, os.path.join(ROOT, "tests", "bench"))

import growth_events  # noqa: E402
from comparison import AGAIN, COLUMNS, COPROCESSOR, RAW, ROWS, MODES, fensi_name, plain_name  # noqa: E402
from goal_table import MET, MISSED, UNKNOWN, Goal, goals_of, table  # noqa: E402
from growth_table import Row, flatness  # noqa: E402
from growth_table import table as growth_lines  # noqa: E402
from stages import Histogram, Shown, histogram, means, percentiles  # noqa: E402
from watched import LEAST_PAUSE_S, Sample, pause_s, steady  # noqa: E402


def sample(seconds, events, held=0, cpu=0.0):
    return Sample(seconds, events, held, {"own": cpu})


class SteadyTest(unittest.TestCase):
    def test_neither_the_start_nor_what_comes_behind_the_end_counts(self):
        samples = [sample(0, 0), sample(9, 0, held=1, cpu=3), sample(10, 500, held=1, cpu=4), sample(11, 1000, cpu=5), sample(50, 1000, cpu=9)]
        found = steady(samples, 1000)
        self.assertEqual((found.rate, found.cpu_us), (500, {"own": 2000}))

    def test_without_messages_that_wait_it_begins_with_the_first_that_is_applied(self):
        self.assertEqual(steady([sample(0, 0), sample(8, 500), sample(9, 1000)], 1000).rate, 500)

    def test_what_was_applied_at_once_has_no_rate(self):
        self.assertIsNone(steady([sample(0, 0), sample(1, 1000)], 1000))

    def test_what_did_not_end_has_no_rate(self):
        self.assertIsNone(steady([sample(0, 0), sample(1, 500)], 1000))

    def test_looks_become_rarer_and_the_last_is_late_by_a_fiftieth(self):
        self.assertEqual(pause_s([sample(0, 0), sample(100, 0)]), LEAST_PAUSE_S)
        self.assertEqual(pause_s([sample(0, 0), sample(100, 0, held=1), sample(300, 5)]), 4)


TEXT = """\
# TYPE fensi_phase_seconds histogram
fensi_phase_seconds_bucket{index="x",phase="plan",le="0.01"} %(few)d
fensi_phase_seconds_bucket{index="x",phase="plan",le="0.02"} %(more)d
fensi_phase_seconds_bucket{index="x",phase="plan",le="+Inf"} %(all)d
fensi_phase_seconds_sum{index="x",phase="plan"} %(total)g
fensi_phase_seconds_count{index="x",phase="plan"} %(all)d
fensi_phase_seconds_bucket{index="x",phase="decode",le="+Inf"} 77
"""


class StagesTest(unittest.TestCase):
    def test_a_histogram_is_what_was_observed_between_two_looks(self):
        before = histogram(TEXT % {"few": 5, "more": 5, "all": 5, "total": 1.0}, "fensi_phase_seconds", 'phase="plan"')
        after = histogram(TEXT % {"few": 105, "more": 205, "all": 206, "total": 4.0}, "fensi_phase_seconds", 'phase="plan"')
        found = after.since(before)
        self.assertEqual(found.count, 201)
        self.assertAlmostEqual(found.mean_ms(), 3000 / 201)
        self.assertAlmostEqual(found.at_ms(100 / 201), 10)
        self.assertAlmostEqual(found.at_ms(150 / 201), 15)
        self.assertIsNone(found.at_ms(1))

    def test_nothing_observed_is_no_time(self):
        found = Histogram([], 0.0)
        self.assertEqual((found.count, found.mean_ms(), found.at_ms(0.5)), (0, 0, None))

    def test_the_means_of_the_stages_add_up_to_the_whole(self):
        def of(name, labels, mean_ms):
            shown = labels + "," if labels else ""
            return '%s_bucket{%sle="+Inf"} 10\n%s_sum{%s} %g\n' % (name, shown, name, labels, mean_ms / 100)
        capture = of("fensi_capture_delay_seconds", 'table="t"', 12) + of("fensi_capture_call_seconds", "", 5)
        daemon = (of("fensi_event_delay_seconds", 'since="write"', 40) + of("fensi_event_delay_seconds", 'since="append"', 31)
                  + of("fensi_phase_seconds", 'phase="write_puts"', 9) + of("fensi_phase_seconds", 'phase="write_states"', 6)
                  + of("fensi_phase_seconds", 'phase="plan"', 1))
        found = [round(took, 6) for _, took in means(Shown(("", ""), (capture, daemon)))]
        self.assertEqual(found, [7, 2, 3, 12, 1, 9, 6])
        self.assertEqual(sum(found), 40)

    def test_percentiles_are_read_from_what_the_client_prints(self):
        self.assertEqual(percentiles("p50 7.6 ms, p90 9.0 ms, p99 49.7 ms, max 80.0 ms of 20 puts"), {"p50": 7.6, "p90": 9.0, "p99": 49.7})


class EventsTest(unittest.TestCase):
    def rows(self, *words, **more):
        events = [json.loads(line) for line in growth_events.lines("t", *words, **more)]
        return [event["row"] for event in events], [event["cells"][0]["ts"] for event in events]

    def test_each_row_is_new_and_in_no_order(self):
        rows, times = self.rows(10_000)
        self.assertEqual(len(set(rows)), 10_000)
        rising = sum(one < other for one, other in itertools.pairwise(rows))
        self.assertTrue(4_500 < rising < 5_500, rising)
        self.assertEqual(times, sorted(set(times)))

    def test_the_same_rows_come_again_later_and_in_another_order(self):
        rows, times = self.rows(10_000)
        again, later = self.rows(10_000, again=True)
        self.assertNotEqual(rows, again)
        self.assertEqual(sorted(rows), sorted(again))
        self.assertGreater(later[0], times[-1])

    def test_the_second_half_of_a_row_is_its_value(self):
        event = json.loads(next(growth_events.lines("t", 1)))
        self.assertEqual(event["row"].split("-")[1], event["cells"][0]["value"])


def grown(events, rate, peak=100, mode="stateful", **cpu):
    return Row("embedded", mode, "new rows", events, rate, {"own": 4.0, **cpu}, peak)


class GrowthTest(unittest.TestCase):
    def test_flat_is_the_largest_to_the_smallest_in_any_order(self):
        self.assertEqual(flatness([grown(1000, 80), grown(10, 100), grown(100, 50)]), 0.8)

    def test_of_one_size_nothing_is_flat(self):
        self.assertIsNone(flatness([grown(10, 100)]))

    def test_the_table_says_it_under_each_group(self):
        lines = growth_lines([grown(10, 100), grown(10, 300, mode="stateless", hbase=7.0), grown(1000, 80)])
        self.assertEqual([line.split()[2:4] for line in lines[1:3]], [["new", "rows"]] * 2)
        self.assertTrue(lines[3].endswith("0.80 of that at the smallest"), lines[3])
        self.assertEqual(lines[4].split()[-2:], ["4.0", "7.0"])
        self.assertEqual(lines[1].split()[-2:], ["4.0", "-"])


def compared(rates, own=2.0):
    return [{"shuffled": False, "runs": {name: {"rate": rate, "cpu_us": {"own": own}} for name, rate in rates.items()}}]


class GoalTest(unittest.TestCase):
    def test_a_bound_that_is_reached_exactly_is_met(self):
        self.assertEqual([Goal("", value, 2).verdict() for value in (1.99, 2, 2.01)], [MISSED, MET, MET])
        self.assertEqual([Goal("", value, 2, at_most=True).verdict() for value in (1.99, 2, 2.01)], [MET, MET, MISSED])

    def test_what_was_not_measured_is_neither_met_nor_missed(self):
        goals = goals_of({})
        self.assertEqual({goal.verdict() for goal in goals}, {UNKNOWN})
        self.assertGreater(len(goals), 10)

    def found(self, **figures):
        return {goal.name: (goal.measured, goal.verdict()) for goal in goals_of(figures) if goal.measured is not None}

    def test_growth(self):
        rows = [vars(grown(10, 100)), vars(grown(1000, 84, peak=257))]
        self.assertEqual(self.found(growth=rows), {
            "growth, embedded, stateful, new rows: rate at 1,000 rows of that at 10": (0.84, MISSED),
            "growth, embedded, stateful, new rows: peak memory at 1,000 rows": (257, MISSED)})

    def test_growth_says_what_the_servers_lose_by_themselves(self):
        rows = [vars(grown(size, rate, mode=mode)) for mode, size, rate in
                (("raw", 10, 200), ("raw", 1000, 90), ("stateless", 10, 100), ("stateless", 1000, 40))]
        notes = {goal.name: goal.note for goal in goals_of({"growth": rows}) if goal.measured is not None}
        self.assertEqual(notes, {"growth, embedded, stateless, new rows: rate at 1,000 rows of that at 10": "raw putMultiple: 0.45",
                                 "growth, embedded, stateless, new rows: peak memory at 1,000 rows": ""})

    def test_latency_capacity_and_the_embedded_store(self):
        found = self.found(capture={"visible": {"p50": 7.0, "p99": 25.5}}, capacity={"one": 10, "both": 17}, embedded={"rate": 2e5})
        self.assertEqual([verdict for _, verdict in found.values()], [MET, MISSED, MET, MET])

    def test_comparisons_are_with_what_does_the_same(self):
        rates = {RAW % 1: 100, COPROCESSOR: 2}
        for kind in (COLUMNS, ROWS):
            rates.update({plain_name(kind): 50, plain_name(kind, AGAIN): 40})
            rates.update({fensi_name(mode, kind, when): 60 for mode in MODES for when in ("", AGAIN)})
        found = self.found(compare=compared(rates))
        self.assertEqual([value for name, (value, _) in found.items() if "raw" in name], [0.6, 0.6])
        self.assertEqual([value for name, (value, _) in found.items() if "plain" in name], [1.2, 1.2, 1.2, 1.5])
        self.assertEqual([value for name, (value, _) in found.items() if "coprocessor" in name], [30])

    def test_cpu_counts_the_worse_way_of_keeping_follows(self):
        runs = compared({fensi_name("stateless", COLUMNS): 1}, own=2.9)
        runs[0]["runs"].update(compared({fensi_name("stateless", ROWS): 1}, own=3.1)[0]["runs"])
        self.assertEqual([value for name, value in self.found(compare=runs).items() if name.startswith("CPU")], [(3.1, MISSED)])

    def test_a_row_of_the_table_for_each_goal(self):
        lines = table([Goal("a", 250_000.4, 200_000, unit="events/s"), Goal("b", None, 7, True, "ms", "why")])
        self.assertEqual(lines[2:], ["| a | 250,000 events/s | at least 200,000 events/s | met |", "| b | - | at most 7.00 ms | not measured; why |"])
        self.assertTrue(all(len(re.findall(r"\|", line)) == 5 for line in lines))


if __name__ == "__main__":
    unittest.main(verbosity=2)
