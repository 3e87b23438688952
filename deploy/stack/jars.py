"""The servers' jars: resolved by Maven once for each pom.xml and version, and shared by all stacks of this user, so that
the second `up` needs no network."""
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys

from .errors import StackError
from .versions import NAMES

HERE = os.path.dirname(os.path.realpath(__file__))


def cache_root():
    return os.path.abspath(os.environ.get("FENSI_CACHE") or os.path.expanduser("~/.cache/fensi"))


def folder(product, version, pom=None):
    """The folder with the jars of `product` ("hbase", "kafka") in that version; copies them on first use, under a lock. `pom`: a
    file that names further jars, instead of the one beside this file."""
    pom = pom or os.path.join(HERE, product, "pom.xml")
    with open(pom, "rb") as source:
        digest = hashlib.sha256(source.read()).hexdigest()[:16]
    parent = os.path.join(cache_root(), "stack")
    target = os.path.join(parent, "%s-%s-%s" % (product, version, digest))
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
            _copy(product, version, pom, target)
    return target


def _copy(product, version, pom, target):
    """Fills a folder beside the target and renames it, so that an interrupted copy is never taken for a whole one."""
    if shutil.which("mvn") is None:
        raise StackError("Maven is not installed; run: deploy/install stack")
    print("devstack: fetching the jars of %s %s into %s (once)" % (NAMES.get(product, product), version, target), file=sys.stderr, flush=True)
    partial = target + ".partial"
    shutil.rmtree(partial, ignore_errors=True)
    # A download whose checksum is wrong or missing fails; by itself Maven only warns.
    command = ["mvn", "-B", "-q", "--strict-checksums", "-f", pom, "-D%s.version=%s" % (product, version),
               "dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory=" + partial]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    if done.returncode != 0:
        raise StackError(_why_not(product, version, done.stdout))
    os.rename(partial, target)


def _why_not(product, version, said):
    """A version that was never published is no fault of the network; asked again, Maven answers from its memory."""
    own = r"[\w.-]+:([\w.-]+):(?:jar|pom):%s" % re.escape(version)
    missing = set(re.findall("Could not find artifact %s in" % own, said) + re.findall(own + r" was not found in", said))
    if missing == {"hbase-thrift"}:
        return "Maven has no Thrift2 gateway of HBase %s; leave the gateway out (--no_gateway), or name another version: --hbase VERSION" % version
    if missing:
        return "Maven knows no %s %s; name a version that was published: --%s VERSION" % (NAMES.get(product, product), version, product)
    return "Maven could not fetch the jars of %s %s (is the network reachable?):\n%s" % (NAMES.get(product, product), version, said[-3000:])
