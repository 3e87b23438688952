#!/usr/bin/env python3
"""What docs/evidence.md shows: its commands run, its table has all figures, and what it says of the checker is so."""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
from evidence_figures import ROOT, front, page  # noqa: E402
from evidence_figures.figures import FIGURES  # noqa: E402


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as text:
        return text.read()


class PageTest(unittest.TestCase):
    def setUp(self):
        self.text = text_of("docs/evidence.md")
        (block,) = re.findall(r"^```sh\n(.*?)^```$", self.text, re.M | re.S)
        self.lines = block.splitlines()

    def test_the_commands_run_shortened(self):
        with tempfile.TemporaryDirectory() as folder:
            lines = [shlex.split(line) for line in self.lines if line.startswith("tests/evidence ")]
            self.assertEqual(len(lines), 2)
            for words in lines:
                self.assertEqual([words[words.index("--minutes") + 1], words[words.index("--out") + 1]], ["5", "build/my-evidence"])
                words[words.index("--minutes") + 1], words[words.index("--out") + 1] = "0.1", folder
                done = subprocess.run([*words, "--no_page"], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
                self.assertEqual(done.returncode, 0, done.stdout)
                with open(os.path.join(folder, "evidence.json"), encoding="utf-8") as kept:
                    entry = json.load(kept)["figures"][words[words.index("--only") + 1]]
                self.assertEqual((entry["faults"], entry["verdict"] == "failed"), (0, False), entry)

    def test_the_targets_that_are_built_are_those_that_the_commands_use(self):
        (build,) = [line for line in self.lines if line.startswith("cmake --build")]
        lists = "".join(text_of(os.path.join("tests", folder, "CMakeLists.txt")) for folder in ("indexer", "support"))
        for target in build.split("--target ")[1].split():
            self.assertTrue(target == "fensi" or re.search(r"\(%s\b" % target, lists), target)

    def test_the_table_has_every_figure(self):
        begin, end = page.TABLE
        table = self.text.split(begin)[1].split(end)[0]
        self.assertEqual(re.findall(r"^\| (E\d) \|", table, re.M), [figure.name for figure in FIGURES])
        how = self.text.split("## How a figure is made")[1]
        self.assertEqual(re.findall(r"^\| (E\d) \|", how, re.M), [figure.name for figure in FIGURES])

    def test_the_whole_run_takes_as_long_as_the_page_says(self):
        self.assertIn("in three hours", self.text)
        self.assertEqual(front.WHOLE_MINUTES, 180)
        self.assertEqual(sum(figure.minutes for figure in FIGURES), 180)

    def test_two_figures_have_no_control(self):
        self.assertIn("every figure but two has a control", self.text)
        self.assertEqual([figure.name for figure in FIGURES if not figure.control], ["E4", "E9"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
