"""Reads an index table in two ways, and compares it cell by cell with what must be there."""
import json
import os
import tempfile

from . import stack
from .program import fensi_ok

SHOWN = 5


def by_scan(table, store_url):
    """(row, column) -> (timestamp, value), as `fensi scan --json` shows it."""
    cells = {}
    for line in fensi_ok("scan", table, "--store", store_url, "--json").stdout.splitlines():
        cell = json.loads(line)
        cells[cell["row"], cell["column"]] = (cell["ts"], cell["value"])
    return cells


def by_admin(table):
    """The same, read by HBase's own Java client."""
    cells = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "dump")
        stack.admin("dump", table, path)
        with open(path, encoding="ascii") as lines:
            for line in lines:
                row, family, qualifier, timestamp, _, value = line.rstrip("\n").split("\t")
                cells[_text(row), _text(family) + ":" + _text(qualifier)] = (int(timestamp), _text(value))
    return cells


def _text(hexadecimal):
    return bytes.fromhex(hexadecimal).decode("latin-1")


def differences(actual, expected):
    """The cells that are missing, orphaned and wrong; prints how many."""
    missing = [cell for cell in expected if cell not in actual]
    orphaned = [cell for cell in actual if cell not in expected]
    wrong = [cell for cell in expected if cell in actual and actual[cell] != expected[cell]]
    print("of %d cells %d missing, %d orphaned, %d wrong" % (len(expected), len(missing), len(orphaned), len(wrong)))
    return missing, orphaned, wrong


def assert_equal(actual, expected):
    """Fails with counts and examples of what is missing, orphaned or wrong; prints the counts."""
    missing, orphaned, wrong = differences(actual, expected)
    if not missing and not orphaned and not wrong:
        return
    raise AssertionError("WRONG INDEX: of %d cells %d are missing %s, %d orphaned %s, %d wrong %s" % (
        len(expected), len(missing), missing[:SHOWN], len(orphaned), orphaned[:SHOWN], len(wrong),
        [(cell, actual[cell], expected[cell]) for cell in wrong[:SHOWN]]))


def values(cells):
    """Without timestamps, which an entry that was written again may have anew: (row, column) -> value."""
    return {cell: value for cell, (_, value) in cells.items()}
