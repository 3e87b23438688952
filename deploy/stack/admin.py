"""The client of DevAdmin.java: the stack's secret, then one line out, one line back."""
import os
import secrets
import socket

from .errors import StackError


# In the stack's folder: whoever may read it, its owner alone, is obeyed.
SECRET = os.path.join("run", "admin.secret")


def make_secret(settings):
    """Once for each stack; whole or not at all."""
    path = settings.path(SECRET)
    if os.path.exists(path):
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    partial = path + ".partial"
    with open(partial, "w", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o600)) as out:
        os.fchmod(out.fileno(), 0o600)
        out.write(secrets.token_hex(16) + "\n")
    os.replace(partial, path)


def secret(settings):
    with open(settings.path(SECRET), encoding="ascii") as source:
        return source.read().strip()


def send(settings, line, timeout_s=300):
    """(True, text) for "ok text", (False, text) for "error text"; StackError if the admin process cannot be asked."""
    try:
        with socket.create_connection(("127.0.0.1", settings.ports["admin"]), min(timeout_s, 10)) as connection:
            connection.settimeout(timeout_s)
            connection.sendall(("%s\n%s\n" % (secret(settings), line)).encode())
            reply = connection.makefile("r", encoding="utf-8").readline().rstrip("\n")
    except OSError as problem:
        raise StackError("the admin process at %s does not answer (%s); see: deploy/devstack status"
                         % (settings.address("admin"), problem)) from problem
    word, _, text = reply.partition(" ")
    if word not in ("ok", "error"):
        raise StackError("the admin process closed the connection while it worked on: " + line)
    return word == "ok", text
