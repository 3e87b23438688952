#!/usr/bin/env python3
"""A run that a service manager started tells it so, as sd_notify(3) says; nothing else changes."""
import os
import select
import signal
import socket
import subprocess

from harness import DEADLINE_S, FENSI, CliTest, main

MAPPING = "source: s\nindexes:\n  i: {table: i, row: '{f:c}', columns: {'f:{row}': ''}}\n"


class ServiceTest(CliTest):
    def setUp(self):
        super().setUp()
        self.mapping = self.file("m.yaml", MAPPING)
        self.words = ["run", self.mapping, "--source", "file:-", "--store", "embedded:store"]

    def next(self, manager):
        self.assertTrue(select.select([manager], [], [], DEADLINE_S)[0], "it says nothing")
        return manager.recv(4096).decode()

    def test_it_says_that_it_is_ready_lives_and_ends(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(os.path.join(self.dir, "notify"))
            variables = {**os.environ, "NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "400000"}
            with subprocess.Popen([FENSI, *self.words], cwd=self.dir, env=variables, stdin=subprocess.PIPE,
                                  stderr=subprocess.PIPE) as process:
                self.assertEqual(self.next(manager), "READY=1\n")
                for _ in range(3):
                    self.assertIn("WATCHDOG=1\n", self.next(manager))
                process.send_signal(signal.SIGTERM)
                while "STOPPING=1\n" not in (said := self.next(manager)):
                    self.assertIn("WATCHDOG=1\n", said)
                process.wait(timeout=DEADLINE_S)  # its input is open: an end of it would be another end
                self.assertEqual(process.returncode, 75)

    def test_a_manager_that_went_is_no_fault(self):
        for place in (os.path.join(self.dir, "gone"), "@gone-fensi", "nonsense", "/" + "x" * 300):
            self.assertEqual(self.fensi(*self.words, variables={"NOTIFY_SOCKET": place, "WATCHDOG_USEC": "0"}).code, 0, place)


main()
