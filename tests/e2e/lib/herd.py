"""Processes under test of which one or another is killed, and started again at once."""
import random
import time

from .program import Daemon


class Herd:
    """Leaving the `with` block kills what still runs."""

    def __init__(self):
        self._starts = {}
        self._running = {}
        self._random = random.SystemRandom()
        self.killed = []

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        for daemon in self._running.values():
            daemon.__exit__(*problem)

    def __getitem__(self, name) -> Daemon:
        return self._running[name]

    def start(self, starts):
        """`starts`: name -> what starts a Daemon."""
        self._starts |= starts
        self._running |= {name: start() for name, start in starts.items()}

    def kill(self, name):
        """kill -9, and the same again."""
        assert self._running[name].is_up(), name + " has ended:\n" + self._running[name].messages()[-4000:]
        self._running[name].kill()
        self.start_again(name)
        self.killed.append(name)

    def start_again(self, name):
        """One that has ended."""
        self._running[name] = self._starts[name]()

    def kill_some(self, count, within_s):
        """`count` kills at random moments of a time, each name as often as the others, in random order."""
        names = [list(self._starts)[i % len(self._starts)] for i in range(count)]
        self._random.shuffle(names)
        for name in names:
            time.sleep(self._random.uniform(0, 2 * within_s / count))
            self.kill(name)
