"""What users would pick instead, each as they run it, beside ours in the same run. A scenario counts the jobs of its server and of its clients,
and the processor time of both."""

import dataclasses
import json
import os
import pathlib
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import tempfile
import time

import plots
from rig import BUILD, ROOT, Master

PEERS = ROOT / "tests" / "bench" / "peers"
TICK_S = 1 / os.sysconf("SC_CLK_TCK")


# ---- Servers --------------------------------------------------------------------------------------------------------------------------


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Started:
    """A server of its own for each figure, with an empty folder; ended by its own id."""

    def __init__(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="junban-peer-"))
        self.port = free_port()
        self.process = None

    def __enter__(self):
        self.process = subprocess.Popen(list(map(str, self.command())), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.directory,
                                        env={**os.environ, **self.environment()})
        deadline = time.monotonic() + 60
        while not self.ready():
            assert self.process.poll() is None, f"{self.command()[0]} ended"
            assert time.monotonic() < deadline, f"{self.command()[0]} does not answer"
            time.sleep(0.1)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)
        shutil.rmtree(self.directory, ignore_errors=True)

    def environment(self):
        return {}

    def ready(self):
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", self.port)) == 0

    def processes(self):
        return [self.process.pid]


class Beanstalkd(Started):
    def __init__(self, binlog):
        super().__init__()
        self.binlog = binlog

    def command(self):
        # The binlog is written to the disk once a second, as our Redis' file is.
        return ["beanstalkd", "-l", "127.0.0.1", "-p", self.port, *(["-b", self.directory, "-f", "1000"] if self.binlog else [])]


class Gearmand(Started):
    def command(self):
        return ["gearmand", "--listen=127.0.0.1", f"--port={self.port}", f"--log-file={self.directory / 'log'}", "--hashtable-buckets=1000003"]


class RabbitMq(Started):
    """A node of its own, with its name, ports and folder; and the name server that it would otherwise leave running."""

    def __init__(self):
        super().__init__()
        self.names_port = free_port()
        self.names = subprocess.Popen(["epmd", "-port", str(self.names_port), "-address", "127.0.0.1"], stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL)

    def environment(self):
        return {"RABBITMQ_NODENAME": f"bench{self.port}@localhost", "RABBITMQ_NODE_PORT": str(self.port), "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
                "RABBITMQ_MNESIA_BASE": str(self.directory), "RABBITMQ_LOG_BASE": str(self.directory), "RABBITMQ_DIST_PORT": str(free_port()),
                "RABBITMQ_PLUGINS_EXPAND_DIR": str(self.directory / "plugins"), "RABBITMQ_PID_FILE": str(self.directory / "pid"),
                "RABBITMQ_ENABLED_PLUGINS_FILE": str(self.directory / "enabled"), "RABBITMQ_CONFIG_FILE": str(self.directory / "none"),
                "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}",
                "ERL_EPMD_ADDRESS": "127.0.0.1", "ERL_EPMD_PORT": str(self.names_port), "HOME": str(self.directory)}

    def command(self):
        return ["/usr/lib/rabbitmq/bin/rabbitmq-server"]  # that of sbin runs as another user

    def __exit__(self, *_):
        for pid in self.processes():
            os.kill(pid, signal.SIGKILL)
        self.names.terminate()
        self.names.wait()
        super().__exit__()

    def processes(self):
        """The script that starts it, and its children."""
        return [self.process.pid, *descendants(self.process.pid)]


class OwnRedis(Started):
    def command(self):
        return ["redis-server", "--port", "0", "--unixsocket", self.socket, "--dir", self.directory, "--save", "", "--appendonly", "yes",
                "--appendfsync", "everysec"]

    @property
    def socket(self):
        return self.directory / "redis.sock"

    def ready(self):
        return self.socket.exists()


class Floor(OwnRedis):
    """Our load and our HTTP layer, with the same traffic to Redis, and no queue between them."""

    def __enter__(self):
        super().__enter__()
        self.server = subprocess.Popen([BUILD / "bin/bench_floor", self.socket], stdout=subprocess.PIPE, text=True)
        self.port = int(self.server.stdout.readline().rsplit(":", 1)[1])
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait(60)
        self.server.stdout.close()
        super().__exit__()

    def processes(self):
        return [self.server.pid, self.process.pid]


class Ours(Master):
    def processes(self):
        """The master and its Redis, which outlives it and so is no child of it."""
        return [self.process.pid, int(self.redis("info", "server").split("process_id:")[1].split()[0])]


def descendants(pid):
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            found += [child, *descendants(child)]
    return found


def processor_s(pids):
    """What these processes have used until now, threads and ended children included."""
    total = 0
    for pid in pids:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        total += sum(map(int, fields[11:13]))
    return total * TICK_S


# ---- Scenarios ------------------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Scenario:
    title: str
    words: tuple  # of junban-load
    share: float  # of the jobs of a run: the slow ones take fewer
    figures: tuple = (("jobs_per_s", "/s"),)


SCENARIOS = {
    "enqueue": Scenario("enqueue, one job a request, 50 connections", ("--connections", 50), 1),
    "enqueue-batch": Scenario("enqueue, 1,000 jobs at a time, 4 connections", ("--connections", 4, "--batch", 1000), 3),
    "cycle": Scenario("full cycle, one job a request, 16 pushers and 16 workers", ("--connections", 16), 1),
    "cycle-128": Scenario("full cycle, one job a request, 64 pushers and 64 workers", ("--connections", 64), 1),
    "cycle-batch": Scenario("full cycle, push 100, take up to 50, 4 pushers and 4 workers",
                            ("--connections", 4, "--batch", 100, "--limit", 50), 1),
    "latency": Scenario("from push to a waiting worker, 200 jobs a second", ("--rate", 200), 0.02, (("p50_ms", "ms"), ("p99_ms", "ms"))),
}


@dataclasses.dataclass
class Peer:
    name: str
    start: object  # makes its server
    load: tuple  # the client; {scenario} {jobs} {port} {socket}
    version: tuple  # a command, and which word of its output
    without: tuple = ()  # scenarios that it does not have

    def measure(self, scenario, jobs):
        with self.start() as server:
            known = {"scenario": scenario, "jobs": jobs, "port": server.port, "socket": getattr(server, "socket", "")}
            command = [str(word).format(**known) for word in self.load]
            if self.load[0] == BUILD / "bin/junban-load":
                command += map(str, SCENARIOS[scenario].words)
            before_s, children = processor_s(server.processes()), resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
            assert done.returncode == 0, f"{self.name}: {scenario}: {done.stderr[-2000:]}"
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            figures = json.loads(done.stdout.strip().splitlines()[-1])
            figures["server_us"] = (processor_s(server.processes()) - before_s) * 1e6 / jobs
            figures["client_us"] = (after.ru_utime + after.ru_stime - children.ru_utime - children.ru_stime) * 1e6 / jobs
            return figures

    def describe(self):
        command, word = self.version
        try:
            output = subprocess.run(command, capture_output=True, text=True, check=False)
            return (output.stdout + output.stderr).split()[word]
        except (OSError, IndexError):
            return "unknown"


LOAD = (BUILD / "bin/junban-load", "{scenario}", "--jobs", "{jobs}", "--port", "{port}", "--server")


def debian(package):
    return ["dpkg-query", "-W", "-f", "${Version}", package], 0


def npm(package):
    return ["node", "-p", f"require('{PEERS}/node_modules/{package}/package.json').version"], 0


PEERS_OF_A_RUN = [
    Peer("Junban", Ours, (*LOAD, "junban"), ([BUILD / "bin/junband", "--version"], -1)),
    Peer("Junban, engine in memory", lambda: Ours("--engine", "memory"), (*LOAD, "junban"), ([BUILD / "bin/junband", "--version"], -1)),
    Peer("floor (no queue)", Floor, (*LOAD, "junban"), ([BUILD / "bin/junband", "--version"], -1), ("enqueue-batch", "cycle-batch")),
    Peer("beanstalkd, memory only", lambda: Beanstalkd(False), (*LOAD, "beanstalkd"), debian("beanstalkd")),
    Peer("beanstalkd, binlog", lambda: Beanstalkd(True), (*LOAD, "beanstalkd"), debian("beanstalkd")),
    Peer("gearmand, memory only", Gearmand, (*LOAD, "gearmand"), debian("gearman-job-server")),
    Peer("RabbitMQ, classic queue", RabbitMq, (*LOAD, "rabbitmq"), debian("rabbitmq-server")),
    Peer("RabbitMQ, quorum queue", RabbitMq, (*LOAD, "rabbitmq", "--quorum"), debian("rabbitmq-server")),
    Peer("Sidekiq", OwnRedis, ("ruby", PEERS / "sidekiq.rb", "{scenario}", "{jobs}", "{socket}"), debian("ruby-sidekiq")),
    Peer("BullMQ", OwnRedis, ("node", PEERS / "bullmq.mjs", "{scenario}", "{jobs}", "{socket}"), npm("bullmq")),
    Peer("bee-queue", OwnRedis, ("node", PEERS / "beequeue.mjs", "{scenario}", "{jobs}", "{socket}"), npm("bee-queue")),
]


def install():
    if not (PEERS / "node_modules").exists():
        subprocess.run(["npm", "install", "--silent"], cwd=PEERS, check=True)


def run(jobs, rounds, only, log):
    """Round after round over all scenarios and queues, so that a drift of the machine meets everyone. Returns the figures of every round:
    {scenario: {queue: [figures]}}."""
    figures = {}
    for turn in range(rounds):
        for name, scenario in SCENARIOS.items():
            count = max(1000, int(jobs * scenario.share) // 1000 * 1000)
            for peer in PEERS_OF_A_RUN:
                if name in peer.without or only and not any(word.lower() in peer.name.lower() for word in only):
                    continue
                got = peer.measure(name, count)
                figures.setdefault(name, {}).setdefault(peer.name, []).append(got)
                log(f"round {turn + 1}: {name}: {peer.name}: " + ", ".join(f"{key} {value:,.4g}" for key, value in got.items()
                                                                            if key.endswith(("_s", "_ms", "_us"))))
    return figures


# ---- Tables ---------------------------------------------------------------------------------------------------------------------------


def spread(values, form):
    return f"{form.format(statistics.median(values))} ({form.format(min(values))}–{form.format(max(values))})"


def tables(figures):
    """Markdown: a table for each scenario, the best queue first."""
    lines = []
    for name, by_queue in figures.items():
        scenario = SCENARIOS[name]
        kinds = scenario.figures
        lines += [f"### {scenario.title[0].upper()}{scenario.title[1:]}", "",
                  "| queue | " + " | ".join(key.replace("jobs_per_s", "jobs").replace("_ms", "") + f" ({unit})" for key, unit in kinds)
                  + " | server (µs a job) | clients (µs a job) |", "|---" * (len(kinds) + 3) + "|"]
        first = kinds[0][0]
        best_first = sorted(by_queue, key=lambda queue: statistics.median(turn[first] for turn in by_queue[queue]), reverse=first == "jobs_per_s")
        for queue in best_first:
            turns = by_queue[queue]
            cells = [spread([turn[key] for turn in turns], "{:,.0f}" if unit == "/s" else "{:,.2f}") for key, unit in kinds]
            cells += [f"{statistics.median(turn[key] for turn in turns):,.0f}" for key in ("server_us", "client_us")]
            lines.append(f"| {queue} | " + " | ".join(cells) + " |")
        lines.append("")
    lines += ["Versions: " + ", ".join(f"{peer.name} {peer.describe()}" for peer in PEERS_OF_A_RUN
                                       if any(peer.name in by_queue for by_queue in figures.values())) + "."]
    return "\n".join(lines)


def picture(figures):
    def medians(scenario, key):
        return {queue: statistics.median(turn[key] for turn in turns) for queue, turns in figures[scenario].items()}
    plots.bars(ROOT / "docs" / "performance" / "peers.svg", [
        ("full cycle, one job a request", "/s", False, medians("cycle", "jobs_per_s")),
        ("full cycle in batches", "/s", False, medians("cycle-batch", "jobs_per_s")),
        ("push to a waiting worker, p99", "ms", True, medians("latency", "p99_ms")),
    ])
