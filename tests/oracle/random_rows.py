"""Source rows with values at the edges of what functions take."""
NOW_EDGES_MS = (0, -3600_000, -23 * 3600_000, 23 * 3600_000, 25 * 3600_000, -86400_000 * 2, -86400_000 * 40, 3600_000)
TEXTS = (b"", b"a", b"b", b"A,b,,a", b" a ", b"\x00", b"a\x00", b"a\x00\x01", b"\xff", b"\xff\xff", b"a.b.c", b"a#b#", b"u17|x",
         "关注".encode(), b"\\x00", b"'\"{}", b"-", b"abababab", b"\t\na\x0b", "\u3000a\u00a0".encode(), b"10", b"9", b"~",
         b"2.5", b"-10.0", b"https://ann@Example.com:80/a?b#c", b"//x/y", b"HTTP://%45x%c3%A9:/?#", b"mailto:A@b", b"//[::FFFF:1.2.3.4]:1", b"x://[v1.A:]", b"x://a@b@c",
         b"//a:b", b"1:2", b"192.0.2.17", b"57.64911,10.40744", b" -90 , 180 ", b"point(-0.0 1e-3)", b"POINT (1 90.5)", b"1,2,3", b"::1", b"123E4567-e89b-12d3-a456-426614174000",
         b"01ARZ3NDEKTSV4RRFFQ69G5FAV", b"+_9h", b"YWI=", b"0fA1", "Stra\u00dfe e\u0301 \ufb01".encode(), b"4ab\x00,\x80\x00\x00\x00\x00\x00\x00*",
         b"\x80\x00\x00\x01", b"\xbf\x00\x00\x01", b"\xc2\x02\x1f", b"\x3d\x64\x66", b"\x00\x00\x00\x02\x07\xc6", b"0123456789abcdef")
NUMBERS = (b"0", b"-1", b"+007", b"9223372036854775807", b"9223372036854775808", b"-9223372036854775808", b"x", b"", b" 1", b"255",
           b"256", b"-0", b"1482125382074", b"65536", b"5", b"-129", b"1e3", b"-9223372036854775809", b"-9223372036854775807", b"NaN", b"-inf", b"00000000000000000000000000001", b"19.90", b"-0.001", b"1e400", b"-1.5E-3", b"1.", b".5", b"Infinity", b"1e99999", b"123456789012345678901234567890.5", b"253402300800000")
DATES = (b"2016-12-19", b"0000-01-01", b"9999-12-31", b"2015-02-29", b"2016-02-29", b"2016-2-9", b"20161219", b"23:59", b"24:00",
         b"2016-12-19 10:02:03", b"1231", b"1970-01-01", b"2016-13-01", b"2016-12-19 10:02:60", b"2016-12-19T10:02:03.5+08:00", b"2016-12-19T10:02Z", b"2016-03-27 02:30:00", b"2016-12-19T10:02:03.123456789-05:30[x]")
JSONS = (b'{"user":{"id":7},"tags":["a",2,null,"a"],"n":19.90}', b'{"tags":[]}', b"{}", b"[]", b"nope", b'{"user":{"id":"u\\u0000"}}',
         b'{"n":1e400,"n":2,"tags":[" x ",true]}', b'{"tags":[[1]]}', b'{"tags":"a","user":null}', b'{"user":{"id":"\\ud800"}}',
         b'{"n":NaN}', b'{"a.b":1,"user":{"x y":"q","id":[1]},"items":[{"name":"p"},{"name":null},{"x":1},{"name":"q"}]}', b'{"n":-0}', b'"\xff"', b' {"deep":[{"x":12345678901234567890}]} ')
LISTS = (b"a,b,c", b",,", b"a,a, a ", b"B|b|c", b"x", b"\x00,\xff", b"a,aa,aaa")
BROKEN_UTF8 = (b"\xc3", b"\xe5\x85", b"\xed\xa0\x80", b"\xc0\x80", b"a\xf8b")
NUMBER_EDGES = (-2**63, -2**63 + 1, -2**31 - 1, -1000, -5, -1, 0, 1, 5, 255, 256, 65536, 2**31, 2**32, 2**53 + 1, 1482125382074,
                253402300800000, 2**63 - 1000, 2**63 - 2, 2**63 - 1)
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


def spread(r):
    """(texts, times) from all over their range, and some that are near each other."""
    begin = r.choice(NUMBER_EDGES)
    near = (begin + r.randrange(-20, 20) * r.choice((1, 1, 7, 3600_000)) for _ in range(8))
    numbers = [n for n in {*r.sample(NUMBER_EDGES, 10), -2**63, 2**63 - 1, -1, 0, *near} if -2**63 <= n < 2**63]
    texts = {str(n).encode() for n in numbers} | {n.to_bytes(8, "big", signed=True) for n in numbers[:12]}
    texts |= {(n % 2**(8 * w)).to_bytes(w, "big") for n in numbers[:6] for w in (1, 2, 4)}
    texts |= {*r.sample(TEXTS, 8), *r.sample(NUMBERS, 6), *r.sample(DATES, 6), *r.sample(BROKEN_UTF8, 2), *(any_bytes(r) for _ in range(10))}
    texts |= {b"%04d-%02d-%02d" % (r.randrange(1600, 2100), r.randrange(1, 13), r.randrange(1, 29)) for _ in range(4)}
    texts |= {text.swapcase() for text in r.sample(sorted(texts), 5)} | {b" " + text for text in r.sample(sorted(texts), 3)}
    return sorted(texts), sorted(numbers)


def row_key(r):
    return r.choice(ROWS) if r.random() < 0.5 else b"r%d" % r.randrange(40) + any_bytes(r)


def cells(r, columns, now):
    """column -> (value, time)"""
    share = r.choice((0.3, 0.7, 1.0))
    times = [now - r.randrange(10 * 86400_000) for _ in range(2)] + [now]
    return {column: (value(r, column, now), r.choice(times)) for column in columns if r.random() < share}
