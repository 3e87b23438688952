"""docs/moving.md, docs/recovery.md and docs/sizing.md: every block is run, on an embedded store in the place of the servers, and prints
what the page shows. docs/security.md: each command has a row, and neither reads nor changes a table beyond those of its row."""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

import harness

ROOT = os.environ["FENSI_ROOT"]
sys.path.append(os.path.join(ROOT, "tests", "e2e"))

from lib import shown  # noqa: E402

BLOCK = re.compile(r"^```([^\n]+)\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.M | re.S)
STORE = "--store=embedded:store"
# The source table, and an index table that another program kept: an embedded store takes cells from `fensi run` only.
TABLES = """source: raw
indexes:
  source: { table: follows, state_table: source_state, row: '{row}', columns: { 'f:to': '{f:to}' } }
"""
OLD = "source: other\nindexes:\n  old: { table: followers_old, row: '{f:to}', columns: { 'f:{row}': '{f:to@ts | decimal}' } }\n"
# A drop of this index takes the table of another one away. The other index is in another table of indexes.
OWNER = "source: plant\nindexes:\n  %s: { table: %s, row: '{f:a}', columns: { '%s:{row}': '' }, create: { families: { %s } } }\n"
APART = {"FENSI_META_TABLE": "other_meta"}
KINDS = ("source", "index", "state", "meta")


def page(name):
    with open(os.path.join(ROOT, "docs", name), encoding="utf-8") as text:
        return text.read()


def events(table, *edges):
    return "".join(json.dumps({"table": table, "row": row, "seq": ts, "cells": [{"type": "put", "column": "f:to", "ts": ts, "value": to}]}) + "\n"
                   for row, to, ts in edges)


def on_embedded_store(script):
    """The same lines without servers: the stream has ended, and nothing says how fresh an index is."""
    lines = script.replace(" --store hbase://127.0.0.1:2181/hbase", " " + STORE).replace(" --kafka 127.0.0.1:9092", "")
    kafka = " --source kafka://127.0.0.1:9092"
    found = []
    for line in lines.splitlines():
        if line.startswith("fensi run "):
            line = line.replace(kafka, " --source=file:/dev/null").removesuffix(" &") + " 2>/dev/null"
        elif line.startswith("fensi switch "):
            line += " --skip_verification"  # there are no watermarks
        found.append(line.replace(kafka, ""))
    return "\n".join(found)


class Howto(harness.CliTest):
    def setUp(self):
        super().setUp()
        shutil.copy(os.path.join(ROOT, "deploy", "examples", "followers.yaml"), self.dir)
        self.follow("tables.yaml", TABLES, events("raw", ("a", "b", 1), ("d", "b", 1), ("e", "b", 1)))

    def follow(self, name, mapping, lines):
        self.file(name, mapping)
        self.succeeds("run", name, "--source=file:" + self.file("events.jsonl", lines), STORE)

    def index(self):
        self.succeeds("create", "followers.yaml", STORE, "--execute")
        self.succeeds("run", "followers.yaml", "--source=file:/dev/null", STORE)
        self.succeeds("backfill", "followers.yaml", "followers", STORE, "--execute")

    def follow_page(self, name, before=None):
        """Each block in the order of the page; `before`: what happens before the first block of a kind."""
        run = []
        for kind, script, printed in BLOCK.findall(page(name)):
            if kind == "yaml":
                self.file("present.yaml", script)
                continue
            if kind == "text":
                continue
            (before or {}).get(kind, lambda: None)()
            run.append(kind)
            self.run_block(kind, on_embedded_store(script), printed)
        return run

    def run_block(self, kind, script, printed):
        environment = {**os.environ, "PATH": os.path.dirname(harness.FENSI) + ":" + os.environ["PATH"], "FENSI_RECHECK_S": "0"}
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=self.dir, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=harness.DEADLINE_S, check=False)
        self.assertEqual(done.returncode, 1 if kind == "sh differs" else 0, script + done.stdout + done.stderr)
        if printed:
            self.assertEqual(shown.difference(printed, done.stdout, {}), "", script)

    def test_moving_leads_from_an_index_of_another_program_to_one_of_fensi(self):
        self.follow("old.yaml", OLD, events("other", ("a", "b", 1), ("d", "b", 1), ("x", "b", 1)))
        self.assertEqual(self.follow_page("moving.md"), ["sh differs", "sh", "sh", "sh"])

    def test_recovery_brings_back_what_was_lost(self):
        self.index()
        change = lambda: self.follow("tables.yaml", TABLES, events("raw", ("a", "c", 2)))
        run = self.follow_page("recovery.md", {"sh differs": change})
        self.assertEqual(run, ["sh again", "sh differs", "sh restored", "sh copy"])

    def test_drop_refuses_a_table_with_rows_whose_states_are_lost(self):
        self.follow("old.yaml", OLD, events("other", ("a", "b", 1)))
        self.file("present.yaml", "".join(script for kind, script, _ in BLOCK.findall(page("moving.md")) if kind == "yaml"))
        self.refuses(78, "drop", "present.yaml", "present", STORE, "--execute",
                     says="table followers_old has rows, and no 'fensi run' has ever started the index with this table")

    def test_sizing_shows_the_regions_of_a_new_table_and_a_forecast(self):
        self.assertEqual(self.follow_page("sizing.md", {"sh made": self.index}), ["sh", "sh", "sh made"])

    def rights(self):
        """{command: [cells]} of the table, one for each of the commands that share a row."""
        section = page("security.md").split("\n## Rights of each command\n")[1].split("\n## ")[0]
        rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in section.splitlines() if line.startswith("| `")]
        return {command: [cell.strip(" |") for cell in row[1:]] for row in rows for command in re.findall(r"`([\w-]+)`", row[0])}

    def test_each_command_has_its_rights(self):
        commands = {line.split()[0] for line in self.succeeds("help").lines if line.startswith("  ")}
        self.assertEqual(set(self.rights()), commands)

    def test_a_command_without_tables_or_topics_has_no_flag_for_them(self):
        for command, (reads, writes, reads_topics, writes_topics) in self.rights().items():
            flags = self.succeeds("help", command).out
            if not re.search(r"^  --store ", flags, re.M):
                self.assertEqual((reads.split(":")[0], writes), ("none", "none"), command)
            if not re.search(r"^  --(kafka|source) ", flags, re.M):
                self.assertEqual((reads_topics, writes_topics), ("none", "none"), command)

    def contents(self):
        """{table: digest of its cells}"""
        tables = [line.split()[0] for line in self.succeeds("tables", STORE).lines]
        return {table: hashlib.sha256(self.succeeds("scan", table, STORE, "--json").out.encode()).hexdigest() for table in tables}

    def lines(self):
        """Each command with words that it takes."""
        one, store = ("followers.yaml", "followers"), (STORE,)
        return [("check", ("followers.yaml", "--online", *store)), ("verify", (*one, "--recheck_s=0", *store)),
                ("verify", (*one, "--recheck_s=0", "--distributed", *store)), ("lookup", (*one, "b", *store)),
                ("scan", ("follows", *store)), ("describe", ("follows", *store)), ("tables", store), ("init", ("follows", *store)),
                ("forecast", (*one, *store)), ("forecast", (*one, "--compare", *store)),
                ("explain", ("followers.yaml", "--row=a", *store)), ("create", ("followers.yaml", "--execute", *store)),
                ("pause", (*one, "--reason=x", "--execute", *store)), ("resume", (*one, "--execute", *store)),
                ("backfill", (*one, "--restart", "--execute", *store)), ("repair", (*one, "a", "--execute", *store)),
                ("run", ("followers.yaml", "--source=file:" + self.file("more.jsonl", events("follows", ("f", "b", 3))), *store)),
                ("switch", ("followers.yaml", "fans", "--to=followers", "--skip_verification", "--execute", *store)),
                ("switch", ("followers.yaml", "fans", "--remove", "--execute", *store)), ("drop", (*one, "--execute", *store))]

    def test_no_command_changes_a_table_beyond_its_row(self):
        rights = self.rights()
        self.index()
        names = {"follows": "source", "followers": "index", "followers_state": "state", "fensi_meta": "meta"}
        seen, before = {}, self.contents()
        for command, words in self.lines():
            self.succeeds(command, *words)
            after = self.contents()
            changed = {names.get(table, table) for table in before | after if before.get(table) != after.get(table)}
            self.assertLessEqual(changed, set(re.findall(r"source|index|state|meta", rights[command][1])), command)
            seen[command], before = seen.get(command, set()) | changed, after
        self.assertEqual({command for command, changed in seen.items() if changed},
                         {"verify", "pause", "resume", "backfill", "repair", "run", "switch", "drop"})

    def lose_tables(self):
        """Makes a store without the source, one without the index and one without its states. The folder "all" keeps all tables."""
        owners = {"source": ("tables.yaml", {})}
        for kind, table, families in (("index", "followers", "f"), ("state", "followers_state", "idms")):
            text = OWNER % (kind, table, families[0], ", ".join(family + ": {}" for family in families))
            owners[kind] = (self.file(kind + ".yaml", text), APART)
            self.succeeds("create", kind + ".yaml", STORE, "--execute", variables=APART)
            self.succeeds("run", kind + ".yaml", "--source=file:/dev/null", STORE, variables=APART)
        self.index()
        shutil.copytree(os.path.join(self.dir, "store"), os.path.join(self.dir, "all"))
        for kind, (mapping, variables) in owners.items():
            shutil.copytree(os.path.join(self.dir, "all"), os.path.join(self.dir, kind))
            self.succeeds("drop", mapping, kind, "--store=embedded:" + kind, "--execute", variables=variables)

    def outcome(self, command, words, lost="all"):
        """What a command says if a table is lost."""
        shutil.rmtree(os.path.join(self.dir, "store"))
        shutil.copytree(os.path.join(self.dir, "all" if lost == "meta" else lost), os.path.join(self.dir, "store"))
        done = self.fensi(command, *words, variables={"FENSI_META_TABLE": "lost"} if lost == "meta" else {})
        return done.code, done.out

    def test_no_command_reads_a_table_beyond_its_row(self):
        rights = self.rights()
        self.lose_tables()
        for command, words in self.lines():
            reads, writes = (text.replace("all (", ", ".join(KINDS)).replace("the named table", "source") for text in rights[command][:2])
            read, written = (re.findall("|".join(KINDS), text) for text in (reads, writes))
            whole = self.outcome(command, words)
            for kind in set(KINDS) - {*read, *written}:
                self.assertEqual(self.outcome(command, words, kind), whole, f"{command} reads table {kind}")
            if whole[0] == 0:
                self.assertTrue(any(self.outcome(command, words, kind) != whole for kind in read), f"{command} reads none of {read}")


harness.main()
