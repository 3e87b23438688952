"""Who may include whom: the table of the modules, and the homes of third parties."""

import re
import sys

import tree

MAY_INCLUDE = {
    "base": set(),
    "mapping": {"base", "proto"},
    "store": {"base", "proto"},
    "consumer": {"base", "proto"},
    "indexer": {"base", "proto", "mapping", "store", "consumer"},
    "capture": {"base", "proto", "consumer"},
    "cli": {"base", "proto", "mapping", "store", "consumer", "indexer", "capture"},
}

# A third party, and the only folder that may know it.
HOMES = {
    r"rocksdb/": "store",
    r"thrift/": "store",
    r"librdkafka/": "consumer",
    r"yaml-cpp/": "mapping",
    r"re2/": "mapping",
    r"boost/asio": "capture",
    r"zookeeper/": "capture",
    r"absl/": "cli",
}

# mapping is pure: no I/O, no thread, no clock.
IMPURE = {
    "chrono", "condition_variable", "cstdio", "ctime", "fcntl.h", "filesystem", "fstream", "future", "iostream", "mutex",
    "poll.h", "pthread.h", "random", "shared_mutex", "stdio.h", "sys/socket.h", "sys/stat.h", "thread", "time.h", "unistd.h",
    "base/clock.h", "glog/logging.h", "gflags/gflags.h",
}
# Calendar arithmetic without asking what time it is.
CALENDAR = {"mapping/functions/time_format.cc"}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
CLOCKS = re.compile(r"\b(system_clock|steady_clock|clock_gettime|sleep_for|getenv)\b")


def faults_of(path):
    folder = path.parts[0]
    text = (tree.ROOT / path).read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{path}:{number}"
        if folder == "mapping" and CLOCKS.search(line.split("//")[0]):
            yield f"{where}: mapping is pure, no clocks, sleeps or environment"
        match = INCLUDE.match(line)
        if not match:
            continue
        target = match.group(1)
        module = target.split("/")[0]
        if module in MAY_INCLUDE | {"proto": 0, "tests": 0} and module != folder and module not in MAY_INCLUDE[folder]:
            yield f"{where}: {folder}/ may not include {target}"
        for pattern, home in HOMES.items():
            if re.match(pattern, target) and folder != home:
                yield f"{where}: only {home}/ may include {target}"
        if folder == "mapping" and target in IMPURE and not (target == "chrono" and str(path) in CALENDAR):
            yield f"{where}: mapping is pure and may not include {target}"


def main():
    paths = [path for folder in MAY_INCLUDE for path in tree.files(folder, (".h", ".cc"))]
    if not paths:
        sys.exit("no source files found: is FENSI_ROOT right?")
    faults = [fault for path in paths for fault in faults_of(path)]
    for fault in faults:
        print(fault)
    print(f"{len(paths)} files, {len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
