"""One server process: started in its own session, found again through its pid file, signalled only if it is still ours."""
import os
import signal
import subprocess
import time

from . import java
from .errors import StackError


class Process:
    """A server by its name within a stack. Not thread-safe; the stack's lock is held by who starts and stops.

    A pid is believed only if the command line of that process carries this stack's marker, so a pid that the system gave
    to somebody else is never signalled."""

    def __init__(self, settings, name):
        self.name = name
        self._settings = settings
        self._pid_file = settings.path("run", name + ".pid")
        self._log_file = settings.path("log", name + ".log")
        self._marker = "-Dfensi.devstack=%s:%s" % (settings.directory, name)

    @property
    def log_file(self):
        return self._log_file

    def start(self, arguments):
        """Starts `java ARGUMENTS` unless it runs; its output is appended to the log. Does not wait until it is ready."""
        if self.pid() is not None:
            return
        for path in (self._pid_file, self._log_file):
            os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(self._log_file, "ab") as log:
            log.write(("==== started %s\n" % time.strftime("%Y-%m-%d %H:%M:%S")).encode())
            log.flush()
            child = subprocess.Popen([java.program(), self._marker] + arguments, stdin=subprocess.DEVNULL, stdout=log,
                                     stderr=subprocess.STDOUT, cwd=self._settings.directory, env=java.environment(),
                                     start_new_session=True)
        with open(self._pid_file, "w", encoding="utf-8") as out:
            out.write("%d\n" % child.pid)
        # Right after exec a process has no command line yet and would look like somebody else's.
        while self.pid() is None and child.poll() is None:
            time.sleep(0.01)

    def pid(self):
        """The pid of the living server, or None."""
        try:
            with open(self._pid_file, encoding="utf-8") as source:
                pid = int(source.read())
            with open("/proc/%d/cmdline" % pid, "rb") as source:
                words = source.read().split(b"\0")
        except (OSError, ValueError):
            return None
        return pid if self._marker.encode() in words else None  # a zombie's command line is empty

    def started_ms(self):
        """When the server was started, in milliseconds since the epoch; 0 if it never was."""
        try:
            return int(os.stat(self._pid_file).st_mtime * 1000)
        except FileNotFoundError:
            return 0

    def paused(self):
        pid = self.pid()
        if pid is None:
            return False
        with open("/proc/%d/stat" % pid, encoding="utf-8") as source:
            return source.read().rsplit(")", 1)[1].split()[0] in "Tt"

    def signal(self, number):
        """False if the server was not there to receive it."""
        pid = self.pid()
        if pid is None:
            return False
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return False
        return True

    def wait_gone(self, seconds):
        deadline = time.monotonic() + seconds
        while self.pid() is not None:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.05)
        return True

    def ask_to_stop(self):
        if self.signal(signal.SIGTERM):
            self.signal(signal.SIGCONT)  # a paused server would never see the SIGTERM

    def kill(self):
        self.signal(signal.SIGKILL)
        if not self.wait_gone(30):
            raise StackError("%s (pid %s) does not go away after SIGKILL" % (self.name, self.pid()))

    def stop(self, seconds):
        """Asks, waits, and kills if it does not listen (HBase's embedded ZooKeeper may go first; nothing
        acknowledged is lost by that)."""
        self.ask_to_stop()
        if not self.wait_gone(seconds):
            self.kill()

    def log_tail(self, lines):
        try:
            with open(self._log_file, encoding="utf-8", errors="replace") as source:
                return "".join(source.readlines()[-lines:])
        except FileNotFoundError:
            return ""
