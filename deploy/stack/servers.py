"""The four servers of a stack: for each its configuration files, its command line and how to see that it is ready."""
import base64
import os
import shlex
import subprocess
import uuid

from . import admin, extension, jars, java, probe, templates
from .errors import StackError
from .process import Process

HERE = os.path.dirname(os.path.realpath(__file__))
# Reflection that HBase 2.6 needs on JDK 17.
OPENS = ["--add-opens=java.base/%s=ALL-UNNAMED" % name for name in
         ("java.lang", "java.nio", "sun.nio.ch", "java.lang.reflect", "jdk.internal.ref")] + \
        ["--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"]
COMMON = ["-Djava.net.preferIPv4Stack=true", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"]
# A program that ends after seconds: the slower of Java's two compilers costs it more processor time than it saves.
BRIEF = ["-XX:TieredStopAtLevel=1"]


class Server:
    """`process` is the running thing; `start` returns at once, `ready` asks once and never blocks for long."""
    stop_seconds = 10
    is_extra = False  # only started by its name
    ports = ()  # by name, where it listens
    needs = ()  # servers without which this one cannot be seen to be ready

    def __init__(self, settings):
        self.settings = settings
        self.process = Process(settings, self.name)

    def start(self):
        if self.process.pid() is None:
            # FENSI_STACK_JAVA: more options of Java.
            self.process.start(COMMON + shlex.split(os.environ.get("FENSI_STACK_JAVA", "")) + self.command_line())

    def _write(self, text, *parts):
        path = self.settings.path(*parts)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)


class HBase(Server):
    """Master, region servers and ZooKeeper in one process."""
    name = "hbase"
    needs = ("admin",)

    @property
    def ports(self):
        return ("zookeeper", "master") + (("regionserver",) if self.settings.regionservers == 1 else ())

    def command_line(self):
        self._write(templates.hbase_site(self.settings), "conf", "hbase", "hbase-site.xml")
        self._write(templates.LOG4J, "conf", "hbase", "log4j.properties")
        # Memstores and block cache may take four fifths of the memory, all of it old.
        memory = ["-Xmx4g", "-Xmn512m"] if self.settings.large else ["-Xmx1g"]
        return OPENS + memory + ["-cp", hbase_classpath(self.settings, "hbase"),
                        "org.apache.hadoop.hbase.master.HMaster",
                        "--localRegionServers=%d" % self.settings.regionservers, "start"]

    def ready(self):
        return probe.hbase_works(self.settings, self.process.started_ms())


class RegionServer(Server):
    """One more region server, in a process of its own that can be killed. `up` does not start it: `devstack start regionserver`."""
    name = "regionserver"
    is_extra = True

    def command_line(self):
        self._write(templates.regionserver_site(self.settings), "conf", "regionserver", "hbase-site.xml")
        self._write(templates.LOG4J, "conf", "regionserver", "log4j.properties")
        return OPENS + ["-Xmx512m", "-cp", hbase_classpath(self.settings, "regionserver"),
                        "org.apache.hadoop.hbase.regionserver.HRegionServer", "start"]

    def ready(self):
        return probe.region_server_since(self.settings, self.process.started_ms())


class Gateway(Server):
    """The Thrift2 gateway, the door through which fensi uses HBase."""
    name = "gateway"
    ports = ("gateway",)

    def command_line(self):
        self._write(templates.gateway_site(self.settings), "conf", "gateway", "hbase-site.xml")
        self._write(templates.LOG4J, "conf", "gateway", "log4j.properties")
        return OPENS + ["-Xmx256m", "-cp", hbase_classpath(self.settings, "gateway"),
                        "org.apache.hadoop.hbase.thrift2.ThriftServer", "start"]

    def ready(self):
        return probe.gateway_answers(self.settings.ports["gateway"])


class Kafka(Server):
    """One broker that is its own controller."""
    name = "kafka"
    ports = ("kafka", "controller")

    def command_line(self):
        self._write(templates.kafka_properties(self.settings), "conf", "kafka", "server.properties")
        properties = os.path.join("conf", "kafka", "server.properties")  # from the stack's folder, where servers run
        base = ["-Dorg.slf4j.simpleLogger.showDateTime=true",
                "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd HH:mm:ss.SSS",
                "-cp", _all_jars(self.settings, "kafka")]
        if not os.path.exists(self.settings.path("data", "kafka", "meta.properties")):
            self._format(base, properties)
        return ["-Xmx512m"] + base + ["kafka.Kafka", properties]

    def _format(self, base, properties):
        cluster_id = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        command = [java.program()] + base + ["kafka.tools.StorageTool", "format",
                                           "--cluster-id=" + cluster_id, "-c", properties]  # it may begin with '-'
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              cwd=self.settings.directory, env=java.environment(), text=True, check=False)
        if done.returncode != 0:
            raise StackError("Kafka's log directory could not be formatted:\n" + done.stdout[-2000:])

    def ready(self):
        return probe.kafka_answers(self.settings.ports["kafka"])


class Admin(Server):
    """DevAdmin.java, the resident process behind `devstack admin`."""
    name = "admin"
    ports = ("admin",)

    def command_line(self):
        self._write(templates.gateway_site(self.settings), "conf", "admin", "hbase-site.xml")
        self._write(templates.LOG4J, "conf", "admin", "log4j.properties")
        admin.make_secret(self.settings)
        return OPENS + ["-Xmx192m", "-cp", client_classpath(self.settings), os.path.join(HERE, "DevAdmin.java"),
                        str(self.settings.ports["admin"]), self.settings.address("kafka"), admin.SECRET]

    def ready(self):
        return probe.admin_answers(self.settings)


def _all_jars(settings, product):
    return os.path.join(jars_folder(settings, product), "*")


def jars_folder(settings, product):
    """An extension has a pom.xml for HBase. Without a gateway HBase has one that does not name the gateway's jars."""
    pom = None
    if product == "hbase":
        pom = extension.pom(settings.extension) or (None if settings.gateway else os.path.join(HERE, "hbase_alone", "pom.xml"))
    return jars.folder(product, settings.versions[product], pom)


def hbase_classpath(settings, conf):
    """From the stack's folder, where servers run: its own path may have a colon."""
    return os.path.join("conf", conf) + ":" + _all_jars(settings, "hbase")


def client_classpath(settings):
    """Of programs that ask both. HBase's jars come first: where both products bring a library, its version is HBase's."""
    return hbase_classpath(settings, "admin") + ":" + _all_jars(settings, "kafka")


def run_client(settings, table):
    command = [java.program(), *OPENS, *COMMON, *BRIEF, "-Xmx128m", "-cp", hbase_classpath(settings, "admin"),
               os.path.join(HERE, "HBaseClient.java"), table]
    return subprocess.run(command, cwd=settings.directory, env=java.environment(), check=False).returncode


def all_servers(settings):
    """In the order in which they are started."""
    gateway = [Gateway(settings)] if settings.gateway else []
    return [HBase(settings), Admin(settings), Kafka(settings), *gateway, RegionServer(settings)]
