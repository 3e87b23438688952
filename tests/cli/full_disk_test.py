"""A disk that is full under an embedded store: the run ends and says so, and one with room again ends exact."""
import os
import shlex
import subprocess
import unittest

import harness
from follow import MAPPING, follow

EVENTS = 30_000
KEYS = 97


def key_of(i):
    return "k%d" % (i % KEYS) + "x" * 100


def may_mount():
    return subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True).returncode == 0


class FullDisk(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.file("guanzhu.yaml", MAPPING)
        self.file("events.jsonl", "".join(follow("row%d" % i, key_of(i), i + 1) for i in range(EVENTS)))
        os.mkdir(os.path.join(self.dir, "disk"))

    def on_a_small_disk(self, *steps):
        """Runs the lines of shell with a disk of 8 MB at `disk`; "fensi" is the program."""
        script = "\n".join(["fensi() { %s \"$@\"; }" % shlex.quote(harness.FENSI),
                            "mount -t tmpfs -o size=8m tmpfs disk", *steps])
        return subprocess.run(["unshare", "-rm", "bash", "-e", "-c", script], cwd=self.dir, capture_output=True, text=True,
                              timeout=harness.DEADLINE_S)

    @unittest.skipUnless(may_mount(), "no right to mount")
    def test_the_run_ends_and_says_so_and_is_exact_once_there_is_room(self):
        run = "fensi run guanzhu.yaml --source=file:events.jsonl --store=embedded:disk/data"
        done = self.on_a_small_disk(f"{run} || echo first $?", f"{run} || echo again $?",
                                    "mount -o remount,size=300m disk", run,
                                    "fensi scan fensi --store=embedded:disk/data --json >rows.jsonl")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "first 70\nagain 70\n", done.stderr)
        self.assertIn("the disk is full", done.stderr)
        self.assertEqual(self.read("rows.jsonl").count("f1:row"), EVENTS)


harness.main()
