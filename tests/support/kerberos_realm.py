#!/usr/bin/env python3
"""Runs a command in a Kerberos realm of its own: a KDC on loopback, the principals fensi and hbase/localhost, and their
keytabs where the libraries look for them: kerberos_realm.py COMMAND...; for other scripts the same as a class."""
import os
import socket
import subprocess
import sys
import tempfile
import time

REALM = "FENSI.TEST"
KRB5 = """[libdefaults]
  default_realm = {realm}
  dns_lookup_kdc = false
  dns_lookup_realm = false
  dns_canonicalize_hostname = false
  rdns = false
[realms]
  {realm} = {{
    kdc = 127.0.0.1:{port}
  }}
"""
KDC = """[kdcdefaults]
  kdc_listen = 127.0.0.1:{port}
  kdc_tcp_listen = 127.0.0.1:{port}
[realms]
  {realm} = {{
    database_name = {folder}/principal
    key_stash_file = {folder}/stash
    acl_file = {folder}/acl
  }}
[logging]
  kdc = FILE:{folder}/kdc.log
"""
SBIN = os.environ["PATH"] + ":/usr/sbin:/sbin"


def free_port():
    with socket.socket() as tcp, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        tcp.bind(("127.0.0.1", 0))
        udp.bind(tcp.getsockname())
        return tcp.getsockname()[1]


class Realm:
    """A KDC on loopback and its principals. `env` is for programs that belong to the realm."""

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        self.env = dict(os.environ, PATH=SBIN, KRB5_CONFIG=self.config("krb5.conf", self.port), KRB5RCACHENAME="none:",
                        KRB5_KDC_PROFILE=self.write("kdc.conf", KDC.format(realm=REALM, port=self.port, folder=folder)))
        self.kdc = None

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="ascii") as out:
            out.write(text)
        return self.path(name)

    def config(self, name, port):
        """The path of a krb5.conf whose KDC is there."""
        return self.write(name, KRB5.format(realm=REALM, port=port))

    def run(self, *words):
        done = subprocess.run(words, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError("%s: %s" % (" ".join(words), done.stdout))

    def admin(self, *queries):
        for query in queries:
            self.run("kadmin.local", "-r", REALM, "-q", query)

    def keytab(self, name, *principals):
        """A file with new keys of the principals, for its owner alone; older files have keys that count no more."""
        for principal in principals:
            self.admin("ktadd -k %s %s" % (self.path(name), principal))
        os.chmod(self.path(name), 0o600)
        return self.path(name)

    def begin(self, *principals):
        self.run("kdb5_util", "create", "-s", "-r", REALM, "-P", "master")
        self.admin(*("addprinc -randkey " + principal for principal in principals))
        self.start_kdc()

    def start_kdc(self):
        self.kdc = subprocess.Popen(["krb5kdc", "-n", "-r", REALM], env=self.env, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self.kdc.poll() is not None or time.monotonic() > deadline:
                with open(self.path("kdc.log"), encoding="utf-8") as log:
                    raise RuntimeError("the KDC does not start; its log: " + log.read())
            time.sleep(0.05)

    def stop_kdc(self):
        if self.kdc is not None:
            self.kdc.terminate()
            self.kdc.wait()
        self.kdc = None


class SilentPort:
    """Takes connections and datagrams, and says nothing."""

    def __enter__(self):
        self.tcp, self.udp = socket.socket(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.tcp.bind(("127.0.0.1", 0))
        self.tcp.listen()
        self.udp.bind(self.tcp.getsockname())
        return self.tcp.getsockname()[1]

    def __exit__(self, *unused):
        self.tcp.close()
        self.udp.close()


def main(command):
    with tempfile.TemporaryDirectory() as folder, SilentPort() as silent:
        realm = Realm(folder)
        try:
            realm.begin("fensi", "other", "hbase/localhost", "brief")
            realm.admin("modprinc -maxlife 3s brief")
            old = realm.keytab("old.keytab", "fensi")
            realm.env.update(KRB5_KTNAME="FILE:" + realm.keytab("hbase.keytab", "hbase/localhost"), KRB5CCNAME="MEMORY:fensi",
                             KRB5_CLIENT_KTNAME="FILE:" + realm.keytab("fensi.keytab", "fensi"),
                             FENSI_TEST_KEYTAB_BRIEF="FILE:" + realm.keytab("brief.keytab", "brief"),
                             FENSI_TEST_KEYTAB_OLD="FILE:" + old, FENSI_TEST_KDC_AWAY=realm.config("away.conf", free_port()),
                             FENSI_TEST_KDC_SILENT=realm.config("silent.conf", silent))
            return subprocess.run(command, env=realm.env, check=False).returncode
        finally:
            realm.stop_kdc()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
