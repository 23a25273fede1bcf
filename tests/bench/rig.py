"""What a figure needs: a fresh master with an empty Redis, and the load generator."""

import json
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "bench"


class Master:
    """A fresh master with an empty Redis for each figure. `under`: the words of a program that runs it."""

    def __init__(self, *options, under=()):
        self.options, self.under = options, under

    def __enter__(self):
        self.directory = tempfile.mkdtemp(prefix="junban-bench-")
        self.start()
        return self

    def start(self):
        self.process = subprocess.Popen([*self.under, BUILD / "bin/junband", "--data-dir", self.directory, "--listen", "127.0.0.1:0",
                                         *map(str, self.options)],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        self.process.stdout.close()

    def restart(self):
        """Stops it, starts it again with what its Redis has, and returns how many seconds after Redis' first answer it served."""
        self.stop()
        up_s = []
        redis = threading.Thread(target=lambda: up_s.append(self.redis_up()))
        redis.start()
        self.start()
        served_s = time.monotonic()
        redis.join()
        return served_s - up_s[0]

    def redis_up(self):
        """Waits for an answer of the Redis that is being started, and returns when that was. While it loads its file it refuses."""
        while True:
            with socket.socket(socket.AF_UNIX) as one:
                try:
                    one.connect(f"{self.directory}/redis.sock")
                    one.sendall(b"PING\r\n")
                    if one.recv(64).startswith(b"+PONG"):
                        return time.monotonic()
                except OSError:
                    pass
            time.sleep(0.002)

    def __exit__(self, *_):
        self.stop()
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
