"""What junbanctl reads and writes: to the last byte, from no more than it may take, and into the file that was meant."""

import contextlib
import json
import os
import pathlib
import signal
import socket
import stat
import subprocess
import tempfile
import threading
import unittest

from ctlcase import CtlCase
from harness import PROGRAMS, until
from redisserver import Redis

FULL = "standard output cannot be written: No space left on device\n"


class Output(CtlCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="junban-output-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def onto(self, path, *words, how="wb", expect=3):
        """Its standard error, when its standard output is this."""
        with open(path, how) as output:
            done = subprocess.run([PROGRAMS / "junbanctl", *words], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, text=True,
                                  env={**os.environ, "JUNBAN_URL": self.url}, timeout=60)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done.stderr

    def done(self, name="kept", argument=None):
        """A job that has succeeded, with its argument as its result, which waits to be collected."""
        identity = self.client.ok("POST", "/v1/jobs", {"name": name, "argument": argument, "keep_result": True})["id"]
        job, = self.client.ok("POST", "/v1/claims", {"worker": "w", "names": [name], "wait": 20})["jobs"]
        outcome = {"lease": job["lease"], "type": "success", "finished_at": "2026-01-02T03:04:05Z", "result": argument}
        self.client.ok("POST", f"/v1/jobs/{identity}/outcome", outcome)
        return identity

    def test_a_result_that_cannot_be_written_is_not_consumed(self):
        for value in ({"sum": 42}, {"password": "swordfish"}, "x" * 200_000, None):
            identity = self.done(argument=value)
            self.assertIn(FULL + "junbanctl: the result is still at the master\n", self.onto("/dev/full", "result", identity))
            self.assertIn(FULL, self.onto("/dev/full", "result", identity, "--json"))
            self.assertEqual(json.loads(self.ctl("result", identity)), value)
            self.assertEqual(self.run_ctl("result", identity).returncode, 30)

    def test_what_a_waiting_push_cannot_write_is_not_consumed(self):
        self.worker("echo", "--exec", "cat")
        said = self.onto("/dev/full", "push", "echo", "--arg", "[1, 2]", "--wait")
        self.assertIn("the result is still at the master", said)
        identity = json.loads(self.ctl("results", "--json"))["results"][0]["id"]
        self.assertEqual(self.ctl("result", identity), "[1,2]\n")

    def test_a_pipe_that_nobody_reads_to_the_end_consumes_nothing(self):
        identity = self.done(argument="x" * 200_000)
        reading, writing = os.pipe()
        process = subprocess.Popen([PROGRAMS / "junbanctl", "result", identity], stdout=writing, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "JUNBAN_URL": self.url})
        os.close(writing)
        self.assertEqual(os.read(reading, 10), b'"xxxxxxxxx')
        os.close(reading)
        self.assertIn("still at the master", process.communicate(timeout=60)[1])
        self.assertEqual(process.returncode, 3)
        self.assertEqual(len(json.loads(self.ctl("result", identity))), 200_000)

    def test_pushers_that_share_a_job_all_print_its_result(self):
        waiting = [subprocess.Popen([PROGRAMS / "junbanctl", "push", "shared", "--unique", "--wait"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                    env={**os.environ, "JUNBAN_URL": self.url}) for _ in range(3)]
        self.addCleanup(lambda: [(process.kill(), process.communicate()) for process in waiting])
        for process in waiting:
            self.assertIn("no worker asks", process.stderr.readline())
        self.worker("shared", "--exec", "echo 7")
        self.assertEqual([process.communicate(timeout=60)[0] for process in waiting], ["7\n"] * 3)
        self.assertEqual([process.returncode for process in waiting], [0] * 3)
        identity = json.loads(self.ctl("jobs", "--json"))["jobs"][0]["id"]
        self.assertEqual(self.ctl("result", identity), "7\n")

    def test_what_was_made_is_named_when_its_id_cannot_be_written(self):
        said = self.onto("/dev/full", "push", "made")
        identity = json.loads(self.ctl("jobs", "--json"))["jobs"][0]["id"]
        self.assertEqual(said, f"junbanctl: {FULL}junbanctl: the answer was: {identity}\n")
        self.assertIn("the answer was: pause-", self.onto("/dev/full", "pause", "--reason", "so"))

    def test_a_token_that_nobody_has_seen_is_revoked(self):
        admin = self.folder / "admin"
        admin.write_text(self.ctl("tokens", "create", "--role", "admin"))
        said = self.onto("/dev/full", "tokens", "create", "--role", "viewer", "--token-file", str(admin))
        self.assertIn("is revoked again", said)
        self.assertNotIn("viewer", self.ctl("tokens", "--token-file", str(admin)))

    def test_a_closed_standard_output_is_an_error_and_no_connection(self):
        shell = lambda text: subprocess.run(["sh", "-c", text], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                                            env={**os.environ, "JUNBAN_URL": self.url, "PATH": f"{PROGRAMS}:{os.environ['PATH']}"})
        done = shell("junbanctl push closed >&-")
        self.assertEqual((done.returncode, done.stderr.splitlines()[0]), (3, "junbanctl: standard output cannot be written: Bad file descriptor"))
        done = shell("junbanctl push closed - <&-")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(shell("junbanctl push closed 2>&-").returncode, 0)

    def test_what_goes_on_printing_ends_with_its_reader(self):
        environment = {**os.environ, "JUNBAN_URL": self.url}
        self.client.ok("POST", "/v1/jobs", {"name": "told"})
        for words in (["status", "--watch"], ["status", "--watch", "--json"], ["changes", "--since", "0"], ["changes", "--since", "0", "--json"]):
            process = subprocess.Popen([PROGRAMS / "junbanctl", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
            self.assertTrue(process.stdout.readline())
            process.stdout.close()  # nothing is changed any more, so nothing more is printed
            self.assertEqual(process.wait(30), 0, words)
        worker = self.worker("told", "--exec", "true", "--json")
        self.assertTrue(worker.stdout.readline())
        worker.stdout.close()
        self.assertEqual(worker.wait(30), 0)
        for words in (["status", "--watch"], ["changes", "--since", "0"]):
            self.assertIn(FULL, self.onto("/dev/full", *words))

    def test_a_reader_that_has_gone_ends_every_verb_quietly(self):
        environment = {**os.environ, "JUNBAN_URL": self.url}
        identity = self.client.ok("POST", "/v1/jobs", {"name": "told"})["id"]
        for words in (["jobs"], ["jobs", "--json"], ["job", identity], ["explain", identity], ["names"], ["status"], ["overview"], ["matchers"],
                      ["constraints"], ["held"], ["failures"], ["results"], ["stats"], ["series", "enqueued"], ["retention"], ["operations"], ["schedules"],
                      ["workers"], ["tokens"], ["audit"], ["doctor"], ["fsck"], ["pauses"], ["--help"], ["push", "--help"], ["--version"],
                      ["track", identity], ["untrack", identity, identity], ["job", "0192f0c1-2222-7333-8444-555555555555", "--json"]):
            reading, writing = os.pipe()
            os.close(reading)
            done = subprocess.run([PROGRAMS / "junbanctl", *words], stdin=subprocess.DEVNULL, stdout=writing, stderr=subprocess.PIPE, text=True, env=environment,
                                  timeout=60)
            os.close(writing)
            self.assertEqual(done.returncode, 3, (words, done.stderr))
            self.assertNotIn("Broken pipe", done.stderr, words)

    def test_no_more_is_read_than_may_be_taken(self):
        environment = {**os.environ, "JUNBAN_URL": self.url}
        for words in (["push", "x", "-"], ["edit", "0192f0c1-2222-7333-8444-555555555555", "-"], ["message", "k", "-"], ["schedules", "put", "s", "-"],
                      ["matchers", "apply", "-", "--dry-run"], ["matchers", "preview", "-"], ["push", "x", "--token-file", "-"]):
            yes = subprocess.Popen(["yes"], stdout=subprocess.PIPE)
            done = subprocess.run([PROGRAMS / "junbanctl", *words], stdin=yes.stdout, capture_output=True, text=True, env=environment, timeout=60)
            yes.stdout.close()
            yes.wait(20)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertRegex(done.stderr, r"must have at most (32 MiB|4 KiB)")
        for words in (["push", "x", "--arg-file", "/dev/zero"], ["push", "x", "--token-file", "/dev/zero"], ["cel", "--cases", "/dev/zero"],
                      ["matchers", "apply", "/dev/zero", "--dry-run"]):
            self.assertRegex(self.said(*words, expect=2), r"must have at most (32 MiB|4 KiB)", words)

    def test_a_value_comes_from_one_place(self):
        identity = "0192f0c1-2222-7333-8444-555555555555"
        for verb in (["push", "x"], ["edit", identity], ["message", "k"]):
            for words, said in ((["-", "--arg", "1"], "--arg and - (standard input) exclude each other"),
                                (["-", "--arg-file", "f"], "--arg-file and - (standard input) exclude each other"),
                                (["--arg", "1", "--arg-file", "f"], "--arg and --arg-file exclude each other")):
                self.assertIn(said, self.said(*verb, *words, input="1", expect=2))
        self.assertIn("Standard input was read for something else already.", self.said("push", "x", "-", "--token-file", "-", input="1", expect=2))
        self.assertIn("--should-retry needs --failure", self.said("message", "k", "--should-retry", expect=2))
        self.assertIn("--expires-in must be longer than --delay", self.said("push", "x", "--delay", "60", "--expires-in", "30", expect=2))
        self.assertIn("--expires-in must be longer than --delay", self.said("push", "x", "--delay", "60", "--expires-in", "60", expect=2))
        self.ctl("push", "x", "--delay", "30", "--expires-in", "60")

    def test_words_that_are_no_utf8_are_refused(self):
        for words in (["push", b"caf\xe9"], ["push", "x", "--tag", b"caf\xe9"], ["push", "x", "--arg", b'"caf\xe9"'], ["jobs", b"--name=caf\xe9"],
                      [b"--reason=\xff", "push", "x"], ["work", "x", "--exec", b"echo \xf0\x28"], ["jobs", "--tag", b"\xed\xa0\x80"]):
            done = subprocess.run([PROGRAMS / "junbanctl", *words], capture_output=True, env={**os.environ, "JUNBAN_URL": self.url}, timeout=60)
            self.assertEqual(done.returncode, 2, words)
            self.assertRegex(done.stderr, rb"The word '.*\\x.*' is not UTF-8")
        self.assertEqual(self.ctl("jobs"), self.ctl("jobs", "--name", "nobody"))
        done = subprocess.run([PROGRAMS / "junbanctl", "push", "x", "-"], input=b'"caf\xe9"', capture_output=True, env={**os.environ, "JUNBAN_URL": self.url})
        self.assertEqual(done.returncode, 2, done.stderr)

    def test_a_master_is_named_in_short(self):
        port = self.master.port
        for url in (f"127.0.0.1:{port}", f"localhost:{port}", f"http://localhost:{port}/"):
            self.assertIn("state", self.ctl("status", "--url", url))
            self.assertEqual(self.run_ctl("status", url=url).returncode, 0)
        for url in ("ftp://127.0.0.1", "127.0.0.1:99999", "unix:", "http://"):
            self.assertIn("--url: The address of a master must be like http://127.0.0.1:7717", self.said("status", "--url", url, expect=2))
            self.assertIn("JUNBAN_URL: The address of a master must be like http://127.0.0.1:7717", self.said("status", url=url, expect=2))
        self.assertIn("No master answers at http://[::1]:7:", self.said("status", "--url", "[::1]:7"))


class Files(unittest.TestCase):
    """What export writes into."""

    def setUp(self):
        self.redis = Redis("--appendonly", "yes")
        self.redis.start()
        self.addCleanup(self.redis.__exit__)
        folder = tempfile.TemporaryDirectory(prefix="junban-files-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "namespace.junban"
        environment = {**os.environ, "JUNBAN_LISTEN": "127.0.0.1:0"}
        master = subprocess.Popen([PROGRAMS / "junband", "--redis", self.redis.url, "--data-dir", str(self.folder / "data")], stdout=subprocess.PIPE, text=True,
                                  stderr=subprocess.DEVNULL, env=environment)
        self.addCleanup(lambda: (master.kill(), master.wait(), master.stdout.close()))
        self.assertIn("listening", master.stdout.readline())
        self.master = master

    def export(self, file, expect=0, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        self.master.send_signal(signal.SIGSTOP)  # a running master may write at any time, and export refuses what changed meanwhile
        try:
            done = subprocess.run([PROGRAMS / "junbanctl", "export", str(file), "--redis", self.redis.url], timeout=120, **options)
        finally:
            self.master.send_signal(signal.SIGCONT)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done

    def is_whole(self, content):
        self.assertTrue(content.startswith(b"junban"), content[:20])
        copy = self.folder / "copy"
        copy.write_bytes(content)
        with Redis("--appendonly", "yes") as other:
            done = subprocess.run([PROGRAMS / "junbanctl", "import", copy, "--redis", other.url], capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_running_master_is_warned_of(self):
        self.assertIn(b"warning: a master is at work in this namespace", self.export(self.file).stderr)
        self.is_whole(self.file.read_bytes())

    def test_a_regular_file_is_replaced_whole_and_is_its_owners(self):
        self.file.write_text("before")
        self.file.chmod(0o644)
        before = self.file.stat().st_ino
        self.export(self.file)
        self.assertNotEqual(self.file.stat().st_ino, before)
        self.assertEqual(stat.S_IMODE(self.file.stat().st_mode), 0o600)
        self.is_whole(self.file.read_bytes())
        content = self.file.read_bytes()
        done = subprocess.run([PROGRAMS / "junbanctl", "export", self.file, "--redis", self.redis.url, "--namespace", "other"], capture_output=True, timeout=60)
        self.assertEqual((done.returncode, self.file.read_bytes()), (1, content))
        self.assertEqual(sorted(os.listdir(self.folder)), ["copy", "data", "namespace.junban"])

    def test_a_symbolic_link_stays_and_leads_to_the_new_file(self):
        for name in ("there", "new"):
            link, target = self.folder / f"link-{name}", self.folder / name
            link.symlink_to(target)
            if name == "there":
                target.write_text("before")
            self.export(link)
            self.assertTrue(link.is_symlink())
            self.is_whole(target.read_bytes())

    def test_a_standard_output_that_cannot_be_written_has_its_status(self):
        reading, writing = os.pipe()
        os.close(reading)
        self.export("-", expect=3, stdout=writing)
        os.close(writing)
        with open("/dev/full", "wb") as full:
            self.assertIn(b"No space left on device", self.export("-", expect=3, stdout=full).stderr)
        self.export(self.folder / "none" / "file", expect=2)

    def test_a_device_stays_a_device(self):
        self.export("/dev/null")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        self.assertIn(b"The file could not be written: No space left on device", self.export("/dev/full", expect=2).stderr)
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/full").st_mode))
        if os.geteuid() == 0:  # one of its own
            device = self.folder / "null"
            os.mknod(device, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
            link = self.folder / "link"
            link.symlink_to(device)
            self.export(link)
            self.export(device)
            self.assertTrue(stat.S_ISCHR(device.stat().st_mode))

    def test_a_fifo_and_a_socket_are_written_into(self):
        fifo, path = self.folder / "fifo", self.folder / "socket"
        os.mkfifo(fifo)
        got = []
        reader = threading.Thread(target=lambda: got.append(fifo.read_bytes()))
        reader.start()
        self.export(fifo)
        reader.join(60)
        self.assertTrue(stat.S_ISFIFO(fifo.stat().st_mode))
        self.is_whole(got.pop())
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(path))
            self.assertIn(b"Connection refused", self.export(path, expect=2).stderr)
            listening.listen()

            def read():
                with listening.accept()[0] as connection, connection.makefile("rb") as stream:
                    got.append(stream.read())

            reader = threading.Thread(target=read)
            reader.start()
            self.export(path)
            reader.join(60)
        self.assertTrue(stat.S_ISSOCK(path.stat().st_mode))
        self.is_whole(got.pop())
        self.assertIn(b"it is a folder", self.export(self.folder, expect=2).stderr)

    def test_standard_output_has_the_file_alone(self):
        for name in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            done = self.export(name)
            self.is_whole(done.stdout)
            self.assertIn(b"exported", done.stderr)
            with open(self.file, "wb") as file:
                self.export(name, stdout=file)
            self.is_whole(self.file.read_bytes())
        with open(self.file, "wb") as file:  # by its name, too
            self.export(self.file, stdout=file)
        self.is_whole(self.file.read_bytes())

    def test_what_cannot_be_read_twice_is_not_imported(self):
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)

        def write():
            with contextlib.suppress(BrokenPipeError):
                fifo.write_bytes(b"x")

        writer = threading.Thread(target=write)
        writer.start()
        done = subprocess.run([PROGRAMS / "junbanctl", "import", fifo, "--redis", self.redis.url], capture_output=True, text=True, timeout=60)
        writer.join(60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("it is no regular file", done.stderr)


if __name__ == "__main__":
    unittest.main()
