#!/usr/bin/env python3
"""Reads `fensi scan fensi --json` and prints the rows with the most cells: the users with the most followers."""
import argparse
import collections
import json
import signal
import sys


def followers_of(lines):
    """Counts the cells of each row; the row is decoded once, however many cells it has."""
    cells = collections.Counter(line.partition(',"column":')[0] for line in lines)
    return collections.Counter({json.loads(start + "}")["row"]: count for start, count in cells.items()})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--top", type=int, default=10)
    options = parser.parse_args()
    for row, count in followers_of(sys.stdin).most_common(options.top):
        print("%8d followers of %s" % (count, row))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a stop by hand needs no traceback
    main()
