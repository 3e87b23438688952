#!/usr/bin/env python3
"""All that depends on the versions of the servers, on each pair of them: the contract of a store, the main job, each kind of change,
captures that are killed, a backfill, and whether "complete up to a time" is true. `tests/run --versions` starts it; with
FENSI_ACCEPT=1 it keeps which pairs were exact, for docs/versions.md and README.md. Arguments: HBASE/KAFKA of the pairs to try (all)."""
import datetime
import os
import subprocess
import sys
import tempfile
import time

from lib import server_table, stack
from lib.captured import Captured
from lib.program import FENSI, fensi
from lib.wait import until

HERE = os.path.dirname(os.path.realpath(__file__))
LOGS = os.path.join(stack.ROOT, "build", "versions")
LONGEST_S = 1800
EDGES = "100000"


def script(name):
    return [sys.executable, os.path.join(HERE, name)]


def contract(name):
    return [os.path.join(os.path.dirname(FENSI), name)]


def tests(pair, markers):
    """(name, command, settings)"""
    # Without markers nothing proves that the stream has begun, and nobody knows up to when it is complete.
    proven = {} if markers else {"FENSI_TEST_UNMARKED": "1"}
    yield "native", contract("native_contract_test"), {}
    yield "by master", [*contract("native_contract_test"), "--gtest_filter=Tables.*:Writes.*"], {"FENSI_TEST_REGISTRY": "rpc"}
    if pair[0] not in server_table.ALONE:
        yield "gateway", contract("hbase_contract_test"), {}
    yield "graph", script("graph_servers_test.py"), {"FENSI_TEST_EDGES": EDGES}
    yield "changes", script("capture_test.py"), {"FENSI_TEST_EDGES": EDGES}
    yield "kills", script("capture_crash_test.py"), {"FENSI_TEST_PEER_RESUMES": "1"} if pair[0] in server_table.QUEUES_IN_TABLE else {}
    yield "backfill", script("backfill_test.py"), proven
    if markers:
        yield "complete", script("freshness_test.py"), {}


# Why an index gets no watermark.
NO_MARKERS = ("no replication markers", "keeps its replication queues in a table")


def markers_come():
    """As `fensi wait` and `fensi capture` find it out, which must say so."""
    with tempfile.TemporaryDirectory() as folder:
        table = Captured(folder, "marks", watermark_interval_ms=1000)
        table.create()
        words = ("wait", table.mapping, table.index, "--store", stack.hbase_url(), "--until=0", "--timeout_s=1")
        try:
            with table.capture() as capture, table.daemon("run"):
                table.change("put a f1:b x")

                def none():
                    return any(words in capture.messages() for words in NO_MARKERS)

                def known():
                    return none() or fensi(*words).returncode == 0
                until("marks, or the word that there are none", known, 300, 1)
                return not none()
        finally:
            table.remove_peer()


def passes(pair, name, command, settings):
    log = os.path.join(LOGS, "%s-%s-%s.log" % (*pair, name.replace(" ", "_")))
    begin = time.monotonic()
    with open(log, "wb") as out:
        code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, timeout=LONGEST_S,
                              env={**os.environ, **settings}, check=False).returncode
    print("  %-10s %4.0f s  %s" % (name, time.monotonic() - begin, "ok" if code == 0 else "FAILED, see " + log), flush=True)
    if code != 0:
        with open(log, encoding="utf-8", errors="replace") as text:
            print(text.read()[-6000:], flush=True)
    return code == 0


def try_pair(pair):
    """Whether all was exact."""
    hbase, kafka = pair
    print("HBase %s, Kafka %s" % pair, flush=True)
    alone = ["--no_gateway"] if hbase in server_table.ALONE else []
    with stack.own_stack(os.path.join(LOGS, "%s-%s" % pair), "--hbase", hbase, "--kafka", kafka, *alone):
        markers = markers_come()
        print("  replication markers: %s" % ("yes" if markers else "none, as fensi capture says"), flush=True)
        failed = [name for name, command, settings in tests(pair, markers) if not passes(pair, name, command, settings)]
    if os.environ.get("FENSI_ACCEPT") == "1":
        server_table.keep(pair, None if failed else {"tried": datetime.date.today().isoformat(), "markers": markers, "native": True})
    return not failed


def main(names):
    pairs = {"/".join(pair): pair for pair in server_table.PAIRS}
    unknown = [name for name in names if name not in pairs]
    if unknown:
        sys.exit("server_versions.py: no such pair: %s (%s)" % (", ".join(unknown), ", ".join(pairs)))
    os.makedirs(LOGS, exist_ok=True)
    good = [try_pair(pairs[name]) for name in names or pairs]
    if os.environ.get("FENSI_ACCEPT") == "1":
        for page in server_table.PAGES:
            server_table.write(page)
        server_table.write_readme()
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
