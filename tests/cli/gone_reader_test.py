"""Whoever reads our output may go (`| head -1`): the program ends with 70 and says why, and not by a signal."""
import os
import subprocess

import harness
from damage import COPY
from follow import MAPPING, follow

ROWS = 20_000  # more than a pipe and a buffer hold, on many pages


class GoneReader(harness.CliTest):
    STORE = "--store=embedded:data"

    def setUp(self):
        super().setUp()
        self.file("guanzhu.yaml", MAPPING)

    def into_a_closed_pipe(self, *words, stdin=b""):
        read, write = os.pipe()
        os.close(read)
        # Python lets its children ignore the signal, unlike a shell.
        done = subprocess.run([harness.FENSI, *words], stdout=write, stderr=subprocess.PIPE, input=stdin, cwd=self.dir,
                              timeout=harness.DEADLINE_S, restore_signals=True)
        os.close(write)
        self.assertIn(b"cannot write to standard output: Broken pipe", done.stderr)
        self.assertEqual(done.returncode, 70, done.stderr)

    def test_every_command_that_prints_says_so(self):
        event = follow("r", "m", 10)
        self.file("copy.yaml", COPY)
        self.succeeds("run", "copy.yaml", "--source=file:" + self.file("raw.jsonl", event.replace("guanzhu", "raw")), self.STORE)
        self.succeeds("run", "guanzhu.yaml", "--source=file:" + self.file("e.jsonl", event), self.STORE)
        for words in (("lookup", "guanzhu.yaml", "fensi", "m", self.STORE), ("scan", "fensi", self.STORE), ("help",), ("help", "run"),
                      ("run", "--help"), ("version",), ("explain", "guanzhu.yaml", "--event=" + event), ("check", "guanzhu.yaml"),
                      ("verify", "guanzhu.yaml", "fensi", self.STORE, "--recheck_s=0"), ("completion", "bash"),
                      ("create", "guanzhu.yaml", self.STORE), ("backfill", "guanzhu.yaml", "fensi", self.STORE),
                      ("repair", "guanzhu.yaml", "fensi", "r", self.STORE)):
            with self.subTest(words=words):
                self.into_a_closed_pipe(*words)

    def test_a_table_that_no_pipe_holds_ends_so_too(self):
        self.succeeds("run", "guanzhu.yaml", self.STORE,
                      "--source=file:" + self.file("e.jsonl", "".join(follow(f"row{i:07}", "m", 10) for i in range(ROWS))))
        for words in (("lookup", "guanzhu.yaml", "fensi", "m", self.STORE), ("scan", "fensi_state", self.STORE)):
            with subprocess.Popen([harness.FENSI, *words], cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                process.stdout.readline()
                process.stdout.close()
                said = process.stderr.read()
            self.assertEqual((process.returncode, said.count(b"Broken pipe")), (70, 1), said)


harness.main()
