"""A worker that serves HTTP (openapi/worker.yaml). `JUNBAN_SECRET=SECRET python3 served.py PORT`"""

import datetime
import hashlib
import hmac
import http.server
import json
import os
import sys
import time

port, secret = int(sys.argv[1]), os.environ["JUNBAN_SECRET"].encode()


def run(job):
    return {"pages": job["argument"]["pages"] * 2}  # the work itself


class Worker(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(200 if self.path == "/v1/health" else 404, {})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not self.is_masters(body):
            self.answer(401, {})
        elif self.path == "/v1/run":
            self.answer(200, self.outcome(json.loads(body)))
        else:
            self.answer(404, {})  # this worker cannot stop a job

    def is_masters(self, body):
        sent_at = self.headers.get("Junban-Time", "0")
        text = f"{self.command}\n{self.path}\n{sent_at}\n".encode() + body
        code = hmac.new(secret, text, hashlib.sha256).hexdigest()
        return hmac.compare_digest(code, self.headers.get("Junban-Signature", "")) and abs(time.time() - int(sent_at)) < 300

    @staticmethod
    def outcome(job):
        finished_at = datetime.datetime.now(datetime.timezone.utc).isoformat
        try:
            return {"type": "success", "result": run(job), "finished_at": finished_at()}
        except Exception as fault:
            return {"type": "failure", "reason": "other", "should_retry": not isinstance(fault, KeyError),
                    "message": f"{type(fault).__name__}: {fault}", "finished_at": finished_at()}

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


http.server.ThreadingHTTPServer(("127.0.0.1", port), Worker).serve_forever()
