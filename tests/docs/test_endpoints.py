"""docs/endpoints-*.md: the calls of each language run as one program, against a server that records the requests. They must be the
examples of the API's document; tests/contract/test_examples.py shows that a master accepts those."""

import http.server
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOADER = importlib.machinery.SourceFileLoader("endpoints", str(ROOT / "scripts/endpoints"))
endpoints = importlib.util.module_from_spec(importlib.util.spec_from_loader("endpoints", LOADER))
LOADER.exec_module(endpoints)

TOKEN = "jt_of_the_test"
# For each language: the ending of the file, the program made of the page's blocks, and the command that runs it.
PROGRAMS = {
    "curl": ("sh", "{helper}{calls}", ["bash", "-eu"]),
    "python": ("py", "{helper}\n{calls}", ["/usr/bin/python3", "-B"]),
    "node": ("js", "{helper}(async () => {{\n{calls}}})();\n", ["node"]),
    "php": ("php", "{helper}{calls}", ["php"]),
    "go": ("go", "{helper}func main() {{\n{calls}}}\n", ["go", "run"]),
}


class Recorder(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def note(self):
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        fields = {name: self.headers[name] for name in ("If-Match", "If-None-Match") if name in self.headers}
        assert self.headers["Authorization"] == f"Bearer {TOKEN}" and self.headers["Accept"] == "application/json"
        self.server.seen.append((self.command, self.path, json.loads(content) if content else ..., fields))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = note

    def log_message(self, *_):
        pass


class Endpoints(unittest.TestCase):
    maxDiff = None

    def test_every_call_of_every_language_sends_what_the_document_says(self):
        wanted = [call[1:] for call in endpoints.calls()]
        self.assertGreater(len(wanted), 70)
        for name, language in endpoints.LANGUAGES.items():
            with self.subTest(name):
                self.assertEqual(self.sent(name, language), wanted)

    def sent(self, name, language):
        ending, program, command = PROGRAMS[name]
        page = (ROOT / f"docs/endpoints-{name}.md").read_text(encoding="utf-8")
        helper, *calls = re.findall(rf"^```{language.block} call\n(.*?)^```$", page, re.M | re.S)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
        server.seen = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory, f"calls.{ending}")
            file.write_text(program.format(helper=helper, calls="".join(calls)), encoding="utf-8")
            environment = os.environ | {"JUNBAN_URL": f"http://127.0.0.1:{server.server_port}", "JUNBAN_TOKEN": TOKEN, "HOME": directory,
                                        "GOCACHE": f"{directory}/cache", "GOFLAGS": "-mod=mod"}
            ended = subprocess.run([*command, file], cwd=directory, env=environment, capture_output=True, text=True, timeout=180, check=False)
        self.assertEqual(ended.returncode, 0, ended.stdout[-2000:] + ended.stderr[-4000:])
        return server.seen


if __name__ == "__main__":
    unittest.main()
