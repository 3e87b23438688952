"""A gateway that takes connections and says nothing, or a byte now and then: commands end in their time, and a stop too."""
import contextlib
import os
import signal
import socket
import subprocess
import threading
import time

import harness
from follow import MAPPING

SLACK_S = 15  # a busy machine; a call has a minute, a first contact of `run` 30 s
BEGIN_OF_A_REPLY = b"\x80\x01\x00\x02" + b"\x00\x00\x04\x00" + b"n" * 1024  # to a call with a long name


class Gateway:
    """Takes connections for as long as it is open; `says` is sent to each at once, and `drip` byte by byte."""

    def __init__(self, drip=b"", says=b""):
        self._says, self._drip, self._open, self._clients = says, drip, threading.Event(), []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = "thrift://127.0.0.1:%d" % self._listener.getsockname()[1]
        self.met = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self):
        self._listener.settimeout(0.1)
        while not self._open.wait(0.3):
            with contextlib.suppress(TimeoutError):
                self._clients.append([self._listener.accept()[0], 0])
                self._clients[-1][0].sendall(self._says)
                self.met.set()
            for client in self._clients:
                with contextlib.suppress(OSError):
                    client[1] += client[0].send(self._drip[client[1]:client[1] + 1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._open.set()
        self._thread.join()
        for client, _ in self._clients:
            client.close()
        self._listener.close()


class OtherServers(harness.CliTest):
    """What answers is no gateway. Its first bytes, read as the length of a name, are a gigabyte and more."""
    MOST_MIB = 200

    def test_no_memory_is_taken_for_a_length(self):
        reply = b"\x80\x01\x00\x02" + b"\x7f\xff\xff\xff" + b"n" * 1024
        for says in (b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n", reply):
            with Gateway(says=says) as gateway:
                process = subprocess.Popen([harness.FENSI, "scan", "t", "--store=" + gateway.url, "--connect_timeout_s=2"],
                                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                said = process.stderr.read()
                _, status, used = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                process.stderr.close()
                self.assertEqual(process.returncode, 69, said)
                self.assertLess(used.ru_maxrss >> 10, self.MOST_MIB, says)


class SilentGateway(harness.CliTest):
    def ends_in_time(self, gateway):
        begin = time.monotonic()
        outcome = self.refuses(69, "scan", "t", "--store=" + gateway.url, "--connect_timeout_s=2",
                               says=(gateway.url.removeprefix("thrift://"), "no answer within 2 s"))
        self.assertNotIn("EAGAIN", outcome.err)
        self.assertLess(time.monotonic() - begin, 2 + SLACK_S)

    def test_a_short_command_waits_no_longer_than_asked(self):
        with Gateway() as gateway:
            self.ends_in_time(gateway)

    def test_a_dripping_gateway_holds_it_no_longer(self):
        with Gateway(drip=BEGIN_OF_A_REPLY) as gateway:
            self.ends_in_time(gateway)

    def test_run_stops_at_once_when_nothing_was_reached_yet(self):
        mapping = self.file("guanzhu.yaml", MAPPING)
        with Gateway() as gateway:
            run = subprocess.Popen([harness.FENSI, "run", mapping, "--source=kafka://127.0.0.1:1", "--store=" + gateway.url],
                                   stderr=subprocess.PIPE, cwd=self.dir)
            self.assertTrue(gateway.met.wait(harness.DEADLINE_S))
            begin = time.monotonic()
            run.send_signal(signal.SIGTERM)
            _, said = run.communicate(timeout=harness.DEADLINE_S)
            self.assertEqual(run.returncode, 0, said)
            self.assertLess(time.monotonic() - begin, SLACK_S)


harness.main()
