#!/usr/bin/env python3
"""The front of the figures: what it keeps, what it does not try twice, and the table that it writes."""
import contextlib
import io
import json
import os
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
from evidence_figures import front, page  # noqa: E402
from evidence_figures.book import Book  # noqa: E402
from evidence_figures.figure import FAILED, NOT_PROVEN, NOT_RUN, Figure, Outcome, Run, attempt  # noqa: E402
from evidence_figures.figures import FIGURES  # noqa: E402

ABOUT = {"machine": {"processor": "Some | processor", "cores": 2, "memory_gib": 24.0}, "versions": {}}


class FrontTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder, self.calls, self.outcomes = scratch.name, [], {}
        self.page = os.path.join(self.folder, "evidence.md")
        with open(self.page, "w", encoding="utf-8") as out:
            out.write("# Page\n\n%s\nold\n%s\n\n%s\nold\n%s\n\nThe end.\n" % (*page.SENTENCE, *page.TABLE))
        figures = (self.figure("E1", 3), self.figure("E2", 1, control="must be seen"))
        for target, value in (("front.FIGURES", figures), ("front.commit", lambda: self.commit), ("front.machine", lambda: ABOUT["machine"]),
                              ("front.versions", dict), ("page.PAGE", self.page)):
            patch = mock.patch("evidence_figures." + target, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.commit, self.figures = "0123456789abcdef", figures

    def figure(self, name, minutes, **more):
        def make(run):
            self.calls.append((name, run.seconds, run.seed))
            outcome = self.outcomes.get(name, Outcome("0 of 9", met=True, control="3 seen", seen=True))
            if isinstance(outcome, BaseException):
                raise outcome
            return outcome
        return Figure(name, "title of " + name, "0", minutes=minutes, make=make, **{"control": "", **more})

    def test_missing_programs_are_named_before_anything_is_measured(self):
        with mock.patch("evidence_figures.front.FIGURES", (self.figure("E1", 3, programs=("fensi", "nothing.so", "neither")),)):
            with self.assertRaisesRegex(SystemExit, "has no neither, nothing.so. Nothing was measured(?s:.*)--target neither nothing$"):
                self.run_front()
        self.assertEqual(self.calls, [])
        self.assertFalse(os.path.exists(os.path.join(self.folder, "evidence.json")))

    def run_front(self, *words):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), mock.patch.object(page.write, "__defaults__", (self.page,)):
            code = front.main(["--out", self.folder, *words])
        return code, out.getvalue()

    def kept(self):
        with open(os.path.join(self.folder, "evidence.json"), encoding="utf-8") as text:
            return json.load(text)

    def written(self):
        with open(self.page, encoding="utf-8") as text:
            return text.read()

    def named(self):
        return [name for name, *_ in self.calls]

    def test_minutes_are_divided_by_the_shares(self):
        self.assertEqual(self.run_front("--minutes", "8")[0], 0)
        self.assertEqual([(name, seconds) for name, seconds, _ in self.calls], [("E1", 360), ("E2", 120)])
        self.calls.clear()
        self.run_front("--minutes", "8", "--only", "E2", "--seed", "2")
        self.assertEqual([(name, seconds) for name, seconds, _ in self.calls], [("E2", 480)])

    def test_everything_is_written_as_it_came(self):
        self.outcomes["E2"] = Outcome("7 of 9 are wrong", faults=7, met=False, control="saw | 3", seen=True, numbers={"wrong": 7})
        self.run_front("--minutes", "4", "--seed", "5")
        entry = self.kept()["figures"]["E2"]
        self.assertEqual((entry["faults"], entry["verdict"], entry["numbers"], entry["command"]),
                         (7, "missed", {"wrong": 7}, "tests/evidence --only E2 --minutes 1 --seed 5"))
        self.assertEqual((self.kept()["commit"], self.kept()["seed"]), (self.commit, 5))
        text = self.written()
        self.assertIn("| E2 | title of E2 | 7 of 9 are wrong | 0 | saw \\| 3 | missed |", text)
        self.assertIn("Faults were counted in E2.", text)
        self.assertTrue(text.startswith("# Page\n") and text.endswith("\nThe end.\n"))
        self.assertNotIn("\nold\n", text)

    def test_a_finished_figure_is_not_tried_again(self):
        self.outcomes["E1"] = Outcome("2 of 9 are wrong", faults=2)
        self.run_front()
        self.outcomes.clear()
        _, said = self.run_front()
        self.assertEqual(self.named(), ["E1", "E2"])
        self.assertIn("E1  finished before: 2 of 9 are wrong", said)
        self.assertIn("2 of 9 are wrong", self.written())

    def test_another_seed_or_commit_begins_anew(self):
        self.run_front("--only", "E1")
        self.run_front("--only", "E1", "--seed", "2")
        self.commit = "fedcba9876543210"
        self.run_front("--only", "E1", "--seed", "2")
        self.assertEqual(len(set(self.calls)), 2)
        self.assertEqual(len(self.calls), 3)

    def test_figures_of_a_changed_tree_are_not_kept(self):
        self.commit += "+changes"
        self.run_front("--only", "E1")
        self.run_front("--only", "E1")
        self.assertEqual(self.named(), ["E1", "E1"])
        self.assertIn("0123456789ab+changes", self.written())

    def test_an_interruption_continues_with_what_is_missing(self):
        self.outcomes["E2"] = KeyboardInterrupt()
        code, said = self.run_front()
        self.assertEqual((code, "the same command continues" in said), (130, True))
        self.assertEqual(self.written().count(NOT_RUN), 3)  # the sentence and the row
        self.outcomes.clear()
        self.assertEqual(self.run_front()[0], 0)
        self.assertEqual(self.named(), ["E1", "E2", "E2"])
        self.assertIn("Begun 2 times.", self.written())

    def test_a_figure_that_fails_is_a_failure_and_the_next_one_runs(self):
        self.outcomes["E1"] = RuntimeError("no servers")
        self.run_front()
        self.assertEqual(self.named(), ["E1", "E2"])
        self.assertEqual((self.kept()["figures"]["E1"]["verdict"], self.kept()["figures"]["E1"]["text"]), (FAILED, "failed: no servers"))
        self.assertIn("RuntimeError", self.kept()["figures"]["E1"]["numbers"]["trace"])

    def test_servers_that_do_not_start_are_a_failure_of_the_figures_that_need_them(self):
        figures = (self.figure("E1", 1, servers=True), self.figure("E2", 1))
        with mock.patch("evidence_figures.front.FIGURES", figures), \
                mock.patch("evidence_figures.front.servers", mock.Mock(side_effect=AssertionError("devstack up: exit code 1"))):
            self.run_front()
        self.assertEqual(self.named(), ["E2"])
        self.assertEqual(self.kept()["figures"]["E1"]["text"], "failed: devstack up: exit code 1")

    def test_a_control_that_fails_takes_no_figure_with_it(self):
        run = Run(self.figures[0], 1, 1, self.folder)

        def breaks(text):
            raise SystemExit(text)
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(attempt(run, breaks, "no\ncompiler"), (None, "failed: no compiler"))
        self.assertEqual(attempt(run, lambda: 7), (7, ""))

    def test_a_control_that_saw_nothing_makes_it_not_proven(self):
        self.outcomes["E2"] = Outcome("0 of 9", met=True, control="0 seen", seen=False)
        self.run_front()
        self.assertIn("| 0 of 9 | 0 | 0 seen | %s |" % NOT_PROVEN, self.written())

    def test_progress_says_what_is_left(self):
        _, said = self.run_front("--minutes", "8")
        self.assertIn("E1  title of E1: 6 minutes; 2 figures and 8 minutes are left", said)
        self.assertIn("E2  title of E2: 2 minutes; 1 figures and 2 minutes are left", said)

    def test_wrong_words_are_refused(self):
        for words in (["--only", "E99"], ["--minutes", "0"]):
            with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
                front.parsed(words)


class BookTest(unittest.TestCase):
    def test_a_file_that_was_cut_off_is_begun_anew(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "evidence.json")
            with open(path, "w", encoding="utf-8") as out:
                out.write('{"commit": "a", "see')
            book = Book(path, "a", 1)
            book.begin("E1")
            book.end("E1", verdict="met", text="x")
            self.assertEqual(Book(path, "a", 1).finished()["E1"]["text"], "x")
            self.assertEqual(Book(path, "a", 2).finished(), {})


class TableTest(unittest.TestCase):
    def test_without_a_run_every_figure_is_not_run(self):
        text = "".join(lines for _, lines in page.blocks(FIGURES, {"figures": {}, **ABOUT}))
        self.assertIn("The table has %d figures: %d not run. No fault was counted." % (len(FIGURES), len(FIGURES)), text)
        self.assertEqual(text.count("| not run |"), 2 * len(FIGURES))
        self.assertIn("There was no whole run yet.", text)

    def test_a_page_without_marks_is_refused(self):
        with self.assertRaises(ValueError):
            page.between("# Page\n", FIGURES, {"figures": {}, **ABOUT})

    def test_names_are_unique_and_each_figure_says_what_it_wants(self):
        self.assertEqual(len({figure.name for figure in FIGURES}), len(FIGURES))
        for figure in FIGURES:
            self.assertTrue(figure.title and figure.target and figure.minutes > 0, figure.name)
            for text in (figure.title, figure.target, figure.control):
                self.assertLessEqual(len(text.split()), 20)


if __name__ == "__main__":
    unittest.main(verbosity=2)
