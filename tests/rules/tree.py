"""The files of the tree as a person wrote them, without asking git."""

import os
import pathlib

ROOT = pathlib.Path(os.environ.get("FENSI_ROOT") or pathlib.Path(__file__).resolve().parents[2])
NOT_OURS = {"build", ".git", ".cache", "__pycache__"}


def files(folder, suffixes):
    """Paths below ROOT/folder, relative to ROOT, sorted."""
    found = []
    for path, folders, names in os.walk(ROOT / folder):
        folders[:] = [name for name in folders if name not in NOT_OURS]
        found += [pathlib.Path(path, name).relative_to(ROOT) for name in names if name.endswith(suffixes)]
    return sorted(found)


def but_for(exceptions, found, sentence):
    """A sentence for each that was found and is no exception, and for each exception that is no longer needed."""
    found = set(found)
    faults = [sentence.format(one) for one in sorted(found - exceptions)]
    return faults + [f"tests/rules/exceptions.py: {one} needs no exception any more" for one in sorted(exceptions - found)]
