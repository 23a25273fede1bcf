"""The image that scripts/image makes, unpacked and run in bubblewrap as its own user with a root that cannot be written:

    test_image.py PACKAGE [ARCHIVE]

scripts/release runs it. PACKAGE is a junband_*.deb; without ARCHIVE the image is made of it first."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from harness import Client, until  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
BYTES_MAX = 150_000_000
EPOCH = "1700000000"


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True, **options).stdout


def descendants(pid):
    for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        yield int(child)
        yield from descendants(int(child))


class Container:
    """What a container engine makes of the image's configuration, as far as bubblewrap can."""

    def __init__(self, bundle, data):
        self.bundle, self.data = bundle, data
        self.process = json.loads((bundle / "config.json").read_text())["process"]
        self.user = self.process["user"]["uid"]
        os.chown(data, self.user, self.process["user"]["gid"])
        self.running = None

    def command(self, words, **environment):
        variables = dict(each.split("=", 1) for each in self.process["env"]) | environment
        settings = [word for name, value in variables.items() for word in ("--setenv", name, value)]
        return ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups", "bwrap", "--clearenv", "--unshare-pid", "--die-with-parent",
                "--ro-bind", self.bundle / "rootfs", "/", "--bind", self.data, "/data", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp",
                "--chdir", self.process["cwd"], *settings, *words]

    def start(self):
        self.running = subprocess.Popen(self.command(self.process["args"], JUNBAN_LISTEN="127.0.0.1:0"), stdout=subprocess.PIPE, text=True)
        line = self.running.stdout.readline()
        self.port = int(line.rsplit(":", 1)[1])
        self.fields = {"Authorization": "Bearer " + (self.data / "admin.token").read_text().strip()}

    def pid(self, name):
        return next(pid for pid in descendants(self.running.pid) if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() == name)

    def end(self, how):
        os.kill(self.pid("junband") if how == signal.SIGTERM else self.running.pid, how)
        self.running.stdout.close()
        return self.running.wait(60)

    def ask(self, method, path, body=None, token=None):
        fields = {"Authorization": f"Bearer {token}"} if token else self.fields
        status, answer = Client(self.port).request(method, path, body, fields=fields)
        if status >= 300:
            raise AssertionError(f"{method} {path}: {status} {answer}")
        return answer


class Image(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="junban-image-test-"))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.directory.chmod(0o755)
        self.archive = ARCHIVE or self.made("image.oci.tar")
        layout = self.directory / "layout"
        layout.mkdir()
        run("tar", "-xf", self.archive, "-C", layout)
        tag = json.loads((layout / "index.json").read_text())["manifests"][0]["annotations"]["org.opencontainers.image.ref.name"]
        self.bundle = self.directory / "bundle"
        run("umoci", "unpack", "--image", f"{layout}:{tag}", self.bundle)
        self.bundle.chmod(0o755)

    def made(self, name):
        out = self.directory / name
        run(ROOT / "scripts/image", "--package", PACKAGE, "--out", out, "--epoch", EPOCH)
        return out

    def test_it_is_small_and_has_no_other_programs(self):
        root = self.bundle / "rootfs"
        files = [path for path in root.rglob("*") if path.is_file() and not path.is_symlink()]
        if not list(root.rglob("libasan*")):  # a build with sanitizers is larger, and no release
            self.assertLessEqual(sum(path.stat().st_size for path in files), BYTES_MAX)
        programs = {path.name for path in files if os.access(path, os.X_OK) and path.parent.name in ("bin", "sbin")}
        self.assertLessEqual(programs, {"junband", "junbanctl", "redis-server", "redis-cli", "redis-check-rdb", "redis-check-aof"})
        self.assertEqual([path for path in files if path.stat().st_mode & 0o6000], [])

    def test_the_same_package_makes_the_same_image(self):
        first, second = self.made("first"), self.made("second")
        self.assertEqual(first.read_bytes(), second.read_bytes())

    def test_a_mounted_pepper_may_be_read_by_the_group(self):
        data = self.directory / "data"
        data.mkdir(mode=0o700)
        container = Container(self.bundle, data)
        pepper = data / "pepper-of-all"
        pepper.write_text("p" * 43)
        os.chown(pepper, 0, container.user)
        pepper.chmod(0o444)
        refused = subprocess.run(container.command(["/usr/bin/junband"], JUNBAN_PEPPER_FILE="/data/pepper-of-all"), capture_output=True, text=True,
                                 timeout=60, check=False)
        self.assertIn("must be readable by its owner alone", refused.stderr)
        pepper.chmod(0o440)
        container.process["env"].append("JUNBAN_PEPPER_FILE=/data/pepper-of-all")
        container.start()
        self.assertEqual(container.ask("GET", "/v1/tokens")["tokens"][0]["note"], "first")
        self.assertEqual(container.end(signal.SIGTERM), 0)

    def test_nothing_is_lost_when_all_of_it_is_killed(self):
        data = self.directory / "data"
        data.mkdir(mode=0o700)
        container = Container(self.bundle, data)
        container.start()
        self.addCleanup(lambda: container.running.poll() is None and container.running.kill())
        for pid in (container.pid("junband"), container.pid("redis-server")):
            self.assertEqual(os.stat(f"/proc/{pid}").st_uid, container.user)
        self.assertEqual(Client(container.port).request("GET", "/v1/overview")[0], 401)
        worker = container.ask("POST", "/v1/tokens", {"roles": ["worker"]})["token"]
        ids = [container.ask("POST", "/v1/jobs", {"name": "a", "argument": number})["id"] for number in range(50)]
        for job in container.ask("POST", "/v1/claims", {"worker": "w", "names": ["a"], "limit": 10}, worker)["jobs"]:
            container.ask("POST", f"/v1/jobs/{job['id']}/outcome",
                          {"lease": job["lease"], "type": "success", "finished_at": "2026-01-02T03:04:05Z", "result": None}, worker)
        container.end(signal.SIGKILL)
        container.start()
        states = [container.ask("GET", f"/v1/jobs/{each}")["state"] for each in ids]
        self.assertEqual((states.count("succeeded"), states.count("ready")), (10, 40))
        checked = subprocess.run(container.command(["/usr/bin/junbanctl", "--url", f"http://127.0.0.1:{container.port}", "fsck"]),
                                 capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        written = subprocess.run(container.command(["/usr/bin/redis-cli", "-s", "/data/redis.sock", "config", "set", "dir", "/usr"]),
                                 capture_output=True, text=True, timeout=60, check=False).stdout
        self.assertNotIn("OK", written)
        self.assertEqual(container.end(signal.SIGTERM), 0)
        self.assertTrue(until(lambda: not (data / "redis.sock").exists(), 60, "the end of Redis"))


if __name__ == "__main__":
    PACKAGE = pathlib.Path(sys.argv[1]).resolve()
    ARCHIVE = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
    unittest.main(argv=sys.argv[:1], verbosity=2)
