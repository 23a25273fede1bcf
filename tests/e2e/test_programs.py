"""The programs as a new user meets them: options, the manual, no display, linked libraries, and messages about wrong use."""

import http.client
import json
import os
import pathlib
import re
import signal
import stat
import subprocess
import tempfile
import unittest
import urllib.parse

from harness import Client, Master, PROGRAMS

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(program, *words, **environment):
    clean = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    return subprocess.run([PROGRAMS / program, *words], capture_output=True, text=True, timeout=60, env={**clean, **environment})


class Programs(unittest.TestCase):
    def test_the_manual_has_the_options_of_the_help(self):
        helped = run("junband", "--help")
        self.assertEqual(helped.returncode, 0)
        options = re.findall(r"^  --(\S+)( \S+)? +(.*)$", helped.stdout, re.M)
        manual = (ROOT / "docs/operating.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| `(\S+)` \| ?(\S*) ?\| (.*) \|$", manual, re.M)
        rows = [row for row in rows if row[0] not in ("junban", "junband", "junbanctl")]
        self.assertEqual([(name, value.strip(), text) for name, value, text in options], rows)
        self.assertGreater(len(rows), 15)

    def test_each_program_calls_itself_by_its_own_name(self):
        for program in ("junban", "junband", "junbanctl"):
            helped = run(program, "--help")
            self.assertEqual(helped.returncode, 0)
            self.assertRegex(helped.stdout, rf"(?m)^Usage: {program} \[options\]")
            self.assertEqual(re.findall(r"(?<![-\w])(\w+)[.;,]? \1\b", helped.stdout, re.I), [])
            self.assertRegex(run(program, "--version").stdout, rf"^{program} \d")
            self.assertTrue(run(program, "--nonsense").stderr.startswith(f"{program}: "))

    def test_the_manual_has_the_verbs_of_the_help(self):
        groups = re.findall(r"^([A-Z][a-z]+):\n((?:  .*\n)+)", run("junbanctl", "--help").stdout, re.M)
        verbs = [(title, re.findall(r"^  ([a-z]\S*) +[A-Z].*\.$", rows, re.M)) for title, rows in groups if title != "Options"]
        manual = (ROOT / "docs/ctl.md").read_text(encoding="utf-8")
        self.assertEqual([(title, row.split(", ")) for title, row in re.findall(r"^\| ([A-Z][a-z]+) \| ([a-z, ]+) \|$", manual, re.M)], verbs)
        self.assertIn("untrack", verbs[0][1])

    def test_junban_without_a_display_says_so_and_names_the_way(self):
        answer = run("junban")
        self.assertEqual(answer.returncode, 2)
        self.assertIn("--server", answer.stderr)

    def test_junband_knows_no_widgets(self):
        linked = subprocess.run(["ldd", PROGRAMS / "junband"], capture_output=True, text=True, check=True).stdout
        self.assertIn("libQt6Core", linked)
        self.assertNotIn("libQt6Widgets", linked)
        self.assertNotIn("libQt6Gui", linked)

    def test_wrong_use_is_named_and_ends_with_2(self):
        for words, said in ((["--nonsense"], "nonsense"), (["--threads", "0"], "threads"), (["--redis-memory", "much"], "redis-memory"), (["--redis", "http://x"], "redis"),
                            (["--namespace", "a b"], "namespace"), (["--config", "/nowhere"], "config"), (["--log-format", "xml"], "log-format"),
                            (["extra"], "extra"), (["--listen", "0.0.0.0:0"], "--insecure"), (["--listen", "nonsense"], "listen")):
            with tempfile.TemporaryDirectory() as directory:
                answer = run("junband", *words, *(["--data-dir", directory] if words != ["extra"] else []))
            self.assertEqual(answer.returncode, 2, (words, answer.stderr))
            self.assertIn(said, answer.stderr)

    def test_flag_wins_over_environment_over_file(self):
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory, "junban.conf")
            file.write_text("threads=0\nnamespace=from-file\n")
            self.assertIn("threads", run("junband", "--config", str(file)).stderr)
            self.assertIn("namespace", run("junband", "--config", str(file), "--threads", "2", JUNBAN_NAMESPACE="a b").stderr)
            file.write_text("thread=1\n")
            self.assertIn("unknown key: thread", run("junband", "--config", str(file)).stderr)

    def test_a_redis_that_is_not_fit_is_refused_with_3(self):
        with tempfile.TemporaryDirectory() as directory:
            socket = f"{directory}/redis.sock"
            redis = subprocess.Popen(["redis-server", "--port", "0", "--unixsocket", socket, "--dir", directory, "--save", ""],
                                     stdout=subprocess.DEVNULL)
            try:
                answer = run("junband", "--redis", f"unix://{socket}", "--listen", "127.0.0.1:0")
                self.assertEqual(answer.returncode, 3, answer.stderr)
                self.assertIn("--force", answer.stderr)
            finally:
                redis.kill()
                redis.wait()

    def test_the_embedded_redis_keeps_to_its_memory(self):
        for words, memory in (([], os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE") // 2), (["--redis-memory", "64mb"], 64 * 2 ** 20)):
            with Master(arguments=words) as master:
                asked = ["redis-cli", "-s", f"{master.directory}/redis.sock", "config", "get", "maxmemory"]
                self.assertEqual(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split(), ["maxmemory", str(memory)])
                found = {finding["word"] for finding in Client(master.port).ok("GET", "/v1/doctor")["findings"]}
                self.assertLessEqual(found, {"slow"})  # `slow` is allowed: the machine may be busy

    def test_several_threads_and_addresses_serve_one_queue(self):
        with Master(arguments=["--threads", "3", "--listen", "[::1]:0"]) as master:
            for number in range(12):
                self.assertEqual(Client(master.port).ok("POST", "/v1/jobs", {"name": "a", "argument": number})["state"], "ready")
            jobs = Client(master.port).ok("POST", "/v1/claims", {"worker": "w", "limit": 100})["jobs"]
            self.assertEqual(sorted(job["argument"] for job in jobs), list(range(12)))

    def test_a_second_master_does_not_take_the_port(self):
        with Master() as master, tempfile.TemporaryDirectory() as directory:
            answer = run("junband", "--data-dir", directory, "--listen", f"127.0.0.1:{master.port}")
            self.assertEqual(answer.returncode, 1)
            self.assertIn(str(master.port), answer.stderr)

    def test_the_first_token_is_made_once_or_taken_from_a_secret(self):
        def asks(master, file, status):
            fields = {"Authorization": f"Bearer {file.read_text().strip()}"} if file else {}
            answer, body = Client(master.port).request("GET", "/v1/tokens", fields=fields)
            self.assertEqual(answer, status, body)
            return body

        with tempfile.TemporaryDirectory() as directory:
            made, secret, other = (pathlib.Path(directory, name) for name in ("made", "secret", "other"))
            secret.write_text("jt_" + "s" * 43 + "\n")
            other.write_text("jt_" + "o" * 43)
            with Master(arguments=["--first-token-file", made]) as master:
                self.assertEqual(stat.S_IMODE(made.stat().st_mode), 0o600)
                first = asks(master, made, 200)["tokens"]
                self.assertEqual([(token["roles"], token["note"], token["created_by"]) for token in first], [(["admin"], "first", "open")])
                asks(master, None, 401)
                master.kill()
                master.arguments[-1] = other  # there is a token already
                master.start()
                self.assertEqual([token["id"] for token in asks(master, made, 200)["tokens"]], [first[0]["id"]])
                asks(master, other, 401)
            with Master(environment={"JUNBAN_FIRST_TOKEN_FILE": str(secret)}) as master:
                asks(master, secret, 200)
            for text, place in (("not a token", secret), (None, pathlib.Path(directory, "no", "where"))):
                if text:
                    place.write_text(text)
                answer = run("junband", "--data-dir", os.path.join(directory, "data"), "--listen", "127.0.0.1:0", "--first-token-file", place)
                self.assertEqual(answer.returncode, 2, answer.stderr)
                self.assertIn(f"--first-token-file: {place}", answer.stderr)

    def test_behind_tls_a_master_is_reached_without_tls_but_not_without_a_token(self):
        with tempfile.TemporaryDirectory() as directory:
            data = os.path.join(directory, "data")
            refused = run("junband", "--data-dir", data, "--listen", "0.0.0.0:0", "--behind-tls")
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn("that needs a token", refused.stderr)
            token = os.path.join(directory, "token")
            with Master(arguments=["--listen", "0.0.0.0:0", "--behind-tls", "--first-token-file", token]) as master:
                for path, status in (("/readyz", 200), ("/v1/overview", 401)):
                    connection = http.client.HTTPConnection("127.0.0.1", master.port, timeout=60)
                    connection.request("GET", path)
                    answer = connection.getresponse()
                    self.assertEqual((answer.status, answer.getheader("Junban-Behind-TLS")), (status, "true"))
                    connection.close()

    def test_dev_keeps_nothing_and_says_what_to_try(self):
        with tempfile.TemporaryFile("w+") as log:
            process = subprocess.Popen([PROGRAMS / "junband", "--dev", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=log, text=True)
            try:
                port = int(process.stdout.readline().rsplit(":", 1)[1])
                said = "".join(process.stdout.readline() for _ in range(7))
                self.assertEqual(said.count(f"http://127.0.0.1:{port}"), 3, said)
                push = re.search(r"junbanctl (.* push hello .*) --wait", said)[1]
                pushed = subprocess.run(f"{PROGRAMS}/junbanctl {push}", shell=True, capture_output=True, text=True, timeout=60, check=True)
                self.assertEqual(Client(port).ok("GET", f"/v1/jobs/{pushed.stdout.strip()}")["state"], "ready")
            finally:
                process.send_signal(signal.SIGTERM)
                self.assertEqual(process.wait(60), 0)
                process.stdout.close()
            log.seek(0)
            self.assertFalse(pathlib.Path(re.search(r"redis unix://(/\S+)/redis.sock", log.read())[1]).exists())
        with tempfile.TemporaryDirectory() as directory:
            refused = run("junband", "--dev", "--data-dir", directory)
            self.assertEqual((refused.returncode, "--dev and --data-dir exclude each other." in refused.stderr), (2, True), refused.stderr)

    def test_the_manual_is_served(self):
        with Master(arguments=["--no-web"]) as master:
            def get(path, **fields):
                connection = http.client.HTTPConnection("127.0.0.1", master.port, timeout=60)
                connection.request("GET", path, headers=fields)
                answer = connection.getresponse()
                body = answer.read().decode()
                connection.close()
                self.assertEqual(answer.status, 200, path)
                return answer.getheader("Content-Type"), body

            pages = {f"/manual/{path.stem}" if path.stem != "README" else "/manual": path for path in (ROOT / "docs").glob("*.md")}
            read = {}
            for at, path in pages.items():
                kind, read[at] = get(at, Accept="text/html,*/*;q=0.8")
                self.assertEqual(kind, "text/html; charset=utf-8")
                self.assertNotRegex(re.sub(r"(?s)<(code|pre).*?</\1>", "", read[at]), r"\]\(|\*\*|```|\0", at)
                self.assertEqual(get(at, Accept="text/markdown, text/html;q=0.5"), ("text/markdown; charset=utf-8", path.read_text()))
            for at, text in read.items():
                self.assertNotRegex(text, r'(href|src)="/', at)  # it works under a proxy's prefix
                for aim, place in re.findall(r'href="(\.\.?/manual[^"#.]*)?(?:#([^"]+))?"', text):
                    aim = urllib.parse.urljoin(at, aim)
                    self.assertIn(f'id="{place}"' if place else "<main>", read[aim], (at, aim, place))
            for aim in re.findall(r"\]\((/[^)]+)\)", get("/llms.txt")[1]):
                get(aim)
            for section in json.loads(get("/manual/search.json")[1]):
                self.assertIn(section["at"].split("#")[0], pages)
            places = re.findall(r"^/\S+", get("/")[1], re.M)
            self.assertEqual(len(places), 4)
            for place in places:
                get(place)


if __name__ == "__main__":
    unittest.main()
