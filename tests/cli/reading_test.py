"""`fensi lookup`, `fensi explain` and `fensi help functions`: what people ask about an index."""
import contextlib
import gzip
import json
import os
import pty
import re
import resource
import signal
import subprocess
import unicodedata

import harness

ORDERS = """source: orders
indexes:
  by-seller:
    table: orders_by_seller
    row: '{o:seller | terminated}{o:time | int | decimal 13}{row}'
    columns: { 'o:no': '{o:no}' }
    when: [ '{o:state | default open} != cancelled' ]
"""


def order(row, seller, time, **more):
    cells = {"o:seller": seller, "o:time": str(time), "o:no": "A" + row, **more}
    return json.dumps({"table": "orders", "row": row, "seq": 1, "cells": [
        {"type": "put", "column": column, "ts": 1, "value": value} for column, value in cells.items()]}) + "\n"


def on_screen(text):
    """Places that it takes: ideographs take two."""
    return sum(2 if unicodedata.east_asian_width(c) == "W" else 1 for c in text)


class Reading(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.mapping = self.file("orders.yaml", ORDERS)

    def maps(self, row, columns):
        """Another index of the orders, with this row key and these columns."""
        self.mapping = self.file("other.yaml", "source: orders\nindexes:\n  by-seller:\n    table: by_seller\n"
                                 f"    row: '{row}'\n    columns: {{ {columns} }}\n")

    def lookup(self, *words):
        return self.succeeds("lookup", self.mapping, "by-seller", *words)

    def index(self, *events):
        self.succeeds("run", self.mapping, "--source=file:" + self.file("e.jsonl", "".join(events)), "--store=embedded:data")

    def test_lookup_between_two_days_shows_what_the_key_was_made_of(self):
        self.index(order("r1", "s900", 1482125382074), order("r2", "s900", 1482192000000), order("r3", "s9001", 1482125382074))
        out = self.lookup("s900", "--from=2016-12-19", "--to=2016-12-20", "--store=embedded:data").out
        self.assertEqual(out, "s900\\x00\\x001482125382074r1\to:no\t1\tAr1\t"
                              "o:seller=s900, o:time~1482125382074, row=r1, o:no=Ar1\n")

    def test_scan_shows_rows_between_two(self):
        self.index(*(order(row, "s900", 1482125382074) for row in ("r1", "r2", "r3", "r4")))
        table = ("scan", "orders_by_seller", "--store=embedded:data", "--count")
        scan = lambda *words: [line.split("\t")[0][-2:] for line in self.succeeds("scan", "orders_by_seller", "--store=embedded:data", *words).lines]
        begin = "s900\\x00\\x001482125382074"
        self.assertEqual(scan("--start_row", begin + "r2", "--stop_row", begin + "r4"), ["r2", "r3"])
        self.assertEqual(scan("--start_row", begin + "r3"), ["r3", "r4"])
        self.assertEqual(scan("--stop_row", begin + "r2"), ["r1"])
        self.refuses(64, *table, "--start_row=b", "--stop_row=a", says="--start_row must be less than --stop_row")
        self.refuses(64, *table, "--start_row=b", "--prefix=a", says="--prefix cannot be combined with --start_row and --stop_row")

    def test_a_day_without_dashes_that_finds_nothing_is_explained(self):
        self.index(order("r1", "s900", 1482125382074))
        outcome = self.lookup("s900", "--to=20161220", "--store=embedded:data")
        self.assertEqual(outcome.out, "")
        self.assertIn("fensi: no rows: --to 20161220 was read as a number, not as a day. Write --to 2016-12-20\n", outcome.err)
        for words in (("--to=2016-12-20",), ("--from=20161220",), ("--to=20161320",)):
            self.assertNotIn("no rows", self.lookup("s900", *words, "--store=embedded:data").err)

    def test_a_piece_is_asked_for_by_the_whole_value(self):
        self.maps("{o:url | after \"//\" | terminated}{row}", "'o:no': '{o:no}'")
        self.refuses(64, "lookup", self.mapping, "by-seller", "example.com", "--print_scan",
                     says="\"example.com\" has no such piece. Give the whole value, as the source has it")
        self.succeeds("lookup", self.mapping, "by-seller", "https://example.com", "--print_scan")

    def test_a_table_is_aligned_by_what_stands_on_the_screen(self):
        self.index(order("r1", "s900", 1482125382074), order("订单2", "s900", 1482125382075))
        out = self.lookup("s900", "--format=table", "--store=embedded:data").out
        lines = out.splitlines()
        self.assertEqual([re.split("  +", line) for line in lines], [
            ["ROW", "COLUMN", "TIMESTAMP", "VALUE", "MADE OF"],
            ["s900\\x00\\x001482125382074r1", "o:no", "1", "Ar1", "o:seller=s900, o:time~1482125382074, row=r1, o:no=Ar1"],
            ["s900\\x00\\x001482125382075订单2", "o:no", "1", "A订单2", "o:seller=s900, o:time~1482125382075, row=订单2, o:no=A订单2"]])
        for heading, begin in (("COLUMN", "o:no"), ("VALUE", "A"), ("MADE OF", "o:seller")):
            places = {on_screen(lines[0].split(heading)[0])} | {on_screen(line.split("  " + begin)[0]) + 2 for line in lines[1:]}
            self.assertEqual(len(places), 1, heading)

    def test_json_is_one_array_and_jsonl_an_object_a_line(self):
        self.assertEqual(self.lookup_of_two("--format=json"), self.lookup_of_two("--format=jsonl"))
        self.assertEqual(self.lookup_of_two("--format=jsonl"), self.lookup_of_two("--json"))
        none = self.lookup("nobody", "--format=json", "--store=embedded:data")
        self.assertEqual((json.loads(none.out), none.err), ([], "fensi: 0 rows\n"))

    def lookup_of_two(self, form):
        if not os.path.exists(os.path.join(self.dir, "data")):
            self.index(order("r1", "s900", 1482125382074), order("r2", "s900", 1482125382075))
        out = self.lookup("s900", form, "--store=embedded:data").out
        return json.loads(out) if form == "--format=json" else [json.loads(line) for line in out.splitlines()]

    def test_shell_is_a_line_that_writes_each_cell(self):
        self.index(order("r1", "s900", 1482125382074), order('q"#{x}', "s901", 5))
        self.assertEqual(self.lookup("s900", "-o", "shell", "--store=embedded:data").out,
                         'put "orders_by_seller", "s900\\x00\\x001482125382074r1", "o:no", "Ar1", 1'
                         "  # o:seller=s900, o:time~1482125382074, row=r1, o:no=Ar1\n")
        out = self.succeeds("scan", "orders_by_seller", "--format=shell", "--prefix=s901", "--store=embedded:data").out
        self.assertEqual(out, 'put "orders_by_seller", "s901\\x00\\x000000000000005q\\"\\#{x}", "o:no", "Aq\\"\\#{x}", 1\n')

    def test_shell_writes_markers_and_names_what_it_cannot(self):
        self.maps("{o:seller | terminated}{row}", "'o:{row}': '{o:no}'")
        self.index(order("r:1", "s", 1), order("r2", "s", 1), json.dumps({"table": "orders", "row": "r2", "cells": [
            {"type": "delete_family", "family": "o", "ts": 9}]}) + "\n")
        lines = self.succeeds("scan", "by_seller", "--raw", "--format=shell", "--store=embedded:data").lines
        self.assertEqual(lines, ['deleteall "by_seller", "s\\x00\\x00r2", "o:r2", 1',
                                 '# the shell cannot name this column: put "by_seller", "s\\x00\\x00r:1", "o:r:1", "Ar:1", 1'])

    def test_a_part_that_is_known_to_be_a_time_is_shown_and_typed_as_one(self):
        self.maps("{o:seller | terminated}{o:time | int | from_ms | time %Y%m%d}{row}", "'o:no': '{o:no}', 'o:time': '{o:time}'")
        self.index(order("r1", "s900", 1482125382074), order("r2", "s900", 1482192000000))
        outcome = self.lookup("s900", "2016-12-20", "--store=embedded:data")
        self.assertEqual([line.split("\t")[-1] for line in outcome.lines], [
            "o:seller=s900, o:time~2016-12-20, row=r2, o:no=Ar2", "o:seller=s900, o:time=2016-12-20, row=r2"])
        first = json.loads(self.lookup("s900", "2016-12-19T13:29:42.074+08:00", "--json", "--store=embedded:data").lines[1])
        self.assertEqual((first["value"], first["parts"]["o:time"], first["times"]), ("1482125382074", "1482125382074", {"o:time": "2016-12-19T05:29:42.074Z"}))

    def test_count_tells_rows_and_shows_none(self):
        self.maps("{o:seller | terminated}{row}", "'o:no': '{o:no}', 'o:time': '{o:time}'")
        self.index(order("r1", "s", 1), order("r2", "s", 2), order("r3", "t", 3))
        for words, count in (("s",), "2\n"), (("s", "--max_rows=1"), "1\n"), (("nobody",), "0\n"):
            self.assertEqual(self.lookup(*words, "--count", "--store=embedded:data").out, count)
        self.assertEqual(self.succeeds("scan", "by_seller", "--count", "--store=embedded:data").out, "3\n")
        for flag in ("--json", "--format=table", "--max_cells=1"):
            self.refuses(64, "scan", "by_seller", "--count", flag, "--store=embedded:data", says="--count prints only a number")

    def test_cells_that_are_left_out_are_counted(self):
        self.maps("{o:seller | terminated}{row}", "'o:no': '{o:no}', 'o:time': '{o:time}'")
        self.index(order("r1", "s", 1), order("r2", "s", 2))
        outcome = self.lookup("s", "--max_cells=1", "--store=embedded:data")
        self.assertEqual(([line.split("\t")[:2] for line in outcome.lines], outcome.err),
                         ([["s\\x00\\x00r1", "o:no"], ["s\\x00\\x00r2", "o:no"]], "fensi: 2 cells left out by --max_cells=1\n"))

    def index_beside_source(self, *rows):
        """The source table has these rows, the index what `self.index` was given."""
        columns = ", ".join(f"'o:{name}': '{{o:{name}}}'" for name in ("seller", "time", "no"))
        self.file("copy.yaml", f"source: raw\nindexes:\n  copy:\n    table: orders\n    row: '{{row}}'\n    columns: {{ {columns} }}\n")
        raw = self.file("raw.jsonl", "".join(rows).replace('"table": "orders"', '"table": "raw"'))
        self.succeeds("run", "copy.yaml", "--source=file:" + raw, "--store=embedded:data")

    def test_source_rows_stand_beside_the_entries_and_stale_entries_are_marked(self):
        self.index(*(order(f"r{i}", "s900", 1482125382074) for i in (1, 2, 3)))
        self.index_beside_source(order("r1", "s900", 1482125382074), order("r2", "s901", 1482125382074))
        outcome = self.lookup("s900", "--source_rows", "--store=embedded:data")
        self.assertEqual([line.split("\t")[-1] for line in outcome.lines], [
            "r1: o:no=Ar1, o:seller=s900, o:time=1482125382074", "STALE r2: o:no=Ar2, o:seller=s901, o:time=1482125382074", "STALE r3 is gone"])
        self.assertIn("2 entries are STALE: their source rows do not give the entries", outcome.err)
        cells = [json.loads(line) for line in self.lookup("s900", "--source_rows", "--json", "--store=embedded:data").lines]
        self.assertEqual([cell["source"]["agrees"] for cell in cells], [True, False, False])
        self.assertEqual(cells[0]["source"]["cells"][0], {"column": "o:no", "ts": 1, "value": "Ar1"})
        self.assertIn("STALE r2: o:no=Ar2, …", self.lookup("s900", "--source_rows", "--max_cells=1", "--store=embedded:data").out)

    def test_source_rows_are_read_in_batches_in_the_order_of_the_entries(self):
        rows = [order(f"r{i:04}", "s", 1482125382074) for i in range(1200)]
        self.index(*rows)
        self.index_beside_source(*rows[:1100])
        lines = self.lookup("s", "--source_rows", "--store=embedded:data").lines
        self.assertEqual([line.split("\t")[-1][:11] for line in lines],
                         [f"r{i:04}: o:no" if i < 1100 else f"STALE r{i:04}" for i in range(1200)])

    def test_source_rows_of_an_index_whose_entries_do_not_tell_them(self):
        self.maps("{o:seller | terminated}{row | md5}", "'o:no': '{o:no}'")
        self.index(order("r1", "s", 1))
        self.index_beside_source(order("r1", "s", 1))
        self.assertEqual(self.lookup("s", "--source_rows", "--store=embedded:data").out.rstrip().split("\t")[-1], "unknown")
        self.assertIsNone(json.loads(self.lookup("s", "--source_rows", "--json", "--store=embedded:data").out)["source"])

    def test_source_rows_need_their_table(self):
        self.index(order("r1", "s900", 1482125382074))
        self.refuses(78, "lookup", self.mapping, "by-seller", "s900", "--source_rows", "--store=embedded:data", says="has no table 'orders'")

    def watching(self, *flags):
        words = (harness.FENSI, "lookup", self.mapping, "by-seller", "s900", "--watch", "--interval_s=1", *flags, "--store=embedded:data")
        return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.dir, text=True)

    def test_watch_shows_what_comes_and_what_goes(self):
        self.index(order("r1", "s900", 1482125382074))
        with self.watching() as plain, self.watching("--json") as objects:
            first = [plain.stdout.readline(), objects.stdout.readline()]
            self.index(order("r2", "s900", 1482125382074), json.dumps({"table": "orders", "row": "r1", "cells": [
                {"type": "delete_family", "family": "o", "ts": 9}]}) + "\n")
            later = [plain.stdout.readline() for _ in range(2)], [objects.stdout.readline() for _ in range(2)]
            for process in (plain, objects):
                process.send_signal(signal.SIGINT)
        self.assertEqual([line.split("\t")[0] + line.split("\t")[4] for line in (first[0], *later[0])], ["=Ar1", "-Ar1", "+Ar2"])
        self.assertEqual([(cell["change"], cell["value"]) for cell in map(json.loads, (first[1], *later[1]))],
                         [("is", "Ar1"), ("went", "Ar1"), ("came", "Ar2")])
        self.assertEqual(plain.returncode, -signal.SIGINT)

    def test_an_answer_that_is_too_large_to_be_watched_is_refused(self):
        self.maps("{o:seller | terminated}{row}", "'o:no': '{o:no}'")
        self.index(*(order(f"r{i:02}", "s900", 1, **{"o:no": "x" * (1 << 20)}) for i in range(66)))
        outcome = self.refuses(64, "lookup", self.mapping, "by-seller", "s900", "--watch", "--store=embedded:data", says="too much for --watch")
        self.assertEqual(outcome.out, "")

    def test_what_makes_no_sense_with_watch_is_refused(self):
        for flags, says in ((("--watch", "--count"), "leave out --count"), (("--watch", "--format=table"), "--format=tsv or --format=jsonl"),
                            (("--watch", "--format=shell"), "--format=tsv or --format=jsonl"),
                            (("--interval_s=3",), "requires --watch"), (("--source_rows", "--count"), "--count prints only a number: leave out --source_rows")):
            self.refuses(64, "lookup", self.mapping, "by-seller", "s900", *flags, "--store=embedded:data", says=says)

    def on_a_terminal(self, *words, **variables):
        """What the person sees, and the exit code."""
        ours, theirs = pty.openpty()
        environment = {name: value for name, value in os.environ.items() if name not in ("PAGER", "LESS")}
        done = subprocess.Popen([harness.FENSI, *words], stdin=theirs, stdout=theirs, stderr=theirs, cwd=self.dir, env={**environment, **variables})
        os.close(theirs)
        seen = b""
        with contextlib.suppress(OSError):  # the last one who has it open has gone
            while block := os.read(ours, 65536):
                seen += block
        os.close(ours)
        return seen.decode().replace("\r\n", "\n"), done.wait(harness.DEADLINE_S)

    def test_who_is_asked_for_events_on_a_terminal_is_told(self):
        for words in (("explain", self.mapping), ("run", self.mapping, "--source=file:-", "--store=embedded:data")):
            ours, theirs = pty.openpty()
            done = subprocess.Popen([harness.FENSI, *words], stdin=theirs, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=self.dir)
            os.close(theirs)
            os.write(ours, b"\x04")
            told = done.communicate(timeout=harness.DEADLINE_S)[1]
            os.close(ours)
            self.assertIn("reading events from this terminal: enter one JSON object a line", told, words)
        piped = self.fensi("explain", self.mapping)
        self.assertNotIn("from this terminal", piped.err)

    def test_a_pager_shows_what_goes_to_a_terminal(self):
        self.index(*(order(f"r{i}", "s900", 1482125382074) for i in range(9)))
        words = ("lookup", self.mapping, "by-seller", "s900", "--store=embedded:data")
        for words in (words, ("scan", "orders_by_seller", "--store=embedded:data")):
            plain, code = self.on_a_terminal(*words, "--no_pager", PAGER="nl")
            self.assertEqual((plain.split()[0], code), ("ROW", 0))
            seen, code = self.on_a_terminal(*words, PAGER="sed 's/^/| /'")
            self.assertEqual((seen, code), ("".join("| " + line for line in plain.splitlines(True)), 0))
            for pager in ("", "cat"):
                self.assertEqual(self.on_a_terminal(*words, PAGER=pager), (plain, 0))
            self.assertEqual(self.on_a_terminal(*words, PAGER="nl", **{"FENSI" + "_NO_PAGER": "true"}), (plain, 0))
            self.assertEqual(self.on_a_terminal(*words, PAGER="nowhere -x"), ("fensi: there is no pager 'nowhere -x' (PAGER), so the output has no pager. Correct PAGER, or give --no_pager\n" + plain, 0))
            self.assertEqual(self.on_a_terminal(*words, PAGER="printenv LESS"), ("FRX\n", 0))
            self.assertNotIn("| ROW", self.succeeds(*words, variables={"PAGER": "sed 's/^/| /'"}).out)

    def test_a_pager_is_a_line_of_the_shell(self):
        self.index(order("r1", "s900", 1482125382074))
        words = ("lookup", self.mapping, "by-seller", "s900", "--store=embedded:data")
        for pager, shown in (("A=b printenv A", "b\n"), ("A=b  C='d  e' printenv C", "d  e\n"), ("LESS=x printenv LESS", "x\n"),
                             ("A=1 B=2 nl -b n | cut -c 8-10 | head -1", "ROW\n"), ("PATH=/usr/bin:/bin head -c 3", "ROW")):
            self.assertEqual(self.on_a_terminal(*words, PAGER=pager), (shown, 0), pager)
        plain, _ = self.on_a_terminal(*words, "--no_pager")
        for pager in ("A=b nowhere -x", "A=b"):
            self.assertEqual(self.on_a_terminal(*words, PAGER=pager), (f"fensi: there is no pager '{pager}' (PAGER), so the output has no pager. Correct PAGER, or give --no_pager\n" + plain, 0))

    def test_a_pager_that_the_shell_cannot_run_is_no_success(self):
        self.index(*(order(f"r{i}", "s900", 1482125382074) for i in range(3000)))
        for pager in ("'nowhere'", "./orders.yaml"):
            seen, code = self.on_a_terminal("lookup", self.mapping, "by-seller", "s900", "--store=embedded:data", PAGER=pager)
            self.assertEqual(code, 64, seen)
            self.assertIn("nothing is shown: the shell could not run the pager (PAGER)", seen)

    def test_who_leaves_the_pager_has_seen_enough(self):
        self.index(*(order(f"r{i}", "s900", 1482125382074) for i in range(3000)))
        seen, code = self.on_a_terminal("lookup", self.mapping, "by-seller", "s900", "--store=embedded:data", PAGER="head -1")
        self.assertEqual((seen.count("\n"), code), (1, 0))
        self.assertEqual(self.on_a_terminal("scan", "absent", "--store=embedded:data", PAGER="head -1")[1], 78)

    def test_forms_that_contradict_each_other_or_are_none_are_refused(self):
        self.refuses(64, "lookup", self.mapping, "by-seller", "s", "--json", "--format=table", "--store=embedded:data",
                     says="--json cannot be combined with --format=table: --json means --format=jsonl")
        self.refuses(64, "scan", "by_seller", "--format=xml", "--store=embedded:data", says="table, tsv, json, jsonl or shell")

    def test_a_mapping_that_is_not_the_one_of_the_index_is_told(self):
        self.index(order("r1", "s900", 1482125382074))
        self.assertEqual(self.lookup("s900", "--store=embedded:data").err, "")
        self.mapping = self.file("orders.yaml", ORDERS.replace("decimal 13", "decimal 14"))
        self.assertIn("warning: index by-seller was built by another definition", self.lookup("s900", "--store=embedded:data").err)

    def test_lookup_leaves_out_what_only_begins_like_the_part(self):
        self.mapping = self.file("orders.yaml", ORDERS.replace("{o:seller | terminated}", "{o:seller}")
                                 .replace("{row}'", "'") + "    unique: true\n    ignore_warnings: [open-part-in-front]\n")
        self.index(*(order(f"r{i}", f"s9{i}", 1482125382074) for i in range(3)), order("x", "s9", 1482125382074),
                   order("y", "s9", 1482125382075))
        for flags, rows in ((), ["Ax", "Ay"]), (("--max_rows=1",), ["Ax"]), (("--max_rows=2",), ["Ax", "Ay"]):
            lines = self.lookup("s9", "--json", "--store=embedded:data", *flags).lines
            self.assertEqual([json.loads(line)["value"] for line in lines], rows)

    def test_text_is_shown_as_text_and_taken_back(self):
        odd = "\u202e\\x00"  # turns the text round; in the event format the zero byte
        self.index(order("订单 é", "王", 1482125382074), order("r" + odd, "李\\xE7", 5))
        self.assertEqual(self.lookup("王", "--store=embedded:data").out.split("\t")[-1],
                         "o:seller=王, o:time~1482125382074, row=订单 é, o:no=A订单 é\n")
        shown = self.lookup("李\\xE7", "--store=embedded:data").out.split("\t")[-1]
        self.assertEqual(shown, "o:seller=李\\xE7, o:time~5, row=r\\xE2\\x80\\xAE\\x00, o:no=Ar\\xE2\\x80\\xAE\\x00\n")
        cell = json.loads(self.lookup("王", "--json", "--store=embedded:data").out)
        self.assertEqual(cell["parts"]["row"], "订单 é")
        for words in (["scan", "orders_by_seller"], ["lookup", self.mapping, "by-seller"]):
            text = self.succeeds(*words, "--store=embedded:data").out
            for flag in ((), ("--json",)):
                plain = self.succeeds(*words, "--store=embedded:data", "--bytes", *flag).out
                self.assertTrue(plain.isascii())
            self.assertIn("王", text)
            self.assertEqual(len(plain.splitlines()), 2)
            self.assertIn("\\xE7\\x8E\\x8B", plain.replace("\\\\", "\\"))

    def test_numbers_that_are_bytes_are_given_and_shown_in_digits(self):
        self.maps("{o:time | i64 | ordered}{row}", "'o:no': '{o:no}'")
        number = "\\x00" * 7 + "*"
        self.index(order("r1", "s", number), order("r2", "s", "\\xFF" * 8))
        line = self.lookup("42", "--store=embedded:data").out
        self.assertEqual(line.split("\t")[-1], "o:time=42, row=r1, o:no=Ar1\n")
        self.assertEqual(self.lookup(number, "--store=embedded:data").out, line)
        cell = json.loads(self.lookup("--json", "--store=embedded:data", "--", "-1").out)
        self.assertEqual(cell["parts"]["o:time"], -1)
        self.refuses(64, "lookup", self.mapping, "by-seller", "9223372036854775808", "--store=embedded:data", says=["is out of range for"])

    def test_print_scan_says_what_a_range_brings_too_much(self):
        self.assertNotIn("#", self.lookup("s9", "--print_scan").out)
        self.mapping = self.file("open.yaml", ORDERS.replace("{o:seller | terminated}", "{o:seller}")
                                 .replace("{row}'", "'") + "    unique: true\n    ignore_warnings: [open-part-in-front]\n")
        self.assertIn('leave out longer values than "s9", as `fensi lookup` does', self.lookup("s9", "--print_scan").out)

    def test_lookup_as_json_has_the_parts(self):
        self.index(order("r1", "s900", 1482125382074))
        cell = json.loads(self.lookup("s900", "--json", "--store=embedded:data").out)
        self.assertEqual(cell["parts"], {"o:seller": "s900", "o:time": "1482125382074", "row": "r1", "o:no": "Ar1"})

    def test_print_scan_shows_commands_of_the_hbase_shell_without_a_store(self):
        out = self.lookup("s900", "--from=2016-12-19", "--to=2016-12-20", "--print_scan").out
        self.assertEqual(out, 'scan "orders_by_seller", {STARTROW => "s900\\x00\\x001482105600000", '
                              'STOPROW => "s900\\x00\\x00148219199999:"}\n')

    def test_lookup_as_json_says_which_parts_are_one_of_several_values(self):
        self.index(order("r1", "s900", 1482125382074))
        cell = json.loads(self.lookup("s900", "--json", "--store=embedded:data").out)
        self.assertEqual(cell["inexact"], ["o:time"])

    def test_lookup_shows_all_cells_of_the_rows_that_a_lossy_part_fits(self):
        self.maps("{o:seller | lower | terminated}{row}", "'o:seller': '{o:seller}', 'o:no': '{o:no}'")
        self.index(order("r1", "ann", 1), order("r2", "Ann", 2), order("r3", "bob", 3))
        for asked in ("ANN", "Ann", "ann"):
            values = [line.split("\t")[3] for line in self.lookup(asked, "--store=embedded:data").lines]
            self.assertEqual(sorted(values), ["Ann", "Ar1", "Ar2", "ann"])

    def test_bounds_leave_out_what_only_shares_the_unit_of_the_key(self):
        self.maps("{o:seller | terminated}{o:time | int | from_ms | time %Y%m%d%H}{row}", "'o:time': '{o:time}', 'o:no': '{o:no}'")
        self.index(order("r1", "s", 1482138000000), order("r2", "s", 1482140000000))
        lines = self.lookup("s", "--from=2016-12-19T09:20", "--to=2016-12-19T10:00", "--store=embedded:data").lines
        self.assertEqual([line.split("\t")[3] for line in lines], ["Ar2", "1482140000000"])

    def test_lookup_of_a_period_table_by_time_alone_shows_the_time(self):
        self.mapping = self.file("days.yaml", """source: orders
indexes:
  by-seller:
    table: 'orders_{o:time | int | from_ms | time %Y%m%d}'
    retention: 20000d
    row: '{o:seller | terminated}{row}'
    columns: { 'o:no': '{o:no}' }
""")
        self.index(order("r1", "s", 1482138000000), order("r2", "t", 1482238000000))
        lines = self.lookup("--from=2016-12-19", "--to=2016-12-20", "--store=embedded:data").lines
        self.assertEqual([line.split("\t")[3] for line in lines], ["Ar1"])

    def test_empty_parts_and_bounds_out_of_order_are_refused(self):
        self.refuses(64, "lookup", self.mapping, "by-seller", "", "--print_scan", says="part 1 is empty")
        self.refuses(64, "lookup", self.mapping, "by-seller", "s", "--from=", "--print_scan", says="the value is empty")
        self.refuses(64, "lookup", self.mapping, "by-seller", "s", "--from=2016-12-20", "--to=2016-12-19", "--print_scan",
                     says="--from is after --to")
        self.refuses(64, "lookup", self.mapping, "by-seller", "s", "--from=10000000000000", "--print_scan",
                     says="has more than 13 digits")

    def test_print_scan_says_when_it_reads_more_than_was_asked_for(self):
        self.mapping = self.file("open.yaml", ORDERS.replace("decimal 13", "to_be 8 | reverse"))
        self.assertIn("# this brings other row keys, too", self.lookup("s", "--from=5", "--to=6", "--print_scan").out)

    def test_lookup_without_a_store_is_refused(self):
        self.refuses(64, "lookup", self.mapping, "by-seller", "s900", says="--store is missing")

    def test_bounds_may_stand_at_an_offset_or_be_some_time_ago(self):
        self.index(order("r1", "s", 1482138000000), order("r2", "s", 4102444800000))  # 2016-12-19T09:00Z, the year 2100
        for bounds, found in ((("--from=2016-12-19T17:00+08:00", "--to=now"), ["Ar1"]), (("--from=2016-12-19T17:01+08:00",), ["Ar2"]),
                              (("--to=-1d",), ["Ar1"]), (("--from=-2w", "--to=2100-01-01T00:00:00.001Z"), ["Ar2"]),
                              (("--from=2016-12-19+08:00", "--to=2016-12-20+08:00"), ["Ar1"])):
            lines = self.lookup("s", *bounds, "--store=embedded:data").lines
            self.assertEqual([line.split("\t")[3] for line in lines], found, bounds)

    def test_bounds_that_are_no_time_are_refused(self):
        self.refuses(64, "lookup", self.mapping, "by-seller", "s900", "--from=monday", "--print_scan",
                     says="write a whole number, or a time like 2016-12-19")

    def test_explain_shows_every_step_and_what_is_written(self):
        out = self.succeeds("explain", self.mapping, "--event", order("r1", "s9", 1482125382074)).out
        for text in ('o:seller = "s9" | terminated = "s9\\x00\\x00"\n',
                     'o:time = "1482125382074" | int = 1482125382074 | decimal 13 = "1482125382074"\n',
                     'o:state = absent | default open = "open"\n',
                     "orders_by_seller, row s9\\x00\\x001482125382074r1: put o:no @1 = 'Ar1'\n"):
            self.assertIn(text, out)

    def test_explain_says_why_there_is_no_entry(self):
        event = order("r1", "s9", 1482125382074, **{"o:state": "cancelled"})
        self.assertIn("no entry: a condition does not hold\n", self.succeeds("explain", self.mapping, "--event", event).out)

    def test_explain_reads_files_of_events_and_of_csv_too(self):
        event = order("r1", "s9", 1482125382074)
        with gzip.open(os.path.join(self.dir, "e.jsonl.gz"), "wt") as out:
            out.write(event)
        told = self.succeeds("explain", self.mapping, "--event", event).out
        self.assertEqual(self.succeeds("explain", self.mapping, "--source=file:e.jsonl.gz").out, told)
        with open(os.path.join(self.dir, "e.jsonl.gz"), "rb") as packed:
            piped = subprocess.run([harness.FENSI, "explain", self.mapping, "--source=file:-"], stdin=packed, capture_output=True, cwd=self.dir, check=True)
        self.assertEqual(piped.stdout.decode(), told)
        self.file("e.csv", "id,seller,time,no,at\nr1,s9,1482125382074,Ar1,1\n")
        flags = ("--source=file:e.csv", "--csv_row=id", "--csv_family=o", "--csv_time=at")
        self.assertEqual(self.succeeds("explain", self.mapping, *flags).out, told)

    def test_explain_of_four_times_the_events_costs_about_four_times_as_much(self):
        def seconds(events):
            self.file("many.jsonl", "".join(order(f"r{i}", f"s{i}", 1482125382074) for i in range(events)))
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.succeeds("explain", self.mapping, "--source=file:many.jsonl")
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime - before.ru_utime
        self.assertLess(seconds(4000), 6.5 * seconds(1000))

    def test_explain_names_the_line_of_a_file_that_is_no_event_and_flags_that_do_not_fit(self):
        self.file("e.jsonl", order("r1", "s9", 1) + "{\n")
        self.refuses(64, "explain", self.mapping, "--source=file:e.jsonl", says="e.jsonl:2: not JSON")
        self.refuses(78, "explain", self.mapping, "--source=file:absent.jsonl", says="absent.jsonl")
        for flags, says in ((("--source=kafka://b:1",), "--source must name a file"), (("--source=file:e.jsonl", "--event={}"), "exclude each other"),
                            (("--csv_row=id",), "--csv_row requires --source"), (("--source=file:e.jsonl", "--csv_family=o"), "requires --csv_row")):
            self.refuses(64, "explain", self.mapping, *flags, says=says)

    def test_explain_refuses_an_event_that_is_none(self):
        self.refuses(64, "explain", self.mapping, "--event", "{", says="--event")

    def test_help_functions_shows_each_with_an_example(self):
        out = self.succeeds("help", "functions").out
        for text in ("  split separator [index]   (", "  proto message path   (", '      a,b,c | split "," 1  gives  b\n'):
            self.assertIn(text, out)


harness.main()
