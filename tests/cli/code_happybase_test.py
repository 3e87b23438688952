"""The Python programs of docs/reading.md by a real happybase, on a real Thrift server of version 1 beside the HBase of the stack. It
needs python3-venv, and fetches happybase from PyPI."""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time
import unittest

ROOT = os.environ["FENSI_ROOT"]
sys.path += [os.path.join(ROOT, "tests", "cli", "code"), os.path.join(ROOT, "tests", "e2e")]

import world
from lib import stack
from lib.wait import until

HAPPYBASE = "happybase==1.3.0"
PAGE = pathlib.Path(ROOT, "docs", "reading.md")
TIMES = (1482125382074, 1482192000000, 1482235200000, 1482300000000)
SOURCES = """source: raw_{name}
indexes:
  follows-{name}: {{ table: follows_{name}, row: '{{row}}', columns: {{ 'f:to': '{{f:to}}' }} }}
  orders-{name}: {{ table: orders_{name}, row: '{{row}}', columns: {{ 'o:customer': '{{o:customer}}', 'o:time': '{{o:time}}', 'o:no': '{{o:no}}' }} }}
"""


def python_with_happybase():
    """The python of a virtual environment, made once."""
    place = pathlib.Path(os.environ.get("FENSI_CACHE", pathlib.Path.home() / ".cache" / "fensi"), HAPPYBASE.replace("==", "-"))
    python = place / "bin" / "python"
    if not (place / "made").exists():
        shutil.rmtree(place, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", HAPPYBASE], check=True)
        (place / "made").touch()
    return str(python)


class Thrift1:
    """HBase's Thrift server of version 1."""

    def __init__(self, test, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command, options = stack.java_command("org.apache.hadoop.hbase.thrift.ThriftServer", "start", "-p", str(self.port), classes=folder)
        self.log = os.path.join(folder, "thrift1.log")
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **options)
        test.addCleanup(self.process.wait)
        test.addCleanup(self.process.kill)
        self.wait()

    def wait(self):
        until("the Thrift server", lambda: self.listens() or self.process.poll() is not None)
        assert self.listens(), pathlib.Path(self.log).read_text(errors="replace")[-3000:]

    def listens(self):
        with socket.socket() as asked:
            return asked.connect_ex(("127.0.0.1", self.port)) == 0


class HappyBase(unittest.TestCase):
    def setUp(self):
        self.name = f"{os.getpid()}_{time.monotonic_ns()}"
        self.place = world.World(self)
        self.store = "--store=" + stack.hbase_url()
        self.kinds = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        self.python, self.server = python_with_happybase(), Thrift1(self, self.place.folder)
        self.place.write("sources.yaml", SOURCES.format(name=self.name))
        self.run_fensi("create", "sources.yaml", self.store, "--execute")
        self.fill("followers", "follows", pathlib.Path(ROOT, "deploy/examples/followers.yaml").read_text(encoding="utf-8").split("\ntests:")[0],
                  {b"a": {"f:to": b"b"}, b"c": {"f:to": b"b"}, b"d": {"f:to": b"a"}})
        self.fill("customers", "orders", next(text for kind, text in self.kinds if kind == "yaml"),
                  {b"o%d" % at: {"o:customer": b"bob" if at == 5 else b"ann", "o:time": b"%d" % when, "o:no": b"A%d" % at}
                   for at, when in enumerate((*TIMES, TIMES[1]), 1)})

    def run_fensi(self, *words):
        code, out, err = self.place.call(*words)
        self.assertEqual(code, 0, err)
        return out

    def fill(self, module, source, mapping, rows):
        """Makes the index of a mapping of the page, by names of this test, fills it and its source, and prints its code."""
        mapping = re.sub(r"^(source|    table): (\w+)", rf"\1: \2_{self.name}", mapping, flags=re.MULTILINE)
        mapping = re.sub(r"^(  \S+):$", rf"\1-{self.name}:", mapping, flags=re.MULTILINE)
        self.place.write(module + ".yaml", mapping)
        self.run_fensi("create", module + ".yaml", self.store, "--execute")
        for file, table in (("sources.yaml", f"raw_{self.name}"), (module + ".yaml", f"{source}_{self.name}")):
            self.place.write("e.jsonl", "".join(world.event(row, [world.put(column, 1, value) for column, value in cells.items()], at, table)
                                                for at, (row, cells) in enumerate(rows.items(), 1)))
            self.run_fensi("run", file, "--source=file:e.jsonl", self.store)
        self.place.write(module + ".py", self.run_fensi("code", "python", module + ".yaml"))

    def answer(self, program):
        """What a program of the page prints, with the port of this server."""
        self.place.write("program.py", program.replace("9090", str(self.server.port)))
        done = subprocess.run([self.python, "program.py"], cwd=self.place.folder, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def say_live(self, module):
        """Records in fensi_meta what a finished backfill does."""
        self.answer(f"""import happybase
import {module}
meta = happybase.Connection("127.0.0.1", 9090).table("fensi_meta")
meta.put(("index:" + {module}.INDEX.name).encode(), {{b"i:incarnation": b"abc", b"i:fingerprint": {module}.INDEX.digest.encode(),
                                                     b"i:phase/abc": b"live"}})
""")

    def test_the_programs_of_the_page_print_what_it_shows(self):
        for module in ("followers", "customers"):
            self.say_live(module)
        shown = [(program, self.kinds[at + 1][1]) for at, (kind, program) in enumerate(self.kinds) if kind == "python"]
        self.assertEqual(len(shown), 2)
        for program, output in shown:
            self.assertEqual(self.answer(program), output)

    def test_a_store_of_happybase_knows_rows_and_tables_that_are_not_there(self):
        self.assertEqual(self.answer(f"""import happybase
import followers
store = followers.HappyBase(happybase.Connection("127.0.0.1", 9090), batch=1)
table = "follows_{self.name}"
print(store.get(table, [b"a", b"none", b"\\xff\\x00"]))
print([row for row, _ in store.scan(table, b"b", b"")], [row for row, _ in store.scan(table, b"", b"c")])
print(store.has(table), store.has(table + "x"))
"""), "{b'a': [Cell(family=b'f', qualifier=b'to', timestamp=1, value=b'b')]}\n[b'c', b'd'] [b'a']\nTrue False\n")


if __name__ == "__main__":
    unittest.main()
