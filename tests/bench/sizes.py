"""How much memory and disk things take: prints the table of docs/sizing.md. JUNBAN_BIN says where the programs are.

Each row is a new master with a Redis of its own: `used_memory` of Redis, or VmRSS of the master, before and after, divided by the count. Redis'
memory does not depend on the machine, only on its version and allocator.
"""

import pathlib
import resource
import socket
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from harness import Client, Master, success, until  # noqa: E402

JOBS = 20_000
CONNECTIONS = 1_000
BATCH = 500


def redis_info(master, section, field):
    said = subprocess.run(["redis-cli", "-s", f"{master.directory}/redis.sock", "info", section], capture_output=True, text=True, check=True).stdout
    return next(line.split(":", 1)[1] for line in said.splitlines() if line.startswith(field + ":"))


def used(master):
    return int(redis_info(master, "memory", "used_memory"))


def resident(master):
    status = pathlib.Path(f"/proc/{master.process.pid}/status").read_text()
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS:"))


def push(client, **fields):
    job = {"name": "sizes", **fields}
    for _ in range(JOBS // BATCH):
        answer = client.ok("POST", "/v1/jobs/batch", {"jobs": [job] * BATCH})
        assert len(answer["results"]) == BATCH


def work(client, result):
    done = []
    while True:
        answer = client.ok("POST", "/v1/outcomes", {"worker": "w", "outcomes": done, "claim": {"names": ["sizes"], "limit": 100}})
        done = [success(job, result) for job in answer["jobs"]]
        if not done:
            return


def pushed(**fields):
    with Master() as master:
        client = Client(master.port)
        client.ok("POST", "/v1/jobs", {"name": "sizes"})  # the scripts are loaded
        before = used(master)
        push(client, **fields)
        return (used(master) - before) / JOBS


def ended(result=None, **fields):
    """Redis' memory for each job that succeeded, and the bytes that its whole life wrote into the append-only file."""
    with Master() as master:
        client = Client(master.port)
        client.ok("POST", "/v1/jobs", {"name": "sizes"})
        before, written = used(master), int(redis_info(master, "persistence", "aof_current_size"))
        push(client, **fields)
        work(client, result)
        return (used(master) - before) / JOBS, (int(redis_info(master, "persistence", "aof_current_size")) - written) / JOBS


def connections():
    """The master's memory, for each connection that is open, and for each that has a claim waiting."""
    with Master() as master:
        client = Client(master.port)
        client.ok("POST", "/v1/jobs", {"name": "sizes", "delay": 3600})
        base = resident(master)
        opened = [socket.create_connection(("127.0.0.1", master.port)) for _ in range(CONNECTIONS)]
        for one in opened:
            one.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            one.recv(4096)
        idle = resident(master)
        body = b'{"worker":"w","names":["nothing"],"wait":60}'
        for one in opened:
            one.sendall(b"POST /v1/claims HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                        % (len(body), body))
        later = client.ok("POST", "/v1/jobs", {"name": "nothing", "delay": 3600})["id"]

        def all_wait():
            gates = client.ok("GET", f"/v1/jobs/{later}/explain")["gates"]
            return next(gate for gate in gates if gate["gate"] == "workers").get("waiting") == CONNECTIONS

        until(all_wait, 60, "claims that wait")
        waiting = resident(master)
        for one in opened:
            one.close()
        return base, (idle - base) / CONNECTIONS, (waiting - base) / CONNECTIONS


def main():
    resource.setrlimit(resource.RLIMIT_NOFILE, (8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    rows = [(f"a waiting job, argument of {size:,} bytes", pushed(argument="x" * size)) for size in (0, 100, 1_000, 10_000)]
    rows += [("a delayed job, argument of 100 bytes", pushed(argument="x" * 100, delay=3600)),
             ("a waiting job that can be found by a unique key", pushed_unique())]
    bare, written = ended(argument="x" * 100)
    rows += [("a job that succeeded, argument of 100 bytes, no result", bare)]
    kept, _ = ended("y" * 100, argument="x" * 100, keep_result=True)
    rows += [("the same with a kept result of 100 bytes", kept), ("append-only file: the whole life of such a job, before it is rewritten", written)]
    base, idle, waiting = connections()
    rows += [("the master itself", base), ("the master: an open connection", idle), ("the master: a connection with a claim that waits", waiting)]
    for name, size in rows:
        print(f"| {name} | {size:,.0f} |")


def pushed_unique():
    with Master() as master:
        client = Client(master.port)
        client.ok("POST", "/v1/jobs", {"name": "sizes"})
        before = used(master)
        for first in range(0, JOBS, BATCH):
            jobs = [{"name": "sizes", "argument": "x" * 100, "unique": {"key": f"customer-{n}"}} for n in range(first, first + BATCH)]
            client.ok("POST", "/v1/jobs/batch", {"jobs": jobs})
        return (used(master) - before) / JOBS


if __name__ == "__main__":
    main()
