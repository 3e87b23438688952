def _given(parts):
    """The first parts: behind one that is left out all are."""
    given = [part for part in parts if part is not None]
    if any(part is None for part in parts[:len(given)]):
        raise BadPart("a part is given behind one that is left out: give all in front of it, too")
    return given


def _encode(parts):
    pieces = INDEX.pieces_of(parts)
    _, prefixes, end = INDEX.prefixes_of(pieces)
    if end != len(INDEX.row) or len(prefixes) != 1:
        raise BadPart(f"these parts do not determine one row key of {INDEX.name}: read with prefix()")
    return prefixes[0]


def decode_key(key):
    """The source values in a row key, as a dict of names to values, as far as it tells them. Where several values give
    this key (7 and +07, all times of an hour), it is one of them."""
    found = INDEX.decoders(key, None)
    known = None if found is None else found[0].known()
    if known is None:
        raise NotAKey(f"{key!r} is no row key of index {INDEX.name}: check that it comes from table {INDEX.table}")
    return INDEX.values_of(known)
