"""JSON in a cell: the ways into a document, and its one canonical form."""
import json
import re

from values import ABSENT, Unmappable, need

QUOTED = r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'"
STEP = re.compile(rf"\[(?:(\*)|(\d+)|{QUOTED})\]|(?:^|\.)(?:\"((?:[^\"\\]|\\.)*)\"|([^.\[\"][^.\[]*))")


def steps(path):
    """(name or None, position or None), or "*"."""
    rest = path[1:] if re.match(r"\$(?=$|[.\[])", path) else path
    out, at = [], 0
    while at < len(rest):
        found = STEP.match(rest, at)
        star, position, *names, word = found.groups()
        name = next((re.sub(r"\\(.)", r"\1", n) for n in names if n is not None), None)
        if star:
            out.append("*")
        elif word is not None:
            out.append((word, int(word) if word.isdigit() else None))
        else:
            out.append((name, int(position) if position else None))
        at = found.end()
    return out


def _first_of_a_name(pairs):
    out = {}
    for name, value in pairs:
        out.setdefault(_whole(name), value)
    return out


def _not_json(_):
    raise ValueError


def _whole(text):
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def _document(value):
    """Numbers as they are written come as a tuple."""
    try:
        return json.loads(value.decode(), parse_int=lambda n: (n,), parse_float=lambda n: (n,), parse_constant=_not_json,
                          object_pairs_hook=_first_of_a_name)
    except ValueError:
        raise Unmappable() from None


def _walk(at, path):
    for name, position in path:
        if isinstance(at, dict) and name is not None:
            at = at.get(name)
        elif isinstance(at, list) and position is not None and position < len(at):
            at = at[position]
        else:
            return ABSENT
    return at


def _single(at):
    if at is None:
        return ABSENT
    need(not isinstance(at, (dict, list)))
    if isinstance(at, bool):
        return b"true" if at else b"false"
    return _whole(at[0] if isinstance(at, tuple) else at).encode()


def json_value(value, path):
    return _single(_walk(_document(value), steps(path)))


def json_list(value, path):
    way = steps(path)
    star = way.index("*") if "*" in way else len(way)
    at = _walk(_document(value), way[:star])
    if at is None:
        return ABSENT
    need(isinstance(at, list))
    items = (_single(_walk(item, way[star + 1:])) for item in at)
    return [item for item in items if item is not ABSENT]


def _canonical(at):
    if isinstance(at, dict):
        fields = sorted((name.encode(), value) for name, value in at.items())
        return "{" + ",".join(_canonical(name.decode()) + ":" + _canonical(value) for name, value in fields) + "}"
    if isinstance(at, list):
        return "[" + ",".join(map(_canonical, at)) + "]"
    if isinstance(at, tuple):
        return at[0]
    return json.dumps(_whole(at) if isinstance(at, str) else at, ensure_ascii=False)


def json_text(value, path):
    at = _walk(_document(value), steps(path))
    return ABSENT if at is None else _canonical(at).encode()
