"""HTTP over a Unix socket, as an admin server with `--admin unix:PATH` speaks it."""
import http.client
import socket


def listens(path):
    """Whether a server takes connections at this path. The path exists a moment before the server listens."""
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(path)
        except (FileNotFoundError, ConnectionRefusedError):
            return False
    return True


class OverUnix(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=30)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(30)
        self.sock.connect(self.path)
