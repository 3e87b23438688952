"""What a file names of the standard library, it, or the header of its name, has included."""

import re
import sys

import sources
import tree

# What of the standard library a file names, and the header that it, or the header of its name, includes for that. Not of
# what our own values are made of and bring along: strings, vectors, optionals, pointers, spans, durations.
STANDARD = {
    "algorithm": "all_of any_of clamp copy_if count_if equal_range find_if lower_bound max min mismatch none_of remove_if sort "
                 "stable_sort upper_bound",
    "array": "array", "atomic": "atomic", "bitset": "bitset", "charconv": "from_chars to_chars",
    "cstring": "memchr memcmp memcpy memset strerror", "deque": "deque", "exception": "current_exception exception",
    "filesystem": "filesystem", "functional": "function hash", "future": "async future packaged_task promise",
    "limits": "numeric_limits", "list": "list", "map": "map multimap", "numeric": "accumulate iota", "set": "multiset set",
    "shared_mutex": "shared_lock shared_mutex", "sstream": "istringstream ostringstream stringstream",
    "thread": "this_thread thread", "tuple": "tie tuple", "unordered_map": "unordered_map unordered_multimap",
    "unordered_set": "unordered_set", "variant": "variant",
}
HEADER_OF = {name: header for header, names in STANDARD.items() for name in names.split()}
STANDARD_NAME = re.compile(r"\bstd::(" + "|".join(HEADER_OF) + r")\b")
STANDARD_INCLUDE = re.compile(r"^#include <([^>]+)>", re.MULTILINE)


def missing_headers(path):
    """What the file names of the standard library and includes no header for."""
    own = path.with_suffix(".h")
    texts = [(tree.ROOT / each).read_text(encoding="utf-8") for each in {path, own} if (tree.ROOT / each).exists()]
    if path.suffix == ".cc" and len(texts) == 1:  # one class in several files, or a group of functions
        near = [each for each in sources.includes_of(path) if each.startswith(str(path.parent)) and (tree.ROOT / each).is_file()]
        texts += [(tree.ROOT / each).read_text(encoding="utf-8") for each in near]
    included = {header for text in texts for header in STANDARD_INCLUDE.findall(text)}
    for name in sorted(set(STANDARD_NAME.findall(sources.code_of(path)))):
        if HEADER_OF[name] not in included:
            yield f"{path}: std::{name} without #include <{HEADER_OF[name]}>"


def main():
    paths = sources.of_modules()
    faults = [fault for path in paths for fault in missing_headers(path)]
    print(*faults, sep="\n")
    print(f"{len(paths)} files, {len(faults)} faults")
    sys.exit(1 if faults or not paths else 0)


main()
