"""Ready-checks: each asks a server one real question and answers yes or no within a few seconds."""
import socket
import struct

from . import admin
from .errors import StackError

TIMEOUT_S = 5


def kafka_answers(port):
    """True once a metadata answer (version 4) names at least one broker, which Kafka says only of an unfenced one."""
    client = b"devstack"
    body = struct.pack(">hhih", 3, 4, 1, len(client)) + client + struct.pack(">ib", 0, 0)
    answer = _exchange(port, struct.pack(">i", len(body)) + body, 16)
    return answer is not None and struct.unpack(">i", answer[12:16])[0] > 0


def gateway_answers(port):
    """True once getTableNamesByPattern is answered with a result, which needs a master that works."""
    name = b"getTableNamesByPattern"
    call = struct.pack(">Ii", 0x80010001, len(name)) + name + struct.pack(">i", 1)
    call += struct.pack(">bhib", 11, 1, 1, 0x78)  # regex "x"
    call += struct.pack(">bhbb", 2, 2, 0, 0)      # includeSysTables false, end of struct
    answer = _exchange(port, call, 8 + len(name) + 4 + 3)
    if answer is None or answer[3] != 2:  # 2: a reply, not an exception
        return False
    return answer[-2:] == b"\0\0"  # field 0: the list; field 1 is a TIOError


def admin_answers(settings):
    return _admin_ok(settings, "ping")


def hbase_works(settings, started_ms):
    return _admin_ok(settings, "ready %d %d" % (settings.regionservers, started_ms))


def region_server_since(settings, started_ms):
    """True once the master knows a region server that began then or later. Its name ends with that time."""
    try:
        known, names = admin.send(settings, "servers", TIMEOUT_S)
    except StackError:
        return False
    return known and any(int(name.rpartition(",")[2]) >= started_ms for name in names.split("\\n") if name)


def _admin_ok(settings, line):
    try:
        return admin.send(settings, line, TIMEOUT_S)[0]
    except StackError:
        return False


def _exchange(port, request, size):
    """The first `size` bytes of the answer, or None."""
    # Any failure means "not ready yet"; the deadline of who waits turns it into a message.
    answer = b""
    try:
        with socket.create_connection(("127.0.0.1", port), TIMEOUT_S) as connection:
            connection.sendall(request)
            while len(answer) < size:
                piece = connection.recv(size - len(answer))
                if not piece:
                    return None
                answer += piece
    except OSError:
        return None
    return answer
