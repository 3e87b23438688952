"""Apache Phoenix: a development stack whose HBase runs it, and its SQL by its own JDBC driver (client/PhoenixSql.java)."""
import os
import subprocess
import threading
import urllib.parse

from . import stack

EXTENSION = os.path.join(stack.ROOT, "tests", "e2e", "phoenix")


def phoenix_stack(directory):
    """A stack of the caller's own, as stack.own_stack."""
    return stack.own_stack(directory, "--extension", EXTENSION)


class Phoenix:
    """A connection to the database. Values are text, and None is a null; PhoenixSql.java says how they are written."""

    def __init__(self, folder):
        command, options = stack.java_command(os.path.join("tests", "e2e", "client", "PhoenixSql.java"),
                                              "jdbc:phoenix:%s:/hbase" % os.environ["FENSI_TEST_ZOOKEEPER"], heap="384m")
        self._lock = threading.Lock()  # one statement after the other
        self._log = os.path.join(folder, "phoenix.log")
        with open(self._log, "w", encoding="utf-8") as log:
            self._process = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                                             encoding="utf-8", **options)

    def run(self, sql, *values):
        """The rows of a statement as tuples. `values`: of its parameters, for one row or several after each other."""
        with self._lock:
            self._process.stdin.write("\t".join([urllib.parse.quote(sql, safe=""), *map(_written, values)]) + "\n")
            self._process.stdin.flush()
            return self._answer(sql)

    def _answer(self, sql):
        rows = []
        while True:
            line = self._process.stdout.readline().rstrip("\n")
            if line == "ok":
                return rows
            assert not line.startswith("error "), "Phoenix: %s: %s" % (sql, line)
            assert line or self._process.poll() is None, "Phoenix' driver ended:\n" + self._log_tail()
            rows.append(tuple(map(_read, line.split("\t"))))

    def _log_tail(self):
        with open(self._log, encoding="utf-8", errors="replace") as text:
            return text.read()[-4000:]

    def close(self):
        self._process.stdin.close()
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._process.stdout.close()


def array(items):
    """An ARRAY as a value of run()."""
    return ",".join(map(_written, items))


def items_of(text):
    """Of an ARRAY that run() gave."""
    return [_read(each) for each in text.split(",")] if text else []


def _written(value):
    return "" if value is None else "=" + urllib.parse.quote(str(value), safe="")


def _read(field):
    return urllib.parse.unquote_plus(field[1:]) if field else None
