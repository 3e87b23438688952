"""A failure under a sanitizer says first why (tests/sanitize, tests/failures)."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TESTS = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(0, os.path.join(TESTS, "support"))
import ctest_output  # noqa: E402

GTEST = """[ RUN      ] Batch.IsSent
[       OK ] Batch.IsSent (3 ms)
[ RUN      ] Batch.IsRepeated
tests/hbase/batch_test.cc:40: Failure
Expected equality of these values:
  calls
    Which is: 1
  2
said once more
the sixth line
the seventh line
[  FAILED  ] Batch.IsRepeated (219 ms)
"""
LEAK = "[  PASSED  ] 80 tests.\n==7==ERROR: LeakSanitizer: detected memory leaks\n" + "".join("frame %d\n" % n for n in range(1, 60))


def ctest(*results):
    """As ctest writes it: (name, how it failed or "", what it wrote)."""
    text = "Test project /x\n    Start 1: %s\n" % results[0][0]
    for number, (name, how, said) in enumerate(results, 1):
        text += "%d/9 Test #%d: %s .........%s    0.10 sec\n%s\n    Start 9: another\n" % (number, number, name, how and "***" + how, said)
    text += "\n50% tests passed, 1 tests failed out of 2\n\n" + ctest_output.LIST + "\n"
    return text + "".join("\t%3d - %s (%s)\n" % (i, name, how) for i, (name, how, _) in enumerate(results, 1) if how)


class WhyTest(unittest.TestCase):
    def why(self, said):
        return ctest_output.why(ctest_output.output_of("a_test", ctest(("a_test", "Failed", said), ("b_test", "", "fine"))))

    def test_a_failed_assertion_with_its_case_and_six_lines(self):
        self.assertEqual(self.why(GTEST), GTEST.splitlines()[2:10])

    def test_the_first_forty_lines_of_a_report(self):
        self.assertEqual(self.why(LEAK + LEAK), LEAK.splitlines()[1:41])

    def test_otherwise_the_last_twenty_lines(self):
        self.assertEqual(self.why("".join("%d\n" % n for n in range(50))), [str(n) for n in range(30, 50)])
        self.assertEqual(self.why("one line"), ["one line"])
        self.assertEqual(self.why(""), [])

    def test_not_more_than_can_be_read(self):
        lines = self.why("".join("x_test.cc:%d: Failure\n%s" % (n, "said\n" * 6) for n in range(100)))
        self.assertEqual((len(lines), lines[-1]), (ctest_output.MOST_LINES + 1, "(580 more such lines)"))

    def test_of_a_test_that_says_why_its_own_tests_failed(self):
        said = ctest_output.HEAD % ("batch_test", "Failed") + "\nx_test.cc:1: Failure\nno second try\n"
        self.assertEqual(self.why("built\n" + said), said.splitlines())

    def test_the_closing_list_is_the_last_one(self):
        inner = ctest(("inner_test", "Failed", "")).replace("% tests passed", "")
        self.assertEqual(ctest_output.failed(ctest(("a_test", "Timeout", inner), ("b_test", "", ""))), {"a_test": "Timeout"})
        self.assertEqual(ctest_output.failed("cut"), {})


class SanitizeTest(unittest.TestCase):
    """The script in a tree of its own, with a cmake and a ctest that only write."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = scratch.name
        for name in ("sanitize", "failures", "second_try", "support/ctest_output.py"):
            os.makedirs(os.path.join(self.root, "tests", os.path.dirname(name)), exist_ok=True)
            shutil.copy(os.path.join(TESTS, name), os.path.join(self.root, "tests", name))
        os.makedirs(os.path.join(self.root, "build", "asan"))
        self.script("deploy/jobs", "echo 2")
        self.script("deploy/configure", "echo configured")
        self.script("bin/cmake", "seq 100")
        self.script("bin/ctest", "true")

    def script(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write("#!/bin/sh\n" + text + "\n")
        os.chmod(path, 0o755)

    def ctest_says(self, first, again=""):
        """Of all tests; of those that failed; and which there are."""
        for name, text in (("first", first), ("again", again)):
            with open(os.path.join(self.root, name), "w", encoding="utf-8") as out:
                out.write(text)
        self.script("bin/ctest", """case "$*" in
  *-N*) echo '  Test #1: a_test' ;;
  *--rerun-failed*) cat {0}/again; ! grep -q FAILED {0}/again ;;
  *) cat {0}/first; ! grep -q FAILED {0}/first ;;
esac""".format(self.root))

    def sanitize(self):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FENSI_")}
        done = subprocess.run([os.path.join(self.root, "tests", "sanitize"), "asan"], capture_output=True, text=True, check=False,
                              env={**kept, "PATH": os.path.join(self.root, "bin") + ":" + os.environ["PATH"]})
        return done.returncode, done.stdout.splitlines()

    def test_what_is_right_says_little(self):
        self.ctest_says("1/1 Test #1: a_test ....   Passed\n\n100% tests passed, 0 tests failed out of 1\n")
        code, lines = self.sanitize()
        self.assertEqual((code, lines[0]), (0, "100% tests passed, 0 tests failed out of 1"))
        self.assertNotIn("99", lines)

    def test_a_build_that_fails_ends_with_its_last_lines(self):
        self.script("bin/cmake", "seq 100; echo x.cc:3: error: no >&2; exit 1")
        code, lines = self.sanitize()
        self.assertEqual(code, 1)
        self.assertIn("build/asan.build.log", lines[0])
        self.assertEqual(lines[1:], [str(n) for n in range(42, 101)] + ["x.cc:3: error: no"])

    def test_a_configuration_that_fails_builds_nothing(self):
        self.script("deploy/configure", "echo no compiler >&2; exit 1")
        code, lines = self.sanitize()
        self.assertEqual((code, lines[1:]), (1, ["no compiler"]))

    def test_the_first_lines_say_why_a_test_failed_and_that_there_is_no_second_try(self):
        self.ctest_says(ctest(("a_test", "Failed", LEAK)))
        code, lines = self.sanitize()
        self.assertEqual((code, lines), (1, ["==== a_test (Failed)", *LEAK.splitlines()[1:41], "no second try: a sanitizer reported of a_test"]))

    def test_a_second_try_says_why_there_was_a_first(self):
        self.ctest_says(ctest(("a_test", "Failed", GTEST)), "100% tests passed")
        code, lines = self.sanitize()
        self.assertEqual((code, lines[0]), (0, "==== a_test (Failed)"))
        self.assertTrue([line for line in lines if line.startswith("Once more")])

    def test_a_second_try_that_fails_says_why(self):
        self.ctest_says(ctest(("a_test", "Failed", GTEST)), ctest(("a_test", "Timeout", "too late")))
        code, lines = self.sanitize()
        self.assertEqual((code, lines[-2:]), (1, ["==== a_test (Timeout)", "too late"]))


if __name__ == "__main__":
    unittest.main(verbosity=2)
