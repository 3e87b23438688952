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

