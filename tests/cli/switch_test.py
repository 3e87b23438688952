"""An index is defined anew beside the old one, applications are led from one to the other by an alias, and the old one is dropped:
`fensi switch`, `fensi lookup` of @ALIAS and `fensi drop`, with an embedded store.

Marks, which owners of partitions say in the meta table, are planted; so is the source table (`copy`)."""
import json
import os
import time

import harness
from follow import COPY, cell, event, follow
from planted_meta import TABLE, WithPlantedMeta, planting

MAPPING = """source: guanzhu
indexes:
  fans:
    table: fans
    row: '{f1:from}'
    columns:
      'f1:{row}': ''
  fans-2:
    table: fans-2
    row: '{f1:from}'
    columns:
      'f1:{row}': 'second'
"""
PERIODS = """source: guanzhu
indexes:
  fans:
    table: 'fans_{f1:from@ts | time %Y%m}'
    state_table: fans_state
    retention: 60d
    row: '{f1:from}'
    columns:
      'f1:{row}': ''
"""
META = planting("meta", {"i:complete/{f1:incarnation}": "{f1:complete}"})
BEFORE = planting("before", {"i:incarnation": "{f1:incarnation}"}).replace("index:{row}", "alias:{row}")
RETIRE = planting("retire", {"i:phase/{f1:retired}": "retired"})
STORE = "--store=embedded:data"


class Redefined(WithPlantedMeta, harness.CliTest):
    def setUp(self):
        super().setUp()
        for name, text in (("fans.yaml", MAPPING), ("copy.yaml", COPY), ("meta.yaml", META), ("retire.yaml", RETIRE), ("before.yaml", BEFORE)):
            self.file(name, text)
        self.plant("meta.yaml", "", STORE)
        self.plant("retire.yaml", "", STORE)
        self.plant("before.yaml", "", STORE)
        rows = [follow(f"r{i}", "b", 10) for i in range(5)]
        self.run_index("copy.yaml", "".join(rows).replace('"guanzhu"', '"raw"'))

    def run_index(self, mapping, events, *more):
        self.succeeds("run", mapping, "--source=file:" + self.file("events.jsonl", events), STORE, *more)

    def live(self, index):
        """With its report."""
        self.run_index("fans.yaml", "", "--index=" + index)
        self.succeeds("backfill", "fans.yaml", index, STORE, "--execute")
        return self.report(index)

    def report(self, index, *more, code=0, name=None):
        name = name or index + ".jsonl"
        self.assertEqual(self.fensi("verify", "fans.yaml", index, STORE, "--recheck_s=0", "--report", name, "--overwrite", *more).code, code)
        return name

    def meta(self, row):
        """{column: value} of a row of the meta table."""
        cells = [json.loads(line) for line in self.succeeds("scan", TABLE, STORE, "--json").lines]
        return {cell["column"]: cell["value"] for cell in cells if cell["row"] == row}

    def mark(self, index, age_s):
        incarnation = self.meta("index:" + index)["i:incarnation"]
        said = {"f1:incarnation": incarnation, "f1:complete": str(int((time.time() - age_s) * 1000))}
        now = int(time.time() * 1000)
        self.plant("meta.yaml", event(index, *(cell("put", column, now, value) for column, value in said.items()), table="said"), STORE)

    def switch(self, *words):
        return self.fensi("switch", "fans.yaml", "fans", STORE, *words)

    def switched(self, *words):
        outcome = self.switch(*words, "--execute")
        self.assertEqual(outcome.code, 0, outcome.err)
        return outcome

    def refused(self, *words, says):
        before = self.meta("alias:fans")
        for execute in ((), ("--execute",)):
            outcome = self.switch(*words, *execute)
            self.assertEqual(outcome.code, 78, outcome.err)
            for text in [says] if isinstance(says, str) else says:
                self.assertIn(text, outcome.err)
        self.assertEqual(self.meta("alias:fans"), before)

    def shown(self):
        """The value of each entry that applications read by the alias."""
        outcome = self.succeeds("lookup", "fans.yaml", "@fans", "b", STORE, "--json")
        return {json.loads(line)["value"] for line in outcome.lines}


class Switch(Redefined):
    def test_lookup_follows_the_alias_there_and_back(self):
        first, second = self.live("fans"), self.live("fans-2")
        self.switched("--to=fans", "--from_report", first, "--skip_verification")
        self.assertEqual(self.shown(), {""})
        planned = self.switch("--to=fans-2", "--from_report", second, "--skip_verification")
        self.assertIn("nothing was changed", planned.err)
        self.assertEqual(planned.code, 0)
        self.assertEqual(self.shown(), {""})
        self.assertIn("To go back to index fans: 'fensi switch MAPPING", self.switched("--to=fans-2", "--from_report", second, "--skip_verification").err)
        self.assertEqual(self.shown(), {"second"})
        self.assertIn("nothing was changed", self.switch("--back", "--skip_verification").err)
        self.assertEqual(self.shown(), {"second"})
        self.switched("--back", "--skip_verification")
        self.assertEqual(self.shown(), {""})
        self.switched("--back", "--skip_verification")
        self.assertEqual(self.shown(), {"second"})

    def test_the_same_line_again_changes_nothing(self):
        self.switched("--to=fans", "--from_report", self.live("fans"), "--skip_verification")
        self.switched("--to=fans-2", "--from_report", self.live("fans-2"), "--skip_verification")
        before = self.meta("alias:fans")
        self.assertIn("nothing to do", self.switched("--to=fans-2").err)
        self.assertEqual(self.meta("alias:fans"), before)
        self.assertEqual((before["i:index"], before["i:former"]), ("fans-2", "fans"))

    def test_both_are_shown_with_phase_and_mark(self):
        self.switched("--to=fans", "--from_report", self.live("fans"), "--skip_verification")
        self.live("fans-2")
        self.mark("fans-2", 5)
        out = self.switch("--to=fans-2", "--from_report=fans-2.jsonl").out
        self.assertIn("now   index fans: phase live, no watermark", out)
        self.assertIn("then  index fans-2: phase live, complete to 20", out)
        self.assertIn("nothing differs among 5 source rows", out)

    def test_an_index_that_is_not_live_is_refused_whatever_is_waived(self):
        self.refused("--to=fans", "--skip_verification", says=("has no record of the index", "fensi backfill"))
        self.run_index("fans.yaml", "", "--index=fans")
        self.succeeds("backfill", "fans.yaml", "fans", STORE, "--execute", "--prefix=r1")
        self.refused("--to=fans", "--skip_verification", says="its phase is partial, not live")

    def test_all_that_is_missing_is_named_at_once(self):
        self.live("fans")
        self.refused("--to=fans", says=("the index has no watermark", "nothing shows that the index agrees with its source", "--from_report"))

    def test_a_mark_of_the_future_is_refused(self):
        report = self.live("fans")
        self.mark("fans", -86_400)
        self.refused("--to=fans", "--from_report", report, says=("its watermark is in the future", "clock"))

    def test_a_mark_that_is_old_is_refused(self):
        report = self.live("fans")
        self.mark("fans", 300)
        self.refused("--to=fans", "--from_report", report, says=("its watermark is 5 m", "fensi run"))
        self.mark("fans", 0)
        self.switched("--to=fans", "--from_report", report)

    def test_only_a_young_report_of_all_rows_that_found_nothing_counts(self):
        whole = self.live("fans")
        part = [("--prefix=r1", "a part of the rows"), ("--sample=1", "a part of the rows"), ("--direction=forward", "one direction")]
        for words, says in part:
            self.refused("--to=fans", "--skip_verification", "--from_report", self.report("fans", words, name="part.jsonl"), says=says)
        lines = self.read(whole).splitlines(True)
        old, future = (json.dumps({**json.loads(lines[0]), "began": year + "-12-20T12:00:00.000Z"}) + "\n" for year in ("2016", "2099"))
        for text, says in (("".join(lines[:-1]), "not a whole report"), (old + lines[-1], "older than a day"), (future + lines[-1], "the report began in the future"), ("no report\n", "no JSON object"),
                           ("".join(lines).replace('"fans"', '"fans-2"', 1), "the report is of index 'fans-2'"),
                           ("".join(lines).replace('"undecided":0', '"undecided":2'), '"undecided"'),
                           ("".join(lines).replace('"younger":0', '"younger":2'), "younger than its --as_of")):
            self.refused("--to=fans", "--skip_verification", "--from_report", self.file("other.jsonl", text), says=says)
        self.refused("--to=fans", "--from_report=absent", says="absent")

    def test_a_report_that_found_something_counts_although_reports_are_waived(self):
        self.live("fans")
        self.run_index("copy.yaml", follow("late", "b", 20).replace('"guanzhu"', '"raw"'))
        self.refused("--to=fans", "--skip_verification", "--from_report", self.report("fans", code=1), says="the report has differences or undecided rows")
        self.switched("--to=fans", "--skip_verification")

    def test_a_report_of_the_index_before_it_was_made_anew_is_refused(self):
        report = self.live("fans")
        text = self.read(report)
        incarnation = self.meta("index:fans")["i:incarnation"]
        self.refused("--to=fans", "--skip_verification", "--from_report", self.file("old.jsonl", text.replace(incarnation, "1" * 16)),
                     says="the report is of incarnation")

    def test_a_mapping_that_is_not_that_of_the_index_is_refused(self):
        report = self.live("fans-2")
        self.file("fans.yaml", MAPPING.replace("second", "third"))
        self.refused("--to=fans-2", "--skip_verification", "--from_report", report, says="definition")

    def test_an_alias_is_removed_and_may_be_made_again(self):
        self.refused("--remove", says="there is no alias fans")
        self.live("fans")
        self.switched("--to=fans", "--skip_verification")
        before = self.meta("alias:fans")
        self.assertIn("now   names index fans\n  then  names no index", self.switch("--remove").out)
        self.assertEqual(self.meta("alias:fans"), before)
        self.assertIn("To name an index again: 'fensi switch MAPPING", self.switched("--remove").err)
        self.refused("--back", "--skip_verification", says="alias fans does not exist, so that it has no former index")
        self.refuses(78, "lookup", "fans.yaml", "@fans", "b", STORE, says="has no alias 'fans'")
        self.refused("--remove", says="there is no alias fans")
        self.switched("--to=fans", "--skip_verification")
        for words, says in ((("--remove", "--back"), "give exactly one of --to=INDEX"), (("--remove", "--skip_verification"), "--remove cannot be combined with")):
            self.refuses(64, "switch", "fans.yaml", "fans", STORE, *words, says=says)

    def test_back_needs_an_index_before(self):
        self.refused("--back", "--skip_verification", says="alias fans does not exist, so that it has no former index")
        self.live("fans")
        self.switched("--to=fans", "--skip_verification")
        self.refused("--back", "--skip_verification", says="has no former index: it has only named fans")

    def test_back_to_one_that_was_made_anew_is_refused(self):
        self.live("fans")
        self.switched("--to=fans", "--skip_verification")
        self.live("fans-2")
        self.switched("--to=fans-2", "--skip_verification")
        self.succeeds("drop", "fans.yaml", "fans", STORE, "--execute")
        self.live("fans")
        self.refused("--back", "--skip_verification", says="dropped and created again since alias fans named it")

    def test_lookup_names_what_is_missing(self):
        words = ("b", STORE)
        self.refuses(78, "lookup", "fans.yaml", "@fans", *words, says=("no alias 'fans'", "fensi switch"))
        self.refuses(78, "lookup", "fans.yaml", "@fans", *words, "--meta_table=absent", says="absent")
        self.refuses(64, "lookup", "fans.yaml", "@fans", "b", "--print_scan", says="--store is missing")
        self.refuses(64, "lookup", "fans.yaml", "@", *words, says="is no alias")
        self.live("fans-2")
        self.switched("--to=fans-2", "--skip_verification")
        self.file("fans.yaml", MAPPING[:MAPPING.index("  fans-2")])
        self.refuses(64, "lookup", "fans.yaml", "@fans", *words, says=("alias fans names index fans-2", "no index 'fans-2'"))

    def test_lookup_refuses_an_index_that_was_made_anew(self):
        self.live("fans")
        self.switched("--to=fans", "--skip_verification")
        self.plant("before.yaml", event("fans", cell("put", "f1:incarnation", int(time.time() * 1000), "1111111111111111"), table="said"), STORE)
        self.refuses(78, "lookup", "fans.yaml", "@fans", "b", STORE, says=("before the index was dropped and created again", "fensi switch MAPPING fans --to fans"))

    def test_the_alias_need_not_be_the_name_of_an_index(self):
        self.live("fans")
        self.succeeds("switch", "fans.yaml", "who-follows", STORE, "--to=fans", "--skip_verification", "--execute")
        self.assertIn("r3", self.succeeds("lookup", "fans.yaml", "@who-follows", "b", STORE).out)
        self.assertIn('get "fans"', self.succeeds("lookup", "fans.yaml", "@who-follows", "b", STORE, "--print_scan").out)

    def test_what_does_not_go_together_is_refused(self):
        for words, says in (((), "--to=INDEX, --back"), (("--to=fans", "--back"), "--to=INDEX, --back"),
                            (("--back", "--from_report=x"), "--from_report cannot be combined with --back"), (("--to=fan",), "fans")):
            self.refuses(64, "switch", "fans.yaml", "fans", STORE, *words, says=says)
        for alias in ("", "a b", "a:b", "@fans", "x" * 101):
            self.refuses(64, "switch", "fans.yaml", alias, STORE, "--to=fans", says="is no alias")
        self.refuses(78, "switch", "fans.yaml", "fans", STORE, "--to=fans", "--meta_table=absent", says="absent")

    def test_without_execute_a_store_that_is_not_there_is_not_made(self):
        self.assertNotEqual(self.fensi("switch", "fans.yaml", "fans", "--store=embedded:nowhere", "--to=fans").code, 0)
        self.assertFalse(os.path.exists(os.path.join(self.dir, "nowhere")))


class Drop(Redefined):
    def drop(self, *words):
        return self.fensi("drop", "fans.yaml", "fans", STORE, *words)

    def tables(self):
        return {table for table in ("fans", "fans_state", "fans-2", "fans-2_state") if self.fensi("scan", table, STORE).code == 0}

    def test_what_nobody_reads_is_removed_whole_and_nothing_else(self):
        self.live("fans")
        self.live("fans-2")
        planned = self.drop()
        self.assertEqual((planned.code, "nothing was changed" in planned.err), (0, True))
        self.assertEqual(planned.out.splitlines(), ["table fans: to be dropped", "table fans_state: to be dropped"])
        self.assertEqual(len(self.tables()), 4)
        dropped = self.drop("--execute")
        self.assertEqual((dropped.code, dropped.out.splitlines()), (0, ["table fans: dropped", "table fans_state: dropped"]))
        self.assertEqual(self.tables(), {"fans-2", "fans-2_state"})
        said = self.meta("index:fans")
        self.assertTrue(said["i:incarnation"].startswith("dropped "))
        self.assertFalse([column for column in said if "/" in column])
        self.assertEqual(self.meta("index:fans-2")["i:phase/" + self.meta("index:fans-2")["i:incarnation"]], "live")
        self.assertEqual(self.fensi("verify", "fans.yaml", "fans-2", STORE, "--recheck_s=0").code, 0)
        again = self.drop("--execute")
        self.assertEqual((again.code, "nothing of index fans is there" in again.err), (0, True))

    def test_its_name_is_free_for_another_one(self):
        self.live("fans")
        self.assertEqual(self.drop("--execute").code, 0)
        self.file("fans.yaml", MAPPING.replace("row: '{f1:from}'", "row: '{f1:from | lower}'", 1))
        self.switched("--to=fans", "--from_report", self.live("fans"), "--skip_verification")
        self.assertEqual(self.shown(), {""})

    def test_one_that_an_alias_names_is_refused(self):
        self.live("fans")
        self.live("fans-2")
        self.switched("--to=fans", "--skip_verification")
        self.refuses(78, "drop", "fans.yaml", "fans", STORE, "--execute", says=("alias fans names the index", "fensi switch"))
        self.refuses(78, "drop", "fans.yaml", "fans", STORE, says="alias fans names the index")
        self.switched("--to=fans-2", "--skip_verification")
        self.assertEqual(self.drop("--execute").code, 0)
        self.refused("--back", "--skip_verification", says="has no record of the ")
        self.assertEqual(self.shown(), {"second"})

    def test_one_that_the_meta_table_does_not_know_is_dropped_too(self):
        self.run_index("fans.yaml", "", "--index=fans")
        self.assertEqual(self.drop("--execute").code, 0)
        self.assertEqual(self.tables(), set())

    def test_an_index_of_another_name_with_the_same_tables_keeps_them(self):
        self.live("fans")
        self.live("fans-2")
        self.file("fans.yaml", MAPPING[:MAPPING.index("  fans-2:")].replace("  fans:\n    table: fans\n", "  third:\n    table: fans-2\n"))
        self.refuses(78, "drop", "fans.yaml", "third", STORE, "--execute", says="table fans-2 is that of index:fans-2, too")
        self.assertEqual(len(self.tables()), 4)

    def test_tables_that_it_was_not_begun_with_are_left_alone(self):
        self.live("fans")
        self.live("fans-2")
        self.file("copy2.yaml", COPY.replace("copy:", "copy2:").replace("guanzhu", "guanzhu2"))
        self.run_index("copy2.yaml", follow("a", "b", 10).replace('"guanzhu"', '"raw"'))
        for named in ("  mistyped:\n    table: guanzhu2\n", "  fans:\n    table: guanzhu2\n"):
            self.file("mistyped.yaml", MAPPING[:MAPPING.index("  fans-2:")].replace("  fans:\n    table: fans\n", named))
            index = named.split(":")[0].strip()
            for execute in ((), ("--execute",)):
                outcome = self.fensi("drop", "mistyped.yaml", index, STORE, *execute)
                self.assertEqual(outcome.code, 78, outcome.err)
                self.assertIn("this name is taken by another index" if index == "fans" else "table guanzhu2 has rows", outcome.err)
            self.assertEqual(len(self.succeeds("scan", "guanzhu2", STORE).lines), 1)
        self.assertEqual(len(self.tables()), 4)

    def test_a_meta_table_of_another_name_hides_no_alias(self):
        self.live("fans")
        self.switched("--to=fans", "--skip_verification")
        for execute in ((), ("--execute",)):
            self.refuses(78, "drop", "fans.yaml", "fans", STORE, "--meta_table=fensi_mta", *execute, says="meta table fensi_mta does not exist")
        self.assertEqual(self.shown(), {""})
        self.assertNotEqual(self.fensi("scan", "fensi_mta", STORE).code, 0)

    def test_period_tables_of_another_index_are_left_alone(self):
        other = PERIODS.replace("  fans:", "  other:").replace("fans_state", "other_state")
        self.file("fans.yaml", PERIODS)
        self.file("other.yaml", other)
        self.run_index("other.yaml", "")  # begins while the tables of both are empty
        self.run_index("fans.yaml", follow("a", "b", int(time.time() * 1000)))
        self.assertEqual(self.fensi("backfill", "fans.yaml", "fans", STORE, "--execute").code, 1)  # old rows are letters
        self.run_index("other.yaml", follow("c", "b", int(time.time() * 1000)))
        self.refuses(78, "drop", "other.yaml", "other", STORE, "--execute", says="is that of index:fans, too")
        self.assertEqual(self.fensi("scan", time.strftime("fans_%Y%m", time.gmtime()), STORE).code, 0)

    def test_a_table_that_only_has_the_name_of_a_period_is_left_alone(self):
        now = int(time.time() * 1000)
        table = time.strftime("fans_%Y%m", time.gmtime(now / 1000 - 40 * 86_400))
        self.file("fans.yaml", PERIODS)
        self.run_index("fans.yaml", follow("a", "b", now))
        self.file("copy2.yaml", COPY.replace("copy:", "copy2:").replace("guanzhu", table).replace("f1:from'", "other:from'", 1))
        self.run_index("copy2.yaml", follow("a", "b", 10).replace('"guanzhu"', '"raw"'))
        self.refuses(78, "drop", "fans.yaml", "fans", STORE, "--execute", says=f"table {table} has other families")
        self.assertEqual(len(self.succeeds("scan", table, STORE).lines), 1)

    def test_period_tables_are_dropped_and_older_ones_are_told_of(self):
        self.file("fans.yaml", PERIODS)
        self.run_index("fans.yaml", follow("a", "b", int(time.time() * 1000)))
        outcome = self.drop("--execute")
        self.assertEqual(outcome.code, 0, outcome.err)
        self.assertIn("older than 'retention:'", outcome.out)
        self.assertEqual(self.fensi("scan", time.strftime("fans_%Y%m", time.gmtime()), STORE).code, 78)

    def test_what_a_dropped_one_left_in_the_middle_is_ended_by_the_same_line_and_not_run(self):
        self.live("fans")
        incarnation = self.meta("index:fans")["i:incarnation"]
        self.plant("retire.yaml", event("fans", cell("put", "f1:retired", 2_000_000_000_000, incarnation), table="said"), STORE)
        for words in (("run", "fans.yaml", "--index=fans", "--source=file:events.jsonl"), ("backfill", "fans.yaml", "fans", "--execute")):
            self.refuses(78, *words, STORE, says=("index fans is being dropped", "fensi drop"))
        self.refused("--to=fans", "--skip_verification", says="its phase is retired: the index is being dropped")
        self.assertEqual(self.drop("--execute").code, 0)
        self.assertEqual(self.tables(), set())
        self.live("fans")

    def test_what_does_not_go_together_is_refused(self):
        self.refuses(64, "drop", "fans.yaml", "fans", "--store=thrift://127.0.0.1:1", says="--kafka=HOST:PORT is missing")
        self.refuses(64, "drop", "fans.yaml", "fan", STORE, says="no index 'fan'")


if __name__ == "__main__":
    harness.main()
