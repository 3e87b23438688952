"""`fensi repair` of an embedded store: what it asks for, what is left, and what it refuses. The damage is planted as in verify_test.py."""
import json
import os
import subprocess
import time

import harness
from damage import PLANT, DamagedIndex
from follow import COPY


class Repair(DamagedIndex):
    def setUp(self):
        super().setUp()
        self.damage()
        self.assertEqual(self.fensi(*self.LINE, "--report=report.jsonl").code, 1)

    def repair(self, *words):
        return self.fensi("repair", "guanzhu.yaml", "fensi", self.STORE, "--recheck_s=0", *words)

    def test_a_dry_run_says_what_it_would_do_and_changes_nothing(self):
        before = self.succeeds("scan", "fensi", self.STORE, "--raw", "--json").out
        outcome = self.repair("--from_report=report.jsonl")
        self.assertEqual(outcome.code, 0, outcome.err)
        self.assertEqual(outcome.lines, ["recheck\tr000\t1 with another value", "recheck\tr001\t1 orphan", "recheck\tr002\t1 missing",
                                         "index fensi: 3 source rows to be requested"])
        self.assertIn("nothing was changed. Run the same command with --execute", outcome.err)
        self.assertEqual(self.succeeds("scan", "fensi", self.STORE, "--raw", "--json").out, before)

    def test_a_report_is_repaired_and_a_second_time_nothing_is_wrong(self):
        outcome = self.repair("--from_report=report.jsonl", "--execute")
        self.assertEqual(outcome.code, 0, outcome.err)
        self.assertEqual(outcome.lines[-2:], ["index fensi: 3 source rows requested", "index fensi: 0 differences left"])
        self.succeeds(*self.LINE)
        values = self.succeeds("scan", "fensi", self.STORE).out
        again = self.repair("--from_report=report.jsonl", "--execute")
        self.assertEqual((again.code, again.lines[0]), (0, "index fensi: 0 source rows requested; 3 not wrong any more"))
        self.assertEqual(self.succeeds("scan", "fensi", self.STORE).out, values)

    def test_it_verifies_itself_when_asked_to(self):
        outcome = self.repair("--verify_first", "--execute")
        self.assertEqual(outcome.code, 0, outcome.err)
        self.assertIn("index fensi: 3 source rows requested", outcome.lines)
        self.succeeds(*self.LINE)

    def test_rows_that_are_named_are_repaired_and_others_are_not(self):
        outcome = self.repair("r002", "r0\\x303", "--execute")
        self.assertEqual(outcome.code, 0, outcome.err)
        self.assertEqual(outcome.lines[:2], ["recheck\tr002\t1 missing", "recheck\tr003\tnamed"])
        kinds = [json.loads(line)["kind"] for line in self.fensi(*self.LINE, "--json").lines[1:-1]]
        self.assertEqual(sorted(kinds), ["content_differs", "orphan"])

    def test_a_report_that_is_not_whole_is_refused_unless_a_part_is_enough(self):
        lines = self.read("report.jsonl").splitlines(keepends=True)
        for end in range(len(lines)):
            self.file("part.jsonl", "".join(lines[:end]))
            outcome = self.repair("--from_report=part.jsonl", "--execute")
            self.assertEqual(outcome.code, 78, outcome.err)
            self.assertIn("part.jsonl is not a whole report", outcome.err)
        self.file("part.jsonl", "".join(lines[:2]))
        self.assertEqual(self.repair("--from_report=part.jsonl", "--partial_report", "--execute").code, 0)
        self.assertEqual(self.fensi(*self.LINE).code, 1)

    def test_a_report_that_stands_twice_in_its_file_is_refused_and_a_finding_that_does_is_repaired_once(self):
        first, *findings, last = self.read("report.jsonl").splitlines(keepends=True)
        self.file("twice.jsonl", 2 * "".join([first, *findings, last]))
        outcome = self.repair("--from_report=twice.jsonl", "--execute")
        self.assertEqual(outcome.code, 78, outcome.err)
        self.assertIn("twice.jsonl:%d: the line is after the summary" % (len(findings) + 3), outcome.err)
        self.assertEqual(self.fensi(*self.LINE).code, 1)
        self.file("twice.jsonl", "".join([first, *findings, *reversed(findings), last]))
        outcome = self.repair("--from_report=twice.jsonl", "--execute")
        self.assertEqual(outcome.code, 0, outcome.err)
        self.assertEqual(outcome.lines[-1], "index fensi: 0 differences left")
        self.succeeds(*self.LINE)

    def test_a_report_of_something_else_is_refused(self):
        first, *rest = self.read("report.jsonl").splitlines(keepends=True)
        for change in ({"index": "other"}, {"source": "other"}, {"table": "other"}, {"incarnation": "0" * 16}):
            self.file("other.jsonl", "".join([json.dumps({**json.loads(first), **change}) + "\n", *rest]))
            outcome = self.repair("--from_report=other.jsonl", "--execute")
            self.assertEqual(outcome.code, 78, outcome.err)
            self.assertIn("other.jsonl:1: the report is of", outcome.err)
        for name in ("absent.jsonl", "."):
            self.assertEqual(self.repair("--from_report=" + name).code, 78)
        self.file("broken.jsonl", first + "no line\n" + "".join(rest))
        self.assertIn("broken.jsonl:2: the line is no JSON object", self.repair("--from_report=broken.jsonl").err)

    def test_a_mistyped_folder_is_refused_and_not_made(self):
        for words in ((), ("--execute",)):
            self.refuses(78, "repair", "guanzhu.yaml", "fensi", "--verify_first", "--store=embedded:dta", *words,
                         says="there is no embedded store in dta")
        self.assertFalse(os.path.exists(os.path.join(self.dir, "dta")))

    def test_flags_that_do_not_go_together_are_refused(self):
        for words in ((), ("--verify_first", "r001"), ("--verify_first", "--from_report=report.jsonl"), ("--from_report=report.jsonl", "r001"),
                      ("--verify_first", "--partial_report"), ("",), ("\\xZZ",)):
            outcome = self.repair(*words)
            self.assertEqual(outcome.code, 64, outcome.err)
        outcome = self.repair("--verify_first", "--source=kafka://127.0.0.1:1")
        self.assertEqual((outcome.code, "--source cannot be combined with an embedded store" in outcome.err), (64, True), outcome.err)
        outcome = self.fensi("repair", "guanzhu.yaml", "fensi", "--store=thrift://127.0.0.1:1", "--verify_first")
        self.assertEqual(outcome.code, 64)
        self.assertIn("--source=kafka://HOST:PORT is missing", outcome.err)

    def test_an_index_of_another_definition_is_not_touched(self):
        self.file("other.yaml", self.read("guanzhu.yaml").replace("''", "x"))
        for command in ("repair", "verify"):
            outcome = self.fensi(command, "other.yaml", "fensi", self.STORE, *(["--verify_first"] if command == "repair" else []))
            self.assertEqual(outcome.code, 78)
            self.assertIn("its definition changed since the index was built", outcome.err)

    def test_an_index_that_was_made_without_its_source_is_not_repaired(self):
        self.file("early.yaml", PLANT.replace("plant", "early").replace("table: fensi", "table: early_index"))
        self.run_index("early.yaml", "")
        self.file("copy.yaml", COPY.replace("copy", "late").replace("guanzhu", "early").replace("raw", "late"))
        self.run_index("copy.yaml", "")
        outcome = self.fensi("repair", "early.yaml", "early", self.STORE, "--verify_first", "--execute")
        self.assertEqual(outcome.code, 78, outcome.err)
        self.assertIn("began without its source table", outcome.err)

    def test_an_index_that_nobody_has_begun_is_not_repaired(self):
        self.file("young.yaml", self.read("guanzhu.yaml").replace("fensi", "young"))
        outcome = self.fensi("repair", "young.yaml", "young", self.STORE, "--verify_first")
        self.assertEqual(outcome.code, 78, outcome.err)

    def test_a_silent_server_does_not_keep_it_from_stopping(self):
        self.obeys_a_stop(75, "repair: stopped", lambda address: (
            "repair", "guanzhu.yaml", "fensi", "--verify_first", "--source=kafka://127.0.0.1:1", "--store=thrift://" + address,
            "--connect_timeout_s=60"))

    def test_a_repair_that_is_killed_is_done_by_the_next(self):
        self.run_index("plant.yaml", "".join(self.planted(f"q{i}", f"z{i}", "r001", "", 2**60) for i in range(300)))
        for delay in (0.02, 0.05, 0.1, 0.2):
            process = subprocess.Popen([harness.FENSI, "repair", "guanzhu.yaml", "fensi", self.STORE, "--recheck_s=0", "--verify_first",
                                        "--execute"], cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(delay)
            process.kill()
            process.wait()
        self.assertEqual(self.repair("--verify_first", "--execute").code, 0)
        self.succeeds(*self.LINE)


harness.main()
