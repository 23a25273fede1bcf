"""A private redis-server for a test, and a proxy in front of it that breaks connections. All processes end with the test, by their pids."""

import ctypes
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

from harness import until


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: the kernel kills the child when the test process ends


GIVEN = set()


def free_port():
    """A free port, never the same one twice. It is below the range that the system uses for outgoing connections, as it may take a while until
    a server listens there."""
    while True:
        port = random.SystemRandom().randrange(12000, 32000)
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        if port not in GIVEN:
            GIVEN.add(port)
            return port


def forget_libraries(redis, turn):
    """Makes Redis forget all function libraries, or each by its name, in turns. Returns what it did."""
    if turn % 2 == 0:
        redis.cli("FUNCTION", "FLUSH")
        return "function flush"
    for library in set(re.findall(r"junban_\w+", redis.cli("FUNCTION", "LIST"))):
        redis.cli("FUNCTION", "DELETE", library)
    return "function delete"


class Redis:
    """One redis-server. Without a port it listens on a unix socket. A restart keeps its directory."""

    def __init__(self, *words, port=0, file_bytes_max=None, where=None):
        self.directory = tempfile.mkdtemp(prefix="junban-redis-", dir=where)
        self.port = port
        self.words = list(words)
        self.file_bytes_max = file_bytes_max
        self.process = None
        self.password = None
        self.environment = {}

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

    def before_it_runs(self):
        """Simulates a full disk: writes fail (with EFBIG instead of ENOSPC) when a file has this many bytes."""
        die_with_parent()
        if self.file_bytes_max:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.file_bytes_max, resource.RLIM_INFINITY))

    def make_room(self):
        self.file_bytes_max = None
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def start(self, wait=True):
        where = ["--port", str(self.port), "--bind", "127.0.0.1"] if self.port else ["--port", "0", "--unixsocket", self.path]
        command = ["redis-server", *where, "--dir", self.directory, "--save", "", "--enable-debug-command", "yes", "--logfile", "redis.log",
                   *self.words]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=self.before_it_runs,
                                        env={**os.environ, **self.environment})
        if wait:
            until(lambda: self.cli("PING") == "PONG", what="a Redis")

    def start_sentinel(self):
        command = ["redis-server", "sentinel.conf", "--sentinel"]
        self.process = subprocess.Popen(command, cwd=self.directory, stdout=subprocess.DEVNULL, preexec_fn=die_with_parent)
        until(lambda: self.cli("PING") == "PONG", what="a Sentinel")

    def cli(self, *words, timeout=30):
        where = ["-p", str(self.port)] if self.port else ["-s", self.path]
        where += ["-a", self.password, "--no-auth-warning"] if self.password else []
        return subprocess.run(["redis-cli", *where, *words], capture_output=True, text=True, timeout=timeout).stdout.strip()

    def call(self, *words):
        """Like cli(), for binary keys."""
        with socket.create_connection(("127.0.0.1", self.port)) if self.port else socket.socket(socket.AF_UNIX) as connection:
            if not self.port:
                connection.connect(self.path)
            words = [word if isinstance(word, bytes) else str(word).encode() for word in words]
            connection.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words))
            return self.reply(connection.makefile("rb"))

    def reply(self, stream):
        line = stream.readline()[:-2]
        kind, rest = line[:1], line[1:]
        if kind == b"*":
            return [self.reply(stream) for _ in range(int(rest))]
        if kind == b"$":
            return stream.read(int(rest) + 2)[:-2] if int(rest) >= 0 else None
        return int(rest) if kind == b":" else rest.decode()

    def info(self, section, field):
        lines = self.cli("INFO", section).splitlines()
        return next((line.split(":", 1)[1] for line in lines if line.startswith(field + ":")), "")

    def cluster_id_of(self, other):
        """The id that this node of a cluster has for another one."""
        rows = (line.split() for line in self.cli("CLUSTER", "NODES").splitlines())
        return next(row[0] for row in rows if row[1].split("@")[0].endswith(f":{other.port}"))

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


class Group:
    """One primary, two replicas and three Sentinels. The primary's name is `main`."""

    DOWN_AFTER_S = 1.0

    def __init__(self, *words, password=None):
        protect = ("--requirepass", password, "--masterauth", password) if password else ()
        self.password = password
        self.servers = [Redis("--repl-diskless-sync-delay", "0", *protect, *words, port=free_port()) for _ in range(3)]
        for replica in self.servers[1:]:
            replica.words += ["--replicaof", f"127.0.0.1 {self.port_of(self.servers[0])}"]
        # A Sentinel flushes its configuration to the disk before each vote. On a busy disk that takes so long that no election succeeds.
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.sentinels = [Redis(port=free_port(), where=memory) for _ in range(3)]

    @property
    def url(self):
        user = f":{self.password}@" if self.password else ""
        return f"sentinel://{user}" + ",".join(f"127.0.0.1:{s.port}" for s in self.sentinels) + "/main"

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def port_of(self, server):
        """The port at which the others reach it."""
        return server.port

    def lines_of(self, sentinel):
        """Further lines of its configuration."""
        return ""

    def start(self):
        for server in self.servers:
            server.password = self.password
            server.start()
        for sentinel in self.sentinels:
            pathlib.Path(sentinel.directory, "sentinel.conf").write_text(
                f"port {sentinel.port}\nbind 127.0.0.1\ndir {sentinel.directory}\nlogfile redis.log\n"
                f"sentinel monitor main 127.0.0.1 {self.port_of(self.servers[0])} 2\n"
                f"sentinel down-after-milliseconds main {int(self.DOWN_AFTER_S * 1000)}\n"
                "sentinel failover-timeout main 5000\nsentinel parallel-syncs main 2\n" + self.lines_of(sentinel)
                + (f"sentinel auth-pass main {self.password}\n" if self.password else ""))
            sentinel.start_sentinel()
        def all_known():
            lines = self.sentinels[0].cli("SENTINEL", "MASTER", "main").split("\n")
            row = dict(zip(lines[::2], lines[1::2]))
            return row.get("num-other-sentinels") == "2" and row.get("num-slaves") == "2"
        until(all_known, 60, "Sentinels that know each other")
        until(lambda: self.servers[0].info("replication", "connected_slaves") == "2", 60, "replicas")

    def __exit__(self, *_):
        for one in self.sentinels + self.servers:
            one.__exit__()

    def primary(self, by=0):
        """The primary, as one of the Sentinels knows it."""
        port = int(self.sentinels[by].cli("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "main").split("\n")[1])
        return next(server for server in self.servers if self.port_of(server) == port)

    def primary_other_than(self, old):
        """Waits until the Sentinels agree on a primary. When they do not, it prints their logs."""
        try:
            return until(lambda: self.primary() is not old and self.primary(), 90, "a new primary")
        except AssertionError:
            for sentinel in self.sentinels:
                print(f"\nSentinel {sentinel.port}:\n{sentinel.log()[-4000:]}")
            raise

    def alert(self):
        """Whether every Sentinel works. One that was delayed by 2 s does nothing for 30 s ("tilt"), and after 10 s without a primary they
        accept no replica as its successor any more."""
        return all(sentinel.info("sentinel", "sentinel_tilt") == "0" for sentinel in self.sentinels if sentinel.process.poll() is None)

    def settled(self):
        """Waits until one primary has two connected replicas and all Sentinels work. Returns the primary."""
        def look():
            primary = self.primary()
            return self.alert() and (primary.info("replication", "role") == "master" and primary.info("replication", "connected_slaves") == "2"
                    and all(s.info("replication", "master_link_status") == "up" for s in self.servers if s is not primary) and primary)
        return until(look, 120, "one primary and two replicas")


class Cluster:
    """Three nodes that share the slots, replicas of the first one, and spare primaries without slots."""

    def __init__(self, *words, copies=1, spares=0):
        self.copies = copies
        self.nodes = [Redis("--cluster-enabled", "yes", "--cluster-node-timeout", "1500", "--cluster-port", str(free_port()),
                            "--repl-diskless-sync-delay", "0", *words, port=free_port()) for _ in range(3 + copies + spares)]

    def url(self, node=0):
        return f"redis://127.0.0.1:{self.nodes[node].port}"

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for node in self.nodes:
            node.__exit__()

    def start(self):
        for number, node in enumerate(self.nodes):
            node.start()
            if number < 3:
                first, last = 16384 * number // 3, 16384 * (number + 1) // 3 - 1
                assert node.cli("CLUSTER", "ADDSLOTSRANGE", str(first), str(last)) == "OK"
                node.cli("CLUSTER", "SET-CONFIG-EPOCH", str(number + 1))
        for node in self.nodes[1:]:
            bus = node.words[node.words.index("--cluster-port") + 1]
            assert self.nodes[0].cli("CLUSTER", "MEET", "127.0.0.1", str(node.port), bus) == "OK"
        self.settle()
        for copy in self.nodes[3:3 + self.copies]:
            until(lambda: copy.cli("CLUSTER", "REPLICATE", self.nodes[0].cli("CLUSTER", "MYID")) == "OK", what="a replica")
            until(lambda: copy.info("replication", "master_link_status") == "up", what="a replica in step")
        self.settle()

    def settle(self):
        def all_well():
            views = [node.cli("CLUSTER", "NODES") for node in self.nodes if node.process.poll() is None]
            return all(view.count("connected") == len(self.nodes) and "fail" not in view and "handshake" not in view for view in views) and all(
                "cluster_state:ok" in node.cli("CLUSTER", "INFO") for node in self.nodes)
        until(all_well, 60, "a cluster")

    def owner(self, namespace):
        slot = int(self.nodes[0].cli("CLUSTER", "KEYSLOT", f"jq:{{{namespace}}}:"))
        return self.nodes[3 * slot // 16384], slot


class Proxy:
    """A proxy between masters and a Redis on TCP. Each connection gets a random fault: closed after some bytes in either direction (by
    RST or by FIN), silent from then on, slow, or byte by byte."""

    def __init__(self, target_port, seed, first=()):
        """No faults until harm() is called, except for the first connections: they are closed after these numbers of bytes."""
        self.target_port = target_port
        self.draw = random.Random(seed)
        self.counts = {"cut": 0, "silent": 0, "slow": 0, "crumbs": 0, "whole": 0}
        self.faulty = False
        self.first = list(first)
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

    def harm(self):
        """Starts the faults, and closes the present connections."""
        self.faulty = True
        self.cut_all()

    def heal(self):
        """Stops the faults, and closes the present connections."""
        self.faulty = False
        self.cut_all()

    def cut_all(self):
        for one in list(self.open):
            self.cut(one, True)

    def accept(self):
        while True:
            try:
                client, _ = self.server.accept()
            except OSError:
                return
            kind, most = "whole", 0
            if self.first:
                kind, most = "cut", self.first.pop(0)
            elif self.faulty:
                kind = self.draw.choice(["cut"] * 12 + ["silent", "slow", "crumbs", "whole"])
                most = int(self.draw.expovariate(1 / 4000))
            self.counts[kind] += 1
            try:
                redis = socket.create_connection(("127.0.0.1", self.target_port))
            except OSError:
                client.close()
                continue
            self.open += [client, redis]
            left = [most if kind in ("cut", "silent") else None]
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
                    continue  # silent: reads, but passes nothing on
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
