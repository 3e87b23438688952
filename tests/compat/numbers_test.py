"""Numbers of formats that this version does not read, in the store of a corpus: refused with 78, the reason and the remedy,
before anything is changed."""
import json
import pathlib
import re
import shutil
import tempfile
import unittest

import corpus

NEWER = "a newer fensi wrote it; run that version, or a newer one"
OLDER = "an older fensi wrote it, in a format that this fensi cannot read; build the index again"
INDEX = "by_value"


def written_format():
    return int(re.search(r"kStateFormat = (\d+)", corpus.read("indexer/state/unit_codec.h"))[1])


class Numbers(unittest.TestCase):
    def setUp(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="fensi-compat-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        newest = corpus.kept()[-1]
        corpus.unpack(newest / "store.tar.gz", folder)
        shutil.copy(newest / "indexes/s.yaml", folder)
        self.events = corpus.lines(newest / "untold.jsonl")
        self.program = corpus.Program(folder)

    def forge(self, row, column, value, table=INDEX + "_state"):
        """As another version would have left it."""
        cell = {"type": "put", "column": column, "ts": 4_000_000_000_000, "value": value}
        self.program.make_cells([json.dumps({"table": table, "row": row, "cells": [cell]}) + "\n"])

    def kept(self):
        return [self.program.cells(table) for table in (INDEX, INDEX + "_state", "fensi_meta")]

    def refuses(self, *says, words):
        before = self.kept()
        for line in words:
            with self.subTest(line[0]):
                said = self.program.call(*line, corpus.STORE, codes=(78,)).err
                for text in says:
                    self.assertIn(text, said)
        self.assertEqual(self.kept(), before)

    def run_words(self):
        (self.program.folder / "events.jsonl").write_text("".join(self.events), encoding="utf-8")
        return ("run", "s.yaml", "--index=" + INDEX, "--source=file:events.jsonl")

    def commands(self):
        return (self.run_words(), ("backfill", "s.yaml", INDEX, "--execute", "--restart"), ("repair", "s.yaml", INDEX, "r01", "--execute"),
                ("create", "s.yaml", "--index=" + INDEX, "--execute"), ("verify", "s.yaml", INDEX), ("pause", "s.yaml", INDEX, "--reason=test", "--execute"),
                ("drop", "s.yaml", INDEX, "--execute"), ("switch", "s.yaml", "other", "--to=" + INDEX, "--skip_verification", "--execute"))

    def test_of_states_that_a_newer_fensi_wrote_are_refused_by_every_command_that_has_to_do_with_them(self):
        newer = written_format() + 1
        self.forge("fensi", "i:format", str(newer))
        self.refuses(f"has format {newer}, and this fensi reads", NEWER, words=self.commands())
        checked = self.program.call("check", "s.yaml", "--online", corpus.STORE, codes=(78,)).out
        self.assertIn(f"online error: index {INDEX}, table {INDEX}_state: index {INDEX}: the state table {INDEX}_state has format {newer}", checked)

    def test_of_states_that_are_too_old_are_refused_by_whoever_would_write_them_and_can_be_compared(self):
        self.forge("fensi", "i:format", str(written_format() - 2))
        self.refuses(f"has format {written_format() - 2}, and this fensi reads", OLDER, words=self.commands()[:3])
        self.program.call("verify", "s.yaml", INDEX, corpus.STORE, "--recheck_s=0", codes=(0, 1))

    def test_another_format_than_that_of_a_corpus_comes_with_a_command_that_raises_it(self):
        """docs/decisions/0021-upgrade.md"""
        known = {int(self.program.cells(INDEX + "_state")["fensi", "i:format"])}
        if known != {written_format()}:
            self.program.call("help", "upgrade")

    def test_a_lookup_says_it_and_answers(self):
        self.forge("fensi", "i:format", str(written_format() + 1))
        said = self.program.call("lookup", "s.yaml", INDEX, "v1", corpus.STORE)
        self.assertIn("warning: index " + INDEX, said.err)
        self.assertIn(NEWER, said.err)
        self.assertTrue(said.out)

    def test_of_a_single_state_stops_the_index_that_meets_it_and_no_other(self):
        """As one that a newer daemon wrote, before somebody went back."""
        row = json.loads(next(line for line in self.events if '"s"' in line and "f:a" in line))["row"]
        self.forge(row, "s:", f"\\x08\\x{written_format() + 1:02X}")
        said = self.program.run(self.events, "s.yaml", "--index=" + INDEX + ",plain", codes=(78,)).err
        self.assertIn(f"a state cell has format {written_format() + 1}, and this fensi reads", said)
        self.assertIn(NEWER, said)
        self.assertRegex(said, "index plain: [0-9]+ events in")

    def test_of_a_way_to_keep_an_index_that_is_not_known(self):
        self.forge("fensi", "i:scheme", "mirror 2", table="plain_state")
        said = self.program.run(self.events, "s.yaml", "--index=plain", codes=(78,)).err
        self.assertIn("index plain has the stored mode 'mirror 2', which this version does not know. Use the version of fensi that began the index, or", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
