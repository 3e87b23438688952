"""A search for counterexamples to what `fensi check --json` claims: width, order, bits of a hash, rows that collide."""
import collections
import re

import random_rows
from case import derived
from random_index import COLUMNS
from template import Part
from values import ABSENT, Unmappable

figures = collections.Counter()
PER_CASE = 150


def broken(case):
    rows = dict(case.rows)
    for _ in range(PER_CASE):
        rows[random_rows.row_key(case.r)] = random_rows.cells(case.r, COLUMNS, case.now)
    for index in case.indexes:
        yield from _colliding(index, rows, case)
        yield from _parts(index, rows, case)


def _colliding(index, rows, case):
    claimed = "two source rows never write the same cell" in case.checked[index.name]["key_layout"]
    figures["injective"] += claimed
    for cell, entries in derived(index, rows, case.now).items():
        if claimed and not index.law and len(entries) > 1:
            yield f"{cell} is of {entries[0].source} and {entries[1].source}\n{index.text()}"
            return


def _parts(index, rows, case):
    layout = case.checked[index.name]["key_layout"]
    for part, told in zip(index.row, layout):
        if isinstance(part, Part):
            values = list(_values(part, index, rows))
            yield from (f"{told}: {why}\n{index.text()}" for why in _against(told, values))


def _values(part, index, rows):
    """(what its order is of, the bytes, whether they were made of a negative number)"""
    for row, cells in rows.items():
        scope = {"row": row, **{c: v for c, (v, _) in cells.items()}, **{c + "@ts": ts for c, (_, ts) in cells.items()}}
        for bound in index._bounds(scope, cells):
            try:
                chain = list(part.values(bound))
            except Unmappable:
                continue
            if ABSENT not in chain:  # what `default` stands in for has no place in an order
                numbers = [value for value in chain if isinstance(value, int)] or chain
                yield numbers[0], chain[-1], isinstance(numbers[-1], int) and numbers[-1] < 0


def _against(told, values):
    width = re.search(r": (\d+)(?: to (\d+))? bytes?( or more)?", told)
    low = int(width[1])
    high = 2**31 if width[3] else int(width[2] or low)
    figures["parts"] += 1
    for _, end, _ in values:
        if not low <= len(end) <= high:
            yield f"{end} is of another width"
            break
    if "in the order of its values" in told:
        yield from _order(told, values)
    bits = re.search(r"(\d+) bits of a hash", told)
    if bits and int(bits[1]) >= 1:
        yield from _bits(int(bits[1]), values)


def _order(told, values):
    figures["ordered"] += 1
    known = [(of, end) for of, end, negative in values if not ("negative ones last" in told and negative)]
    for (a, x), (b, y) in zip(sorted(known), sorted(known)[1:]):
        if a < b and x > y:
            yield f"{a} is before {b}, but {x} is not before {y}"
            return


def _bits(bits, values):
    figures["hashed"] += 1
    different = len({of for of, _, _ in values})
    seen = len({end for _, end, _ in values})
    likely = 2**bits * (1 - (1 - 2.0**-bits) ** different)
    if seen < likely - 4 * likely**0.5 - 4:
        yield f"{different} values give {seen} of {2**bits}"
