"""What the scripts cost, where it can be counted and not only timed: Redis' commands and instructions of a fixed run of calls, which repeat
from run to run and from machine to machine. counts.json has what they were; a run compares.

    test_counts.py            compares
    test_counts.py --write    writes them anew into counts.json

The instructions are those of redis-server under callgrind: of its event loop, its commands and Lua. They differ a little between runs, and
between versions of Redis, so they are only compared for the version that was counted. What a master costs is in counts.json, too: master.py."""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from callgrind import Callgrind

BIN = pathlib.Path(os.environ.get("JUNBAN_BIN", pathlib.Path(__file__).resolve().parents[2] / "build/dev/bin"))
KEPT = pathlib.Path(__file__).with_name("counts.json")
TOLERANCE = 0.05  # of instructions: Lua collects its garbage now and then; commands must be the same
OWN = {"info", "config|resetstat", "ping", "client|setname", "hello", "auth", "select"}  # of the test, and of a connection

# (what, how often); those with a name are counted.
CALLS = [("enqueue-1", 100, "enqueue of one"), ("enqueue-50", 10, "enqueue of 50"), ("claim-1", 60, "claim of one"),
         ("heartbeat-1", 60, "heartbeat of one"), ("failure-1", 20, "report of a failure"), ("report-1", 40, "report of a success"),
         ("claim-1", 1, None), ("cycle-1", 100, "report and claim of one"), ("report-1", 1, None),
         ("claim-50", 1, None), ("cycle-50", 10, "report and claim of 50"), ("report-50", 1, None)]
WARM = [("sweep", 1, None), ("enqueue-1", 5, None), ("enqueue-50", 20, None), ("claim-1", 5, None), ("heartbeat-1", 5, None),
        ("failure-1", 1, None), ("report-1", 4, None), ("claim-50", 1, None), ("cycle-50", 1, None), ("report-1", 50, None)]


def version():
    return re.search(r"v=(\S+)", subprocess.run(["redis-server", "--version"], capture_output=True, text=True, check=True).stdout).group(1)


class Redis:
    """A redis-server under callgrind."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix="junban-counts-")
        self.path = os.path.join(self.directory, "redis.sock")
        self.callgrind = Callgrind(self.directory)
        self.process = subprocess.Popen([*self.callgrind.words, "redis-server", "--port", "0", "--unixsocket", self.path, "--save", "",
                                         "--hz", "1"], cwd=self.directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket = None
        end = time.monotonic() + 60
        while self.socket is None:
            connection = socket.socket(socket.AF_UNIX)
            connection.settimeout(60)
            try:
                connection.connect(self.path)
                self.socket = connection
            except OSError:
                connection.close()
                if time.monotonic() > end or self.process.poll() is not None:
                    self.close()
                    raise
                time.sleep(0.05)

    def close(self):
        if self.socket:
            self.socket.close()
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)

    def ask(self, words):
        """The answer to a command, of one line or one text."""
        self.socket.sendall(words.encode() + b"\r\n")
        with self.socket.makefile("rb") as answer:
            line = answer.readline()
            return answer.read(int(line[1:]) + 2).decode() if line.startswith(b"$") else line.decode()

    def begin(self):
        self.ask("CONFIG RESETSTAT")
        self.callgrind.begin(self.process.pid)

    def end(self):
        """What was counted since begin(): instructions, {command: how often}."""
        instructions = self.callgrind.end(self.process.pid)
        calls = {name: int(number) for name, number in re.findall(r"cmdstat_([^:]+):calls=(\d+)", self.ask("INFO commandstats"))}
        return instructions, {name: calls[name] for name in sorted(calls) if name not in OWN}


def counted():
    redis = Redis()
    try:
        driver = subprocess.Popen([BIN / "junban-counts", redis.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        with driver:
            def make(what, times):
                driver.stdin.write(f"{what} {times}\n")
                driver.stdin.flush()
                if driver.stdout.readline() != "done\n":
                    raise AssertionError(f"{what} was not made")

            found = {}
            for how, before in (("", ()), (", under a limit that never binds", (("limit", 1),))):
                for what, times, *_ in (*before, *WARM):
                    make(what, times)
                for what, times, name in CALLS:
                    if not name:
                        make(what, times)
                        continue
                    redis.begin()
                    make(what, times)
                    instructions, commands = redis.end()
                    found[name + how] = {"calls": times, "instructions": round(instructions / times), "commands": commands}
            driver.stdin.close()
        return found
    finally:
        redis.close()


class Counts(unittest.TestCase):
    def test_the_scripts_cost_what_they_did(self):
        kept = json.loads(KEPT.read_text())
        found = counted()
        self.assertEqual(set(found), set(kept["scripts"]))
        wrong = []
        for name, now in found.items():
            was = kept["scripts"][name]
            share = now["instructions"] / was["instructions"]
            print(f"{name}: {sum(now['commands'].values()) / now['calls']:.1f} commands, {now['instructions']} instructions ({share - 1:+.1%})")
            for command in sorted(set(now["commands"]) | set(was["commands"])):
                counts = [side["commands"].get(command, 0) for side in (was, now)]
                if counts[0] != counts[1]:
                    wrong.append(f"{name}: {counts[1]} {command} in {now['calls']} calls instead of {counts[0]}")
            if kept["redis"] == version() and abs(share - 1) > TOLERANCE:
                wrong.append(f"{name}: {now['instructions']} instructions a call instead of {was['instructions']}")
        self.assertEqual(wrong, [], "If it is worth that: tests/counts/test_counts.py --write")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        kept = json.loads(KEPT.read_text())
        KEPT.write_text(json.dumps({**kept, "redis": version(), "scripts": counted()}, indent=1) + "\n")
    else:
        unittest.main()
