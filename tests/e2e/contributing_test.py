#!/usr/bin/env python3
"""Runs the command lines of CONTRIBUTING.md in this build."""
import os
import re
import subprocess
import tempfile
import unittest

ROOT = os.environ["FENSI_ROOT"]


class Contributing(unittest.TestCase):
    def lines(self, ctest_folder):
        """As they are, but for where ctest keeps its log: in the build's own folder it would write over that of the ctest
        which runs this test. And the build keeps its units, or everything would be compiled again."""
        with open(os.path.join(ROOT, "CONTRIBUTING.md"), encoding="utf-8") as page:
            (block,) = re.findall(r"^```sh\n(.*?)^```$", page.read(), re.M | re.S)
        with open(os.path.join(ROOT, "build/release/CMakeCache.txt"), encoding="utf-8") as cache:
            (units,) = re.findall(r"^CMAKE_UNITY_BUILD:\w+=(\w+)$", cache.read(), re.M)
        for words, own in (("ctest --test-dir build/release", "ctest --test-dir " + ctest_folder),
                           ("-DCMAKE_UNITY_BUILD=OFF", "-DCMAKE_UNITY_BUILD=" + units)):
            self.assertEqual(block.count(words), 1, words)
            block = block.replace(words, own)
        return block

    def test_every_command_line_runs(self):
        with tempfile.TemporaryDirectory(prefix="fensi-contributing-") as folder:
            with open(os.path.join(folder, "CTestTestfile.cmake"), "w", encoding="utf-8") as tests:
                tests.write('subdirs("%s/build/release")\n' % ROOT)
            done = subprocess.run(["bash", "-euxo", "pipefail", "-c", self.lines(folder)], cwd=ROOT, text=True,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("100% tests passed, 0 tests failed out of 1\n", done.stdout)
        self.assertRegex(done.stdout, r"\[  PASSED  \] [1-9]\d* tests?\.")


if __name__ == "__main__":
    unittest.main(verbosity=2)
