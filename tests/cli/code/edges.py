"""Indexes at the edges of what keys and bounds can be, and questions to the Go and C++ of them with expressions of the answers."""
SALT_WIDTHS = (127, 128, 255, 256, 300)
MAPPING = "source: s\nindexes:\n" + "".join(f"""  {name}:
    table: {name}
    row: '{row}'
    columns: {{ 'f:q': '{{f:v}}' }}
""" for name, row in {
    **{f"salt{width}": f"{{row | salt 2 | pad {width} x}}{{f:a | terminated}}{{row}}" for width in SALT_WIDTHS},
    "floats": "{f:a | f32 | ordered 4}{row}",
    "narrow": "{f:a | f64 | ordered 4}{row}",
    "padded": "{f:n | int | decimal | pad 5 0 | terminated}{row}",
    "defaults": "{f:n | int | decimal 5 | default zzzzz}{row}",
    "fixed": "{f:a | fixed 4}{row}",
    "rows": "{row}",
    "seconds": "{f:t | int | from_s | millis | ordered}{row}",
    "pieces": "{f:n | int | div 10 | ordered}{f:n | int | mod 10 | to_be 1}{row}",
    "hours": "{f:n | int | from_ms | floor_hour | millis | ordered}{f:n | int | from_ms | millis | mod 3600000 | to_be 4}{row}",
    "names": "{f:t | collate de | terminated}{row}",
    "places": "{({f:lat},{f:lon}) | geohash 9}{row}",
    "ended": "{({f:lat},{f:lon}) | geohash 9 | terminated}{row}",
    "nowhere": "{({f:lat},{f:lon}) | geohash 9 | default none | terminated}{row}",
    "quoted": "{f:\"a | lower\" | terminated}{f:a | lower | terminated}{row}",
    "macros": "{f:M_PI | terminated}{f:EIO | terminated}{f:BIG_ENDIAN | terminated}{f:start | terminated}{f:start_ | terminated}{row}",
}.items()) + """  days:
    table: "days_{f:u | int | from_ms | time %Y%m%d Europe/Berlin}"
    retention: 30d
    row: '{f:u | int | ordered}{row}'
    columns: { 'f:q': '' }
"""
INDEXES = [*(f"salt{width}" for width in SALT_WIDTHS), "floats", "narrow", "padded", "defaults", "fixed", "rows", "seconds", "pieces", "hours", "names", "places",
           "ended", "nowhere", "quoted", "macros", "days"]


def ordered(number):
    return (number + 2**63).to_bytes(8, "big").hex()


def of_pieces(index, number):
    """The key of a number at an end of 64 bits, in two pieces, and the number that a reader finds in it."""
    unit, first, width = (10, number // 10, 1) if index == "pieces" else (3600000, number // 3600000 * 3600000, 4)
    return (f"{index} decode b:{ordered(first)}{(number % unit).to_bytes(width, 'big').hex()}72", rf"\{{.*=(?:b:)?{str(number).encode().hex()}\b.*\}}")


def of_salts(width):
    pad = "78" * (width - 1)
    return rf"\[salt{width}\]\|\[{pad}00610000\.\.{pad}00610001, {pad}01610000\.\.{pad}01610001\]\|true"


QUESTIONS = [
    *((f"salt{width} query b:61 - -", of_salts(width)) for width in SALT_WIDTHS),
    # A bound of a float is the nearest float. The float of 19.9 lies below the double.
    ("floats query d:19.9 d:16777217", r"\[floats\]\|\[c19f3333\.\.cb80\]\|true"),
    ("floats query d:1e300 -", r"\[floats\]\|\[ff800000\.\.\]\|true"),
    # 16777217 is no float: the range of doubles begins behind the float below.
    ("narrow query d:16777217 -", r"\[narrow\]\|\[cb800001\.\.\]\|true"),
    ("narrow query d:16777216 -", r"\[narrow\]\|\[cb800000\.\.\]\|true"),
    ("narrow query - d:16777217", r"\[narrow\]\|\[\.\.cb800001\]\|true"),
    # A longer number, or the default, may lie in the ranges.
    ("padded query i:3 i:99999", r"\[padded\]\|\[30303030330000\.\.39393939380001\]\|false"),
    ("defaults query i:3 -", r"\[defaults\]\|\[3030303033\.\.\]\|false"),
    # Nothing lies behind bytes of FF alone, or before the empty text.
    ("fixed query b:ffffffffff -", r"\[fixed\]\|\[\]\|(true|false)"),
    ("fixed query b:ffffffff -", r"\[fixed\]\|\[ffffffff\.\.\]\|true"),
    ("fixed query - b:", r"\[fixed\]\|\[\]\|(true|false)"),
    ("rows query - b:", r"\[rows\]\|\[\]\|(true|false)"),
    ("names query s:61 - -", "BadPart.* <f:t . collate de> is a stored form, which this file cannot make: give its .*"),
    ("names query i:61 - -", "BadPart.* <f:t . collate de> is a stored form, which this file cannot make: give its .*"),
    ("names query s:61 -", "BadPart.*f:t .*is a stored form, which this file cannot make: give its .*"),
    ("names query b:61 -", r"\[names\]\|\[610000\.\.\]\|true"),
    # All stored forms of a part have one width: another one is none of them. A bound is any beginning.
    *((f"{index} query b:777834{rest} - -", f"BadPart.* <.*> is a stored form of 9 bytes, not of {size}: give all of them, or .*etween.*")
      for index in ("places", "ended") for rest, size in (("", 3), ("30" * 7, 10))),
    ("places encode b:777834 b:72", "BadPart.* <.*> is a stored form of 9 bytes, not of 3: give all of them, or .*etween.*"),
    ("places encode b:777834303030303030 b:72", "77783430303030303072"),
    ("places query b:777834303030303030 - -", r"\[places\]\|\[777834303030303030\.\.777834303030303031\]\|true"),
    ("places query b:777834 b:777835", r"\[places\]\|\[777834\.\.777835\]\|true"),
    ("nowhere encode b:6e6f6e65 b:72", "6e6f6e65000072"),
    ("quoted encode b:41 b:42 b:72", "41000062000072"),
    # A bound between two milliseconds is that of the next one. A part is refused.
    ("seconds encode n:1482125382000000000 b:72", ordered(1482125382000) + "72"),
    ("seconds encode n:1482125382999999000 b:72", "BadPart.* <f:t>.* has a fraction of a millisecond: give a whole one, as .*"),
    ("seconds query n:1482125382999999000 -", rf"\[seconds\]\|\[{ordered(1482125383000)}\.\.\]\|true"),
    # The pieces of a number at an end of 64 bits are of numbers beyond it, too.
    *(of_pieces("pieces", number) for number in (2**63 - 1, -2**63, 2**63 - 8, -2**63 + 7)),
    *(of_pieces("hours", number) for number in (2**63 - 1, 2**63 - 3600001, -2**63 // 3600000 * 3600000 + 3600000)),
    ("macros encode b:61 b:62 b:63 b:64 b:65 b:72", "610000620000630000640000650000" + "72"),
    (f"days query i:{2**63 - 6} i:{2**63 - 1}", r"\[\]\|.*"),
]
