#!/usr/bin/env python3
"""The fault proxy finds a write in flight also where all connections wait for answers, as on a slow machine."""
import socket
import struct
import unittest

from lib.proxy import Proxy
from lib.wait import until


def call(name):
    """How a call of Thrift begins."""
    return struct.pack(">II", 0x80010001, len(name)) + name.encode() + bytes(12)


class ProxyTest(unittest.TestCase):
    def setUp(self):
        gateway = self.enterContext(socket.create_server(("127.0.0.1", 0)))
        self.proxy = self.enterContext(Proxy(gateway.getsockname()[1]))
        self.client = self.enterContext(socket.create_connection(("127.0.0.1", self.proxy.port)))
        self.gateway = self.enterContext(gateway.accept()[0])

    def sends(self, name):
        self.client.sendall(call(name))
        self.gateway.recv(100)

    def test_a_write_that_was_sent_before_is_held(self):
        self.sends("putMultiple")
        self.assertEqual(self.proxy.try_to_hold_a_write(), 1)
        self.gateway.sendall(b"answer")
        until("the answer is held", lambda: self.proxy.traffic().replies_held == 1)
        self.assertEqual(self.proxy.try_to_hold_a_write(), 1)
        self.proxy.release()
        self.assertEqual(self.client.recv(100), b"answer")
        self.assertEqual(self.proxy.try_to_hold_a_write(), 0)

    def test_a_read_or_a_connection_that_has_ended_is_none(self):
        self.sends("getMultiple")
        self.assertEqual(self.proxy.try_to_hold_a_write(), 0)
        self.sends("putMultiple")
        self.client.close()
        until("the end is seen", lambda: self.proxy.tell("unanswered") == "")
        self.assertEqual(self.proxy.try_to_hold_a_write(), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
