"""Random indexes of all documented kinds. Some are refused by `fensi check`; the caller leaves those out."""
from decimal import Decimal

from condition import Line, Test
from index import Index
from random_template import HASHES, REGEXES, chain, closed, typed
from template import Call, Joined, Literal, Part
from typed import Real

COLUMNS = ("f:t", "f:n", "f:b", "f:j", "f:d", "f:m", "f:l", "f:tag_a", "f:tag_b")
PATTERNS = (("f:*",), ("f:tag_*",), ("f:tag_*", "f:t"), ("f:n", "f:m"))
PERIODS = (("%Y%m%d", 1), ("%Y%m", 31), ("%Y%m%d%H", 1))


def _references(r, each):
    times = tuple(f"{c}@ts" for c in COLUMNS[:3])
    bound = {"columns": ("qualifier", "value", "ts"), "items": ("item",), "": ()}[each[0] if each else ""]
    return (r.choice((COLUMNS, times, ("row",))) + bound * 3) if r.random() < 0.7 else COLUMNS + bound


def _one_or_joined(r, each):
    """A reference, or a few parts in parentheses, which have no `default`."""
    if r.random() < 0.85:
        return r.choice(_references(r, each))
    parts = ()
    while len(parts) < 3:
        part = chain(r, r.choice(_references(r, each)))
        if not any(call.name == "default" for call in part.calls):
            parts += (part, Literal(r.choice((b",", b"-)", b" "))))
    return Joined(parts[:3])


def _each(r):
    kind = r.random()
    if kind < 0.5:
        return ()
    if kind < 0.75:
        return ("columns", *r.choice(PATTERNS))
    return ("items", r.choice((Part("f:l", (Call("split", (b",",)),)), Part("f:t", (Call("split", (b".",)),)),
                               Part("f:j", (Call("json_list", (r.choice(("tags", "items[*].name", "items[*]", "deep[*].x")),)),)),
                               Part("f:l", (Call("lower"), Call("split", (b"|",)))))))


def _salt(r):
    width = r.randrange(1, 3)
    salt = Part("row", (Call(r.choice(HASHES)), Call("first", (width,))) + ((Call("hex"),) if r.random() < 0.5 else ()))
    return (salt, Literal(b"-")) if r.random() < 0.2 else (salt,)


def _row(r, each):
    parts = _salt(r) if r.random() < 0.25 else ()
    for _ in range(r.choice((0, 1, 1, 2))):
        parts += closed(r, r.choice(_references(r, each)))
    if each and r.random() < 0.8:
        parts += closed(r, "item" if each[0] == "items" else "qualifier")
    if r.random() < 0.85 or not parts:
        parts += (Part("row"),) if r.random() < 0.7 else closed(r, "row")
    return parts


def _columns(r, each):
    out = []
    for n in range(r.choice((1, 1, 2, 3))):
        qualifier = (Literal(b"q%d" % n),)
        if r.random() < 0.3:
            qualifier += (Literal(b":"), chain(r, r.choice(_references(r, each) + ("row",) * 3)))
        value = (chain(r, _one_or_joined(r, each)),) if r.random() < 0.8 else ()
        out.append((qualifier, value + ((Literal(b"/"), Part("row")) if value and r.random() < 0.2 else ())))
    return tuple(out)


def _test(r, each):
    part, kind = typed(r, r.choice(_references(r, each)))
    if r.random() < 0.3:
        return Test((part,), r.choice(("is", "not")))
    compare = r.choice(("==", "!=", "<", "<=", ">", ">="))
    if kind == "real":
        return Test((part,), compare, Real.of(r.choice((0.0, -1.5, 2.5, 1e300))))
    if kind == "exact":
        return Test((part,), compare, Decimal(r.choice(("0", "-1.5", "19.90", "1e30"))))
    if kind != "bytes":
        return Test((part,), compare, r.choice((0, 5, -3, 10**12, 1482125382074, 2**63 - 1)))
    left = (part,) if r.random() < 0.8 else (part, Literal(b"-"), chain(r, r.choice(COLUMNS)))
    words = (b"a", b"", b"10", b"a,b", b"\x00", b"\xff", b"2016-12-19")
    return r.choice((lambda: Test(left, compare, r.choice(words)),
                     lambda: Test(left, compare, (Part(r.choice(COLUMNS)),)),
                     lambda: Test(left, r.choice(("in", "not in")), tuple(set(r.choices(words, k=3)))),
                     lambda: Test(left, r.choice(("matches", "not matches")), r.choice(REGEXES)[0])))()


def _when(r, each):
    lines = []
    for _ in range(r.choice((0, 0, 0, 1, 1, 2))):
        groups = r.choice(((1,), (1,), (2,), (1, 1), (2, 1)))
        lines.append(Line(tuple(tuple(_test(r, each) for _ in range(n)) for n in groups)))
    return tuple(lines)


def _period(r):
    form, keep = r.choice(PERIODS)
    return (Part("f:m", (Call("int"), Call("from_ms"), Call("time", (form,)))),), keep


def random_index(r, name, laws=("shared", "unique")):
    each = _each(r)
    table, keep = _period(r) if r.random() < 0.1 else ((), 0)
    split = r.choice(((),) * 3 + (("      split: { hex: 16 }",), ("      split: { uniform: 4 }",), ('      split: { keys: ["b", "m"] }',)))
    row = _row(r, each)
    if table and r.random() < 0.5:
        row = (Part("f:m", (Call("int"), Call("from_ms"), Call("ordered"))),) + row
    return Index(name=name, row=row, columns=_columns(r, each), table=table, keep_days=keep, each=each,
                 when=_when(r, each), exists=r.choice(("", "", "", "f:t", "f:n")),
                 law=r.choice(laws) if laws and r.random() < 0.25 else "",
                 create=split)
