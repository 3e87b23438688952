#!/usr/bin/env python3
"""Writes a graph of follows as change events, one JSON object a line: the row is the follower, one put for each followed user.

    deploy/graph_to_events.py tests/data/slashdot-follow.csv.gz > events.jsonl

Line n of the graph gets the timestamp 1482125382000 + n, so that every cell of the index can be told from every other."""
import argparse
import gzip
import signal
import sys

FIRST_TIMESTAMP = 1482125382000
EVENT = ('{"table":"%s","row":"%s","cells":[{"type":"put","column":"f1:%s","ts":%d,"value":"follows"}]}\n')


def edges(path):
    """Yields (follower, followed, timestamp) in the order of the file, each pair once."""
    seen = set()
    with gzip.open(path, "rt", encoding="ascii") as lines:
        next(lines)
        for number, line in enumerate(lines, 1):
            if line in seen:
                continue
            seen.add(line)
            follower, followed = line.rstrip("\n").split(",")
            yield follower, followed, FIRST_TIMESTAMP + number


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph", help="follower,followed pairs as csv.gz; the first line is a title")
    parser.add_argument("--table", default="guanzhu")
    parser.add_argument("--limit", type=int, help="stop after so many follows")
    options = parser.parse_args()
    for count, (follower, followed, timestamp) in enumerate(edges(options.graph)):
        if count == options.limit:
            break
        sys.stdout.write(EVENT % (options.table, follower, followed, timestamp))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a stop by hand needs no traceback
    main()
