"""Who may include whom: the table of the modules, and the homes of third parties."""

import pathlib
import re
import sys

import sources
import tree

MAY_INCLUDE = {
    "base": set(),
    "hbase": {"base", "proto"},
    "mapping": {"base", "proto"},
    "store": {"base", "proto", "hbase"},
    "meta": {"base", "store"},
    "consumer": {"base", "proto"},
    "indexer": {"base", "proto", "mapping", "store", "meta", "consumer"},
    "capture": {"base", "proto", "consumer", "hbase"},
    "sweep": {"base", "mapping", "store", "meta", "consumer"},
    "metrics": {"base"},
    "admin": {"base", "metrics"},
    "operations": {"base", "proto", "hbase", "mapping", "store", "meta", "consumer", "indexer", "sweep", "admin"},
    "daemon": {"base", "proto", "hbase", "mapping", "store", "meta", "consumer", "indexer", "sweep", "capture", "metrics", "admin", "operations"},
    "cli": {"base", "proto", "hbase", "mapping", "store", "meta", "consumer", "indexer", "sweep", "capture", "metrics", "admin", "operations", "daemon"},
}

# Headers of third parties: their name for people, the headers, and the folders and files that may know them. The first
# line that fits counts, and what none fits is refused. docs/architecture.md has the same table.
HOMES = (
    ("RocksDB", r"rocksdb/", "store/embedded"),
    ("Thrift", r"thrift/", "store/hbase"),
    ("Cyrus SASL", r"sasl/", "store/hbase/wire/kerberos_session.cc"),
    ("MIT Kerberos", r"krb5\.h", "operations/access/kerberos.cc"),
    ("GSSAPI of MIT Kerberos", r"gssapi/", "capture/rpc/kerberos.cc hbase/security"),
    ("librdkafka", r"librdkafka/", "consumer/kafka"),
    ("yaml-cpp", r"yaml-cpp/", "mapping/yaml"),
    ("RE2", r"re2/", "mapping/functions mapping/template/arguments.cc"),
    ("Boost.Asio, its timers", r"boost/asio/\w*timer", "capture/rpc/timer.h"),  # which drops an expiry that comes behind a cancel
    ("Boost.Asio, its addresses", r"boost/asio/ip/(address|network_v[46])\.hpp", "admin capture/rpc capture/peer_filter.h"),
    ("Boost.Asio", r"boost/asio/", "admin capture/rpc capture/publish/publisher.cc"),
    ("Boost.Beast", r"boost/beast/", "admin store/hbase/wire/http_transport.cc"),
    ("Boost.System", r"boost/system/", "capture/rpc"),
    ("Boost.SmartPtr", r"boost/smart_ptr/", "base/status.h"),
    ("prometheus-cpp", r"prometheus/", "metrics/text.cc"),
    ("ZooKeeper's client", r"zookeeper/", "hbase/zookeeper/session.cc"),
    ("Abseil, its annotations of locks", r"absl/base/thread_annotations\.h", "base/mutex.h"),
    ("Abseil, its hash tables", r"absl/container/flat_hash_(map|set)\.h", "hbase indexer store/hbase"),
    ("Abseil, its time zones", r"absl/time/", "operations/mappings/environment.cc"),
    ("protobuf, its streams of bytes", r"google/protobuf/io/(coded_stream|zero_copy_stream_impl_lite)\.h",
     "mapping/functions hbase/wire"),
    ("protobuf, its log", r"google/protobuf/stubs/", "daemon/admin/process.cc cli/program/library_log.cc"),
    ("protobuf, its messages", r"google/protobuf/(message_lite|arena)\.h", "hbase mapping/functions"),
    ("protobuf, its descriptors", r"google/protobuf/", "mapping/functions"),
    ("OpenSSL", r"openssl/", "admin/answers.cc admin/tls.cc base/cut.cc base/tls.h base/tls.cc base/tls_client.h base/tls_client.cc capture/rpc capture/zookeeper hbase mapping/functions/hashes.cc store/hbase"),
    ("nlohmann-json", r"nlohmann/",
     "cli daemon operations consumer/codec/json_fault.cc consumer/kafka/group/coordinator_contact.cc store/embedded/catalog.cc"),
    ("ICU", r"unicode/\w+\.h", "base/hbase_limits.cc mapping/functions/languages.cc mapping/functions/unicode.cc"),
    ("simdjson", r"simdjson\.h", "consumer/codec mapping/functions/json_text.cc"),
    ("xxHash", r"xxhash\.h", "consumer/message_reassembler.cc indexer/mirror indexer/state mapping/digest.cc mapping/functions/hashes.cc sweep/scan/source_unit.cc"),
    ("utf8proc", r"utf8proc\.h", "cli/reading/text_width.cc"),
    ("zlib, zstd", r"(zlib|zstd)\.h", "consumer/file/line_reader.cc operations/forecast/stored_bytes.cc"),
    ("glog", r"glog/", "daemon/log"),
    ("gflags", r"gflags/", "cli"),
)
PAGE = "docs/architecture.md"
# The standard library's headers and the system's.
SYSTEM = re.compile(r"[a-z_]+|(?:sys|netinet|arpa)/\w+\.h|(?:dirent|fcntl|glob|netdb|poll|pthread|pwd|stdio|termios|time|unistd)\.h")
# Made by the build from proto/.
GENERATED = re.compile(r"proto/(\w+)\.pb\.h")
FROM_THRIFT = {"THBaseService.h", "hbase_thrift2_types.h"}

# mapping is pure: no I/O, no thread, no clock.
IMPURE = {
    "chrono", "condition_variable", "cstdio", "ctime", "fcntl.h", "filesystem", "fstream", "future", "iostream", "mutex",
    "poll.h", "pthread.h", "random", "shared_mutex", "stdio.h", "sys/socket.h", "sys/stat.h", "thread", "time.h", "unistd.h",
    "base/clock.h", "glog/logging.h", "gflags/gflags.h",
}
# Calendar arithmetic without asking what time it is.
CALENDAR = {"mapping/functions/time_format.cc"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
OTHER_INCLUDE = re.compile(r"^\s*#\s*(?:include|include_next|import)\b")
# base/mutex.h has the same with annotations, which clang checks.
UNCHECKED_LOCKS = re.compile(r"\b(?:\w+_)?mutex\b(?![.>])|\bcondition_variable(?!>)|\b\w+_semaphore\b|\batomic_flag\b|\bpthread_(?:mutex|rwlock|spin|cond)\w*|"
                             r"\bABSL_NO_THREAD_SAFETY_ANALYSIS\b")
# Shared by writes, alone for what excludes them: it guards calls, not members, so there is nothing that clang could check.
GUARDS_CALLS = {("store/embedded/embedded_store.h", "std::shared_mutex mu_;")}
# Only the command line knows flags; everybody else is handed what they say, in a struct of options.
FLAGS = re.compile(r"\bFLAGS_\w+|\bDE(?:FINE|CLARE)_(?:bool|int32|uint32|int64|uint64|double|string)\(")
CLOCKS = re.compile(r"\b(system_clock|steady_clock|clock_gettime|sleep_for|getenv)\b")


def is_at(path, places):
    """Is the file one of these places, or in one of them?"""
    return any(pathlib.PurePath(place) in (path, *path.parents) for place in places.split())


def fault_of_include(path, sign, target):
    """What is wrong with an include that stands in quotes or in angles, or None."""
    folder, module = path.parts[0], target.split("/")[0]
    ours = module in {*MAY_INCLUDE, "proto", "tests"}
    if folder == "mapping" and target in IMPURE and not (target == "chrono" and str(path) in CALENDAR):
        return f"mapping is pure and may not include {target}"
    if sign == '"' or ours:
        made = GENERATED.fullmatch(target)
        there = tree.ROOT / (f"proto/{made.group(1)}.proto" if made else target)
        if target in FROM_THRIFT:
            return None if is_at(path, "store/hbase") else f"only store/hbase may include {target}"
        if sign == "<" or not ours or ".." in target or not there.is_file():
            return f'{target} is no file from the root: ours are included as "module/file.h", all others as <…>'
        return None if module == folder or module in MAY_INCLUDE[folder] else f"{folder}/ may not include {target}"
    home = next((home for _, pattern, home in HOMES if re.match(pattern, target)), None)
    if home is None:
        return None if SYSTEM.fullmatch(target) else f"no line of HOMES says who may include {target}"
    return None if is_at(path, home) else f"only {' and '.join(home.split())} may include {target}"


def faults_of(path):
    texts = (tree.ROOT / path).read_text(encoding="utf-8").splitlines()
    for number, (line, code) in enumerate(zip(texts, sources.code_of(path).splitlines()), 1):
        where = f"{path}:{number}"
        if path.parts[0] == "mapping" and CLOCKS.search(code):
            yield f"{where}: mapping is pure, no clocks, sleeps or environment"
        if path.parts[0] != "cli" and (match := FLAGS.search(code)):
            yield f"{where}: {match.group(0)}: only cli/ knows flags; a struct of options has what they say"
        excepted = any(str(path) == file and part in code for file, part in GUARDS_CALLS)
        if UNCHECKED_LOCKS.search(code) and str(path) != "base/mutex.h" and not excepted:
            yield f"{where}: Mutex and Condition of base/mutex.h, so that clang checks what they guard"
        match = INCLUDE.match(line)
        if match and (fault := fault_of_include(path, *match.groups())):
            yield f"{where}: {fault}"
        if not match and OTHER_INCLUDE.match(code):
            yield f"{where}: only #include with a name in quotes or angles, which the rules can read"


def faults_of_page():
    """What the page says of HOMES, line by line."""
    if not (tree.ROOT / PAGE).exists():
        return []
    rows = [f"| {name} | {', '.join(f'`{place}`' for place in home.split())} |" for name, _, home in HOMES]
    table = "\n".join(["| library | is included in |", "|---|---|", *rows, ""])
    if f"\n\n{table}\n" in (tree.ROOT / PAGE).read_text(encoding="utf-8"):
        return []
    return [f"{PAGE}: its table of third parties is not that of HOMES, which is:\n{table}"]


def main():
    if set(MAY_INCLUDE) != set(sources.MODULES):
        sys.exit(f"MAY_INCLUDE and tests/rules/sources.py differ: {sorted(set(MAY_INCLUDE) ^ set(sources.MODULES))}")
    paths = sources.of_modules()
    if not paths:
        sys.exit("no source files found: is FENSI_ROOT right?")
    faults = [fault for path in paths for fault in faults_of(path)] + faults_of_page()
    for fault in faults:
        print(fault)
    print(f"{len(paths)} files, {len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
