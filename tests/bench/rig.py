"""What a figure needs: a fresh master with an empty Redis, and the load generator."""

import json
import pathlib
import shutil
import signal
import subprocess
import tempfile
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "bench"


class Master:
    """A fresh master with an empty Redis for each figure. `under`: the words of a program that runs it."""

    def __init__(self, *options, under=()):
        self.options, self.under = options, under

    def __enter__(self):
        self.directory = tempfile.mkdtemp(prefix="junban-bench-")
        self.process = subprocess.Popen([*self.under, BUILD / "bin/junband", "--data-dir", self.directory, "--listen", "127.0.0.1:0",
                                         *map(str, self.options)],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        self.process.stdout.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def call(self, method, path, body, **headers):
        """Asks in JSON (`body` None: without one), and returns the answer; an error is raised."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, method=method,
                                         headers={"Content-Type": "application/json", "Accept": "application/json", **headers})
        with urllib.request.urlopen(request, timeout=600) as reply:
            return json.loads(reply.read() or b"null")

    def redis(self, *words):
        return subprocess.run(["redis-cli", "-s", f"{self.directory}/redis.sock", *words], capture_output=True, text=True, errors="replace",
                              check=True).stdout

    def used_memory(self):
        return next(int(line.split(":")[1]) for line in self.redis("info", "memory").splitlines() if line.startswith("used_memory:"))


def load(port, *words):
    out = subprocess.run([BUILD / "bin/junban-load", *map(str, words), "--port", str(port)], capture_output=True, text=True, check=True)
    return json.loads(out.stdout)
