#!/usr/bin/env python3
"""The checker finds each kind of fault that is planted in a history, and none in a right one."""
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
from evidence_figures.check_history import KINDS, check  # noqa: E402
from evidence_figures.edn import edn  # noqa: E402

CHECKER = os.path.join(os.path.dirname(os.path.realpath(__file__)), "check_history.py")


class History:
    """Operations one after the other, each of its own time. `register`: of all that follows."""

    def __init__(self):
        self.ops, self.time, self.register = [], 0, "r"

    def op(self, process, kind, what, value):
        self.time += 1
        self.ops.append({"process": process, "type": kind, "f": what, "register": self.register, "value": value, "time": self.time})

    def write(self, number, end="ok", what="write"):
        self.op(0, "invoke", what, number)
        self.op(0, end, what, number)

    def delete(self, number):
        self.write(number, what="delete")

    def read(self, *numbers, what="read-index", process=1):
        self.op(process, "invoke", what, None)
        self.op(process, "ok", what, list(numbers))

    def final(self, source, index):
        self.read(*source, what="final-source", process=9)
        self.read(*index, what="final-index", process=9)

    def faults(self):
        return {kind: count for kind, count in check(self.ops).items() if count}


class Checker(unittest.TestCase):
    def setUp(self):
        self.history = History()

    def test_a_right_history_has_no_fault(self):
        history = self.history
        history.read()
        history.write(1)
        history.read()  # the index lags
        history.read(1)
        history.write(2)
        history.read(1, 2)
        history.read(2)
        history.delete(3)
        history.read(2)
        history.read()
        history.write(4)
        history.read()
        history.read(4)
        history.final([4], [4])
        self.assertEqual(history.faults(), {})

    def test_an_older_number_after_a_newer_one(self):
        self.history.write(1)
        self.history.write(2)
        self.history.read(2)
        self.history.read(1)
        self.assertEqual(self.history.faults(), {"nonmonotonic": 1})

    def test_reads_at_one_time_may_show_either(self):
        self.history.write(1)
        self.history.write(2)
        self.history.op(1, "invoke", "read-index", None)
        self.history.read(2, process=2)
        self.history.op(1, "ok", "read-index", [1])
        self.assertEqual(self.history.faults(), {})

    def test_an_acknowledged_write_that_never_comes(self):
        self.history.write(1)
        self.history.write(2)
        self.history.final([2], [1])
        self.assertEqual(self.history.faults(), {"lost": 1})

    def test_a_write_that_may_have_happened_is_what_the_source_says(self):
        self.history.write(1)
        self.history.write(2, end="info")
        self.history.final([1], [1])
        self.assertEqual(self.history.faults(), {})
        self.history.register = "s"
        self.history.write(1)
        self.history.write(2, end="info")
        self.history.final([2], [1])
        self.assertEqual(self.history.faults(), {"lost": 1})

    def test_a_number_from_before_a_delete(self):
        self.history.write(1)
        self.history.read(1)
        self.history.delete(2)
        self.history.read()
        self.history.read(1)
        self.assertEqual(self.history.faults(), {"resurrected": 1})

    def test_nothing_between_two_numbers(self):
        self.history.write(1)
        self.history.read(1)
        self.history.write(2)
        self.history.read()
        self.history.read(2)
        self.assertEqual(self.history.faults(), {"missing while moved": 1})

    def test_a_delete_explains_one_absence_and_no_later_one(self):
        self.history.write(1)
        self.history.delete(2)
        self.history.write(3)
        self.history.read(1)
        self.history.read()
        self.history.read(3)
        self.assertEqual(self.history.faults(), {})
        self.history.read()
        self.assertEqual(self.history.faults(), {"missing while moved": 1})

    def test_a_number_that_was_not_written_yet(self):
        self.history.write(1)
        self.history.read(2)
        self.history.write(2)
        self.assertEqual(self.history.faults(), {"invented": 1})

    def test_more_than_one_number_at_the_end(self):
        self.history.write(1)
        self.history.write(2)
        self.history.final([2], [1, 2])
        self.assertEqual(self.history.faults(), {"extra": 1})

    def test_a_number_that_a_delete_left(self):
        self.history.write(1)
        self.history.delete(2)
        self.history.final([], [1])
        self.assertEqual(self.history.faults(), {"extra": 1})

    def test_registers_are_apart(self):
        self.history.write(5)
        self.history.read(5)
        self.history.register = "s"
        self.history.write(1)
        self.history.read(1)
        self.assertEqual(self.history.faults(), {})


class Alone(unittest.TestCase):
    """As a stranger uses it."""

    def check(self, ops):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as out:
            json.dump(ops, out)
            out.flush()
            return subprocess.run([sys.executable, "-I", CHECKER, out.name], text=True, capture_output=True, check=False)

    def test_it_says_what_it_counts_and_ends_with_1_if_there_is_a_fault(self):
        history = History()
        history.write(1)
        history.read(1)
        done = self.check(history.ops)
        self.assertEqual((done.returncode, done.stdout), (0, ", ".join(kind + ": 0" for kind in KINDS) + "\n"))
        history.read()
        done = self.check(history.ops)
        self.assertEqual(done.returncode, 1)
        self.assertIn("missing while moved: 1", done.stdout)

    def test_it_has_at_most_120_lines(self):
        with open(CHECKER, encoding="utf-8") as text:
            self.assertLessEqual(len(text.readlines()), 120)

    def test_a_long_history_of_an_index_that_lags_is_valid(self):
        draw, history, shown, written = random.Random(7), History(), 0, []
        for number in range(1, 3000):
            (history.delete if draw.random() < 0.1 else history.write)(number)
            written.append([] if history.ops[-1]["f"] == "delete" else [number])
            shown = draw.randint(shown, number)
            history.read(*(written[shown - 1] if shown else []), process=draw.randrange(1, 9))
        history.final(written[-1], written[-1])
        self.assertEqual(history.faults(), {})
        del history.ops[-2:]
        history.op(9, "ok", "final-index", [1])
        self.assertIn(list(history.faults()), (["lost"], ["extra"], ["lost", "extra"]))


class Edn(unittest.TestCase):
    def test_a_history_is_written_as_jepsen_reads_it(self):
        history = History()
        history.write(1)
        history.read(1, 2)
        self.assertEqual(edn(history.ops).splitlines()[:2], ['[{:index 0, :process 0, :type :invoke, :f :write, :value ["r" 1], :time 1}',
                                                             ' {:index 1, :process 0, :type :ok, :f :write, :value ["r" 1], :time 2}'])
        self.assertIn(':f :read-index, :value ["r" nil], :time 3', edn(history.ops))
        self.assertTrue(edn(history.ops).endswith(':value ["r" [1 2]], :time 4}]\n'))


if __name__ == "__main__":
    unittest.main(verbosity=2)
