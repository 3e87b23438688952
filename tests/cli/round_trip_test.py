"""Any bytes, shown in whatever form, are typed as they are shown, and are the same bytes."""
import json
import random
import re
import shutil
import tempfile

import harness

MAPPING = """source: t
indexes:
  ix:
    table: ixt
    row: '{row}'
    columns: { 'f:{f:q}': '{f:v}' }
"""
ROWS = 150
# What a terminal, a shell, a table, JSON, Ruby or the escapes themselves could take for something else.
PIECES = [b"\\", b"\\x41", b"\\\\x", b"\t", b"\n", b"\r", b" ", b"  ", b"\"", b"'", b"#{x}", b"\x00", b"\x1b[2J", b"\x7f", b"\xff",
          b"\xc3", b"\xe2\x80\xae", b"\xef\xbb\xbf", b"\xc2\x85", b"-", b"--", b"0", b"42", b":", b",", b"=", b"{", b"}", b"@",
          "关注".encode(), "é".encode(), "e\u0301".encode(), "👍🏽".encode(), "\u200b".encode(), b"a", b"null"]


def escaped(data):
    return "".join("\\x%02X" % byte for byte in data)


def unescaped(shown):
    return re.sub(rb"\\x([0-9A-Fa-f]{2})", lambda found: bytes([int(found[1], 16)]), shown.encode())


def of_ruby(text):
    """The bytes of a string in double quotes."""
    return unescaped(re.sub(r'\\(["#])', r"\1", text))


class RoundTrip(harness.CliTest):
    made = None  # a folder with the mapping and the store, for all tests

    def setUp(self):
        super().setUp()
        self.random = random.Random(23)  # fixed: a failure comes again
        self.mapping = self.file("m.yaml", MAPPING)
        rows = {self.bytes_of(1) for _ in range(ROWS)}
        self.cells = sorted((row, self.bytes_of(0), self.bytes_of(0)) for row in rows)
        if RoundTrip.made is None:
            self.index("e.jsonl", "s", ((escaped(row), escaped(q), escaped(v)) for row, q, v in self.cells))
            RoundTrip.made = tempfile.mkdtemp(prefix="fensi-round-trip-")
            self.addClassCleanup(shutil.rmtree, RoundTrip.made)
            shutil.copytree(self.dir, RoundTrip.made, dirs_exist_ok=True)
        shutil.copytree(RoundTrip.made, self.dir, dirs_exist_ok=True)

    def bytes_of(self, least):
        def piece():
            return self.random.randbytes(1) if self.random.random() < 0.4 else self.random.choice(PIECES)
        return b"".join(piece() for _ in range(self.random.randint(least, 6)))

    def index(self, name, store, cells):
        events = [{"table": "t", "row": row, "seq": 1, "cells": [{"type": "put", "column": column, "ts": 7, "value": value}
                                                                 for column, value in (("f:q", q), ("f:v", v))]} for row, q, v in cells]
        path = self.file(name, "".join(json.dumps(event) + "\n" for event in events))
        self.succeeds("run", self.mapping, "--source=file:" + path, "--store=embedded:" + store)

    def scan(self, *flags, store="s"):
        out = self.succeeds("scan", "ixt", "--store=embedded:" + store, *flags).out
        return out.removesuffix("\n").split("\n")

    def assert_all(self, shown):
        """`shown`: row, column and value as they stand in the output."""
        self.assertEqual([(unescaped(row), unescaped(column), unescaped(value)) for row, column, value in shown],
                         [(row, b"f:" + q, v) for row, q, v in self.cells])

    def test_lines_with_tabs(self):
        for flags in ((), ("--bytes",)):
            lines = self.scan("--format=tsv", *flags)
            self.assert_all((row, column, value) for row, column, _, value in (line.split("\t") for line in lines))
            self.assertTrue(not flags or "".join(lines).isascii())

    def test_a_table_has_the_same_words(self):
        heading, *table = self.scan("--format=table")
        self.assertEqual(heading.split(), ["ROW", "COLUMN", "TIMESTAMP", "VALUE"])
        words = [line.split("\t") for line in self.scan("--format=tsv")]
        self.assertEqual(len(table), len(words))
        for line, fields in zip(table, words):
            self.assertRegex(line, "  +".join(map(re.escape, fields)) + r"\Z")

    def test_json(self):
        for flags in ((), ("--bytes",)):
            for form in ("json", "jsonl"):
                lines = self.scan("--format=" + form, *flags)
                cells = json.loads("\n".join(lines)) if form == "json" else [json.loads(line) for line in lines]
                self.assert_all((cell["row"], cell["column"], cell["value"]) for cell in cells)
                self.assertTrue(not flags or "".join(lines).isascii())

    def test_lines_for_the_hbase_shell(self):
        words = r'"((?:[^"\\]|\\.)*)"'
        lines = self.scan("--format=shell")
        self.assertEqual(len(lines), len(self.cells))
        for line, (row, q, v) in zip(lines, self.cells):
            self.assertTrue(line.isascii())
            self.assertEqual(line.startswith("# "), b":" in q, line)
            put = re.fullmatch(f'(?:# the shell cannot name this column: )?put "ixt", {words}, {words}, {words}, 7', line)
            self.assertEqual([of_ruby(part) for part in put.groups()], [row, b"f:" + q, v])

    def test_what_explain_shows(self):
        out = self.succeeds("explain", self.mapping, "--source=file:e.jsonl").out
        written = re.findall(r"^      ixt, row (.*): put (f:.*) @7 = '(.*)'$", out, re.M)
        self.assert_all(sorted(written, key=lambda entry: unescaped(entry[0])))
        told = re.findall(r"^event \d+: table t, row (.*)\n    put f:q @7 = '(.*)'\n    put f:v @7 = '(.*)'$", out, re.M)
        self.assert_all(sorted(((row, "f:" + q, v) for row, q, v in told), key=lambda event: unescaped(event[0])))

    def test_what_a_case_is_given_and_what_it_shows(self):
        def typed(data):
            return json.dumps(escaped(data))
        given = "".join("      - { put: %s, 'f:q': %s, 'f:v': %s, ts: 7 }\n" % tuple(map(typed, cell)) for cell in self.cells)
        self.file("case.yaml", MAPPING + "tests:\n  - name: all\n    given:\n" + given + "    expect: { ix: {} }\n")
        out = self.refuses(1, "test", "case.yaml").out
        shown = re.findall(r"ixt, row '(.*)', '(f:.*)': '(.*)'(?= *$| \()", out, re.M)
        self.assert_all(sorted(shown, key=lambda entry: unescaped(entry[0])))

    def test_what_dead_letters_hold(self):
        numbers = self.file("numbers.yaml", MAPPING.replace("'{row}'", "'{f:v | int | ordered}{row}'"))
        self.refuses(1, "run", numbers, "--source=file:e.jsonl", "--store=embedded:n", "--dead_letters=file:letters.jsonl")
        letters = [json.loads(line) for line in self.read("letters.jsonl").splitlines()]
        no_numbers = [cell for cell in self.cells if not re.fullmatch(rb"[+-]?[0-9]+", cell[2])]
        self.assertEqual(sorted(unescaped(letter["row"]) for letter in letters), [row for row, _, _ in no_numbers])
        events = [json.loads(letter["original"]) for letter in letters]
        self.assertEqual(sorted((unescaped(event["row"]), *(unescaped(cell["value"]) for cell in event["cells"])) for event in events), no_numbers)

    def test_what_verify_reports(self):
        copy = self.file("copy.yaml", "source: raw\nindexes:\n  copy:\n    table: t\n    row: '{row}'\n    columns: { 'f:q': '{f:q}', 'f:v': '{f:v}' }\n")
        half = self.read("e.jsonl").splitlines(True)[::2]
        self.file("half.jsonl", "".join(half).replace('"table": "t"', '"table": "raw"'))
        self.succeeds("run", copy, "--source=file:half.jsonl", "--store=embedded:s")
        there = {unescaped(json.loads(line)["row"]) for line in half}
        orphans = [(row, b"f:" + q) for row, q, _ in self.cells if row not in there]
        outcome = self.refuses(1, "verify", self.mapping, "ix", "--store=embedded:s", "--recheck_s=0", "--report=r.jsonl")
        reported = [json.loads(line) for line in self.read("r.jsonl").splitlines()]
        self.assertEqual(sorted((unescaped(one["row"]), unescaped(one["column"])) for one in reported if one.get("kind") == "orphan"), orphans)
        told = [line.split("\t")[2:4] for line in outcome.lines if line.startswith("orphan\t")]
        self.assertEqual(len(told), min(20, len(orphans)), "text has the first ones")
        self.assertLessEqual({(unescaped(row), unescaped(column)) for row, column in told}, set(orphans))

    def test_what_json_shows_is_taken_as_events(self):
        cells = [json.loads(line) for line in self.scan("--json")]
        self.index("again.jsonl", "again", ((cell["row"], cell["column"][2:], cell["value"]) for cell in cells))
        self.assertEqual(self.scan("--json", store="again"), self.scan("--json"))

    def test_what_is_shown_is_typed_in_a_lookup(self):
        lines = self.scan("--format=tsv")
        for line in self.random.sample(lines, 5):
            row = line.split("\t")[0]
            found = self.succeeds("lookup", self.mapping, "ix", "--store=embedded:s", "--", row).out.splitlines()
            self.assertEqual([cell.split("\t")[0] for cell in found], [row])
            below = self.scan("--format=tsv", "--prefix=" + row)
            self.assertEqual(below, [other for other in lines if unescaped(other.split("\t")[0]).startswith(unescaped(row))])

    def test_the_hbase_shell_is_told_the_same_row(self):
        for row, _, _ in self.random.sample(self.cells, 5):
            out = self.succeeds("lookup", self.mapping, "ix", "--print_scan", "--", escaped(row)).out
            (start,) = re.findall(r'(?:STARTROW => |get "ixt", )"((?:[^"\\]|\\.)*)"', out)
            self.assertEqual(of_ruby(start), row)


harness.main()
