"""`fensi run` from a recorded file into the embedded store, read back by scan and lookup."""
import json
import os
import signal
import subprocess

import harness
from follow import MAPPING, cell, event, follow, unfollow


class RunTest(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.mapping = self.file("guanzhu.yaml", MAPPING)

    def arguments(self, source="file:events.jsonl"):
        return ("run", self.mapping, f"--source={source}", "--store=embedded:data")

    def run_events(self, *events):
        self.file("events.jsonl", "".join(events))
        return self.succeeds(*self.arguments())

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

    def test_standard_input_is_a_source(self):
        self.succeeds(*self.arguments("file:-"), stdin=follow("a", "b", 10))
        self.assertEqual(self.entries(), [("b", "f1:a")])

    def test_the_end_is_told_with_counts(self):
        outcome = self.run_events(follow("a", "b", 10), unfollow("a", 11))
        self.assertRegex(outcome.err, r"fensi: 2 events in \d+ s.*: \d+ puts?, \d+ deletes?")


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
        outcome = self.run_events(follow("a", "b", 10), "this is no event\n", follow("c", "d", 11))
        self.assertEqual(self.entries(), [("b", "f1:a"), ("d", "f1:c")])
        (letter,) = self.letters()
        self.assertEqual((letter["index"], letter["offset"], letter["original"]), ("fensi", 1, "this is no event"))
        self.assertIn("events.jsonl", letter["topic"])
        self.assertIn("1 dead letter", outcome.err)

    def test_an_event_without_a_timestamp_is_refused(self):
        self.run_events('{"table":"guanzhu","row":"a","cells":[{"type":"put","column":"f1:from","value":"b"}]}\n')
        (letter,) = self.letters()
        self.assertIn("ts", letter["reason"])

    def test_go_where_the_flag_says(self):
        self.file("events.jsonl", "nonsense\n")
        self.succeeds(*self.arguments(), "--dead_letters=file:elsewhere.jsonl")
        self.assertEqual(len(self.letters("elsewhere.jsonl")), 1)

    def test_a_run_without_any_leaves_no_file(self):
        self.run_events(follow("a", "b", 10))
        self.assertFalse(os.path.exists(os.path.join(self.dir, "fensi.dead.jsonl")))

    def test_an_unmappable_change_removes_the_entry_the_row_had(self):
        self.run_events(follow("a", "b", 10), follow("a", "", 11))
        self.assertEqual(self.entries(), [])
        (letter,) = self.letters()
        self.assertEqual(letter["row"], "a")


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
        self.refuses(64, *self.arguments("file:-"), says="standard input feeds one index only")

    def test_a_store_in_use_is_refused(self):
        with self.daemon() as running:
            self.refuses(69, *self.arguments("file:-"), says="data")
            running.stop(signal.SIGTERM)


    def daemon(self):
        return Daemon(self, *self.arguments("file:-"))


class Daemon:
    """A run that waits for more standard input."""

    def __init__(self, test, *arguments):
        self.test = test
        self.process = subprocess.Popen([harness.FENSI, *arguments], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                                        cwd=test.dir)

    def __enter__(self):
        self.process.stdin.write(follow("a", "b", 10).encode())
        self.process.stdin.flush()
        self.test.wait_for(self.has_entry)
        return self

    def has_entry(self):
        outcome = self.test.fensi("scan", "fensi", "--store=embedded:data")
        return outcome.code == 0 and outcome.out != ""

    def stop(self, number):
        self.process.send_signal(number)
        self.err = self.process.communicate(timeout=harness.DEADLINE_S)[1].decode()
        return self.process.returncode

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


class Signals(RunTest):
    def test_sigterm_and_sigint_finish_and_exit_0(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with Daemon(self, *self.arguments("file:-")) as running:
                self.assertEqual(running.stop(number), 0)
                self.assertIn("stopping: finishing what is in hand", running.err)

    def test_a_reader_beside_a_running_daemon_sees_its_entries(self):
        with Daemon(self, *self.arguments("file:-")) as running:
            self.assertEqual(self.lookup("b").out, "b\tf1:a\t10\t\n")
            self.assertEqual(running.stop(signal.SIGTERM), 0)


harness.main()
