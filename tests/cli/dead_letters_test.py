"""`fensi dead-letters` on letters in a file, and what it says to a person who asks wrongly. Topics: tests/e2e/dead_letters_test.py."""
import json
import subprocess

import harness
from follow import MAPPING, cell, event




class DeadLetters(harness.CliTest):
    FILE = "--dead_letters=file:dead.jsonl"
    NOBODY = "--source=kafka://127.0.0.1:1"  # no service listens on port 1

    def setUp(self):
        super().setUp()
        self.file("m.yaml", MAPPING)
        lines = "no event\n" + event("secretrow", cell("put", "f1:from", 5, "b")) + event("b", cell("put", "f1:from", 6, "")) + "{\n"
        self.fensi("run", "m.yaml", "--source=file:" + self.file("events.jsonl", lines), "--store=embedded:data", self.FILE)

    def parked(self, *words, says=None, code=0):
        outcome = self.fensi("dead-letters", *words)
        self.assertEqual(outcome.code, code, outcome.err)
        if says is not None:
            self.assertIn(says, outcome.err)
        return outcome

    def test_letters_of_a_file_are_counted_listed_and_shown(self):
        out = self.parked("list", "m.yaml", "fensi", self.FILE).out
        self.assertRegex(out, r"(?m)^  undecodable: 2 open, oldest \S+Z, newest \S+Z$")
        self.assertIn("index fensi, file dead.jsonl: %d open, 0 retried, 0 discarded\n" % len(self.read("dead.jsonl").splitlines()), out)
        letters = self.parked("list", "m.yaml", "fensi", self.FILE, "--letters", "--kind=undecodable").lines
        shown = [self.parked("show", "m.yaml", "fensi", line.split()[0], self.FILE).out for line in letters]
        self.assertEqual(len(shown), 2)
        self.assertIn("  bytes:   no event\n", "".join(shown))
        self.assertIn("  event:   none: ", shown[0])

    def test_a_reason_is_shown_as_it_was_written_but_for_what_a_terminal_obeys(self):
        letter = {"time": 1, "index": "fensi", "reason": r'value "\xE4关" of f1:a' + "\x1b[2J", "topic": "guanzhu", "partition": 1, "offset": 2,
                  "row": "a", "key": "a", "original": "no event"}
        self.file("dead.jsonl", json.dumps(letter) + "\n")
        wanted = r'value "\xE4关" of f1:a\x1B[2J' + "\n"
        self.assertIn("  reason:  " + wanted, self.parked("show", "m.yaml", "fensi", "0/1", self.FILE).out)
        self.assertIn("  row a: " + wanted.strip() + ". See the event with", self.parked("list", "m.yaml", "fensi", self.FILE, "--letters", "--rows").out)

    def test_an_event_that_became_a_dead_letter_is_explained_by_the_mapping_of_today(self):
        letter = {"time": 1, "index": "fensi", "reason": "it was so", "topic": "guanzhu", "partition": 1, "offset": 2, "row": "a",
                  "key": "a", "original": event("a", cell("put", "f1:from", 5, "b")).strip()}
        self.file("dead.jsonl", json.dumps(letter) + "\n")
        shown = self.parked("show", "m.yaml", "fensi", "0/1", self.FILE).out
        for words in ("  reason:  it was so\n", "  from:    guanzhu, partition 1, offset 2\n", "  kind:    unknown\n",
                      "  do:      See the event with 'fensi dead-letters show', fix the cause, then 'fensi dead-letters retry MAPPING fensi",
                      "entries that today's mapping derives from this event alone", "fensi, row b: put f1:a"):
            self.assertIn(words, shown)
        told = json.loads(self.parked("show", "m.yaml", "fensi", "0/1", self.FILE, "--json").out)
        self.assertEqual((told["state"], told["offset"], json.loads(told["event"])["row"]), ("open", 2, "a"))

    def test_lines_that_are_no_letters_are_named_and_passed(self):
        whole = self.read("dead.jsonl").splitlines()
        self.file("dead.jsonl", "\n".join([whole[0], "{}", "not json", "", whole[1][:40], whole[1]]) + "\n")
        outcome = self.parked("list", "m.yaml", "fensi", self.FILE, says="file dead.jsonl, 0/3 is skipped: the line is no dead letter")
        self.assertIn("2 open, 0 retried, 0 discarded; 3 messages skipped", outcome.out)

    def test_a_letter_that_is_not_there_ends_with_1(self):
        for place in ("0/0", "0/9999", "7/1"):
            self.parked("show", "m.yaml", "fensi", place, self.FILE, code=1, says="index fensi has no dead letter " + place)

    def test_what_is_typed_wrongly_ends_with_64_and_the_right_word(self):
        for words, says in ((("lst",), "did you mean 'list'"), (("list", "--kind=undecodible"), "write undecodable, unmappable,"),
                            (("list", "--state=gone"), "a state is open, retried, discarded or all"),
                            (("list", "--since=yesterday"), "--since=yesterday is no time. Write a time"), (("list", "--rows"), "--rows requires --letters"),
                            (("show", "--rows"), "has no --rows"), (("show",), "name one dead letter"), (("list", "0/1"), "takes no PARTITION/OFFSET: leave out 0/1"),
                            (("show", "0-1"), "PARTITION/OFFSET")):
            places = [word for word in words[1:] if not word.startswith("--")]
            flags = [word for word in words[1:] if word.startswith("--")]
            self.parked(words[0], "m.yaml", "fensi", *places, self.FILE, *flags, code=64, says=says)
        self.parked("list", "m.yaml", "fnsi", self.FILE, code=64, says="did you mean 'fensi'")
        self.parked("list", "m.yaml", "fensi", code=64, says="name where the dead letters are")
        self.parked("list", "m.yaml", "fensi", self.FILE, self.NOBODY, code=64, says="give --source for a topic, or --dead_letters for a file")

    def test_letters_of_a_file_are_not_dropped_and_the_refusal_says_what_to_do(self):
        self.parked("discard", "m.yaml", "fensi", self.FILE, "--all", "--reason=x", code=64, says="delete lines from the file")
        self.parked("retry", "m.yaml", "fensi", self.FILE, "--all", code=64, says="Retry dead letters of a file")

    def test_a_replay_says_what_it_lacks(self):
        for words, says in ((("--all",), "--store is missing"), (("--all", "--store=embedded:data"), "'fensi repair"),
                            (("--store=embedded:data",), "name the dead letters"), (("--all", "--json"), "has no --json"),
                            (("--all", "--wait_s=-1"), "--wait_s")):
            self.parked("retry", "m.yaml", "fensi", self.NOBODY, *words, code=64, says=says)

    def test_nothing_is_dropped_by_a_word_too_few(self):
        for words, says in ((("discard", "--all"), "--reason is missing"), (("discard", "--reason=x"), "name the dead letters"),
                            (("list", "--execute"), "'fensi dead-letters list' has no --execute"),
                            (("discard", "--reason=x", "0/1", "x"), "names no dead letter")):
            places = [word for word in words[1:] if not word.startswith("--")]
            flags = [word for word in words[1:] if word.startswith("--")]
            self.parked(words[0], "m.yaml", "fensi", *places, self.NOBODY, *flags, code=64, says=says)

    def test_a_file_that_is_not_there_and_a_broker_that_is_not(self):
        self.parked("list", "m.yaml", "fensi", "--dead_letters=file:none.jsonl", code=78, says="none.jsonl")
        self.parked("list", "m.yaml", "fensi", self.NOBODY, "--connect_timeout_s=1", code=69, says="127.0.0.1:1")

    def test_a_full_disk_is_noticed(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([harness.FENSI, "dead-letters", "list", "m.yaml", "fensi", self.FILE], cwd=self.dir, stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=harness.DEADLINE_S)
        self.assertEqual(done.returncode, 70)
        self.assertIn("No space left", done.stderr)

    def test_rows_and_values_are_told_only_where_they_are_asked_for(self):
        letter = {"time": 1, "index": "fensi", "reason": "value secretvalue", "topic": "guanzhu", "partition": 1, "offset": 2,
                  "row": "secretrow", "key": "secretrow", "original": "secretbytes"}
        self.file("dead.jsonl", json.dumps(letter) + "\n")
        for more in ((), ("--letters",), ("--json",), ("--letters", "--json")):
            outcome = self.parked("list", "m.yaml", "fensi", self.FILE, *more)
            self.assertNotIn("secret", outcome.out + outcome.err)
        self.assertIn("secretrow", self.parked("list", "m.yaml", "fensi", self.FILE, "--letters", "--rows").out)


harness.main()
