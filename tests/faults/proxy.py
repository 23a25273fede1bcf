"""A proxy with faults: it closes connections after some bytes, goes silent, delays, or passes bytes one by one."""

import itertools
import random
import socket
import struct
import threading
import time

KINDS = ("cut", "cut", "cut", "silent", "slow", "bytes")


class Proxy:
    """Listens on a free TCP port of this machine and connects to `target`: (host, port) or the path of a unix socket. It has one thread for
    each direction. The fault of a connection comes within `reach` bytes and ends the connection. `calm` turns all faults off."""

    def __init__(self, target, seed, record, kind, reach=20_000):
        self.target, self.record, self.kind, self.reach = target, record, kind, reach
        self.random = random.Random(seed)
        self.lock = threading.Lock()
        self.calm = threading.Event()
        self.count = 0
        self.open = set()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(near,), daemon=True).start()

    def serve(self, near):
        try:
            if isinstance(self.target, str):
                far = socket.socket(socket.AF_UNIX)
                far.connect(self.target)
            else:
                far = socket.create_connection(self.target)
        except OSError:
            near.close()
            return
        pair = (near, far)
        with self.lock:
            self.open.add(pair)
            fault = None if self.calm.is_set() else self.random.choice(KINDS)
            limits = [self.random.randrange(1, self.reach) for _ in range(2)]
            lag = self.random.uniform(0.05, 0.5)
            which = self.random.randrange(2)
        threads = [threading.Thread(target=self.pump, args=(near, far, fault, limits[0], lag, pair, which == 0), daemon=True),
                   threading.Thread(target=self.pump, args=(far, near, fault, limits[1], lag, pair, which == 1), daemon=True)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with self.lock:
            self.open.discard(pair)
        near.close()
        far.close()

    def note(self, what):
        self.count += 1
        self.record.fault(f"{self.kind} {what}")

    def pump(self, source, sink, fault, limit, lag, pair, mine):
        passed, stalled = 0, False
        while True:
            try:
                data = source.recv(65_536)
            except OSError:
                data = b""
            if not data:
                shut(sink)
                return
            calm = self.calm.is_set()
            if fault not in (None, "silent") and mine and not calm and passed + len(data) >= limit:
                try:
                    sink.sendall(data[: limit - passed])
                except OSError:
                    pass
                if fault == "cut":
                    self.note("cut")
                for end in pair:
                    reset(end)
                return
            if fault == "silent" and mine and not calm and passed + len(data) >= limit:
                if not stalled:
                    self.note("half-open")
                    stalled = True
                passed += len(data)
                continue  # the bytes are dropped, and neither side learns of it
            if stalled:
                for end in pair:
                    reset(end)
                return
            if fault == "slow" and not calm:
                if passed == 0:
                    self.note("delay")
                time.sleep(lag)
            try:
                if fault == "bytes" and not calm:
                    if passed == 0:
                        self.note("one by one")
                    for at in range(min(len(data), 300)):
                        sink.sendall(data[at:at + 1])
                    sink.sendall(data[300:])
                else:
                    sink.sendall(data)
            except OSError:
                shut(source)
                return
            passed += len(data)

    def rest(self):
        """Stops the faults, and closes silent connections."""
        self.calm.set()
        with self.lock:
            pairs = list(self.open)
        for pair in pairs:
            for end in pair:
                reset(end)

    def close(self):
        self.rest()
        self.listener.close()


def reset(end):
    """Closes a connection by RST: bytes that were not yet read may be lost."""
    try:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass


def shut(end):
    try:
        end.shutdown(socket.SHUT_WR)
    except OSError:
        pass


class LateDoor:
    """In front of the Redis at a unix socket: the first connection is accepted at once, all others when the door is opened."""

    def __init__(self, path):
        self.path, self.open = path, threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = f"redis://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        for number in itertools.count():
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(near, number == 0), daemon=True).start()

    def serve(self, near, first):
        if not first:
            self.open.wait()
        far = socket.socket(socket.AF_UNIX)
        far.connect(self.path)
        threading.Thread(target=self.pump, args=(far, near), daemon=True).start()
        self.pump(near, far)

    @staticmethod
    def pump(source, sink):
        try:
            while data := source.recv(65_536):
                sink.sendall(data)
        except OSError:
            pass
        shut(sink)

    def close(self):
        self.listener.close()
