#!/usr/bin/env python3
"""`fensi verify` and `fensi repair` on real servers, of a table half of which was there before its stream: nothing is wrong while it
is written, each damaged cell is named and no other, by one process or by several that share the work, and a repair mends them beside a writer. A second time nothing changes.
FENSI_TEST_EDGES cells (40,000)."""
import contextlib
import json
import os
import tempfile
import time
import unittest

from lib import graph, reading, stack
from lib.captured import Late, Writer
from lib.program import Daemon, fensi, fensi_ok

EDGES = int(os.environ.get("FENSI_TEST_EDGES", "40000"))
DAMAGED = 100


class VerifyTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.table = Late(scratch.name, "verify")
        self.table.create()
        self.addCleanup(self.table.remove_peer)

    def verify(self, recheck_s, *words):
        """Exit code, findings, summary."""
        done = fensi("verify", self.table.mapping, self.table.index, "--store", stack.hbase_url(), "--json",
                     "--recheck_s=%d" % recheck_s, *words, timeout_s=1800)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        _, *findings, summary = [json.loads(line) for line in done.stdout.splitlines()]
        return done.returncode, findings, summary

    def test_nothing_is_found_under_writes_and_exactly_the_damage_afterwards_which_is_mended(self):
        follows = graph.Graph(self.table.source, EDGES)
        cells = [(follower, "f1:" + followed, timestamp, "follows") for (follower, followed), timestamp in follows.living.items()]
        self.assertEqual(self.table.load(cells[:EDGES // 2]).wait(), 0)
        self.table.follow()
        with self.table.capture(), self.table.daemon("run") as daemon:
            self.backfill()
            writer = self.table.load(cells[EDGES // 2:], 3000)
            code, findings, summary = self.verify(10)
            self.assertEqual((code, findings), (0, []))
            self.assertGreaterEqual(summary["entries"], EDGES // 2)
            self.assertEqual(writer.wait(), 0)
            self.table.wait_indexed("second")
            wanted = self.damage(cells)
            report = os.path.join(self.table.folder, "report.jsonl")
            code, findings, summary = self.verify(1, "--report", report)
            self.assertEqual(code, 1)
            self.assertEqual({(finding["kind"], finding["row"], finding["column"]) for finding in findings}, wanted)
            self.assertEqual((len(findings), summary["complete"]), (3 * DAMAGED, True))
            self.assertEqual(summary["good"], summary["entries"] - 2 * DAMAGED)
            self.check_shared(wanted)
            self.check_repair(report)
            self.assertEqual(daemon.stop(), 0)
        named = cells[0][0]  # a row is asked for whatever it has
        refused = self.repair(named, "--execute")
        self.assertEqual((refused.returncode, "has no members" in refused.stderr), (78, True), refused.stderr)
        asked = self.repair(named, "--execute", "--wait_s=0")
        self.assertEqual(asked.returncode, 2, asked.stderr)

    def check_shared(self, wanted):
        """Three processes share a comparison; one is killed in the middle of it, and a fourth comes later."""
        words = (self.table.mapping, self.table.index, "--store", stack.hbase_url(), "--recheck_s=1", "--distributed", "--rows_per_second=20000",
                 "--workers=2", "--json")
        reports = [os.path.join(self.table.folder, "shared%d.jsonl" % i) for i in range(4)]
        with contextlib.ExitStack() as running:
            def begin(report):
                return running.enter_context(Daemon(self.table.folder, "shared", *words, "--report", report, command="verify"))
            killed, *others = [begin(report) for report in reports[:3]]
            time.sleep(1)
            killed.kill()
            others.append(begin(reports[3]))
            self.assertEqual([other.process.wait(timeout=300) for other in others], [1, 1, 1])
        plan = fensi_ok("backfill", self.table.mapping, self.table.index, "--store", stack.hbase_url(), "--source", stack.kafka_url(),
                        "--skip_watermark_check")
        self.assertIn("%d differences among" % (3 * DAMAGED), plan.stdout)
        for report in reports[1:]:
            with open(report, encoding="utf-8") as lines:
                _, *findings, summary = [json.loads(line) for line in lines]
            found = [(finding["kind"], finding["row"], finding["column"]) for finding in findings]
            self.assertEqual((set(found), len(found)), (wanted, 3 * DAMAGED))
            self.assertEqual((summary["complete"], summary["good"]), (True, summary["entries"] - 2 * DAMAGED))
            self.assertEqual(summary["cells"], summary["entries"])  # as many were added as removed

    def backfill(self):
        words = (self.table.mapping, self.table.index, "--store", stack.hbase_url(), "--source", stack.kafka_url(), "--skip_watermark_check")
        self.table.wait_indexed("stream")
        begin = time.monotonic()
        fensi_ok("backfill", *words, "--execute")
        print("%d cells of before after %.0f s" % (EDGES // 2, time.monotonic() - begin))

    def repair(self, *words):
        mapping, *places = self.table.run_words()
        return fensi("repair", mapping, self.table.index, *places, "--recheck_s=5", *words)

    def check_repair(self, report):
        before = reading.by_admin(self.table.index)
        dry = self.repair("--from_report", report)
        self.assertEqual(dry.returncode, 0, dry.stderr)
        self.assertIn("to be requested", dry.stdout)
        self.assertEqual(reading.by_admin(self.table.index), before)
        writer = Writer(self.table.source, 500)
        done = self.repair("--from_report", report, "--execute")
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)
        writer.stop()
        self.table.wait_indexed("third")
        code, findings, _ = self.verify(1)
        self.assertEqual((code, findings), (0, []))
        self.table.assert_index_is_transposed()
        mended = reading.by_admin(self.table.index)
        again = self.repair("--from_report", report, "--execute")
        self.assertEqual((again.returncode, "0 source rows requested" in again.stdout), (0, True), again.stdout + again.stderr)
        self.assertEqual(reading.by_admin(self.table.index), mended)

    def damage(self, cells):
        """Removes, alters and adds cells of the index; what has to be found."""
        entries = [(column[3:], "f1:" + follower) for follower, column, _, _ in cells]
        removed, altered = entries[:DAMAGED], entries[-DAMAGED:]
        added = [(followed, "f1:nobody%d" % i) for i, (followed, _) in enumerate(entries[DAMAGED:2 * DAMAGED])]
        self.table.change(*["delete_column %s %s" % entry for entry in removed], *["put %s %s altered" % entry for entry in altered],
                          *["put %s %s 1" % entry for entry in added], table=self.table.index)
        kinds = {"missing": removed, "content_differs": altered, "orphan": added}
        return {(kind, *entry) for kind, damaged in kinds.items() for entry in damaged}


if __name__ == "__main__":
    unittest.main(verbosity=2)
