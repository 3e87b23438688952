"""The servers' jars: resolved by Maven once for each pom.xml and shared by all stacks of this user, so that the
second `up` needs no network."""
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys

from .errors import StackError

HERE = os.path.dirname(os.path.realpath(__file__))


def cache_root():
    return os.path.abspath(os.environ.get("FENSI_CACHE") or os.path.expanduser("~/.cache/fensi"))


def folder(product):
    """The folder with the jars of `product` ("hbase", "kafka"); copies them on first use, under a lock."""
    pom = os.path.join(HERE, product, "pom.xml")
    with open(pom, "rb") as source:
        digest = hashlib.sha256(source.read()).hexdigest()[:16]
    parent = os.path.join(cache_root(), "stack")
    target = os.path.join(parent, "%s-%s" % (product, digest))
    if os.path.isdir(target):
        return target
    try:
        os.makedirs(parent, exist_ok=True)
    except OSError as problem:
        raise StackError("the jars of the servers cannot be kept in %s (%s); set FENSI_CACHE to a folder that can be written"
                         % (parent, problem.strerror)) from problem
    with open(os.path.join(parent, product + ".lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.isdir(target):
            _copy(product, pom, target)
    return target


def _copy(product, pom, target):
    """Fills a folder beside the target and renames it, so that an interrupted copy is never taken for a whole one."""
    if shutil.which("mvn") is None:
        raise StackError("Maven is not installed; run: deploy/install stack")
    print("devstack: fetching the jars of %s into %s (once)" % (product, target), file=sys.stderr, flush=True)
    partial = target + ".partial"
    shutil.rmtree(partial, ignore_errors=True)
    # A download whose checksum is wrong or missing fails; by itself Maven only warns.
    command = ["mvn", "-B", "-q", "--strict-checksums", "-f", pom, "dependency:copy-dependencies", "-DincludeScope=runtime",
               "-DoutputDirectory=" + partial]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    if done.returncode != 0:
        raise StackError("Maven could not fetch the jars of %s (is the network reachable?):\n%s" % (product, done.stdout[-3000:]))
    os.rename(partial, target)
