"""The log of `fensi run`: its forms and levels, and that row keys, values and literals of mappings are not in it unasked."""
import datetime
import json
import os
import re
import socket
import subprocess
import time

import harness
from follow import MAPPING, cell, event, follow

ROW, VALUE, LITERAL = "zaunkoenig", "rotkehlchen", "kanarienvogel"  # in nothing else that the program says

# Makes the state table with its families, and replaces the state of a row by one of a newer fensi, in whichever bucket it lies: an embedded store takes cells from
# `fensi run` only.
PLANT = """source: plant
indexes:
  plant:
    table: fensi_state
    row: '{f1:bucket | int | to_be 8 | last 2}'
    columns: { 's:{f1:name}': '{f1:value}', 'd:x': '', 'i:x': '', 'm:x': '' }
    unique: true
    ignore_warnings: [many-families]
"""
BUCKETS = range(0, 1 << 16, 1 << 7)


def newer_state(row):
    """Of format 3, which this fensi does not read."""
    value = "\b\x03"
    return "".join(event(str(bucket), cell("put", "f1:bucket", 20, str(bucket)), cell("put", "f1:name", 20, row), cell("put", "f1:value", 20, value),
                         table="plant") for bucket in BUCKETS)


class LogTest(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.file("guanzhu.yaml", MAPPING)

    def run_index(self, events, *flags, code=0, mapping="guanzhu.yaml"):
        """What it logged."""
        self.file("events.jsonl", events)
        return self.refuses(code, "run", mapping, "--source=file:events.jsonl", "--store=embedded:data", *flags).err

    def lines(self, *arguments, **options):
        return [json.loads(line) for line in self.run_index(*arguments, "--log_format=json", **options).splitlines()]


class Forms(LogTest):
    def test_text_is_time_and_message(self):
        self.assertRegex(self.run_index(follow("a", "b", 10)), r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z index fensi: 1 event in .*\n\Z")

    def test_json_is_an_object_a_line(self):
        (line,) = self.lines(follow("a", "b", 10))
        self.assertEqual(list(line), ["time", "level", "event", "message", "index"])
        self.assertRegex(line["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        self.assertEqual((line["level"], line["event"], line["index"]), ("info", "index_ended", "fensi"))
        self.assertIn("index fensi: 1 event", line["message"])

    def test_what_stops_an_index_is_told_with_its_kind(self):
        self.run_index(follow("a", "b", 10))
        self.file("guanzhu.yaml", MAPPING.replace("row: '{f1:from}'", "row: 'x{f1:from}'"))
        ended, stopped = self.lines("", code=78)
        self.assertEqual(ended["event"], "index_ended")
        self.assertEqual((stopped["level"], stopped["event"], stopped["code"]), ("error", "index_stopped", "configuration"))

    def test_what_ends_the_command_is_a_line_of_the_log(self):
        words = ("run", "guanzhu.yaml", "--source=file:nowhere.jsonl", "--store=embedded:data")
        (line,) = [json.loads(line) for line in self.refuses(78, *words, "--log_format=json").err.splitlines()]
        self.assertEqual((line["event"], line["code"]), ("command_failed", "not found"))
        self.assertRegex(self.refuses(78, *words).err, r"Z error: run: .*nowhere\.jsonl")

    def test_what_stops_an_index_in_its_stream_is_told_with_its_place(self):
        self.file("plant.yaml", PLANT)
        self.run_index("", mapping="plant.yaml")  # a new index wants an empty table
        self.run_index(follow("a", "b", 10))
        self.run_index(newer_state("x"), mapping="plant.yaml")
        stopped = self.lines(follow("y", "b", 30) + follow("x", "c", 31), code=78)[-1]
        self.assertEqual(list(stopped), ["time", "level", "event", "message", "index", "topic", "partition", "offset", "code"])
        self.assertEqual((stopped["event"], stopped["partition"], stopped["offset"]), ("index_stopped", 0, 1))
        self.assertIn("partition 0", stopped["message"])

    def test_every_event_stands_in_the_page(self):
        with open(os.path.join(os.environ["FENSI_ROOT"], "docs", "logs.md"), encoding="utf-8") as page:
            known = set(re.findall(r"^\| `(\w+)` \|", page.read(), re.M))
        told = {line["event"] for line in self.lines(follow("a", "b", 10), "--admin=127.0.0.1:0")}
        self.assertEqual(told, {"admin_serving", "index_ended"})
        self.assertLessEqual(told, known)


class DeadLetters(LogTest):
    def test_a_quiet_run_that_parks_a_row_says_so(self):
        """With -q it would print nothing and end with 1."""
        err = self.run_index(follow("a", "b", 10) + "no event\n", "-q", code=1)
        self.assertRegex(err, r"\A\S+Z warning: index fensi: 1 new dead letter, reason undecodable\. To list the dead letters, enter: fensi "
                              r"dead-letters list guanzhu.yaml fensi --dead_letters file:\S*fensi.dead.jsonl\n\Z")


class Storms(LogTest):
    """No index writes more than five lines in any second, whatever happens to it."""
    MOST = 5

    def in_any_second(self, lines):
        """The most lines that one index has within a second; those of the process alone are of none."""
        times = {}
        for line in lines:
            at = datetime.datetime.fromisoformat(line["time"].replace("Z", "+00:00"))
            times.setdefault(line.get("index", ""), []).append(at)
        second = datetime.timedelta(seconds=1)
        return max(sum(begin <= at < begin + second for at in of_one) for of_one in times.values() for begin in of_one)

    def test_a_hundred_thousand_bad_messages(self):
        bad = "".join('{"table":"guanzhu","row":"r%d","cells":[{"type":"put"}]}\n' % each for each in range(100_000))
        lines = self.lines(bad, code=1)
        told = [line for line in lines if line["event"] == "dead_letters"]
        (ended,) = [line for line in lines if line["event"] == "index_ended"]
        self.assertLessEqual({line["event"] for line in lines}, {"dead_letters", "progress", "index_ended"})
        self.assertEqual((told[0]["level"], told[0]["code"]), ("warning", "undecodable"))
        self.assertIn("fensi dead-letters list guanzhu.yaml fensi --dead_letters file:", told[0]["message"])
        self.assertLessEqual(len(told), 2, "the first at once, the last with the number of those between")
        self.assertIn("100,000 dead letters", ended["message"])
        self.assertEqual(self.read("fensi.dead.jsonl").count("\n"), 100_000)

    def test_kafka_and_hbase_away(self):
        indexes = "".join("  %s:\n    table: %s\n    row: '{f1:from}'\n    columns:\n      'f1:{row}': ''\n" % (name, name)
                          for name in ("one", "two", "three"))
        self.file("three.yaml", "source: guanzhu\nindexes:\n" + indexes)
        with socket.create_server(("127.0.0.1", 0)) as taken:  # and nobody listens there afterwards
            nobody = "127.0.0.1:%d" % taken.getsockname()[1]
        words = [harness.FENSI, "run", "three.yaml", "--source=kafka://" + nobody, "--store=thrift://" + nobody, "--admin=none",
                 "--log_format=json", "--log_level=debug"]
        with subprocess.Popen(words, cwd=self.dir, stderr=subprocess.PIPE, text=True) as daemon:
            time.sleep(12)
            daemon.terminate()
            said = [json.loads(line) for line in daemon.stderr]
        self.assertIn("progress", {line["event"] for line in said})
        self.assertIn(nobody, "".join(line["message"] for line in said), "the log says what is away")
        self.assertLessEqual(self.in_any_second(said), self.MOST)
        self.assertLess(len(said), 100)


class Levels(LogTest):
    def test_what_is_below_the_level_is_left_out(self):
        self.assertEqual(self.run_index(follow("a", "b", 10), "--log_level=warning"), "")
        os.mkdir(os.path.join(self.dir, "fensi.dead.jsonl"))  # a warning
        self.assertIn("warning: the first dead letter would stop the index: cannot write dead letters", self.run_index("", "--log_level=warning"))
        self.assertEqual(self.run_index("", "--log_level=error"), "")

    def test_other_words_are_refused(self):
        for flag, says in (("--log_level=loud", "debug, info, warning or error"), ("--log_format=xml", "text or json"),
                           ("--log_window_s=-1", "from 0 to 3600")):
            self.assertIn(says, self.run_index("", flag, code=64))


class Canary(LogTest):
    """Words that are in rows and mappings alone."""

    def both(self, *arguments, hidden, **options):
        """What is logged without and with --log_rows, in both forms."""
        for form in ("text", "json"):
            silent = self.run_index(*arguments, f"--log_format={form}", **options)
            open_log = self.run_index(*arguments, f"--log_format={form}", "--log_rows", **options)
            for word in (ROW, VALUE, LITERAL):
                self.assertNotIn(word, silent)
            for word in hidden:
                self.assertIn(word, open_log)
            self.assertIn("[hidden]", silent)
            self.assertNotIn("[hidden]", open_log)

    def test_a_row_whose_state_is_of_a_newer_fensi_is_not_named(self):
        self.file("plant.yaml", PLANT)
        self.run_index("", mapping="plant.yaml")  # a new index wants an empty table
        self.run_index(follow(ROW, "b", 10))
        self.run_index(newer_state(ROW), mapping="plant.yaml")
        self.both(follow(ROW, VALUE, 30), code=78, hidden=(ROW,))

    def test_a_definition_is_not_quoted(self):
        self.run_index(follow(ROW, VALUE, 10))
        self.file("guanzhu.yaml", MAPPING.replace("row: '{f1:from}'", f"row: '{LITERAL}{{f1:from}}'"))
        for flags, quoted in (((), False), (("--log_rows",), True)):
            log = self.run_index("", *flags, code=78)
            self.assertIn("its definition changed", log)
            self.assertEqual(LITERAL in log, quoted)

    def test_reasons_of_letters_are_not_logged(self):
        self.file("guanzhu.yaml", MAPPING.replace("{f1:from}'", "{f1:from | int | decimal}'"))
        for flags in ((), ("--log_rows",)):
            log = self.run_index(follow(ROW, VALUE, 10) + f'"{LITERAL}"\n', *flags, code=1)
            for word in (ROW, VALUE, LITERAL):
                self.assertNotIn(word, log)
        letters = self.read("fensi.dead.jsonl")
        self.assertIn(VALUE, letters)
        self.assertIn(LITERAL, letters)


harness.main()
