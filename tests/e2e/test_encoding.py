"""The encoding of answers for a client that accepts any, as curl does: it sends `Accept: */*`."""

import json
import subprocess
import unittest

import msgpack

from harness import Client, Master, MSGPACK

JSON, PROBLEM = "application/json", "application/problem+json"


class Encoding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.master = Master()
        cls.master.start()
        cls.addClassCleanup(cls.master.__exit__)
        cls.client = Client(cls.master.port)

    def curl(self, path, *words, data=None):
        """(status, type, value) of the answer that curl gets."""
        given = ["--data-binary", "@-"] if data is not None else []
        command = ["curl", "-s", "-w", "\n%{http_code} %{content_type}", *given, *words, f"http://127.0.0.1:{self.master.port}{path}"]
        answer = subprocess.run(command, input=data, capture_output=True, timeout=60, check=True).stdout
        body, _, ended = answer.rpartition(b"\n")
        status, kind = ended.decode().split(" ", 1)
        return int(status), kind, msgpack.unpackb(body) if kind == MSGPACK else json.loads(body)

    def job(self):
        return self.client.ok("POST", "/v1/jobs", {"name": "curled"})["id"]

    def test_without_accept_and_body_the_answer_is_json(self):
        identity = self.job()
        for path in (f"/v1/jobs/{identity}", f"/v1/jobs/{identity}/result", f"/v1/jobs/{identity}/explain", "/v1/overview", "/v1/jobs", "/v1/names",
                     "/v1/matchers", "/v1/pauses", "/v1/held"):
            self.assertEqual(self.curl(path)[:2], (200, JSON), path)
            self.assertEqual(self.curl(path, "-H", "Accept:")[:2], (200, JSON), path)
            self.assertEqual(self.curl(path, "-H", f"Accept: {MSGPACK}")[:2], (200, MSGPACK), path)
        self.assertEqual(self.curl(f"/v1/jobs/{identity}/cancel", "-X", "POST"), (200, JSON, {"state": "cancelled"}))

    def test_the_answer_has_the_encoding_of_the_body(self):
        for kind, data in ((JSON, b'{"name": "curled"}'), (MSGPACK, msgpack.packb({"name": "curled"}))):
            self.assertEqual(self.curl("/v1/jobs", "-H", f"Content-Type: {kind}", data=data)[:2], (201, kind))
            # An encoding named in Accept takes precedence.
            other = MSGPACK if kind == JSON else JSON
            self.assertEqual(self.curl("/v1/jobs", "-H", f"Content-Type: {kind}", "-H", f"Accept: {other}", data=data)[:2], (201, other))
        self.assertEqual(self.curl("/v1/pause", "-H", f"Content-Type: {MSGPACK}", data=msgpack.packb({"reason": "x", "match": "false"}))[1], MSGPACK)

    def test_problems_are_json_unless_something_else_is_asked_for(self):
        unknown = "/v1/jobs/0192f0c1-2222-7333-8444-555555555555"
        for path, status in ((unknown, 404), ("/v1/nothing", 404), ("/v1/jobs?state=lost", 400), ("/v1/claims", 405)):
            answered, kind, problem = self.curl(path)
            self.assertEqual((answered, kind, problem["status"]), (status, PROBLEM, status), path)
            self.assertEqual(self.curl(path, "-H", f"Accept: {MSGPACK}")[:2], (status, MSGPACK), path)
        self.assertEqual(self.curl("/v1/jobs", data=b"name=x")[:2], (415, PROBLEM))
        self.assertEqual(self.curl("/v1/jobs", "-H", f"Content-Type: {MSGPACK}", data=msgpack.packb({"nmae": "x"}))[:2], (400, MSGPACK))
        self.assertEqual(self.curl("/v1/jobs", "-H", "Accept: image/png")[:2], (406, PROBLEM))


if __name__ == "__main__":
    unittest.main()
