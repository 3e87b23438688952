"""Names that other people wrote down, flags and metrics, stay or stand under "Removed"; the version is that of the changelog."""
import re
import subprocess
import unittest

import corpus
import promised

CHANGELOG = """# Changelog

## [1.2.0] - unreleased

### Removed

- The flag `--old`, the command `fensi stale`, the metric `m_old`.

### Added

- `--new`

## [1.1.0] - 2026-02-01

### Removed

- `--older`
"""


def cmake_version():
    return re.search(r"^project\(fensi VERSION (\S+)", corpus.read("CMakeLists.txt"), re.MULTILINE)[1]


class Names(unittest.TestCase):
    maxDiff = None

    def test_of_each_kept_version_are_there_or_stand_under_removed(self):
        changelog, flags = corpus.read("CHANGELOG.md"), {" ".join(flag) for flag in corpus.flags()}
        self.assertTrue(corpus.kept() and len(flags) > corpus.LEAST_FLAGS and len(corpus.metrics()) > corpus.LEAST_METRICS)
        for kept in corpus.kept():
            removed = promised.removed_since(changelog, kept.name)
            before = [line.strip() for line in corpus.lines(kept / "flags.txt")]
            metrics = [line.rstrip("\n") for line in corpus.lines(kept / "metrics.txt")]
            self.assertGreater(len(before), corpus.LEAST_FLAGS, kept)
            self.assertGreater(len(metrics), corpus.LEAST_METRICS, kept)
            self.assertEqual([*promised.gone_flags(before, flags, removed)], [], kept)
            self.assertEqual([*promised.gone_metrics(metrics, corpus.metrics(), removed)], [], kept)

    def test_of_a_released_version_are_all_in_its_corpus(self):
        corpora = {kept.name: ({line.strip() for line in corpus.lines(kept / "flags.txt")},
                               [line.rstrip("\n") for line in corpus.lines(kept / "metrics.txt")]) for kept in corpus.kept()}
        flags = {" ".join(flag) for flag in corpus.flags()}
        self.assertEqual([*promised.corpus_faults(corpus.read("CHANGELOG.md"), corpora, flags, corpus.metrics())], [])

    def test_a_corpus_that_was_written_before_the_release(self):
        today = ({"run --a="}, ["m counter "])
        early = {"1.2.0": (set(), today[1])}
        self.assertEqual([*promised.corpus_faults(CHANGELOG, early, *today)], [], "not released")
        released = CHANGELOG.replace("unreleased", "2026-03-01")
        self.assertEqual([*promised.corpus_faults(released, {"1.2.0": today}, *today)], [])
        self.assertEqual([*promised.corpus_faults(released, early, *today)], ["the corpus of 1.2.0 was written before its release"])
        self.assertEqual([*promised.corpus_faults(released, {}, *today)], ["1.2.0 is released and has no corpus"])

    def test_the_version_is_the_newest_of_the_changelog(self):
        faults = promised.version_faults(corpus.read("CHANGELOG.md"), cmake_version(), [kept.name for kept in corpus.kept()])
        self.assertEqual(faults, [])
        said = subprocess.run([corpus.FENSI, "version"], capture_output=True, text=True, check=True).stdout
        self.assertIn(cmake_version(), said.split("\n")[0])


class Removed(unittest.TestCase):
    """On changelogs that are made up."""

    def test_counts_in_versions_behind_the_corpus_only(self):
        removed = promised.removed_since(CHANGELOG, "1.1.0")
        self.assertIn("--old`", removed)
        self.assertNotIn("--older", removed)
        self.assertNotIn("--new", removed)
        self.assertIn("--older", promised.removed_since(CHANGELOG, "1.0.9"))
        self.assertEqual(promised.removed_since(CHANGELOG, "1.2.0"), "")

    def test_a_flag_that_goes_unsaid_is_a_fault(self):
        removed = promised.removed_since(CHANGELOG, "1.1.0")
        gone = promised.gone_flags(["run --old=", "run --kept", "run --lost=", "stale --any"], ["run --kept"], removed)
        self.assertEqual([*gone], ["flag run --lost="])

    def test_a_switch_that_comes_to_take_a_value_is_a_fault(self):
        self.assertEqual([*promised.gone_flags(["run --x"], ["run --x="], "")], ["flag run --x"])

    def test_a_metric_that_loses_its_kind_a_label_or_a_word_is_a_fault(self):
        before = ["m counter index, kind: a b", "m_old gauge ", "n gauge "]
        for now in ("m gauge index, kind: a b", "m counter kind: a b", "m counter index, kind: a", "o gauge "):
            with self.subTest(now):
                gone = [*promised.gone_metrics(before, [now, "n gauge "], "`m_old`")]
                self.assertEqual([line.split(":")[0] for line in gone], ["metric m"])
        self.assertEqual([*promised.gone_metrics(before, ["m counter index, kind: a b c, more", "n gauge "], "`m_old`")], [])


class Version(unittest.TestCase):
    def faults(self, changelog=CHANGELOG, cmake="1.2.0", corpora=("1.1.0",)):
        return " ".join(promised.version_faults(changelog, cmake, list(corpora)))

    def test_is_the_newest_heading(self):
        self.assertEqual(self.faults(), "")
        self.assertIn("has version 1.3.0, and the newest heading of CHANGELOG.md is 1.2.0", self.faults(cmake="1.3.0"))

    def test_is_released_with_a_corpus(self):
        self.assertIn("no corpus of 1.1.0", self.faults(corpora=()))
        self.assertIn("no corpus of 1.2.0", self.faults(CHANGELOG.replace("unreleased", "2026-03-01")))
        self.assertIn("1.0.0 is of no version", self.faults(corpora=("1.0.0", "1.1.0")))

    def test_has_a_number_and_a_date_and_rises(self):
        self.assertIn("and not: ['Unreleased']", self.faults(CHANGELOG.replace("[1.2.0] - unreleased", "[Unreleased]")))
        self.assertIn("neither a date", self.faults(CHANGELOG.replace("unreleased", "soon")))
        self.assertIn("is no date", self.faults(CHANGELOG.replace("2026-02-01", "unreleased")))
        self.assertIn("do not fall", self.faults(CHANGELOG.replace("1.2.0", "1.0.0"), cmake="1.0.0"))
        self.assertIn("and not: []", self.faults("# Changelog\n"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
