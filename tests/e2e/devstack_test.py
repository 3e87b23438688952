#!/usr/bin/env python3
"""The development stack keeps its promises: each server alone can be killed, stopped and paused, and nothing
acknowledged is lost."""
import concurrent.futures
import os
import socket
import tempfile
import threading
import unittest
import unittest.mock

from lib import stack
from lib.wait import until

TABLE = "devstack_test"


def gateway_is_silent(patience_s):
    """True if the gateway takes a connection but answers nothing within this time."""
    host, port = os.environ["FENSI_TEST_HBASE"].split(":")
    call = bytes.fromhex("80010001000000166765745461626c654e616d657342795061747465726e000000010b000100000001780200020000")
    with socket.create_connection((host, int(port)), 30) as connection:
        connection.sendall(call)
        connection.settimeout(patience_s)
        try:
            return connection.recv(1) == b""
        except socket.timeout:
            return True


class DevstackTest(unittest.TestCase):
    def setUp(self):
        stack.drop_tables(TABLE)
        stack.admin("create", TABLE, "f1", "@" + b"00001000".hex())

    def tearDown(self):
        stack.devstack("up")
        stack.drop_tables(TABLE)

    def test_acknowledged_writes_survive_a_killed_hbase(self):
        stack.admin("fill", TABLE, "f1", 2000)
        stack.devstack("kill", "hbase")
        self.assertEqual(stack.devstack("status", check=False), 1)
        stack.devstack("start", "hbase")
        # The regions of the killed server are given to the new one a moment after it is up.
        until("all rows after the kill", self.all_rows_are_there, 180, 1)

    @staticmethod
    def all_rows_are_there():
        try:
            return stack.admin("count", TABLE) == "2000 rows 2000 cells"
        except AssertionError as not_yet:
            print(not_yet)
            return False

    def test_every_server_comes_back_after_kill(self):
        for server in ("gateway", "kafka", "admin"):
            stack.devstack("kill", server)
            stack.devstack("start", server)
        self.assertEqual(stack.devstack("status"), 0)

    def test_the_admin_process_obeys_its_owner_only(self):
        host, port = os.environ["FENSI_TEST_ADMIN"].split(":")
        for first in ("", "ping\n", "0" * 32 + "\n", stack.admin_secret()[:-1] + "\n"):
            with socket.create_connection((host, int(port)), 30) as stranger:
                stranger.sendall((first + "drop %s\nping\n" % TABLE).encode())
                answer = stranger.makefile("r", encoding="utf-8").read()
            self.assertRegex(answer, "^error this stack obeys its owner only[^\n]*\n$")
        self.assertIn(TABLE, stack.admin("tables"))

    def test_a_paused_gateway_is_silent_and_goes_on_when_resumed(self):
        self.assertFalse(gateway_is_silent(60))
        stack.devstack("pause", "gateway")
        self.assertTrue(gateway_is_silent(2))
        self.assertEqual(stack.devstack("status", check=False), 1)
        stack.devstack("resume", "gateway")
        self.assertFalse(gateway_is_silent(60))

    def test_compact_waits_until_old_versions_are_gone(self):
        stack.admin("fill", TABLE, "f1", 10)
        stack.admin("fill", TABLE, "f1", 10)
        self.assertEqual(stack.admin("dump", TABLE, "/dev/null", "raw"), "20")
        stack.admin("compact", TABLE)
        self.assertEqual(stack.admin("dump", TABLE, "/dev/null", "raw"), "10")

    def test_a_refused_command_does_not_disturb_those_of_others(self):
        ended = threading.Event()

        def be_refused():
            refused = 0
            while not ended.is_set():
                with self.assertRaisesRegex(AssertionError, "TableNotFound"):
                    stack.admin("count", "no_such_table")
                refused += 1
            return refused

        with concurrent.futures.ThreadPoolExecutor() as threads:
            others = threads.submit(be_refused)
            try:
                stack.admin("fill", TABLE, "f1", 10)
                for _ in range(3):
                    stack.admin("compact", TABLE)
            finally:
                ended.set()
            self.assertGreater(others.result(), 3)

    def test_split_adds_a_region(self):
        stack.admin("fill", TABLE, "f1", 2000)
        stack.admin("split", TABLE, b"00001500".hex())
        self.assertEqual(len(stack.admin("regions", TABLE).split("\n")), 3)
        self.assertEqual(stack.admin("count", TABLE), "2000 rows 2000 cells")


class OddPlaceTest(unittest.TestCase):
    def test_a_stack_works_in_a_folder_with_blanks_commas_and_chinese_letters_in_the_c_locale(self):
        with tempfile.TemporaryDirectory() as scratch, unittest.mock.patch.dict(os.environ, {"LC_ALL": "C", "LANG": "C"}):
            with stack.own_stack(os.path.join(scratch, "a b,c'中文$(touch x)")):
                stack.admin("create", TABLE, "f1")
                stack.admin("fill", TABLE, "f1", 10)
                self.assertEqual(stack.admin("count", TABLE), "10 rows 10 cells")
                stack.admin("topic", TABLE, 2)
                for server in ("hbase", "kafka"):
                    stack.devstack("stop", server)
                stack.devstack("up")
                self.assertEqual(stack.admin("count", TABLE), "10 rows 10 cells")


if __name__ == "__main__":
    unittest.main(verbosity=2)
