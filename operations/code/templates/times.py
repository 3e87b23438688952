# Times as text, with the few fields that keys need.

_FIELDS = {"Y": (4, 0, 9999), "m": (2, 1, 12), "d": (2, 1, 31), "H": (2, 0, 23), "M": (2, 0, 59), "S": (2, 0, 59),
           "L": (3, 0, 999), "j": (3, 1, 366), "y": (2, 0, 99)}
_UNITS = {"Y": 366 * 86400000, "m": 31 * 86400000, "d": 86400000, "H": 3600000, "M": 60000, "S": 1000, "L": 1}
_YEAR_0, _YEAR_10000 = -62167219200000, 253402300800000


def _elements(form):
    """Fields as letters, and other characters as bytes."""
    at = 0
    while at < len(form):
        field = form[at] == "%" and at + 1 < len(form) and form[at + 1] != "%"
        at += form[at] == "%"
        yield form[at] if field else form[at].encode("latin-1")
        at += 1


def _form(step):
    return step.arguments[0].decode("latin-1")


def _days(year, month, day):
    year -= month <= 2
    era, yoe = year // 400, year % 400
    doy = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + yoe * 365 + yoe // 4 - yoe // 100 + doy - 719468


def _date(days):
    days += 719468
    era, doe = days // 146097, days % 146097
    yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    mp = (5 * doy + 2) // 153
    month = mp + (3 if mp < 10 else -9)
    return yoe + era * 400 + (month <= 2), month, doy - (153 * mp + 2) // 5 + 1


def _format_time(form, millis):
    if not _YEAR_0 <= millis < _YEAR_10000:
        raise _Refused(f"{millis} ms are outside the years 0 to 9999")
    day, rest = divmod(millis, 86400000)
    year, month, date = _date(day)
    values = {"Y": year, "m": month, "d": date, "H": rest // 3600000, "M": rest // 60000 % 60, "S": rest // 1000 % 60,
              "L": rest % 1000, "j": day - _days(year, 1, 1) + 1, "y": year % 100}
    return b"".join(e if isinstance(e, bytes) else b"%0*d" % (_FIELDS[e][0], values[e]) for e in _elements(form))


def _parse_time(form, text):
    """None: the text is not written so."""
    values, at = {"Y": 1970, "m": 1, "d": 1, "H": 0, "M": 0, "S": 0, "L": 0}, 0
    for element in _elements(form):
        if isinstance(element, bytes):
            if text[at:at + 1] != element:
                return None
            at += 1
            continue
        width, least, most = _FIELDS[element]
        digits = text[at:at + width]
        if len(digits) < width or not digits.isdigit() or not least <= int(digits) <= most:
            return None
        values[element] = int(digits)
        at += width
    day = _days(values["Y"], values["m"], values["d"])
    if at != len(text) or _date(day) != (values["Y"], values["m"], values["d"]):
        return None
    return (((day * 24 + values["H"]) * 60 + values["M"]) * 60 + values["S"]) * 1000 + values["L"]


def _offset(zone, millis):
    """Milliseconds east of UTC. A zone is minutes, or a name whose clocks are in this machine's tzdata."""
    if not isinstance(zone, bytes):
        return (zone or 0) * 60000
    import zoneinfo  # only here: other indexes need no time zones of the machine
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    within = min(max(millis, _YEAR_0 + 400 * 86400000), _YEAR_10000 - 2 * 86400000)
    local = (epoch + datetime.timedelta(milliseconds=within)).astimezone(zoneinfo.ZoneInfo(zone.decode()))
    return int(local.utcoffset().total_seconds()) * 1000


def _instant(zone, local):
    """When clocks there show this; None: never, because they were set forward over it."""
    near = _offset(zone, local - 86400000), _offset(zone, local + 86400000)
    for offset in (max(near), min(near)):
        if _offset(zone, local - offset) == offset:
            return local - offset
    return None


def _time(step, millis):
    return _format_time(_form(step), _fits(millis + _offset(_argument(step, 1), millis)))


def _letters(form):
    return {element for element in _elements(form) if isinstance(element, str)}


def _untime(step, value):
    if step.inverse == NONE:
        return NONE, None
    local = _parse_time(_form(step), value)
    return (NONE, None) if local is None else (step.inverse, local - (_argument(step, 1) or 0) * 60000)


def _parse(step, value):
    local = _parse_time(_form(step), value)
    instant = None if local is None else _instant(_argument(step, 1), local)
    if instant is None:
        raise _Refused(f"{value!r} is not a time like {_form(step)}, or one that no clock showed")
    return instant


def _unparse(step, millis):
    try:
        local = _fits(millis + _offset(_argument(step, 1), millis))
        value = _format_time(_form(step), local)
    except _Refused:
        return NONE, None
    if _instant(_argument(step, 1), local) != millis:
        return NONE, None
    return GOOD if _letters(_form(step)) & {"j", "y"} else EXACT, value


_ISO = re.compile(rb"(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?:(:\d\d)(?:[.,](\d+))?)?"
                  rb"(?:([Zz])|([+-])(\d\d)(?:(:?)(\d\d)(:\d\d)?)?)?(\[[^\]]*\])?)?", re.ASCII)


def _iso_time(step, value):
    found = _ISO.fullmatch(value)
    refused = _Refused(f"{value!r} is not a time like 2016-12-19T13:29:42.074+08:00")
    if not found:
        raise refused
    date, clock, second, part, utc, sign, hours, colon, minutes, seconds, zone = found.groups()
    east = (_parse_time("%H", hours or b"00"), _parse_time("%M", minutes or b"00"), _parse_time(":%S", seconds or b":00"))
    read = (_parse_time("%Y-%m-%d", date), _parse_time("%H:%M", clock or b"00:00"), _parse_time(":%S", second or b":00"))
    if None in read or None in east or sum(east) > 18 * 3600000 or (seconds and not colon) or (zone and not (utc or sign)):
        raise refused
    local = sum(read) + int((part or b"0")[:3].ljust(3, b"0"))
    if utc or sign or not step.arguments:
        return local - sum(east) * (-1 if sign == b"-" else 1)
    instant = _instant(step.arguments[0], local)
    if instant is None:
        raise refused
    return instant


def _uniso_time(step, millis):
    try:
        return GOOD, _format_time("%Y-%m-%dT%H:%M:%S.%LZ", millis)
    except _Refused:
        return NONE, None
