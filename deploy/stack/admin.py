"""The client of DevAdmin.java: one line out, one line back."""
import socket

from .errors import StackError


def send(settings, line, timeout_s=300):
    """(True, text) for "ok text", (False, text) for "error text"; StackError if the admin process cannot be asked."""
    try:
        with socket.create_connection(("127.0.0.1", settings.ports["admin"]), min(timeout_s, 10)) as connection:
            connection.settimeout(timeout_s)
            connection.sendall(line.encode() + b"\n")
            reply = connection.makefile("r", encoding="utf-8").readline().rstrip("\n")
    except OSError as problem:
        raise StackError("the admin process at %s does not answer (%s); see: deploy/devstack status"
                         % (settings.address("admin"), problem)) from problem
    word, _, text = reply.partition(" ")
    if word not in ("ok", "error"):
        raise StackError("the admin process closed the connection while it worked on: " + line)
    return word == "ok", text
