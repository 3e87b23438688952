"""`fensi verify --distributed`: one comparison that the same line begins, joins, and ends after a kill."""
import json
import os
import signal
import subprocess

import harness
from damage import DamagedIndex

DAMAGE = {("content_differs", "m0", "f1:r000"), ("orphan", "m0", "f1:r001"), ("missing", "m2", "f1:r002")}


class VerifyJob(DamagedIndex):
    JOB = (*DamagedIndex.LINE, "--distributed")

    def outcome_of(self, *words, code):
        """First line, findings, summary."""
        outcome = self.fensi(*self.JOB, "--json", *words)
        self.assertEqual(outcome.code, code, outcome.err)
        first, *findings, last = [json.loads(line) for line in outcome.lines]
        found = {(finding["kind"], finding["row"], finding["column"]) for finding in findings}
        self.assertEqual(len(found), len(findings))
        return first, found, last, outcome.err

    def test_finds_what_a_comparison_alone_finds_and_tells_it_to_each_that_asks(self):
        _, found, last, _ = self.outcome_of(code=0)
        self.assertEqual((found, last["rows"], last["entries"], last["cells"], last["good"]), (set(), 30, 30, 30, 30))
        self.damage()
        _, _, last, said = self.outcome_of(code=0)
        self.assertEqual((last["missing"], "To compare once more, add --restart" in said), (0, True))
        first, found, last, _ = self.outcome_of("--restart", "--report=report.jsonl", code=1)
        self.assertEqual(found, DAMAGE)
        self.assertEqual((last["complete"], last["rows"], last["good"], last["missing"], last["orphan"], last["content_differs"]),
                         (True, 30, 28, 1, 1, 1))
        lines = [json.loads(line) for line in self.read("report.jsonl").splitlines()]
        self.assertEqual((lines[0], lines[-1], len(lines)), (first, last, 5))
        noted = self.noted()
        self.assertEqual([words.split()[2:] for words in noted], ["30 30 1 1 1 0 0 0 both, rows - to -".split()])
        again = self.outcome_of(code=1)
        self.assertTrue(first.pop("table_identity"), "of who made the job; others do not know which table was compared before")
        self.assertEqual(again[:3], (first, found, last))
        self.assertEqual(self.noted(), noted, "who asks once more has not compared once more")

    def noted(self):
        cells = [json.loads(line) for line in self.succeeds("scan", "fensi_meta", self.STORE, "--json").lines]
        return [cell["value"] for cell in cells if cell["column"].startswith("i:verified/")]

    def test_after_a_kill_the_same_line_goes_on_and_counts_each_row_once(self):
        self.damage()
        for kill in (signal.SIGKILL, signal.SIGTERM):
            process = subprocess.Popen([harness.FENSI, *self.JOB[:-2], "--distributed", "--recheck_s=3600", "--restart", "--report=stopped.jsonl",
                                        "--overwrite"], cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            self.wait_for(lambda: self.path_has("stopped.jsonl"))
            process.send_signal(kill)
            _, said = process.communicate(timeout=harness.DEADLINE_S)
            if kill == signal.SIGTERM:
                self.assertEqual((process.returncode, "run the same command again to continue" in said), (75, True), said)
                self.assertIn('"complete":false', self.read("stopped.jsonl"))
            _, found, last, said = self.outcome_of(code=1)
            self.assertIn("resumes the comparison created at", said)
            self.assertEqual((found, last["rows"], last["good"]), (DAMAGE, 30, 28))
            os.remove(os.path.join(self.dir, "stopped.jsonl"))

    def path_has(self, name):
        return os.path.exists(os.path.join(self.dir, name)) and self.read(name)

    def test_one_with_other_arguments_is_refused_until_a_person_ends_it(self):
        process = subprocess.Popen([harness.FENSI, *self.JOB, "--rows_per_second=1", "--report=begun.jsonl"], cwd=self.dir,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_for(lambda: self.path_has("begun.jsonl"))
        process.kill()
        process.wait()
        self.refuses(78, *self.JOB, "--prefix=r00", says=("another comparison of index fensi, created at", "To end the other, run its command with --cancel"))
        self.refuses(78, *self.JOB, "--rows_per_second=5", says="has another pace")
        self.assertIn("is cancelled; workers follow within seconds", self.succeeds(*self.JOB, "--cancel").err)
        self.refuses(78, *self.JOB, says="was cancelled. To start it again, add --restart")
        self.refuses(78, *self.JOB, "--resume", says="was cancelled. To start it again, give --restart")
        _, found, last, _ = self.outcome_of("--prefix=r00", code=0)
        self.assertEqual((found, last["rows"], last["cells"]), (set(), 10, 10))
        self.refuses(78, *self.JOB, "--cancel", says="no comparison of index fensi is running")

    def test_what_does_not_go_together_is_refused(self):
        for words, says in ((("--sample=1",), "--sample cannot be combined with --distributed"), (("--as_of=watermark",), "--as_of=watermark cannot be combined with --distributed"),
                            (("--workers=2",), "--workers cannot be combined with an embedded store"),
                            (("--pause", "--cancel"), "exclude one another")):
            self.refuses(64, *self.JOB, *words, says=says)
        for flag in ("--restart", "--pause", "--resume", "--cancel", "--workers=2"):
            self.refuses(64, *self.LINE, flag, says="requires --distributed")

    def test_what_is_younger_is_left_out_by_all(self):
        self.damage()
        _, found, last, _ = self.outcome_of("--as_of=50", code=1)
        self.assertEqual((found, last["younger"]), ({("missing", "m2", "f1:r002")}, 3))


harness.main()
