"""A thousand jobs with nested, binary and very large arguments go through a master and come back byte for byte, once."""

import random
import subprocess
import threading
import unittest

import msgpack

from harness import Client, Master, success, until


def argument(source, depth=0):
    kind = source.randrange(10 if depth < 4 else 7)
    if kind == 0:
        return source.choice([None, True, False])
    if kind == 1:
        return source.choice([0, -1, 2**63 - 1, -(2**63), 2**64 - 1, 2**53 + 1, source.getrandbits(64)])
    if kind == 2:
        return source.choice([0.1, -0.0, 1e308, float("inf"), 5e-324])
    if kind in (3, 4):
        return "".join(source.choice("aé日😀\n\"\\") for _ in range(source.randrange(40)))
    if kind == 5:
        return source.randbytes(source.randrange(300))
    if kind == 6:
        return msgpack.ExtType(source.randrange(0, 128), source.randbytes(source.randrange(40)))
    if kind in (7, 8):
        return [argument(source, depth + 1) for _ in range(source.randrange(6))]
    return {source.choice(["key", "$bin", "日本", 7, -3, b"k"][: 6]): argument(source, depth + 1) for _ in range(source.randrange(5))}


class RoundTrip(unittest.TestCase):
    def test_a_thousand_arguments_and_results_come_back_byte_for_byte_and_once(self):
        seed = random.randrange(2**32)
        print("seed", seed)
        source = random.Random(seed)
        arguments = [argument(source) for _ in range(1000)]
        with Master() as master:
            client = Client(master.port)
            ids = []
            for at in range(0, 1000, 100):
                jobs = [{"name": "echo", "argument": a, "keep_result": True} for a in arguments[at : at + 100]]
                ids += [r["id"] for r in client.ok("POST", "/v1/jobs/batch", {"jobs": jobs})["results"]]
            self.assertEqual(len(set(ids)), 1000)
            seen, twice = {}, []
            lock = threading.Lock()

            def work(number):
                worker = Client(master.port)
                done = []
                while True:
                    body = {"worker": f"w{number}", "outcomes": done, "claim": {"limit": 7, "wait": 1}}
                    jobs = worker.ok("POST", "/v1/outcomes", body)["jobs"]
                    if not jobs:
                        return
                    with lock:
                        for job in jobs:
                            if job["id"] in seen:
                                twice.append(job["id"])
                            seen[job["id"]] = msgpack.packb(job["argument"])
                    done = [success(job, job["argument"]) for job in jobs]

            workers = [threading.Thread(target=work, args=(n,)) for n in range(4)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join(60)
            self.assertEqual(twice, [])
            for identity, sent in zip(ids, arguments):
                self.assertEqual(seen[identity], msgpack.packb(sent))
                outcome = client.ok("GET", f"/v1/jobs/{identity}/result?wait=5")
                self.assertEqual(msgpack.packb(outcome["result"]), msgpack.packb(sent))
                self.assertEqual(sorted(outcome), ["finished_at", "result", "type"])
                self.assertIsNone(client.ok("GET", f"/v1/jobs/{identity}/result"))

    def test_a_waiting_worker_gets_a_job_at_once_and_a_waiting_pusher_its_result(self):
        with Master() as master:
            claimed = []
            worker = threading.Thread(
                target=lambda: claimed.extend(Client(master.port).ok("POST", "/v1/claims", {"worker": "w", "wait": 30})["jobs"])
            )
            worker.start()
            client = Client(master.port)
            job = client.ok("POST", "/v1/jobs", {"name": "a", "keep_result": True})
            worker.join(10)
            self.assertEqual(claimed[0]["id"], job["id"])
            results = []
            pusher = threading.Thread(target=lambda: results.append(Client(master.port).ok("GET", f"/v1/jobs/{job['id']}/result?wait=30")))
            pusher.start()
            report = success(claimed[0], "done")
            del report["id"]
            client.ok("POST", f"/v1/jobs/{job['id']}/outcome", report)
            pusher.join(10)
            self.assertEqual(results[0]["result"], "done")

    def test_the_trace_context_of_a_request_is_its_jobs(self):
        first, second = ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333%d-01" % n for n in (1, 2))
        with Master() as master:
            client = Client(master.port)

            def push(context, **fields):
                status, answer = client.request("POST", "/v1/jobs", {"name": "traced", **fields}, fields={"traceparent": context})
                self.assertIn(status, (200, 201), answer)
                return answer

            plain, own, bad = push(first), push(first, trace="mine"), push("00-nothing-of-the-kind-01")
            keyed = push(first, idempotency_key="k")
            self.assertEqual(push(second, idempotency_key="k"), {**keyed, "duplicate": True})
            status, problem = client.request("POST", "/v1/jobs", {"name": "traced", "idempotency_key": "k", "trace": second})
            self.assertEqual((status, problem["code"]), (422, "idempotency_mismatch")) # as a field it counts
            batch = client.request("POST", "/v1/jobs/batch", {"jobs": [{"name": "traced"}, {"name": "traced", "trace": "mine"}]},
                                   fields={"traceparent": second})[1]["results"]
            expected = {plain["id"]: first, own["id"]: "mine", bad["id"]: None, keyed["id"]: first, batch[0]["id"]: second, batch[1]["id"]: "mine"}
            for job, trace in expected.items():
                self.assertEqual(client.ok("GET", f"/v1/jobs/{job}").get("trace"), trace)
            claimed = client.ok("POST", "/v1/claims", {"worker": "w", "limit": 10})["jobs"]
            self.assertEqual({job["id"]: job.get("trace") for job in claimed}, expected)

    def test_curl_speaks_json_with_64_bit_integers(self):
        with Master() as master:
            url = f"http://127.0.0.1:{master.port}"

            def curl(*words):
                return subprocess.run(["curl", "-sS", "-i", *words], capture_output=True, text=True, check=True).stdout

            body = '{"name": "a", "argument": {"big": 18446744073709551615, "raw": {"$bin": "AAEC"}}}'
            self.assertIn("201 Created", curl(f"{url}/v1/jobs", "-H", "Content-Type: application/json", "-d", body))
            answer = curl(f"{url}/v1/claims", "-H", "Content-Type: application/json", "-d", '{"worker": "curl"}')
            self.assertIn('"argument":{"big":18446744073709551615,"raw":{"$bin":"AAEC"}}', answer)
            wrong = curl(f"{url}/v1/jobs", "-H", "Content-Type: application/json", "-d", '{"name": "a", "priorty": 1}')
            self.assertIn("400 Bad Request", wrong)
            self.assertIn('"field":"priorty"', wrong)
            self.assertIn("200 OK", curl(f"{url}/readyz"))
            self.assertIn("421", curl(f"{url}/healthz", "-H", "Host: evil.example").split("\n")[0])

    def test_a_stop_answers_those_who_wait_and_ends_redis(self):
        with Master() as master:
            answers = []
            worker = threading.Thread(
                target=lambda: answers.append(Client(master.port).ok("POST", "/v1/claims", {"worker": "w", "wait": 60}))
            )
            worker.start()
            until(lambda: Client(master.port).overview(), what="an answer")
            import signal
            import time

            time.sleep(0.3)
            self.assertEqual(master.kill(signal.SIGTERM), 0)
            worker.join(10)
            self.assertEqual(answers, [{"jobs": []}])
            until(lambda: master.redis_pid() is None, what="Redis ended")


if __name__ == "__main__":
    unittest.main()
