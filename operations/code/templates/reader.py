class NotReady(FensiError):
    """The index is not to be read as it is. `accept` of Reader lets a program read it all the same."""


class StillBuilding(NotReady):
    """Rows from before the stream may be missing."""


class Paused(NotReady):
    """Nothing is written at the moment."""


class Dropped(NotReady):
    """The index is gone, or about to go."""


class Unknown(NotReady):
    """fensi_meta has no such index."""


class OtherDefinition(NotReady):
    """This file is of another definition than the index."""


class AliasMoved(NotReady):
    """The alias names another index."""


class MissingRight(FensiError, PermissionError):
    """HBase does not let this user read a table."""


class BadToken(FensiError, ValueError):
    """The continuation token is of another index or query."""


class State(typing.NamedTuple):
    """What fensi_meta says of the index."""
    index: str
    phase: str                         # empty: unknown
    incarnation: str
    digest: str
    complete_to: typing.Optional[int]  # every change that the source logged before is in the index; ms, None: unknown
    paused: str                        # by whom and why; empty: it runs, or the state table cannot be read


class Page(typing.NamedTuple):
    entries: list
    token: typing.Optional[str]  # of the next page; None: this was the last
    stale: int                   # entries whose source row did not say so


class HappyBase:
    """A store over a happybase.Connection, which needs HBase's Thrift server of version 1 (`hbase thrift start`)."""

    def __init__(self, connection, batch=500):
        self.connection, self.batch = connection, batch

    def get(self, table, rows):
        """row -> cells, of the rows that exist."""
        found = self.connection.table(table).rows(rows, include_timestamp=True)
        return {row: self._cells(data) for row, data in found}

    def scan(self, table, start, stop):
        for row, data in self.connection.table(table).scan(row_start=start, row_stop=stop or None, batch_size=self.batch,
                                                           include_timestamp=True):
            yield row, self._cells(data)

    def has(self, table):
        return table.encode() in self.connection.tables()

    @staticmethod
    def _cells(data):
        return sorted(Cell(*column.split(b":", 1), timestamp, value) for column, (value, timestamp) in data.items())


class _Permitted:
    """A store whose refusals for a missing right are MissingRight."""

    def __init__(self, store, index):
        self.store, self.index = store, index

    def get(self, table, rows):
        with self._asked(table):
            return self.store.get(table, rows)

    def scan(self, table, start, stop):
        with self._asked(table):
            yield from self.store.scan(table, start, stop)

    def has(self, table):
        with self._asked(table):
            return self.store.has(table)

    @contextlib.contextmanager
    def _asked(self, table):
        try:
            yield
        except Exception as error:
            said = error.message if isinstance(getattr(error, "message", None), (str, bytes)) else str(error)  # of happybase
            said = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
            if not isinstance(error, PermissionError) and "AccessDeniedException" not in said:
                raise
            raise MissingRight(f"index {self.index.name}: HBase refuses to let this user read table {table}: an administrator "
                               f"grants it in HBase's shell by: grant '<user>', 'R', '{table}' "
                               f"({(said.strip() or type(error).__name__).splitlines()[0]})") from error


class Reader:
    """Reads the index. `store`: HappyBase, or any object with its `get`, `scan` and `has`. Not for several threads at once.

    `alias`: the reader refuses to read (AliasMoved) while it names another index. `accept`: one or several
    classes of NotReady that do not matter, as (Paused, StillBuilding). What fensi_meta says is kept for `check_seconds`."""

    def __init__(self, store, alias=None, accept=(), check_seconds=5.0, meta_table="fensi_meta", index=None):
        self.alias = alias
        self.accept = (accept,) if isinstance(accept, type) else tuple(accept)
        self.check_seconds, self.meta_table, self.index = check_seconds, meta_table, index or INDEX
        self.store = _Permitted(store, self.index)
        self._state, self._asked = None, -math.inf

    def named_by_alias(self):
        """The index that the alias names now; None: there is no such alias."""
        return self._row(self.meta_table, f"alias:{self.alias}").get("index", b"").decode() or None

    def check(self, again=False):
        """The State of the index, at most `check_seconds` old, or read `again`. Raises NotReady."""
        if again or self._state is None or time.monotonic() - self._asked > self.check_seconds:
            self._state, self._asked = self._read_state(), time.monotonic()
        return self._state

    def complete_to(self):
        """The watermark as a datetime: every change that HBase acknowledged before is in the index. None: unknown."""
        millis = self._read_state().complete_to
        try:
            return None if millis is None else (datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
                                                + datetime.timedelta(milliseconds=millis))
        except OverflowError:  # a time that Python does not have: the last one that it has lies before
            return datetime.datetime.max.replace(tzinfo=datetime.timezone.utc)

    def page(self, query, limit=100, token=None, source=False, keep_stale=False):
        """At most `limit` index rows that match, in the order of their keys, all salts merged: up to 4,096 of them, and
        behind more in the order of the salts. With `source` each entry has the cells of its source row; entries that the
        row does not say are left out, or kept with holds=False."""
        if limit < 1:
            raise ValueError(f"limit is {limit}: a page has at least one row")
        self.check()
        after = None if token is None else self._opened(query, token)
        entries, last, rows = [], None, 0
        for table, salt, row, cells in self._rows(query, after):
            found = query.matches(table, row, cells)
            if not found:
                continue
            if rows == limit:
                return self._page(entries, self._sealed(query, *last), source, keep_stale)
            entries.extend(found)
            last, rows = (table, salt, row), rows + 1
        return self._page(entries, None, source, keep_stale)

    def entries(self, query, source=False, keep_stale=False, page=500):
        """All entries that match, page by page."""
        token = None
        while True:
            found = self.page(query, page, token, source, keep_stale)
            yield from found.entries
            token = found.token
            if token is None:
                return

    # The meta table.

    def _row(self, table, row):
        cells = self.store.get(table, [row.encode()]).get(row.encode(), [])
        return {cell.qualifier.decode(): cell.value for cell in cells if cell.family == b"i"}

    def _refuse(self, kind, text):
        if not issubclass(kind, self.accept):
            raise kind(f"index {self.index.name}: {text}")

    def _read_state(self):
        name, named = self.index.name, {}
        if self.alias is not None:
            named = self._row(self.meta_table, f"alias:{self.alias}")
            other = named.get("index", b"").decode()
            if other != name:
                self._refuse(AliasMoved, f"alias {self.alias} names {other or 'no index'} now: read with the code of that "
                                         f"index ('fensi code' prints it)")
        said = {key: value.decode("utf-8", "replace") for key, value in self._row(self.meta_table, f"index:{name}").items()}
        incarnation = said.get("incarnation", "")
        if not incarnation:
            self._refuse(Unknown, f"table {self.meta_table} has no row index:{name}: meta_table= names another table, and "
                                  f"'fensi run' with the mapping file makes the row; accept=(Unknown,) reads without any check")
            return State(name, "", "", "", None, "")
        if incarnation.startswith("dropped"):
            self._refuse(Dropped, "it was dropped: read another one")
        if named.get("incarnation", b"").decode() not in ("", incarnation):
            self._refuse(AliasMoved, f"alias {self.alias} names it as it was before it was created again: 'fensi switch' "
                                     f"names the one of today")
        phase = said.get(f"phase/{incarnation}", "building")
        if phase == "retired" or said.get(f"dropping/{incarnation}"):
            self._refuse(Dropped, "it is being dropped: read another one")
        digest = said.get("fingerprint", "")
        if digest != self.index.digest:
            self._refuse(OtherDefinition, f"it has definition {digest or '(none)'}, this file is of {self.index.digest}: "
                                          f"generate the file again from the mapping file of the index ('fensi code')")
        if phase not in ("live", "retired"):
            self._refuse(StillBuilding, f"it is {phase}: rows from before its stream may be missing until 'fensi backfill' "
                                        f"has ended; accept=(StillBuilding,) reads what there is")
        paused = self._paused(said.get("state_table"))
        if paused:
            self._refuse(Paused, f"it is paused ({paused}): 'fensi resume' lets it go on; accept=(Paused,) reads what it "
                                 f"had then")
        complete = said.get(f"complete/{incarnation}")
        return State(name, phase, incarnation, digest, None if complete is None else int(complete), paused)

    def _paused(self, state_table):
        try:
            row = self._row(state_table, "fensi") if state_table else {}
        except Exception:  # whatever the store raises: without the right to read states it is not told
            return ""
        return row.get("pause", b"").decode("utf-8", "replace").replace("\n", " ").strip()

    # Rows in the order of their keys.

    def _rows(self, query, after):
        """Each table by itself: the lanes of all salts, merged by what follows the salt."""
        checked = False
        for table in query.tables:
            if after is not None and after[0] != table:
                continue
            if self.index.period is not None and not self.store.has(table):
                after = None
                if not checked:
                    self.check(again=True)  # all tables of a dropped index are missing
                    checked = True
                continue  # nothing was written in that period, or it is over
            lanes = [self._lane(query, table, salt, ranges, after) for salt, ranges in query.lanes]
            after = None
            yield from heapq.merge(*lanes, key=lambda one: (one[2][len(one[1]):], one[1]))

    def _lane(self, query, table, salt, ranges, after):
        begin = b"" if after is None else self._begin(salt, *after[1:])
        for one in ranges:
            if one.stop and one.stop <= begin:
                continue
            for row, cells in self.store.scan(table, max(one.start, begin), one.stop):
                yield table, salt, row, cells

    @staticmethod
    def _begin(salt, last_salt, last_row):
        """The first key of a lane behind the last one that was read, which may be of another lane."""
        same = salt + last_row[len(last_salt):]
        return _row_after(same) if salt <= last_salt else same

    def _mark(self, query):
        return hashlib.sha256(repr((self.index.digest, query.asked_for())).encode()).hexdigest()[:16]

    def _sealed(self, query, table, salt, row):
        text = json.dumps([self._mark(query), table, salt.hex(), row.hex()])
        return base64.urlsafe_b64encode(text.encode()).decode()

    def _opened(self, query, token):
        try:
            mark, table, salt, row = json.loads(base64.urlsafe_b64decode(token.encode()))
            after = table, bytes.fromhex(salt), bytes.fromhex(row)
        except (ValueError, TypeError, AttributeError, RecursionError):
            raise BadToken("this is no token of a page: begin without one") from None
        if mark != self._mark(query) or table not in query.tables:
            raise BadToken("the token is of another index or query: begin without one")
        return after

    # The source.

    def _page(self, entries, token, source, keep_stale):
        if not source:
            return Page(entries, token, 0)
        rows = sorted({known.value for entry in entries for known in [entry.known.get("row")] if known and known.exact})
        found = {}
        for at in range(0, len(rows), 200):
            found.update(self.store.get(self.index.source, rows[at:at + 200]))
        for entry in entries:
            known = entry.known.get("row")
            if known is not None and known.exact:
                entry.source = found.get(known.value, [])
                entry.holds = _Source(self.index, known.value, entry.source).holds(entry)
        stale = sum(entry.holds is False for entry in entries)
        return Page([one for one in entries if keep_stale or one.holds is not False], token, stale)
