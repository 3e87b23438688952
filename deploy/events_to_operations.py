#!/usr/bin/env python3
"""Turns change events (JSON lines) into operations for `deploy/devstack client`: what an application would have done.

    deploy/events_to_operations.py < events.jsonl | deploy/devstack client guanzhu"""
import json
import signal
import sys


def operation(row, cell):
    if cell["type"] == "put":
        return "put %s %s %s %d" % (row, cell["column"], cell["value"], cell["ts"])
    if cell["type"] == "delete_column":
        return "delete_column %s %s %d" % (row, cell["column"], cell["ts"])
    if cell["type"] == "delete_family":
        return "delete_family %s %s: %d" % (row, cell["family"], cell["ts"])
    sys.exit("no operation for a cell of type " + cell["type"])


def main():
    for line in sys.stdin:
        event = json.loads(line)
        sys.stdout.write(" ; ".join(operation(event["row"], cell) for cell in event["cells"]) + "\n")


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a stop by hand needs no traceback
    main()
