class Reference:
    """Where a value comes from. `kind`: row, column, column_time, family, qualifier, value, time, item, or stored
    (stored_time): the value behind the steps in its name, which this file cannot repeat."""

    def __init__(self, kind, name, column=None):
        self.kind, self.name, self.column = kind, name, column
        self.type = TIME if kind in ("column_time", "time", "stored_time") else BYTES


class Part:
    """A literal, or a reference with its steps."""

    def __init__(self, reference, *steps, literal=b"", width=None, min_width=0, terminated=False, ends_itself=True,
                 readable=True, salts=(), text=""):
        self.reference, self.steps, self.literal = reference, steps, literal
        self.width, self.min_width, self.terminated = width, min_width, terminated
        self.ends_itself, self.readable, self.salts, self.text = ends_itself, readable, salts, text

    def type_at(self, step):
        return self.steps[step - 1].given if step else self.reference.type

    def is_number_at(self, step):
        return self.type_at(step) != BYTES

    def first_number(self, begin):
        return next((at for at in range(begin, len(self.steps)) if self.is_number_at(at)), None)

    def first_text(self, begin):
        at = begin
        while at < len(self.steps) and self.steps[at].name in ("split", "before", "after"):
            at += 1
        return at + 1 if at < len(self.steps) and self.steps[at].name == "uuid_text" else None

    def begins_as(self, other, steps):
        return (self.reference is not None and self.reference.name == other.reference.name
                and self.steps[:steps] == other.steps[:steps] and len(self.steps) >= steps)

    def run(self, begin, end, value):
        for step in self.steps[begin:end]:
            value = _FUNCTIONS[step.name][0](step, value)
        return value

    def encode(self, begin, value):
        try:
            return self.run(begin, len(self.steps), value)
        except _Refused as refused:
            raise BadPart(f"{self.text}: {refused}") from None

    def invert_step(self, at, value):
        invert = _FUNCTIONS[self.steps[at].name][1]
        return (NONE, None) if invert is None else invert(self.steps[at], value)

    def invert(self, begin, end, value):
        """From the value behind `end` steps to one behind `begin`; third: whether `default` may have set it."""
        worst, defaulted = EXACT, False
        for at in reversed(range(begin, end)):
            if self.steps[at].name == "default":
                defaulted = defaulted or value == self.steps[at].arguments[0]
                continue
            inverse, value = self.invert_step(at, value)
            worst = max(worst, inverse)
            if worst == NONE:
                break
        return worst, value, defaulted

    def invert_bytes(self, begin, given):
        """A value that gives these bytes again, or NONE."""
        worst, value, defaulted = self.invert(begin, len(self.steps), given)
        try:
            if worst == NONE or self.run(begin, len(self.steps), value) != given:
                return NONE, None, False
        except _Refused:
            return NONE, None, False
        return worst, value, defaulted

    def invertible(self, begin):
        worst = EXACT
        for step in reversed(self.steps[begin:]):
            if worst == GOOD and step.name not in _GIVES_ANY:
                return NONE
            worst = max(worst, step.inverse)
        return worst

    def number_order(self, begin, end):
        orders = [step.order for step in self.steps[begin:end]]
        if any(order not in (UP, DOWN) for order in orders):
            return UNORDERED
        return DOWN if orders.count(DOWN) % 2 else UP

    def bytes_at_bound(self, begin, value):
        """Without checks: a bound need not be a value."""
        for step in self.steps[begin:]:
            if step.name in ("default", "fixed", "without"):
                continue
            try:
                below = step.name == "ordered" and step.taken == REAL
                value = _ordered_below(step, value) if below else _FUNCTIONS[step.name][0](step, value)
            except _Refused as refused:
                raise BadPart(f"{self.text}: {refused}") from None
        return value


class KeyPart:
    """A part of the key as it is given: `steps` of part `part` are taken before. `width`: bytes of a stored form."""

    def __init__(self, name, part, steps, decides, units, bounded_part, alike, width=None):
        self.name, self.part, self.steps, self.decides = name, part, steps, decides
        self.units, self.bounded_part, self.alike, self.width = units, bounded_part, alike, width


class Column:
    def __init__(self, family, qualifier, value):
        self.family, self.qualifier, self.value = family, qualifier, value


class Period:
    """A table for each period: the template of its name, and the part that gives its time."""

    def __init__(self, table, time, units, key_part, of_time_alone, step_millis):
        self.table, self.time, self.units, self.key_part = table, time, units, key_part
        self.of_time_alone, self.step_millis = of_time_alone, step_millis


class Range(typing.NamedTuple):
    """Row keys from `start`, inclusive, to `stop`, exclusive; an empty `stop` is the end of the table."""
    start: bytes
    stop: bytes


def _row_after(row):
    return row + b"\0" if len(row) < 32767 else _prefix_end(row)


def _prefix_end(prefix):
    cut = prefix.rstrip(b"\xff")
    return cut[:-1] + bytes([cut[-1] + 1]) if cut else b""


def _millis(moment):
    """The first whole millisecond at or after it."""
    if moment.tzinfo is None:
        raise BadPart(f"{moment} has no time zone: give tzinfo=datetime.timezone.utc, or another one")
    since = moment - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return -(-since // datetime.timedelta(milliseconds=1))


def _whole_millis(name, moment):
    """Of a part, which has no time between two milliseconds."""
    if moment.microsecond % 1000:
        raise BadPart(f"<{name}> counts milliseconds, and {moment} lies between two of them: give a whole millisecond")
    return _millis(moment)


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _text(value):
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value).encode()
    raise BadPart(f"{value!r} is neither text, nor bytes, nor a whole number, nor a time")


def _cut(template, given):
    """The bytes of each part, None where they are not known. None: the template did not make these bytes."""
    pieces, front, back, rest = [None] * len(template), 0, len(template), given
    while front < back and (template[front].ends_itself or front + 1 == len(template)):
        front += 1
    while back > front + 1 and template[back - 1].width is not None:
        back -= 1
    for at in range(front):
        size = _size_in_front(template, at, rest)
        if size is None or size > len(rest):
            return None
        pieces[at], rest = rest[:size], rest[size:]
    for at in reversed(range(back, len(template))):
        size = template[at].width
        if size > len(rest):
            return None
        pieces[at], rest = rest[len(rest) - size:], rest[:len(rest) - size]
    if back == front + 1:
        pieces[front] = rest
    elif front == back and rest:
        return None
    for part, piece in zip(template, pieces):
        if part.reference is None and piece is not None and piece != part.literal:
            return None
    return pieces


def _size_in_front(template, at, rest):
    part = template[at]
    if part.width is not None:
        return part.width
    if part.terminated:
        end = 0
        while end + 1 < len(rest):
            if rest[end] == 0:
                if rest[end + 1] == 0:
                    return end + 2
                end += 1
            end += 1
        return None
    if at + 1 == len(template):
        return len(rest)
    found = rest.find(template[at + 1].literal[:1])
    return None if found < 0 else found
