"""Who may include whom: the table of the modules, and the homes of third parties."""

import re
import sys

import sources
import tree

MAY_INCLUDE = {
    "base": set(),
    "mapping": {"base", "proto"},
    "store": {"base", "proto"},
    "meta": {"base", "store"},
    "consumer": {"base", "proto"},
    "indexer": {"base", "proto", "mapping", "store", "meta", "consumer"},
    "capture": {"base", "proto", "consumer"},
    "sweep": {"base", "mapping", "store", "meta", "consumer"},
    "metrics": {"base"},
    "admin": {"base", "metrics"},
    "cli": {"base", "proto", "mapping", "store", "meta", "consumer", "indexer", "sweep", "capture", "metrics", "admin"},
}

# A third party, and the only folder, folders, or file, that may know it.
HOMES = {
    r"rocksdb/": "store",
    r"thrift/": "store",
    r"librdkafka/": "consumer",
    r"yaml-cpp/": "mapping",
    r"re2/": "mapping",
    r"boost/asio": "capture admin",
    r"boost/beast": "admin",
    r"prometheus/": "metrics",
    r"boost/asio/\w*timer": "capture/rpc/timer.h",  # which drops an expiry that comes behind a cancel
    r"zookeeper/": "capture",
    r"absl/base/thread_annotations.h": "base",
    r"absl/(?!base/thread_annotations.h)": "cli",
}

# mapping is pure: no I/O, no thread, no clock.
IMPURE = {
    "chrono", "condition_variable", "cstdio", "ctime", "fcntl.h", "filesystem", "fstream", "future", "iostream", "mutex",
    "poll.h", "pthread.h", "random", "shared_mutex", "stdio.h", "sys/socket.h", "sys/stat.h", "thread", "time.h", "unistd.h",
    "base/clock.h", "glog/logging.h", "gflags/gflags.h",
}
# Calendar arithmetic without asking what time it is.
CALENDAR = {"mapping/functions/time_format.cc"}

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

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
# base/mutex.h has the same with annotations, which clang checks.
UNCHECKED_LOCKS = re.compile(r"\bstd::(?:mutex|condition_variable)\b")
CLOCKS = re.compile(r"\b(system_clock|steady_clock|clock_gettime|sleep_for|getenv)\b")


def faults_of(path):
    folder = path.parts[0]
    text = (tree.ROOT / path).read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{path}:{number}"
        if folder == "mapping" and CLOCKS.search(line.split("//")[0]):
            yield f"{where}: mapping is pure, no clocks, sleeps or environment"
        if UNCHECKED_LOCKS.search(line.split("//")[0]) and str(path) != "base/mutex.h":
            yield f"{where}: Mutex and Condition of base/mutex.h, so that clang checks what they guard"
        match = INCLUDE.match(line)
        if not match:
            continue
        target = match.group(1)
        module = target.split("/")[0]
        if module in MAY_INCLUDE | {"proto": 0, "tests": 0} and module != folder and module not in MAY_INCLUDE[folder]:
            yield f"{where}: {folder}/ may not include {target}"
        for pattern, home in HOMES.items():
            if re.match(pattern, target) and not {folder, str(path)} & set(home.split()):
                yield f"{where}: only {home}{'' if home.endswith('.h') else '/'} may include {target}"
        if folder == "mapping" and target in IMPURE and not (target == "chrono" and str(path) in CALENDAR):
            yield f"{where}: mapping is pure and may not include {target}"


def missing_headers(path):
    """What the file names of the standard library and includes no header for."""
    own = path.with_suffix(".h")
    texts = [(tree.ROOT / each).read_text(encoding="utf-8") for each in {path, own} if (tree.ROOT / each).exists()]
    if path.suffix == ".cc" and len(texts) == 1:  # one class in several files, or a group of functions
        near = [each for each in sources.includes_of(path) if each.startswith(str(path.parent))]
        texts += [(tree.ROOT / each).read_text(encoding="utf-8") for each in near]
    included = {header for text in texts for header in STANDARD_INCLUDE.findall(text)}
    for name in sorted(set(STANDARD_NAME.findall(sources.code_of(path)))):
        if HEADER_OF[name] not in included:
            yield f"{path}: std::{name} without #include <{HEADER_OF[name]}>"


def main():
    paths = [path for folder in MAY_INCLUDE for path in tree.files(folder, (".h", ".cc"))]
    if not paths:
        sys.exit("no source files found: is FENSI_ROOT right?")
    faults = [fault for path in paths for fault in (*faults_of(path), *missing_headers(path))]
    for fault in faults:
        print(fault)
    print(f"{len(paths)} files, {len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
