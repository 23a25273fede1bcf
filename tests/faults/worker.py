"""A worker as a separate process, which a scenario may kill or stop: worker.py NAME HISTORY SEED LEASE PORT…
It ends at the end of its standard input."""

import sys
import threading

from clients import Talker, Worker
from rig import Recorder


def main():
    name, history, seed, lease, *ports = sys.argv[1:]
    stop = threading.Event()
    worker = Worker(Talker(name, [int(port) for port in ports], Recorder(history, phases=True), seed), stop, lease=float(lease))
    worker.start()
    sys.stdin.read()
    stop.set()
    worker.join(30)
    for wrong in worker.wrong + worker.talker.errors:
        print(wrong, file=sys.stderr)
    return 1 if worker.wrong or worker.talker.errors or worker.is_alive() else 0


if __name__ == "__main__":
    sys.exit(main())
