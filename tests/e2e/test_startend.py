"""How the programs start and end: what they print, their exit codes, and what they leave behind."""

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest

from harness import Client, Master, PROGRAMS, until


def run(program, *words):
    return subprocess.run([PROGRAMS / program, *words], capture_output=True, text=True, timeout=60)


class StartAndEnd(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="junban-app-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def left_redis(self, directory):
        """The pid of a Redis that was left in this directory, or None. It is killed, so that a failed test leaves nothing behind."""
        master = Master(directory=directory)
        pid = master.redis_pid()
        if pid:
            master.kill_redis()
        return pid

    def test_help_and_version_are_printed_by_all(self):
        for program in ("junban", "junband", "junbanctl"):
            self.assertIn("--", run(program, "--help").stdout)
            self.assertRegex(run(program, "--version").stdout, rf"^{program} \d+\.\d+\.\d+\n$")

    def test_wrong_use_is_named_and_ends_with_2(self):
        for words, named in (
            (["--nonsense"], "nonsense"),
            (["--threads", "0"], "--threads"),
            (["--listen", "127.0.0.1"], "--listen"),
            (["--listen", "127.0.0.1:65536"], "--listen"),
            (["--tls-key", "/nowhere", "--tls-certificate", "/nowhere"], "--tls-certificate: /nowhere cannot be read"),
        ):
            for program, more in (("junband", []), ("junban", ["--server"])):
                done = run(program, *more, "--data-dir", self.directory, *words)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn(named, done.stderr)

    def test_other_machines_are_served_only_with_insecure(self):
        done = run("junband", "--data-dir", self.directory, "--listen", "0.0.0.0:0")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--insecure", done.stderr)
        for loopback in ("127.0.0.2:0", "[::1]:0", "localhost:0"):
            self.assertTrue(self.serves("--listen", loopback), loopback)
        self.assertTrue(self.serves("--listen", "0.0.0.0:0", "--insecure"))

    def serves(self, *words):
        """Starts junband, waits for its line, and stops it. Returns the line."""
        command = [PROGRAMS / "junband", "--data-dir", self.directory, *words]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            try:
                line = process.stdout.readline()
                process.terminate()
                rest, _ = process.communicate(timeout=30)
                self.assertEqual((process.returncode, rest), (0, ""))
                return line
            finally:
                process.kill()

    def test_a_port_that_is_taken_ends_with_1_and_leaves_no_redis(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            done = run("junband", "--data-dir", self.directory, "--listen", f"127.0.0.1:{taken.getsockname()[1]}")
        left = self.left_redis(self.directory)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr.splitlines()[-1], "error.*it does not start: .*Address already in use")
        self.assertEqual(done.stderr.count("Address already in use"), 1, done.stderr)
        self.assertIsNone(left)

    def test_no_program_leaves_a_core_with_what_its_memory_has(self):
        def may_leave_cores():
            most = resource.getrlimit(resource.RLIMIT_CORE)[1]
            resource.setrlimit(resource.RLIMIT_CORE, (most, most))

        command = [PROGRAMS / "junband", "--data-dir", self.directory, "--listen", "127.0.0.1:0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=may_leave_cores) as process:
            try:
                self.assertTrue(process.stdout.readline())
                for pid in (process.pid, Master(directory=self.directory).redis_pid()):
                    limits = pathlib.Path(f"/proc/{pid}/limits").read_text()
                    self.assertRegex(limits, r"(?m)^Max core file size +0 ")
            finally:
                process.terminate()
                process.communicate(timeout=30)

    def test_a_master_may_be_stopped_the_moment_it_serves(self):
        for _ in range(5):
            self.assertTrue(self.serves("--listen", "127.0.0.1:0", "--threads", "16"))
            until(lambda: self.left_redis(self.directory) is None, what="Redis ended")

    def test_a_master_may_be_stopped_while_it_starts(self):
        for wait in (0.05, 0.1, 0.2, 0.3, 0.4, 0.5):
            command = [PROGRAMS / "junband", "--data-dir", self.directory, "--listen", "127.0.0.1:0"]
            with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                try:
                    process.wait(wait)
                except subprocess.TimeoutExpired:
                    process.terminate()
                # Before it handles signals, SIGTERM kills it.
                self.assertIn(process.wait(30), (0, -signal.SIGTERM), wait)
            until(lambda: Master(directory=self.directory).redis_pid() is None, what="Redis ended")

    def test_a_given_redis_that_may_lose_jobs_is_refused_with_3(self):
        path = os.path.join(self.directory, "r.sock")
        server = ["redis-server", "--port", "0", "--unixsocket", path, "--appendonly", "no", "--save", "", "--dir", self.directory]
        redis = subprocess.Popen(server, stdout=subprocess.DEVNULL)
        try:
            until(lambda: os.path.exists(path), what="a Redis")
            words = ["--listen", "127.0.0.1:0", "--redis", f"unix://{path}"]
            refused = run("junband", *words)
            self.assertEqual((refused.returncode, refused.stdout), (3, ""), refused.stderr)
            self.assertRegex(refused.stderr.splitlines()[-1], "error.*it does not start: .*--force")
            self.assertNotRegex(refused.stderr, "stopping")
            self.assertTrue(self.serves(*words, "--force"))
            # A master never stops a Redis that it was given.
            self.assertIsNone(redis.poll())
        finally:
            redis.kill()
            redis.wait()

    def test_log_lines_can_be_json_and_tell_no_arguments(self):
        with Master(arguments=["--log-format", "json"]) as master:
            client = Client(master.port)
            client.ok("POST", "/v1/jobs", {"name": "a", "argument": "the secret"})
            client.request("POST", "/v1/jobs", {"name": "", "argument": "the secret"})
            self.assertEqual(master.kill(signal.SIGTERM), 0)
            lines = [json.loads(line) for line in master.log().splitlines()]
        self.assertTrue(lines)
        for line in lines:
            self.assertEqual(sorted(line), ["level", "message", "time"])
            self.assertNotIn("secret", line["message"])

    def test_tls_is_spoken_with_the_given_files(self):
        key, certificate = (os.path.join(self.directory, name) for name in ("key.pem", "certificate.pem"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
                       check=True, capture_output=True)
        command = [PROGRAMS / "junband", "--data-dir", self.directory, "--listen", "127.0.0.1:0", "--tls-key", key, "--tls-certificate",
                   certificate]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            try:
                url = process.stdout.readline().removeprefix("junban: listening on ").strip()
                self.assertTrue(url.startswith("https://127.0.0.1:"), url)
                curl = ["curl", "-sS", "--cacert", certificate, "-o", os.devnull, "-w", "%{http_code}", url + "/readyz"]
                self.assertEqual(subprocess.run(curl, capture_output=True, text=True).stdout, "200")
                process.terminate()
                self.assertEqual(process.wait(30), 0)
            finally:
                process.kill()

    def test_the_demonstration_pushes_and_works(self):
        with Master(arguments=["--demo"]) as master:
            client = Client(master.port)
            until(lambda: client.overview()["states"]["succeeded"] > 0, 60, "a demonstration job succeeded")
            until(lambda: client.overview()["totals"]["failures"] > 0, 60, "one failed")
            until(lambda: len(client.ok("GET", "/v1/schedules")["schedules"]) == 4, 60, "the schedules")
            matchers = client.ok("GET", "/v1/matchers")["matchers"]
            modes = {constraint["mode"] for matcher in matchers for constraint in matcher["constraints"]}
            self.assertEqual((len(matchers), modes), (7, {"enforce", "observe"}))
            self.assertEqual(master.kill(signal.SIGTERM), 0)

    def test_a_second_signal_ends_a_drain_at_once(self):
        with Master() as master:
            # A half-sent request holds up the drain.
            with socket.create_connection(("127.0.0.1", master.port)) as half:
                half.sendall(b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
                until(lambda: Client(master.port).overview(), what="an answer")
                master.process.terminate()
                until(lambda: "stopping" in master.log(), what="it stops")
                self.assertIsNone(master.process.poll())
                self.assertEqual(master.kill(signal.SIGTERM), 1)

    def test_the_service_starts_says_that_it_is_ready_and_stops(self):
        resources = pathlib.Path(__file__).parents[2] / "resources"
        unit = (resources / "junband.service").read_text()
        start = re.search(r"^ExecStart=/usr/bin/(\S+) (.*)$", unit, re.M)
        # The configuration of the package, but with a free port.
        configuration = pathlib.Path(self.directory, "junban.conf")
        configuration.write_text((resources / "junban.conf").read_text().replace("127.0.0.1:7717", "127.0.0.1:0"))
        self.assertIn("/etc/junban/junban.conf", start[2])
        words = start[2].replace("/etc/junban/junban.conf", str(configuration)).replace("${STATE_DIRECTORY}", f"{self.directory}/state")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(f"{self.directory}/notify")
            manager.settimeout(60)
            process = subprocess.Popen([PROGRAMS / start[1], *words.split()], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                       env=os.environ | {"NOTIFY_SOCKET": f"{self.directory}/notify"})
            try:
                url = process.stdout.readline().removeprefix("junban: listening on ").strip()
                self.assertIn(b"READY=1", manager.recv(4096))
                self.assertEqual(Client(int(url.rsplit(":", 1)[1])).overview()["states"]["ready"], 0)
                process.terminate()
                self.assertIn(b"STOPPING=1", manager.recv(4096))
                self.assertEqual(process.wait(60), 0)
            finally:
                process.kill()
                process.wait()
                process.stdout.close()
                self.left_redis(f"{self.directory}/state")


if __name__ == "__main__":
    unittest.main()
