class Entry:
    """An index cell, with the source values that it was made of."""

    def __init__(self, table, row, cell, parts, values):
        self.table, self.row = table, row
        self.family, self.qualifier, self.timestamp, self.value = cell
        self.known = parts      # name -> Known: the bytes
        self.parts = values     # name -> the value: a number where the source has one in bytes, else bytes
        self.source = None      # the cells of the source row, if it was read and is known
        self.holds = None       # True: the source row says so now. False: it does not. None: it cannot be told

    def __repr__(self):
        return f"Entry(row={self.row!r}, parts={self.parts!r}, value={self.value!r})"


class Cell(typing.NamedTuple):
    family: bytes
    qualifier: bytes
    timestamp: int
    value: bytes


class Query:
    """Which tables and ranges to scan, and which of their cells match. Made by `prefix` and `between`."""

    def __init__(self, index, parts, start, stop):
        self.index, self.row, self.bounds, self.bounded = index, index.row, None, None
        self.typed_at, self.judged, self.judge, self.scanned = 0, None, None, None
        if len(parts) > len(index.key):
            raise BadPart(f"{len(parts)} parts were given, the row key has {len(index.key)}")
        self.pieces = index.pieces_of(parts)
        self.salts, self.prefixes, self.open = index.prefixes_of(self.pieces)
        self.given, self.asked = len(parts), start is not None or stop is not None
        if self.asked:
            self._bound(start, stop)
        for part, piece in zip(self.row, self.pieces):
            if part.reference is not None and piece is not None and not part.readable:
                raise BadPart(f"where {part.text} begins and ends cannot be told from the row keys")
        self.tables = index.tables_between(start, stop)
        #: for each salt the ranges of its keys; one, if there is none
        self.lanes = [] if self.bounds is not None and self.bounds.empty() else self._lanes()
        #: all of them, in the order of their keys
        self.ranges = _merged([one for _, lane in self.lanes for one in lane])
        #: True: every cell in the ranges matches. False: there may be others, which `matches` leaves out
        self.exact = self._suffices()

    def _bound(self, start, stop):
        period = self.index.period
        if period is None:
            if self.given == len(self.index.key):
                raise BadPart("all parts are given: nothing is left between start and stop")
            return self._bound_part(self.index.key[self.given], start, stop)
        if period.key_part is not None:
            try:
                return self._bound_part(self.index.key[period.key_part], start, stop)
            except BadPart:
                self.judged = self.judge = self.scanned = None
        self.bounded, self.typed_at = period.time, 0
        self.bounds = _Bounds(period.time, 0, start, stop, period.units)

    def _bound_part(self, key_part, start, stop):
        self.typed_at, self.bounded = key_part.steps, self.row[key_part.bounded_part]
        text = self.row[key_part.part].text
        refused, told = f"{text} neither keeps the order of its values nor can be read back: bounds say nothing", False
        for at in key_part.decides:
            part, alike = self.row[at], at in key_part.alike
            if alike:
                bounds = _PartBounds(part, _Bounds(part, key_part.steps, start, stop, key_part.units))
                if not bounds.tells():
                    continue
            elif part.invertible(key_part.steps) != EXACT:
                continue
            if not part.readable:
                refused = f"where {part.text} begins and ends cannot be told from the row keys"
            told = told or part.readable
            if alike:
                self._judge_by(at, bounds)
        if not told:
            raise BadPart(refused)
        if self.judged is not None:
            self.bounded = self.row[self.judged]
        self.bounds = _Bounds(self.bounded, self.typed_at, start, stop, key_part.units)

    def _judge_by(self, at, bounds):
        if at == self.open:
            self.scanned = bounds.intervals
        if self.row[at].readable and (self.judge is None or (bounds.exact and not self.judge.exact)):
            self.judged, self.judge = at, bounds

    def _lanes(self):
        lanes = {}
        for salt, prefix in zip(self.salts, self.prefixes):
            lanes.setdefault(salt, []).extend(self._ranges_of(prefix))
        return [(salt, _merged(ranges)) for salt, ranges in sorted(lanes.items())]

    def _ranges_of(self, prefix):
        if self.open == len(self.row):
            return [Range(prefix, _row_after(prefix))]
        if self.scanned is None:
            return [Range(prefix, _prefix_end(prefix))]
        ranges = []
        for interval in self.scanned:
            low = prefix + interval.low
            start = _prefix_end(low) if interval.without_low else low
            if start or not interval.without_low:  # no key lies behind bytes of FF alone
                ranges.append(Range(start, _stop_of(self.row, self.open, prefix, interval)))
        return ranges

    def _suffices(self):
        for at, (part, piece) in enumerate(zip(self.row, self.pieces)):
            if part.reference is not None and piece is not None:
                if at >= self.open or (not part.ends_itself and self.open < len(self.row)):
                    return False
        if self.bounds is None:
            return True
        if self.judged != self.open or self.scanned is None or not self.judge.exact or not self.judge.in_order:
            return False
        part = self.row[self.open]
        return self.open + 1 == len(self.row) or part.width is not None or part.terminated

    def asked_for(self):
        """What tells this query from others of the index."""
        bounds = None if self.bounds is None else (self.bounds.start, self.bounds.stop)
        return self.given, self.pieces, bounds, self.tables, self.ranges

    def _judge_row(self, row):
        if self.given == 0 and self.bounds is None:
            return INSIDE
        pieces = _cut(self.row, row)
        if pieces is None:
            return OUTSIDE
        for part, wanted, piece in zip(self.row, self.pieces, pieces):
            if part.reference is not None and wanted is not None and wanted != piece:
                return OUTSIDE
        if self.judge is None:
            return INSIDE if self.bounds is None else UNSURE
        return self.judge.judge(pieces[self.judged])

    def _value_in(self, known):
        found = known.get(self.bounded.reference.name)
        if found is None or not found.exact:
            return None
        try:
            value = int(found.value) if self.bounded.reference.type == TIME else found.value
            return self.bounded.run(0, self.typed_at, value)
        except _Refused:
            return None

    def _includes(self, row, cell, known, of_rows):
        value = self._value_in(known)
        if value is not None:
            return self.bounds.include(value)
        number_at = self.bounded.first_number(self.typed_at)
        numbers = None if number_at is None else self.index.number_in(self.bounded, number_at, row, cell)
        placement = UNSURE if numbers is None else self.bounds.judge(numbers, number_at)
        if placement != UNSURE:
            return placement == INSIDE
        source = known.get("row")
        return of_rows.get(source.value, True) if source is not None and source.exact else True

    def matches(self, table, row, cells):
        """The entries of one index row that were asked for."""
        placement = self._judge_row(row)
        if placement == OUTSIDE:
            return []
        known = [self.index.known_in(row, cell) for cell in cells]
        of_rows = {}
        if placement == UNSURE and self.bounded.reference.kind in ("column", "column_time"):
            for one in known:
                value, source = self._value_in(one), one.get("row")
                if value is not None and source is not None and source.exact:
                    of_rows.setdefault(source.value, self.bounds.include(value))
        return [Entry(table, row, cell, one, self.index.values_of(one)) for cell, one in zip(cells, known)
                if placement == INSIDE or self._includes(row, cell, one, of_rows)]


class Index:
    """The definition, as `fensi code` found it in the mapping file."""

    def __init__(self, name, digest, table, source, row, columns, key, period=None, required=None, conditions=False,
                 watched=(), of_items=False):
        self.name, self.digest, self.table, self.source = name, digest, table, source
        self.row, self.columns, self.key, self.period = row, columns, key, period
        self.required, self.conditions, self.watched, self.of_items = required, conditions, watched, of_items

    def pieces_of(self, given):
        pieces = [part.literal if part.reference is None else None for part in self.row]
        for key_part, value in zip(self.key, given):
            typed = self.typed(key_part, value)
            for at in key_part.decides:
                pieces[at] = self.row[at].encode(key_part.steps, typed)
        return pieces

    def typed(self, key_part, value):
        """The value behind the part's first steps, of what an application gives."""
        part = self.row[key_part.part]
        step = part.steps[key_part.steps] if key_part.steps < len(part.steps) else None
        reads = step is not None and step.name in _READERS
        if part.reference.kind == "stored" and not isinstance(value, (bytes, bytearray)):
            raise BadPart(f"<{key_part.name}> is a stored form: give bytes, what {part.reference.name} gives, not {value!r}")
        if key_part.width is not None and len(value) != key_part.width:
            raise BadPart(f"<{key_part.name}> is a stored form of {key_part.width} bytes, not of {len(value)}: give all of them, "
                          f"or between(start, stop) for all that begin alike, not {value!r}")
        if part.type_at(key_part.steps) == TIME:
            millis = _whole_millis(key_part.name, value) if isinstance(value, datetime.datetime) else value
            if not isinstance(millis, int) or isinstance(millis, bool):
                raise BadPart(f"<{key_part.name}> is a time: give a datetime or milliseconds, not {value!r}")
            return millis
        if isinstance(value, datetime.datetime):
            value = self._number_of(key_part, part, value)
        if reads and _is_number(value):
            return self._bytes_of_number(key_part, part, step, value)
        if reads and isinstance(value, str):
            raise BadPart(f"<{key_part.name}> is read by {step.name}: give a number or bytes, not {value!r}")
        if step is not None and step.name == "uuid_text" and isinstance(value, str):
            try:
                return _uuid(None, value.encode())
            except _Refused as refused:
                raise BadPart(f"<{key_part.name}>: {refused}") from None
        return _text(value)

    @staticmethod
    def _number_of(key_part, part, moment):
        since, step = _whole_millis(key_part.name, moment), part.first_number(key_part.steps)
        if key_part.units is None or step != key_part.steps + 1:
            raise BadPart(f"<{key_part.name}> is no time that this file can write: give the value as the source has it")
        if since % key_part.units:
            raise BadPart(f"<{key_part.name}> counts units of {key_part.units} ms, and {moment} lies between two of them")
        number = since // key_part.units
        return number if part.steps[key_part.steps].name in _READERS else str(number)

    @staticmethod
    def _bytes_of_number(key_part, part, step, value):
        if step.given == REAL:
            value = _rank_given(step, value)
        inverse, given = part.invert_step(key_part.steps, value) if isinstance(value, int) else (NONE, None)
        try:
            if inverse == NONE or part.run(key_part.steps, key_part.steps + 1, given) != value:
                raise _Refused("it does not fit")
        except _Refused:
            raise BadPart(f"<{key_part.name}> is read by {step.name}, and {value!r} does not fit") from None
        return given

    def prefixes_of(self, pieces):
        """For each prefix its salt, the prefixes, and the first part that is not in them."""
        found, at, leading = [(b"", b"")], 0, True
        while at < len(self.row):
            part, piece = self.row[at], pieces[at]
            leading = leading and bool(part.salts)
            choices = [piece] if piece is not None else part.salts
            if not choices or len(choices) * len(found) > 4096:
                break
            found = [(salt + choice if leading else salt, prefix + choice) for salt, prefix in found
                     for choice in choices]
            at += 1
        return [salt for salt, _ in found], [prefix for _, prefix in found], at

    def tables_between(self, start, stop):
        period = self.period
        if period is None:
            return [self.table]
        if start is None or stop is None:
            raise BadPart("the index has a table per period: give start and stop, as datetimes or numbers")
        if not period.of_time_alone:
            raise BadPart("the table's name has more parts than the time: name its tables yourself")
        bounds = _Bounds(period.time, 0, start, stop, period.units)
        if bounds.empty():
            return []
        end, times = len(period.time.steps), []
        for bound, is_start in bounds.both():
            if period.time.number_order(bound.step, end) == UNORDERED:
                raise BadPart("the table's name does not keep the order of its times: bounds do not tell its tables")
            try:
                times.append(period.time.run(bound.step, end, bound.value - (0 if is_start else 1)))
            except _Refused as refused:
                raise BadPart(str(refused)) from None
        return self._tables_from(min(times), max(times))

    def _tables_from(self, at, last):
        tables, step = {}, self.period.step_millis
        zones = [one.arguments[1] for part in self.period.table for one in part.steps
                 if one.name == "time" and isinstance(_argument(one, 1), bytes)]
        if (last - at) // step > 20000000:
            raise BadPart("the bounds are too far apart: ask for a shorter time")
        while True:
            name = self.table_at(at)
            if name:
                tables.setdefault(name)
            if len(tables) > 10000:
                raise BadPart("there can be more than 10,000 tables between the bounds: ask for a shorter time")
            if at == last:
                return list(tables)
            changed = any(_offset(zone, at) != _offset(zone, at + step) for zone in zones)
            at = min(last, at + (min(step, 1000) if changed else step))

    def table_at(self, millis):
        begin, name = len(self.period.time.steps), b""
        for part in self.period.table:
            try:
                name += part.literal if part.reference is None else part.run(begin, len(part.steps), millis)
            except _Refused:
                return ""
        return name.decode()

    def decoders(self, row, cell):
        """None: the row is no key of this index."""
        key = _Decoder(self)
        if not key.add(self.row, row):
            return None
        decoders = []
        for column in self.columns if cell is not None else ():
            decoder = _Decoder(self)
            decoder.made = list(key.made)
            if column.family == cell.family and decoder.add(column.qualifier, cell.qualifier):
                if decoder.add(column.value, cell.value):
                    decoders.append(decoder)
        return key, decoders

    def known_in(self, row, cell=None):
        """name -> Known, as far as the templates can be read backwards."""
        found = self.decoders(row, cell)
        if found is None:
            return {}
        both = None
        for decoder in found[1]:
            known = decoder.known()
            if known is not None:
                both = known if both is None else _in_both(both, known)
        if both is None:
            both = found[0].known()
        return both or {}

    def number_in(self, part, number_at, row, cell):
        found, both = self.decoders(row, cell), None
        for decoder in found[1] if found else ():
            numbers = decoder.numbers_of(part, number_at)
            if numbers is None:
                return None
            both = numbers if both is None else (min(both[0], numbers[0]), max(both[1], numbers[1]))
        return both

    def values_of(self, known):
        return {name: self._value_of(one) for name, one in known.items()}

    def _value_of(self, known):
        step = self._reader_of(known.name)
        if isinstance(step, str):
            return int(known.value)
        if step is None:
            return known.value
        try:
            value = _FUNCTIONS[step.name][0](step, known.value)
        except _Refused:
            return known.value
        return _real(value) if step.given == REAL else value

    def _reader_of(self, name):
        """The step that reads the value as a number; "time" of a timestamp."""
        for key_part in self.key:
            if key_part.name == name:
                return self._reads(self.row[key_part.part], key_part.steps)
        for column in self.columns:
            for part in column.qualifier + column.value:
                if part.reference is not None and part.reference.name == name and self._reads(part, 0):
                    return self._reads(part, 0)
        return None

    @staticmethod
    def _reads(part, steps):
        if part.type_at(steps) == TIME:
            return TIME
        step = part.steps[steps] if steps < len(part.steps) else None
        return step if step is not None and step.name in _READERS else None


def _in_both(one, other):
    return {name: Known(name, known.value, known.exact and other[name].exact) for name, known in one.items()
            if name in other and other[name].value == known.value}
