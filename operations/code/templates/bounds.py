class _Bound(typing.NamedTuple):
    """Compared with the result of the first `step` steps of a part: a number, or bytes."""
    step: int
    value: object

    @property
    def is_number(self):
        return isinstance(self.value, int)


INSIDE, OUTSIDE, UNSURE = "inside", "outside", "unsure"


class _Bounds:
    """Two bounds of one part: `start` inclusive, `stop` exclusive, None: no bound."""

    def __init__(self, part, typed_at, start, stop, units):
        self.part, self.typed_at, self.units = part, typed_at, units
        self.start = None if start is None else self._read(start)
        self.stop = None if stop is None else self._read(stop)
        self._check_order(start, stop)

    def both(self):
        return [(bound, bound is self.start) for bound in (self.start, self.stop) if bound is not None]

    def _read(self, value):
        part, end = self.part, len(self.part.steps)
        number_at = part.first_number(self.typed_at)
        if number_at is None and part.type_at(end) != BYTES:
            number_at = end
        if number_at is None:
            return self._read_text(value)
        time_at = next((at for at in range(number_at, end + 1) if part.type_at(at) == TIME), None)
        if part.type_at(number_at) == REAL:
            if not _is_number(value) or math.isnan(value):
                raise BadPart(f"{value!r} is not a number: {part.text} is bounded by numbers like 19.9")
            return _Bound(number_at, _rank_given(part.steps[number_at - 1], value))
        if isinstance(value, datetime.datetime):
            units = 1 if time_at is not None else self.units or 1
            return _Bound(number_at if time_at is None else time_at, -(-_millis(value) // units))
        if not _is_number(value) or not math.isfinite(value) or value != int(value) or not LEAST <= value <= MOST:
            raise BadPart(f"{value!r} is no bound of {part.text}: give a whole number, or a datetime")
        return _Bound(number_at, int(value))

    def _read_text(self, value):
        if _is_number(value):
            raise BadPart(f"{value!r} is no bound of {self.part.text}: its values sort as text, so give a str or bytes")
        if self.part.reference.kind == "stored" and not isinstance(value, (bytes, bytearray)):
            raise BadPart(f"{value!r} is no bound of {self.part.text}: a bound of a stored form is bytes, what "
                          f"{self.part.reference.name} gives")
        text, at = _text(value), self.part.first_text(self.typed_at)
        if at is None:
            return _Bound(self.typed_at, text)
        try:
            return _Bound(at, _uuid_text(None, _uuid(None, text)))
        except _Refused:
            return _Bound(at, text)  # the beginning of one

    def _forward(self, begin, end, value):
        try:
            return self.part.run(begin, end, value)
        except _Refused:
            return None

    def _check_order(self, start, stop):
        if self.start is None or self.stop is None:
            return
        step = max(self.start.step, self.stop.step)
        first = self._forward(self.start.step, step, self.start.value)
        last = self._forward(self.stop.step, step, self.stop.value)
        if first is None or last is None:
            raise BadPart(f"{start!r} and {stop!r} cannot be compared: {self.part.text} has no such value")
        if first > last and self.part.number_order(min(self.start.step, self.stop.step), step) == UP:
            raise BadPart(f"start {start!r} lies behind stop {stop!r}: exchange them")

    def empty(self):
        if self.stop is not None and self.stop.value == (LEAST if self.stop.is_number else b""):
            return True  # nothing lies below the least number or the empty text
        both = self.start is not None and self.stop is not None and self.start.step == self.stop.step
        return both and self.start.value >= self.stop.value

    def include(self, value):
        for bound, is_start in self.both():
            at_bound = self._forward(self.typed_at, bound.step, value)
            if at_bound is None or (at_bound >= bound.value) != is_start:
                return False
        return True

    def judge(self, numbers, number_at):
        return _together(self._judge_end(numbers, number_at, *end) for end in self.both())

    def _judge_end(self, numbers, number_at, bound, is_start):
        first = self._forward(number_at, bound.step, numbers[0])
        last = self._forward(number_at, bound.step, numbers[1])
        if first is None or last is None or (first >= bound.value) != (last >= bound.value):
            return UNSURE
        if first != last and self.part.number_order(number_at, bound.step) == UNORDERED:
            return UNSURE
        return INSIDE if (first >= bound.value) == is_start else OUTSIDE


def _together(placements):
    worst = INSIDE
    for placement in placements:
        if placement == OUTSIDE:
            return placement
        worst = UNSURE if placement == UNSURE else worst
    return worst


class _Interval(typing.NamedTuple):
    """Bytes of a part: from `low` on to `high`, None: to the last."""
    low: bytes = b""
    high: typing.Optional[bytes] = None
    with_high: bool = False
    without_low: bool = False

    def holds(self, value):
        if value < self.low or (self.without_low and value == self.low):
            return False
        return self.high is None or value < self.high or (self.with_high and value == self.high)


def _intervals_of(part, begin, first, last):
    """The bytes of the values from `first` to `last` (numbers: inclusive, bytes: exclusive). None: in any order."""
    if part.is_number_at(begin):
        return _of_numbers(part, begin, first, last)
    if any(step.order != UP for step in part.steps[begin:]):
        return None
    low, high, with_high, without_low = b"", None, False, False
    if first is not None:
        low = part.bytes_at_bound(begin, first)
    if last is not None:
        high = part.bytes_at_bound(begin, last)
        try:  # where something is cut off, values below the bound may have its bytes
            with_high = bool(last) and part.bytes_at_bound(begin, last[:-1]) == high
        except BadPart:
            with_high = False
    if part.width is not None:
        if high is not None and len(high) > part.width:
            high, with_high = high[:part.width], True
        if len(low) > part.width:
            low, without_low = low[:part.width], True
    return [_Interval(low, high, with_high, without_low)]


def _of_numbers(part, begin, first, last):
    writer = begin
    while writer < len(part.steps) and part.is_number_at(writer + 1):
        writer += 1
    direction = part.number_order(begin, writer)
    if direction == UNORDERED:
        return None
    try:
        low = None if first is None else part.run(begin, writer, first)
        high = None if last is None else part.run(begin, writer, last)
    except _Refused as refused:
        raise BadPart(f"{part.text}: {refused}") from None
    if direction == DOWN:
        low, high = high, low
    return _written(part, writer, low, high)


def _written(part, writer, first, last):
    """Through the step that makes bytes of the numbers, and what follows it."""
    step = part.steps[writer]
    open_digits = step.name == "decimal" and not step.arguments
    follows = part.steps[writer + 1:]
    if open_digits:
        pads = follows and follows[0].name == "pad" and follows[0].arguments[1] == b"0"
        width = follows[0].arguments[0] if pads else 0
        if any(number is None or number < 0 or len(str(number)) > width for number in (first, last)):
            return None
        follows = follows[1:]
    if step.order == UNORDERED or any(after.order != UP for after in follows):
        return None

    def interval(low, high):
        return _Interval(b"" if low is None else part.bytes_at_bound(writer, low),
                         None if high is None else part.bytes_at_bound(writer, high), True, lies_below(low))

    def lies_below(low):
        """Are the bytes of this bound those of a number before it?"""
        if low is None or step.name != "ordered" or step.taken != REAL or part.invertible(writer + 1) != EXACT:
            return False
        try:
            part.run(writer, writer + 1, low)
        except _Refused:
            return True
        return False
    if step.order == UP:
        return [interval(first, last)]
    if step.order == DOWN:
        return None
    intervals = []
    if last is None or last >= 0:
        intervals.append(interval(max(first or 0, 0), MOST if last is None else last))
    if (first is not None and first < 0) or (first is None and step.order == SIGNED):
        intervals.append(interval(LEAST if first is None else first, -1 if last is None else min(last, -1)))
    return intervals


def _common(one, other):
    """What lies in both of two halves."""
    both = []
    for a in one:
        for b in other:
            low, without_low, high, with_high = b.low, b.without_low, b.high, b.with_high
            if a.low >= b.low:
                low, without_low = a.low, a.without_low or (a.low == b.low and b.without_low)
            if a.high is not None and (b.high is None or a.high < b.high):
                high, with_high = a.high, a.with_high
            if a.high is not None and a.high == b.high:
                with_high = a.with_high and b.with_high
            if high is None or low <= high:
                both.append(_Interval(low, high, with_high, without_low))
    return both


class _PartBounds:
    """Which bytes of one part of the row key are between two bounds."""

    def __init__(self, part, bounds):
        self.part, self.bounds = part, bounds
        self.exact = all(part.invertible(bound.step) == EXACT for bound, _ in bounds.both())
        #: False: a default, or a number that is too long for its pad, may lie in the intervals
        self.in_order = not any(step.name in ("default", "pad")
                                for bound, _ in bounds.both() for step in part.steps[bound.step:])
        self.intervals = [] if bounds.empty() else self._intervals()

    def tells(self):
        return self.exact or self.intervals is not None

    def _intervals(self):
        start, stop = self.bounds.start, self.bounds.stop
        first, last = (None if bound is None else bound.value for bound in (start, stop))
        if stop is not None and stop.is_number and last > LEAST:
            last -= 1
        if start is None or stop is None or start.step == stop.step:
            return _intervals_of(self.part, (start or stop).step, first, last)
        above = _intervals_of(self.part, start.step, first, None)
        below = _intervals_of(self.part, stop.step, None, last)
        return None if above is None or below is None else _common(above, below)

    def judge(self, value):
        if self.intervals is not None and not any(interval.holds(value) for interval in self.intervals):
            return OUTSIDE
        return _together(self._judge_end(value, *end) for end in self.bounds.both())

    def _judge_end(self, given, bound, is_start):
        inverse, value, _ = self.part.invert_bytes(bound.step, given)
        if inverse == EXACT:
            return INSIDE if (value >= bound.value) == is_start else OUTSIDE
        if inverse == GOOD:
            return UNSURE
        return UNSURE if self.part.invertible(bound.step) == NONE else OUTSIDE


def _stop_of(row, at, prefix, interval):
    if interval.high is None:
        return _prefix_end(prefix)
    exclusive, part = prefix + interval.high, row[at]
    if at + 1 < len(row) and not (part.width is not None or part.terminated):
        return _stop_behind_shorter(row, at, prefix, interval.high)
    if not interval.with_high:
        return exclusive
    return _row_after(exclusive) if at + 1 == len(row) else _prefix_end(exclusive)


def _stop_behind_shorter(row, at, prefix, high):
    """A key may go on behind a part that is a beginning of the bound."""
    least, separator = min(row[at].min_width, len(high)), row[at + 1].literal[:1]
    if not separator:
        return _prefix_end(prefix + high[:least])
    for end in range(least, len(high)):
        if separator >= high[end:end + 1]:
            return _prefix_end(prefix + high[:end] + separator)
    return _prefix_end(prefix + high)


def _merged(ranges):
    merged = []
    for one in sorted(ranges, key=lambda one: one.start):
        if one.stop and one.stop <= one.start:
            continue
        if not merged or (merged[-1].stop and merged[-1].stop <= one.start):
            merged.append(one)
        elif not one.stop or (merged[-1].stop and merged[-1].stop < one.stop):
            merged[-1] = Range(merged[-1].start, one.stop)
    return merged
