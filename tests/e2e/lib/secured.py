"""Servers that know whom they talk to, each on loopback and in a folder of its own: HBase with and without Kerberos, gateways
with each kind of protection, a TLS proxy, and the certificates for them."""
import glob
import os
import socket
import subprocess
import sys
import tempfile

from lib import stack
from lib.wait import until

sys.path[:0] = [os.path.join(stack.ROOT, "deploy"), os.path.join(stack.ROOT, "tests", "support")]
import kerberos_realm  # noqa: E402
from stack import admin, servers, settings  # noqa: E402,F401  those that run the development stack, too

REALM = kerberos_realm.REALM
PRINCIPAL = "hbase/localhost@" + REALM
PASSWORD = "changeit"


def place_of(cls, name):
    """A folder for the tests of a class, as its `folder`, and in it the ports and folders of servers of its own."""
    scratch = tempfile.TemporaryDirectory()
    cls.addClassCleanup(scratch.cleanup)
    cls.folder = scratch.name
    os.mkdir(os.path.join(cls.folder, name))
    return settings.load_or_plan(os.path.join(cls.folder, name), "free", 1, {})


class Certificates:
    """An authority in a folder, by the command line of OpenSSL."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                     "-subj", "/CN=" + name, "-keyout", name + ".key", "-out", name + ".crt")

    @property
    def authority(self):
        return self.path(self.name + ".crt")

    def path(self, name):
        return os.path.join(self.folder, name)

    def openssl(self, *words):
        done = subprocess.run(["openssl", *words], cwd=self.folder, check=False, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, done.stdout

    def issue(self, name, hosts="IP:127.0.0.1,DNS:localhost", days=1):
        """NAME.crt, NAME.key, both in NAME.pem, and NAME.p12 for Java. Days below zero: it ended so long ago."""
        with open(self.path(name + ".san"), "w", encoding="ascii") as out:
            out.write("subjectAltName=%s\n" % hosts)
        self.openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
                     "/CN=" + name, "-keyout", name + ".key", "-out", name + ".req")
        self.openssl("x509", "-req", "-in", name + ".req", "-CA", self.authority, "-CAkey", self.name + ".key",
                     "-CAcreateserial", "-days", str(days), "-extfile", name + ".san", "-out", name + ".crt")
        with open(os.open(self.path(name + ".pem"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as out:
            for part in (".key", ".crt"):
                with open(self.path(name + part), encoding="ascii") as text:
                    out.write(text.read())
        self.openssl("pkcs12", "-export", "-in", name + ".pem", "-passout", "pass:" + PASSWORD, "-out", name + ".p12")
        return self.path(name)


def with_properties(site, more):
    """The XML of a configuration, with these properties instead of those of the same name."""
    rows = [row for row in site.splitlines() if not any("<name>%s</name>" % name in row for name in more)]
    added = ["  <property><name>%s</name><value>%s</value></property>" % item for item in more.items()]
    return "\n".join(rows[:-1] + added + rows[-1:]) + "\n"


class Secured:
    """What the servers of a stack have beside the development stack's: properties, and options of Java."""
    properties, options = {}, ()

    def _write(self, text, *parts):
        if not parts[-1].endswith(".xml"):
            super()._write(text, *parts)
            return
        site = with_properties(text, self.properties)
        super()._write(site, *parts)
        super()._write(site, *parts[:-1], "core-site.xml")  # Hadoop's own classes read no other

    def command_line(self):
        return [*self.options, *super().command_line()]

    def begin(self, port):
        self.start()
        until("%s takes connections" % self.name, lambda: listens(port) or self.process.pid() is None, 180)
        assert self.process.pid() is not None, self.process.log_tail(60)

    def end(self):
        self.process.stop(self.stop_seconds)


class HBase(Secured, servers.HBase):
    pass


class Admin(Secured, servers.Admin):
    """Who makes tables and peers."""

    def tell(self, *words):
        good, text = admin.send(self.settings, " ".join(words))
        assert good, "%s: %s" % (words, text)


class Gateway(Secured, servers.Gateway):
    """One of several before one HBase, with a name and a port of its own."""

    def __init__(self, place, name, **properties):
        self.name = name
        super().__init__(place)
        self.port = kerberos_realm.free_port()
        self.properties = {"hbase.regionserver.thrift.port": self.port,
                           **properties}

    def command_line(self):
        # Its configuration stands in a folder of its own.
        line = super().command_line()
        conf = self.settings.path("conf", self.name)
        os.makedirs(conf, exist_ok=True)
        for file in ("hbase-site.xml", "core-site.xml", "log4j.properties"):
            os.replace(self.settings.path("conf", "gateway", file), os.path.join(conf, file))
        # Of the two that HBase brings the HTTP mode needs the younger one.
        servlets = glob.glob(os.path.join(servers.jars_folder(self.settings, "hbase"), "javax.servlet-api-*.jar"))
        return [word.replace("conf/gateway:", ":".join(["conf/" + self.name, *servlets, ""])) for word in line]

    def begin(self):
        super().begin(self.port)


def of_https(issued):
    """What a gateway needs to speak HTTP in TLS, with a certificate of `Certificates`."""
    return {"hbase.regionserver.thrift.http": "true", "hbase.thrift.ssl.enabled": "true",
            "hbase.thrift.ssl.keystore.store": issued + ".p12", "hbase.thrift.ssl.keystore.type": "PKCS12",
            "hbase.thrift.ssl.keystore.password": PASSWORD, "hbase.thrift.ssl.keystore.keypassword": PASSWORD}


class Kerberos:
    """A realm for the servers of a class, as long as that is at work. `hbase` and `gateway` are properties of theirs."""

    def __init__(self, cls, *users):
        folder = os.path.join(cls.folder, "realm")
        os.mkdir(folder)
        self.realm = kerberos_realm.Realm(folder)
        cls.addClassCleanup(self.realm.stop_kdc)
        self.realm.begin(*users, "hbase/localhost", "HTTP/localhost")
        keytab = self.realm.keytab("hbase.keytab", "hbase/localhost", "HTTP/localhost")
        os.environ["KRB5_CONFIG"] = self.realm.path("krb5.conf")
        hosts = self.realm.write("hosts", "127.0.0.1 localhost %s\n" % socket.gethostname())
        Secured.options = ("-Djava.security.krb5.conf=" + self.realm.path("krb5.conf"), "-Djdk.net.hosts.file=" + hosts,
                           "--add-exports=java.security.jgss/sun.security.krb5=ALL-UNNAMED")
        cls.addClassCleanup(setattr, Secured, "options", ())
        self.hbase = {"hbase.security.authentication": "kerberos", "hadoop.security.authentication": "kerberos",
                      "hbase.master.kerberos.principal": PRINCIPAL, "hbase.master.keytab.file": keytab,
                      "hbase.regionserver.kerberos.principal": PRINCIPAL, "hbase.regionserver.keytab.file": keytab}
        self.gateway = {**self.hbase, "hbase.thrift.keytab.file": keytab, "hbase.thrift.kerberos.principal": PRINCIPAL}


class TlsProxy:
    """stunnel before a plain gateway."""

    def __init__(self, folder, name, issued, target_port, client_authority=None):
        self.port = kerberos_realm.free_port()
        asks = "verifyChain = yes\nCAfile = %s\n" % client_authority if client_authority else ""
        self.path = os.path.join(folder, name + ".conf")
        with open(self.path, "w", encoding="ascii") as out:
            out.write("foreground = yes\npid =\n[gateway]\naccept = 127.0.0.1:%d\nconnect = 127.0.0.1:%d\ncert = %s.pem\n%s"
                      % (self.port, target_port, issued, asks))
        self.process = None

    def begin(self):
        with open(self.path + ".log", "ab") as log:
            self.process = subprocess.Popen(["stunnel", self.path], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        until("stunnel takes connections", lambda: listens(self.port) or self.process.poll() is not None)
        assert self.process.poll() is None, open(self.path + ".log", encoding="utf-8").read()

    def end(self):
        self.process.terminate()
        self.process.wait()


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
