#!/usr/bin/env python3
"""The short form of tests/evidence: every figure of it ends, none counts a fault, and the controls that need no build see theirs."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
from evidence_figures import ROOT  # noqa: E402
from evidence_figures.figure import FAILED  # noqa: E402
from evidence_figures.figures import FIGURES  # noqa: E402

WITH_CONTROL = {"E5", "E7"}  # the others take a rule out, which needs a build


class ShortTest(unittest.TestCase):
    def test_the_short_form_counts_no_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            words = [os.path.join(ROOT, "tests", "evidence"), "--short", "--no_page", "--out", folder]
            done = subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            print(done.stdout)
            self.assertEqual(done.returncode, 0)
            with open(os.path.join(folder, "evidence.json"), encoding="utf-8") as text:
                found = json.load(text)["figures"]
            self.assertEqual(set(found), {figure.name for figure in FIGURES if figure.short})
            self.assertEqual({name: entry["text"] for name, entry in found.items() if entry["verdict"] == FAILED or entry["faults"]}, {})
            self.assertEqual({name for name, entry in found.items() if entry["control_saw"]}, WITH_CONTROL)
            self.assertTrue(os.path.getsize(os.path.join(folder, "E5", "registers.edn")) > 1000)


if __name__ == "__main__":
    unittest.main(verbosity=2)
