"""Flags that keep connections to the store from others: what does not go together, and files that are not right, are told
before any server is asked."""
import os

import harness

NOBODY = "127.0.0.1:1"


class StoreSecurity(harness.CliTest):
    def refused(self, code, says, *flags):
        for words in (("scan", "t"), ("create", "m.yaml"), ("run", "m.yaml", "--source=file:events.jsonl")):
            self.refuses(code, *words, *flags, says=says)

    def setUp(self):
        super().setUp()
        self.file("m.yaml", "source: t\nindexes:\n  i:\n    table: i\n    row: '{f1:from}'\n    columns:\n      'f1:{row}': '{f1:from}'\n")
        self.file("events.jsonl", "")
        for name, mode in (("pem", 0o600), ("open", 0o644), ("keys", 0o600)):
            self.file(name, "no PEM\n")
            os.chmod(os.path.join(self.dir, name), mode)

    def test_what_would_protect_nothing_is_refused(self):
        plain, tls = "--store=thrift://" + NOBODY, "--store=thrifts://" + NOBODY
        for flags in (("--store_tls_ca_file=pem",), ("--store_tls_cert_file=pem", "--store_tls_key_file=pem")):
            self.refused(64, "require TLS, and thrift:// has none: write --store=thrifts://", plain, *flags)
        self.refused(64, "--store_tls_cert_file and --store_tls_key_file require each other", tls, "--store_tls_cert_file=pem")
        self.refused(64, "--store_tls_cert_file and --store_tls_key_file require each other", tls, "--store_tls_key_file=pem")
        self.refused(64, "--store_qop requires --store_kerberos_service", plain, "--store_qop=auth-conf")
        for alone in ("--store_kerberos_masters=hbase", "--store_allow_simple_auth"):
            self.refused(64, alone.partition("=")[0] + " requires --store_kerberos_service", "--store=hbase://" + NOBODY, alone)
        self.refused(64, "which has none: write hbases://", "--store=hbase://" + NOBODY, "--store_tls_ca_file=pem")
        self.refused(64, "are only for hbase:// and hbases://", plain, "--store_kerberos_service=hbase", "--store_allow_simple_auth")
        for bad in ("hbase/", "hbase/_HOST", "hbase/*@BANK", "a b"):
            self.refused(64, "the principal of HBase's configuration", "--store=hbase://" + NOBODY, "--store_kerberos_service=" + bad)
        self.refused(64, "write auth, auth-int or auth-conf", plain, "--store_kerberos_service=hbase", "--store_qop=privacy")
        self.refused(64, "--store_kerberos_service has a '/': give the name of the service alone", plain, "--store_kerberos_service=hbase/gw@BANK")

    def test_kerberos_by_http_is_refused_with_the_way_that_there_is(self):
        self.refused(78, ("SPNEGO", "hbase.thrift.security.qop=auth-conf", "--store_kerberos_service"),
                     "--store=thrift+https://" + NOBODY + "/", "--store_kerberos_service=hbase")

    def test_places_that_are_none_are_told_with_those_that_are(self):
        for store in ("hbases:/h", "https://h:1/", "thrift+http://h:1/"):
            self.refused(64, "thrift+https://HOST:PORT/", "--store=" + store)
        for store in ("thrifts://", "thrifts://h:0", "thrift+https:///path", "thrift+https://h:70000/", "thrifts://a:1,b:2", "thrift://h:1:2"):
            self.refused(64, "--store", "--store=" + store)

    def test_certificates_that_are_not_right_are_named(self):
        tls = "--store=thrifts://" + NOBODY
        for store in (tls, "--store=hbases://" + NOBODY):
            self.refused(78, "--store_tls_ca_file: absent: No such file", store, "--store_tls_ca_file=absent")
            self.refused(78, "--store_tls_ca_file: no certificates in PEM", store, "--store_tls_ca_file=pem")
        self.refused(78, "--store_tls_cert_file: no certificates in PEM", tls, "--store_tls_cert_file=pem", "--store_tls_key_file=keys")
        self.refused(78, "--store_tls_key_file: open: holds a secret, and other users may read or change it", tls, "--store_tls_cert_file=pem",
                     "--store_tls_key_file=open")

    def test_a_pipe_is_waited_for_by_nobody(self):
        """They are read again for each connection, and a daemon that waited for a writer could not even be stopped."""
        os.mkfifo(os.path.join(self.dir, "pipe"))
        tls = "--store=thrifts://" + NOBODY
        self.refused(78, "--store_tls_ca_file: pipe: is not a regular file", tls, "--store_tls_ca_file=pipe")
        self.refused(78, "--store_tls_cert_file: pipe: is not a regular file", tls, "--store_tls_cert_file=pipe", "--store_tls_key_file=keys")

    def test_a_keytab_that_is_not_right_is_named(self):
        store = ("--store=thrift://" + NOBODY, "--store_kerberos_service=hbase")
        self.refused(78, "--kerberos_keytab: absent: No such file", *store, "--kerberos_keytab=absent")
        self.refused(78, "--kerberos_keytab: open: holds a secret, and other users may read or change it", *store, "--kerberos_keytab=open")
        self.refused(78, "--kerberos_keytab has no key", *store, "--kerberos_keytab=keys")
        self.refused(64, "--kerberos_principal needs --kerberos_keytab", *store, "--kerberos_principal=fensi")

    def test_a_credential_of_systemd_is_taken_as_it_lies_there(self):
        """Of another user, and in its group, for which an access list lets us read it."""
        folder = os.path.join(self.dir, "unit")
        os.mkdir(folder)
        key = os.path.join(self.dir, self.file("unit/key", "no key\n"))
        os.chmod(key, 0o440)
        if os.getuid() == 0:  # who else gives a file away?
            os.chown(key, 12345, 12345)
        words = ("scan", "t", "--store=thrifts://" + NOBODY, "--store_tls_cert_file=pem", "--store_tls_key_file=" + key)
        self.refuses(78, *words, says="holds a secret, and other users may read or change it")
        if os.getuid() == 0:
            self.refuses(78, *words, says="--store_tls_cert_file: no certificates in PEM", variables={"CREDENTIALS_DIRECTORY": folder})


harness.main()
