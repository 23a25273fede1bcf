"""The npm packages of these tests, installed into a folder of the build: npm.py SOURCE BUILT

SOURCE has package.json and its lock file. What is there already and of the same lock file is left as it is.
"""

import pathlib
import shutil
import subprocess
import sys

source, built = map(pathlib.Path, sys.argv[1:])
lock = (source / "package-lock.json").read_bytes()
stamp = built / "installed.json"
if not stamp.is_file() or stamp.read_bytes() != lock:
    shutil.rmtree(built, ignore_errors=True)
    built.mkdir(parents=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(source / name, built)
    subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=built, check=True)
    stamp.write_bytes(lock)
for path in source.iterdir():
    if path.is_file() and not path.name.startswith("package"):
        shutil.copy(path, built)
