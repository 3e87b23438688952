"""What `fensi wait` promises, as a property: after a wait that ended with 0 the index has all that its source had before. Every test
that waits does so here (tests/rules/waits.py)."""
from . import reading
from .program import fensi


def wait_complete(mapping, index, store, *words, source_of, index_of=None):
    """The finished `fensi wait`. `source_of()`: the index as it must be by the source now; `index_of()`: what it has, by its cells'
    values unless given. Under changes the entries count that stand before the wait and after it."""
    before = source_of()
    done = fensi("wait", mapping, index, "--store", store, *words)
    if done.returncode != 0:
        return done
    has = index_of() if index_of else reading.values(reading.by_admin(index))
    after = source_of()
    missing = {cell: value for cell, value in before.items() if after.get(cell) == value and has.get(cell) != value}
    assert not missing, "wait ended with 0 and %d of %d entries are missing: %s" % (len(missing), len(before), sorted(missing)[:5])
    return done
