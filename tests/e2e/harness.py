"""A real master for end-to-end tests: junband on a free port with a private directory. It is stopped by its pid, also when a test fails."""

import http.client
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import msgpack

PROGRAMS = pathlib.Path(os.environ["JUNBAN_BIN"])
IN_MEMORY = os.environ.get("JUNBAN_ENGINE") == "memory"  # all masters of this run have the engine in memory
MSGPACK = "application/vnd.msgpack"


def until(condition, seconds=60.0, what="condition"):
    """Waits until condition() is true and returns its value. The timeout is long, because the machine may be busy."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"not in time: {what}")


def run(command, timeout=60, **options):
    """As subprocess.run with captured texts. Of a program that does not end in time the failure says what its threads were doing."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options) as process:
        try:
            out, errors = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            doing = threads_of(process.pid)
            process.kill()
            out, errors = process.communicate()
            raise AssertionError(f"{command} did not end in {timeout} s: {doing}; it wrote {out!r} and {errors!r}") from None
    return subprocess.CompletedProcess(command, process.returncode, out, errors)


def threads_of(pid):
    """Of each thread: its name, state, where it waits in the kernel and its system call, as far as they can be read."""
    doing = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*"):
        try:
            state = (task / "stat").read_text().rpartition(")")[2].split()[0]
            name, place, call = ((task / each).read_text().strip() for each in ("comm", "wchan", "syscall"))
            doing.append(f"{name} {state} {place} {call}")
        except OSError as error:
            doing.append(str(error))
    return doing


class Master:
    """One junband. A restart keeps `directory`, and so the data of the embedded Redis."""

    def __init__(self, directory=None, arguments=(), environment=None):
        self.environment = environment  # variables besides those of this process
        self.own = directory is None
        self.directory = directory or tempfile.mkdtemp(prefix="junban-e2e-")
        self.arguments = list(arguments)
        self.process = None
        self.port = 0
        self.program = "junband"

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.kill()
        if self.own:
            self.kill_redis()
            shutil.rmtree(self.directory, ignore_errors=True)

    def start(self):
        command = [PROGRAMS / self.program, "--data-dir", self.directory, "--listen", f"127.0.0.1:{self.port}", *self.arguments]
        self.errors = open(os.path.join(self.directory, "master.log"), "ab")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.errors, text=True,
                                        env={**os.environ, **self.environment} if self.environment else None)
        line = self.process.stdout.readline()
        assert line.startswith(("junban: listening on http://127.0.0.1:", "junban: listening on https://127.0.0.1:")), (line, self.log())
        self.port = int(line.rsplit(":", 1)[1])

    def log(self):
        return pathlib.Path(self.directory, "master.log").read_text(errors="replace")

    def kill(self, how=signal.SIGKILL):
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(20)
        if self.process:
            self.process.stdout.close()
            self.errors.close()
        return self.process.returncode if self.process else None

    def redis_pid(self):
        """The pid of the embedded Redis, found by its working directory, because its pid file exists only while it runs."""
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                name = (entry / "comm").read_text().strip()
                if name == "redis-server" and os.readlink(entry / "cwd") == os.path.realpath(self.directory):
                    return int(entry.name)
            except OSError:
                continue
        return None

    def kill_redis(self):
        pid = self.redis_pid()
        if pid:
            os.kill(pid, signal.SIGKILL)
            until(lambda: self.redis_pid() is None, what="Redis gone")


class Client:
    """Requests in MessagePack over one keep-alive connection, which is opened again when it breaks."""

    def __init__(self, port):
        self.port = port
        self.connection = None

    def request(self, method, path, body=None, timeout=90, fields=None):
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            headers = {"Accept": MSGPACK, **(fields or {})}
            data = None
            if body is not None:
                headers["Content-Type"] = MSGPACK
                data = msgpack.packb(body)
            self.connection.request(method, path, data, headers)
            answer = self.connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        kind = answer.getheader("Content-Type", "")
        return answer.status, msgpack.unpackb(content, strict_map_key=False) if kind == MSGPACK else content

    def __del__(self):
        self.close()

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def ok(self, method, path, body=None):
        status, answer = self.request(method, path, body)
        assert status in (200, 201, 202), (status, answer)
        return answer

    def insist(self, method, path, body=None, seconds=60):
        """Repeats the same request until there is an answer, as a careful client does."""
        end = time.monotonic() + seconds
        while True:
            try:
                status, answer = self.request(method, path, body)
                if status < 500:
                    return status, answer
            except (OSError, http.client.HTTPException):
                pass
            assert time.monotonic() < end, f"no answer from {path}"
            time.sleep(0.05)

    def overview(self):
        return self.ok("GET", "/v1/overview")


def in_own_network(script, *more):
    """Runs the script in a network of its own, where addresses can be added; it needs no other machine and disturbs none. `more`: of unshare."""
    # Root needs no user namespace for it, and containers that run as root often forbid those.
    own = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--net"]
    tried = subprocess.run([*own, "sh", "-ec", "ip link set lo up"], capture_output=True, text=True)
    assert tried.returncode == 0, (
        f"No network of its own can be made here: {' '.join(own)} says '{tried.stderr.strip()}'. This test needs the right to make network"
        " namespaces (as root CAP_SYS_ADMIN; else user namespaces: sysctl kernel.unprivileged_userns_clone and"
        " kernel.apparmor_restrict_unprivileged_userns) and the program ip (iproute2).")
    return subprocess.run([*own, *more, "sh", "-ec", "ip link set lo up; " + script], capture_output=True, text=True, timeout=300)


def now():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def success(job, result):
    return {"id": job["id"], "lease": job["lease"], "type": "success", "finished_at": now(), "result": result}


class OneMaster(unittest.TestCase):
    """One master for all tests of a class, and a client of it."""

    @classmethod
    def setUpClass(cls):
        cls.master = Master()
        cls.master.start()
        cls.client = Client(cls.master.port)

    @classmethod
    def tearDownClass(cls):
        cls.master.__exit__()


class TwoMasters(unittest.TestCase):
    """Two masters of one namespace: the second uses the embedded Redis of the first. With the engine in memory one master serves: it is both."""

    @classmethod
    def setUpClass(cls):
        cls.first = Master()
        cls.first.start()
        if IN_MEMORY:
            cls.second = cls.first
            return
        cls.second = Master(arguments=["--redis", f"unix://{cls.first.directory}/redis.sock"])
        cls.second.start()

    @classmethod
    def tearDownClass(cls):
        if cls.second is not cls.first:
            cls.second.__exit__()
        cls.first.__exit__()

    def setUp(self):
        self.here, self.there = Client(self.first.port), Client(self.second.port)
