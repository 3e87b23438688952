"""`fensi code java` beside `fensi code python`: the same keys, ranges and decoded rows, on HBase's own client.

The jars are those of the development stack (FENSI_TEST_STACK, deploy/devstack up)."""
import glob
import math
import os
import random
import re
import struct
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "code"))

import world
from world import BESIDE, EXAMPLES, World, filled_world

import random_rows
from case import SEED, Case, number

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "code")
CACHE = os.environ.get("FENSI_CACHE", os.path.expanduser("~/.cache/fensi"))
VECTORS = """source: s
indexes:
  vectors:
    table: vectors
    row: '{f:n | i32 | ordered 4}{f:b | i64 | to_be 8}{f:d | f64 | ordered}{f:t | terminated}{row}'
    columns: { 'f:q': '{f:v}' }
"""


def class_path():
    jars = glob.glob(os.path.join(CACHE, "stack", "hbase-*", "*.jar"))
    assert jars, f"no jar of HBase's client below {CACHE}: run deploy/devstack up"
    return ":".join(sorted(jars))


# These programs end after seconds: the slower of Java's two compilers costs them more processor time than it saves.
BRIEF = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
JAVA = ("java", *BRIEF)
JAVAC = ("javac", *("-J" + option for option in BRIEF))


class Java:
    """The classes of many indexes, compiled together, and a process that answers lines."""

    def __init__(self, test, folder):
        self.folder, self.test, self.lines, self.wanted = folder, test, [], []

    def add(self, place, index, package=""):
        code, out, err = place.call("code", "java", "m.yaml", index, *([f"--package={package}"] if package else []))
        self.test.assertEqual(code, 0, err)
        name = re.search(r"^public final class (\w+)", out, re.MULTILINE).group(1)
        package = f"c{len(os.listdir(self.folder))}"
        os.makedirs(os.path.join(self.folder, package))
        with open(os.path.join(self.folder, package, f"{name}.java"), "w", encoding="ascii") as source:
            source.write(f"package {package};\n" + out)
        return f"{package}.{name}"

    def compile(self):
        sources = glob.glob(os.path.join(self.folder, "*", "*.java")) + [os.path.join(HERE, "Driver.java")]
        done = subprocess.run([*JAVAC, "-proc:none", "-Werror", "-source", "8", "-target", "8", "-Xlint:-options", "-cp", class_path(),
                               "-d", self.folder, *sources], capture_output=True, text=True, timeout=300, check=False)
        self.test.assertEqual(done.returncode, 0, done.stderr[-3000:])

    def answers(self, lines):
        done = subprocess.run([*JAVA, "-cp", self.folder + ":" + class_path(), "Driver"], input="\n".join(lines) + "\n",
                              capture_output=True, text=True, timeout=300, check=False)
        self.test.assertEqual(done.returncode, 0, done.stderr[-3000:])
        return done.stdout.splitlines()


def word(value):
    if value is None:
        return "-"
    if isinstance(value, bytes):
        return "b:" + value.hex()
    return f"i:{value}" if isinstance(value, int) else "d:" + repr(value).replace("inf", "Infinity")


def shown(values):
    def one(value):
        if isinstance(value, float):
            return str(struct.unpack(">q", struct.pack(">d", value))[0])
        return value.hex() if isinstance(value, bytes) else str(value)
    return "{" + ", ".join(f"{name}={text}" for name, text in
                           sorted((name.encode().hex(), one(value)) for name, value in values.items())) + "}"


class Asked:
    """One index, and what its Python says of random questions."""

    def __init__(self, r, code, java):
        self.r, self.code, self.java, self.index = r, code, java, code.INDEX

    def kind(self, part, steps):
        at = part.first_number(steps)
        return bytes if at is None else float if part.type_at(at) == self.code.REAL else int

    def number(self):
        return min(max(self.r.choice(random_rows.NUMBER_EDGES) + self.r.randrange(-2, 3), -2**63), 2**63 - 1)

    def bound(self, depth):
        if self.index.period is not None:
            return 1482125382074 + self.r.randrange(-10, 10) * 86400_000
        if depth == len(self.index.key) or self.r.random() < 0.3:
            return None
        key_part = self.index.key[depth]
        part = self.index.row[key_part.bounded_part]
        return {int: self.number, float: lambda: self.r.choice((-math.inf, -1.5, -0.0, 2.5, 1e300)),
                bytes: lambda: self.r.choice(random_rows.TEXTS)}[self.kind(part, key_part.steps)]()

    def given(self, key_part):
        part = self.index.row[key_part.part]
        step = part.steps[key_part.steps] if key_part.steps < len(part.steps) else None
        if part.type_at(key_part.steps) == self.code.TIME:
            return self.number()
        if step is not None and step.given == self.code.REAL:
            return self.r.choice((-1.5, 0.0, 2.5, 1e300, -math.inf))
        if step is not None and (step.given != self.code.BYTES):
            return self.r.choice((self.number(), str(self.number()).encode(), self.r.randrange(-300, 300)))
        return self.r.choice((random_rows.any_bytes(self.r), self.r.choice(random_rows.TEXTS + random_rows.DATES)))

    def questions(self, count):
        for _ in range(count):
            depth = self.r.randrange(len(self.index.key) + 1)
            given = [self.given(key_part) for key_part in self.index.key[:depth]]
            bounds = [self.bound(depth), self.bound(depth)]
            words = [self.java, "query", *map(word, given + bounds)]
            try:
                query = self.code.Query(self.index, given, *bounds)
            except self.code.BadPart:
                yield " ".join(words), "BadPartException"
                continue
            ranges = [f"{one.start.hex()}..{one.stop.hex()}" for one in query.ranges]
            yield " ".join(words), f"[{', '.join(query.tables)}]|[{', '.join(ranges)}]|{str(query.exact).lower()}"

    def decoded(self, rows):
        """Of cells that stand in the index, all are read back."""
        for row, cells in rows:
            yield f"{self.java} decode b:{row.hex()}", shown(self.code.decode_key(row))
            if self.index.period is not None:
                continue
            query = self.code.Query(self.index, [], None, None)
            places = [word(item) for cell in cells for item in (row, cell.family, cell.qualifier, cell.value)]
            entries = query.matches("t", row, cells)
            yield (" ".join([self.java, "cells", "-", "-", "/", *places]),
                   "".join(shown({name + ("" if entry.known[name].exact else "~"): value
                                  for name, value in entry.parts.items()}) for entry in entries))


class JavaTest(unittest.TestCase):
    def ask(self, java, asked):
        java.compile()
        pairs = [pair for of in asked for pair in of]
        for (line, wanted), answer in zip(pairs, java.answers([line for line, _ in pairs])):
            self.assertEqual(answer, wanted, line)
        figures = {"asked": len(pairs), "refused": sum(wanted == "BadPartException" for _, wanted in pairs)}
        print(figures, flush=True)
        return figures

    def rows(self, place, code):
        store = place.store(code)
        return sorted(store._rows(code.INDEX.table).items())[:20]

    def test_examples_and_vectors(self):
        r = random.Random(SEED)
        folder = World(self)
        java, asked = Java(self, folder.folder), []
        for path in [*EXAMPLES, None]:
            place = World(self)
            place.write("m.yaml", path.read_text() if path else VECTORS)
            for schema in BESIDE:
                place.write(schema.name, schema.read_text())
            if path:
                place.run("m.yaml", world.example_events(path, 1482125382074))
            for name in [line["index"] for line in place.check("m.yaml") if "index" in line]:
                one = Asked(r, place.python(name), java.add(place, name))
                asked.append(list(one.questions(40)))
                if path:
                    asked.append(list(one.decoded(self.rows(place, one.code))))
        figures = self.ask(java, asked)
        self.assertGreater(figures["asked"] - figures["refused"], 500)

    def test_random_mappings(self):
        case = Case(self, SEED * 1000 + 700, number("INDEXES", 40))
        r = random.Random(case.seed)
        place, folder = filled_world(self, case, r, 40), World(self)
        java, asked = Java(self, folder.folder), []
        for index in case.indexes:
            one = Asked(r, place.python(index.name), java.add(place, index.name))
            asked += [list(one.questions(30)), list(one.decoded(self.rows(place, one.code)))]
        self.ask(java, asked)


MANY = ", ".join(f"'f:q{at}': '{{f:c{at}}}'" for at in range(900))
EDGES = f"""source: s
indexes:
  many: {{ table: many, row: '{{f:a | terminated}}{{row}}', columns: {{ {MANY} }} }}
  floats: {{ table: floats, row: '{{f:a | f32 | ordered 4}}{{row}}', columns: {{ 'f:q': '' }} }}
  narrow: {{ table: narrow, row: '{{f:a | f64 | ordered 4}}{{row}}', columns: {{ 'f:q': '' }} }}
  padded: {{ table: padded, row: '{{f:n | int | decimal | pad 5 0 | terminated}}{{row}}', columns: {{ 'f:q': '' }} }}
  defaults: {{ table: defaults, row: '{{f:n | int | decimal 5 | default zzzzz}}{{row}}', columns: {{ 'f:q': '{{f:v}}' }} }}
  pairs: {{ table: pairs, row: '{{f:a | fixed 2}}{{row}}', columns: {{ 'f:q': '' }} }}
  stamps: {{ table: stamps, row: '{{f:t@ts | to_be 8}}{{row}}', columns: {{ 'f:q': '{{f:t}}' }} }}
  sorted: {{ table: sorted, row: '{{f:a | collate zh | terminated}}{{row}}', columns: {{ 'f:q': '' }} }}
  places: {{ table: places, row: '{{({{f:lat}},{{f:lon}}) | geohash 9}}{{row}}', columns: {{ 'f:q': '' }} }}
  quoted: {{ table: quoted, row: '{{f:"a | lower" | terminated}}{{f:a | lower | terminated}}{{row}}', columns: {{ 'f:q': '' }} }}
  long: {{ table: long, row: '{{f:a | terminated}}{{row}}', columns: {{ 'f:q': '{{f:b | default {"ab" * 40000}}}' }} }}
  spread: {{ table: spread, row: '{{row | salt 5000}}{{f:a | terminated}}{{row}}', columns: {{ 'f:q': '' }}, ignore_warnings: [salted] }}
""" + "".join(f"  salts-{width}: {{ table: salts_{width}, row: '{{row | salt 16 | pad {width} x}}{{f:a | terminated}}{{row}}', columns: {{ 'f:q': '' }}, "
              "ignore_warnings: [salted] }\n" for width in (127, 128, 255, 256, 300))


class EdgesTest(unittest.TestCase):
    """Long salts and texts, bounds at edges, stored forms, and tokens."""

    def test_what_is_at_an_edge_is_as_in_python(self):
        place, folder = World(self), World(self)
        place.write("m.yaml", EDGES)
        java, pairs = Java(self, folder.folder), []

        def ask(index, *questions):
            code, name = place.python(index), java.add(place, index)
            for *given, start, stop in questions:
                try:
                    query = code.Query(code.INDEX, given, start, stop)
                    ranges = [f"{one.start.hex()}..{one.stop.hex()}" for one in query.ranges]
                    wanted = f"[{', '.join(query.tables)}]|[{', '.join(ranges)}]|{str(query.exact).lower()}"
                except code.BadPart:
                    wanted = "BadPartException"
                pairs.append((" ".join([name, "query", *map(word, [*given, start, stop])]), wanted))
        for index in ("floats", "narrow"):
            ask(index, (16777217.0, None), (None, 16777217.0), (1e300, None), (-1e300, 2.5), (19.9, 20.1))
        ask("padded", (3, 99999), (7, None, None))
        ask("defaults", (3, None), (None, 99999), (7, None, None))
        ask("pairs", (b"\xff" * 3, None), (b"a\xff\xff", None), (None, b""), (b"ab", b"ac"))
        ask("sorted", (b"\x2a", None, None), (7, None, None), (b"\x2a", b"\x2b"), (7, None))
        ask("places", (b"wx4", None, None), (b"wx4g0bm6c", None, None), (b"wx4g0bm6cx", None, None), (b"wx4", b"wx5"))
        ask("quoted", (b"A", b"B", None, None))
        ask("long", (b"a", None, None))
        ask("many", (b"a", None, None))
        for width in (127, 128, 255, 256, 300):
            ask(f"salts-{width}", (b"a", None, None))
        asked = [answer for _, answer in pairs]
        self.assertEqual(asked.count("BadPartException"), 4)
        java.compile()
        for (line, wanted), answer in zip(pairs, java.answers([line for line, _ in pairs])):
            self.assertEqual(answer, wanted, line)

    def test_times_between_two_milliseconds_and_damaged_tokens_are_refused(self):
        place = World(self)
        place.write("m.yaml", EDGES)
        for index in ("stamps", "sorted", "spread", "places"):
            code, out, err = place.call("code", "java", "m.yaml", index)
            self.assertEqual(code, 0, err)
            place.write(f"{index.capitalize()}Index.java", out.replace("private static final class After", "static final class After")
                        .replace("private static String markOf", "static String markOf"))
        path = place.folder + ":" + class_path()
        run = lambda *words: subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
        done = run(*JAVAC, "-proc:none", "-cp", path, "-d", place.folder, os.path.join(HERE, "Edges.java"),
                   os.path.join(HERE, "Denied.java"), *glob.glob(os.path.join(place.folder, "*.java")))
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        done = run(*JAVA, "-cp", path, "Edges")
        self.assertEqual((done.stdout.splitlines(), done.returncode), (["part", "bound", "far", "stored", "stored bound", "width", "token", "query"], 0),
                         done.stderr[-3000:])
        done = run(*JAVA, "-cp", path, "Denied")
        denied = ("MissingRightException: index stamps: HBase refuses to let this user read table fensi_meta: an administrator grants it "
                  "in HBase's shell by: grant '<user>', 'R', 'fensi_meta' (Insufficient permissions (user=ann, action=READ))")
        lines = done.stdout.splitlines()
        self.assertEqual((lines[:3], lines[-1]), ([denied] * 3, "IOException: no route"), done.stderr[-3000:])
        self.assertTrue(lines[3].startswith("RetriesExhaustedWithDetailsException: "), lines)


LIVE = """source: {source}
indexes:
  first:
    table: first_{name}
    row: '{{row | salt 3}}{{f:to | terminated}}{{row}}'
    columns: {{ 'f:q': '' }}
    ignore_warnings: [salted]
  second:
    table: second_{name}
    row: '{{f:to | terminated}}{{row}}'
    columns: {{ 'f:q': '' }}
"""
SOURCE = """source: raw_{name}
indexes:
  source-{name}: {{ table: {source}, row: '{{row}}', columns: {{ 'f:to': '{{f:to}}' }} }}
"""


class LiveTest(unittest.TestCase):
    """On the HBase of the stack. The rows of the indexes and of the alias are planted in fensi_meta."""

    def test_pages_sources_and_a_switch_of_the_alias_between_two_pages(self):
        place = World(self)
        name = f"{os.getpid()}_{time.monotonic_ns()}"
        names = {"name": name, "source": f"s{name}"}
        store = "--store=thrift://" + os.environ["FENSI_TEST_HBASE"]
        place.write("m.yaml", LIVE.format(**names).replace("first:", f"first-{name}:").replace("second:", f"second-{name}:"))
        place.write("source.yaml", SOURCE.format(**names))
        rows = [b"r%d" % at for at in range(7)]
        for mapping, table, wanted in (("source.yaml", f"raw_{name}", rows[:5]), ("m.yaml", names["source"], rows)):
            self.ok(place, "create", mapping, store, "--execute")
            place.write("e.jsonl", "".join(world.event(row, [world.put("f:to", 1, b"b")], at + 1, table)
                                           for at, row in enumerate(wanted)))
            self.ok(place, "run", mapping, "--source=file:e.jsonl", store)
        for kind in ("First", "Second"):
            code, out, err = place.call("code", "java", "m.yaml", f"{kind.lower()}-{name}")
            self.assertEqual(code, 0, err)
            found = re.search(r"^public final class (\w+)", out, re.MULTILINE).group(1)
            place.write(f"{kind}Index.java", re.sub(rf"\b{found}\b", f"{kind}Index", out))
        path = class_path()
        done = subprocess.run([*JAVAC, "-proc:none", "-cp", path, "-d", place.folder, os.path.join(HERE, "Live.java"),
                               *glob.glob(os.path.join(place.folder, "*.java"))], capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        done = subprocess.run([*JAVA, "-cp", place.folder + ":" + path, "Live", os.environ["FENSI_TEST_ZOOKEEPER"], "/hbase", f"a{name}"],
                              capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        self.assertEqual(done.stdout.splitlines(), [
            "no alias", "building", "first [r0, r1, r2]", "first [r3, r4] stale 1", f"moved to second-{name}",
            "second [r0, r1, r2, r3, r4, r5, r6]"])

    def test_the_program_of_the_page_prints_what_the_page_shows(self):
        with open(os.path.join(os.environ["FENSI_ROOT"], "docs", "reading.md"), encoding="utf-8") as page:
            blocks = re.findall(r"^```(\w+)\n(.*?)^```$", page.read(), re.MULTILINE | re.DOTALL)
        place, name, store = World(self), f"{os.getpid()}_{time.monotonic_ns()}", "--store=thrift://" + os.environ["FENSI_TEST_HBASE"]
        mapping = next(text for kind, text in blocks if kind == "yaml")
        place.write("m.yaml", mapping.replace("source: orders", f"source: orders_{name}").replace("orders_of_customer", f"of_customer_{name}"))
        columns = "{ 'o:customer': '{o:customer}', 'o:time': '{o:time}', 'o:no': '{o:no}' }"
        place.write("source.yaml", f"source: raw_{name}\nindexes:\n  c{name}: {{ table: orders_{name}, row: '{{row}}', columns: {columns} }}\n")
        for mapping, table in (("source.yaml", f"raw_{name}"), ("m.yaml", f"orders_{name}")):
            self.ok(place, "create", mapping, store, "--execute")
            place.write("e.jsonl", "".join(world.event(b"o%d" % at, [world.put("o:customer", 1, b"ann"), world.put("o:time", 1, b"%d" % when),
                                                                     world.put("o:no", 1, b"A%d" % at)], at, table)
                                           for at, when in enumerate((1482125382074, 1482192000000, 1482235200000, 1482300000000), 1)))
            self.ok(place, "run", mapping, "--source=file:e.jsonl", store)
        code, out, err = place.call("code", "java", "m.yaml", "--package=com.example")
        self.assertEqual(code, 0, err)
        host, port = os.environ["FENSI_TEST_ZOOKEEPER"].split(":")
        place.write("hbase-site.xml", "<configuration>" + "".join(
            f"<property><name>{key}</name><value>{value}</value></property>" for key, value in
            (("hbase.zookeeper.quorum", host), ("hbase.zookeeper.property.clientPort", port))) + "</configuration>")
        for file, text in (("OrdersOfCustomerIndex.java", out), ("Orders.java", next(text for kind, text in blocks if kind == "java"))):
            place.write(file, text)
        path = place.folder + ":" + class_path()
        self.java(*JAVAC, "-proc:none", "-cp", path, "-d", place.folder, os.path.join(HERE, "Plant.java"), *glob.glob(place.folder + "/*.java"))
        digest = re.search(r"Definition: (\w+)", out).group(1)
        self.java(*JAVA, "-cp", path, "Plant", "orders-of-customer", digest)
        shown = [text for kind, text in blocks if kind == "text"]
        self.assertEqual(self.java(*JAVA, "-cp", path, "com.example.Orders"), shown[1])

    def java(self, *words):
        done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        return done.stdout

    def ok(self, place, *words):
        code, _, err = place.call(*words)
        self.assertEqual(code, 0, err)


if __name__ == "__main__":
    unittest.main()
