"""Chains of functions of all kinds over the columns of random_rows.py; each argument is drawn anew."""
from template import Call, Literal, Part
from values import INT_MAX, INT_MIN

HASHES = ("md5", "sha1", "sha256", "crc32", "murmur3", "xxh64")
TIME_FORMS = ("%Y%m%d", "%Y-%m-%d %H:%M", "%H%M%S", "%y%j", "%Y%m%d%H%M%S%L", "%m-%d")
PARSED_FORMS = ("%Y-%m-%d", "%Y%m%d", "%H:%M", "%Y-%m-%d %H:%M:%S", "%m%d")
REGEXES = ((r"[0-9]+", 0), (r"[a-c]+", 0), (r"(.)[,.|]", 1), (r"^.[^a]", 0), (r"u([0-9]*)", 1))
PATHS = ("user.id", "tags.0", "tags", "user", "n", "deep.0.x")
ZONES = ("+08:00", "-03:30", "UTC", "Asia/Shanghai", "America/New_York", "Australia/Lord_Howe")
SEPARATORS = (b",", b".", b"|", b"#", b"ab")
DIVISORS = (1, 2, 7, 10, 16, 1000, 3600, 2**62, INT_MAX)
TERMS = DIVISORS + (-1, -1, -2, -5, 0, 5, -1000, INT_MIN)
SALTS = (1, 2, 16, 256, 300)


def _bytes_to_bytes(r):
    small = r.randrange
    return r.choice((
        lambda: Call("first", (small(1, 5),)), lambda: Call("last", (small(1, 5),)),
        lambda: Call("slice", (small(3), small(3, 6))), lambda: Call("slice", (small(3),)),
        lambda: Call("split", (r.choice(SEPARATORS), small(3))), lambda: Call("before", (r.choice(SEPARATORS),)),
        lambda: Call("after", (r.choice(SEPARATORS),)), lambda: Call("match", r.choice(REGEXES)),
        lambda: Call(r.choice(("lower", "upper", "trim", "reverse", "reverse_domain", "hex", "terminated"))),
        lambda: Call("replace", (r.choice(SEPARATORS), r.choice((b"", b"-", b"..")))),
        lambda: Call("pad", (small(1, 9), r.choice((b"0", b" ", b"\x00")))), lambda: Call("fixed", (small(1, 9),)),
        lambda: Call("without", (r.choice((b"|", b"\x00", b"-")),)), lambda: Call(r.choice(HASHES)),
        lambda: Call("salt", (r.choice(SALTS),)),
        lambda: Call("default", (r.choice((b"none", b"", b"0")),))))()


def _from_bytes(r):
    kind = r.random()
    if kind < 0.85:
        return _bytes_to_bytes(r), "bytes"
    if kind < 0.95:
        return Call("int" if r.random() < 0.6 else r.choice("iu") + r.choice(("8", "16", "32", "64"))), "int"
    zone = (r.choice(ZONES),) if r.random() < 0.4 else ()
    return (Call("parse_time", (r.choice(PARSED_FORMS),) + zone), "time") if kind < 0.975 else \
        (Call("json", (r.choice(PATHS),)), "bytes")


def _ends(r):
    """Of a number or a time."""
    return r.choice((lambda: Call("to_be", (r.choice((1, 2, 4, 7, 8)),)), lambda: Call("ordered"),
                     lambda: Call("ordered", (r.choice((1, 2, 4, 7, 8)),)), lambda: Call("decimal"),
                     lambda: Call("decimal", (r.choice((3, 13, 19, 20)),))))(), "bytes"


def _from_int(r):
    return r.choice((lambda: (Call(r.choice(("add", "sub", "mul")), (r.choice(TERMS),)), "int"),
                     lambda: (Call(r.choice(("div", "mod", "floor")), (r.choice(DIVISORS),)), "int"),
                     lambda: (Call("descending"), "int"), lambda: (Call(r.choice(("from_ms", "from_s"))), "time"),
                     lambda: (Call("default", (r.choice((5, -5)),)), "int"), lambda: _ends(r), lambda: _ends(r)))()


def _from_time(r):
    form = (r.choice(TIME_FORMS),) + ((r.choice(ZONES),) if r.random() < 0.4 else ())
    return r.choice((lambda: (Call("time", form), "bytes"), lambda: (Call(r.choice(("floor_hour", "floor_day"))), "time"),
                     lambda: (Call(r.choice(("seconds", "millis", "descending"))), "int"), lambda: _ends(r)))()


STEPS = {"bytes": _from_bytes, "int": _from_int, "time": _from_time}


def _natural(r, reference):
    """What one would do first with such a column, often."""
    if r.random() < 0.2:
        return ()
    first = {"f:n": Call("int"), "f:m": Call("int"), "f:b": Call(r.choice(("i64", "u64"))),
             "f:d": Call("parse_time", ("%Y-%m-%d",)), "f:j": Call("json", (r.choice(PATHS),))}.get(reference)
    return (first,) if first else ()


def kind_of(reference, calls):
    kind = "time" if reference.endswith("@ts") or reference == "ts" else "bytes"
    for call in calls:
        kind = {"int": "int", "parse_time": "time"}.get(call.name, "int" if call.name[0] in "iu" and call.name != "upper" else kind)
    return kind


def typed(r, reference, steps=None):
    """A chain and the type that it ends with."""
    calls = _natural(r, reference)
    kind = kind_of(reference, calls)
    for _ in range(r.choice((0, 0, 0, 1, 1, 1, 2, 3, 5, 8)) if steps is None else steps):
        call, kind = STEPS[kind](r)
        calls += (call,)
    return Part(reference, calls), kind


def chain(r, reference):
    """One that ends as bytes."""
    part, kind = typed(r, reference)
    while kind != "bytes":
        call, kind = _ends(r) if r.random() < 0.6 else STEPS[kind](r)
        part = Part(reference, part.calls + (call,))
    return part


def closed(r, reference):
    """Parts whose end a reader can find."""
    if r.random() < 0.15:
        return (chain(r, reference),)
    part = chain(r, reference)
    byte = r.choice((b"|", b"\x00", b"-"))
    width = r.randrange(1, 9)
    return r.choice((lambda: (Part(reference, part.calls + (Call("terminated"),)),),
                     lambda: (Part(reference, part.calls + (Call("without", (byte,)),)), Literal(byte)),
                     lambda: (Part(reference, part.calls + (Call("first", (width,)), Call("pad", (width, byte)))),),
                     lambda: (Part(reference, part.calls + (Call("fixed", (width,)),)),),
                     lambda: (Part(reference, _natural(r, reference) + _number(r, reference)),)))()


def _number(r, reference):
    if kind_of(reference, _natural(r, reference)) == "bytes" and reference not in ("f:n", "f:m", "f:b", "f:d"):
        return (Call(r.choice(HASHES)), Call("first", (r.randrange(1, 4),)))
    return r.choice(((Call("ordered"),), (Call("descending"), Call("to_be", (8,))), (Call("decimal", (20,)),),
                     (Call("floor", (1000,)), Call("ordered"))))
