"""Prometheus and its promtool: of the PATH, or of Debian's package, which is unpacked below build/ and not installed:
installed, it would start a Prometheus on port 9090, which is the gateway's."""
import fcntl
import os
import shutil
import subprocess
import tempfile

ROOT = os.environ["FENSI_ROOT"]


def tool(name):
    """The path of `prometheus` or `promtool`, or None where apt cannot bring it."""
    found = shutil.which(name)
    if found:
        return found
    folder = os.path.join(ROOT, "build/prometheus")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "lock"), "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        path = os.path.join(folder, "package/usr/bin", name)
        if not os.path.exists(path) and not _unpack(folder):
            return None
    return path


def _unpack(folder):
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        got = subprocess.run(["apt-get", "download", "prometheus"], cwd=scratch, capture_output=True, check=False)
        packages = [name for name in os.listdir(scratch) if name.endswith(".deb")]
        if got.returncode != 0 or not packages:
            return False
        subprocess.run(["dpkg", "-x", os.path.join(scratch, packages[0]), os.path.join(scratch, "x")], check=True)
        shutil.rmtree(os.path.join(folder, "package"), ignore_errors=True)
        os.replace(os.path.join(scratch, "x"), os.path.join(folder, "package"))
    return True
