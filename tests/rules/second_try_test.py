"""What failed once is tried again only if a standing machine can be the reason (tests/second_try)."""
import importlib.machinery
import importlib.util
import os
import unittest

PATH = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "second_try")
LOADER = importlib.machinery.SourceFileLoader("second_try", PATH)
second_try = importlib.util.module_from_spec(importlib.util.spec_from_loader("second_try", LOADER))
LOADER.exec_module(second_try)

SERVERS = {"kill_test", "real_histories_test", "outage_test"}


def ctest(*results):
    """As ctest writes it: (name, passed, what it said)."""
    text = "Test project /x\n"
    for number, (name, passed, said) in enumerate(results, 1):
        text += "%d/9 Test #%d: %s .........%s    0.10 sec\n%s\n" % (number, number, name, "   Passed" if passed else "***Failed", said)
    text += "\n50% tests passed, 1 tests failed out of 2\n\nThe following tests FAILED:\n"
    return text + "".join("\t%3d - %s (Failed)\n" % (i, name) for i, (name, passed, _) in enumerate(results, 1) if not passed)


class SecondTry(unittest.TestCase):
    def refusal(self, *results):
        return second_try.refusal(ctest(*results), SERVERS)

    def test_there_is_one_for_servers_that_did_not_answer_in_time(self):
        self.assertEqual(self.refusal(("kill_test", False, "waited too long"), ("outage_test", True, "")), "")

    def test_there_is_none_for_a_test_without_servers(self):
        self.assertIn("names_test has not the label servers", self.refusal(("names_test", False, "waited too long")))
        self.assertIn("has not the label servers", self.refusal(("kill_test", False, ""), ("names_test", False, "")))

    def test_there_is_none_for_a_wrong_index(self):
        for said in ("AssertionError: WRONG INDEX: of 9 cells 1 are missing [], 0 orphaned [], 0 wrong []",
                     "Expected equality of these values:\n  world.IndexDifference()", "  world_.Difference()\n    Which is: \"r\"",
                     "  Actual: false\nExpected: true\n7 follows 5"):
            self.assertIn("missing, orphaned or wrong", self.refusal(("outage_test", True, ""), ("kill_test", False, said)))

    def test_there_is_none_for_a_report_of_a_sanitizer(self):
        for said in ("WARNING: ThreadSanitizer: data race (pid=1)", "==7==ERROR: AddressSanitizer: heap-use-after-free",
                     "==7==ERROR: LeakSanitizer: detected memory leaks", "x.cc:3:4: runtime error: signed integer overflow",
                     "==7== ERROR: libFuzzer: deadly signal"):
            self.assertIn("a sanitizer reported of kill_test", self.refusal(("kill_test", False, said)))

    def test_what_another_test_said_does_not_count(self):
        self.assertEqual(self.refusal(("kill_test", False, "late"), ("outage_test", True, "0 missing; WRONG INDEX tried")), "")

    def test_there_is_none_when_nothing_is_known(self):
        self.assertIn("named no failed test", second_try.refusal("cut", SERVERS))


if __name__ == "__main__":
    unittest.main(verbosity=2)
