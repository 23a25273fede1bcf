"""The system under test: a private Redis, several masters with it, and the history that the clients write."""

import json
import os
import pathlib
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "e2e"), str(HERE.parent / "history")]

from harness import IN_MEMORY, PROGRAMS, Client, Master, until  # noqa: E402 (in the path that is added above)


class Shift:
    """A file for shiftclock.cpp: the offset of a process' wall clock."""

    def __init__(self, path):
        self.path = path
        self.seconds = 0.0
        self.low = self.high = 0.0  # the bounds of the offset that clients know while it changes, in milliseconds
        pathlib.Path(path).write_bytes(struct.pack("<q", 0))
        self.environment = {"SHIFTCLOCK": path, "LD_PRELOAD": os.environ["JUNBAN_SHIFTCLOCK"],
                            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"}

    def set(self, seconds, learnt=lambda: None):
        """`learnt` waits until all that matters knows the new time. Until then a time may be by the old offset or by the new one."""
        self.high = max(seconds, self.seconds) * 1000
        with open(self.path, "r+b") as file:
            file.write(struct.pack("<q", int(seconds * 1_000_000_000)))
        learnt()
        self.low = self.high = seconds * 1000
        self.seconds = seconds


redis_clock = None  # a Shift, while Redis has one


def now_ms(end=False):
    """The time of Redis' clock, as all processes run on one machine. `end`: it is the end of an operation, not its beginning."""
    return time.time() * 1000 + (0 if redis_clock is None else redis_clock.high if end else redis_clock.low)


def fresh_seed():
    """A new seed each time. JUNBAN_SEED repeats the choices of a run, but not its timing."""
    return int(os.environ.get("JUNBAN_SEED") or random.randrange(2**32))


class Recorder:
    """Writes the lines of a history. With `phases` each operation is also written before it begins, for clients that may be killed."""

    def __init__(self, path, phases=False):
        self.path = path
        self.phases = phases
        self.file = open(path, "ab", buffering=0 if phases else 1 << 16)
        self.lock = threading.Lock()
        self.serial = 0
        self.count = 0

    def begin(self, events):
        for event in events:
            event["invoke"] = now_ms()
        if self.phases:
            for event in events:
                self.serial += 1
                event["n"] = f"{os.getpid()}.{self.serial}"
            self.write([{**event, "phase": "invoke"} for event in events])

    def end(self, events):
        for event in events:
            event["complete"] = None if event["outcome"] == "unknown" else now_ms(end=True)
        self.write(events)

    def write(self, events):
        text = "".join(json.dumps(event, separators=(",", ":")) + "\n" for event in events).encode()
        with self.lock:
            self.file.write(text)
            self.count += len(events)

    def fault(self, kind, shaky_ms=0):
        self.write([{"op": "fault", "kind": kind, "at": now_ms(), "shaky_ms": shaky_ms}])

    def close(self):
        with self.lock:
            self.file.close()


class Redis:
    """A private redis-server on a unix socket. It is stopped by its pid."""

    def __init__(self, directory, *settings, environment=None):
        self.directory = directory
        self.settings = settings
        self.environment = {**os.environ, **(environment or {})}
        self.socket = os.path.join(directory, "redis.sock")
        self.url = f"unix://{self.socket}"
        self.process = None
        self.start()

    def start(self):
        words = {"port": "0", "unixsocket": self.socket, "dir": self.directory, "appendonly": "yes", "appendfsync": "everysec", "save": "",
                 "maxmemory-policy": "noeviction", "logfile": os.path.join(self.directory, "redis.log")}
        words.update(zip(self.settings[::2], self.settings[1::2]))
        command = ["redis-server"]
        for name, value in words.items():
            command += [f"--{name}", value]
        # SIGXFSZ stays ignored, as in Python. So Redis gets an error when a file may not grow, and is not killed.
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=self.environment, restore_signals=False)
        until(lambda: self.process.poll() is not None or self.answers(), 60, "Redis up")
        assert self.process.poll() is None, pathlib.Path(self.directory, "redis.log").read_text()[-2000:]

    def answers(self):
        return self.cli("PING").strip() == "PONG"

    def cli(self, *words):
        return subprocess.run(["redis-cli", "-s", self.socket, *words], capture_output=True, text=True, check=False).stdout

    def file_bytes(self):
        folder = pathlib.Path(self.directory, "appendonlydir")
        return max(path.stat().st_size for path in folder.glob("*.aof"))

    def fill_disk(self):
        """Limits the size of files to that of the append-only file. So writes fail as on a full disk."""
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (self.file_bytes(), resource.RLIM_INFINITY))

    def make_room(self):
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        if self.process:
            self.process.wait()

    def pause(self, seconds):
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.process.send_signal(signal.SIGCONT)


class Rig:
    """Masters with one Redis. `through` gives another URL for the masters, e.g. that of a proxy. `clocks` are Shifts, the first one for
    Redis; None is the right time."""

    def __init__(self, masters=1, settings=(), through=None, arguments=(), clocks=()):
        self.directory = tempfile.mkdtemp(prefix="junban-faults-")
        self.masters = []
        self.redis = self.record = None
        try:
            environments = [clock.environment if clock else {} for clock in clocks] or [{}] * (masters + 1)
            self.redis = Redis(self.directory, *settings, environment=environments[0])
            self.record = Recorder(os.path.join(self.directory, "history.jsonl"))
            url = through(self.redis) if through else self.redis.url
            for number in range(masters):
                own = os.path.join(self.directory, f"master{number}")
                os.mkdir(own)
                master = Master(own, ["--redis", url, *arguments])
                self.masters.append(master)
                with unittest.mock.patch.dict(os.environ, environments[number + 1]):
                    master.start()
        except BaseException:
            self.__exit__()
            raise
        self.ports = [master.port for master in self.masters]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for master in self.masters:
            if master.process and master.process.poll() is None:
                master.process.send_signal(signal.SIGCONT)
            master.kill()
        if self.redis:
            self.redis.kill()
        if self.record:
            self.record.close()
        if os.environ.get("JUNBAN_KEEP"):
            print("kept", self.directory)
        else:
            shutil.rmtree(self.directory, ignore_errors=True)

    def stop_masters(self):
        """Stops the masters normally. An exit code other than 0 fails the test; sanitizers report by it, too."""
        for master in self.masters:
            code = master.kill(signal.SIGTERM)
            assert code == 0, (code, master.log()[-6000:])

    def histories(self):
        return sorted(str(path) for path in pathlib.Path(self.directory).glob("*.jsonl"))


__all__ = ["Client", "IN_MEMORY", "Master", "PROGRAMS", "Recorder", "Redis", "Rig", "Shift", "fresh_seed", "now_ms", "until"]
