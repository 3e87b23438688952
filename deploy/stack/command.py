"""The commands of deploy/devstack."""
import argparse
import contextlib
import fcntl
import os
import shlex
import shutil
import signal
import sys
import time

from . import admin, java, servers, settings as stack_settings, versions
from .errors import StackError

NAMES = ("hbase", "gateway", "kafka", "admin", "regionserver")
STARTING_DEADLINE_S = 300
ABOUT = """\
A real HBase with its Thrift2 gateway and a real Kafka, on loopback, without containers: %s,
or other versions that Maven has. A stack keeps the versions with which it was made.

  deploy/devstack up                      start what does not run, wait until it answers
  deploy/devstack up --dir /tmp/a --port_base free --regionservers 2
  deploy/devstack up --dir /tmp/b --port_base free --hbase 2.4.17 --kafka 3.3.2
  deploy/devstack up --dir /tmp/d --port_base free --hbase 3.0.0-alpha-4 --no_gateway
  deploy/devstack up --dir /tmp/c --port_base free --extension tests/e2e/phoenix
  deploy/devstack status                  servers, pids, addresses (exit 1 if one does not run)
  eval "$(deploy/devstack env)"           FENSI_TEST_HBASE, FENSI_TEST_KAFKA, ... for the tests
  deploy/devstack kill hbase              kill -9 of one server; also stop, start, pause, resume
  deploy/devstack admin compact fensi     what Thrift2 cannot do; `admin help` lists it
  deploy/devstack client guanzhu < lines  puts, deletes … by HBase's Java client (deploy/stack/HBaseClient.java)
  deploy/devstack logs gateway            the end of the logs
  deploy/devstack down --wipe             stop everything and remove the data
""" % versions.text(versions.DEFAULT)


def main(arguments):
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.run is None:
        parser.print_help()
        return 0
    options.dir = os.path.realpath(options.dir)
    try:
        return options.run(options) or 0
    except StackError as problem:
        print("devstack: %s" % problem, file=sys.stderr)
        return 1
    except OSError as problem:
        print("devstack: %s: %s%s" % (problem.filename or options.dir, problem.strerror, _owner(options.dir)), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _owner(directory):
    """Whose the stack is, when it is not ours."""
    try:
        owner = os.stat(directory).st_uid
    except OSError:
        return ""
    return "" if owner == os.geteuid() else " (%s belongs to the user with the id %d)" % (directory, owner)


def _parser():
    parser = argparse.ArgumentParser(prog="deploy/devstack", description=ABOUT,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    verbs.add_parser("help", help="this text").set_defaults(run=None)
    up = _verb(verbs, "up", _up, "start the stack and wait until it is ready")
    down = _verb(verbs, "down", _down, "stop the stack")
    down.add_argument("--wipe", action="store_true", help="remove the data too, at once (kill -9); the logs stay")
    _verb(verbs, "status", _status, "which servers run, and where")
    env = _verb(verbs, "env", _env, "shell lines with the addresses; a new stack gets them before it is up")
    for verb in (up, env):
        verb.add_argument("--port_base", type=_port_base, metavar="PORT", help="first of 7 ports (default 19090), or 'free'")
        verb.add_argument("--regionservers", type=_count(1, 16), metavar="N", help="how many (default 1)")
        verb.add_argument("--large", action="store_true", help="HBase has 4 GiB, and its own memstore settings, for benchmarks")
        verb.add_argument("--no_gateway", action="store_true", help="without the Thrift2 gateway and its jars")
        verb.add_argument("--extension", type=_extension, metavar="FOLDER",
                          help="a pom.xml with what a new stack's HBase runs besides itself, and an hbase-site.xml with its settings")
        for product, version in versions.DEFAULT.items():
            verb.add_argument("--" + product, type=_version(product), metavar="VERSION",
                              help="of a new stack's %s (default %s)" % (versions.NAMES[product], version))
    logs = _verb(verbs, "logs", _logs, "the end of the logs")
    logs.add_argument("server", nargs="?", choices=NAMES)
    logs.add_argument("--lines", type=_count(1, 1_000_000), metavar="N", default=40)
    line = _verb(verbs, "admin", _admin, "send one line to the admin process")
    line.add_argument("words", nargs=argparse.REMAINDER, metavar="COMMAND")
    client = _verb(verbs, "client", _client, "run the operations on standard input by HBase's Java client")
    client.add_argument("table")
    for name, text in (("stop", "SIGTERM one server and wait"), ("start", "start one server and wait until it is ready"),
                       ("kill", "kill -9 one server"), ("pause", "SIGSTOP one server"), ("resume", "SIGCONT one server")):
        _verb(verbs, name, _SERVER_VERBS[name], text).add_argument("server", choices=NAMES)
    return parser


def _verb(verbs, name, run, text):
    verb = verbs.add_parser(name, help=text)
    verb.add_argument("--dir", type=_folder, default=os.environ.get("FENSI_TEST_STACK") or ".devstack",
                      help="the stack's directory (default $FENSI_TEST_STACK or .devstack)")
    verb.set_defaults(run=run)
    return verb


def _folder(text):
    if text:
        return text
    raise argparse.ArgumentTypeError("the folder is missing")


def _extension(text):
    return os.path.realpath(_folder(text))


def _count(least, most):
    def count(text):
        if text.isascii() and text.isdigit() and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError("%r is not a number from %d to %d" % (text, least, most))
    return count


def _port_base(text):
    return text if text == "free" else _count(1024, 65536 - len(stack_settings.PORT_NAMES))(text)


def _version(product):
    def version(text):
        fault = versions.why_not(product, text)
        if fault:
            raise argparse.ArgumentTypeError(fault)
        return text
    return version


@contextlib.contextmanager
def _locked(directory):
    """One command at a time changes a stack; a second one waits."""
    stack_settings.require_place(directory)
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _settings(options):
    asked = {product: getattr(options, product) for product in versions.DEFAULT}
    return stack_settings.load_or_plan(options.dir, options.port_base, options.regionservers, asked, options.large,
                                       options.extension, not options.no_gateway)


def _up(options):
    java.require()
    with _locked(options.dir):
        settings = _settings(options)
        for product in settings.versions:
            servers.jars_folder(settings, product)
        settings.save()  # not before: a version that nobody has is not worth keeping
        started = time.monotonic()
        all_servers = [server for server in servers.all_servers(settings) if not server.is_extra]
        starting = [server for server in all_servers if server.process.pid() is None]
        _require_ports(starting)
        try:
            for server in starting:
                server.start()
            _wait_ready(all_servers)
        except BaseException:
            _end(starting)  # a half of a stack helps nobody
            raise
    print("devstack: %s, ready after %.1f s: %s, Kafka at %s"
          % (versions.text(settings.versions), time.monotonic() - started, _place(settings), settings.address("kafka")), file=sys.stderr)


def _place(settings):
    if settings.gateway:
        return "HBase's gateway at " + settings.address("gateway")
    return "HBase's ZooKeeper at " + settings.address("zookeeper")


def _require_ports(starting):
    taken = ["%s (%s)" % (server.settings.address(name), name) for server in starting for name in server.ports
             if not stack_settings.is_free(server.settings.ports[name])]
    if taken:
        raise StackError("another program listens on %s; end it, or take other ports: deploy/devstack down --wipe, then up "
                         "--port_base free" % ", ".join(taken))


def _end(ending):
    for server in ending:
        server.process.signal(signal.SIGKILL)


def _wait_ready(waiting):
    deadline = time.monotonic() + STARTING_DEADLINE_S
    waiting = list(waiting)
    while waiting:
        waiting = [server for server in waiting if not server.ready()]
        for server in waiting:
            if server.process.pid() is None:
                raise StackError("%s ended while starting; the end of %s:\n%s"
                                 % (server.name, server.process.log_file, server.process.log_tail(30)))
        if waiting and time.monotonic() > deadline:
            raise StackError("not ready after %d s: %s; see: deploy/devstack logs"
                             % (STARTING_DEADLINE_S, ", ".join(server.name for server in waiting)))
        if waiting:
            time.sleep(0.2)


def _down(options):
    settings = stack_settings.load_to_end(options.dir)
    if settings is None:
        print("devstack: there is no stack in %s" % options.dir, file=sys.stderr)
        return
    with _locked(options.dir):
        processes = [server.process for server in servers.all_servers(settings)]
        for process in processes:
            if options.wipe:
                process.signal(signal.SIGKILL)
            else:
                process.ask_to_stop()
        for process in processes:
            process.stop(servers.Server.stop_seconds)
        if options.wipe:
            for part in ("data", "run", "conf"):
                shutil.rmtree(settings.path(part), ignore_errors=True)
            os.remove(settings.path("stack.json"))


def _status(options):
    settings = stack_settings.require(options.dir)
    missing = 0
    for server in servers.all_servers(settings):
        pid = server.process.pid()
        if server.is_extra and pid is None:
            continue
        state = "stopped" if pid is None else "paused" if server.process.paused() else "running"
        missing += state != "running"
        place = "a free port" if server.is_extra else settings.address("zookeeper" if server.name == "hbase" else server.name)
        print("%-8s %-8s pid %-8s %s%s" % (server.name, state, pid or "-", place,
                                           " (ZooKeeper)" if server.name == "hbase" else ""))
    return 1 if missing else 0


def _env(options):
    with _locked(options.dir):
        settings = _settings(options)
        settings.save()
    for name, value in (("HBASE", settings.address("gateway")), ("KAFKA", settings.address("kafka")),
                        ("ADMIN", settings.address("admin")), ("ZOOKEEPER", settings.address("zookeeper")),
                        ("MASTER", settings.address("master")),
                        ("STACK", settings.directory)):
        print("export FENSI_TEST_%s=%s" % (name, shlex.quote(value)))


def _logs(options):
    settings = stack_settings.require(options.dir)
    for server in servers.all_servers(settings):
        if options.server in (None, server.name):
            print("==> %s <==\n%s" % (server.process.log_file, server.process.log_tail(options.lines)))


def _admin(options):
    done, text = admin.send(stack_settings.require(options.dir), " ".join(options.words))
    if text:
        print(text.replace("\\n", "\n"), file=sys.stdout if done else sys.stderr)
    return 0 if done else 1


def _client(options):
    return servers.run_client(stack_settings.require(options.dir), options.table)


def _one(options):
    settings = stack_settings.require(options.dir)
    for server in servers.all_servers(settings):
        if server.name == options.server:
            return server
    raise StackError("the stack in %s has no %s" % (options.dir, options.server))


def _start(options):
    with _locked(options.dir):
        server = _one(options)
        needed = [other for other in servers.all_servers(server.settings) if other.name in server.needs]
        for starting in [server] + needed:
            starting.start()
        _wait_ready([server])


def _stop(options):
    with _locked(options.dir):
        _one(options).process.stop(servers.Server.stop_seconds)


def _kill(options):
    with _locked(options.dir):
        _one(options).process.kill()


def _signalled(number):
    def run(options):
        if not _one(options).process.signal(number):
            raise StackError("%s does not run" % options.server)
    return run


_SERVER_VERBS = {"start": _start, "stop": _stop, "kill": _kill, "pause": _signalled(signal.SIGSTOP),
                 "resume": _signalled(signal.SIGCONT)}
