"""A real Redis of a test's own, and a proxy before it that breaks connections. Everything ends with the test, by its own pid."""

import os
import pathlib
import random
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

from harness import until


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Redis:
    """One redis-server. With no port it listens on a unix socket; its directory is kept over restarts."""

    def __init__(self, *words, port=0, program="redis-server", file_bytes_max=None):
        self.directory = tempfile.mkdtemp(prefix="junban-redis-")
        self.port = port
        self.words = list(words)
        self.file_bytes_max = file_bytes_max
        self.process = None
        self.program = program

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.resume()
        self.kill()
        shutil.rmtree(self.directory, ignore_errors=True)

    @property
    def path(self):
        return os.path.join(self.directory, "r.sock")

    @property
    def url(self):
        return f"redis://127.0.0.1:{self.port}" if self.port else f"unix://{self.path}"

    def limit_files(self):
        """A disk that is full after so many bytes: writes beyond fail, as ENOSPC does, with EFBIG."""
        if self.file_bytes_max:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.file_bytes_max, resource.RLIM_INFINITY))

    def make_room(self):
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def start(self, wait=True):
        where = ["--port", str(self.port), "--bind", "127.0.0.1"] if self.port else ["--port", "0", "--unixsocket", self.path]
        command = [self.program, *where, "--dir", self.directory, "--save", "", "--enable-debug-command", "yes", "--logfile", "redis.log",
                   *self.words]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=self.limit_files)
        if wait:
            until(lambda: self.cli("PING") == "PONG", what="a Redis")

    def cli(self, *words, timeout=30):
        where = ["-p", str(self.port)] if self.port else ["-s", self.path]
        return subprocess.run(["redis-cli", *where, *words], capture_output=True, text=True, timeout=timeout).stdout.strip()

    def info(self, section, field):
        lines = self.cli("INFO", section).splitlines()
        return next((line.split(":", 1)[1] for line in lines if line.startswith(field + ":")), "")

    def log(self):
        return pathlib.Path(self.directory, "redis.log").read_text(errors="replace")

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)

    def kill(self, how=signal.SIGKILL):
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(20)

    def restart(self):
        self.kill()
        self.start()


class Proxy:
    """Between masters and a Redis on TCP. Each connection meets one of the faults, drawn anew: cut after so many bytes of either
    direction (by RST or by FIN), silent from then on, slow, or byte by byte."""

    def __init__(self, target_port, seed):
        self.target_port = target_port
        self.draw = random.Random(seed)
        self.counts = {"cut": 0, "silent": 0, "slow": 0, "crumbs": 0, "whole": 0}
        self.faulty = True
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        self.open = []
        threading.Thread(target=self.accept, daemon=True).start()

    @property
    def url(self):
        return f"redis://127.0.0.1:{self.port}"

    def close(self):
        self.server.close()
        for one in list(self.open):
            one.close()

    def heal(self):
        """From now on no faults; those who are silent are cut."""
        self.faulty = False
        for one in list(self.open):
            self.cut(one, True)

    def accept(self):
        while True:
            try:
                client, _ = self.server.accept()
            except OSError:
                return
            kind = self.draw.choice(["cut"] * 12 + ["silent", "slow", "crumbs", "whole"]) if self.faulty else "whole"
            self.counts[kind] += 1
            try:
                redis = socket.create_connection(("127.0.0.1", self.target_port))
            except OSError:
                client.close()
                continue
            self.open += [client, redis]
            left = [int(self.draw.expovariate(1 / 4000)) if kind in ("cut", "silent") else None]
            reset = self.draw.random() < 0.5
            for source, sink in ((client, redis), (redis, client)):
                threading.Thread(target=self.carry, args=(source, sink, kind, left, reset), daemon=True).start()

    @staticmethod
    def cut(one, reset):
        try:
            if reset:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        one.close()

    def carry(self, source, sink, kind, left, reset):
        try:
            while data := source.recv(65536):
                if left[0] is not None and len(data) > left[0]:
                    if left[0]:
                        sink.sendall(data[:left[0]])
                    left[0] = 0
                    if kind == "cut":
                        break
                    continue  # silent: read on and say nothing
                if left[0] is not None:
                    left[0] -= len(data)
                if kind == "slow":
                    time.sleep(self.draw.uniform(0.05, 0.3))
                if kind == "crumbs":
                    for at in range(len(data)):
                        sink.sendall(data[at:at + 1])
                else:
                    sink.sendall(data)
        except OSError:
            pass
        self.cut(source, reset)
        self.cut(sink, reset)
        for one in (source, sink):
            if one in self.open:
                self.open.remove(one)
