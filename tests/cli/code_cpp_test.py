"""`fensi code cpp` beside `fensi lookup` and beside the printed Python: the same keys, ranges and decoded rows.

All headers are compiled into one program of two files (code/driver.cc.in), which answers lines. FENSI_ORACLE_INDEXES (25 random
indexes, of which some are refused; 240 with FENSI_LONG), FENSI_ORACLE_LOOKUPS (3 for each; 8 with FENSI_LONG)."""
import collections
import itertools
import os
import pathlib
import random
import re
import subprocess
import time
import unittest

import code_java_test
import code_test
import edges
import world
from code_test import Compared, NUMBERS, PERIODS
from world import BESIDE, EXAMPLES, World, filled_world, unescaped

from case import SEED, Case, number

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "code")
MOST_TABLES = 30  # that are read for one question: each is a process
LONG = os.environ.get("FENSI_LONG") is not None
os.environ.setdefault("FENSI_ORACLE_LOOKUPS", "8" if LONG else "3")
STRICT = ["-std=c++17", "-O0", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
CHECKS = ["-fsanitize=undefined", "-fno-sanitize-recover"]
REGISTERED = """#pragma once
#include <functional>
#include <map>
{includes}
namespace r = {library};
struct Asked {{
  std::function<std::string(const std::vector<r::Value>&)> encode;
  std::function<r::Query(const std::vector<r::Value>&)> prefix;
  std::function<r::Query(const std::vector<r::Value>&, const r::Value&, const r::Value&)> between;
  std::function<r::SourceValues(std::string_view)> decode;
}};
const Asked& AskedOf(const std::string& index);
"""


ZONES = """source: s
indexes:
  zones:
    table: zones
    row: "{f:a | parse_time %Y-%m-%dT%H:%M:%S Europe/Berlin | millis | to_be 8}{f:b | parse_time %Y-%m-%dT%H:%M:%S America/New_York | millis | to_be 8}{row}"
    columns:
      'f:q': ''
"""

TEXTS = """source: s
indexes:
  hashes:
    table: hashes
    row: '{f:a | md5}{f:b | sha1}{f:c | sha256}{f:d | crc32}{f:e | murmur3}{f:f | xxh64}{f:g | salt 7}{f:h | salt 1000}{row}'
    columns:
      'f:q': ''
  times:
    table: times
    row: '{f:a | iso_time | millis | ordered}{f:b | iso_time Asia/Shanghai | millis | ordered}{row}'
    columns:
      'f:q': ''
"""
ISO_TIMES = [text.encode() for date in ("2016-12-19", "0000-01-01", "2016-02-30", "9999-12-31", "16-12-19") for text in (
    date, date + "T13:29", date + " 13:29:42", date + "t13:29:42.0745", date + "T13:29:42,5Z", date + "T13:29:42.Z", date + "T13:29z",
    date + "T13:29:42+08", date + "T13:29:42-0330", date + "T13:29+08:00", date + "T13:29+08:00:30", date + "T13:29+0800:30",
    date + "T13:29+18:01", date + "T13:29+08:", date + "T24:00Z", date + "T13:29:60Z", date + "T13:29Z[Asia/Shanghai]",
    date + "T13:29[Asia/Shanghai]", date + "T13:29+08:00[]", date + "T13:29Z[", date + "T", date + "Z", date + "T13", date + "T13:29Zx")]


def hexed(text):
    return text.encode().hex()


def zoned(a, b):
    return f"zones encode s:{hexed(a)} s:{hexed(b)} s:72"


def at_zones(a, b):
    return "".join((1000 * seconds).to_bytes(8, "big").hex() for seconds in (a, b)) + "72"


TWINS = """source: s
indexes:
  a-b:
    table: t1
    row: '{f:a | terminated}{row}'
    columns: { 'f:q': '' }
  a_b:
    table: t2
    row: '{f:a | fixed 1}{row}'
    columns: { 'f:q': '' }
"""
ONE = """
#include "one.hpp"
std::string One();
std::string One() {
  const std::string key = a_b_index::EncodeKey("a", "r");
  return std::string(a_b_index::kTable) + " " + std::to_string(key.size()) + " " + key.back();
}
"""
TWO = """
#include <clocale>
#include <iostream>
#include "two.hpp"
std::string One();

template <typename Refused, typename Step>
void Refuses(const std::string& what, Step step) {
  try {
    step();
  } catch (const Refused&) {
    std::cout << what << " is refused\\n";
  }
}

int main() {
  const std::string key = a_b_index::EncodeKey("a", "r");
  std::cout << One() << ", " << a_b_index::kTable << " " << key.size() << " " << key.back() << "\\n";
  const char* null = nullptr;
  Refuses<a_b_index::BadPart>("a null pointer", [&] { a_b_index::Prefix(null); });
  using Far = std::chrono::time_point<std::chrono::system_clock, std::chrono::seconds>;
  Refuses<a_b_index::BadPart>("a far time", [] { a_b_index::Between(Far::max(), std::nullopt); });
  Refuses<a_b_index::NotAKey>("a foreign row", [] { a_b_index::Decode("t2", "", {"f", "q", 1, ""}); });
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "de_DE"}) std::setlocale(LC_NUMERIC, name);
  std::cout << a_b_index::Value(1.5).ForPeople() << "\\n";
}
"""


USES = """
static_assert(std::is_base_of_v<std::runtime_error, salted_index::BadPart> && std::is_base_of_v<std::runtime_error, salted_index::NotAKey>);
static_assert(salted_index::kDigest.size() == 32 && salted_index::kTable == "salted" && salted_index::kSource == "s");
static_assert(!std::is_convertible_v<bool, salted_index::Value> && !std::is_convertible_v<std::nullptr_t, salted_index::Value>);

int main() {
  const std::string text = "a";
  auto query = salted_index::Prefix(text);
  query = salted_index::Between("a", std::string_view("b"), std::nullopt);
  query = numbers_index::Between(1U, std::nullopt, std::chrono::system_clock::now());
  query = numbers_index::Prefix(std::int64_t{1}, std::size_t{2}, 1.5F, text, numbers_index::Bytes("\\x00", 1));
  return query.lanes().empty() || numbers_index::DecodeKey("key").empty() ? 0 : 1;
}
"""


# What is asked, and a regular expression of the answer.
VECTORS = [
    ("numbers encode i:-2 i:-1 d:-1.5 s: b:00ff", "7ffffffe" + "ff" * 8 + "4007ffffffffffff" + "0000" + "00ff"),
    ("numbers encode i:2147483647 i:0 d:0 b:6100ff s:72", "ffffffff" + "00" * 8 + "80" + "00" * 7 + "610001ff0000" + "72"),
    ("numbers encode b:fffffffe b:ffffffffffffffff d:-1.5 s: b:00ff", "7ffffffe" + "ff" * 8 + "4007ffffffffffff" + "0000" + "00ff"),
    ("numbers decode b:7ffffffeffffffffffffffff4007ffffffffffff000000ff",
     f"{{{hexed('f:b')}=i:-1,{hexed('f:d')}=d:-1.5,{hexed('f:n')}=i:-2,{hexed('f:t')}=b:,{hexed('row')}=b:00ff}}"),
    ("numbers decode b:00", "NotAKey '.x00' is no row key of index numbers: check that it comes from table numbers"),
    ("numbers query s:37 - -", "BadPart <f:n> is read by i32: give a number or Bytes, not '7'"),
    ("numbers query i:2147483648 - -", "BadPart <f:n> is read by i32, and 2147483648 does not fit"),
    ("numbers query d:1.5 - -", "BadPart <f:n> is read by i32, and 1.5 does not fit"),
    ("numbers query b:313233 - -", "BadPart .*'123' has 3 bytes, not 4"),
    ("numbers query - i:5 - -", "BadPart a part is given behind one that is left out: give all in front of it, too"),
    ("numbers query i:5 i:4", "BadPart start 5 lies behind stop 4: exchange them"),
    ("numbers query i:1 i:2 d:3 i:5 -", r"BadPart 5 is no bound of {f:t \| terminated}: its values sort as text, so give a string"),
    ("numbers query - i:0", r"\[numbers\]\|\[\.\.80\]\|true"),
    ("numbers query i:-1 i:1", r"\[numbers\]\|\[7fffffff\.\.80000001\]\|true"),
    ("numbers query i:7 i:-1 i:1", r"\[numbers\]\|\[80000007" + "00" * 8 + r"\.\.80000007" + "00" * 7 + "01, 80000007" + "ff" * 8 + r"\.\.80000008\]\|true"),
    ("numbers query i:7 i:1 d:-inf s:ff - -", r"\[numbers\]\|\[80000007" + "00" * 7 + "01" + "000fffffffffffffff0000" + r".*\]\|true"),
    ("salted query s:74 - -", r"\[salted\]\|\[00740000\.\.00740001, 01740000\.\.01740001, 02740000\.\.02740001, 03740000\.\.03740001\]\|true"),
    ("spread query s: - -", r"\[spread\]\|\[000000\.\.000000.*"),
    ("named encode b:2a00 s:72", "2a0001000072"),
    ("visits query s:70 t:1482125382000 t:1482212000000", r"\[visits_20161219, visits_20161220\]\|\[700000\.\.700001\]\|false"),
    ("visits query s:70 - -", "BadPart the index has a table per period: give start and stop, as time_points or numbers"),
    # The last hour before clocks are set forward, the first one after, one that no clock showed, and a year that the rule gives.
    (zoned("2016-03-27T01:59:59", "2016-03-13T01:59:59"), at_zones(1459040399, 1457852399)),
    (zoned("2016-03-27T03:00:00", "2016-03-13T03:00:00"), at_zones(1459040400, 1457852400)),
    (zoned("2016-03-27T02:30:00", "2016-03-13T01:00:00"), "BadPart .*, or one that no clock showed"),
    (zoned("2086-07-01T12:00:00", "2086-12-01T12:00:00"), at_zones(3676356000, 3689600400)),
]


def parts(count):
    return ", ".join(f"v[{at}]" for at in range(count))


def asked(name, count):
    """An index of `count` parts in the map of AskedOf."""
    switch = "".join(f"case {n}: return {name}::{{0}}({parts(n)}{{1}});" for n in range(count + 1))
    refuse = "default: throw r::BadPart(\"too many parts\");"
    return (f"  {{\"{name}\", {{[](const std::vector<r::Value>& v) {{ return {name}::EncodeKey({parts(count)}); }},\n"
            f"    [](const std::vector<r::Value>& v) {{ switch (v.size()) {{ {switch.format('Prefix', '')} {refuse} }} }},\n"
            "    [](const std::vector<r::Value>& v, const r::Value& from, const r::Value& to) { switch (v.size()) { "
            + "".join(f"case {n}: return {name}::Between({parts(n)}{', ' if n else ''}from, to);" for n in range(count + 1))
            + f" {refuse} }} }},\n    {name}::DecodeKey}}}},\n")


class Cpp:
    """The headers of many indexes in one program."""

    def __init__(self, test):
        self.test, self.folder, self.counts = test, World(test), {}

    def add(self, place, index, mapping="m.yaml"):
        name = f"i{len(self.counts)}"
        code, out, err = place.call("code", "cpp", mapping, index, f"--package={name}")
        self.test.assertEqual(code, 0, err)
        self.folder.write(f"{name}.hpp", out)
        self.library = re.search(r"^#ifndef (\w+)_included$", out, re.MULTILINE).group(1)
        parameters = re.search(r"^inline std::string EncodeKey\((.*?)\) \{", out, re.MULTILINE | re.DOTALL).group(1)
        self.counts[name] = parameters.count("const Value&")
        return name

    def compile(self):
        """The driver with checks for undefined behaviour. It comes first, so the linker takes what both files have from it."""
        includes = "\n".join(f'#include "{name}.hpp"' for name in self.counts)
        self.folder.write("asked.hpp", REGISTERED.format(includes=f'#include "{next(iter(self.counts))}.hpp"', library=self.library))
        self.folder.write("asked.cc", f'#include "asked.hpp"\n{includes}\nconst Asked& AskedOf(const std::string& index) {{\n'
                          "  static const std::map<std::string, Asked> kAsked = {\n"
                          + "".join(itertools.starmap(asked, self.counts.items())) + "  };\n  return kAsked.at(index);\n}\n")
        self.run("g++", *STRICT, "-c", "asked.cc")
        self.run("g++", *STRICT, *CHECKS, "-I", ".", "-c", "-o", "driver.o", "-x", "c++", f"{HERE}/driver.cc.in")
        self.run("g++", *CHECKS, "-o", "driver", "driver.o", "asked.o")

    def run(self, *words):
        done = subprocess.run(words, cwd=self.folder.folder, capture_output=True, text=True, timeout=1000, check=False)
        self.test.assertEqual(done.returncode, 0, done.stderr[:5000])
        return done.stdout

    def answers(self, lines):
        done = subprocess.run([os.path.join(self.folder.folder, "driver")], input="".join(line + "\n" for line in lines),
                              capture_output=True, text=True, timeout=300, check=False)
        self.test.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()


def word(value):
    return code_java_test.word(value)


def read(text):
    """What the driver shows of an entry: {name: value}, and the names whose values are inexact."""
    values, inexact = {}, []
    for name, about, value in re.findall(r"([0-9a-f]*)(~?)=([idb]:[^,}]*)", text):
        name = bytes.fromhex(name).decode()
        inexact += [name] * bool(about)
        values[name] = {"i": int, "d": float, "b": bytes.fromhex}[value[0]](value[2:])
    return values, sorted(inexact)


class Questions(Compared):
    """Questions to one index, with the answers of `fensi lookup`. They are asked when all headers are compiled."""

    def __init__(self, test, place, index, cpp, asked):
        super().__init__(test, place, index)
        self.name, self.asked = cpp.add(place, index), asked
        period = self.module.INDEX.period
        self.now, self.day = (millis // (period.units or 1 if period else 1) for millis in (int(time.time() * 1000), 86400_000))

    def ask(self, words, check):
        self.asked.append((" ".join([self.name, *words]), check))

    def compare(self, given, start=None, stop=None, entries=False):
        words = [self.word(value) for value in given]
        bounds = [f"--{flag}={self.word(bound)}" for flag, bound in (("from", start), ("to", stop)) if bound is not None]
        scans = self.place.scans(self.index, words, bounds)
        typed = [word(value) for value in (*given, start, stop)]

        def check(answer):
            about = f"{self.place.folder} {self.index}: {given} {start!r} {stop!r}\n{scans}\n{answer}"
            if answer.startswith("BadPart "):
                self.figures["refused"] += 1
                return self.test.assertIsInstance(scans, str, about)
            tables, ranges, exact = answer.split("|")
            if isinstance(scans, str) and tables == "[]":
                return self.test.assertIn("has a table per period, and --from or --to is missing", about)
            self.test.assertNotIsInstance(scans, str, about)
            self.figures["ranges"] += len(scans[1])
            wanted = ", ".join(f"{a.hex()}..{(b or b'').hex()}" for a, b in scans[1])
            self.test.assertEqual(ranges, f"[{wanted}]", about)
            self.test.assertEqual(tables if wanted else "[]", f"[{', '.join(scans[0])}]", about)
            self.test.assertEqual(exact == "true" or not wanted, scans[2], about)
        self.ask(["query", *typed], check)
        if entries and not isinstance(scans, str) and len(scans[0]) <= MOST_TABLES:
            self.compare_rows(scans, typed, self.place.answer(self.index, words, bounds))

    def compare_rows(self, scans, typed, lines):
        """The entries of each row in the ranges."""
        wanted = collections.defaultdict(dict)
        for line in lines:
            values = {name: value if not isinstance(value, str) else unescaped(value) for name, value in line["parts"].items()}
            wanted[unescaped(line["row"])][unescaped(line["column"])] = self.plain((values, sorted(line["inexact"])))
        self.figures["entries"] += len(lines)
        rows = {row: cells for table in scans[0] for start, stop in scans[1] for row, cells in self.store.scan(table, start, stop)}
        self.test.assertLessEqual(set(wanted), set(rows))
        for row, cells in rows.items():
            def check(answer, row=row, cells=cells):
                shown = {cells[int(at)].family + b":" + cells[int(at)].qualifier: self.plain(read(entry))
                         for at, entry in re.findall(r"(\d+)(\{[^}]*\})", answer)}
                self.test.assertEqual(shown, wanted.get(row, {}), f"{self.place.folder} {self.index}: {row} {typed}")
            self.ask(["cells", *typed, "/", *(word(item) for cell in cells for item in (row, cell.family, cell.qualifier, cell.value))], check)

    def keys_of(self, lines):
        """A row key is encoded again of what it was made of."""
        for line in lines:
            row = unescaped(line["row"])
            if all(part.name in line["parts"] and part.name not in line["inexact"] for part in self.key):
                values = [self.value(line, part) for part in self.key]
                self.ask(["encode", *map(word, values)], lambda answer, row=row: self.test.assertEqual(answer, row.hex(), row))

    def beside_python(self, r, count):
        """Questions that need no row, as to Java; stored forms and refusals too."""
        def check(answer, wanted, line):
            self.test.assertEqual(re.sub("^BadPart .*", "BadPartException", answer), wanted, line)
        for line, wanted in code_java_test.Asked(r, self.module, self.name).questions(count):
            self.asked.append((line, lambda answer, wanted=wanted, line=line: check(answer, wanted, line)))
        if self.module.INDEX.period is not None:
            return
        for row in list(self.store._rows(self.module.INDEX.table))[:20]:
            wanted = self.module.decode_key(row)
            self.ask(["decode", word(row)], lambda answer, wanted=wanted: self.test.assertEqual(read(answer)[0], wanted))


class CppTest(unittest.TestCase):
    lookups = code_test.RandomMappings.ask
    bounds = staticmethod(code_test.RandomMappings.bounds)

    def ask(self, cpp, asked):
        cpp.compile()
        answers = cpp.answers([line for line, _ in asked])
        self.assertEqual(len(answers), len(asked))
        for (_, check), answer in zip(asked, answers):
            check(answer)

    def compare(self, r, one):
        """Few lookups of each depth of a key, because each is a process. tests/cli/code_test.py makes more."""
        lines, period = one.everything()[:5], one.module.INDEX.period
        one.keys_of(lines)
        line = lines[0] if lines else {"parts": {}}
        given = [one.value(line, part) for part in itertools.takewhile(lambda part: part.name in line["parts"], one.key)]
        for depth in range(len(given) + 1):
            if period is None:
                one.compare(given[:depth], entries=depth == 1)
            if depth < len(one.key) or period is not None:
                start, stop = self.bounds(r, one.bound_kind(depth)) if period is None else (one.now - one.day, one.now)
                one.compare(given[:depth], start, stop, entries=depth == 1)

    def test_it_answers_as_lookup_and_python_do(self):
        """One program of all headers, because compilers are slow."""
        r, cpp, asked = random.Random(SEED), Cpp(self), []
        all_of = [*self.examples(r, cpp, asked), *self.drawn(r, cpp, asked)]
        self.functions(cpp, asked)
        self.vectors(cpp, asked)
        self.edges(cpp, asked)
        self.texts(cpp, asked)
        self.ask(cpp, asked)
        figures = {name: sum(one.figures[name] for one in all_of) for name in ("ranges", "refused", "entries")}
        print({"indexes": len(all_of), "asked": len(asked), **figures}, flush=True)
        self.assertGreater(figures["ranges"], 100)
        self.assertGreater(figures["entries"], 30)

    def examples(self, r, cpp, asked):
        for path in EXAMPLES:
            place = World(self)
            place.write("m.yaml", path.read_text())
            for schema in BESIDE:
                place.write(schema.name, schema.read_text())
            place.run("m.yaml", world.example_events(path, int(time.time() * 1000)))
            for name in [line["index"] for line in place.check("m.yaml") if "index" in line]:
                one = Questions(self, place, name, cpp, asked)
                if not one.is_stored:
                    self.compare(r, one)
                one.beside_python(r, 10)
                yield one

    def functions(self, cpp, asked):
        """Each function that the file repeats, by its example in docs/mapping.md: keys of many of them."""
        page = pathlib.Path(os.environ["FENSI_ROOT"], "docs", "mapping.md").read_text(encoding="utf-8")
        examples = [(name, given, steps.replace("\\|", "|"), wanted) for name, given, steps, wanted in code_test.EXAMPLE.findall(page)
                    if wanted not in ("absent", "unmappable") and not any(word in steps for word in ("'", "proto", "avro", "_list", "_array"))]
        place = World(self)

        def row(chosen):
            parts = "".join(f"{{f:x{at} | {steps} | terminated}}" for at, (_, _, steps, _) in chosen)
            place.write("m.yaml", f"source: s\nindexes:\n  all: {{ table: t, row: '{parts}{{row}}', columns: {{ 'f:q': '' }} }}\n")
            return place.python("all")
        tried = set()
        for chosen in (list(enumerate(examples))[from_:from_ + 35] for from_ in range(0, len(examples), 35)):
            repeated = {part.reference.name for part in row(chosen).INDEX.row if part.reference.kind == "column"}
            chosen = [(at, example) for at, example in chosen if f"f:x{at}" in repeated]
            if not chosen:
                continue
            self.assertEqual([part.name for part in row(chosen).INDEX.key], [*(f"f:x{at}" for at, _ in chosen), "row"])
            key = b"".join(unescaped(wanted).replace(b"\0", b"\0\1") + b"\0\0" for _, (_, _, _, wanted) in chosen) + b"r"
            words = " ".join(word(unescaped(given)) for _, (_, given, _, _) in chosen)
            asked.append((f"{cpp.add(place, 'all')} encode {words} s:72", lambda answer, key=key: self.assertEqual(answer, key.hex())))
            tried |= {name for _, (name, _, _, _) in chosen}
        self.assertGreater(len(tried), 50)

    def vectors(self, cpp, asked):
        place = World(self)
        place.write("m.yaml", NUMBERS)
        names = {index: cpp.add(place, index) for index in ("numbers", "salted", "spread", "named")}
        place.write("m.yaml", PERIODS)
        names["visits"] = cpp.add(place, "visits")
        place.write("m.yaml", ZONES)
        names["zones"] = cpp.add(place, "zones")
        for line, wanted in VECTORS:
            index, rest = line.split(" ", 1)
            asked.append((f"{names[index]} {rest}", lambda answer, wanted=wanted, line=line: self.assertRegex(answer, f"^{wanted}$", line)))

    def edges(self, cpp, asked):
        place = World(self)
        place.write("m.yaml", edges.MAPPING)
        names = {index: cpp.add(place, index) for index in edges.INDEXES}
        for line, wanted in edges.QUESTIONS:
            index, rest = line.split(" ", 1)
            asked.append((f"{names[index]} {rest}", lambda answer, wanted=wanted, line=line: self.assertRegex(answer, f"^{wanted}$", line)))

    def texts(self, cpp, asked):
        """Of many lengths through each hash, and times in many ways of writing, as Python has them."""
        place = World(self)
        place.write("m.yaml", TEXTS)
        for index, values in (("hashes", [bytes(range(size)) for size in (0, 1, 3, 4, 31, 32, 33, 55, 56, 63, 64, 65, 119, 120, 200)]),
                              ("times", ISO_TIMES)):
            code, name = place.python(index), cpp.add(place, index)
            for value in values:
                given = [value] * (len(code.INDEX.key) - 1)
                try:
                    wanted = code.encode_key(*given, b"r").hex()
                except code.BadPart:
                    wanted = "BadPart"
                asked.append((f"{name} encode {' '.join(map(word, given))} b:72",
                              lambda answer, wanted=wanted, value=value: self.assertEqual(answer.split(" ")[0], wanted, value)))

    def drawn(self, r, cpp, asked):
        case = Case(self, SEED * 1000 + 900, number("INDEXES", 240 if LONG else 25))
        place = filled_world(self, case, r)
        for index in case.indexes:
            one = Questions(self, place, index.name, cpp, asked)
            if not one.is_stored:
                self.lookups(r, one)
            one.beside_python(r, 20)
            yield one

    def test_the_program_of_the_page_is_compiled_with_the_client_in_hbase(self):
        place, root = World(self), os.environ["FENSI_ROOT"]
        page = pathlib.Path(root, "docs", "reading.md").read_text(encoding="utf-8")
        blocks = re.findall(r"^```(\w+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
        place.write("customers.yaml", next(text for kind, text in blocks if kind == "yaml"))
        place.write("customers.hpp", place.call("code", "cpp", "customers.yaml")[1])
        place.write("orders.cc", next(text for kind, text in blocks if kind == "cpp"))
        build = pathlib.Path(os.environ["FENSI_BIN"]).parent.parent
        self.compiled(place, ["g++", "-std=c++20", "-fsyntax-only", "-I", root, "-I", str(build), "orders.cc"])

    def test_two_definitions_in_one_namespace_stay_apart(self):
        place = World(self)
        place.write("m.yaml", TWINS)
        for name, index in (("one", "a-b"), ("two", "a_b")):
            place.write(f"{name}.hpp", place.call("code", "cpp", "m.yaml", index)[1])
        place.write("one.cc", ONE)
        place.write("two.cc", TWO)
        self.compiled(place, ["g++", *STRICT, *CHECKS, "-o", "both", "one.cc", "two.cc"])
        done = subprocess.run([os.path.join(place.folder, "both")], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "t1 4 r, t2 2 r\na null pointer is refused\na far time is refused\na foreign row is refused\n1.5\n")
        place.write("both.cc", '#include "one.hpp"\n#include "two.hpp"\nint main() { a_b_index::Prefix("a"); }\n')
        done = subprocess.run(["g++", "-std=c++17", "-fsyntax-only", "both.cc"], cwd=place.folder, capture_output=True, text=True,
                              timeout=300, check=False)
        self.assertIn("is ambiguous", done.stderr)

    def test_clang_has_no_warnings(self):
        """With columns whose names are words of C++, or names of the header."""
        place = World(self)
        place.write("m.yaml", NUMBERS.replace("{f:t |", "{f:class |").replace("{f:n |", "{f:Query |").replace("{f:b |", "{f:r |"))
        for index in ("numbers", "salted"):
            place.write(f"{index}.hpp", place.call("code", "cpp", "m.yaml", index)[1])
        place.write("one.cc", '#include "numbers.hpp"\n#include "salted.hpp"\n' + USES)
        self.compiled(place, ["clang++", *STRICT, "-Wshadow", "-fsyntax-only", "one.cc"])

    def compiled(self, place, words):
        done = subprocess.run(words, cwd=place.folder, capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr[:5000])


if __name__ == "__main__":
    unittest.main()
