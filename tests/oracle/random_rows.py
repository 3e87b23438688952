"""Source rows with values at the edges of what functions take."""
NOW_EDGES_MS = (0, -3600_000, -23 * 3600_000, 23 * 3600_000, 25 * 3600_000, -86400_000 * 2, -86400_000 * 40, 3600_000)
TEXTS = (b"", b"a", b"b", b"A,b,,a", b" a ", b"\x00", b"a\x00", b"a\x00\x01", b"\xff", b"\xff\xff", b"a.b.c", b"a#b#", b"u17|x",
         "关注".encode(), b"\\x00", b"'\"{}", b"-", b"abababab", b"\t\na\x0b", "\u3000a\u00a0".encode(), b"10", b"9", b"~")
NUMBERS = (b"0", b"-1", b"+007", b"9223372036854775807", b"9223372036854775808", b"-9223372036854775808", b"x", b"", b" 1", b"255",
           b"256", b"-0", b"1482125382074", b"65536", b"5", b"-129", b"1e3", b"00000000000000000000000000001", b"253402300800000")
DATES = (b"2016-12-19", b"0000-01-01", b"9999-12-31", b"2015-02-29", b"2016-02-29", b"2016-2-9", b"20161219", b"23:59", b"24:00",
         b"2016-12-19 10:02:03", b"1231", b"1970-01-01", b"2016-13-01", b"2016-12-19 10:02:60")
JSONS = (b'{"user":{"id":7},"tags":["a",2,null,"a"],"n":19.90}', b'{"tags":[]}', b"{}", b"[]", b"nope", b'{"user":{"id":"u\\u0000"}}',
         b'{"n":1e400,"n":2,"tags":[" x ",true]}', b'{"tags":[[1]]}', b'{"tags":"a","user":null}', b'{"user":{"id":"\\ud800"}}',
         b'{"n":NaN}', b'{"n":-0}', b'"\xff"', b' {"deep":[{"x":12345678901234567890}]} ')
LISTS = (b"a,b,c", b",,", b"a,a, a ", b"B|b|c", b"x", b"\x00,\xff", b"a,aa,aaa")
ROWS = (b"a", b"b", b"a\x00", b"a|b", b"\x00", b"\xff\xff", b"-", b"r10", b"r9", b"A", b"a.b", b"\x00\x01", "关".encode())


def any_bytes(r):
    return bytes(r.choice(b"\x00\x01a|-,\xff09") for _ in range(r.randrange(6)))


def value(r, column, now):
    if r.random() < 0.06:
        return any_bytes(r)
    if column == "f:m":
        return str(now + r.choice(NOW_EDGES_MS)).encode() if r.random() < 0.9 else r.choice(NUMBERS)
    if column == "f:b":
        return r.choice((0, 1, 2**63 - 1, 2**63, 2**64 - 1, 300, now)).to_bytes(8, "big") if r.random() < 0.8 else any_bytes(r)
    if column == "f:n" and r.random() < 0.5:
        return str(r.randrange(-300, 300)).encode()
    return r.choice({"f:n": NUMBERS, "f:d": DATES, "f:j": JSONS, "f:l": LISTS}.get(column, TEXTS))


def row_key(r):
    return r.choice(ROWS) if r.random() < 0.5 else b"r%d" % r.randrange(40) + any_bytes(r)


def cells(r, columns, now):
    """column -> (value, time)"""
    share = r.choice((0.3, 0.7, 1.0))
    times = [now - r.randrange(10 * 86400_000) for _ in range(2)] + [now]
    return {column: (value(r, column, now), r.choice(times)) for column in columns if r.random() < share}
