"""Receives webhooks with the Python library of Standard Webhooks.

Prints its port and reads the secret of its webhook from standard input. Ends after the first change: with 0 when its signature holds, and holds for no
other body.
"""

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook, WebhookVerificationError

secrets = []


def is_signed(secret, body, headers):
    try:
        Webhook(secret).verify(body, headers)
        return True
    except WebhookVerificationError:
        return False


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        message = json.loads(body)
        if message["type"] == "webhook.verify":
            return self.answer(200, json.dumps({"challenge": message["data"]["challenge"]}))
        if not secrets:
            return self.answer(503)
        headers = {name.lower(): value for name, value in self.headers.items()}
        held = is_signed(secrets[0], body, headers) and not is_signed(secrets[0], body + b" ", headers)
        print(message["type"], "is signed" if held else "IS NOT SIGNED", flush=True)
        self.answer(204)
        os._exit(0 if held else 1)

    def answer(self, status, text=""):
        self.send_response(status)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever).start()
print(server.server_port, flush=True)
secrets.append(sys.stdin.readline().strip())
