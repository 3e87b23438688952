#!/usr/bin/env python3
"""The pure parts of the figures: faults that a seed draws, slopes, recoveries, what is read of the output of the tests."""
import collections
import os
import re
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
from evidence_figures import ROOT, draw, fuzzing, killed, linked, memory, mutants, registers, simulation, slope, soak, staleness, upserts  # noqa: E402
from evidence_figures.figure import MET, MISSED, NOT_PROVEN, Figure, Outcome  # noqa: E402

SIMULATED = """\
500 histories of 925 rows in 1.7 s (290 histories/s)
         343  a key that another row had
          62  deaths after a call
        7200  simulated seconds
           3  row-ttl-missing
"""


class Drawing(unittest.TestCase):
    def test_a_seed_draws_the_same_faults_each_time(self):
        self.assertEqual(draw.faults(7, 600), draw.faults(7, 600))
        self.assertNotEqual(draw.faults(7, 600), draw.faults(8, 600))
        self.assertEqual(draw.faults(7, 600)[:50], draw.faults(7, 6000)[:50])

    def test_faults_come_every_four_to_five_seconds_before_the_end(self):
        found = draw.faults(3, 9000)
        times = [0, *[fault.at_s for fault in found]]
        self.assertTrue(all(4 <= after - before <= 5.001 for before, after in zip(times, times[1:])))
        self.assertLess(times[-1], 9000)
        self.assertGreater(len(found), 1800)

    def test_each_kind_has_its_share(self):
        self.assertEqual(sum(draw.WEIGHTS.values()), 100)
        count = collections.Counter(fault.kind for fault in draw.faults(1, 90_000))
        for kind, weight in draw.WEIGHTS.items():
            self.assertAlmostEqual(100 * count[kind] / sum(count.values()), weight, delta=max(0.7, weight / 10), msg=kind)

    def test_an_order_has_all_of_them(self):
        self.assertEqual(sorted(draw.order(5, range(20))), list(range(20)))
        self.assertEqual(draw.order(5, range(20)), draw.order(5, range(20)))
        self.assertNotEqual(draw.order(5, range(20)), list(range(20)))

    def test_a_figure_has_a_seed_of_its_own(self):
        self.assertEqual(draw.seed_of(1, "E3"), draw.seed_of(1, "E3"))
        self.assertEqual(len({draw.seed_of(seed, name) for seed in range(5) for name in ("E3", "E4")}), 10)


class Slopes(unittest.TestCase):
    def test_a_line_is_found_under_noise_that_cancels(self):
        self.assertAlmostEqual(slope.least_squares([(x, 3 + 2 * x + (-1) ** x) for x in range(1001)]), 2, delta=0.01)

    def test_what_does_not_grow_has_no_slope(self):
        self.assertEqual(slope.least_squares([(x, 7) for x in range(10)]), 0)
        self.assertEqual((slope.least_squares([]), slope.least_squares([(1, 5)])), (0, 0))

    def test_the_first_part_of_the_time_is_left_out(self):
        grows_at_first = [(x, min(x, 20)) for x in range(101)]
        self.assertGreater(slope.least_squares(grows_at_first), 0.01)
        self.assertEqual(slope.least_squares(slope.after_warming(grows_at_first)), 0)

    def test_percentiles_are_values_that_were_there(self):
        values = list(range(1, 101))
        self.assertEqual([slope.percentile(values, share) for share in (0.5, 0.95, 1)], [50, 95, 100])
        self.assertEqual((slope.percentile([], 0.5), slope.percentile([3], 0.999)), (None, 3))

    def test_a_slope_of_memory_is_of_an_hour(self):
        samples = [memory.Sample(second, 100 + second / 3600, 20, 8) for second in range(100)]
        self.assertAlmostEqual(memory.slopes(samples)["mib"], 1, places=6)
        self.assertAlmostEqual(memory.slopes(samples)["files"], 0, places=6)

    def test_a_recovery_lasts_until_the_lag_is_small_again(self):
        samples = [(0, 0), (1, 50), (2, 80), (3, 5), (4, 0), (5, 90)]
        found = slope.recoveries([(0.5, "kill"), (3.5, "kill"), (4.5, "pause")], samples, 10)
        self.assertEqual(found, {"kill": [2.5, 0.5], "pause": [None]})
        self.assertEqual(slope.summary(found["kill"]), {"p50": 0.5, "p95": 2.5, "max": 2.5, "count": 2, "never": 0})
        self.assertEqual(slope.summary(found["pause"]), {"p50": None, "p95": None, "max": None, "count": 1, "never": 1})


class Reading(unittest.TestCase):
    def test_counts_of_the_simulation(self):
        self.assertEqual(simulation.counts_in(SIMULATED)["deaths after a call"], 62)
        self.assertEqual(simulation.found_after("...\n# seed 12, after 7 histories\nsetting"), 7)
        self.assertIsNone(simulation.found_after(SIMULATED))

    def test_a_rule_that_is_not_found_is_named(self):
        text, seen = simulation.of_control({"M4 a": [10, 30, None], "M5 b": [200, 20, 50], "H7 c": [None, None, None]}, 40)
        self.assertEqual(text, "3 of 40 rules taken out, 2 found after 30 histories (median), 200 at most; not found: H7")
        self.assertTrue(seen)
        self.assertEqual(simulation.of_control({"M4 a": [None]}, 40)[1], False)
        self.assertEqual(simulation.of_control({}, 40), ("", None))

    def test_executions_of_a_fuzzer_and_of_a_replay(self):
        self.assertEqual(fuzzing.executions("x\nstat::number_of_executed_units: 4711\n"), 4711)
        self.assertEqual(fuzzing.executions("31 inputs\n"), 62)
        self.assertEqual(fuzzing.executions("ERROR: AddressSanitizer\n"), 0)

    def test_lines_that_one_of_several_programs_reaches(self):
        reached = {}
        for count in (0, 3):
            fuzzing.count_lines('{"files": [{"file": "consumer/codec/message.cc", "lines": [{"line_number": 5, "count": %d},'
                                ' {"line_number": 6, "count": 0}]}, {"file": "/usr/include/vector", "lines": [{"line_number": 1, "count": 9}]}]}' % count,
                                reached)
        self.assertEqual(reached, {("consumer/codec/message.cc", 5): True, ("consumer/codec/message.cc", 6): False})

    def test_ends_of_calls_are_counted(self):
        self.assertEqual(registers.ends([{"type": "ok"}, {"type": "invoke"}, {"type": "ok"}, {"type": "info"}]), {"ok": 2, "info": 1, "fail": 0})

    def test_the_index_of_the_upserts(self):
        source = {("1-r", "f1:v1"): (5, "7"), ("1-r", "f1:v3"): (5, "9"), ("2-s", "f1:v2"): (5, "1")}
        self.assertEqual(upserts.index_of(source), {("7-1-r", "f1:v2"): "null", ("7-1-r", "f1:v3"): "9"})


    def test_the_six_indexes_of_the_soak(self):
        source = {("1-r", "f1:from"): (5, "7"), ("1-r", "f1:note"): (6, "n1"), ("2-s", "f1:from"): (8, "9"), ("3-t", "f1:note"): (1, "alone")}
        found = soak.expected(source)
        self.assertEqual(set(found), set(soak.SUFFIXES))
        self.assertEqual(found[""], {("7", "f1:1-r"): "5/n1", ("9", "f1:2-s"): "8/none"})
        self.assertEqual(found["_u"], {("7-1-r", "f1:note"): "n1", ("9-2-s", "f1:note"): "none"})
        self.assertEqual(found["_q"][("note-3-t", "f1:v")], "alone")
        self.assertEqual(len(found["_e"]), 4)

    def test_percentiles_of_the_bench(self):
        line = "p50 3.1 ms, p90 4.0 ms, p99 9.5 ms, p99.9 20.0 ms, max 31.2 ms of 2000 puts; with the put itself, from when it was due: half within 9.9 ms"
        self.assertEqual(staleness.percentiles(line), {"p50": 3.1, "p90": 4.0, "p99": 9.5, "p99.9": 20.0, "max": 31.2})

    def test_staleness_fits_into_a_cell_of_the_page(self):
        figures = {"p50": 3.1, "p99": 9.5, "p99.9": 20.0, "max": 31.2}
        found = {**{"%d/s" % rate if rate else "idle": figures for rate in staleness.RATES}, "kill": {}, "quiet": figures}
        text = staleness.shown(found)
        self.assertTrue(text.startswith("p50/p99/p99.9/max in ms: idle 3/10/20/31, 1000/s 3/10/20/31, "), text)
        self.assertIn("kill later than 120 s", text)
        self.assertLessEqual(len(re.findall(r"[A-Za-z0-9][\w'’./-]*", text)), 40)

    def test_kinds_of_the_short_weights_are_kinds_of_faults(self):
        for weights in (registers.PARTITIONS, linked.KILLS):
            self.assertLessEqual(set(weights), set(draw.WEIGHTS))


class Walking(unittest.TestCase):
    """The list 1 2 3 … is a circle, and an entry leads from each node to the one that names it."""

    def setUp(self):
        self.list = linked.LinkedList(3000, seed=1)
        self.entries = {prev: "f1:" + row for row, _, _, prev in self.list.cells(0) if prev != "none"}

    def walk(self, *more):
        return linked.walk([self.list], [*self.entries.items(), *more])

    def test_a_whole_circle_has_no_fault(self):
        self.assertEqual(self.walk(), (0, 0, 0))

    def test_removed_entries_are_counted_exactly(self):
        for row in sorted(self.entries)[:100]:
            del self.entries[row]
        self.assertEqual(self.walk(), (100, 0, 0))

    def test_entries_of_no_node_and_second_ways_are_counted(self):
        row, column = next(iter(self.entries.items()))
        self.assertEqual(self.walk(("none", column))[:2], (0, 1))
        self.assertEqual(self.walk((row, column))[:2], (0, 1))
        self.assertEqual(self.walk((row, "f1:nobody"))[1], 1)

    def test_a_way_to_a_wrong_node_breaks_the_circle(self):
        first, second = sorted(self.entries)[:2]
        self.entries[first] = self.entries[second]
        self.assertEqual(self.walk(), (0, 0, 1))


class Controls(unittest.TestCase):
    def test_a_figure_whose_control_saw_nothing_is_not_proven(self):
        figure = Figure("E0", "", "", "must be seen", 1, None)
        self.assertEqual([figure.verdict(Outcome("", met=True, seen=seen)) for seen in (True, False, None)], [MET, NOT_PROVEN, NOT_PROVEN])
        self.assertEqual(figure.verdict(Outcome("", met=False, seen=True)), MISSED)
        self.assertEqual(Figure("E0", "", "", "", 1, None).verdict(Outcome("", met=True)), MET)

    def test_the_bound_that_is_taken_out_is_there(self):
        with open(os.path.join(ROOT, fuzzing.BOUND.file), encoding="utf-8") as text:
            self.assertIn(fuzzing.BOUND.before, text.read())
        self.assertIn(fuzzing.BOUND.binary, fuzzing.CORPORA)

    def test_all_fuzz_targets_are_run(self):
        with open(os.path.join(ROOT, "tests", "fuzz", "CMakeLists.txt"), encoding="utf-8") as text:
            self.assertEqual(set(re.findall(r"fensi_fuzz_test\((\w+)", text.read())), set(fuzzing.CORPORA))
        for name in fuzzing.CORPORA:
            for folder in fuzzing.corpus(name):
                self.assertTrue(os.path.isdir(folder), folder)

    def test_a_rule_is_out_while_its_program_is_used(self):
        """The copy has the calls of the class of tests/mutation, or this fails."""
        copy = mock.create_autospec(mutants.mutation.Copy, instance=True)
        copy.build.return_value.returncode = 0
        copy.program.return_value = "bin/fensi"
        each, said = mutants.of_core()[0], []
        with mock.patch.object(mutants.mutation, "Copy", return_value=copy):
            mutants.copy.cache_clear()
            self.addCleanup(mutants.copy.cache_clear)
            with mutants.without(said.append, each, mutants.PROGRAM) as program:
                self.assertEqual(program, "bin/fensi")
                copy.applied.assert_called_once_with(each)
                copy.applied.return_value.__exit__.assert_not_called()
            copy.applied.return_value.__exit__.assert_called_once()
            copy.build.return_value.returncode = 1
            copy.build.return_value.stdout = "no"
            with self.assertRaisesRegex(RuntimeError, "does not build"), mutants.without(said.append, each, mutants.PROGRAM):
                pass
        copy.build.assert_called_with({mutants.PROGRAM})

    def test_mutants_are_tried_until_the_time_is_over(self):
        wanted = mutants.of_core()[:3]
        run = mock.Mock()
        run.left_s.side_effect = [1, -1]
        trial = mock.create_autospec(mutants.mutation.Trial, instance=True)
        trial.end.return_value = ["M1 (x): no test fails"]
        with mock.patch.object(mutants.mutation, "Trial", return_value=trial), mock.patch.object(mutants, "copy"):
            tried, problems = killed.try_some(run, wanted)
        self.assertEqual(([mutants.label(each) for each in wanted[:2]], ["M1 (x): no test fails"]), (tried, problems))
        self.assertEqual([call.args for call in trial.start.call_args_list], [(each,) for each in wanted[:2]])

    def test_the_rules_that_are_taken_out_are_in_the_tests_of_mutation(self):
        self.assertEqual(mutants.named("M7", "removals are written before puts").file, "indexer/index_writer.cc")
        self.assertGreater(len(mutants.of_core()), 100)
        for rule in soak.RULES:
            self.assertTrue(mutants.named(*rule).file)


if __name__ == "__main__":
    unittest.main(verbosity=2)
