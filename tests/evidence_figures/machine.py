"""What a figure was made on and of: the commit, the machine, the versions."""
import os
import platform
import re
import subprocess

from . import ROOT


def _said(*words):
    done = subprocess.run(words, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def commit():
    """With "+changes" behind it if a file of the tree differs from it, but for the page that is written here."""
    changed = [line for line in _said("git", "status", "--porcelain").splitlines() if not line.endswith("docs/evidence.md")]
    return (_said("git", "rev-parse", "HEAD") or "unknown") + ("+changes" if changed else "")


def _field(path, name):
    with open(path, encoding="ascii", errors="replace") as text:
        found = re.search(r"^%s\s*:\s*(.*)$" % re.escape(name), text.read(), re.M)
    return found.group(1) if found else ""


def machine():
    return {"processor": _field("/proc/cpuinfo", "model name"), "cores": os.cpu_count(),
            "memory_gib": round(int(_field("/proc/meminfo", "MemTotal").split()[0]) / (1 << 20), 1), "system": platform.platform()}


def versions():
    fensi = _said(os.environ["FENSI_BIN"], "version").splitlines()
    return {"fensi": fensi[0] if fensi else "", "compiler": _said("c++", "--version").split("\n", maxsplit=1)[0],
            "python": platform.python_version(), "servers": _said(os.path.join("deploy", "devstack"), "status").split("\n", maxsplit=1)[0]}
