"""`fensi code go`: keys, ranges and values are those of `fensi lookup --print_scan` and --json, and of `fensi code python`.

FENSI_ORACLE_MAPPINGS (200 accepted indexes), FENSI_ORACLE_INDEXES (60 drawn for each file), FENSI_ORACLE_LOOKUPS (8 for an index)."""
import os
import random
import re
import shutil
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "code"))

import code_java_test
import code_test
import edges
import generated
import world
from generated import Go
from world import BESIDE, EXAMPLES, World, filled_world, unescaped

from case import SEED, Case, number


class Asked(code_test.Compared):
    """As of Python, but a question is only written down: the answers come when all files are built."""

    def __init__(self, test, go, place, index):
        super().__init__(test, place, index)
        self.package, self.questions = go.add(place, index), []

    def ask(self, line, check):
        self.questions.append((f"{self.package} {line}", check))

    def compare(self, given, start=None, stop=None, entries=False):
        words = [self.word(value) for value in given]
        bounds = [f"--{flag}={self.word(bound)}" for flag, bound in (("from", start), ("to", stop)) if bound is not None]
        scans = self.place.scans(self.index, words, bounds)
        line = " ".join(map(code_java_test.word, [*given, start, stop]))
        asked = f"{self.index}: {given} {start!r} {stop!r}\n{scans}"
        self.ask("query " + line, lambda answer: self.check_query(answer, scans, asked))
        if entries and not isinstance(scans, str):
            self.ask_entries(line, scans, words, bounds, asked)

    def check_query(self, answer, scans, asked):
        if answer.startswith("BadPartException! "):
            self.test.assertIsInstance(scans, str, f"{asked}\n{answer}")
            self.figures["refused"] += 1
            return
        tables, ranges, exact = answer.split("|")
        tables, ranges = list(filter(None, tables[1:-1].split(", "))), generated.ranges_of(ranges)
        if isinstance(scans, str) and not tables:
            self.test.assertIn("has a table per period, and --from or --to is missing", asked)
            return
        self.test.assertNotIsInstance(scans, str, f"{asked}\n{answer}")
        if not scans[1] and self.has_an_impossible_salt():
            return  # the index has no entry, and the files read all of nothing
        self.figures["ranges"] += len(ranges)
        self.test.assertEqual(ranges, [(a, b or b"") for a, b in scans[1]], asked)
        self.test.assertEqual(tables if ranges else [], scans[0], asked)
        self.test.assertEqual(exact == "true" or not ranges, scans[2], asked)

    def has_an_impossible_salt(self):
        """As of `salt 16 | fixed 4`, which no salt passes: the files take it for a part that is not known."""
        first = self.module.INDEX.row[0]
        return not first.salts and any(step.name == "salt" for step in first.steps)

    def ask_entries(self, line, scans, words, bounds, asked):
        wanted = {(unescaped(one["row"]), unescaped(one["column"])):
                  ({name: value if not isinstance(value, str) else unescaped(value) for name, value in one["parts"].items()},
                   sorted(one["inexact"])) for one in self.place.answer(self.index, words, bounds)}
        rows = {row: cells for table in scans[0] for first, last in scans[1] for row, cells in self.store.scan(table, first, last or b"")}
        self.figures["entries"] += len(wanted)
        for row, cells in rows.items():
            of_row = {column: value for (key, column), value in wanted.items() if key == row}
            items = " ".join(code_java_test.word(item) for cell in cells for item in (row, cell.family, cell.qualifier, cell.value))
            self.ask(f"entries {line} / {items}",
                     lambda answer, row=row, of_row=of_row: self.check_entries(answer, of_row, f"{row} of {asked}"))
        self.test.assertEqual({row for row, _ in wanted} - set(rows), set(), asked)

    def check_entries(self, answer, wanted, asked):
        shown = {}
        for column, values in re.findall(r" ([0-9a-f]*:[0-9a-f]*)(\{[^}]*\})", answer):
            family, qualifier = map(bytes.fromhex, column.split(":"))
            shown[family + b":" + qualifier] = generated.values_of(values)
        self.test.assertEqual({key: self.plain(value) for key, value in shown.items()},
                              {key: self.plain(value) for key, value in wanted.items()}, f"{asked}\n{answer}")

    def compare_with_python(self, r, questions):
        """Also for stored forms, which `fensi lookup` does not take."""
        python = code_java_test.Asked(r, self.module, "")
        for line, wanted in [*python.questions(questions), *python.decoded(sorted(self.store._rows(self.module.INDEX.table).items())[:20])]:
            self.ask(line.strip(), lambda answer, line=line, wanted=wanted:
                     self.test.assertEqual(answer.split("!")[0], wanted, f"{self.index}: {line} {answer}"))


class GoTest(unittest.TestCase):
    def setUp(self):
        self.go = Go(self, World(self).folder)

    def check(self, all_asked):
        self.go.build()
        questions = [one for asked in all_asked for one in asked.questions]
        for (line, check), answer in zip(questions, self.go.answers([line for line, _ in questions])):
            with self.subTest(line=line):
                check(answer)
        figures = {"packages": len(all_asked), "questions": len(questions), "stored": sum(asked.is_stored for asked in all_asked)}
        for name in ("ranges", "refused", "entries"):
            figures[name] = sum(asked.figures[name] for asked in all_asked)
        print(figures, flush=True)
        return figures


class Examples(GoTest):
    compare_all = code_test.Examples.compare_all
    compare_bounds = code_test.Examples.compare_bounds

    def test_every_index_of_the_examples(self):
        r, now, all_asked = random.Random(SEED), int(time.time() * 1000), []
        for path in EXAMPLES:
            place = World(self)
            place.write("m.yaml", path.read_text())
            for schema in BESIDE:
                place.write(schema.name, schema.read_text())
            place.run("m.yaml", world.example_events(path, now))
            for name in [line["index"] for line in place.check("m.yaml") if "index" in line]:
                asked = Asked(self, self.go, place, name)
                if not asked.is_stored:
                    self.compare_all(asked)
                asked.compare_with_python(r, 30)
                all_asked.append(asked)
        figures = self.check(all_asked)
        self.assertGreater(figures["ranges"], 200)
        self.assertGreater(figures["entries"], 50)


class RandomMappings(GoTest):
    ask = code_test.RandomMappings.ask
    bounds = staticmethod(code_test.RandomMappings.bounds)

    def test_keys_ranges_and_values(self):
        all_asked, files = [], 0
        while len(all_asked) < number("MAPPINGS", 200):
            all_asked += self.drawn(files)
            files += 1
        figures = self.check(all_asked)
        self.assertGreater(figures["ranges"], number("MAPPINGS", 200))
        self.assertGreater(figures["entries"], files)

    def drawn(self, n):
        case = Case(self, SEED * 1000 + 900 + n, number("INDEXES", 60))
        r = random.Random(case.seed)
        place = filled_world(self, case, r)
        for index in case.indexes:
            asked = Asked(self, self.go, place, index.name)
            if not asked.is_stored:
                self.ask(r, asked)
            asked.compare_with_python(r, 20)
            yield asked


CLOCKS = """source: s
indexes:
  clocks:
    table: clocks
    row: '{f:t | int | from_ms | time "%Y-%m-%d %H:%M" Europe/Berlin}{row}'
    columns: { 'f:q': '' }
"""


class Vectors(GoTest):
    def setUp(self):
        super().setUp()
        self.place = World(self)

    def package(self, index, mapping=code_test.NUMBERS):
        self.place.write("m.yaml", mapping)
        return self.go.add(self.place, index)

    def give(self, *pairs):
        """Lines and the beginnings of their answers."""
        self.go.build()
        for (line, wanted), answer in zip(pairs, self.go.answers([line for line, _ in pairs])):
            self.assertEqual(answer[:len(wanted)] if "!" in wanted else answer, wanted, line)

    def test_negative_numbers_empty_parts_zero_bytes_and_ff(self):
        of = self.package("numbers")
        key = "7ffffffe" + "ffffffffffffffff" + "4007ffffffffffff" + "0000" + "00ff"
        shown = ", ".join(f"{name.encode().hex()}={text}" for name, text in
                          (("f:b", -1), ("f:d", -4613937818241073152), ("f:n", -2), ("f:t", ""), ("row", "00ff")))
        self.give((f"{of} encode i:-2 i:-1 d:-1.5 b: b:00ff", key), (f"{of} decode b:{key}", "{" + shown + "}"),
                  (f"{of} encode i:2147483647 i:0 d:0 b:6100ff s:r",
                   "ffffffff" + "00" * 8 + "8000000000000000" + "610001ff0000" + "72"),
                  (f"{of} encode i:0 i:-9223372036854775808 d:-0 s: s:", "80000000" + "8000000000000000" + "7fffffffffffffff" + "0000"),
                  (f"{of} decode b:{b'short'.hex()}",
                   'NotAKeyException! "short" is no row key of index numbers: check that it comes from table numbers'))

    def test_a_value_that_does_not_fit_is_refused_with_what_to_give(self):
        of, refused = self.package("numbers"), "BadPartException! "
        self.give((f"{of} query s:7 - -", refused + '<f:n> is read by i32: give a number or bytes, not "7"'),
                  (f"{of} query i:2147483648 - -", refused + "<f:n> is read by i32, and 2147483648 does not fit"),
                  (f"{of} query d:1.5 - -", refused + "<f:n> is read by i32, and 1.5 does not fit"),
                  (f"{of} query b:313233 - -", refused + '{f:n | i32 | ordered "4"}: "123" has 3 bytes, not 4'),
                  (f"{of} query - i:5 - -", refused + "a part is given behind one that is left out: give all in front of it"),
                  (f"{of} query i:5 i:4", refused + "start 5 lies behind stop 4: exchange them"),
                  (f"{of} query s:a -", refused + '"a" is no bound of {f:n | i32 | ordered "4"}: give a whole number'),
                  (f"{of} query i:1 i:2 d:3 i:5 -", refused + "5 is no bound of {f:t | terminated}: its values sort as text"),
                  (f"{of} query t:5 - -", refused + "<f:n> is no time that this file can write"),
                  (f"{of} encode i:5", refused + "<f:b> is not given: give all parts, or read with Prefix"))

    def test_all_salts_have_a_lane(self):
        of = self.package("salted")
        lanes = [f"{salt:02x}[{salt:02x}740000..{salt:02x}740001]" for salt in range(4)]
        salts = self.place.python("salted").encode_key("t", b"r").hex()
        self.give((f"{of} lanes s:t - -", " ".join(lanes)), (f"{of} encode s:t s:r", salts))

    def test_a_stored_form_is_given_as_it_is(self):
        of = self.package("named")
        shown = "{" + "f:t | collate de".encode().hex() + "=2a00, " + b"row".hex() + "=72}"
        self.give((f"{of} encode b:2a00 s:r", "2a0001000072"), (f"{of} decode b:2a0001000072", shown))

    def test_tables_of_periods_are_named(self):
        of = self.package("visits", code_test.PERIODS)
        tables = "[visits_20161219, visits_20161220]"
        self.give((f"{of} query t:1482125382000 t:1482212000000", f"{tables}|[..]|false"),
                  (f"{of} query s:p - -", "BadPartException! the index has a table per period: give start and stop"))

    def test_named_zones_are_those_of_the_machine(self):
        of, python = self.package("clocks", CLOCKS), self.place.python("clocks")
        times = [1490489940000, 1490490000000, 1509238800000 - 1, 1509238800000, 1482125382074]
        self.give(*((f"{of} encode i:{at} s:r", python.encode_key(at, "r").hex()) for at in times))

    def test_salts_bounds_and_parts_at_their_edges(self):
        packages = {index: self.package(index, edges.MAPPING) for index in edges.INDEXES}
        self.go.build()
        lines = [" ".join([packages[index], *rest]) for index, *rest in (line.split() for line, _ in edges.QUESTIONS)]
        for (line, wanted), answer in zip(edges.QUESTIONS, self.go.answers(lines)):
            self.assertRegex(answer, f"^{wanted}$", line)

    def test_a_package_has_no_colons(self):
        self.place.write("m.yaml", code_test.NUMBERS)
        for name in ("a::b", "a.b", "func"):
            _, _, err = self.place.call("code", "go", "m.yaml", "numbers", f"--package={name}")
            self.assertIn(f"--package={name} is no name of a Go package", err)

    def test_columns_have_names_of_go(self):
        columns = ("f:seller_id", "f:type", "f:sellerId", "f:SellerID", "f:1", "f:any")
        row = "".join(f"{{{column} | terminated}}" for column in columns) + "{row}"
        self.package("n", f"source: s\nindexes:\n  n: {{ table: n, row: '{row}', columns: {{ f:x: '' }} }}\n")
        with open(os.path.join(self.go.folder, "c0", "index.go"), encoding="ascii") as file:
            fields = re.findall(r"^\t// (\w+) is .*\n\t\1 any$", file.read().split("\n}\n\nfunc (p Parts)")[0], re.MULTILINE)
        self.assertEqual(fields, ["SellerID", "Type", "SellerId", "SellerIDPart2", "Part1", "Any", "Row"])
        self.give(("c0 encode s:a s:b s:c s:d s:e s:f s:r", "610000620000630000640000650000660000" + "72"))


class Functions(GoTest):
    """Each function that the file repeats, by its example in docs/mapping.md."""

    def test_give_what_the_page_of_mappings_says(self):
        with open(os.path.join(os.environ["FENSI_ROOT"], "docs", "mapping.md"), encoding="utf-8") as page:
            examples = [(name, given, steps.replace("\\|", "|"), wanted) for name, given, steps, wanted in code_test.EXAMPLE.findall(page.read())
                        if wanted not in ("absent", "unmappable") and not any(word in steps for word in ("'", "proto", "avro", "_list", "_array"))]
        place, questions = World(self), []
        place.write("m.yaml", "source: s\nindexes:\n" + "".join(
            f"  i{at}: {{ table: t{at}, row: '{{f:x | {steps} | terminated}}{{row}}', columns: {{ 'f:q': '' }} }}\n"
            for at, (_, _, steps, _) in enumerate(examples)))
        for at, (name, given, steps, wanted) in enumerate(examples):
            python = place.python(f"i{at}")
            if python.INDEX.row[0].reference.kind == "column":
                made = python._terminated(None, unescaped(wanted))
                questions.append((name, f"{self.go.add(place, f'i{at}')} made 0 b:{unescaped(given).hex()}", made.hex(), steps))
        self.go.build()
        for (_, line, wanted, steps), answer in zip(questions, self.go.answers([line for _, line, _, _ in questions])):
            self.assertEqual(answer, wanted, steps)
        self.assertGreater(len({name for name, *_ in questions}), 50)


class Page(GoTest):
    """docs/reading.md: its program of Go prints what the page shows. A package of this tree stands in for gohbase."""
    fill = code_test.Page.fill

    def test_the_program_of_the_page_prints_what_the_page_shows(self):
        code_test.Page.setUp(self)
        at, program = next((at, text) for at, (kind, text) in enumerate(self.blocks) if kind == "go")
        code_test.Page.sh(self, "set -e\n" + self.blocks[at - 1][1])
        self.go.folder = self.place.folder
        self.go.write("go.mod", "module example.com/orders\n\ngo 1.19\n\nrequire github.com/tsuna/gohbase v0.0.0\n\n"
                                "replace github.com/tsuna/gohbase => ./gohbase\n")
        shutil.copytree(os.path.join(generated.HERE, "gohbase"), os.path.join(self.place.folder, "gohbase"))
        self.go.write("gohbase/go.mod", "module github.com/tsuna/gohbase\n\ngo 1.19\n")
        self.go.write("main.go", program)
        self.go.write("rows", "".join(
            " ".join(part.hex() for part in (b"orders_of_customer", row, *column.split(b":", 1), value)) + "\n"
            for (_, row, column), (value, _) in sorted(self.place.cells("orders_of_customer").items())))
        self.assertEqual(self.go.run("gofmt", "-l", "main.go", "ordersofcustomer"), "")
        self.go.run("go", "vet", "./...")
        self.assertEqual(self.go.run("go", "run", "."), self.blocks[at + 1][1])


if __name__ == "__main__":
    unittest.main()
