"""The program with closed descriptors, as cron and some daemons start it: nothing of its own takes their places."""
import os
import subprocess

import harness
from follow import MAPPING, follow

NOBODY = "127.0.0.1:1"  # no service listens on port 1


class ClosedDescriptors(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.file("guanzhu.yaml", MAPPING)
        self.file("events.jsonl", "".join(follow(f"r{i}", "b", i) for i in range(1, 200)))

    def shell(self, redirections, *arguments):
        """The exit code of the program behind a shell that closes descriptors."""
        line = 'exec "$@" ' + redirections
        done = subprocess.run(["sh", "-c", line, "sh", harness.FENSI, *arguments], cwd=self.dir, timeout=harness.DEADLINE_S,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def run_words(self):
        return ("run", "guanzhu.yaml", "--source=file:events.jsonl", "--store=embedded:data")

    def test_what_is_printed_to_a_closed_output_is_an_error_and_goes_nowhere_else(self):
        self.succeeds(*self.run_words())
        before = self.store_bytes()
        code, _, err = self.shell(">&-", "scan", "fensi", "--store=embedded:data")
        self.assertEqual(code, 70, err)
        self.assertIn("cannot write to standard output", err)
        self.assertEqual(self.store_bytes(), before)

    def test_a_closed_input_is_an_error_and_not_a_wait(self):
        code, _, err = self.shell("<&-", "explain", "guanzhu.yaml")
        self.assertNotEqual(code, 0)
        self.assertIn("cannot be read", err)
        code, _, err = self.shell("<&-", "publish", "t", f"--kafka={NOBODY}", "--connect_timeout_s=1")
        self.assertEqual(code, 69, err)

    def test_log_lines_of_a_run_without_descriptors_are_in_no_file_of_the_store(self):
        code, _, _ = self.shell("<&- >&- 2>&-", *self.run_words())
        self.assertEqual(code, 0)
        for name in os.listdir(os.path.join(self.dir, "data")):
            with open(os.path.join(self.dir, "data", name), "rb") as content:
                self.assertNotIn(b"index fensi: 199 events", content.read(), name)
        self.assertEqual(len(self.succeeds("scan", "fensi", "--store=embedded:data").lines), 199)

    def store_bytes(self):
        folder = os.path.join(self.dir, "data")
        return sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder))


harness.main()
