"""A gateway at which a command dies: by kill -9 when the reply of a call of one of some names has come, the first or a later one, so that
the call is done and nobody knows of it."""
import os
import select
import socket
import subprocess
import threading

from .program import FENSI


class DeadlyGateway:
    """For one command after the other. Leaving the `with` block ends it."""

    def __init__(self, calls):
        self._calls = [name.encode() for name in calls]
        host, _, port = os.environ["FENSI_TEST_HBASE"].rpartition(":")
        self._target = host, int(port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._process, self.died_at, self._spared = None, None, 0
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._listener.close()

    def url(self):
        return "thrift://127.0.0.1:%d" % self._listener.getsockname()[1]

    def run(self, *words, spared=0):
        """The exit code and what was said, or None and the name of the call at which it died. `spared`: so many calls are let pass."""
        self.died_at, self._spared = None, spared
        self._process = subprocess.Popen([FENSI, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT, text=True)
        said, _ = self._process.communicate(timeout=120)
        return (None, self.died_at) if self.died_at else (self._process.returncode, said)

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        """Both ways, in pieces as they come: a reply may have many."""
        with client, socket.create_connection(self._target) as gateway:
            called = None
            try:
                while True:
                    ready, _, _ = select.select([gateway, client], [], [])
                    piece = ready[0].recv(1 << 20)
                    if ready[0] is client:
                        called = self._named(piece) or called
                    elif called:
                        self.died_at = called
                        self._process.kill()
                        return
                    if not piece:
                        return
                    (gateway if ready[0] is client else client).sendall(piece)
            except OSError:
                return  # of a command that has ended

    def _named(self, piece):
        """The deadly call that begins here. What fensi asks a server or a region changes nothing, and is asked at each start."""
        name = next((name.decode() for name in self._calls if name in piece[:40] and b"\0fensi: " not in piece), None)
        if name and self._spared:
            self._spared -= 1
            return None
        return name
