"""A Thrift2 gateway with an HBase of its own, in this process: tables, versions, delete markers, TTLs, conditional puts, and the filters
that fensi uses. The store contract is tried against it (cluster_contract_test).

Each process under test has a `Seat`, an address of its own, so that a test can say what becomes of its n-th write."""
import copy
import re
import socket
import threading
import time

from cluster import thrift_wire as wire
from cluster.thrift_wire import BOOL, BYTE, I32, I64, LIST, STRING, STRUCT, get

PUT, DELETE, FAMILY_VERSION, COLUMN, FAMILY = 4, 8, 10, 12, 14
TYPES = {0: DELETE, 1: COLUMN, 2: FAMILY, 3: FAMILY_VERSION}  # TDeleteType
WRITES = ("putMultiple", "deleteMultiple", "mutateRow", "checkAndPut", "createTable", "disableTable", "deleteTable", "createNamespace")
PROBE = b"\0fensi: does this region take writes?"


class Refused(Exception):
    """Becomes a TIOError."""


class Table:
    def __init__(self, descriptor, splits):
        self.descriptor, self.splits, self.enabled = descriptor, sorted(splits), True
        self.rows = {}  # row -> {(family, qualifier, -time, -type): (value, ttl)}

    def families(self):
        return {get(family, 1): family for family in get(self.descriptor, 2)[1]}

    def require(self, family):
        if family not in self.families():
            raise Refused("NoSuchColumnFamilyException: Column family %r does not exist" % family)

    def put(self, row, family, qualifier, ts, value, ttl=None):
        self.require(family)
        self.rows.setdefault(row, {})[family, qualifier, -ts, -PUT] = value, ttl

    def mark(self, row, family, qualifier, ts, kind):
        self.require(family)
        qualifier = b"" if kind in (FAMILY, FAMILY_VERSION) else qualifier
        self.rows.setdefault(row, {})[family, qualifier, -ts, -kind] = b"", None

    def cells(self, row, raw):
        """[(family, qualifier, time, type, value)] in HBase's order, without what has expired."""
        cells = self.rows.get(row, {})
        now = int(time.time() * 1000)
        found = []
        for (family, qualifier, ts, kind), (value, ttl) in sorted(cells.items()):
            if not self._ended(family, -ts, ttl, now) and (raw or (kind == -PUT and not _hidden(cells, family, qualifier, -ts))):
                found.append((family, qualifier, -ts, -kind, value))
        return found

    def _ended(self, family, ts, ttl, now):
        of_family = get(self.families().get(family, {}), 13, 2 ** 31 - 1)
        least = min(of_family * 1000 if of_family < 2 ** 31 - 1 else 2 ** 62, 2 ** 62 if ttl is None else ttl)
        return ts + least < now


def _hidden(cells, family, qualifier, ts):
    return ((family, qualifier, -ts, -DELETE) in cells or (family, b"", -ts, -FAMILY_VERSION) in cells
            or any(f == family and -t >= ts and (k == -FAMILY or (k == -COLUMN and q == qualifier)) for f, q, t, k in cells))


def _tokens(text):
    return re.findall(rb"'(?:[^']|'')*'|[()]|,|!?[<>=]+|[A-Za-z]+", text, re.S)


class Filter:
    """FILTER [AND|OR FILTER]…, in parentheses; keeps cells."""

    def __init__(self, text):
        self._tokens, self.keys_only = _tokens(text), False
        self._keep = self._any()

    def keeps(self, family, qualifier):
        return self._keep(family, qualifier)

    def _any(self):
        parts = [self._all()]
        while self._tokens and self._tokens[0] == b"OR":
            self._tokens.pop(0)
            parts.append(self._all())
        return lambda f, q: any(part(f, q) for part in parts)

    def _all(self):
        parts = [self._one()]
        while self._tokens and self._tokens[0] == b"AND":
            self._tokens.pop(0)
            parts.append(self._one())
        return lambda f, q: all(part(f, q) for part in parts)

    def _one(self):
        name = self._tokens.pop(0)
        if name == b"(":
            inner = self._any()
            self._tokens.pop(0)
            return inner
        end = self._tokens.index(b")")
        arguments = [_unquoted(token) for token in self._tokens[1:end] if token != b","]
        del self._tokens[:end + 1]
        return self._named(name, arguments)

    def _named(self, name, arguments):
        if name == b"KeyOnlyFilter":
            self.keys_only = True
            return lambda f, q: True
        if name == b"ColumnRangeFilter":
            return lambda f, q: q >= arguments[0]
        how, wanted = arguments[0], arguments[1].removeprefix(b"binary:")
        compare = {b"=": lambda a: a == wanted, b">": lambda a: a > wanted}[how]
        return {b"FamilyFilter": lambda f, q: compare(f), b"QualifierFilter": lambda f, q: compare(q)}[name]


def _unquoted(token):
    return token[1:-1].replace(b"''", b"'") if token.startswith(b"'") else token


class Reading:
    """What a TGet and a TScan ask for alike."""

    def __init__(self, request, attributes, filter_field):
        self._columns = [(get(column, 1), get(column, 2)) for column in get(request, 2, (0, []))[1]]
        self._versions = get(request, 5, 1)
        self.raw = get(request, attributes, (0, 0, {}))[2].get(b"_raw_", b"\0") != b"\0"
        text = get(request, filter_field)
        self._filter = Filter(text) if text else None

    def of(self, table, row, times=(0, 2 ** 63 - 1)):
        for family, _ in self._columns:
            table.require(family)
        found, counts = [], {}
        for family, qualifier, ts, kind, value in table.cells(row, self.raw):
            if not times[0] <= ts < times[1]:
                continue
            counts[family, qualifier] = counts.get((family, qualifier), 0) + 1
            wanted = not self._columns or (family, None) in self._columns or (family, qualifier) in self._columns
            if not wanted or counts[family, qualifier] > self._versions:
                continue
            if self._filter and not self._filter.keeps(family, qualifier):
                continue
            found.append((family, qualifier, ts, kind, b"" if self._filter and self._filter.keys_only else value))
        return found


def _result(row, cells):
    values = [{1: (STRING, family), 2: (STRING, qualifier), 3: (STRING, value), 4: (I64, ts), 6: (BYTE, kind)}
              for family, qualifier, ts, kind, value in cells]
    return {**({1: (STRING, row)} if cells else {}), 2: (LIST, (STRUCT, values))}


def _name(table_name):
    namespace = get(table_name, 1, b"")
    return get(table_name, 2) if namespace in (b"", b"default") else namespace + b":" + get(table_name, 2)


class Gateway:
    """The HBase. Handlers run on the threads of connections, one call at a time."""

    def __init__(self):
        self._mu = threading.Lock()
        self.tables = {}
        self.namespaces = {b"default"}

    def snapshot(self):
        with self._mu:
            return copy.deepcopy((self.tables, self.namespaces))

    def restore(self, snapshot):
        with self._mu:
            self.tables, self.namespaces = copy.deepcopy(snapshot)

    def locked(self, work):
        """What a person does in the HBase shell."""
        with self._mu:
            return work(self.tables)

    def call(self, name, arguments):
        with self._mu:
            return getattr(self, "_" + name)(arguments)

    def _table(self, arguments, field=1):
        name = get(arguments, field)
        table = self.tables.get(name if isinstance(name, bytes) else _name(name))
        if table is None:
            raise Refused("org.apache.hadoop.hbase.TableNotFoundException: %r" % name)
        if not table.enabled and isinstance(name, bytes):
            raise Refused("org.apache.hadoop.hbase.TableNotEnabledException: %r is disabled" % name)
        return table

    @staticmethod
    def _apply_put(table, put):
        ttl = get(put, 5, (0, 0, {}))[2].get(b"_ttl")
        for cell in get(put, 2)[1]:
            if get(cell, 2) != PROBE:
                table.put(get(put, 1), get(cell, 1), get(cell, 2), get(cell, 4), get(cell, 3), ttl and int.from_bytes(ttl, "big"))

    @staticmethod
    def _apply_delete(table, delete):
        for column in get(delete, 2, (0, []))[1]:
            table.mark(get(delete, 1), get(column, 1), get(column, 2, b""), get(column, 3), TYPES[get(delete, 4, 1)])

    def _putMultiple(self, arguments):
        table = self._table(arguments)
        for put in get(arguments, 2)[1]:
            self._apply_put(table, put)
        return {}

    def _deleteMultiple(self, arguments):
        table = self._table(arguments)
        for delete in get(arguments, 2)[1]:
            self._apply_delete(table, delete)
        return {0: (LIST, (STRUCT, []))}

    def _mutateRow(self, arguments):
        table = self._table(arguments)
        for mutation in get(get(arguments, 2), 2)[1]:
            self._apply_delete(table, get(mutation, 2))
        return {}

    def _checkAndPut(self, arguments):
        table, row = self._table(arguments), get(arguments, 2)
        table.require(get(arguments, 3))
        shown = [value for f, q, _, _, value in table.cells(row, False) if (f, q) == (get(arguments, 3), get(arguments, 4))]
        done = (shown[0] if shown else b"") == get(arguments, 5, b"")
        if done:
            self._apply_put(table, get(arguments, 6))
        return {0: (BOOL, done)}

    def _getMultiple(self, arguments):
        table, results = self._table(arguments), []
        for request in get(arguments, 2)[1]:
            cells = Reading(request, 7, 6).of(table, get(request, 1))
            results.append(_result(get(request, 1), cells[:get(request, 12, 2 ** 31 - 1)]))
        return {0: (LIST, (STRUCT, results))}

    def _getScannerResults(self, arguments):
        table, scan = self._table(arguments), get(arguments, 2)
        reading, results = Reading({**scan, 2: scan.get(3, (LIST, (0, [])))}, 9, 7), []
        times = get(scan, 6, {})
        most, piece = get(scan, 15, 2 ** 31 - 1), get(scan, 8, 2 ** 31 - 1)
        start, stop = get(scan, 1, b""), get(scan, 2, b"")
        for row in sorted(row for row in table.rows if row >= start and (not stop or row < stop)):
            cells = reading.of(table, row, (get(times, 1, 0), get(times, 2, 2 ** 63 - 1)))
            results += [_result(row, cells[at:at + piece]) for at in range(0, len(cells), piece)]
            if len(results) >= most:
                break
        return {0: (LIST, (STRUCT, results[:min(most, get(arguments, 3, 1))]))}

    def _getAllRegionLocations(self, arguments):
        name = get(arguments, 1)
        table = self.tables.get(name)
        starts = [] if table is None else [b""] + table.splits
        return {0: (LIST, (STRUCT, [{2: (STRUCT, {1: (I64, 1), 2: (STRING, name), 3: (STRING, start)})} for start in starts]))}

    def _getTableDescriptor(self, arguments):
        return {0: (STRUCT, self._table(arguments).descriptor)}

    def _getTableNamesByPattern(self, _):
        names = [name.rpartition(b":") for name in self.tables]
        return {0: (LIST, (STRUCT, [{1: (STRING, namespace or b"default"), 2: (STRING, name)} for namespace, _, name in names]))}

    def _tableExists(self, arguments):
        return {0: (BOOL, _name(get(arguments, 1)) in self.tables)}

    def _isTableEnabled(self, arguments):
        return {0: (BOOL, self._table(arguments).enabled)}

    def _createTable(self, arguments):
        descriptor = get(arguments, 1)
        name = _name(get(descriptor, 1))
        if name in self.tables:
            raise Refused("org.apache.hadoop.hbase.TableExistsException: %r" % name)
        if b":" in name and name.split(b":")[0] not in self.namespaces:
            raise Refused("org.apache.hadoop.hbase.NamespaceNotFoundException: %r" % name)
        self.tables[name] = Table(descriptor, get(arguments, 2, (0, []))[1])
        return {}

    def _createNamespace(self, arguments):
        self.namespaces.add(get(get(arguments, 1), 1))
        return {}

    def _disableTable(self, arguments):
        table = self._table(arguments)
        if not table.enabled:
            raise Refused("org.apache.hadoop.hbase.TableNotEnabledException: %r" % _name(get(arguments, 1)))
        table.enabled = False
        return {}

    def _deleteTable(self, arguments):
        if self._table(arguments).enabled:
            raise Refused("org.apache.hadoop.hbase.TableNotDisabledException: %r" % _name(get(arguments, 1)))
        del self.tables[_name(get(arguments, 1))]
        return {}


class Seat:
    """An address at which one process after the other meets the gateway. `on_write(number, name, apply)` is asked about each write,
    counted from 1 since `begin`: it calls `apply` when the write is to be done, and answers whether the process gets a reply."""

    def __init__(self, gateway):
        self._gateway, self._mu = gateway, threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = "thrift://127.0.0.1:%d" % self._listener.getsockname()[1]
        self.begin(None)
        threading.Thread(target=self._accept, daemon=True).start()

    def begin(self, on_write, on_call=None):
        self.writes, self.on_write, self.on_call = [], on_write, on_call

    def close(self):
        self._listener.close()

    def _accept(self):
        while True:
            try:
                client = self._listener.accept()[0]
            except OSError:
                return
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with client, client.makefile("rb") as stream:
            try:
                while True:
                    name, number, arguments = wire.read_call(stream)
                    answer = self._answer(name, arguments)
                    if answer is None:
                        return
                    client.sendall(wire.reply(name, number, answer))
            except (OSError, EOFError, ValueError):
                return  # of a process that has ended

    def _answer(self, name, arguments):
        """Nothing: no reply."""
        said = []

        def apply():
            try:
                said.append(self._gateway.call(name, arguments))
            except Refused as refused:
                said.append({1: (STRUCT, {1: (STRING, str(refused).encode()), 2: (BOOL, True)})})
        if self.on_call and not self.on_call(name, arguments):
            return None
        if self.on_write is None or name not in WRITES or _is_probe(name, arguments):
            apply()
            return said[0]
        with self._mu:
            self.writes.append(name)
            number = len(self.writes)
        return said[0] if self.on_write(number, name, apply) and said else None


def _is_probe(name, arguments):
    """A trial of whether the server takes writes."""
    if name == "checkAndPut":
        return get(arguments, 4) == PROBE
    puts = get(arguments, 2, (0, []))[1] if name == "putMultiple" else []
    return bool(puts) and all(get(cell, 2) == PROBE for put in puts for cell in get(put, 2)[1])
