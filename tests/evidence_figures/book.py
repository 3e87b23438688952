"""evidence.json: what is finished, and what was begun. A finished figure is kept for its commit and seed, so nothing is tried twice."""
import json
import os

CHANGED = "+changes"


class Book:
    """Every change is on the disk when its call returns. Figures of another commit or seed are forgotten at the first change."""

    def __init__(self, path, commit, seed, **about):
        self._path = path
        self._text = {"commit": commit, "seed": seed, **about, "figures": {}}
        before = self._read()
        if (before.get("commit"), before.get("seed")) == (commit, seed) and not commit.endswith(CHANGED):
            self._text["figures"] = before["figures"]

    def _read(self):
        try:
            with open(self._path, encoding="utf-8") as text:
                return json.load(text)
        except (FileNotFoundError, json.JSONDecodeError):
            return {}

    @property
    def text(self):
        return self._text

    def finished(self):
        """{name: entry} of the figures that ended, with a figure or with a failure."""
        return {name: entry for name, entry in self._text["figures"].items() if "verdict" in entry}

    def begin(self, name):
        """Notes that it began. An interrupted figure begins again, and says how often."""
        entry = self._text["figures"].setdefault(name, {"begun": 0})
        entry["begun"] += 1
        self._write()

    def end(self, name, **entry):
        self._text["figures"][name].update(entry)
        self._write()

    def _write(self):
        whole = self._path + ".new"
        with open(whole, "w", encoding="utf-8") as out:
            json.dump(self._text, out, indent=2, sort_keys=True)
            out.write("\n")
        os.replace(whole, self._path)
