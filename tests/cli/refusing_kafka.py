"""A Kafka broker that gets no further than its first words, over TLS or without, with a certificate authority of its own."""
import os
import socket
import ssl
import struct
import subprocess
import threading

API_VERSIONS, SASL_HANDSHAKE, SASL_AUTHENTICATE = 18, 17, 36
UNSUPPORTED_VERSION, SASL_AUTHENTICATION_FAILED = 35, 58


def make_authority(folder, name):
    """NAME.crt and NAME.key, signed by itself."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", f"{name}.key", "-out",
                    f"{name}.crt"], cwd=folder, check=True, capture_output=True)
    return os.path.join(folder, name)


class RefusingKafka:
    """Listens until `close`. `tls`: path of its certificate and key without their endings. Every user is refused with
    `words`, as soon as `refuses` is set; what they said of themselves is in `attempts`."""

    def __init__(self, tls=None, asks_for_certificate=False, words="Authentication failed: Invalid username or password"):
        self._words = words
        self.refuses = threading.Event()
        self.refuses.set()
        self.attempts = []
        self._context = None
        if tls:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(tls + ".crt", tls + ".key")
            if asks_for_certificate:
                self._context.load_verify_locations(tls + ".crt")
                self._context.verify_mode = ssl.CERT_REQUIRED
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self._listener.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            if self._context:
                connection = self._context.wrap_socket(connection, server_side=True)
            with connection, connection.makefile("rb") as stream:
                while True:
                    size = struct.unpack(">i", stream.read(4))[0]
                    if not 0 < size < 1 << 20:
                        return  # as Kafka takes the first bytes of TLS on a plain port
                    connection.sendall(self._answer(stream.read(size)))
        except (OSError, struct.error):
            return

    def _answer(self, request):
        key, version, correlation = struct.unpack(">hhi", request[:8])
        if key == API_VERSIONS:
            known = [(API_VERSIONS, 0, 0), (SASL_HANDSHAKE, 0, 1), (SASL_AUTHENTICATE, 0, 0), (3, 0, 4)]
            body = struct.pack(">hi", UNSUPPORTED_VERSION if version else 0, len(known))
            body += b"".join(struct.pack(">hhh", *each) for each in known)
        elif key == SASL_HANDSHAKE:
            body = struct.pack(">hih", 0, 1, 5) + b"PLAIN"
        elif key == SASL_AUTHENTICATE:
            self.attempts.append(request)
            self.refuses.wait()
            words = self._words.encode()
            body = struct.pack(">hh", SASL_AUTHENTICATION_FAILED, len(words)) + words + struct.pack(">i", 0)
        else:
            raise OSError("nothing else is answered")
        return struct.pack(">ii", 4 + len(body), correlation) + body
