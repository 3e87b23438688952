"""`fensi drop --expired` and `fensi run --drop_expired`: tables of periods that ended longer ago than `retention:`, with an embedded store.

Tables of long ago are made under a longer `retention:`, which is no part of an index's definition."""
import json
import os
import signal
import subprocess
import time

import harness
from follow import COPY, cell, event, follow

DAY_MS = 86_400_000
PERIODS = """source: guanzhu
indexes:
  fans:
    table: 'fans_{f1:from@ts | time %Y%m%d}'
    state_table: fans_state
    retention: KEEPd
    row: '{f1:from}'
    columns:
      'f1:{row}': '{f1:from}'
"""
STORE = "--store=embedded:data"


class Expired(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.now = int(time.time() * 1000)
        self.keep(9000)
        self.ages = {"old": 200, "older": 300, "young": 10}
        self.run_index("".join(follow(row, "b", self.at(days)) for row, days in self.ages.items()))
        self.keep(60)

    def keep(self, days):
        self.file("fans.yaml", PERIODS.replace("KEEP", str(days)))

    def at(self, days):
        return self.now - days * DAY_MS

    def table(self, row):
        return time.strftime("fans_%Y%m%d", time.gmtime(self.at(self.ages[row]) / 1000))

    def run_index(self, events, *more):
        self.succeeds("run", "fans.yaml", "--source=file:" + self.file("events.jsonl", events), STORE, *more)

    def tables(self):
        """Of periods."""
        lines = self.succeeds("tables", STORE).lines
        return {line.split()[0] for line in lines if line.startswith("fans_2")}

    def drop(self, *words):
        return self.succeeds("drop", "fans.yaml", "fans", "--expired", STORE, *words)


class Drop(Expired):
    def test_first_it_says_what_it_would_do(self):
        before = self.tables()
        self.assertEqual(len(before), 3)
        planned = self.drop()
        old, older = self.table("old"), self.table("older")
        self.assertEqual([line.split(":")[0] for line in planned.lines], ["table " + older, "table " + old, "readers"])
        self.assertIn("T23:59:59.999Z, 1 region: to be dropped", planned.lines[0])
        self.assertIn("find no entry of these periods", planned.out)
        for text in ("nothing was changed", "'retention: 60d' and an hour", "by the clock of this machine", "--execute"):
            self.assertIn(text, planned.err)
        self.assertEqual(self.tables(), before)

    def test_then_it_does_it_and_twice_there_is_nothing_left_to_do(self):
        dropped = self.drop("--execute")
        self.assertEqual(dropped.lines, [f"table {self.table(row)}: dropped" for row in ("older", "old")])
        self.assertIn("Index fans keeps its other tables", dropped.err)
        self.assertEqual(self.tables(), {self.table("young")})
        again = self.drop("--execute")
        self.assertEqual((again.out, "nothing to do" in again.err), ("", True))
        self.assertIn("nothing to do", self.drop().err)

    def test_the_index_goes_on_and_makes_no_table_again(self):
        self.drop("--execute")
        self.run_index(follow("old", "c", self.now) + event("old", cell("delete_column", "f1:from", self.now)))
        late = self.fensi("run", "fans.yaml", "--source=file:" + self.file("late.jsonl", follow("older", "b", self.at(250))), STORE)
        self.assertEqual((late.code, "outside_retention" in late.err), (1, True))
        self.assertEqual(self.tables() - {time.strftime("fans_%Y%m%d", time.gmtime(self.now / 1000))}, {self.table("young")})

    def test_verify_check_and_lookup_miss_nothing(self):
        # The source itself is in the store: what it still has of ended periods is not called missing.
        self.file("copy.yaml", COPY)
        events = "".join(follow(row, "b", self.at(days)) for row, days in self.ages.items())
        self.file("raw.jsonl", events.replace('"guanzhu"', '"raw"'))
        self.succeeds("run", "copy.yaml", "--source=file:raw.jsonl", STORE)
        self.drop("--execute")
        summary = json.loads(self.succeeds("verify", "fans.yaml", "fans", STORE, "--recheck_s=0", "--json").lines[-1])
        self.assertEqual((summary["missing"], summary["orphan"], summary["good"]), (0, 0, 1))
        self.succeeds("check", "fans.yaml", "--online", STORE)
        day = time.strftime("%Y-%m-%d", time.gmtime(self.at(200) / 1000))
        self.assertEqual(self.succeeds("lookup", "fans.yaml", "fans", "b", "--from", day, "--to", day + "T12:00", STORE).out, "")

    def test_an_alias_is_named(self):
        self.file("copy.yaml", COPY)
        events = "".join(follow(row, "b", self.at(days)) for row, days in self.ages.items())
        self.file("raw.jsonl", events.replace('"guanzhu"', '"raw"'))
        self.succeeds("run", "copy.yaml", "--source=file:raw.jsonl", STORE)
        self.fensi("backfill", "fans.yaml", "fans", STORE, "--execute")
        self.succeeds("switch", "fans.yaml", "fans", STORE, "--to=fans", "--skip_verification", "--execute")
        self.assertIn("alias fans names the index", self.drop().out)
        self.drop("--execute")

    def test_a_table_that_fensi_did_not_make_for_it_is_left_alone(self):
        foreign = "fans_20100101"
        self.file("copy2.yaml", COPY.replace("copy:", "copy2:").replace("guanzhu", foreign).replace("f1:from'", "other:from'", 1))
        self.file("raw.jsonl", follow("a", "b", 10).replace('"guanzhu"', '"raw"'))
        self.succeeds("run", "copy2.yaml", "--source=file:raw.jsonl", STORE)
        self.assertIn(f"table {foreign}: its period ended with 2010-01-01T23:59:59.999Z, 1 region: left alone: it has other families", self.drop().out)
        self.assertIn("left alone", self.drop("--execute").out)
        self.assertEqual(self.tables(), {foreign, self.table("young")})

    def test_without_periods_it_says_why_and_what_to_do(self):
        self.file("plain.yaml", PERIODS.replace("'fans_{f1:from@ts | time %Y%m%d}'", "fans").replace("    retention: KEEPd\n", ""))
        self.refuses(64, "drop", "plain.yaml", "fans", "--expired", STORE, says=("has one table", "An index has one table per period, such as a day, only with 'retention:'"))
        self.file("no-keep.yaml", PERIODS.replace("    retention: KEEPd\n", ""))
        self.refuses(78, "drop", "no-keep.yaml", "fans", "--expired", STORE, says=("a period table needs 'retention'", "retention: 30d"))
        self.assertEqual(len(self.tables()), 3)

    def test_another_definition_is_refused(self):
        self.file("fans.yaml", PERIODS.replace("KEEP", "60").replace("row: '{f1:from}'", "row: '{f1:from | lower}'"))
        for words in ((), ("--execute",)):
            self.refuses(78, "drop", "fans.yaml", "fans", "--expired", STORE, *words, says="its definition changed")
        self.assertEqual(len(self.tables()), 3)

    def test_an_index_that_nobody_has_begun_is_refused(self):
        self.file("fans.yaml", PERIODS.replace("KEEP", "60").replace("fans_state", "other_state"))
        self.refuses(78, "drop", "fans.yaml", "fans", "--expired", STORE, says="has started the index")
        self.refuses(78, "drop", "fans.yaml", "fans", "--expired", STORE, "--meta_table=absent", says="has started the index")

    def test_a_store_that_is_not_there_is_not_made(self):
        self.assertNotEqual(self.fensi("drop", "fans.yaml", "fans", "--expired", "--store=embedded:nowhere").code, 0)
        self.assertFalse(os.path.exists(os.path.join(self.dir, "nowhere")))


class Daemon(Expired):
    def run_daemon(self, *words):
        process = subprocess.Popen([harness.FENSI, "run", "fans.yaml", "--source=file:events.jsonl", "--follow", "--admin=none", STORE, *words],
                                   cwd=self.dir, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        return process

    def end(self, process):
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=harness.DEADLINE_S)
        self.assertEqual(process.returncode, 0, said)
        return said

    def test_off_unless_it_is_asked_for(self):
        process = self.run_daemon()
        time.sleep(3)
        self.assertNotIn("dropped", self.end(process))
        self.assertEqual(len(self.tables()), 3)

    def test_it_drops_at_its_start_and_names_each_table(self):
        process = self.run_daemon("--drop_expired", "--log_format=json")
        lines = []
        while sum('"period_dropped"' in line for line in lines) < 2:
            lines.append(process.stderr.readline())
            self.assertTrue(lines[-1], lines)
        self.end(process)
        for row in ("old", "older"):
            self.assertTrue(any(f'"table":"{self.table(row)}"' in line and "is dropped" in line for line in lines), lines)
        self.assertEqual(self.tables(), {self.table("young")})

    def test_a_run_that_ends_by_itself_is_no_daemon(self):
        self.refuses(64, "run", "fans.yaml", "--source=file:events.jsonl", STORE, "--drop_expired", says=("--drop_expired is only for a run without end", "INDEX --expired"))


if __name__ == "__main__":
    harness.main()
