"""What workers cost that only wait: memory and processor of the master for each connection in a long poll."""

import json
import pathlib
import socket
import time

from rig import Master

WORKERS = 2000
WAIT_S = 60  # longer than it takes to measure
MEASURED_S = 20


def resident_kib(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def processor_s(pid):
    return sum(int(task.read_text().split()[0]) for task in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


def wait_for_a_job(port, number):
    body = json.dumps({"worker": f"idle-{number}", "names": ["idle.job"], "limit": 1, "wait": WAIT_S}).encode()
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(b"POST /v1/claims HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                       b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    connection.setblocking(False)
    return connection


def answered(connection):
    try:
        return connection.recv(200)
    except BlockingIOError:
        return b""


def measure():
    """{KiB of the master for each worker, how much of a core the master takes (%)}"""
    with Master() as master:
        time.sleep(1)
        pid, before_kib = master.process.pid, resident_kib(master.process.pid)
        connections = [wait_for_a_job(master.port, number) for number in range(WORKERS)]
        time.sleep(3)
        kib, spent_s = (resident_kib(pid) - before_kib) / WORKERS, processor_s(pid)
        time.sleep(MEASURED_S)
        core = 100 * (processor_s(pid) - spent_s) / MEASURED_S
        early = [answer for answer in map(answered, connections) if answer]
        assert not early, early[0]
        for connection in connections:
            connection.close()
        return {"kib": kib, "core": core}


def rows():
    return [(f"{WORKERS:,} workers that wait: memory of the master for each", "KiB", lambda: measure()["kib"]),
            (f"{WORKERS:,} workers that wait: processor of the master", "% of a core", lambda: measure()["core"])]
