"""What tests of junbanctl share: a master of their own, and the program as a shell user calls it."""

import http.server
import os
import pty
import subprocess
import threading
import unittest

import msgpack

from harness import PROGRAMS, Client, Master


class Recorder:
    """Something that is asked like a master, keeps what it was asked, and refuses for now."""

    def __init__(self):
        recorder = self
        self.asked = []
        self.expected = []  # If-Match of what was asked

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                recorder.asked.append((self.command, self.path, msgpack.unpackb(body) if body else None))
                recorder.expected.append(self.headers.get("If-Match"))
                status, content = recorder.reply(self.path)
                self.send_response(status)
                self.send_header("ETag", '"7"')
                self.send_header("Content-Type", "application/vnd.msgpack" if status == 200 else "text/plain")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def reply(self, path):
        return 503, b"busy"

    def stop(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


class CtlCase(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.master = Master()
        self.master.start()
        self.addCleanup(self.master.__exit__)
        self.workers = []
        self.addCleanup(lambda: [(w.kill(), w.wait(), w.stdout.close(), w.stderr.close()) for w in self.workers])
        self.client = Client(self.master.port)
        self.addCleanup(self.client.close)
        self.url = f"http://127.0.0.1:{self.master.port}"

    def run_ctl(self, *words, input=None, url=None):
        environment = {**os.environ, "JUNBAN_URL": url or self.url}
        nobody = {"stdin": subprocess.DEVNULL} if input is None else {"input": input}
        return subprocess.run([PROGRAMS / "junbanctl", *words], **nobody, capture_output=True, text=True, env=environment, timeout=60)

    def ctl(self, *words, input=None, expect=0):
        done = self.run_ctl(*words, input=input)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout

    def said(self, *words, input=None, expect=1, url=None):
        """What it says on standard error."""
        done = self.run_ctl(*words, input=input, url=url)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stderr

    def asked(self, answer, *words, url=None):
        """Runs it on a terminal, where a person types the answer. Returns its exit status, and what it says."""
        ours, its = pty.openpty()
        process = subprocess.Popen([PROGRAMS / "junbanctl", *words], stdin=its, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "JUNBAN_URL": url or self.url})
        os.write(ours, answer.encode())
        told, errors = process.communicate(timeout=60)
        os.close(ours)
        os.close(its)
        return process.returncode, told, errors

    def worker(self, *words):
        command = [PROGRAMS / "junbanctl", "work", *words]
        environment = {**os.environ, "JUNBAN_URL": self.url}
        worker = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.workers.append(worker)
        return worker

    def api(self, path):
        """The API's own JSON, byte for byte."""
        status, answer = self.client.request("GET", path, fields={"Accept": "application/json"})
        self.assertEqual(status, 200, answer)
        return answer.decode()
