"""The files of the tree as a person wrote them, without asking git."""

import os
import pathlib
import re

ROOT = pathlib.Path(os.environ.get("FENSI_ROOT") or pathlib.Path(__file__).resolve().parents[2])
NOT_OURS = {"build", ".git", ".cache", "__pycache__"}


def files(folder, suffixes):
    """Paths below ROOT/folder, relative to ROOT, sorted."""
    found = []
    for path, folders, names in os.walk(ROOT / folder):
        folders[:] = [name for name in folders if name not in NOT_OURS]
        found += [pathlib.Path(path, name).relative_to(ROOT) for name in names if name.endswith(suffixes)]
    return sorted(found)


def expanded(text):
    """The text of a CMake file without comments, and with the words of each foreach(variable word...) in place of the variable."""
    text = re.sub(r"#.*", "", text).replace("${CMAKE_SOURCE_DIR}/", "")
    out = text
    for variable, words, body in re.findall(r"foreach\((\w+)([^)]*)\)(.*?)endforeach", text, re.DOTALL):
        out += "".join(body.replace("${" + variable + "}", word) for word in words.split())
    return out
