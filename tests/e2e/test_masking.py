"""Which values of jobs are hidden from whom, with real masters."""

import unittest

from harness import Client, Master, now

MASK = "••••"
NEW = {"If-None-Match": "*"}


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


class Masking(unittest.TestCase):
    def setUp(self):
        self.master = Master()
        self.master.start()
        self.addCleanup(self.master.__exit__)
        self.client = Client(self.master.port)
        self.tokens = {}
        for role in ("admin", "pusher", "worker", "viewer", "operator"):
            self.tokens[role] = self.create(role)

    def create(self, *roles):
        by = bearer(self.tokens["admin"]) if self.tokens else None
        status, created = self.client.request("POST", "/v1/tokens", {"roles": roles}, fields=by)
        self.assertEqual(status, 201, created)
        return created["token"]

    def ask(self, role, method, path, body=None, fields=None):
        return self.client.request(method, path, body, fields={**bearer(self.tokens[role]), **(fields or {})})

    def ok(self, role, method, path, body=None, fields=None):
        status, answer = self.ask(role, method, path, body, fields)
        self.assertIn(status, (200, 201), answer)
        return answer

    def arguments(self, role, query=""):
        return [job["argument"] for job in self.ok(role, "GET", "/v1/jobs" + query)["jobs"]]

    def mask(self, identity, expression, *places, fields=None):
        return self.ok("operator", "PUT", f"/v1/matchers/{identity}", {"title": identity, "expression": expression, "mask": list(places)},
                       fields=fields or NEW)

    def test_keys_are_hidden_from_viewers_and_in_lists_and_operators_reveal_them(self):
        argument = {"to": "a", "password": "hunter2", "in": [{"Api_Key": 7}]}
        hidden = {"to": "a", "password": MASK, "in": [{"Api_Key": MASK}]}
        pushed = {"name": "n", "argument": argument, "max_retry": 0, "keep_result": True, "then": [{"name": "m", "argument": {"token": 1}}]}
        job = self.ok("pusher", "POST", "/v1/jobs", pushed)["id"]
        # The pusher and the worker of the job see all of it.
        self.assertEqual(self.ok("pusher", "GET", f"/v1/jobs/{job}")["argument"], argument)
        leased, = self.ok("worker", "POST", "/v1/claims", {"worker": "w"})["jobs"]
        self.assertEqual(leased["argument"], argument)
        self.assertEqual(self.ok("worker", "GET", f"/v1/jobs/{job}")["argument"], argument)
        self.tokens["another worker who may look"] = self.create("worker", "viewer")
        self.assertEqual(self.ok("another worker who may look", "GET", f"/v1/jobs/{job}")["argument"], hidden)
        report = {"lease": leased["lease"], "type": "failure", "reason": "other", "finished_at": now(), "should_retry": False,
                  "message": "m", "error": {"secret": "s", "code": 5}}
        self.ok("worker", "POST", f"/v1/jobs/{job}/outcome", report)
        for role in ("viewer", "operator", "admin"):
            self.assertEqual(self.arguments(role), [hidden], role)
            self.assertEqual(self.arguments(role, "?state=failed"), [hidden], role)
            shown = self.ok(role, "GET", f"/v1/jobs/{job}")
            self.assertEqual((shown["argument"], shown["masked"], shown["outcome"]["error"]), (hidden, True, {"secret": MASK, "code": 5}), role)
            self.assertEqual(shown["then"][0]["argument"], {"token": MASK}, role)
            group, = self.ok(role, "GET", "/v1/failures")["groups"]
            rows = self.ok(role, "GET", f"/v1/failures/{group['signature']}")["jobs"]
            self.assertEqual([row["argument"] for row in rows], [hidden], role)
        status, problem = self.ask("viewer", "GET", f"/v1/jobs/{job}?reveal=true")
        self.assertEqual((status, problem["code"], problem["field"]), (403, "forbidden", "reveal"))
        shown = self.ok("operator", "GET", f"/v1/jobs/{job}?reveal=true")
        self.assertEqual((shown["argument"], shown["outcome"]["error"], "masked" in shown), (argument, report["error"], False))
        # A peek at the result hides values, and an edit may not send a hidden value back.
        self.assertEqual(self.ok("operator", "GET", f"/v1/jobs/{job}/result?peek=true")["error"], {"secret": MASK, "code": 5})
        self.assertEqual(self.ok("operator", "GET", f"/v1/jobs/{job}/result?peek=true&reveal=true")["error"], report["error"])
        status, problem = self.ask("operator", "PATCH", f"/v1/jobs/{job}", {"argument": hidden})
        self.assertEqual((status, problem["field"]), (400, "argument"))
        edited = self.ok("operator", "PATCH", f"/v1/jobs/{job}", {"argument": {"token": "new"}})
        self.assertEqual((edited["argument"], edited["history"][-1]["details"]["argument"]), ({"token": MASK}, hidden))
        self.assertEqual(self.ok("pusher", "GET", f"/v1/jobs/{job}/result")["error"], report["error"])
        # The log has each reveal, but no hidden value.
        log = self.master.log()
        self.assertEqual(log.count("was shown the hidden values"), 2, log)
        self.assertNotIn("hunter2", log)

    def test_a_matchers_places_are_hidden_at_every_master_once_it_is_saved(self):
        argument = {"card": {"number": "4111", "holder": "A"}, "others": [{"number": "5"}]}
        job = self.ok("pusher", "POST", "/v1/jobs", {"name": "pay", "argument": argument})["id"]
        other = self.ok("pusher", "POST", "/v1/jobs", {"name": "other", "argument": argument})["id"]
        redis = ["--redis", f"unix://{self.master.directory}/redis.sock", "--pepper-file", f"{self.master.directory}/pepper"]
        with Master(arguments=redis) as second:
            here, self.client = self.client, Client(second.port)
            self.assertEqual(self.ok("viewer", "GET", f"/v1/jobs/{job}")["argument"], argument)
            there, self.client = self.client, here
            saved = self.mask("cards", "job.name == 'pay'", "argument.card.number", "argument.others.*.number")
            self.assertEqual(saved["mask"], ["argument.card.number", "argument.others.*.number"])
            hidden = {"card": {"number": MASK, "holder": "A"}, "others": [{"number": MASK}]}
            for self.client in (there, here):
                self.assertEqual(self.ok("viewer", "GET", f"/v1/jobs/{job}")["argument"], hidden)
                self.assertEqual(self.ok("viewer", "GET", f"/v1/jobs/{other}")["argument"], argument)
            there.close()
        self.client = here
        # A matcher whose expression fails for a job hides its places in that job.
        self.mask("fails", "job.argument.nothing == 1", "argument.others")
        self.assertEqual(self.ok("viewer", "GET", f"/v1/jobs/{other}")["argument"], {**argument, "others": MASK})
        self.mask("cards", "job.name == 'pay'", fields={"If-Match": f'"{saved["revision"]}"'})
        self.assertEqual(self.ok("viewer", "GET", f"/v1/jobs/{job}")["argument"], {**argument, "others": MASK})
        status, problem = self.ask("operator", "PUT", "/v1/matchers/bad", {"title": "t", "expression": "true", "mask": ["argument.a", "card"]}, NEW)
        self.assertEqual((status, problem["field"]), (400, "mask"))

    def test_expressions_of_viewers_do_not_see_what_is_hidden(self):
        for name in ("first", "second"):
            self.ok("pusher", "POST", "/v1/jobs", {"name": name, "argument": {"password": "hunter2" if name == "first" else "other"}})
        guess = "job.argument.password.startsWith('hunter')"
        quoted = "/v1/jobs?match=" + guess.replace("'", "%27")
        self.assertEqual([len(self.ok(role, "GET", quoted)["jobs"]) for role in ("viewer", "operator")], [0, 1])
        self.assertEqual(len(self.ok("viewer", "GET", "/v1/jobs?match=has(job.argument.password)")["jobs"]), 2)
        preview = {"expression": guess, "constraints": [{"kind": "concurrency", "limit": 1, "by": ["job.argument.password"]}]}
        matched = {role: self.ok(role, "POST", "/v1/matchers/preview", preview)["states"][0]["matched"] for role in ("viewer", "operator")}
        self.assertEqual(matched, {"viewer": 0, "operator": 1})
        job = self.ok("viewer", "GET", "/v1/jobs?name=first")["jobs"][0]["id"]
        tried = {role: self.ok(role, "POST", "/v1/matchers/preview", {"expression": guess, "test": {"job": job}})["test"]["matches"]
                 for role in ("viewer", "operator")}
        self.assertEqual(tried, {"viewer": False, "operator": True})
        shown = self.ok("viewer", "POST", "/v1/matchers/preview", {**preview, "expression": "true"})
        self.assertNotIn("hunter2", str(shown))

    def test_expressions_of_operators_are_not_told_to_viewers(self):
        self.ok("pusher", "POST", "/v1/jobs", {"name": "a", "argument": {"password": "hunter2"}})
        asked = {"name": "a", "match": "job.argument.password == 'hunter2'"}
        view = self.ok("operator", "POST", "/v1/views", asked)["view"]
        token = self.ok("operator", "POST", "/v1/operations", {"action": "cancel", "view": view, "dry_run": True})["token"]
        self.assertEqual(self.ask("operator", "POST", "/v1/operations", {"token": token})[0], 202)
        for path in (f"/v1/views/{view}", f"/v1/operations/{token}", "/v1/operations"):
            answers = {role: self.ok(role, "GET", path) for role in ("viewer", "operator")}
            told = {role: answer.get("operations", [answer])[0]["selection"] for role, answer in answers.items()}
            self.assertEqual(told, {"viewer": {"name": "a"}, "operator": asked}, path)
        own = self.ok("viewer", "POST", "/v1/views", asked)["view"]
        self.assertEqual(self.ok("viewer", "GET", f"/v1/views/{own}")["selection"], asked)

    def test_jobs_of_schedules_are_hidden_from_viewers_and_in_lists(self):
        argument = {"token": "t", "plain": 1}
        body = {"every": 3600, "job": {"name": "s", "argument": argument, "then": [{"name": "next", "argument": {"token": "u", "iban": 7}}]}}
        self.ok("operator", "PUT", "/v1/schedules/s", body, NEW)
        self.mask("ibans", "job.name == 'next'", "argument.iban")
        for role, path in (("viewer", ""), ("operator", ""), ("viewer", "/s")):
            answer = self.ok(role, "GET", "/v1/schedules" + path)
            schedule = answer if path else answer["schedules"][0]
            self.assertEqual((schedule["job"]["argument"], schedule["masked"]), ({"token": MASK, "plain": 1}, True), (role, path))
            self.assertEqual(schedule["job"]["then"][0]["argument"], {"token": MASK, "iban": MASK}, (role, path))
        whole = self.ok("operator", "GET", "/v1/schedules/s")
        self.assertEqual((whole["job"], "masked" in whole), (body["job"], False))
        status, problem = self.ask("operator", "PUT", "/v1/schedules/s", {**body, "job": schedule["job"]}, {"If-Match": '"1"'})
        self.assertEqual((status, problem["field"]), (400, "job"))

    def test_the_keys_can_be_chosen(self):
        with Master(arguments=["--mask-keys", "iban,*pin"]) as master:
            client = Client(master.port)
            argument = {"IBAN": 1, "mypin": 2, "password": 3}
            job = client.ok("POST", "/v1/jobs", {"name": "n", "argument": argument})["id"]
            self.assertEqual(client.ok("GET", f"/v1/jobs/{job}")["argument"], {"IBAN": MASK, "mypin": MASK, "password": 3})
            self.assertEqual(client.ok("GET", f"/v1/jobs/{job}?reveal=true")["argument"], argument)


if __name__ == "__main__":
    unittest.main()
