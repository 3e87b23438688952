"""What a busy HBase does to a table meanwhile: its memory is flushed, its files are merged, its regions move and split."""
import threading

from . import stack


class Unrest(threading.Thread):
    """One after the other until the `with` block is left, which fails the test if HBase refused one. Needs two region servers.

    The region that moves is not split afterwards, so the first of `split_at` lies in it: for two minutes both servers would say of the
    parent that it moved to the other one, and HBase's clients, the writers of a test too, go to and fro until they give up."""

    def __init__(self, table, split_at):
        super().__init__(daemon=True)
        self._table, self._split_at = table, list(split_at)
        self._stopped = threading.Event()
        self._problem = None
        self.done = []

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self._stopped.set()
        self.join()
        if self._problem is not None:
            raise self._problem

    def run(self):
        try:
            while not self._stopped.wait(1):
                self._round()
        except AssertionError as problem:
            self._problem = problem

    def _round(self):
        self._do("flush")
        self._do("compact")
        if self._split_at and self._do("split", self._split_at[0].encode().hex(), but="NOT splittable"):
            self._split_at.pop(0)
        if "split" in self.done:
            self._do("move", "4".encode().hex())

    def _do(self, what, *words, but=None):
        """False: HBase does not take it now, for the reason `but`, as a region that still refers to its parent's files."""
        try:
            stack.admin(what, self._table, *words)
        except AssertionError as problem:
            if but is None or but not in str(problem):
                raise
            return False
        self.done.append(what)
        return True
