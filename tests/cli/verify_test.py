"""`fensi verify`: what it says, where it says it, and how it ends."""
import json
import os
import signal
import subprocess
import time

import harness
from damage import DamagedIndex
from follow import MAPPING, follow


class Verify(DamagedIndex):
    def report(self, name="report.jsonl"):
        return [json.loads(line) for line in self.read(name).splitlines()]

    def test_an_index_that_is_right_is_equal(self):
        outcome = self.succeeds(*self.LINE)
        self.assertEqual(outcome.out, "index fensi: 0 differences among 30 source rows with 30 entries, and 30 index cells\n")

    def test_what_differs_is_named_and_ends_with_1(self):
        self.damage()
        outcome = self.fensi(*self.LINE)
        self.assertEqual(outcome.code, 1, outcome.err)
        self.assertEqual(sorted(outcome.lines), [
            "content_differs\tfensi\tm0\tf1:r000\tof source row r000\thas 'altered', not ''",
            "index fensi: 3 differences (1 missing, 1 orphan, 1 with another value) among 30 source rows with 30 entries, and 30 "
            "index cells",
            "missing\tfensi\tm2\tf1:r002\tof source row r002",
            "orphan\tfensi\tm0\tf1:r001\tof source row r001"])

    def test_of_many_differences_as_text_some_are_shown_and_the_rest_counted(self):
        self.run_index("copy.yaml", "".join(follow(f"s{i:03}", "n", 10) for i in range(50)).replace('"guanzhu"', '"raw"'))
        outcome = self.fensi(*self.LINE)
        self.assertEqual(outcome.code, 1, outcome.err)
        self.assertEqual([line.split("\t")[0] for line in outcome.lines[:-2]], ["missing"] * 20)
        self.assertEqual(outcome.lines[-2], "  … and 30 more, which --report FILE or --json names")
        self.assertIn("50 differences", outcome.lines[-1])
        reported = self.fensi(*self.LINE, "--report=report.jsonl")
        self.assertEqual(reported.lines[-2], "  … and 30 more, which the report names")
        self.assertEqual(len(self.report()), 52)
        self.assertEqual(len(self.fensi(*self.LINE, "--json").lines), 52)

    def test_a_report_has_a_first_line_findings_and_a_summary(self):
        self.damage()
        self.assertEqual(self.fensi(*self.LINE, "--report=report.jsonl").code, 1)
        self.assertEqual(os.stat(os.path.join(self.dir, "report.jsonl")).st_mode & 0o077, 0, "rows are for their owner")
        first, *findings, last = self.report()
        self.assertEqual((first["kind"], first["index"], first["direction"]), ("verify", "fensi", "both"))
        self.assertEqual({finding["kind"]: (finding["source_row"], finding["row"], finding["column"]) for finding in findings},
                         {"content_differs": ("r000", "m0", "f1:r000"), "orphan": ("r001", "m0", "f1:r001"),
                          "missing": ("r002", "m2", "f1:r002")})
        self.assertEqual((last["kind"], last["complete"], last["missing"], last["orphan"], last["content_differs"], last["good"]),
                         ("summary", True, 1, 1, 1, 28))
        refused = self.fensi(*self.LINE, "--report=report.jsonl")
        self.assertEqual(refused.code, 64)
        self.assertIn("replace what it holds: --overwrite", refused.err)
        self.assertEqual(self.fensi(*self.LINE, "--report=report.jsonl", "--overwrite").code, 1)
        self.assertEqual(len(self.report()), 5)

    def test_json_on_standard_output_is_the_report(self):
        self.damage()
        lines = [json.loads(line) for line in self.fensi(*self.LINE, "--json", "--report=report.jsonl").lines]
        self.assertEqual(lines, self.report())

    def test_a_direction_finds_its_differences_only(self):
        self.damage()
        for direction, kinds in (("forward", ["content_differs", "missing"]), ("reverse", ["orphan"])):
            outcome = self.fensi(*self.LINE, "--json", "--direction", direction)
            self.assertEqual(outcome.code, 1)
            self.assertEqual(sorted(json.loads(line)["kind"] for line in outcome.lines[1:-1]), kinds)

    def test_a_digest_finds_the_same_and_says_how_much_was_looked_up(self):
        right = self.succeeds(*self.LINE, "--method=digest", "--json")
        first, last = (json.loads(line) for line in right.lines)
        self.assertEqual((first["method"], last["rows"], last["good"], "uneven" in last), ("digest", 30, 30, False))
        self.damage()
        looked_up = self.fensi(*self.LINE)
        digest = self.fensi(*self.LINE, "--method=digest")
        self.assertEqual(digest.code, 1, digest.err)
        self.assertEqual(sorted(digest.lines), sorted(line + "; 3 of 1,048,576 buckets uneven" if line.startswith("index ") else line
                                                      for line in looked_up.lines))

    def test_a_digest_is_of_whole_tables(self):
        for flag in ("--prefix=a", "--start_row=a", "--stop_row=a", "--sample=1", "--direction=forward", "--distributed"):
            self.refuses(64, *self.LINE, "--method=digest", flag, says=("cannot be combined with --method=digest",))
        self.refuses(64, *self.LINE, "--method=sort", says=("a method is lookup or digest",))

    def test_rows_of_the_source_are_chosen(self):
        self.damage()
        for flags, rows in ((("--prefix=r002",), 1), (("--start_row=r000", "--stop_row=r002"), 2), (("--prefix=r01",), 10)):
            outcome = self.fensi(*self.LINE, "--json", *flags)
            self.assertEqual(json.loads(outcome.lines[-1])["rows"], rows)
            self.assertEqual(outcome.code, 0 if rows == 10 else 1)
        outcome = self.fensi(*self.LINE, "--prefix=nobody")
        self.assertEqual((outcome.code, "nothing lies in the rows that were named" in outcome.err), (2, True), outcome.err)

    def test_flags_that_do_not_go_together_are_refused(self):
        for flags, says in ((("--prefix=a", "--start_row=b"), "--prefix cannot be combined with"), (("--overwrite",), "--overwrite requires"),
                            (("--start_row=b", "--stop_row=a"), "must be less than --stop_row"), (("--direction=up",), "both, forward or reverse"),
                            (("--max_suspects=0",), "--max_suspects=0"), (("--as_of=watermarks",), "--as_of=watermarks is no time. Write watermark, a time such as"),
                            (("--as_of=latest",), "--as_of=latest is no time. Write watermark, a time such as")):
            outcome = self.fensi(*self.LINE, *flags)
            self.assertEqual(outcome.code, 64, outcome.err)
            self.assertIn(says, outcome.err)

    def test_cells_of_unknown_source_rows_make_a_part_not_comparable(self):
        self.file("unique.yaml", MAPPING.replace("{row}", "x").replace("fensi", "phone") + "    unique: true\n")
        self.run_index("unique.yaml", follow("r000", "m0", 10))
        outcome = self.fensi("verify", "unique.yaml", "phone", self.STORE, "--recheck_s=0", "--prefix=r000", "--json")
        self.assertEqual(json.loads(outcome.lines[-1])["unattributed"], 1)
        self.assertEqual(outcome.code, 2)

    def test_as_of_leaves_out_and_counts_what_is_younger(self):
        self.damage()  # the planted cells are of 100, the source of 10
        outcome = self.fensi(*self.LINE, "--as_of=50", "--report=report.jsonl")
        self.assertEqual(outcome.code, 1, outcome.err)
        self.assertEqual(outcome.lines[0], "index fensi: as of 1970-01-01T00:00:00.050Z")
        self.assertIn("1 difference (1 missing, 0 orphan, 0 with another value)", outcome.out)
        self.assertIn("; 3 younger than --as_of", outcome.out)
        first, *findings, last = self.report()
        self.assertEqual((first["as_of"], len(findings), last["younger"]), ("1970-01-01T00:00:00.050Z", 1, 3))
        self.assertEqual(self.fensi(*self.LINE, "--as_of=2026-01-31T12:00:00Z").lines[0], "index fensi: as of 2026-01-31T12:00:00.000Z")

    def test_an_as_of_before_everything_compares_nothing(self):
        outcome = self.fensi(*self.LINE, "--as_of=1")
        self.assertEqual(outcome.code, 2, outcome.err)
        self.assertIn("; 60 younger than --as_of", outcome.out)

    def test_as_of_a_mark_needs_one(self):
        self.refuses(78, *self.LINE, "--as_of=watermark", says=("index fensi has no watermark in table fensi_meta", "--as_of=20"))

    def test_a_comparison_of_nothing_is_no_proof(self):
        self.file("misspelt.yaml", MAPPING.replace("f1:from", "f1:fromm").replace("fensi", "misspelt"))
        self.run_index("misspelt.yaml", "")
        outcome = self.fensi("verify", "misspelt.yaml", "misspelt", self.STORE, "--recheck_s=0")
        self.assertEqual(outcome.code, 2, outcome.err)
        self.assertIn("no row of table guanzhu has a cell that the index watches (f1:fromm)", outcome.err)
        self.assertIn("fensi compared nothing", outcome.err)

    def test_a_name_of_a_table_that_is_misspelt_has_the_likely_one(self):
        self.file("near.yaml", MAPPING.replace("source: guanzhu", "source: guanzu"))
        self.assertIn("has no table 'guanzu'; did you mean 'guanzhu'?", self.fensi("verify", "near.yaml", "fensi", self.STORE).err)

    def test_a_source_table_that_is_absent_is_named(self):
        self.file("absent.yaml", MAPPING.replace("source: guanzhu", "source: nobody"))
        outcome = self.fensi("verify", "absent.yaml", "fensi", self.STORE)
        self.assertEqual(outcome.code, 78)
        self.assertIn("no table 'nobody'", outcome.err)

    def test_a_report_that_cannot_be_written_is_not_called_whole(self):
        self.damage()
        outcome = self.fensi(*self.LINE, "--report=/dev/full", "--overwrite")
        self.assertEqual(outcome.code, 70)
        self.assertIn("/dev/full: No space left on device; the report is not whole", outcome.err)

    def test_a_broken_pipe_ends_it(self):
        self.damage()
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([harness.FENSI, *self.LINE, "--report=report.jsonl"], cwd=self.dir, stdout=write, stderr=subprocess.PIPE,
                              timeout=harness.DEADLINE_S, check=False, text=True)
        os.close(write)
        self.assertEqual(done.returncode, 70, done.stderr)
        self.assertIn("cannot write to standard output", done.stderr)
        self.assertNotIn('"complete":true', self.read("report.jsonl"))

    def stopped_after(self, seconds):
        """The summary of a verify that is stopped so long after the first line of its report."""
        process = subprocess.Popen([harness.FENSI, *self.LINE[:-1], "--recheck_s=3600", "--report=report.jsonl", "--overwrite"],
                                   cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.wait_for(lambda: os.path.exists(os.path.join(self.dir, "report.jsonl")) and self.read("report.jsonl"))
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=harness.DEADLINE_S)
        self.assertEqual(process.returncode, 75, said)
        return self.report()[-1], said

    def test_a_stop_ends_with_75_and_a_summary_that_says_so(self):
        self.damage()
        for seconds in (0.5, 2, 8, 20):  # until all suspects are found, which takes its time on a busy machine
            last, said = self.stopped_after(seconds)
            self.assertEqual((last["kind"], last["complete"]), ("summary", False))
            if last["open"] == 3:
                break
        self.assertEqual(last["open"], 3)
        self.assertIn("stopped before the end", said)

    def test_a_silent_server_does_not_keep_it_from_stopping(self):
        self.obeys_a_stop(75, "stopped before anything was compared", lambda address: (
            "verify", "guanzhu.yaml", "fensi", "--store=thrift://" + address, "--connect_timeout_s=60"))


harness.main()
