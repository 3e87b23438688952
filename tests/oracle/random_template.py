"""Chains of functions of all kinds over the columns of random_rows.py; each argument is drawn anew."""
from decimal import Decimal

from template import Call, Literal, Part
from typed import Real
from values import INT_MAX, INT_MIN

HASHES = ("md5", "sha1", "sha256", "crc32", "murmur3", "xxh64")
TIME_FORMS = ("%Y%m%d", "%Y-%m-%d %H:%M", "%H%M%S", "%y%j", "%Y%m%d%H%M%S%L", "%m-%d")
PARSED_FORMS = ("%Y-%m-%d", "%Y%m%d", "%H:%M", "%Y-%m-%d %H:%M:%S", "%m%d")
REGEXES = ((r"[0-9]+", 0), (r"[a-c]+", 0), (r"(.)[,.|]", 1), (r"^.[^a]", 0), (r"u([0-9]*)", 1))
PATHS = ("user.id", "tags.0", "tags", "user", "n", "deep.0.x", "$.user.id", "tags[1]", '["a.b"]', 'user["x y"]', '["n"]')
WHOLE_TYPES = ("BIGINT", "INTEGER", "SMALLINT", "TINYINT", "UNSIGNED_LONG", "UNSIGNED_INT", "UNSIGNED_TINYINT")
ORDERS = ((), (), ("DESC",), ("ASC",))
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


def _typed_bytes(r):
    """Functions of typed.py, and the type of their result."""
    order = r.choice(ORDERS)
    return r.choice((
        lambda: (Call(r.choice(("f64", "f32", "f64_le", "f32_le", "real", "real"))), "real"),
        lambda: (Call(r.choice(("number", "number", "number", "big_decimal"))), "exact"),
        lambda: (Call("unscaled", (r.choice((0, 1, 2, 9, 300)),)), "exact"),
        lambda: (Call(r.choice(("i64_le", "i32_le", "i16_le", "u64_le", "u32_le", "u16_le", "varint", "zigzag", "vlong"))), "int"),
        lambda: (Call("iso_time", (r.choice(ZONES),) if r.random() < 0.3 else ()), "time"),
        lambda: (Call("ulid_time"), "time"),
        lambda: (Call("phoenix", (r.choice(WHOLE_TYPES),) + order), "int"),
        lambda: (Call("phoenix", (r.choice(("DATE", "TIME", "UNSIGNED_DATE", "TIMESTAMP")),) + order), "time"),
        lambda: (Call("phoenix", (r.choice(("DOUBLE", "FLOAT", "UNSIGNED_DOUBLE", "UNSIGNED_FLOAT")),) + order), "real"),
        lambda: (Call("phoenix", ("DECIMAL",) + order), "exact"),
        lambda: (Call("phoenix", (r.choice(("BOOLEAN", "CHAR", "VARCHAR")),) + order), "bytes"),
        lambda: (Call("phoenix_key", (r.choice(("SALTED BIGINT, VARCHAR DESC", "CHAR(1), VARCHAR, TINYINT", "VARCHAR DESC, VARCHAR")), r.randrange(3))), "bytes"),
        lambda: (Call("ordered_bytes", (r.choice(("INT8", "INT16", "INT32", "INT64")),) + order), "int"),
        lambda: (Call("ordered_bytes", (r.choice(("FLOAT32", "FLOAT64")),) + order), "real"),
        lambda: (Call("ordered_bytes", ("NUMERIC",) + order), "exact"),
        lambda: (Call("ordered_bytes", (r.choice(("STRING", "BLOB", "BLOB_COPY")),) + order), "bytes"),
        lambda: (Call("ordered_field", (r.randrange(2),)), "bytes"),
        lambda: (Call(r.choice(("uuid", "uuid_text", "ulid", "ulid_text", "ip", "ip6", "ip_text", "unhex", "unbase64", "base64",
                                "base64url", "invert", "nfc", "nfkc", "fold", "lower_unicode", "upper_unicode"))), "bytes"),
        lambda: (Call("mask", (r.choice((1, 4, 8, 12, 24, 64)),)), "bytes"),
        lambda: (Call("geohash", (r.choice((1, 2, 5, 9, 12)),)), "bytes"),
        lambda: (Call("invert"), "bytes"),
        lambda: (Call("url", (r.choice(("scheme", "host", "port", "path", "query", "fragment")),)), "bytes"),
        lambda: (Call("json_text", (r.choice(PATHS),)), "bytes")))()


def _from_bytes(r):
    if r.random() < 0.25:
        return _typed_bytes(r)
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
                     lambda: (Call("descending"), "int"), lambda: (Call(r.choice(("from_ms", "from_s", "from_us", "from_ns", "from_days"))), "time"),
                     lambda: (Call("snowflake", r.choice(((), (0,), (-5,), (1420070400000,)))), "time"),
                     lambda: (Call("default", (r.choice((5, -5)),)), "int"), lambda: _ends(r), lambda: _ends(r)))()


def _from_time(r):
    form = (r.choice(TIME_FORMS),) + ((r.choice(ZONES),) if r.random() < 0.4 else ())
    return r.choice((lambda: (Call("time", form), "bytes"), lambda: (Call(r.choice(("floor_hour", "floor_day"))), "time"),
                     lambda: (Call(r.choice(("seconds", "millis", "descending"))), "int"), lambda: _ends(r)))()


def _from_real(r):
    return r.choice((lambda: (Call("ordered"), "bytes"), lambda: (Call("ordered", (r.choice((4, 8)),)), "bytes"),
                     lambda: (Call(r.choice(("to_f64", "to_f32", "plain"))), "bytes"),
                     lambda: (Call("default", (Real.of(r.choice((0.0, -1.5, 1e300))),)), "real")))()


def _from_exact(r):
    return r.choice((lambda: (Call("ordered"), "bytes"), lambda: (Call("plain"), "bytes"),
                     lambda: (Call("default", (Decimal(r.choice(("0", "-1.5", "19.9"))),)), "exact")))()


STEPS = {"bytes": _from_bytes, "int": _from_int, "time": _from_time, "real": _from_real, "exact": _from_exact}


def _natural(r, reference):
    """What one would do first with such a column, often."""
    if r.random() < 0.2:
        return ()
    first = {"f:n": Call(r.choice(("int", "int", "real", "number"))), "f:m": Call("int"),
             "f:b": r.choice((Call("i64"), Call("u64"), Call("f64"), Call("phoenix", ("BIGINT",)), Call("phoenix", ("DOUBLE", "DESC")))),
             "f:d": r.choice((Call("parse_time", ("%Y-%m-%d",)), Call("iso_time"))),
             "f:j": Call("json", (r.choice(PATHS),))}.get(reference)
    return (first,) if first else ()


KINDS = {"int": "int", "parse_time": "time", "iso_time": "time", "real": "real", "f64": "real", "number": "exact", "i64": "int",
         "u64": "int"}


def kind_of(reference, calls):
    kind = "time" if reference.endswith("@ts") or reference == "ts" else "bytes"
    for call in calls:
        kind = ("int" if "INT" in call.words[0] else "real") if call.name == "phoenix" else KINDS.get(call.name, kind)
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
        call, kind = _ends(r) if r.random() < 0.6 and kind in ("int", "time") else STEPS[kind](r)
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
                     lambda: _natural_number(r, reference)))()


def _natural_number(r, reference):
    calls = _natural(r, reference)
    return (Part(reference, calls + _number(r, reference, kind_of(reference, calls))),)


def _number(r, reference, kind):
    if kind == "bytes":
        return (Call(r.choice(HASHES)), Call("first", (r.randrange(1, 4),)))
    if kind == "real":
        return r.choice(((Call("ordered"),), (Call("ordered"), Call("invert")), (Call("ordered", (4,)),)))
    if kind == "exact":
        return (Call("ordered"), Call("terminated"))
    return r.choice(((Call("ordered"),), (Call("descending"), Call("to_be", (8,))), (Call("decimal", (20,)),),
                     (Call("floor", (1000,)), Call("ordered"))))
