"""An admin server that says what a test wants a daemon to say."""
import http.server
import json
import threading


class FakeDaemon:
    def __init__(self, told):
        self.told = told  # whatever is asked, as JSON
        daemon = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = json.dumps(daemon.told).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_GET

            def log_message(self, *_):
                pass
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.place = "127.0.0.1:%d" % self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()
