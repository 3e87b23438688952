# Sets of numbers that agree with what a cell shows: least, most, and a cycle after which they come again.

def _spread(step, value, numbers):
    """Through a step that gives one number for several. None: unknown."""
    least, most, cycle = numbers
    name = step.name
    if name == "mod":
        return None if cycle or most - least >= step.arguments[0] else (least, most, step.arguments[0])
    if name in ("mul", "from_s", "from_days"):
        return _through_product({"from_s": 1000, "from_days": 86400000}.get(name) or step.arguments[0], numbers)
    if name in ("div", "seconds", "from_us", "from_ns"):
        unit = {"seconds": 1000, "from_us": 1000, "from_ns": 1000000}.get(name) or step.arguments[0]
        return _within(least * unit, most * unit + unit - 1, cycle * unit)
    if name in ("floor", "floor_hour", "floor_day"):
        unit = {"floor_hour": 3600000, "floor_day": 86400000}.get(name) or step.arguments[0]
        if cycle % unit == 0:
            least, most = -(-least // unit) * unit, most // unit * unit
            if least > most:
                return None
        return _within(least, most + unit - 1, cycle)
    return _spread_of_text(step, value)


def _spread_of_text(step, value):
    zone, local = _argument(step, 1), _parse_time(_form(step), value)
    has = _letters(_form(step))
    if local is None or isinstance(zone, bytes):
        return None
    if "Y" in has:
        unit, cycle = 0 if has & {"j", "y"} else _unit_from(has, "YmdHMSL"), 0
    else:
        first = next((at for at in "HMSL" if at in has), None)
        if first is None:
            return None
        cycle = _UNITS["YmdHMSL"["YmdHMSL".index(first) - 1]]
        unit = _unit_from(has, "HMSL"["HMSL".index(first):])
    least = local - (zone or 0) * 60000
    return (least, least + unit - 1, cycle) if unit else None


def _unit_from(has, fields):
    known = list(itertools.takewhile(lambda field: field in has, fields))
    return _UNITS[known[-1]] if known else 0


def _fitting(numbers):
    return numbers if all(LEAST <= number <= MOST for number in numbers) else None


def _within(least, most, cycle):
    """Within 64 bits. A cut end would be wrong after the cycle."""
    if cycle:
        return _fitting((least, most, cycle))
    least, most = max(least, LEAST), min(most, MOST)
    return (least, most, 0) if least <= most else None


def _through_product(factor, numbers):
    least, most, cycle = numbers
    if factor in (0, LEAST):
        return None
    if factor < 0:
        least, most = -most, -least
    by = abs(factor)
    if cycle % by or not _fitting((least, most, cycle)):
        return None
    least, most = -(-least // by), most // by
    return (least, most, cycle // by) if least <= most else None


_SPREADS = {"mod", "mul", "div", "floor", "from_s", "from_us", "from_ns", "from_days", "seconds", "floor_hour",
            "floor_day", "time"}


def _numbers_that_give(part, begin, value):
    numbers = None
    for at in reversed(range(begin, len(part.steps))):
        step = part.steps[at]
        if step.name == "default":
            return None
        if step.name in _SPREADS:
            numbers = _spread(step, value, numbers or (0, 0, 0))
            if numbers is None:
                return None
        elif numbers is not None:
            numbers = _one_by_one(part, at, numbers) if part.is_number_at(at) else None
            if numbers is None:
                return None
        else:
            inverse, value = part.invert_step(at, value)
            if inverse != EXACT:
                return None
            if part.is_number_at(at):
                numbers = (value, value, 0)
    return numbers


def _one_by_one(part, at, numbers):
    least, most, cycle = numbers
    found = [part.invert_step(at, number) for number in (least, most, least + cycle)]
    if any(inverse != EXACT for inverse, _ in found) or least + cycle > MOST:
        return None
    first, last, behind = (number for _, number in found)
    return _fitting((min(first, last), max(first, last), abs(behind - first)))


def _in_all(several):
    if all(cycle for _, _, cycle in several):
        return None
    least = max(numbers[0] for numbers in several if not numbers[2])
    most = min(numbers[1] for numbers in several if not numbers[2])
    if least > most:
        return None
    for _ in several:
        for first, last, cycle in several:
            if not cycle:
                continue
            begin, end = first - (last - least) // cycle * cycle, last + (most - first) // cycle * cycle
            if begin > most or end < least:
                return None
            least, most = max(least, begin), min(most, end)
    return least, most


class Known(typing.NamedTuple):
    """A source value in a cell. `exact`: no other value gives this cell."""
    name: str
    value: bytes
    exact: bool


class _Decoder:
    """Reads the templates of one cell backwards."""

    def __init__(self, index):
        self.index, self.made = index, []

    def add(self, template, value):
        pieces = _cut(template, value)
        if pieces is None:
            return False
        self.made += [(part, piece) for part, piece in zip(template, pieces)
                      if part.reference is not None and piece is not None]
        return True

    def known(self):
        """None: two parts contradict each other, so the templates did not make these bytes."""
        known = {}
        for part, piece in self.made:
            name, steps = self._named(part)
            found = self._invert(part, piece, steps)
            if found is None or not found[1]:
                found = self._together(part, steps) or found
            if found is None:
                continue
            value, exact = found
            if self._gives_all(part, steps, value):
                if name not in known or (exact and not known[name].exact):
                    known[name] = Known(name, value if isinstance(value, bytes) else str(value).encode(), exact)
            elif exact:
                return None
        return known

    def numbers_of(self, part, number_at):
        several = [_numbers_that_give(other, number_at, piece) for other, piece in self.made
                   if other.begins_as(part, number_at)]
        several = [numbers for numbers in several if numbers is not None]
        return _in_all(several) if several else None

    def _named(self, part):
        for key_part in self.index.key:
            if part.begins_as(self.index.row[key_part.part], key_part.steps):
                return key_part.name, key_part.steps
        return part.reference.name, 0

    @staticmethod
    def _invert(part, piece, steps):
        inverse, value, defaulted = part.invert_bytes(steps, piece)
        return None if inverse == NONE else (value, inverse == EXACT and not defaulted)

    def _together(self, part, steps):
        number_at = part.first_number(steps)
        numbers = None if number_at is None else self.numbers_of(part, number_at)
        if numbers is None:
            return None
        inverse, value, defaulted = part.invert(steps, number_at, numbers[0])
        if inverse == NONE:
            return None
        return value, numbers[0] == numbers[1] and inverse == EXACT and not defaulted

    def _gives_all(self, candidate, steps, value):
        for part, piece in self.made:
            if not part.begins_as(candidate, steps):
                continue
            try:
                if part.run(steps, len(part.steps), value) != piece:
                    return False
            except _Refused:
                return False
        return True
