"""`fensi run` from a recorded file into the embedded store, read back by scan and lookup."""
import bz2
import contextlib
import gzip
import json
import lzma
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

import harness
from follow import MAPPING, cell, event, follow, unfollow


class RunTest(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.mapping = self.file("guanzhu.yaml", MAPPING)

    def arguments(self, source="file:events.jsonl"):
        return ("run", self.mapping, f"--source={source}", "--store=embedded:data")

    def run_events(self, *events, code=0):
        self.file("events.jsonl", "".join(events))
        return self.refuses(code, *self.arguments())

    def scan(self, table="fensi", *flags):
        lines = self.succeeds("scan", table, "--store=embedded:data", "--json", *flags).lines
        return [json.loads(line) for line in lines]

    def entries(self):
        return [(cell["row"], cell["column"]) for cell in self.scan()]

    def lookup(self, *parts):
        return self.succeeds("lookup", self.mapping, "fensi", *parts, "--store=embedded:data")


class Follow(RunTest):
    def test_a_follow_is_in_the_index(self):
        outcome = self.run_events(follow("a", "b", 10))
        self.assertEqual(self.scan(), [{"row": "b", "column": "f1:a", "ts": 10, "value": ""}])
        self.assertEqual(outcome.out, "")

    def test_an_unfollow_is_not(self):
        self.run_events(follow("a", "b", 10), follow("c", "b", 11), unfollow("a", 12))
        self.assertEqual(self.entries(), [("b", "f1:c")])

    def test_a_changed_follow_moves(self):
        self.run_events(follow("a", "b", 10), follow("a", "c", 11))
        self.assertEqual(self.entries(), [("c", "f1:a")])

    def test_later_runs_go_on_from_the_state(self):
        self.run_events(follow("a", "b", 10))
        self.run_events(follow("a", "c", 11))
        self.assertEqual(self.entries(), [("c", "f1:a")])
        self.run_events(unfollow("a", 12))
        self.assertEqual(self.entries(), [])

    def test_the_same_events_again_change_nothing(self):
        events = [follow("a", "b", 10), follow("a", "c", 11), follow("d", "c", 9), unfollow("d", 12)]
        self.run_events(*events)
        before = self.entries()
        self.run_events(*events)
        self.assertEqual(self.entries(), before)

    def test_an_event_of_another_table_is_skipped_and_counted(self):
        outcome = self.run_events(follow("a", "b", 10), event("x", cell("put", "f1:from", 1, "y"), table="other"))
        self.assertEqual(self.entries(), [("b", "f1:a")])
        self.assertIn("1 event of other tables skipped", outcome.err)
        self.assertNotIn("no event is of table", outcome.err)

    def test_files_of_other_tables_alone_end_with_1_and_the_name_that_is_wanted(self):
        outcome = self.run_events(event("x", cell("put", "f1:from", 1, "y"), table="other"), code=1)
        self.assertIn("1 event of other tables skipped; no event is of table guanzhu, so nothing was indexed", outcome.err)
        self.assertEqual(self.run_events().code, 0, "a file without events has none of another table")
        self.file("events.jsonl", event("x", cell("put", "f1:from", 1, "y"), table="other"))
        self.file("other.yaml", MAPPING.replace("source: guanzhu", "source: other").replace("fensi", "x"))
        outcome = self.succeeds(*self.arguments(), "other.yaml")
        self.assertIn("index fensi: 1 event in", outcome.err)
        self.assertIn("no event is of table guanzhu", outcome.err, "one index of the run took it")

    def test_events_without_a_cell_that_is_watched_are_told(self):
        outcome = self.run_events(event("a", cell("put", "f1:form", 1, "b")))
        self.assertIn("1 event in 0 s: 0 puts, 0 deletes; none of them has a cell that the index watches (f1:from)", outcome.err)
        self.file("follows.csv", "id,x:from\na,b\n")
        outcome = self.succeeds(*self.arguments("file:follows.csv"), "--csv_row=id")
        self.assertIn("none of them has a cell that the index watches", outcome.err)
        for events in ((follow("a", "b", 10),) * 2, (unfollow("z", 1),)):
            self.assertNotIn("none of them", self.run_events(*events).err)

    def test_a_table_of_the_default_namespace_has_one_name_in_every_input(self):
        """Form of event x name in the event x name in the mapping."""
        for in_mapping in ("guanzhu", "default:guanzhu"):
            self.file("guanzhu.yaml", MAPPING.replace("source: guanzhu", f"source: '{in_mapping}'"))
            for number, in_event in enumerate(("guanzhu", "default:guanzhu")):
                line = event(f"r{number}", cell("put", "f1:from", 1, "b"), table=in_event)
                self.file("events.jsonl", line)
                with gzip.open(os.path.join(self.dir, "events.jsonl.gz"), "wb") as out:
                    out.write(line.encode())
                forms = {"file": self.arguments(), "packed": self.arguments("file:events.jsonl.gz"), "standard input": self.arguments("file:-")}
                for form, words in forms.items():
                    shutil.rmtree(os.path.join(self.dir, "data"), ignore_errors=True)
                    outcome = self.succeeds(*words, stdin=line)
                    self.assertEqual(self.entries(), [("b", f"f1:r{number}")], (form, in_mapping, in_event))
                    self.assertNotIn("skipped", outcome.err)
                for words in (("--event", line), ("--source=file:events.jsonl",), ("--source=file:-",), ()):
                    out = self.succeeds("explain", self.mapping, *words, stdin=line).out
                    self.assertIn(f"      fensi, row b: put f1:r{number} ", out, (words, in_mapping, in_event))
                for wanted in ("guanzhu", "default:guanzhu"):
                    out = self.succeeds("init", wanted, "--source=file:events.jsonl").out
                    self.assertIn("source: guanzhu\n", out)

    def test_two_tables_that_look_alike_are_two(self):
        self.file("a.yaml", "source: 'ns:t'\nindexes: {ia: {table: ia, row: '{f:x}', columns: {'f:{row}': ''}}}\n")
        self.file("b.yaml", "source: ns.t\nindexes: {ib: {table: ib, row: '{f:x}', columns: {'f:{row}': ''}}}\n")
        self.file("events.jsonl", event("a", cell("put", "f:x", 1, "colon"), table="ns:t") + event("a", cell("put", "f:x", 1, "dot"), table="ns.t"))
        self.succeeds("run", "a.yaml", "b.yaml", "--source=file:events.jsonl", "--store=embedded:data")
        self.assertEqual([self.scan(table)[0]["row"] for table in ("ia", "ib")], ["colon", "dot"])

    def test_a_put_at_a_time_that_nothing_can_follow_is_a_letter_in_every_file(self):
        last, first = 9223370937343148031, 9223370937343148032
        for form in ("json", "csv"):
            shutil.rmtree(os.path.join(self.dir, "data"), ignore_errors=True)
            for ts, code in ((last, 0), (first, 1)):
                self.file("events.jsonl", follow(f"r{ts}", "b", ts))
                self.file("events.csv", f"who,from,at\nr{ts},b,{ts}\n")
                words = ("--csv_row=who", "--csv_family=f1", "--csv_time=at") if form == "csv" else ()
                self.refuses(code, *self.arguments(f"file:events.{'csv' if words else 'jsonl'}"), *words)
            self.assertEqual(self.entries(), [("b", f"f1:r{last}")], form)
            self.assertIn(str(last), json.loads(self.read("fensi.dead.jsonl").splitlines()[-1])["reason"])
            self.run_events(unfollow(f"r{last}", last))
            self.assertEqual(self.entries(), [], form)
        out = self.succeeds("explain", self.mapping, "--event", follow("a", "b", first)).out
        self.assertIn("dead letter: column f1:from: the put of time 9223370937343148032 is above", out)

    def packed(self, name, *events, cut=0):
        data = b"".join(gzip.compress(event.encode()) for event in events)
        with open(os.path.join(self.dir, name), "wb") as out:
            out.write(data[:len(data) - cut])

    def test_packed_files_and_patterns_are_read_in_their_order(self):
        os.mkdir(os.path.join(self.dir, "days"))
        self.packed("days/2.jsonl.gz", follow("a", "b", 10), follow("c", "d", 10))
        self.file("days/1.jsonl", follow("a", "x", 9) + "no event\n")
        self.file("last, but one.jsonl", follow("e", "f", 1))
        outcome = self.refuses(1, *self.arguments("file:days/*,days/1.jsonl,last\\, but one.jsonl"))
        self.assertEqual(self.entries(), [("b", "f1:a"), ("d", "f1:c"), ("f", "f1:e")])
        self.assertIn("5 events in", outcome.err)
        self.assertIn("; the place in the file is not kept: another run reads it from its first line", outcome.err)
        with open(os.path.join(self.dir, "days/2.jsonl.gz"), "rb") as stream:
            run = subprocess.run([harness.FENSI, *self.arguments("file:-")], stdin=stream, capture_output=True, cwd=self.dir, check=False)
        self.assertEqual((run.returncode, b"the place in" in run.stderr), (0, False), run.stderr)

    def test_a_packed_file_that_is_cut_ends_the_run_where_it_is(self):
        self.packed("events.jsonl.gz", follow("a", "b", 10), *(follow(f"r{i}", "b", 10) for i in range(3)), cut=9)
        self.refuses(78, *self.arguments("file:events.jsonl.gz"), says=("events.jsonl.gz:4: the file is cut",))
        self.assertEqual(self.entries()[0], ("b", "f1:a"))

    def test_a_million_equal_bytes_unpack_to_the_last(self):
        self.packed("events.jsonl.gz", *(event("a", cell("put", "f1:x", 1, "y" * 3000000), table="other") for _ in range(2)), follow("a", "b", 1))
        self.succeeds(*self.arguments("file:events.jsonl.gz"))
        self.assertEqual(self.entries(), [("b", "f1:a")])

    def test_a_file_that_changed_between_two_runs_is_read_from_its_first_line(self):
        self.run_events(follow("a", "b", 10), follow("c", "d", 11))
        self.run_events(follow("c", "e", 12), follow("a", "x", 9))
        self.assertEqual(self.entries(), [("b", "f1:a"), ("e", "f1:c")])

    def test_csv_is_a_picture_of_rows_and_a_newer_file_wins(self):
        for mtime, followed in ((1000, "b"), (2000, "c"), (1500, "d")):
            self.file("follows.csv", f"who,from,since\na,{followed},5\n")
            os.utime(os.path.join(self.dir, "follows.csv"), (mtime, mtime))
            self.succeeds(*self.arguments("file:follows.csv"), "--csv_row=who", "--csv_family=f1")
        self.assertEqual(self.scan()[0], {"row": "c", "column": "f1:a", "ts": 2000000, "value": ""})
        self.succeeds(*self.arguments("file:follows.csv"), "--csv_row=who", "--csv_family=f1", "--csv_time=since")
        self.assertEqual(self.entries(), [("c", "f1:a")])

    def test_a_timestamp_of_csv_that_hbase_cannot_hold_is_a_letter_with_its_place(self):
        self.file("follows.csv", "who,from,since\na,b,9223372036854775807\nc,d,5\n")
        self.refuses(1, *self.arguments("file:follows.csv"), "--csv_row=who", "--csv_family=f1", "--csv_time=since")
        self.assertEqual(self.entries(), [("d", "f1:c")])
        reason = json.loads(self.read("fensi.dead.jsonl"))["reason"]
        self.assertIn("follows.csv:2: column 'since': '9223372036854775807' is no timestamp", reason)

    def test_a_followed_file_is_a_daemon_until_it_is_stopped(self):
        self.file("events.jsonl", follow("a", "b", 10))
        with Daemon(self, *self.arguments(), "--follow", "--admin=none") as running:
            with open(os.path.join(self.dir, "events.jsonl"), "a", encoding="utf-8") as out:
                out.write(follow("c", "d", 10))
            self.wait_for(lambda: len(self.entries()) == 2)
            self.assertEqual(running.stop(signal.SIGTERM), 0)
        self.assertIn("2 events", running.err)

    def test_a_followed_file_that_loses_its_name_is_waited_for(self):
        self.file("events.jsonl", follow("a", "b", 10))
        path = os.path.join(self.dir, "events.jsonl")
        with Daemon(self, *self.arguments(), "--follow", "--admin=none") as running:
            os.rename(path, path + ".1")
            os.mkdir(path)
            said = next(line for line in iter(running.process.stderr.readline, b"") if b"waits, because the followed file is missing or unreadable" in line)
            self.assertIn(b"cannot read events.jsonl", said)
            with open(path + ".1", "a", encoding="utf-8") as out:
                out.write(follow("c", "d", 10))
            self.wait_for(lambda: len(self.entries()) == 2)
            os.rmdir(path)
            self.file("events.jsonl", follow("e", "f", 10))
            self.wait_for(lambda: len(self.entries()) == 3)
            self.assertEqual(running.stop(signal.SIGTERM), 0)
        self.assertNotIn("waits, because the followed file is missing or unreadable", running.err)

    def test_standard_input_is_a_source(self):
        self.succeeds(*self.arguments("file:-"), stdin=follow("a", "b", 10))
        self.assertEqual(self.entries(), [("b", "f1:a")])

    def test_a_scrub_is_for_a_daemon_and_a_repair_for_a_scrub(self):
        line = ("run", self.mapping, "--source=file:-", "--store=embedded:data")
        self.refuses(64, *line, "--scrub_rows_per_second=5", says="--scrub_rows_per_second is only for a run without end")
        self.refuses(64, *line, "--scrub_repair", says="--scrub_repair requires --scrub_rows_per_second")

    def test_the_end_is_told_with_counts(self):
        outcome = self.run_events(follow("a", "b", 10), unfollow("a", 11))
        self.assertRegex(outcome.err, r"fensi: 2 events in \d+ s.*: \d+ puts?, \d+ deletes?")


class Create(RunTest):
    def test_a_plan_makes_no_folder_and_is_to_be_had_beside_a_run(self):
        plan = self.succeeds("create", self.mapping, "--store=embedded:dta").out
        self.assertFalse(os.path.exists(os.path.join(self.dir, "dta")))
        self.assertIn("table fensi: to be created with 1 region\n", plan)
        made = self.succeeds("create", self.mapping, "--store=embedded:dta", "--execute").out
        self.assertEqual(made, plan.replace(": to be created with", ": created with"))
        self.assertNotEqual(self.succeeds("create", self.mapping, "--store=embedded:dta").out, plan)


    def shell_lines(self, *flags):
        return self.succeeds("create", self.mapping, "--format=shell", *flags)

    def test_lines_for_the_hbase_shell_make_what_the_plan_says(self):
        self.file("guanzhu.yaml", MAPPING.replace("table: fensi", "table: 'shop:fensi'").replace("source: guanzhu", "source: 'shop:guanzhu'") + """    create:
      families: { f1: { ttl: 30d, versions: 1, bloom: none, compression: gz } }
      split: { keys: [m, '\\x80'''] }
""")
        outcome = self.shell_lines()
        index, state, meta = (line for line in outcome.lines if line.startswith("create "))
        self.assertEqual(index, 'create "shop:fensi", {NAME => "f1", VERSIONS => 1, TTL => 2592000, BLOOMFILTER => "NONE", COMPRESSION => "GZ", '
                                'CONFIGURATION => {"hbase.hstore.time.to.purge.deletes" => "86400000"}}, SPLITS => [\'m\', \'\\x80\\x27\']')
        self.assertTrue(state.startswith('create "shop:fensi_state", {NAME => '), state)
        self.assertTrue(meta.startswith('create "fensi_meta", {NAME => '), meta)
        self.assertEqual(outcome.out.count('create_namespace "shop"  # leave it out where there is one\n'), 2)
        self.assertTrue(outcome.out.startswith("# No store was read (--store is missing)"))
        self.assertIn("3 missing. These lines create the tables", outcome.err)

    def test_lines_for_the_hbase_shell_leave_out_what_is_there(self):
        self.succeeds("create", self.mapping, "--store=embedded:data", "--execute")
        outcome = self.shell_lines("--store=embedded:data")
        self.assertEqual([line for line in outcome.lines if not line.startswith("# table ")], [])
        self.assertIn("nothing is missing", outcome.err)
        self.file("guanzhu.yaml", MAPPING + "    create: { families: { f1: { ttl: 30d } } }\n")
        outcome = self.refuses(78, "create", self.mapping, "--format=shell", "--store=embedded:data")
        self.assertIn('# alter "fensi", {NAME => "f1", VERSIONS => 1, TTL => 2592000, ', outcome.out)

    def test_flags_of_a_plan_that_contradict_each_other_are_refused(self):
        for flags, says in ((("--format=shell", "--execute", "--store=embedded:data"), "leave out --execute"), ((), "--store is missing: give the store of the index, or --format=shell"),
                            (("--format=json", "--store=embedded:data"), "--format must be shell")):
            self.refuses(64, "create", self.mapping, *flags, says=says)


class Tables(RunTest):
    STORE = "--store=embedded:data"

    def setUp(self):
        super().setUp()
        self.file("guanzhu.yaml", MAPPING + "    create: { split: { keys: [m, '\\x80'] } }\n")
        self.succeeds("create", self.mapping, self.STORE, "--execute")
        self.run_events(follow("a", "b", 10))

    def test_are_listed_with_regions_and_families(self):
        self.assertEqual(self.succeeds("tables", self.STORE).lines[0], "fensi\t3\tf1")
        names = [line.split("\t")[0] for line in self.succeeds("tables", self.STORE).lines]
        self.assertEqual(names, ["fensi", "fensi_meta", "fensi_state"])
        self.assertEqual([line.split()[0] for line in self.succeeds("tables", "fensi_", self.STORE, "-o", "table").lines], ["TABLE", "fensi_meta", "fensi_state"])
        none = self.succeeds("tables", "other", self.STORE, "--format=json")
        self.assertEqual((json.loads(none.out), none.err), ([], "fensi: 0 tables\n"))

    def test_are_described_as_text_and_as_json(self):
        out = self.succeeds("describe", "fensi", self.STORE).out
        self.assertEqual(out.splitlines()[0], "table fensi: 3 regions")
        self.assertIn("  family f1: VERSIONS 1, TTL for ever, BLOOMFILTER ROW, COMPRESSION NONE, hbase.hstore.time.to.purge.deletes 86400000\n", out)
        self.assertIn("  a region begins with m\n  a region begins with \\x80\n", out)
        described = json.loads(self.succeeds("describe", "fensi", self.STORE, "--json").out)
        self.assertEqual((described["table"], described["region_starts"], described["families"][0]["family"]), ("fensi", ["", "m", "\\x80"], "f1"))
        listed = [json.loads(line) for line in self.succeeds("tables", self.STORE, "--json").lines]
        self.assertEqual(listed[0], described)
        self.assertEqual(json.loads(self.succeeds("tables", self.STORE, "--format=json").out), listed)

    def test_are_lines_that_make_them_again(self):
        self.assertEqual(self.succeeds("tables", self.STORE, "--format=shell").out,
                         "".join(self.succeeds("describe", name, self.STORE, "--format=shell").out for name in ("fensi", "fensi_meta", "fensi_state")))
        planned = self.succeeds("create", self.mapping, "--format=shell").lines
        for line in self.succeeds("tables", self.STORE, "--format=shell").lines:
            self.assertIn(line, planned)

    def test_that_are_absent_are_told(self):
        self.refuses(78, "describe", "fensi", "fnesi", self.STORE, says="has no table 'fnesi'")
        self.refuses(64, "describe", "fensi", self.STORE, "--format=tsv", says="--format must be jsonl or shell")
        self.refuses(78, "tables", "--store=embedded:nowhere", says="nowhere")


class Read(RunTest):
    def setUp(self):
        super().setUp()
        self.run_events(follow("a", "b", 10), follow("c", "b", 11), follow("e", "bb", 12))

    def test_lookup_prints_the_entries_of_exactly_that_key(self):
        self.assertEqual(self.lookup("b").out, "b\tf1:a\t10\t\nb\tf1:c\t11\t\n")

    def test_lookup_of_an_absent_key_prints_nothing(self):
        self.assertEqual(self.lookup("nobody").out, "")

    def test_lookup_with_too_many_parts_shows_the_usage(self):
        self.refuses(64, "lookup", self.mapping, "fensi", "b", "c", "--store=embedded:data",
                     says="index fensi is read by <f1:from>")

    def test_lookup_of_an_unknown_index_suggests_one(self):
        self.refuses(64, "lookup", self.mapping, "fenis", "b", "--store=embedded:data",
                     says="no index 'fenis' in the mapping files; did you mean 'fensi'?")

    def test_scan_prints_cells_with_tabs_between(self):
        self.assertEqual(self.succeeds("scan", "fensi", "--store=embedded:data", "--prefix=bb").out, "bb\tf1:e\t12\t\n")

    def test_scan_stops_after_max_rows(self):
        self.assertEqual([c["row"] for c in self.scan("fensi", "--max_rows=1")], ["b", "b"])

    def test_scan_raw_shows_types(self):
        self.assertEqual({c["type"] for c in self.scan("fensi", "--raw")}, {"put"})

    def test_scan_of_a_missing_table_is_refused(self):
        self.refuses(78, "scan", "fnesi", "--store=embedded:data", says="embedded:data has no table 'fnesi'")

    def test_scan_of_a_missing_directory_is_refused(self):
        self.refuses(78, "scan", "fensi", "--store=embedded:nowhere", says="nowhere")


class DeadLetters(RunTest):
    def letters(self, path="fensi.dead.jsonl"):
        return [json.loads(line) for line in self.read(path).splitlines()]

    def test_a_bad_line_goes_to_the_dead_letters_and_the_rest_goes_on(self):
        outcome = self.run_events(follow("a", "b", 10), "this is no event\n", follow("c", "d", 11), code=1)
        self.assertEqual(self.entries(), [("b", "f1:a"), ("d", "f1:c")])
        (letter,) = self.letters()
        self.assertEqual((letter["index"], letter["offset"], letter["original"]), ("fensi", 2, "this is no event"))
        self.assertIn("events.jsonl", letter["topic"])
        self.assertIn("1 dead letter", outcome.err)

    def test_a_message_in_a_cell_that_is_refused_is_told_in_our_words_alone(self):
        self.file("person.proto", 'syntax = "proto3"; package p; message Person { string name = 1; }')
        self.file("guanzhu.yaml", "protos: [person.proto]\n" + MAPPING.replace("f1:from", "f1:from | proto p.Person name"))
        no_text = r"\x0A\x02\x1B\xFF"
        outcome = self.run_events(*(follow(row, no_text, 10) for row in "abc"), code=1)
        self.assertEqual([no_text + '" is not a p.Person' in letter["reason"] for letter in self.letters()], [True] * 3)
        warning, line = outcome.err.splitlines()
        self.assertIn("3 new dead letters", warning)
        self.assertIn("index fensi: 3 events", line)

    def test_an_event_without_a_timestamp_is_refused(self):
        self.run_events('{"table":"guanzhu","row":"a","cells":[{"type":"put","column":"f1:from","value":"b"}]}\n', code=1)
        (letter,) = self.letters()
        self.assertIn("ts", letter["reason"])

    def test_go_where_the_flag_says(self):
        self.file("events.jsonl", "nonsense\n")
        self.refuses(1, *self.arguments(), "--dead_letters=file:elsewhere.jsonl")
        self.assertEqual(len(self.letters("elsewhere.jsonl")), 1)

    def test_a_place_that_cannot_be_written_is_told_before_the_first_letter(self):
        self.file("events.jsonl", follow("a", "b", 10))
        for place, says in (("absent/x", "absent/x: No such file"), (".", "Is a directory"), (self.mapping + "/x", "Not a directory")):
            self.refuses(78, *self.arguments(), f"--dead_letters=file:{place}", says=("cannot write dead letters to", says))
        self.assertEqual(sorted(os.listdir(self.dir)), sorted(["events.jsonl", self.mapping]))

    def test_the_default_is_beside_the_store_wherever_the_run_was_started(self):
        self.file("events.jsonl", "nonsense\n")
        os.mkdir(os.path.join(self.dir, "deep"))
        for number, store in enumerate(("deep/data", "deep/other/", os.path.join(self.dir, "deep", "third"), "deep/x/../y"), 1):
            self.refuses(1, "run", self.mapping, "--source=file:events.jsonl", f"--store=embedded:{store}",
                         says="1 dead letter in " + os.path.join(self.dir, "deep", "fensi.dead.jsonl"))
            self.assertEqual(len(self.letters("deep/fensi.dead.jsonl")), 1, "the same letter, told once more")
        self.assertFalse(os.path.exists(os.path.join(self.dir, "fensi.dead.jsonl")))

    def test_a_start_that_fails_leaves_no_folder(self):
        self.file("events.jsonl", "")
        for flags in (("--source=file:absent.jsonl",), ("--source=file:events.jsonl", "--dead_letters=kafka"),
                      ("--source=file:events.jsonl", "--dead_letters=file:absent/x")):
            self.assertNotEqual(self.fensi("run", self.mapping, "--store=embedded:data", *flags).code, 0)
            self.assertEqual(sorted(os.listdir(self.dir)), sorted(["events.jsonl", self.mapping]), flags)

    def test_a_default_place_that_cannot_be_written_is_warned_of(self):
        self.file("events.jsonl", follow("a", "b", 10))
        os.mkdir(os.path.join(self.dir, "fensi.dead.jsonl"))
        self.assertIn("warning: the first dead letter would stop the index: cannot write dead letters to fensi.dead.jsonl", self.succeeds(*self.arguments()).err)

    def test_a_run_without_any_leaves_no_file(self):
        self.run_events(follow("a", "b", 10))
        self.assertFalse(os.path.exists(os.path.join(self.dir, "fensi.dead.jsonl")))

    def test_an_unmappable_change_removes_the_entry_the_row_had(self):
        self.run_events(follow("a", "b", 10), follow("a", "", 11), code=1)
        self.assertEqual(self.entries(), [])
        (letter,) = self.letters()
        self.assertEqual(letter["row"], "a")

    def test_what_the_page_says_of_letters_that_come_back_is_true(self):
        with open(os.path.join(os.environ["FENSI_ROOT"], "docs", "troubleshooting.md"), encoding="utf-8") as page:
            move, give_back = re.findall(r"^    ((?:mv|jq) .*)$", page.read(), re.M)
        # From a topic; its time is more than a program that reads it as a number keeps.
        topic = {"index": "fensi", "original_bytes": "x", "event": event("c", cell("put", "f1:from", 1482126400000000001, "d"))}
        self.run_events("no event\n", code=1)
        self.file("fensi.dead.jsonl", self.read("fensi.dead.jsonl") + json.dumps(topic) + '\n{"index":"fensi","original_bytes":"x"}\n'
                  + json.dumps({"index": "other", "original": follow("e", "f", 12).strip()}) + "\n")
        give_back = give_back.replace("fensi run", harness.FENSI + " run").replace("MAPPING", self.mapping).replace("INDEX", "fensi")
        script = f"{move}; {give_back.replace('STORE', 'embedded:data')}"
        subprocess.run(["bash", "-c", script], cwd=self.dir, stderr=subprocess.DEVNULL, check=False)
        self.assertEqual(self.scan(), [{"row": "d", "column": "f1:c", "ts": 1482126400000000001, "value": ""}])
        self.assertEqual([letter["original"] for letter in self.letters()], ["no event"])

    def test_given_back_out_of_their_own_file_they_do_not_grow_without_end(self):
        self.run_events(*(f"no event {'x' * 100} {i}\n" for i in range(3000)), code=1)  # more than pipes hold
        script = f"ulimit -f 20000; jq -r .original fensi.dead.jsonl | {harness.FENSI} " + " ".join(self.arguments("file:-"))
        subprocess.run(["bash", "-c", script], cwd=self.dir, stderr=subprocess.DEVNULL, check=False,
                       timeout=harness.DEADLINE_S)
        self.assertEqual(len(self.letters()), 3000)

    def test_a_record_of_csv_that_is_refused_is_given_back_as_an_event(self):
        self.file("follows.csv", 'who,f1:from\na,\nb,"c"\n')
        self.refuses(1, *self.arguments("file:follows.csv"), "--csv_row=who", says="1 dead letter")
        self.assertEqual([(letter["offset"], letter["topic"], letter["original"]) for letter in self.letters()], [(2, "follows.csv", "a,")])
        self.assertIn("follows.csv:2: all fields except the row key are empty", self.letters()[0]["reason"])
        self.assertEqual(self.entries(), [("c", "f1:b")])

    def test_a_cut_last_line_is_one(self):
        outcome = self.run_events(follow("a", "b", 10), follow("c", "d", 11)[:-20], code=1)
        self.assertEqual(self.entries(), [("b", "f1:a")])
        self.assertEqual([letter["offset"] for letter in self.letters()], [2])
        self.assertIn("1 dead letter", outcome.err)


class Refusals(RunTest):
    def test_a_changed_definition_needs_a_second_version(self):
        self.run_events(follow("a", "b", 10))
        self.file("guanzhu.yaml", MAPPING.replace("row: '{f1:from}'", "row: 'x{f1:from}'"))
        outcome = self.refuses(78, *self.arguments(), says="index fensi stopped: ")
        self.assertIn("definition", outcome.err)
        self.assertEqual(self.entries(), [("b", "f1:a")])

    def test_an_index_that_stops_leaves_the_others_alone(self):
        self.run_events(follow("a", "b", 10))
        other = "  again:\n    table: again\n    row: '{f1:from}'\n    columns:\n      'f1:{row}': ''\n"
        changed = MAPPING.replace("row: '{f1:from}'", "row: 'x{f1:from}'")
        self.file("guanzhu.yaml", changed + other)
        self.refuses(78, *self.arguments(), says="index fensi stopped: ")
        self.assertEqual([c["row"] for c in self.scan("again")], ["b"])

    def test_a_missing_event_file_is_named(self):
        self.refuses(78, *self.arguments("file:nowhere.jsonl"), says="nowhere.jsonl")

    def test_a_directory_is_no_event_file(self):
        os.mkdir(os.path.join(self.dir, "events"))
        self.refuses(78, *self.arguments("file:events"), says="events: Is a directory")

    def test_a_file_packed_by_other_programs_is_refused_with_the_way_to_read_it(self):
        text = follow("a", "b", 10).encode()
        for module, program in ((bz2, "bzcat"), (lzma, "xzcat")):
            with open(os.path.join(self.dir, "events.packed"), "wb") as out:
                out.write(module.compress(text))
            self.refuses(78, *self.arguments("file:events.packed"), says=("is compressed", program + " events.packed | fensi"))
        self.assertFalse(os.path.exists(os.path.join(self.dir, "fensi.dead.jsonl")))

    def test_a_pattern_that_nothing_fits_and_a_mixed_list_are_refused(self):
        self.refuses(78, *self.arguments("file:days/*.jsonl"), says="no file fits 'days/*.jsonl'")
        self.refuses(64, *self.arguments("file:-,events.jsonl"), says="standard input ('-') and files cannot be read together")

    def test_flags_of_files_that_contradict_each_other_are_refused(self):
        self.file("events.jsonl", follow("a", "b", 10))
        for flags, says in ((("--csv_time=at",), "requires --csv_row"), (("--follow", "--until_end"), "--follow cannot be combined with --until_end"),
                            (("--follow", "--csv_row=id"), "requires --csv_time")):
            self.refuses(64, *self.arguments(), *flags, says=says)
        self.refuses(64, *self.arguments("kafka://127.0.0.1:9"), "--follow", says="are for files")
        for words in ((), ("--until_end",), ("--kafka_format=hbase_kafka_proxy",)):
            where = self.arguments("kafka://127.0.0.1:9") if words else self.arguments()
            self.refuses(64, *where, *words, "--instance=fensi-0", says="--instance is only for a daemon")
        self.refuses(64, *self.arguments("kafka://127.0.0.1:9"), "--instance=fensi 0", says="--instance=fensi 0: an instance name has 1 to 249 letters")
        other = self.file("other.yaml", MAPPING.replace("source: guanzhu", "source: elsewhere").replace("fensi", "other"))
        self.refuses(64, *self.arguments(), other, "--csv_row=id", says="the source tables guanzhu and elsewhere. Choose indexes of one source table")

    def test_a_bad_mapping_is_refused_before_anything_is_opened(self):
        self.file("guanzhu.yaml", "source: guanzhu\n")
        self.refuses(78, *self.arguments(), says=("guanzhu.yaml:", "run: 1 error in 1 mapping file"))
        self.assertFalse(os.path.exists(os.path.join(self.dir, "data")))

    def test_an_unknown_index_suggests_one(self):
        self.refuses(64, *self.arguments(), "--index=fnesi",
                     says="no index 'fnesi' in the mapping files; did you mean 'fensi'?")

    def test_standard_input_feeds_one_index_only(self):
        other = "  again:\n    table: again\n    row: '{f1:from}'\n    columns:\n      'f1:{row}': ''\n"
        self.file("guanzhu.yaml", MAPPING + other)
        self.refuses(64, *self.arguments("file:-"), says="standard input can feed only one index")

    def test_a_store_in_use_is_refused(self):
        with Daemon(self, *self.arguments("file:-"), first=follow("a", "b", 10)) as running:
            self.refuses(69, *self.arguments("file:-"), says="data")
            running.stop(signal.SIGTERM)


class Daemon:
    """A run in the background that has written something; `first` is given to its standard input, which stays open."""

    def __init__(self, test, *arguments, first=""):
        self.test, self.err = test, ""
        self.process = subprocess.Popen([harness.FENSI, *arguments], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                                        cwd=test.dir)
        self.process.stdin.write(first.encode())
        self.process.stdin.flush()

    def __enter__(self):
        self.test.wait_for(self.has_entry)
        return self

    def has_entry(self):
        outcome = self.test.fensi("scan", "fensi", "--store=embedded:data", "--max_rows=1")
        return outcome.code == 0 and outcome.out != ""

    def stop(self, number):
        self.process.send_signal(number)
        return self.end()

    def end(self):
        """Waits, with standard input still open."""
        with self.process.stderr as stream:
            self.err = stream.read().decode()
        code = self.process.wait(harness.DEADLINE_S)
        self.process.stdin.close()
        return code

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


class Signals(RunTest):
    SLOW = ("--unlock_faults", "--fault=put:*=delay:300")

    def slow_file_run(self):
        """A run of a file in batches that each take long, and the events of the file."""
        events = [follow(f"r{i:06}", "b" * 200, i) for i in range(1, 20001)]
        self.file("events.jsonl", "".join(events))
        return Daemon(self, *self.arguments(), *self.SLOW), len(events)

    def test_a_stop_before_the_end_of_a_file_says_what_is_left_and_the_next_run_does_it(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            shutil.rmtree(os.path.join(self.dir, "data"), ignore_errors=True)
            run, count = self.slow_file_run()
            with run as running:
                self.assertEqual(running.stop(number), 75, running.err)
            self.assertRegex(running.err, r"the run was stopped before the end of file:events.jsonl \(about [\d,]+ events left\)")
            self.assertLess(len(self.entries()), count)
            self.succeeds(*self.arguments())
            self.assertEqual(len(self.entries()), count)

    def test_a_stop_before_the_end_of_standard_input_is_no_success(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            shutil.rmtree(os.path.join(self.dir, "data"), ignore_errors=True)  # its entry would be there before the run is
            with Daemon(self, *self.arguments("file:-"), first=follow("a", "b", 10)) as running:
                self.assertEqual(running.stop(number), 75)
            for text in ("stopping: finishing the events in flight", "before the end of file:-", "the rest of the events"):
                self.assertIn(text, running.err)

    @contextlib.contextmanager
    def batch_in_hand(self, milliseconds):
        """A run that has moved an entry and takes so long to remove the old one."""
        slow = ("--unlock_faults", f"--fault=delete:1=delay:{milliseconds}")
        with Daemon(self, *self.arguments("file:-"), *slow, first=follow("a", "b", 10)) as running:
            running.process.stdin.write(follow("a", "c", 11).encode())
            running.process.stdin.flush()
            self.wait_for(lambda: ("c", "f1:a") in self.entries())
            yield running

    def test_a_second_signal_ends_at_once(self):
        with self.batch_in_hand(60000) as running:
            running.process.send_signal(signal.SIGTERM)
            self.assertIn("stopping: finishing the events in flight", running.process.stderr.readline().decode())
            self.wait_for(lambda: running.process.send_signal(signal.SIGTERM) or running.process.poll() is not None)
            self.assertEqual(running.end(), 75)
        self.assertIn("a second signal stopped the process at once", running.err)

    def test_a_signal_that_is_sent_twice_at_once_is_one_request(self):
        with self.batch_in_hand(1000) as running:
            for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGINT, signal.SIGCONT):
                running.process.send_signal(number)
            self.assertEqual(running.end(), 75)
        self.assertIn("the run was stopped before the end", running.err)
        self.assertNotIn("second signal", running.err)

    # The most instructions, and a text in which they are never done before their bound.
    SLOW_MAPPING = MAPPING.replace("    row: '{f1:from}'", """    each: '{f1:list | split ","}'
    row: '{item}'
    ignore_warnings: [no-range-scan, open-part-in-front, key-width, salted]""").replace(
        "''", "'{f1:from | match /(?:a|b)*a(?:a|b){450}c/ | default none}'")

    def test_a_stop_waits_for_one_row_of_the_costliest_expressions_and_not_for_a_batch_of_them(self):
        self.file("guanzhu.yaml", self.SLOW_MAPPING)
        bits = random.Random(1)
        text = "".join(bits.choice("ab") for _ in range(48000))
        items = ",".join(f"i{i}" for i in range(20))

        def row(number):
            return event(f"r{number}", cell("put", "f1:list", number, items), cell("put", "f1:from", number, text))

        self.run_events(event("r0", cell("put", "f1:list", 1, items)))  # an entry, for which Daemon waits
        self.file("events.jsonl", "".join(row(i) for i in range(1, 100)))
        with Daemon(self, *self.arguments()) as running:
            time.sleep(3)  # in the midst of them
            begin = time.monotonic()
            self.assertEqual(running.stop(signal.SIGTERM), 75, running.err)
            took = time.monotonic() - begin
        self.assertLess(took, 20, "seconds; a row takes 2, on a machine that does nothing else")
        print(f"stopped after {took:.1f} s", file=sys.stderr)

    def test_a_pipe_without_a_writer_does_not_keep_a_run_from_ending(self):
        os.mkfifo(os.path.join(self.dir, "pipe"))
        process = subprocess.Popen([harness.FENSI, *self.arguments("file:pipe")], stderr=subprocess.PIPE, cwd=self.dir)
        self.wait_for(lambda: os.path.exists(os.path.join(self.dir, "data", "CURRENT")))
        process.send_signal(signal.SIGTERM)
        try:
            self.assertIn("the run was stopped before the end", process.communicate(timeout=harness.DEADLINE_S)[1].decode())
        finally:
            process.kill()
        self.assertEqual(process.returncode, 75)

    def test_a_stop_in_the_first_milliseconds_is_no_success(self):
        for milliseconds in range(0, 40, 2):
            run, _ = self.slow_file_run()
            time.sleep(milliseconds / 1000)  # any moment is one to be tried, none is waited for
            self.assertIn(run.stop(signal.SIGINT), (75, -signal.SIGINT), f"after {milliseconds} ms: {run.err}")

    def test_a_reader_beside_a_running_daemon_sees_its_entries(self):
        with Daemon(self, *self.arguments("file:-"), first=follow("a", "b", 10)) as running:
            self.assertEqual(self.lookup("b").out, "b\tf1:a\t10\t\n")
            running.stop(signal.SIGTERM)


class StoreFolder(RunTest):
    def test_a_store_that_is_removed_under_a_run_ends_it(self):
        with Daemon(self, *self.arguments("file:-"), first=follow("a", "b", 10)) as running:
            shutil.rmtree(os.path.join(self.dir, "data"))
            self.assertEqual(running.end(), 78)
        self.assertIn("the folder of the store, data, was removed or replaced", running.err)
        self.assertIn("restore a copy, or begin with an empty folder", running.err)
        self.assertNotIn("the run was stopped", running.err)  # nobody did, and going on is no remedy

    def test_a_store_that_another_one_replaces_ends_the_run(self):
        with Daemon(self, *self.arguments("file:-"), first=follow("a", "b", 10)) as running:
            os.rename(os.path.join(self.dir, "data"), os.path.join(self.dir, "old"))
            shutil.copytree(os.path.join(self.dir, "old"), os.path.join(self.dir, "data"))
            self.assertEqual(running.end(), 78)


harness.main()
