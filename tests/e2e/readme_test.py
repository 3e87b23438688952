#!/usr/bin/env python3
"""Runs every command line of README.md: `sh` blocks without servers, `sh servers` blocks against the running stack.

    readme_test.py local | servers
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from lib import stack

ROOT = os.environ["FENSI_ROOT"]
FENSI = os.environ["FENSI_BIN"]


def blocks(kind):
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as source:
        return re.findall(r"^```%s\n(.*?)^```$" % re.escape(kind), source.read(), re.M | re.S)


def prepare(scratch):
    """The README writes below /tmp; here that is a folder of this test's own."""
    return lambda text: text.replace("/tmp/fensi-", scratch + "/fensi-")


def run(script, scratch):
    environment = dict(os.environ, PATH=os.path.dirname(FENSI) + ":" + os.environ["PATH"])
    done = subprocess.run(["bash", "-euxo", "pipefail", "-c", script], cwd=ROOT, env=environment, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    print(done.stdout, done.stderr, sep="\n")
    if done.returncode != 0:
        sys.exit("a command of README.md failed with exit code %d" % done.returncode)
    return done.stdout


# A backfill is refused until the daemon has begun and its index has a mark.
PROOF = """
for try in $(seq 120); do
  if %(backfill)s; then break; else [ $? = 78 ]; fi
  sleep 0.5
done
%(verify)s
echo 'put a f1:from b' | deploy/devstack client guanzhu
for try in $(seq 240); do
  if %(lookup)s | grep f1:a; then break; fi
  sleep 0.5
done
%(verify)s
kill %%1 %%2
wait
"""


def captured(addresses):
    """A table with a row; what the commands leave to the HBase shell is done before, and a client puts another row."""
    stack.drop_tables("fensi", "fensi_state", "guanzhu")
    stack.admin("forget", "guanzhu", "fensi-fensi")
    stack.admin("forget", "fensi.requests", "no-such-group")
    stack.admin("create", "guanzhu", "f1,REPLICATION_SCOPE=1")
    run("echo 'put before f1:from b' | deploy/devstack client guanzhu", None)
    zookeeper = os.environ["FENSI_TEST_ZOOKEEPER"]
    stack.admin("add_peer", "readme", zookeeper + ":/fensi", "hbase.replication.source.maxthreads=1", "guanzhu")
    try:
        (block,) = blocks("sh capture")
        *commands, backfill, verify, lookup = block.strip().split("\n")
        proof = PROOF % {"backfill": backfill, "verify": verify, "lookup": lookup}
        out = run(addresses + "ZOOKEEPER=%s\n" % zookeeper + "\n".join(commands) + proof, None)
        assert "1 row of table guanzhu scanned and applied; phase live" in out, "the backfill did not bring the row in"
        assert "0 differences among 1 source row" in out, "after the backfill the index is not what its source says"
        assert "f1:a" in out, "what was put into HBase is not in the index"
        assert "0 differences among 2 source rows" in out, "the index is not what its source says"
    finally:
        stack.admin("remove_peer", "readme")


def main():
    kind = sys.argv[1]
    local = blocks("sh")
    servers = blocks("sh servers")
    if not local or not servers:
        sys.exit("README.md has no command lines any more; this test must follow it")
    scratch = tempfile.mkdtemp(prefix="fensi-readme-")
    try:
        own = prepare(scratch)
        out = run(own("\n".join(local)), scratch)
        assert "f1:a" in out, "the lookup of the first index shows no follower"
        if kind == "servers":
            # The names are not new in each run, so what an earlier run left on these servers goes first.
            stack.drop_tables("fensi", "fensi_state")
            stack.admin("forget", "guanzhu", "fensi-fensi")
            addresses = "GATEWAY=%s BROKER=%s\n" % (os.environ["FENSI_TEST_HBASE"], os.environ["FENSI_TEST_KAFKA"])
            out = run(addresses + own("\n".join(servers)), scratch)
            assert "f1:a" in out, "the lookup on real servers shows no follower"
            captured(addresses)
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
