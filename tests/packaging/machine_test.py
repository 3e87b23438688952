#!/usr/bin/env python3
"""A machine that gets only the .deb: a fresh Debian that boots with systemd beside the development stack, and docs/installing.md
is done on it, line by line. And the image, run by runc."""
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = os.environ["FENSI_ROOT"]
SOURCES = "/etc/apt/sources.list.d/debian.sources"
PERSON = 65532
EVENTS = "".join('{"table":"guanzhu","row":"%s","seq":%d,"cells":[{"type":"put","column":"f1:from","ts":%d,"value":"b"}]}\n' % (row, ts, ts)
                 for ts, row in enumerate(("a", "c", "d"), 1))
OUT = None


def setUpModule():  # pylint: disable=invalid-name
    global OUT
    said(os.path.join(ROOT, "deploy/install"), "machine")
    OUT = tempfile.mkdtemp(prefix="machine-", dir=os.path.join(ROOT, "build"))
    said(os.path.join(ROOT, "deploy/package"), "deb", "image", "--out", OUT)


def tearDownModule():  # pylint: disable=invalid-name
    shutil.rmtree(OUT)


def said(*command, code=0, **more):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if code is not None and done.returncode != code:
        raise AssertionError(f"{command}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def until(what, condition, seconds=120):
    deadline = time.monotonic() + seconds
    while not (got := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds} s for {what}")
        time.sleep(0.2)
    return got


def block(kind):
    with open(os.path.join(ROOT, "docs/installing.md"), encoding="utf-8") as page:
        (text,) = re.findall(r"^```sh %s\n(.*?)^```$" % kind, page.read(), re.MULTILINE | re.DOTALL)
    return text


def of_pages():
    """The lines of the README and the tutorial that need no server, for users who have the package and no tree."""
    blocks = []
    for name in ("README.md", "docs/tutorial.md"):
        with open(os.path.join(ROOT, name), encoding="utf-8") as page:
            blocks += re.findall(r"^```sh\n(.*?)^```$", page.read(), re.MULTILINE | re.DOTALL)
    lines = [line for line in "".join(blocks).splitlines() if "build/release" not in line]
    return "\n".join(lines).replace("deploy/examples/", "/usr/share/fensi/examples/")


class Machine:
    """A booted tree that shares the network of this machine."""

    def __init__(self, tree):
        self.tree = tree
        words = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--directory", tree, "--boot", "--console=pipe"]
        with open(tree + ".console", "wb") as console:
            self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=console, stderr=console)  # pylint: disable=consider-using-with
        self.leader = until("its first process", self.find_leader)
        until("its start", lambda: self.does("systemctl is-system-running", code=None).strip() in ("running", "degraded"))

    def find_leader(self):
        return said("pgrep", "-P", str(self.process.pid), code=None).strip()

    def does(self, script, code=0):
        return said("nsenter", "--target", self.leader, "--mount", "--uts", "--ipc", "--pid", "--cgroup", "--root", "--wd",
                    "bash", "-ec", "cd /root\n" + script, code=code,
                    env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "SYSTEMD_PAGER": "", "LC_ALL": "C.UTF-8"})

    def shows(self, unit, field):
        return self.does(f"systemctl show --property={field} --value {unit}").strip()

    def end(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class ServiceTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tree = os.path.join(OUT, "debian")
        said("mmdebstrap", "--quiet", "--variant=minbase", "--include=systemd,systemd-sysv,dbus", "bookworm", cls.tree, SOURCES)
        shutil.copy(os.path.join(OUT, "fensi_0.1.0_amd64.deb"), os.path.join(cls.tree, "root"))
        shutil.copy("/etc/resolv.conf", os.path.join(cls.tree, "etc/resolv.conf"))
        cls.machine = Machine(cls.tree)
        cls.addClassCleanup(cls.machine.end)
        cls.machine.does("apt-get update --quiet")

    def servers(self, text):
        """The page's names of servers are ours."""
        for name, variable in (("b1:9092", "KAFKA"), ("zk1:2181", "ZOOKEEPER")):
            text = text.replace(name, os.environ["FENSI_TEST_" + variable])
        return text

    def unit(self, field):
        return self.machine.shows("fensi@guanzhu", field)

    def test_the_page_is_true_from_installation_to_purge(self):
        before = self.files()
        self.machine.does(self.servers(block("service")))
        self.assertEqual((self.unit("ActiveState"), self.unit("StatusText")), ("active", "ready"))
        self.machine.does(block("look"))
        self.first_index_by_hand()
        self.index_is_kept()
        self.log_is_json()
        self.stop_is_clean()
        self.watchdog_ends_a_corpse()
        self.a_fault_of_configuration_is_not_tried_again()
        self.upgrade_goes_on()
        self.machine.does(block("remove"))
        left = {path for path in self.files() - before if path.startswith(("etc/", "usr/", "var/lib/fensi", "lib/systemd"))}
        mine = re.compile(r"etc/(fensi(/.*)?$|passwd|group|shadow|gshadow|subuid|subgid|ld\.so\.cache|\.pwd\.lock|ssl|ca-cert)")
        ours = {path for path in left if "fensi" in path and not mine.match(path)}
        self.assertEqual(ours, set())

    def files(self):
        return {os.path.relpath(os.path.join(folder, name), self.tree) for folder, _, names in os.walk(self.tree) for name in names}

    def first_index_by_hand(self):
        printed = self.machine.does(of_pages())
        for text in ("2 tests passed, 0 failed", "c\tf:a\t2\t2", "delete_column f:a @1"):
            self.assertIn(text, printed)

    def index_is_kept(self):
        broker = os.environ["FENSI_TEST_KAFKA"]
        self.machine.does(f"cat > /tmp/events <<'EOF'\n{EVENTS}EOF\nfensi publish guanzhu --kafka {broker} < /tmp/events")
        lookup = f"fensi lookup /etc/fensi/mappings/guanzhu.yaml fensi b --store thrift://{os.environ['FENSI_TEST_HBASE']}"
        until("the entry", lambda: "f1:d" in self.machine.does(lookup))

    def log_is_json(self):
        lines = self.machine.does("journalctl -u fensi@guanzhu -o cat -n 200").splitlines()
        told = [json.loads(line)["event"] for line in lines if line.startswith("{")]
        self.assertIn("admin_serving", told)

    def stop_is_clean(self):
        self.machine.does("systemctl stop fensi@guanzhu")
        self.assertEqual((self.unit("Result"), self.unit("ExecMainStatus"), self.unit("ActiveState")), ("success", "0", "inactive"))
        self.machine.does("systemctl start fensi@guanzhu")

    def watchdog_ends_a_corpse(self):
        """With a short one, so that nobody waits a minute."""
        self.machine.does("mkdir -p /run/systemd/system/fensi@.service.d; printf '[Service]\\nWatchdogSec=3\\n' "
                          "> /run/systemd/system/fensi@.service.d/short.conf; systemctl daemon-reload; systemctl restart fensi@guanzhu")
        pid = self.unit("MainPID")
        self.machine.does(f"kill -STOP {pid}")
        until("another process", lambda: self.unit("MainPID") not in ("0", pid) and self.unit("ActiveState") == "active")
        self.assertEqual(self.unit("NRestarts"), "1")
        self.machine.does("rm -r /run/systemd/system/fensi@.service.d; systemctl daemon-reload; systemctl restart fensi@guanzhu")

    def a_fault_of_configuration_is_not_tried_again(self):
        self.machine.does("systemctl stop fensi@guanzhu; sed -i.kept s/row:/rwo:/ /etc/fensi/mappings/guanzhu.yaml")
        self.assertIn("failed", self.machine.does("systemctl start fensi@guanzhu", code=1))
        self.assertEqual((self.unit("ExecMainStatus"), self.unit("ActiveState"), self.unit("NRestarts")), ("78", "failed", "0"))
        self.assertIn("rwo", self.machine.does("journalctl -u fensi@guanzhu -o cat -n 20"))
        self.machine.does("mv /etc/fensi/mappings/guanzhu.yaml.kept /etc/fensi/mappings/guanzhu.yaml; systemctl start fensi@guanzhu")

    def upgrade_goes_on(self):
        pid = self.unit("MainPID")
        self.machine.does("echo '--workers=3' >> /etc/fensi/run/guanzhu.conf; echo '# mine' >> /etc/fensi/run/example.conf")
        self.machine.does(block("upgrade").replace("install", "install --reinstall"))
        until("the new process", lambda: self.unit("MainPID") not in ("0", pid) and self.unit("ActiveState") == "active")
        self.assertIn("# mine", self.machine.does("cat /etc/fensi/run/example.conf"))


class ImageTest(unittest.TestCase):
    """Read-only, without capabilities, as a user that nobody knows; an index on a mounted folder."""

    def setUp(self):
        self.folder = os.path.join(OUT, "image")
        os.makedirs(os.path.join(self.folder, "layout"))
        (archive,) = [name for name in os.listdir(OUT) if name.endswith(".oci.tar")]
        said("tar", "-xf", os.path.join(OUT, archive), "-C", os.path.join(self.folder, "layout"))
        self.bundle = os.path.join(self.folder, "bundle")
        said("umoci", "unpack", "--image", os.path.join(self.folder, "layout") + ":0.1.0", self.bundle)
        self.data = os.path.join(self.folder, "data")
        os.makedirs(self.data)
        os.chown(self.data, PERSON, PERSON)
        with open(os.path.join(self.data, "events.jsonl"), "w", encoding="utf-8") as out:
            out.write(EVENTS)

    def fensi(self, *words):
        path = os.path.join(self.bundle, "config.json")
        with open(path, encoding="utf-8") as text:
            config = json.load(text)
        process = config["process"]
        self.assertEqual((process["user"]["uid"], process["user"]["gid"], process["args"][0]), (PERSON, PERSON, "/opt/fensi/bin/fensi"))
        process.update(args=["/opt/fensi/bin/fensi", *words], terminal=False, capabilities={}, noNewPrivileges=True)
        config["root"]["readonly"] = True
        config["mounts"] = [mount for mount in config["mounts"] if mount["destination"] not in ("/data", "/sys/fs/cgroup")]
        config["mounts"].append({"destination": "/data", "type": "bind", "source": self.data, "options": ["rbind", "rw"]})
        config["linux"].pop("resources", None)
        with open(path, "w", encoding="utf-8") as out:
            json.dump(config, out)
        return said("runc", "--root", os.path.join(self.folder, "state"), "run", "--bundle", self.bundle, f"fensi-test-{os.getpid()}")

    def test_it_runs_an_index(self):
        mapping = "/opt/fensi/share/fensi/examples/guanzhu-wide-from.yaml"
        self.assertRegex(self.fensi("version"), r"^fensi \d")
        self.fensi("run", mapping, "--source", "file:/data/events.jsonl", "--store", "embedded:/data/store")
        self.assertIn("f1:a", self.fensi("lookup", mapping, "fensi", "b", "--store", "embedded:/data/store"))
        self.assertEqual(sorted(os.listdir(os.path.join(self.bundle, "rootfs"))), ["data", "dev", "opt", "proc", "sys"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
