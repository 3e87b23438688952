"""`fensi code`: the printed Python gives the keys and ranges of `fensi lookup --print_scan`, and the rows of --json.

FENSI_ORACLE_CASES (2 mapping files), FENSI_ORACLE_INDEXES (40 drawn for each), FENSI_ORACLE_LOOKUPS (8 for an index).
"""
import base64
import datetime
import itertools
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "code"))

import world
from world import BESIDE, EXAMPLES, World, escaped, filled_world, json_of, unescaped

import random_rows
from case import SEED, Case, number


class Compared:
    """One index of a world, asked in two ways."""

    def __init__(self, test, place, index, mapping="m.yaml"):
        self.test, self.place, self.index, self.mapping = test, place, index, mapping
        self.module = place.python(index, mapping)
        self.key, self.store = self.module.INDEX.key, place.store(self.module)
        self.figures = dict.fromkeys(("ranges", "refused", "entries", "stored"), 0)

    @property
    def is_stored(self):
        """Its parts are other ones than those of `fensi lookup`, which takes the source's values."""
        index = self.module.INDEX
        templates = [index.row, *(one for column in index.columns for one in (column.qualifier, column.value))]
        templates += [index.period.table] if index.period else []
        return any(part.reference and part.reference.kind.startswith("stored") for one in templates for part in one)

    def word(self, value):
        text = str(value) if isinstance(value, (int, float)) else escaped(value)
        return text.replace("inf", "Infinity") if isinstance(value, float) else text

    def bound_kind(self, depth):
        """What bounds of the part at this depth are: int, float or bytes."""
        index = self.module.INDEX
        if index.period is not None:
            return int
        key_part = self.key[depth]
        part = index.row[key_part.bounded_part]
        at = part.first_number(key_part.steps)
        return bytes if at is None else float if part.type_at(at) == self.module.REAL else int

    def compare(self, given, start=None, stop=None, entries=False):
        words = [self.word(value) for value in given]
        bounds = [f"--{flag}={self.word(bound)}" for flag, bound in (("from", start), ("to", stop)) if bound is not None]
        scans = self.place.scans(self.index, words, bounds, self.mapping)
        asked = f"{self.index}: {given} {start!r} {stop!r}\n{scans}"
        try:
            query = self.module.Query(self.module.INDEX, given, start, stop)
        except self.module.BadPart as refused:
            self.test.assertIsInstance(scans, str, f"{asked}\nrefused: {refused}")
            self.figures["refused"] += 1
            return None
        if isinstance(scans, str) and query.tables == []:
            self.test.assertIn("has a table per period, and --from or --to is missing", asked)
            return None  # nothing lies between equal bounds: a program reads nothing, and a person is told
        self.test.assertNotIsInstance(scans, str, asked)
        tables, ranges, exact = scans
        self.figures["ranges"] += len(ranges)
        self.test.assertEqual([tuple(one) for one in query.ranges], [(a, b or b"") for a, b in ranges], asked)
        self.test.assertEqual(query.tables if query.ranges else [], tables, asked)
        self.test.assertEqual(query.exact or not query.ranges, exact, asked)
        if entries:
            self.compare_entries(query, words, bounds, asked)
        return query

    def compare_entries(self, query, words, bounds, asked):
        answer = self.place.answer(self.index, words, bounds, self.mapping)
        reader = self.module.Reader(self.store, index=self.module.INDEX,
                                    accept=(self.module.NotReady,))
        shown = {(one.row, one.family + b":" + one.qualifier): json_of(one) for one in reader.entries(query)}
        wanted = {(unescaped(line["row"]), unescaped(line["column"])):
                  ({name: value if not isinstance(value, str) else unescaped(value) for name, value in line["parts"].items()},
                   sorted(line["inexact"])) for line in answer}
        self.figures["entries"] += len(wanted)
        self.test.assertEqual({key: self.plain(value) for key, value in shown.items()},
                              {key: self.plain(value) for key, value in wanted.items()}, asked)

    @staticmethod
    def plain(decoded):
        """Times and doubles are text where `fensi lookup` shows them."""
        def one(value):
            for kind in (int, float):
                try:
                    return kind(value) if not isinstance(value, float) else value
                except ValueError:
                    continue
            return value
        parts, inexact = decoded
        return {name: repr(float(one(value)) if isinstance(one(value), float) else one(value)) for name, value in parts.items()}, inexact

    def value(self, line, key_part):
        """What a line of `fensi lookup` says of a part, as an application gives it."""
        value, part = line["parts"][key_part.name], self.module.INDEX.row[key_part.part]
        is_time = part.type_at(key_part.steps) == self.module.TIME
        at = part.first_number(key_part.steps)
        if at is not None and part.type_at(at) == self.module.REAL and part.steps[at - 1].name.startswith(("f64", "f32")):
            return float(value)  # of these bytes it shows the number
        return value if isinstance(value, int) else int(value) if is_time else unescaped(value)

    def everything(self):
        """What the index holds: the parts of each entry."""
        return self.place.answer(self.index, [], self.all_words(), self.mapping)

    def all_words(self):
        period = self.module.INDEX.period
        now = int(time.time() * 1000) // (period.units or 1 if period else 1)
        day = 86400_000 // (period.units or 1 if period else 1)
        return [f"--from={now - 40 * day}", f"--to={now + 2 * day}"] if period else []


class Examples(unittest.TestCase):
    def check(self, path):
        now = int(time.time() * 1000)
        place = World(self)
        place.write("m.yaml", path.read_text())
        for schema in BESIDE:
            place.write(schema.name, schema.read_text())
        place.run("m.yaml", world.example_events(path, now))
        names = [line["index"] for line in place.check("m.yaml") if "index" in line]
        total = 0
        for name in names:
            compared = Compared(self, place, name)
            if compared.is_stored:
                continue
            self.compare_all(compared)
            total += compared.figures["ranges"]
        return total

    def compare_all(self, compared):
        lines = compared.everything()
        period = compared.module.INDEX.period
        if period is None:
            compared.compare([], entries=True)
        for line in lines[:2]:
            whole = all(key_part.name in line["parts"] for key_part in compared.key)
            given = [compared.value(line, key_part) for key_part in compared.key] if whole else []
            for depth in range(len(given) + 1):
                if period is None:
                    compared.compare(given[:depth], entries=depth < 2)
                if depth < len(compared.key) or period is not None:
                    self.compare_bounds(compared, given[:depth], depth)

    def compare_bounds(self, compared, given, depth):
        kind = compared.bound_kind(depth)
        now = int(time.time() * 1000)
        bounds = {int: (-5, 0, 7, 1482125382074, 1292148000, now - 86400_000, now, 2**62),
                  float: (-math.inf, -1.5, 0.0, 2.5), bytes: (b"a", b"b", b"\x00\xff", b"2016-12-19", b"zzz")}[kind]
        for start, stop in [(None, bounds[1]), (bounds[1], None), *zip(bounds, bounds[1:])][::1 + depth]:
            compared.compare(given, start, stop)
        compared.compare(given, *bounds[-3:-1], entries=True)


for _path in EXAMPLES:
    def _test(self, path=_path):
        self.check(path)
    setattr(Examples, "test_of_" + _path.stem.replace("-", "_"), _test)


class RandomMappings(unittest.TestCase):
    def test_keys_ranges_and_rows_are_those_of_lookup(self):
        figures = {}
        for n in range(number("CASES", 4)):
            for compared in self.drawn(n):
                for name, count in compared.figures.items():
                    figures[name] = figures.get(name, 0) + count
        print(figures, flush=True)
        self.assertGreater(figures["ranges"], 50)
        self.assertGreater(figures["entries"], 5)

    def drawn(self, n):
        case = Case(self, SEED * 1000 + 500 + n, number("INDEXES", 40))
        r = random.Random(case.seed)
        place = filled_world(self, case, r)
        for index in case.indexes:
            compared = Compared(self, place, index.name)
            compared.figures["stored"] += compared.is_stored
            if not compared.is_stored:
                self.ask(r, compared)
            yield compared

    def ask(self, r, compared):
        lines = compared.everything()
        for at in range(number("LOOKUPS", 8)):
            line = r.choice(lines) if lines else {"parts": {}}
            asked = compared.key[:r.randrange(len(compared.key) + 1)]
            given = [compared.value(line, key_part) for key_part in
                     itertools.takewhile(lambda key_part: key_part.name in line["parts"], asked)]
            if b"" in given:
                continue  # the command line has no empty part
            bounds = (None, None)
            if len(given) < len(compared.key) and r.random() < 0.8:
                bounds = self.bounds(r, compared.bound_kind(len(given)))
            if compared.module.INDEX.period is not None and None in bounds:
                continue
            compared.compare(given, *bounds, entries=at < 2)

    @staticmethod
    def bounds(r, kind):
        drawn = {int: lambda: r.choice(random_rows.NUMBER_EDGES) + r.randrange(-2, 3),
                 float: lambda: r.choice((-math.inf, -1e300, -1.5, -0.0, 0.0, 2.5, 1e-300)),
                 bytes: lambda: r.choice((random_rows.any_bytes(r), r.choice(random_rows.TEXTS))) or b"a"}[kind]
        two = [drawn(), drawn()]
        if kind is int:
            two = [min(max(bound, -2**63), 2**63 - 1) for bound in two]
        two.sort()
        if r.random() < 0.3:
            two[r.randrange(2)] = None
        return tuple(two)


NUMBERS = """source: s
indexes:
  numbers:
    table: numbers
    row: '{f:n | i32 | ordered 4}{f:b | i64 | to_be 8}{f:d | f64 | ordered}{f:t | terminated}{row}'
    columns:
      'f:q': '{f:v}'
    ignore_warnings: [key-width, several-versions]
  salted:
    table: salted
    row: '{row | salt 4}{f:t | terminated}{row}'
    columns:
      'f:q': '{f:v}'
    ignore_warnings: [salted]
  spread:
    table: spread
    row: '{row | salt 4}{f:t | terminated}'
    columns:
      'f:{row}': ''
    ignore_warnings: [salted]
  named:
    table: named
    row: '{f:t | collate de | terminated}{row}'
    columns:
      'f:q': '{f:v}'
"""


EDGES = """source: s
indexes:
  floats:
    table: floats
    row: '{f:a | f32 | ordered 4}{row}'
    columns: { 'f:q': '' }
  swapped:
    table: swapped
    row: '{f:a | f32_le | ordered 4}{row}'
    columns: { 'f:q': '' }
  narrow:
    table: narrow
    row: '{f:a | f64 | ordered 4}{row}'
    columns: { 'f:q': '' }
  padded:
    table: padded
    row: '{f:n | int | decimal | pad 5 0 | terminated}{row}'
    columns: { 'f:q': '' }
  defaults:
    table: defaults
    row: '{f:n | int | decimal 5 | default zzzzz}{row}'
    columns: { 'f:q': '{f:v}' }
  pairs:
    table: pairs
    row: '{f:a | fixed 2}{row}'
    columns: { 'f:q': '' }
  rows:
    table: rows
    row: '{row}'
    columns: { 'f:q': '{f:v}' }
  times:
    table: times
    row: '{f:t | int | from_s | millis | ordered}{row}'
    columns: { 'f:q': '' }
  stamps:
    table: stamps
    row: '{f:t@ts | to_be 8}{row}'
    columns: { 'f:q': '{f:t}' }
  spread:
    table: spread
    row: '{row | salt 5000}{f:a | terminated}{row}'
    columns: { 'f:q': '' }
    ignore_warnings: [salted]
  sorted:
    table: sorted
    row: '{f:a | collate zh | terminated}{row}'
    columns: { 'f:q': '' }
  places:
    table: places
    row: '{({g:lat},{g:lon}) | geohash 9}{row}'
    columns: { 'f:q': '' }
  quoted:
    table: quoted
    row: '{g:"a | lower" | terminated}{g:a | lower | terminated}{"g:g":"\\"" | terminated}{row}'
    columns: { 'f:q': '' }
"""


PERIODS = """source: s
indexes:
  visits:
    table: 'visits_{v:time | int | from_ms | time %Y%m%d}'
    retention: 30d
    row: '{v:page | terminated}{row}'
    columns:
      'f:q': '{v:time}'
"""


ITEMS = """source: s
indexes:
  tagged:
    table: tagged
    each: '{f:tags | split ","}'
    row: '{row}'
    columns:
      'f:c': '{f:b}'
"""


class Vectors(unittest.TestCase):
    def setUp(self):
        self.place = World(self)
        self.place.write("m.yaml", NUMBERS)

    def test_negative_numbers_empty_parts_zero_bytes_and_ff(self):
        code = self.place.python("numbers")
        key = code.encode_key(-2, -1, -1.5, b"", b"\x00\xff")
        self.assertEqual(key.hex(), "7ffffffe" + "ffffffffffffffff" + "4007ffffffffffff" + "0000" + "00ff")
        self.assertEqual(code.decode_key(key), {"f:n": -2, "f:b": -1, "f:d": -1.5, "f:t": b"", "row": b"\x00\xff"})
        self.assertEqual(code.encode_key(2**31 - 1, 0, 0.0, b"a\x00\xff", "r").hex(),
                         "ffffffff" + "00" * 8 + "8000000000000000" + "610001ff0000" + "72")
        code = Compared(self, self.place, "numbers")
        for given in ([], [-2], [-2, -1], [5, 2**62, -math.inf], [5, 7, 2.5, b"a\x00"]):
            kind = code.bound_kind(len(given))
            for start, stop in {int: ((-3, 4), (None, -1), (0, None)), float: ((-2.5, 1e9), (None, 0.0)),
                                bytes: ((b"a", b"b\x00"), (b"\xff", None))}[kind]:
                code.compare(given, start, stop)
        self.assertGreater(code.figures["ranges"], 10)

    def test_a_value_that_does_not_fit_is_refused_with_what_to_give(self):
        code = self.place.python("numbers")
        for given, text in ((("7",), "<f:n> is read by i32: give a number or bytes, not '7'"), ((2**31,), "does not fit"),
                            ((b"123",), "has 3 bytes, not 4"), ((1.5,), "does not fit"), ((1, 2, 3.0, "t", "r", "x"), "")):
            with self.assertRaises((code.BadPart, TypeError)) as refused:
                code.prefix(*given)
            self.assertIn(text, str(refused.exception))
        with self.assertRaisesRegex(code.BadPart, "give all in front of it"):
            code.prefix(b=5)
        with self.assertRaisesRegex(code.BadPart, "lies behind stop"):
            code.between(start=5, stop=4)
        with self.assertRaisesRegex(code.BadPart, "5 is no bound of .*f:t.*: its values sort as text"):
            code.between(1, 2, 3.0, start=5)

    def test_columns_have_names_that_the_language_and_the_file_leave_free(self):
        for name in ("None", "True", "class", "INDEX", "Query"):
            self.place.write("m.yaml", f"source: s\nindexes:\n  n: {{ table: n, row: '{{f:{name} | terminated}}{{row}}', columns: {{ f:x: '' }} }}\n")
            code = self.place.python("n")
            self.assertEqual(code.encode_key(**{name + "_": "a", "row": "r"}), b"a\0\0r")
            self.assertIsInstance(code.prefix("a"), code.Query)

    def test_bytes_that_are_no_key_are_refused(self):
        code = self.place.python("numbers")
        with self.assertRaisesRegex(code.NotAKey, "is no row key of index numbers: check that it comes from table numbers"):
            code.decode_key(b"short")

    def test_a_stored_form_is_given_as_it_is_and_the_head_says_so(self):
        code = self.place.python("named")
        self.assertIn("what f:t | collate de gives. This file cannot compute it", code.__doc__)
        self.assertEqual(code.encode_key(b"\x2a\x00", "r"), b"\x2a\x00\x01\x00\x00r")
        self.assertEqual(code.decode_key(b"\x2a\x00\x01\x00\x00r"), {"f:t | collate de": b"\x2a\x00", "row": b"r"})

    def test_text_for_a_stored_form_is_refused(self):
        self.place.write("m.yaml", EDGES)
        code = self.place.python("sorted")
        self.assertEqual(code.prefix(bytearray(b"\x2a")).ranges, code.prefix(b"\x2a").ranges)
        for given in ("M\u00fcller", 7):
            with self.assertRaisesRegex(code.BadPart, "<f:a . collate zh> is a stored form: give bytes, what f:a . collate zh gives"):
                code.prefix(given)
        with self.assertRaisesRegex(code.BadPart, "'a' is no bound of .*: a bound of a stored form is bytes, what f:a . collate zh gives"):
            code.between(start="a")
        self.assertEqual(code.between(start=b"\x2a").ranges, [(b"\x2a\0\0", b"")])

    def test_a_stored_form_of_another_width_is_refused_with_what_to_ask(self):
        self.place.write("m.yaml", EDGES)
        code = self.place.python("places")
        for given, size in ((b"wx4", 3), (b"", 0), (b"wx4g0bm6cx", 10)):
            for refused in (lambda: code.prefix(given), lambda: code.encode_key(given, "r")):
                with self.assertRaisesRegex(code.BadPart, f"geohash 9> is a stored form of 9 bytes, not of {size}: give all of them, or between.start, stop."):
                    refused()
        self.assertEqual(code.encode_key(b"wx4g0bm6c", "r"), b"wx4g0bm6cr")
        beginnings = code.between(start=b"wx4", stop=b"wx5")
        self.assertEqual((beginnings.ranges, beginnings.exact), ([(b"wx4", b"wx5")], True))
        cell = code.Cell(b"f", b"q", 1, b"")
        self.assertEqual(len(beginnings.matches("places", b"wx4g0bm6cr", [cell])), 1)
        self.assertEqual(len(code.prefix(b"wx4g0bm6c").matches("places", b"wx4g0bm6cr", [cell])), 1)

    def test_columns_with_quoted_names_are_parts_of_their_own(self):
        self.place.write("m.yaml", EDGES)
        code = self.place.python("quoted")
        key = code.encode_key(a_lower=b"A", a=b"B", part_=b"C", row=b"r")
        self.assertEqual(key, b"A\0\0b\0\0C\0\0r")
        self.assertEqual(code.decode_key(key), {'g:"a | lower"': b"A", "g:a": b"b", '"g:g":"\\""': b"C", "row": b"r"})

    def test_a_bound_between_two_numbers_of_32_bits_leaves_out_the_number_before_it(self):
        self.place.write("m.yaml", EDGES)
        compared = Compared(self, self.place, "narrow")
        code = compared.module
        for start, low, first in ((16777217, 16777216.0, 16777218.0), (1e300, 3.4028234663852886e38, math.inf)):
            query = compared.compare([], float(start), None)
            begin = query.ranges[0].start
            self.assertEqual([code.prefix(low).ranges[0].stop, begin <= code.encode_key(first, b"")], [begin, True])
            self.assertTrue(query.exact)
        self.assertEqual(compared.compare([], 2.5, None).ranges[0].start, code.prefix(2.5).ranges[0].start)

    def test_a_bound_of_a_float_is_the_nearest_float_as_a_part_is(self):
        self.place.write("m.yaml", EDGES)
        for name in ("floats", "swapped"):
            code = self.place.python(name)
            for bound, nearest in ((19.9, 19.899999618530273), (20.1, 20.100000381469727), (16777217, 16777216), (1e300, math.inf), (1e-300, 0.0)):
                key = code.encode_key(nearest, b"")
                self.assertEqual(code.prefix(bound).ranges[0].start, key)
                for query, wanted in ((code.between(start=bound), (key, b"")), (code.between(stop=bound), (b"", key.rstrip(b"\0")))):
                    self.assertEqual((query.ranges, query.exact), ([wanted], True), f"{name} {bound}")
                cell = code.Cell(b"f", b"q", 1, b"")
                found = [len(query.matches(name, key + b"r", [cell])) for query in (code.between(start=bound), code.between(stop=bound))]
                self.assertEqual(found, [1, 0], f"{name} {bound}")

    def test_ranges_that_may_hold_a_long_number_or_a_default_are_not_exact(self):
        self.place.write("m.yaml", EDGES)
        cell = lambda code: code.Cell(b"f", b"q", 1, b"")
        for name, bounds, inside, outside in (("padded", (3, 99999), b"00007\0\0r", b"123456\0\0r"), ("defaults", (3, None), b"00007r", b"zzzzzr")):
            code = self.place.python(name)
            query = code.between(start=bounds[0], stop=bounds[1])
            start, stop = query.ranges[0]
            self.assertTrue(start <= inside and start <= outside and (not stop or max(inside, outside) < stop))
            self.assertEqual([len(query.matches(name, row, [cell(code)])) for row in (inside, outside)], [1, 0])
            self.assertFalse(query.exact)
            self.assertTrue(code.prefix(7).exact)

    def test_bounds_that_no_value_lies_between_give_no_range(self):
        self.place.write("m.yaml", EDGES)
        pairs = Compared(self, self.place, "pairs")
        self.assertEqual(pairs.compare([], b"\xff" * 3, None).ranges, [])
        self.assertEqual(pairs.compare([], b"a\xff\xff", None).ranges, [(b"b", b"")])
        for name in ("pairs", "rows"):
            code = self.place.python(name)
            for stop in ("", b""):
                self.assertEqual(code.between(stop=stop).ranges, [])

    def test_a_part_between_two_milliseconds_is_refused(self):
        self.place.write("m.yaml", EDGES)
        moment = datetime.datetime(2016, 12, 19, 5, 29, 41, 999999, tzinfo=datetime.timezone.utc)
        for name, part in (("times", "f:t"), ("stamps", "f:t@ts")):
            code = self.place.python(name)
            with self.assertRaisesRegex(code.BadPart, f"<{part}> counts milliseconds, and .* lies between two of them: give a whole millisecond"):
                code.encode_key(moment, "r")
            code.encode_key(moment.replace(microsecond=0), "r")
            self.assertEqual(code.between(start=moment).ranges, code.between(start=moment.replace(second=42, microsecond=0)).ranges)

    def test_bounds_that_are_no_numbers_are_refused(self):
        self.place.write("m.yaml", EDGES)
        code = self.place.python("times")
        for bound in (math.inf, -math.inf, math.nan):
            with self.assertRaisesRegex(code.BadPart, "is no bound of .*: give a whole number, or a datetime"):
                code.between(start=bound)

    def test_the_head_says_what_it_is_of_and_how_to_make_it_again(self):
        code = self.place.python("salted")
        self.assertIn("Made by:    fensi code python m.yaml salted", code.__doc__)
        self.assertIn("Definition: " + code.INDEX.digest, code.__doc__)
        self.assertRegex(code.INDEX.digest, "^[0-9a-f]{32}$")

    def test_a_file_of_go_names_its_package_and_says_the_same_of_itself(self):
        digest = self.place.python("numbers").INDEX.digest
        code, out, err = self.place.call("code", "go", "m.yaml", "numbers")
        self.assertEqual(code, 0, err)
        self.assertTrue(out.startswith("// Code generated by fensi code. DO NOT EDIT.\n//\n// Reads index numbers of fensi: table numbers,"))
        for line in ("// Made by:    fensi code go m.yaml numbers", f"// Definition: {digest}", "package numbers", f'\tDigest = "{digest}"',
                     "//   N: f:n, a whole number, or its bytes.", "\tN any", "func EncodeKey(parts Parts) ([]byte, error) {"):
            self.assertIn("\n" + line + "\n", out)
        out = self.place.call("code", "go", "m.yaml", "named", "--package=main")[1]
        self.assertIn("// Made by:    fensi code go m.yaml named --package main\n", out)
        self.assertIn("\npackage main\n", out)
        self.assertIn("//   Not computed here: f:t | collate de.", out)
        for name, package in (("Orders-of-2024", "ordersof2024"), ("2024", "index2024"), ("range", "rangeindex"), ("main", "mainindex")):
            self.place.write("m.yaml", f"source: s\nindexes:\n  {name}: {{ table: n, row: '{{row}}', columns: {{ f:x: '{{f:y}}' }} }}\n")
            code, out, err = self.place.call("code", "go", "m.yaml")
            self.assertIn(f"\npackage {package}\n", out, err)

    def test_a_wrong_line_is_refused_with_what_is_right(self):
        for words, text in ((("ruby", "m.yaml", "named"), "write java, python, go or cpp"), (("python", "m.yaml"), "with one of numbers, salted, spread, named"),
                            (("python", "m.yaml", "named", "--package=a.b"), "--package is of java, go and cpp"),
                            (("go", "m.yaml", "named", "--package=a.b"), "--package=a.b is no name of a Go package: give one word"),
                            (("go", "m.yaml", "named", "--package=func"), "--package=func is no name of a Go package: give one word"),
                            (("java", "m.yaml", "named", "--package=a..b"), "names joined by dots"),
                            (("java", "m.yaml", "named", "--package=a::b"), "--package=a::b is no package of Java: join its names by dots"),
                            (("java", "m.yaml", "named", "--package=int"), "'int' is a word of Java: choose another name"),
                            (("java", "m.yaml", "named", "--package=a.class"), "'class' is a word of Java: choose another name"),
                            (("cpp", "m.yaml", "named", "--package=a::class"), "'class' is a word of C++")):
            code, _, err = self.place.call("code", *words)
            self.assertEqual(code, 64)
            self.assertIn(text, err)


class Headers(unittest.TestCase):
    """What `fensi code cpp` prints, as far as it needs no compiler."""

    def printed(self, *words):
        place = World(self)
        place.write("m.yaml", NUMBERS)
        code, out, err = place.call("code", "cpp", "m.yaml", *words)
        self.assertEqual(code, 0, err)
        return out

    def test_the_head_says_what_it_is_of_and_how_to_make_it_again(self):
        out = self.printed("salted")
        self.assertIn("// Made by:    fensi code cpp m.yaml salted\n", out)
        digest = re.search("^// Definition: ([0-9a-f]{32})$", out, re.MULTILINE).group(1)
        self.assertIn(f'kDigest = "{digest}"sv;', out)
        self.assertIn('kName = "salted"sv;', out)

    def test_the_namespace_is_of_the_index_or_of_the_package(self):
        for words, name in (((), "salted_index"), (("--package=com.example",), "com::example"), (("--package=a::b",), "a::b")):
            out = self.printed("salted", *words)
            self.assertIn(f"\nnamespace {name} {{\n", out)
            self.assertIn(f"\n}}  // namespace {name}\n", out)

    def test_a_stored_form_is_in_the_head(self):
        self.assertIn("what f:t | collate de gives. This file cannot compute it", self.printed("named"))


EXAMPLE = re.compile(r"^\| `(\w+)[^|]*\|.* `([^`]*)` `\\\| ([^`]*)` → `([^`]*)` \|$", re.MULTILINE)


class Functions(unittest.TestCase):
    """Each function that the file repeats, by its example in docs/mapping.md."""

    def test_give_what_the_page_of_mappings_says(self):
        with open(os.path.join(os.environ["FENSI_ROOT"], "docs", "mapping.md"), encoding="utf-8") as page:
            examples = [(name, given, steps.replace("\\|", "|"), wanted) for name, given, steps, wanted in EXAMPLE.findall(page.read())
                        if wanted not in ("absent", "unmappable") and not any(word in steps for word in ("'", "proto", "avro", "_list", "_array"))]
        place = World(self)
        place.write("m.yaml", "source: s\nindexes:\n" + "".join(
            f"  i{at}: {{ table: t{at}, row: '{{f:x | {steps} | terminated}}{{row}}', columns: {{ 'f:q': '' }} }}\n"
            for at, (_, _, steps, _) in enumerate(examples)))
        repeated = set()
        for at, (name, given, steps, wanted) in enumerate(examples):
            code = place.python(f"i{at}")
            if code.INDEX.row[0].reference.kind != "column":
                continue
            made = code.INDEX.row[0].encode(0, unescaped(given))
            self.assertEqual(code._unterminated(None, made)[1], unescaped(wanted), steps)
            repeated.add(name)
        self.assertGreater(len(repeated), 50, sorted(set(code._FUNCTIONS) - repeated))


class Planted:
    """A store in memory: table -> row -> cells."""

    def __init__(self, code):
        self.cell, self.tables, self.asked, self.errors = code.Cell, {}, [], {}

    def put(self, table, row, column, value, ts=1):
        family, qualifier = column.split(b":", 1)
        cells = self.tables.setdefault(table, {}).setdefault(row, {})
        cells[family, qualifier] = self.cell(family, qualifier, ts, value)

    def has(self, table):
        return table in self.tables

    def refuse(self, table):
        if table in self.errors:
            raise self.errors[table]

    def get(self, table, rows):
        self.refuse(table)
        self.asked += [(table, row) for row in rows]
        return {row: sorted(self.tables[table][row].values()) for row in rows if row in self.tables.get(table, {})}

    def scan(self, table, start, stop):
        self.refuse(table)
        for row, cells in sorted(self.tables.get(table, {}).items()):
            if start <= row and (not stop or row < stop):
                yield row, sorted(cells.values())


class Readers(unittest.TestCase):
    def setUp(self):
        place = World(self)
        place.write("m.yaml", NUMBERS)
        self.code = place.python("salted")
        self.store = Planted(self.code)
        self.say(b"incarnation", b"abc")
        self.say(b"fingerprint", self.code.INDEX.digest.encode())
        self.say(b"state_table", b"salted_state")
        self.say(b"phase/abc", b"live")
        for number in range(20):
            row = b"r%02d" % number
            self.store.put("s", row, b"f:t", b"t")
            self.store.put("s", row, b"f:v", b"v")
            self.store.put("salted", self.code.encode_key("t", row), b"f:q", b"v")

    def say(self, column, value, row=b"index:salted"):
        self.store.put("fensi_meta", row, b"i:" + column, value)

    def reader(self, **more):
        return self.code.Reader(self.store, **more)

    def rows(self, page):
        return [entry.parts["row"] for entry in page.entries]

    def refused(self, kind, text, **more):
        with self.assertRaises(getattr(self.code, kind)) as refused:
            self.reader(**more).page(self.code.prefix("t"))
        self.assertIn(text, str(refused.exception))

    def test_all_salts_are_merged_in_the_order_of_what_follows_them(self):
        page = self.reader().page(self.code.prefix("t"))
        self.assertEqual(self.rows(page), [b"r%02d" % number for number in range(20)])
        self.assertIsNone(page.token)
        self.assertEqual(len({entry.row[:1] for entry in page.entries}), 4)

    def test_pages_go_on_where_the_one_before_ended(self):
        for limit in (1, 3, 7, 20):
            shown, token = [], None
            while True:
                page = self.reader().page(self.code.prefix("t"), limit, token)
                shown += self.rows(page)
                self.assertLessEqual(len(page.entries), limit)
                self.assertLessEqual(len(shown), 20)
                token = page.token
                if token is None:
                    break
            self.assertEqual(shown, [b"r%02d" % number for number in range(20)])

    def test_a_key_that_differs_by_its_salt_alone_is_on_a_page_of_its_own(self):
        place = World(self)
        place.write("m.yaml", NUMBERS)
        code = place.python("spread")
        for salt in range(4):
            self.store.put("spread", bytes([salt]) + b"t\x00\x00", b"f:r%d" % salt, b"")
        reader, shown, token = code.Reader(self.store, accept=(code.NotReady,)), [], None
        for _ in range(4):
            page = reader.page(code.prefix("t"), 1, token)
            shown += [entry.row[0] for entry in page.entries]
            token = page.token
        self.assertEqual([shown, token], [[0, 1, 2, 3], None])

    def test_a_token_of_another_query_is_refused(self):
        token = self.reader().page(self.code.prefix("t"), 3).token
        deep = base64.urlsafe_b64encode(b"[" * 100_000).decode()
        for query, wrong in ((self.code.prefix("u"), token), (self.code.prefix("t"), "nonsense"), (self.code.prefix("t"), token[2:]),
                             (self.code.prefix("t"), deep)):
            with self.assertRaises(self.code.BadToken):
                self.reader().page(query, 3, wrong)

    def test_a_token_of_a_query_with_the_same_ranges_is_refused(self):
        place = World(self)
        place.write("m.yaml", EDGES)
        code = place.python("spread")
        for row in (b"1", b"2"):
            self.store.put("spread", code.encode_key("x", row), b"f:q", b"")
        reader = code.Reader(self.store, accept=(code.NotReady,))
        token = reader.page(code.prefix("x"), 1).token
        self.assertEqual(code.prefix("x").ranges, code.prefix("y").ranges)
        self.assertEqual(len(reader.page(code.prefix("x"), 1, token).entries), 1)
        with self.assertRaisesRegex(code.BadToken, "the token is of another index or query"):
            reader.page(code.prefix("y"), 1, token)
        place.write("m.yaml", PERIODS)
        code = place.python("visits")
        noon = 1_482_148_800_000
        marks = {code.Reader(self.store)._mark(code.between("p", start=noon, stop=noon + more)) for more in (1, 1000, 2000)}
        self.assertEqual(len(marks), 3)

    def test_whether_a_table_named_by_a_stored_form_holds_an_entry_is_not_told(self):
        place = World(self)
        place.write("m.yaml", PERIODS.replace("| int | from_ms", "| json a | int | from_ms").replace("'{v:time}'", "'{v:other}'"))
        code = place.python("visits")
        cell = code.Cell(b"f", b"q", 1, b"")
        entry = code.Entry("visits_20161219", b"p\0\0r", cell, {}, {})
        self.assertIsNone(code._Source(code.INDEX, b"r", [code.Cell(b"v", b"time", 1, b'{"a":1482125382074}')]).holds(entry))

    def test_whether_a_row_has_items_that_no_template_uses_is_not_told(self):
        place = World(self)
        place.write("m.yaml", ITEMS)
        code = place.python("tagged")
        self.store.put("tagged", b"r1", b"f:c", b"x")
        self.store.put("s", b"r1", b"f:b", b"x")
        self.store.put("s", b"r1", b"f:tags", b"")
        page = code.Reader(self.store, accept=(code.NotReady,)).page(code.prefix(), source=True)
        self.assertEqual([(entry.row, entry.holds) for entry in page.entries], [(b"r1", None)])
        self.assertIn(" CAN_TELL = false;", place.call("code", "java", "m.yaml")[1])

    def test_an_entry_that_the_source_does_not_say_is_left_out_or_flagged(self):
        del self.store.tables["s"][b"r03"]
        self.store.put("s", b"r05", b"f:v", b"other")
        self.store.put("s", b"r07", b"f:t", b"moved")
        page = self.reader().page(self.code.prefix("t"), source=True)
        self.assertEqual([page.stale, len(page.entries)], [3, 17])
        self.assertTrue(all(entry.holds for entry in page.entries))
        page = self.reader().page(self.code.prefix("t"), source=True, keep_stale=True)
        self.assertEqual([entry.parts["row"] for entry in page.entries if entry.holds is False], [b"r03", b"r05", b"r07"])

    def test_an_index_that_is_not_ready_is_refused_with_what_to_do(self):
        self.say(b"phase/abc", b"building")
        self.refused("StillBuilding", "until 'fensi backfill' has ended")
        self.assertEqual(len(self.reader(accept=(self.code.StillBuilding,)).page(self.code.prefix("t")).entries), 20)
        self.assertEqual(len(self.reader(accept=self.code.StillBuilding).page(self.code.prefix("t")).entries), 20)
        self.say(b"phase/abc", b"live")
        self.store.put("salted_state", b"fensi", b"i:pause", b"ann\nmaintenance")
        self.refused("Paused", "it is paused (ann maintenance): 'fensi resume'")
        self.store.put("salted_state", b"fensi", b"i:pause", b"")
        self.say(b"fingerprint", b"0" * 32)
        self.refused("OtherDefinition", f"it has definition {'0' * 32}, this file is of {self.code.INDEX.digest}: generate")
        self.say(b"fingerprint", self.code.INDEX.digest.encode())
        self.say(b"dropping/abc", b"x")
        self.refused("Dropped", "it is being dropped")
        self.say(b"incarnation", b"dropped abc")
        self.refused("Dropped", "it was dropped")
        del self.store.tables["fensi_meta"][b"index:salted"]
        self.refused("Unknown", "table fensi_meta has no row index:salted: meta_table= names another table")
        reader = self.reader(accept=self.code.Unknown)
        self.assertEqual([len(reader.page(self.code.prefix("t")).entries), reader.check().phase, reader.complete_to()], [20, "", None])

    def test_a_table_that_the_user_may_not_read_is_named_with_the_grant(self):
        denied = b"org.apache.hadoop.hbase.security.AccessDeniedException: Insufficient permissions (user=ann, action=READ)\n\tat x"
        errors = (type("IOError", (Exception,), {"message": denied})(), OSError(denied.decode()), PermissionError("no"))
        for error, said in zip(errors, (denied.decode().split("\n")[0], denied.decode().split("\n")[0], "no")):
            for table, source in (("fensi_meta", False), ("salted", False), ("s", True)):
                self.store.errors = {table: error}
                with self.assertRaises(self.code.MissingRight) as caught:
                    self.reader().page(self.code.prefix("t"), source=source)
                self.assertEqual(str(caught.exception), f"index salted: HBase refuses to let this user read table {table}: an administrator "
                                 f"grants it in HBase's shell by: grant '<user>', 'R', '{table}' ({said})")
        self.store.errors = {"salted_state": errors[0]}
        self.assertEqual(self.reader().check().paused, "")
        self.store.errors = {"salted": OSError("no route")}
        with self.assertRaisesRegex(OSError, "no route"):
            self.reader().page(self.code.prefix("t"))

    def test_a_page_of_no_rows_is_refused(self):
        for limit in (0, -1):
            with self.assertRaisesRegex(ValueError, f"limit is {limit}: a page has at least one row"):
                self.reader().page(self.code.prefix("t"), limit)

    def test_an_index_with_a_table_for_each_period_is_looked_at_again_when_one_is_missing(self):
        place = World(self)
        place.write("m.yaml", PERIODS)
        code = place.python("visits")
        for column, value in ((b"incarnation", b"abc"), (b"fingerprint", code.INDEX.digest.encode()), (b"phase/abc", b"live")):
            self.say(column, value, b"index:visits")
        reader, query = code.Reader(self.store), code.between("p", start=1_482_125_382_000, stop=1_482_212_000_000)
        self.assertEqual([reader.page(query).entries, reader.page(query).entries], [[], []])
        self.say(b"incarnation", b"dropped abc", b"index:visits")
        with self.assertRaisesRegex(code.Dropped, "it was dropped"):
            reader.page(query)

    def test_an_alias_is_followed_and_kept_for_some_seconds(self):
        self.refused("AliasMoved", "alias x names no index now", alias="x")
        self.say(b"index", b"salted", b"alias:x")
        self.say(b"incarnation", b"abc", b"alias:x")
        kept, asking = self.reader(alias="x"), self.reader(alias="x", check_seconds=0)
        for reader in (kept, asking):
            self.assertEqual(len(reader.page(self.code.prefix("t")).entries), 20)
        self.say(b"index", b"salted-2", b"alias:x")
        self.assertEqual(len(kept.page(self.code.prefix("t")).entries), 20)
        with self.assertRaisesRegex(self.code.AliasMoved, "alias x names salted-2 now: read with the code of that index"):
            asking.page(self.code.prefix("t"))
        self.assertEqual(asking.named_by_alias(), "salted-2")
        self.say(b"index", b"salted", b"alias:x")
        self.say(b"incarnation", b"older", b"alias:x")
        self.refused("AliasMoved", "as it was before it was created again", alias="x")

    def test_the_watermark_is_read(self):
        self.assertIsNone(self.reader().complete_to())
        self.say(b"complete/abc", b"1482125382074")
        self.assertEqual(self.reader().complete_to().isoformat(), "2016-12-19T05:29:42.074000+00:00")
        self.say(b"complete/abc", b"%d" % 2**62)
        self.assertEqual(self.reader().complete_to(), datetime.datetime.max.replace(tzinfo=datetime.timezone.utc))

    def test_happybase_gives_cells_and_ends_of_tables(self):
        class Table:
            def rows(self, rows, include_timestamp):
                return [(row, {b"f:q": (b"v", 7)}) for row in rows]

            def scan(self, row_start, row_stop, batch_size, include_timestamp):
                return iter([(b"k", {b"f:z": (b"2", 8), b"f:a:b": (b"1", 7)})] if row_stop is None else [])

        class Connection:
            def table(self, name):
                return Table()

            def tables(self):
                return [b"t"]
        store = self.code.HappyBase(Connection())
        self.assertEqual(store.get("t", [b"r"]), {b"r": [(b"f", b"q", 7, b"v")]})
        self.assertEqual(list(store.scan("t", b"", b"")), [(b"k", [(b"f", b"a:b", 7, b"1"), (b"f", b"z", 8, b"2")])])
        self.assertEqual([store.has("t"), store.has("u")], [True, False])


PAGE = os.path.join(os.environ["FENSI_ROOT"], "docs", "reading.md")
HAPPYBASE = '''"""Stands in for happybase: the rows of an embedded store."""
import json, os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ["FENSI_ROOT"], "tests", "oracle"))
from values import unescaped

class Table:
    def __init__(self, name):
        self.found = {}
        done = subprocess.run([os.environ["FENSI_BIN"], "scan", name, "--store=embedded:data", "--json"], capture_output=True)
        for line in map(json.loads, done.stdout.splitlines()):
            self.found.setdefault(unescaped(line["row"]), {})[unescaped(line["column"])] = unescaped(line["value"]), line["ts"]

    def rows(self, rows, include_timestamp):
        return [(row, self.found[row]) for row in rows if row in self.found]

    def scan(self, row_start, row_stop, batch_size, include_timestamp):
        return iter(sorted((row, data) for row, data in self.found.items() if row_start <= row and (row_stop is None or row < row_stop)))

class Connection:
    def __init__(self, host, port):
        pass

    def table(self, name):
        return Table(name)
'''
SOURCES = """source: raw
indexes:
  follows-copy: { table: follows, row: '{row}', columns: { 'f:to': '{f:to}' } }
  orders-copy: { table: orders, row: '{row}', columns: { 'o:customer': '{o:customer}', 'o:time': '{o:time}', 'o:no': '{o:no}' } }
"""


class Page(unittest.TestCase):
    """docs/reading.md: its programs print what it says."""

    def setUp(self):
        with open(PAGE, encoding="utf-8") as page:
            self.blocks = re.findall(r"^```(\w+)\n(.*?)^```$", page.read(), re.MULTILINE | re.DOTALL)
        self.place = World(self)
        self.place.write("happybase.py", HAPPYBASE)
        self.place.write("sources.yaml", SOURCES)
        self.place.write("followers.yaml", pathlib.Path(os.environ["FENSI_ROOT"], "deploy/examples/followers.yaml").read_text())
        self.place.write("customers.yaml", next(text for kind, text in self.blocks if kind == "yaml"))
        self.fill("followers.yaml", "followers", "follows", {b"a": {"f:to": b"b"}, b"c": {"f:to": b"b"}, b"d": {"f:to": b"a"}})
        times = (1482125382074, 1482192000000, 1482235200000, 1482300000000)
        self.fill("customers.yaml", "orders-of-customer", "orders", {
            b"o%d" % at: {"o:customer": b"bob" if at == 5 else b"ann", "o:time": b"%d" % when, "o:no": b"A%d" % at}
            for at, when in enumerate([*times, 1482192000000], 1)})

    def fill(self, mapping, index, source, rows):
        """As after a backfill of these source rows."""
        events = [(row, [world.put(column, 1, value) for column, value in cells.items()]) for row, cells in rows.items()]
        self.place.run("sources.yaml", [world.event(row, cells, at + 1, "raw") for at, (row, cells) in enumerate(events)])
        self.place.run(mapping, [world.event(row, cells, at + 1, source) for at, (row, cells) in enumerate(events)])
        code, _, err = self.place.call("backfill", mapping, index, "--store=embedded:data", "--execute")
        self.assertEqual(code, 0, err)

    def sh(self, line):
        done = subprocess.run(["bash", "-c", line], cwd=self.place.folder, capture_output=True, text=True, timeout=100, check=False,
                              env={**os.environ, "PATH": os.path.dirname(world.FENSI) + ":" + os.environ["PATH"]})
        self.assertEqual(done.returncode, 0, line + "\n" + done.stderr)
        return done.stdout

    def test_its_commands_and_programs_print_what_it_shows(self):
        ran = 0
        for at, (kind, text) in enumerate(self.blocks):
            if kind == "console":
                for line, wanted in re.findall(r"^\$ ([^\n]*)\n((?:(?!\$ )[^\n]*\n)*)", text, re.MULTILINE):
                    self.assertEqual(self.sh(line), wanted, line)
                    ran += 1
            if kind == "python":
                self.place.write("program.py", text)
                self.assertEqual(self.sh("python3 program.py"), self.blocks[at + 1][1], text)
                ran += 1
        self.assertEqual(ran, 8)


if __name__ == "__main__":
    unittest.main()
