"""The program from outside."""
import json
import os
import subprocess

from values import escaped, unescaped

FENSI = os.environ["FENSI_BIN"]


class Program:
    """Runs in one folder, where the mapping file and the store are."""

    def __init__(self, folder):
        self.folder = folder

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as out:
            out.write(text)
        return name

    def call(self, *words, stdin=""):
        done = subprocess.run([FENSI, *words], cwd=self.folder, input=stdin.encode(), capture_output=True, timeout=45)
        if done.returncode < 0 or b"Check failed" in done.stderr:
            raise AssertionError(f"{words}: {done.returncode}\n{done.stderr.decode()[-2000:]}")
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def check(self, mapping):
        _, out, _ = self.call("check", mapping, "--json")
        return [json.loads(line) for line in out.splitlines()]

    def run(self, mapping, events, *words, name="events.jsonl", codes=(0, 1)):
        """1: something went to the dead letters."""
        self.write(name, "".join(events))
        code, _, err = self.call("run", mapping, f"--source=file:{name}", "--store=embedded:data", *words)
        assert code in codes, f"fensi run ended with {code}\n{err[-2000:]}"
        assert code != 1 or not self._unread(name), f"an event that fensi cannot read: {self._unread(name)}"
        return code

    def _unread(self, name):
        """Why an event is no event; other letters are of single rows."""
        with open(os.path.join(self.folder, "fensi.dead.jsonl"), encoding="utf-8") as letters:
            return [reason for reason in (json.loads(line)["reason"] for line in letters) if reason.startswith(name)]

    def scan(self, table):
        code, out, err = self.call("scan", table, "--store=embedded:data", "--json")
        assert code == 0 or "has no table" in err, err
        return [json.loads(line) for line in out.splitlines()]

    def cells(self, table):
        return {(table, unescaped(c["row"]), unescaped(c["column"])): (unescaped(c["value"]), c["ts"])
                for c in self.scan(table)}

    def lookup(self, mapping, index, words):
        """The lines, or the text of a refusal."""
        code, out, err = self.call("lookup", mapping, index, *words, "--store=embedded:data", "--json")
        assert code in (0, 64), f"lookup {index} {words}: {code}\n{err[-2000:]}"
        return err if code else [json.loads(line) for line in out.splitlines()]


def event(row, cells, seq=0, table="s"):
    out = {"table": table, "row": escaped(row), "cells": cells}
    if seq:
        out["seq"] = seq
    return json.dumps(out) + "\n"


def put(column, ts, value):
    return {"type": "put", "column": column, "ts": ts, "value": escaped(value)}
