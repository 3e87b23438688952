#!/usr/bin/env python3
"""Runs every command line of README.md and compares what it prints with what stands there: `sh` blocks without servers,
`sh servers` and `sh capture` blocks against the running stack; there also those of docs/redefinition.md and docs/read-your-writes.md.

    readme_test.py local | servers
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from lib import shown, stack

ROOT = os.environ["FENSI_ROOT"]
FENSI = os.environ["FENSI_BIN"]
# How the page calls the servers.
GATEWAY, BROKER, ZOOKEEPER = "127.0.0.1:9090", "127.0.0.1:9092", "127.0.0.1:2181"


def page(name="README.md"):
    with open(os.path.join(ROOT, name), encoding="utf-8") as source:
        return source.read()


def own(text, scratch):
    """The README writes below /tmp; here that is a folder of this test's own."""
    return text.replace("/tmp/fensi-", scratch + "/fensi-")


def on_stack(text):
    """With the servers of this stack in the place of those of the page."""
    for there, variable in ((GATEWAY, "FENSI_TEST_HBASE"), (BROKER, "FENSI_TEST_KAFKA"), (ZOOKEEPER, "FENSI_TEST_ZOOKEEPER")):
        text = text.replace(there, "<%s>" % variable)
    return re.sub(r"<(FENSI_TEST_\w+)>", lambda name: os.environ[name[1]], text)


def run(script):
    """What it prints, and what it says, as both come on a terminal."""
    environment = dict(os.environ, PATH=os.path.dirname(FENSI) + ":" + os.environ["PATH"])
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out:  # of a pipe nobody would see the end while a daemon runs
        code = subprocess.run(["timeout", "250", "stdbuf", "-oL", "bash", "-euo", "pipefail", "-c", script], cwd=ROOT,
                              env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, check=False).returncode
        out.seek(0)
        printed = out.read()
    print(printed)
    if code != 0:
        sys.exit("a command of README.md failed with exit code %d" % code)
    return printed


def compare(pairs, output, names):
    found = shown.differences(pairs, output, names)
    if found:
        sys.exit("README.md shows what is not so:\n" + "\n\n".join(found))


# A backfill is refused until the daemon has begun and its index has a mark.
PROOF = """
for try in $(seq 120); do
  if %(backfill)s; then break; else [ $? = 78 ]; fi
  sleep 0.5
done
%(verify)s
%(lookup)s
echo 'put a f1:from b' | deploy/devstack client guanzhu
for try in $(seq 240); do
  if %(lookup)s | grep f1:a; then break; fi
  sleep 0.5
done
%(verify)s
%(curl)s
%(more)s
kill $(jobs -p)
wait
trap - EXIT
"""


def questions(log):
    """The lines for curl, with the daemon's own place in them: the ports of the page may be somebody else's."""
    lines = re.findall(r"^    (curl .*)$", page(), re.M)
    assert lines, "README.md asks no daemon any more; this test must follow it"
    place = "$(grep -o 'http://[^/]*/metrics' %s | tail -n 1 | cut -d / -f 3)" % log
    return "\n".join(re.sub(r"127\.0\.0\.1:\d+", place, line).replace("curl ", "curl -sSf ") for line in lines)


# The index of docs/redefinition.md, and its successor.
FANS = """source: guanzhu
indexes:
  fans: { table: fans, row: '{f1:from}', columns: { 'f1:{row}': 'first' } }
  fans-2: { table: fans_2, row: '{f1:from}', columns: { 'f1:{row}': 'second' } }
"""
ANEW = """
cd %(scratch)s
%(begin)s
for try in $(seq 120); do
  if %(backfill)s; then break; else [ $? = 78 ]; fi
  sleep 0.5
done
%(rest)s
fensi switch fans.yaml fans --remove --store hbase://127.0.0.1:9090 --execute
"""


def other_pages(scratch, log):
    """What docs/read-your-writes.md and docs/redefinition.md show, run beside the capture and the daemon of the README."""
    with open(os.path.join(scratch, "fans.yaml"), "w", encoding="utf-8") as out:
        out.write(FANS)
    shutil.copy(os.path.join(ROOT, "deploy/examples/guanzhu-wide-from.yaml"), os.path.join(scratch, "guanzhu.yaml"))
    begin, filled, *rest = [block for block, _ in shown.blocks(page("docs/redefinition.md"), "sh")]
    assert len(rest) == 2, "docs/redefinition.md has other steps now; this test must follow it"
    ((waits, _),) = shown.blocks(page("docs/read-your-writes.md"), "sh")
    backfill, verify = filled.strip().split("\n")
    script = ANEW % {"scratch": scratch, "begin": begin.replace(" &", " 2>>%s &" % log), "backfill": backfill,
                     "rest": "\n".join([verify, *rest, waits])}
    return on_stack(script)


def captured(names, scratch):
    """A table with a row; what the commands leave to the HBase shell is done before, and a client puts another row."""
    stack.drop_tables("fensi", "fensi_state", "guanzhu", "fans", "fans_state", "fans_2", "fans_2_state")
    stack.admin("forget", "guanzhu", "fensi-fensi")
    stack.admin("forget", "fans-2.requests", "fensi-fans-2")
    stack.admin("forget", "fensi.requests", "no-such-group")
    stack.admin("create", "guanzhu", "f1,REPLICATION_SCOPE=1")
    run("echo 'put before f1:from b' | deploy/devstack client guanzhu")
    zookeeper = os.environ["FENSI_TEST_ZOOKEEPER"]
    # A new peer gets all of a server's newest log: what an earlier run put into its table of this name would come, too.
    stack.admin("roll_logs")
    stack.admin("add_peer", "readme", zookeeper + ":/fensi", "hbase.replication.source.maxthreads=1", "guanzhu")
    log = os.path.join(scratch, "daemons.log")
    try:
        ((block, printed),) = shown.blocks(page(), "sh capture")
        *commands, backfill, verify, lookup = on_stack(block).strip().split("\n")
        started = "".join(re.sub(r" &$", " 2>>%s &" % log, line) + "\n" for line in commands)
        proof = PROOF % {"backfill": backfill, "verify": verify, "lookup": lookup, "curl": questions(log),
                         "more": other_pages(scratch, log)}
        out = run("trap 'kill $(jobs -p) || true' EXIT\n" + started + proof)
        missing = [line for line in shown.settled(printed, names).splitlines()
                   if line != shown.ANYTHING and line not in shown.settled(out, names).splitlines()]
        assert not missing, "README.md shows what was not printed: %s" % missing
        assert "f1:a" in out, "what was put into HBase is not in the index"
        assert "0 differences among 2 source rows" in out, "the index is not what its source says"
        assert "fensi_build_info" in out, "the daemon shows no metrics"
        assert "b\tf1:a\t" in out and "\tsecond\n" in out, "the successor is not read by the alias"
        assert "index fans is gone" in out, "the former index is still there"
    finally:
        stack.admin("remove_peer", "readme")


def on_servers(scratch):
    # The names are not new in each run, so what an earlier run left on these servers goes first.
    stack.drop_tables("fensi", "fensi_state")
    stack.admin("forget", "guanzhu", "fensi-fensi")
    names = {os.environ["FENSI_TEST_HBASE"]: GATEWAY, os.environ["FENSI_TEST_KAFKA"]: BROKER, scratch + "/": "/tmp/"}
    pairs = shown.blocks(page(), "sh servers")
    assert pairs, "README.md has no command lines for servers any more; this test must follow it"
    compare(pairs, run(own(on_stack(shown.marked(pairs)), scratch)), names)
    captured(names, scratch)


def main():
    scratch = tempfile.mkdtemp(prefix="fensi-readme-")
    try:
        pairs = shown.blocks(page(), "sh")
        assert len(pairs) > 4 and all(printed for _, printed in pairs), "README.md has lines of which it shows nothing"
        compare(pairs, run(own(shown.marked(pairs), scratch)), {scratch + "/": "/tmp/"})
        if sys.argv[1] == "servers":
            on_servers(scratch)
        else:
            subprocess.run(["deploy/draw_picture.py", FENSI, "--check"], cwd=ROOT, check=True)
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
