"""A search for counterexamples to what `fensi check --json` claims of an index: width, order and end of each part of the row key, bits of
a hash, source rows and bound columns that never meet in a cell, entries that follow from one source cell alone."""
import collections
import re
from decimal import Decimal

import random_rows
from case import derived
from random_index import COLUMNS
from template import Part
from values import ABSENT, Unmappable

figures = collections.Counter()
ENOUGH_BITS = 64  # of a hash: two rows never meet


def broken(case, more_rows=150):
    rows = dict(case.rows)
    for _ in range(more_rows):
        rows[random_rows.row_key(case.r)] = random_rows.cells(case.r, COLUMNS, case.now)
    texts, times = random_rows.spread(case.r)
    for index in case.indexes:
        told = case.checked[index.name]
        for part, layout in zip(index.row, told["key_layout"]):
            if isinstance(part, Part):
                values = list(_of_rows(part, index, rows)) + list(_of_spread(part, texts, times))
                yield from (f"{layout}: {why}\n{index.text()}" for why in _against(layout, values))
        for search in (_width, _meeting_rows, _meeting_columns, _of_several_cells):
            yield from (f"{why}\n{index.text()}" for why in search(index, told, rows, case.now))


def _scope(row, cells):
    return {"row": row, **{c: v for c, (v, _) in cells.items()}, **{c + "@ts": ts for c, (_, ts) in cells.items()}}


def _of_rows(part, index, rows):
    for row, cells in rows.items():
        for bound in index._bounds(_scope(row, cells), cells):
            yield from _value(part, bound)


def _of_spread(part, texts, times):
    if part.reference in ("family", "qualifier", "item"):
        return  # no text is one
    is_time = part.reference == "ts" or part.reference.endswith("@ts")
    for one in times if is_time else texts:
        if part.reference != "row" or one:
            yield from _value(part, {part.reference: one})


def _value(part, scope):
    """(what its order is of, the bytes)"""
    try:
        chain = list(part.values(scope))
    except Unmappable:
        return
    if ABSENT not in chain:  # what `default` stands in for has no place in an order
        numbers = [value for value in chain if isinstance(value, (int, Decimal))] or chain
        yield numbers[0], chain[-1]


def _bounds_of_width(told):
    width = re.search(r": (\d+)(?: to (\d+))? bytes?( or more)?", told)
    return int(width[1]), 2**31 if width[3] else int(width[2] or width[1])


def _against(told, values):
    low, high = _bounds_of_width(told)
    figures["parts"] += 1
    for _, end in values:
        if not low <= len(end) <= high:
            yield f"{end} is of another width"
            break
    yield from _order(told, values)
    if ", ended by 00 00" in told:
        yield from _ended(values)
    bits = re.search(r"(\d+) bits of a hash", told)
    if bits and int(bits[1]) >= 1:
        yield from _bits(int(bits[1]), values)


def _key_of_order(told):
    """What values are sorted by; None: nothing is claimed."""
    if "in the reverse order of its values" in told:
        return lambda value: -value if isinstance(value, (int, Decimal)) else bytes(255 - b for b in value) + b"\xff" * (40 - len(value))
    if "in the order of its values (negative ones last)" in told:
        return lambda value: (value < 0, value)
    return (lambda value: value) if "in the order of its values" in told else None


def _order(told, values):
    key = _key_of_order(told)
    if key is None:
        return
    figures["ordered"] += 1
    known = sorted(((key(of), end, of) for of, end in values), key=lambda one: one[:2])
    for (a, x, of), (b, y, other) in zip(known, known[1:]):
        if a < b and x > y:
            yield f"{of} gives {x!r} and {other} gives {y!r}"
            return


def _ended(values):
    figures["ended"] += 1
    ends = sorted({end for _, end in values})
    for one, other in zip(ends, ends[1:]):
        if other.startswith(one):
            yield f"{one!r} begins {other!r}"
            return


def _bits(bits, values):
    figures["hashed"] += 1
    different = len({of for of, _ in values})
    seen = len({end for _, end in values})
    likely = 2**bits * (1 - (1 - 2.0**-bits) ** different)
    if seen < likely - 4 * likely**0.5 - 4:
        yield f"{different} values give {seen} of {2**bits}"


def _width(index, told, rows, now):
    together = next(line for line in told["key_layout"] if line.startswith("together: "))
    low, high = _bounds_of_width(together)
    for _, key, _ in derived(index, rows, now):
        if not low <= len(key) <= high:
            yield f"{together}, and a row key is {key!r}"
            return


def _never_meet(index, told):
    if index.law:
        return False
    bits = re.search("^(\\d+) bits of a hash distinguish source rows", told["key_layout"][-1])
    return told["key_layout"][-1] == "two source rows never write the same cell" or (bits and int(bits[1]) >= ENOUGH_BITS)


def _meeting_rows(index, told, rows, now):
    if not _never_meet(index, told):
        return
    figures["apart"] += 1
    for cell, entries in derived(index, rows, now).items():
        if len(entries) > 1:
            yield f"{cell} is of {entries[0].source} and {entries[1].source}"
            return


def _alone(index, rows, now):
    """Of each row its entries, and those of each of its cells alone."""
    for row, cells in rows.items():
        yield index.entries(row, cells, now), [index.entries(row, {column: cell}, now) for column, cell in cells.items()]


def _meeting_columns(index, told, rows, now):
    if told["state_unit"] != "column":
        return
    figures["columns apart"] += 1
    for _, alone in _alone(index, rows, now):
        counted = collections.Counter(cell for entries in alone for cell in entries)
        if any(n > 1 for n in counted.values()):
            yield f"two columns of a row give {counted.most_common(1)[0][0]}"
            return


def _of_several_cells(index, told, rows, now):
    if told["stateless_obstacle"]:
        return
    figures["stateless"] += 1
    for whole, alone in _alone(index, rows, now):
        if set(whole.values()) != {entry for entries in alone for entry in entries.values()}:
            yield f"can be stateless, and its cells are not those of single source cells: {list(whole.values())[:2]}"
            return
