"""`fensi lookup` against a filter of all entries: none is missed, and none is shown that no value asked for can give."""
import collections

from decimal import Decimal

from case import derived, number
from template import Part
from values import ABSENT, INT_MAX, INT_MIN, Unmappable, escaped, unescaped

PIECES = ("split", "match", "first", "last", "slice", "json", "url", "phoenix_key", "ordered_field")

figures = collections.Counter()


def wrong(case):
    answers = {index.name: derived(index, case.rows, case.now) for index in case.indexes}
    asked = [index for index in case.indexes if answers[index.name] and not index.law]
    for _ in range(number("LOOKUPS", 40) if asked else 0):
        index = case.r.choice(asked)
        entries = [entry for found in answers[index.name].values() for entry in found]
        yield from (f"{text}\n{index.text()}" for text in _one(case, index, entries))


def _one(case, index, entries):
    names = case.checked[index.name]["key_parts"]
    model = case.r.choice(entries)
    depth = case.r.randrange(0, len(names) + 1)
    given = {name: model.scope.get(name, ABSENT) for name in names[:depth]}
    if ABSENT in given.values():
        return
    bounds = _range(case.r, index, names[depth], entries) if depth < len(names) else ()
    words = [f"--{which}={_typed(at)}" for which, at in zip(("from", "to"), bounds) if at is not ABSENT]
    answer = case.program.lookup("m.yaml", index.name, [*map(_typed, given.values()), *words])
    if isinstance(answer, str):
        figures["refused"] += 1
        return
    figures["lookups"] += 1
    figures["ranges"] += bool(words)
    if index.table and words and names[depth] != "f:m":
        return  # the bounds choose tables, by another time than that of the part
    yield from _compared(index, entries, given, names[depth] if words else "", bounds, answer, words)


def _typed(value):
    """As it is given on the command line."""
    text = str(value) if isinstance(value, (int, Decimal)) else escaped(value)
    return "\\x2D" + text[1:] if isinstance(value, bytes) and text.startswith("-") else text


def _range(r, index, name, entries):
    """Values that entries have in the part, and those beside them."""
    known = [at for entry in entries for at in [_place(index, name, entry.scope)] if at is not ABSENT]
    if not known or r.random() < 0.3:
        return ()
    bounds = sorted(_beside(r, r.choice(known)) for _ in range(2))
    if r.random() < 0.3:
        bounds[r.randrange(2)] = ABSENT
    return bounds


def _beside(r, at):
    if isinstance(at, Decimal):
        return at + r.choice((-1, 0, 0, 1, Decimal("0.001")))
    if isinstance(at, int):
        return max(INT_MIN, min(INT_MAX, at + r.choice((-1, 0, 0, 1))))
    return r.choice((at, at, at + b"\x00", at[:-1], at[:-1] + b"~"))


def _parts(index, name):
    return [part for part in index.row if isinstance(part, Part) and part.reference == name]


def _text_at(part):
    """How many functions make a text of the bytes; 0: none."""
    at = next((n for n, call in enumerate(part.calls) if call.name not in PIECES), len(part.calls))
    reads = at < len(part.calls) and part.calls[at].name in ("uuid_text", "ulid_text", "phoenix", "ordered_bytes")
    return at + 1 if reads else 0


def _place(index, name, scope):
    """What a range of the reference is about: its first number or time, the text that a function makes of its bytes, or its bytes."""
    for part in _parts(index, name):
        chain = list(part.values(scope))
        if ABSENT in chain:
            return ABSENT
        for value in chain:
            if isinstance(value, (int, Decimal)):
                return value
    first = next(iter(_parts(index, name)), None)
    if first is None or any(call.name == "ip_text" for call in first.calls):
        return scope.get(name, ABSENT) if first is None else ABSENT
    return list(first.values(scope))[_text_at(first)]


def _compared(index, entries, given, bounded, bounds, answer, words):
    shown = {(unescaped(line["row"]), unescaped(line["column"])) for line in answer}
    wanted = {(entry.row, entry.column) for entry in entries if _same(index, given, entry)
              and (not bounded or _inside(_place(index, bounded, entry.scope), bounds))}
    all_cells = {(entry.row, entry.column): entry for entry in entries}
    ask = f"lookup {given} {words}"
    figures["found"] += len(shown)
    for cell in wanted - shown:
        yield f"{ask} misses {cell}"
        return
    for cell in shown - wanted:
        entry = all_cells.get(cell)
        if entry is None or not _same(index, given, entry) or not (bounded and _could_be(index, bounded, bounds, entry)):
            yield f"{ask} shows {cell}"
            return


def _inside(number, bounds):
    low, high = bounds
    return number is not ABSENT and (low is None or low <= number) and (high is None or number < high)


def _same(index, given, entry):
    """Every part of the key that a given value decides is the same."""
    try:
        return all(part.value({name: value}) == part.value(entry.scope)
                   for name, value in given.items() for part in _parts(index, name))
    except Unmappable:
        return False


def _could_be(index, name, bounds, entry):
    """Another value inside of the bounds gives the same key."""
    return all(any(_inside(at, bounds) and _gives(rest, at, end) for at in _near(bounds, end))
               for rest, end in _rests(index, name, entry.scope))


def _rests(index, name, scope):
    """The functions behind the value that bounds are about, and what they give."""
    for part in _parts(index, name):
        chain = list(part.values(scope))
        at = next((n for n, value in enumerate(chain) if isinstance(value, (int, Decimal))), _text_at(part))
        yield Part("x", part.calls[at:]), chain[-1]


def _near(bounds, end):
    for at in bounds:
        if isinstance(at, Decimal):
            yield from (at - 1, at, at + 1)
        elif isinstance(at, int):
            yield from (at - 1, at, at + 1)
        elif at is not ABSENT:
            yield from (at, at + b"\x00", at + b"\xff" * 9, at[:-1], end, end + b"\xff" * 9)


def _gives(rest, at, end):
    try:
        return rest.value({"x": at}) == end
    except (Unmappable, TypeError):
        return False
