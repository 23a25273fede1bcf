"""Counts the instructions of a program piece by piece, by callgrind."""

import glob
import os
import subprocess


class Callgrind:
    def __init__(self, directory):
        """`directory`: for callgrind's files; it must be empty."""
        self.out = os.path.join(directory, "out")
        self.gate = "--vgdb-prefix=" + os.path.join(directory, "vgdb")
        self.dumps = 0
        # What a program is started with.
        self.words = ["valgrind", "--quiet", "--tool=callgrind", "--separate-threads=yes", f"--callgrind-out-file={self.out}", self.gate]

    def control(self, word, pid):
        subprocess.run(["callgrind_control", self.gate, word, str(pid)], capture_output=True, check=True, timeout=60)

    def begin(self, pid):
        self.control("--zero", pid)

    def end(self, pid):
        """The instructions since begin(), of the thread that had the most."""
        self.control("--dump", pid)
        self.dumps += 1
        return max(self.total(path) for path in glob.glob(f"{self.out}.{self.dumps}-*"))

    @staticmethod
    def total(path):
        with open(path, encoding="utf-8") as dump:
            return next(int(line.split()[1]) for line in dump if line.startswith("totals:"))
