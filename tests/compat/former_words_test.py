"""A store of the last commit with the former public words (tests/compat/former_words/make): read, continued and exact by this program."""
import json
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

import corpus
import history

FORMER = corpus.FOLDER / "former_words"
STORE = corpus.STORE
LETTERS = "--dead_letters=file:fensi.dead.jsonl"
STATES, STATELESS, LATE, OTHER, LOST = MAPPINGS = "s.yaml", "m.yaml", "late.yaml", "k.yaml", "x.yaml"
FOLLOW = {"by_value": STATES, "by_value_2": STATES, "tags": STATES, "days": STATES, "plain": STATES, "plain_tags": STATES,
          "moved": STATELESS, "late": LATE}
CLASSES = {"by_value": "stateful", "tags": "stateful", "plain": "stateless", "plain_tags": "stateless", "moved": "stateless"}


class FormerWords(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="fensi-former-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        for packed in ("store.tar.gz", "events.tar.gz"):
            corpus.unpack(FORMER / packed, folder)
        for path in FORMER.glob("*.yaml"):
            shutil.copy(path, folder)
        shutil.copy(FORMER / "dead_letters.jsonl", folder / "fensi.dead.jsonl")
        self.program = corpus.Program(folder)

    def events(self, *names):
        return [line for name in names for line in corpus.lines(self.program.folder / (name + ".jsonl"))]

    def go_on(self):
        """The killed backfill to its end, the events of the killed run again, and the later ones."""
        self.program.make_source(self.events("later"))
        self.program.call("backfill", LATE, "late", STORE, "--resume", "--rows_per_second=0")
        self.program.call("backfill", LATE, "late", STORE, "--execute")
        self.program.call("backfill", STATELESS, "moved", STORE, "--execute")
        self.program.call("resume", STATES, "plain_tags", STORE, "--execute")
        self.program.run(self.events("later"), *MAPPINGS)

    def letters(self, mapping, index, *words):
        return self.program.call("dead-letters", "list", mapping, index, LETTERS, *words).out

    def test_the_state_of_each_index_is_shown(self):
        for index, mapping in FOLLOW.items():
            shown = self.program.call("check", mapping, "--online", STORE).out
            self.assertIn(f"index {index}\n", shown)
            self.assertNotIn("online error", shown, index)
            if index in CLASSES:
                self.assertRegex(shown.partition(f"index {index}\n")[2], rf"^(?:.*\n)*?  class       {CLASSES[index]}")
        self.assertIn("is open", self.program.call("backfill", LATE, "late", STORE).out)
        self.assertRegex(self.program.call("resume", STATES, "plain_tags", STORE).out, "index plain_tags is paused .*: upgrade")
        self.assertIn("nothing to do: index moved is stateless", self.program.call("convert", STATELESS, "moved", STORE).err)
        alias = self.program.call("switch", STATES, "values", "--back", STORE, "--skip_verification").out
        self.assertIn("now   index by_value_2: phase live", alias)
        self.assertIn("then  index by_value: phase live", alias)

    def test_goes_on_and_nothing_differs(self):
        self.go_on()
        for index, mapping in FOLLOW.items():
            said = self.program.call("verify", mapping, index, STORE, "--recheck_s=0", codes=(0, 1, 2))
            self.assertEqual(said.code, 0, said.out + said.err)
            self.assertIn(f"index {index}: 0 differences among", said.out)
        wanted = history.entries(self.events("before", "applied", "later"))
        for table in ("by_value", "late", "tags", "plain", "plain_tags", "kept_by_value"):
            self.assertGreater(len(wanted[table]), 5)
            self.assertEqual(self.program.cells(table), wanted[table], table)

    def test_a_file_of_then_replays_without_effect(self):
        self.go_on()
        before = {table: self.program.cells(table) for table in (*FOLLOW, "kept_by_value") if table != "days"}
        self.program.run(self.events("applied", "later"), *MAPPINGS)
        self.assertEqual({table: self.program.cells(table) for table in before}, before)

    def test_a_lookup_by_the_alias_answers(self):
        self.go_on()
        cells = self.program.cells("by_value_2")
        row = next(iter(cells))[0]
        shown = json.loads(self.program.call("lookup", STATES, "@values", row, STORE, "--format=json").out)
        self.assertEqual({entry["row"] for entry in shown}, {row})
        self.assertEqual(len(shown), sum(of == row for of, _ in cells))

    def test_a_running_daemon_shows_its_indexes_and_their_dead_letters(self):
        """A run of a file does not begin on a paused index."""
        (self.program.folder / "events.jsonl").write_text("", encoding="utf-8")
        self.program.call("resume", STATES, "plain_tags", STORE, "--execute")
        with subprocess.Popen([corpus.FENSI, "run", *MAPPINGS, "--source=file:events.jsonl", "--follow", STORE, LETTERS, "--admin=unix:admin"],
                              cwd=self.program.folder, stderr=subprocess.PIPE, text=True) as daemon:
            try:
                shown = self.shown_by(daemon)
            finally:
                daemon.terminate()
                daemon.communicate(timeout=100)
        self.assertEqual(shown.keys(), {*FOLLOW, "recent", "kept_by_value", "lost"})
        self.assertEqual(shown["lost"]["open_dead_letters"], {"source_required": 1, "undecodable": 1})

    def shown_by(self, daemon):
        for _ in range(600):
            self.assertIsNone(daemon.poll())
            said = self.program.call("status", "--daemon=unix:admin", "--json", codes=(0, 1, 69))
            shown = {index["name"]: index for index in json.loads(said.out)["indexes"]} if said.code != 69 else {}
            if shown and all(index["state"] == "running" and index["open_dead_letters"] is not None for index in shown.values()):
                return shown
            time.sleep(0.1)
        raise AssertionError("the daemon does not begin all indexes: " + said.out)

    def test_dead_letters_are_counted_by_the_new_reasons_and_retried(self):
        self.assertRegex(self.letters(STATES, "recent"), r"(?m)^  outside_retention: \d\d open")
        self.assertRegex(self.letters(LOST, "lost"), r"(?m)^  source_required: 1 open")
        place = self.letters(LOST, "lost", "--letters", "--kind=source_required").split()[0]
        shown = self.program.call("dead-letters", "show", LOST, "lost", place, LETTERS).out
        self.assertIn("  kind:    source_required\n", shown)
        # Dead letters of a file are retried by a run that reads their events.
        letters = [json.loads(line) for line in corpus.lines(self.program.folder / "fensi.dead.jsonl")]
        original = [letter["original"] + "\n" for letter in letters if letter["kind"] == "unanswerable"]
        self.assertEqual(len(original), 1)
        self.program.run(original, LOST, codes=(1,))
        self.assertRegex(self.letters(LOST, "lost"), r"(?m)^  source_required: 2 open")


if __name__ == "__main__":
    unittest.main(verbosity=2)
