"""`fensi backfill` with an embedded store, where the command owns the rows itself.

The source table is made by an index of its own (`copy`): an embedded store takes cells from `fensi run` only."""
import json
import os
import shutil
import signal
import subprocess

import harness
from follow import COPY, MAPPING, cell, event, follow

ROWS = 30

INDEX = "source: guanzhu\nindexes:\n  %s: { table: %s, row: 'x{row}', columns: { 'f1:from': '{f1:from}' }, mode: %s }\n"
# A drop of this index takes the table of another one away. The other index is in another table of indexes.
OWNER = "source: plant\nindexes:\n  owner: { table: %s, row: '{f1:a}', columns: { 'f1:{row}': '' } }\n"


class Backfill(harness.CliTest):
    STORE = "--store=embedded:data"
    LINE = ("backfill", "guanzhu.yaml", "fensi", STORE)

    def setUp(self):
        super().setUp()
        self.file("guanzhu.yaml", MAPPING)
        self.file("copy.yaml", COPY)
        self.run_index("copy.yaml", "")
        rows = [follow(f"r{i:03}", f"m{i % 7}", 10) for i in range(ROWS)]
        self.run_index("guanzhu.yaml", "".join(rows[:ROWS // 2]))
        gone = event("r020", cell("delete_column", "f1:from", 20), table="raw")
        self.run_index("copy.yaml", "".join(rows).replace('"guanzhu"', '"raw"') + gone)

    def run_index(self, mapping, events):
        self.succeeds("run", mapping, "--source=file:" + self.file("events.jsonl", events), self.STORE)

    def differences(self):
        outcome = self.fensi("verify", "guanzhu.yaml", "fensi", self.STORE, "--recheck_s=0", "--json")
        summary = json.loads(outcome.lines[-1])
        return outcome.code, summary["missing"], summary["orphan"], summary["content_differs"]

    def cells(self):
        """Of the index, and the states of its rows."""
        lines = [line for table in ("fensi", "fensi_state") for line in self.succeeds("scan", table, self.STORE, "--json").lines]
        return [line for line in lines if json.loads(line)["row"] != "fensi"]

    def test_rows_from_before_the_stream_are_brought_in(self):
        self.assertEqual(self.differences(), (1, ROWS // 2 - 1, 0, 0))
        self.assertIn("nothing was changed", self.succeeds(*self.LINE).err)
        self.assertEqual(self.differences(), (1, ROWS // 2 - 1, 0, 0))
        outcome = self.succeeds(*self.LINE, "--execute")
        # Of one of them only a marker is left, which a raw scan shows, too.
        self.assertIn("30 rows of table guanzhu scanned and applied; phase live", outcome.out)
        self.assertIn("run fensi verify next", outcome.err)
        self.assertEqual(self.differences(), (0, 0, 0, 0))

    def test_twice_changes_nothing(self):
        self.succeeds(*self.LINE, "--execute")
        before = self.cells()
        self.assertIn("done since", self.succeeds(*self.LINE, "--execute").err)
        self.assertIn("scanned and applied", self.succeeds(*self.LINE, "--execute", "--restart").out)
        self.assertEqual(self.cells(), before)

    def make_index_whose_table_is_lost(self, mode):
        apart = {"FENSI_META_TABLE": "apart_" + mode}
        nothing = "--source=file:" + self.file("nothing.jsonl", "")
        self.file("owner.yaml", OWNER % mode)
        self.file(mode + ".yaml", INDEX % (mode, mode, mode))
        self.succeeds("create", "owner.yaml", self.STORE, "--execute", variables=apart)
        self.succeeds("run", "owner.yaml", nothing, self.STORE, variables=apart)
        self.succeeds("run", mode + ".yaml", nothing, self.STORE)
        self.succeeds("backfill", mode + ".yaml", mode, self.STORE, "--execute")
        self.assertEqual(len(self.succeeds("scan", mode, self.STORE).lines), ROWS - 1)
        self.succeeds("drop", "owner.yaml", "owner", self.STORE, "--execute", variables=apart)
        self.succeeds("create", mode + ".yaml", self.STORE, "--execute")

    def test_entries_of_a_lost_table_come_back_if_the_index_is_stateless(self):
        for mode, says, entries in (("stateless", "restores the entries of the rows that it scans", ROWS - 1),
                                    ("stateful", "brings back no entry that the row states name", 0)):
            with self.subTest(mode):
                self.make_index_whose_table_is_lost(mode)
                line = ("backfill", mode + ".yaml", mode, self.STORE, "--restart")
                self.assertIn(says, self.succeeds(*line).err)
                self.succeeds(*line, "--execute")
                self.assertEqual(len(self.succeeds("scan", mode, self.STORE).lines), entries)

    def test_the_stream_goes_on_afterwards(self):
        self.succeeds(*self.LINE, "--execute")
        moved = follow("r025", "m9", 30)
        self.run_index("guanzhu.yaml", moved)
        self.run_index("copy.yaml", moved.replace('"guanzhu"', '"raw"'))
        self.assertEqual(self.differences(), (0, 0, 0, 0))

    def test_a_part_is_a_part(self):
        self.assertIn("phase partial", self.succeeds(*self.LINE, "--execute", "--prefix=r01").out)
        self.assertEqual(self.differences()[:2], (1, 9))
        self.assertIn("phase live", self.succeeds(*self.LINE, "--execute").out)
        self.assertEqual(self.differences()[0], 0)

    def test_rows_are_chosen_by_time(self):
        self.assertIn("phase partial", self.succeeds(*self.LINE, "--execute", "--from=11").out)
        self.assertEqual(self.differences()[:2], (1, ROWS // 2 - 1))
        self.succeeds(*self.LINE, "--execute", "--from=10", "--to=11")
        self.assertEqual(self.differences()[0], 0)

    def test_the_plan_is_told_to_programs(self):
        plan = json.loads(self.succeeds(*self.LINE, "--json").out)
        self.assertEqual(plan, {"kind": "plan", "index": "fensi", "source_table": "guanzhu", "ranges": 1, "regions": 1,
                                "owners": "this process", "phase": "building", "complete": None, "last": None})

    def test_the_plan_tells_how_far_the_index_is(self):
        self.assertIn("in 1 range (the table has 1 region), owned by this process\n  phase building", self.succeeds(*self.LINE).out)
        self.succeeds(*self.LINE, "--execute")
        self.assertRegex(self.succeeds(*self.LINE).out, "phase live(.|\n)*the last backfill, made at .* is done: 30 rows, 1 of 1 range done")
        plan = json.loads(self.succeeds(*self.LINE, "--json").out)
        self.assertEqual((plan["phase"], plan["last"]["state"], plan["last"]["rows"]), ("live", "done", ROWS))

    def test_the_plan_comes_before_the_tables_and_makes_none(self):
        self.file("other.yaml", MAPPING.replace("fensi", "other"))
        self.assertIn("phase building", self.succeeds("backfill", "other.yaml", "other", self.STORE).out)
        self.refuses(78, "scan", "other", self.STORE, says="has no table 'other'")
        self.assertIn("phase live", self.succeeds("backfill", "other.yaml", "other", self.STORE, "--execute").out)

    def test_a_changed_definition_is_told_by_the_plan_and_before_a_table_is_made(self):
        self.file("guanzhu.yaml", MAPPING.replace("table: fensi", "table: moved").replace("row: '", "row: 'x"))
        for words in ((), ("--execute",)):
            self.refuses(78, *self.LINE, *words, says="its definition changed since the index was built")
        self.refuses(78, "scan", "moved", self.STORE, says="has no table 'moved'")

    def test_a_mistyped_folder_is_refused_and_not_made(self):
        for words in ((), ("--execute",), ("--resume",), ("--cancel",)):
            self.refuses(78, "backfill", "guanzhu.yaml", "fensi", "--store=embedded:dta", *words,
                         says="there is no embedded store in dta")
        self.assertFalse(os.path.exists(os.path.join(self.dir, "dta")))

    def begin(self):
        """A backfill with minutes to go."""
        process = subprocess.Popen([harness.FENSI, *self.LINE, "--execute", "--rows_per_second=1"], cwd=self.dir,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def begin_with_many_rows(self):
        more = [follow(f"s{i:03}", "m1", 10).replace('"guanzhu"', '"raw"') for i in range(300)]
        self.run_index("copy.yaml", "".join(more))
        process = self.begin()
        self.wait_for(lambda: self.rows() > 0)
        return process

    def rows(self):
        """That the board has, read beside the one that works."""
        last = json.loads(self.succeeds(*self.LINE, "--json").out)["last"]
        return last["rows"] if last else 0

    def test_a_second_process_is_told_what_to_do(self):
        self.begin_with_many_rows()
        self.refuses(69, *self.LINE, "--cancel", says=("another process writes to it", "stop it with SIGTERM"))
        self.refuses(69, *self.LINE, "--execute", says="another process writes to it")
        self.assertRegex(self.succeeds(*self.LINE).out, "is open: [0-9]+ rows, 0 of 1 range done")

    def test_a_folder_that_goes_meanwhile_ends_it(self):
        process = self.begin_with_many_rows()
        shutil.rmtree(os.path.join(self.dir, "data"), ignore_errors=True)  # whoever has it removes files, too
        _, said = process.communicate(timeout=harness.DEADLINE_S)
        self.assertEqual(process.returncode, 78, said)
        self.assertIn("was removed or replaced while it was in use", said)

    def test_who_is_killed_again_and_again_gets_further_each_time(self):
        process = self.begin_with_many_rows()
        for _ in range(3):
            process.kill()
            process.communicate()
            known = self.rows()
            process = self.begin()
            self.wait_for(lambda: self.rows() > known)
        process.kill()
        process.communicate()
        self.succeeds(*self.LINE, "--resume", "--rows_per_second=0")
        outcome = self.succeeds(*self.LINE, "--execute", "--restart")
        self.assertIn("330 rows", outcome.out)
        self.assertIn("--restart has no effect, because that backfill has not ended", outcome.err)
        self.assertEqual(self.differences()[0], 0)

    def test_what_was_cancelled_is_not_resumed(self):
        process = self.begin_with_many_rows()
        process.send_signal(signal.SIGINT)
        self.assertEqual((process.communicate(timeout=harness.DEADLINE_S), process.returncode)[1], 75)
        self.succeeds(*self.LINE, "--cancel")
        self.refuses(78, *self.LINE, "--resume", says="was cancelled. To start it again, give --execute --restart")
        self.assertIn("phase live", self.succeeds(*self.LINE, "--execute", "--restart").out)

    def test_letters_of_its_own_are_told(self):
        self.file("numbers.yaml", MAPPING.replace("fensi", "numbers").replace("{f1:from}", "{f1:from | int | to_be 8}"))
        self.file("none.jsonl", "")
        self.succeeds("run", "numbers.yaml", "--source=file:none.jsonl", self.STORE)
        outcome = self.fensi("backfill", "numbers.yaml", "numbers", self.STORE, "--execute", "--dead_letters=file:letters.jsonl")
        self.assertEqual(outcome.code, 1, outcome.err)
        letters = self.read("letters.jsonl").splitlines()
        self.assertIn(f"backfill: {len(letters)} dead letters in letters.jsonl", outcome.err)
        self.assertEqual(len(letters), ROWS - 1)

    def test_an_empty_range_is_done(self):
        self.assertIn("0 rows", self.succeeds(*self.LINE, "--execute", "--prefix=nobody", "--json").out.replace('"rows":0', "0 rows"))

    def test_flags_that_do_not_go_together_are_refused(self):
        for flags, says in ((("--prefix=a", "--start_row=b"), "--prefix cannot be combined with"), (("--execute", "--pause"), "exclude one another"),
                            (("--start_row=b", "--stop_row=a"), "must be less than --stop_row"), (("--from=9", "--to=9"), "but 1970-01-01T00:00:00.009Z is not before 1970-01-01T00:00:00.009Z"),
                            (("--from=latest",), "a time such as"), (("--source=file:events.jsonl",), "cannot be combined with an embedded"),
                            (("--workers=2",), "--workers cannot be combined with"), (("--ahead_rows=5",), "--ahead_rows cannot be combined with"),
                            (("--pause",), "Stop the backfill with SIGTERM. The same command continues the backfill")):
            self.refuses(64, *self.LINE, *flags, says=says)
        self.refuses(78, *self.LINE, "--cancel", says="fensi_meta")
        self.succeeds(*self.LINE, "--execute")
        self.refuses(78, *self.LINE, "--cancel", says="no backfill of index fensi is running")


if __name__ == "__main__":
    harness.main()
