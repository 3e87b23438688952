"""`fensi test`: the cases inside a mapping file."""
import glob
import os

import harness
from follow import MAPPING

PASSING = """tests:
  - name: a follows b, then c instead
    given:
      - { put: a, 'f1:from': b, ts: 1 }
      - { put: a, 'f1:from': c, ts: 2 }
    expect:
      fensi: { c: { 'f1:a': '' } }
  - name: unfollow
    given:
      - { put: a, 'f1:from': b, ts: 1 }
      - { delete_column: a, column: 'f1:from', ts: 5 }
    expect: { fensi: {} }
  - name: a row deleted as a family, with a column of no index in one event
    given:
      - event: [ { put: a, 'f1:from': b, ts: 1 }, { put: a, 'f1:other': x, ts: 1 } ]
      - { delete_family: a, family: f1, ts: 5 }
    expect: { fensi: {} }
"""


class MappingTests(harness.CliTest):
    def case(self, text):
        return self.file("m.yaml", MAPPING + text)

    def test_cases_that_hold_are_counted(self):
        self.assertEqual(self.succeeds("test", self.case(PASSING)).out, "3 tests passed, 0 failed\n")

    def test_a_file_without_cases_passes_none_and_is_named(self):
        outcome = self.succeeds("test", self.case(""))
        self.assertEqual((outcome.out, outcome.err), ("0 tests passed, 0 failed\n",
                                                      "fensi: test: m.yaml has no tests. 'fensi help mapping' shows examples of tests\n"))
        self.assertEqual(self.succeeds("test", self.case(PASSING)).err, "")

    def test_colours_are_for_terminals_and_who_asks(self):
        self.assertEqual(self.succeeds("test", self.case(PASSING), "--color=always").out, "\x1b[1;32m3 tests passed, 0 failed\x1b[0m\n")
        failing = self.fensi("test", self.case(PASSING.replace("c: { 'f1:a'", "b: { 'f1:a'")), "--color=always")
        self.assertIn("m.yaml:9: \x1b[1;31mfailed\x1b[0m: a follows b", failing.out)
        self.assertNotIn("\x1b", self.succeeds("test", self.case(PASSING)).out)

    def test_all_cases_of_the_examples_hold(self):
        examples = sorted(glob.glob(os.path.join(os.environ["FENSI_ROOT"], "deploy/examples/*.yaml")))
        self.assertGreater(len(examples), 3)
        for example in examples:
            self.assertRegex(self.succeeds("test", example).out, r"^[1-9]\d* tests? passed, 0 failed\n$", example)

    def test_a_case_that_fails_shows_both_sides(self):
        outcome = self.fensi("test", self.case(PASSING.replace("{ c: { 'f1:a': '' } }", "{ b: { 'f1:a': '' } }")))
        self.assertEqual(outcome.code, 1)
        for text in ("m.yaml:9: failed: a follows b, then c instead\n", "  index fensi:\n",
                     "    expected, not there: fensi, row 'b', 'f1:a': ''\n",
                     "    there, not expected: fensi, row 'c', 'f1:a': ''\n", "2 tests passed, 1 failed\n"):
            self.assertIn(text, outcome.out)

    def test_a_case_that_fails_names_the_event_that_caused_it(self):
        text = """tests:
  - name: wrong in every way
    given:
      - { put: a, 'f1:from': b, ts: 1 }
      - { put: a, 'f1:from': c, ts: 2 }
      - { put: d, 'f1:from': '', ts: 3 }
    expect:
      fensi: { b: { 'f1:a': '' }, e: { 'f1:a': '' } }
"""
        outcome = self.fensi("test", self.case(text))
        self.assertEqual(outcome.code, 1)
        self.assertIn("""  index fensi:
    expected, not there: fensi, row 'b', 'f1:a': ''
      removed by event 2 (row a: put f1:from @2 = 'c')
    expected, not there: fensi, row 'e', 'f1:a': ''
      no event puts it
    there, not expected: fensi, row 'c', 'f1:a': ''
      put by event 2 (row a: put f1:from @2 = 'c')
    expected 0 dead letters, got 1
""", outcome.out)
        self.assertIn("      of event 3 (row d: put f1:from @3 = '')\n", outcome.out)

    def test_dead_letters_that_no_case_expects_fail_it(self):
        text = "tests:\n  - name: empty\n    given: [ { put: a, 'f1:from': '', ts: 1 } ]\n    expect: { fensi: {} }\n"
        outcome = self.fensi("test", self.case(text))
        self.assertEqual(outcome.code, 1)
        self.assertIn("expected 0 dead letters, got 1", outcome.out)
        self.succeeds("test", self.case(text + "    dead_letters: 1\n"))

    def test_a_bad_case_is_shown_with_its_place(self):
        text = ("tests:\n  - name: bad\n    given: [ { putt: a, 'f1:from': b, ts: 1 }, { put: a, 'f1:from': b } ]\n"
                "    expect: { fnesi: {} }\n")
        self.refuses(78, "test", self.case(text), says=("m.yaml:10:", "this item of 'given' is not a change",
                                                        "this change has no 'ts'", "there is no index 'fnesi'",
                                                        "did you mean 'fensi'?"))


harness.main()
