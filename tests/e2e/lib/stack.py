"""The running development stack, named by FENSI_TEST_STACK and the other lines of `deploy/devstack env`."""
import contextlib
import os
import shlex
import signal
import socket
import subprocess
import sys

ROOT = os.environ.get("FENSI_ROOT") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))


def hbase_url():
    """HBase by its own protocol; by the gateway with FENSI_TEST_STORE=thrift."""
    if os.environ.get("FENSI_TEST_STORE") == "thrift":
        return gateway_url()
    return "hbase://%s/hbase" % os.environ["FENSI_TEST_ZOOKEEPER"]


def gateway_url():
    return "thrift://" + os.environ["FENSI_TEST_HBASE"]


def kafka_url():
    return "kafka://" + os.environ["FENSI_TEST_KAFKA"]


def devstack(*words, check=True):
    """Runs `deploy/devstack WORDS`; gives back its exit code, or fails the test."""
    done = subprocess.run([os.path.join(ROOT, "deploy", "devstack"), *words], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if check and done.returncode != 0:
        raise AssertionError("devstack %s: exit code %d\n%s" % (" ".join(words), done.returncode, done.stdout))
    return done.returncode


def admin_secret():
    with open(os.path.join(os.environ["FENSI_TEST_STACK"], "run", "admin.secret"), encoding="ascii") as source:
        return source.read().strip()


def admin(*words, timeout_s=300):
    """Sends one line to the admin process and gives back the text after "ok"; fails the test on "error"."""
    line = " ".join(str(word) for word in words)
    host, port = os.environ["FENSI_TEST_ADMIN"].split(":")
    with socket.create_connection((host, int(port)), timeout_s) as connection:
        connection.sendall(("%s\n%s\n" % (admin_secret(), line)).encode())
        reply = connection.makefile("r", encoding="utf-8").readline().rstrip("\n")
    word, _, text = reply.partition(" ")
    assert word == "ok", "admin %s: %s" % (line, reply)
    return text.replace("\\n", "\n")


def _servers():
    sys.path.append(os.path.join(ROOT, "deploy"))
    from stack import java, servers, settings  # those that run the stack, too
    return java, servers, settings.require(os.environ["FENSI_TEST_STACK"])


def java_command(program, *words, classes=None, heap="256m"):
    """The words that run a Java program with HBase's and Kafka's own clients, and the options of its process. `program`: a file,
    or the name of a class in the folder `classes`."""
    java, servers, settings = _servers()
    classpath = ":".join(([classes] if classes else []) + [servers.client_classpath(settings)])
    command = [java.program(), *servers.OPENS, *servers.COMMON, *servers.BRIEF, "-Xmx" + heap, "-cp", classpath,
               program if classes else os.path.join(ROOT, program), *words]
    return command, {"cwd": os.environ["FENSI_TEST_STACK"], "env": java.environment()}


def java_client(path, *words):
    """Such a program at work, its standard input and output open."""
    command, options = java_command(path, *words)
    return subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)


def compile_java(path, folder):
    """The classes of a Java file, in a folder. It may use those that are there."""
    java, servers, settings = _servers()
    classpath = folder + ":" + servers.client_classpath(settings)
    options = ["-J" + option for option in servers.BRIEF]
    subprocess.run([java.program() + "c", *options, "-nowarn", "-d", folder, "-cp", classpath, os.path.join(ROOT, path)],
                   cwd=os.environ["FENSI_TEST_STACK"], env=java.environment(), check=True)


def zookeeper_shell(*lines):
    """What ZooKeeper's own shell (zkCli.sh) answers to the lines."""
    java, servers, settings = _servers()
    command = [java.program(), *servers.BRIEF, "-cp", servers.hbase_classpath(settings, "admin"), "org.apache.zookeeper.ZooKeeperMain",
               "-server", os.environ["FENSI_TEST_ZOOKEEPER"]]
    return subprocess.run(command, input="\n".join(lines) + "\nquit\n", cwd=os.environ["FENSI_TEST_STACK"], check=False,
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120).stdout


@contextlib.contextmanager
def silent(server):
    """The server of the stack accepts connections and answers nothing (SIGSTOP)."""
    with open(os.path.join(os.environ["FENSI_TEST_STACK"], "run", server + ".pid"), encoding="ascii") as text:
        pid = int(text.read().split()[0])
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def drop_tables(*names):
    existing = admin("tables").split("\n")
    for name in names:
        if name in existing:
            admin("drop", name)


@contextlib.contextmanager
def without_markers():
    """Of HBase's replication: a serial peer gets stuck on them (HBase 2.6.1). For stacks that are made meanwhile."""
    os.environ["FENSI_DEVSTACK_MARKERS"] = "false"
    try:
        yield
    finally:
        os.environ.pop("FENSI_DEVSTACK_MARKERS", None)


@contextlib.contextmanager
def own_stack(directory, *words):
    """A stack of the caller's own instead of the one in the environment; taken down at the end. `words`: of devstack up."""
    lines = subprocess.run([os.path.join(ROOT, "deploy", "devstack"), "env", "--dir", directory, "--port_base", "free", *words],
                           check=True, text=True, stdout=subprocess.PIPE).stdout
    before = dict(os.environ)
    os.environ.update(setting.split("=", 1) for line in lines.splitlines() for setting in shlex.split(line)[1:])
    try:
        devstack("up", *words)
        yield
    finally:
        devstack("down", "--wipe")
        os.environ.clear()
        os.environ.update(before)
