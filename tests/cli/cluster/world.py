"""A small cluster in this process, with a source table, two indexes and their topic; what commands do to it can be undone between tests."""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from cluster.broker import Broker
from cluster.gateway import Gateway, Seat, Table
from cluster.thrift_wire import I32, LIST, STRING, STRUCT

FENSI = os.environ["FENSI_BIN"]
PATIENCE_S = 60  # a busy machine
MAPPING = """source: guanzhu
indexes:
  fensi:
    table: fensi
    row: '{f1:from}'
    columns:
      'f1:{row}': ''
  fensi-2:
    table: fensi-2
    row: '{f1:from}'
    columns:
      'f1:{row}': 'second'
  third:
    each: f1:*
    table: third
    row: '{qualifier}'
    columns: { 'f1:{row}': '' }
    mode: stateful
"""

ROWS = [("r%d" % n, "b%d" % (n % 2), 1000 + n) for n in range(6)]


def _event(row, followed, ts):
    return json.dumps({"table": "guanzhu", "row": row, "cells": [{"type": "put", "column": "f1:from", "ts": ts, "value": followed}]}) + "\n"


class Ended:
    def __init__(self, code, text):
        self.code, self.text = code, text

    def __repr__(self):
        return "exit code %s, %s" % (self.code, self.text.strip())


class Process:
    """One fensi that runs."""

    def __init__(self, folder, words, stdin=os.devnull):
        with open(stdin, encoding="utf-8") as given:
            self._process = subprocess.Popen([FENSI, *words], cwd=folder, stdin=given, stdout=subprocess.PIPE,
                                             stderr=subprocess.STDOUT, text=True)
        self._words, self._said = words, []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._process.stdout:
            self._said.append(line)

    def said(self):
        return "".join(self._said)

    def runs(self):
        return self._process.poll() is None

    def signal(self, number):
        self._process.send_signal(number)

    def end(self, within_s=PATIENCE_S):
        """What it ended with. One that does not end is a fault of its own."""
        try:
            code = self._process.wait(within_s)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError("does not end: %s\n%s" % (" ".join(self._words), self.said())) from None
        self._reader.join()
        return Ended(code, self.said())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.runs():
            self.stop()

    def kill(self):
        self._process.kill()
        self._process.wait()
        self._reader.join()

    def stop(self):
        self.signal(signal.SIGTERM)
        return self.end()


class Victim:
    """Meets the cluster at addresses of its own, and something happens at its n-th write."""

    def __init__(self, world):
        self.store, self.kafka = Seat(world.gateway), world.broker.seat()
        self._mu, self.writes = threading.Lock(), []
        self.reached, self._go_on = threading.Event(), threading.Event()

    def plan(self, number, act):
        """`act(apply)` at that write; it answers whether the reply is sent."""
        self.writes = []
        self.reached, self._go_on = threading.Event(), threading.Event()

        def on_write(_, name, apply):
            with self._mu:
                self.writes.append(name)
                met = len(self.writes) == number
            if not met:
                apply()
                return True
            self.reached.set()
            return act(apply)
        self.store.begin(on_write)
        self.kafka.begin(on_write)

    def hold(self, apply):
        """The write waits, as one in a slow network, until `release`."""
        self._go_on.wait(PATIENCE_S)
        apply()
        return True

    def release(self):
        self._go_on.set()

    def close(self):
        self.release()
        self.store.close()
        self.kafka.close()


class World:
    def __init__(self):
        self.gateway, self.broker = Gateway(), Broker()
        self._seat, self._kafka = Seat(self.gateway), self.broker.seat()
        self.folder = tempfile.mkdtemp(prefix="fensi-cluster-")
        self.file("m.yaml", MAPPING)
        self.file("mirror.yaml", MAPPING.replace("mode: stateful", "mode: stateless"))
        self.file("events", "".join(_event(*row) for row in ROWS))
        self.gateway.locked(lambda tables: tables.update({b"guanzhu": Table(
            {1: (STRUCT, {2: (STRING, b"guanzhu")}), 2: (LIST, (STRUCT, [{1: (STRING, b"f1"), 10: (I32, 1)}]))}, [b"r3"])}))
        self.processes = []

    def close(self):
        for process in self.processes:
            if process.runs():
                process.kill()
        self._seat.close()
        self._kafka.close()
        shutil.rmtree(self.folder)

    def file(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as out:
            out.write(text)
        return name

    def snapshot(self):
        return self.gateway.snapshot(), self.broker.snapshot()

    def restore(self, snapshot):
        self.gateway.restore(snapshot[0])
        self.broker.restore(snapshot[1])

    def words(self, words, victim=None):
        """With the addresses of this cluster in place of STORE, KAFKA."""
        store, kafka = (victim.store, victim.kafka) if victim else (self._seat, self._kafka)
        return [word.replace("STORE", store.url).replace("KAFKA", kafka.address) for word in words.split()]

    def begin(self, words, victim=None, stdin=""):
        process = Process(self.folder, self.words(words, victim), os.path.join(self.folder, stdin) if stdin else os.devnull)
        self.processes.append(process)
        return process

    def run(self, words, victim=None):
        return self.begin(words, victim).end()

    def succeeds(self, words):
        ended = self.run(words)
        if ended.code != 0:
            raise AssertionError("%s: %s" % (words, ended))
        return ended

    def put_rows(self):
        for row, followed, ts in ROWS:
            self.gateway.locked(lambda tables, r=row, t=ts, v=followed: tables[b"guanzhu"].put(r.encode(), b"f1", b"from", t, v.encode()))

    def publish_file(self, name):
        ended = self.begin("publish guanzhu --kafka KAFKA", stdin=name).end()
        if ended.code != 0:
            raise AssertionError("publish: %s" % ended)

    def daemon(self, index):
        """When it has its partitions."""
        process = self.begin("run m.yaml --index %s --source kafka://KAFKA --store STORE --kafka_session_timeout_ms 6000 --admin none" % index)
        self.await_("the daemon of " + index, lambda: self.broker.groups.is_stable("fensi-" + index) or not process.runs())
        return process

    def meta_cell(self, row, column):
        """The newest value of a column of the meta table, or of the first that begins with what ends with a slash."""
        def find(tables):
            shown = tables[b"fensi_meta"].cells(row, False) if b"fensi_meta" in tables else []
            return next((value for _, name, _, _, value in shown
                         if name == column or (column.endswith(b"/") and name.startswith(column))), None)
        return self.gateway.locked(find)

    def await_(self, what, condition):
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError("waited too long: " + what)
            time.sleep(0.02)
