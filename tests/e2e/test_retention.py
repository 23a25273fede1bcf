"""How long jobs that ended are kept. JUNBAN_ENGINE says which engine decides."""

import unittest

from harness import Client, Master, now, until


class Retention(unittest.TestCase):
    def setUp(self):
        self.master = Master()
        self.addCleanup(self.master.__exit__)
        self.master.start()
        self.client = Client(self.master.port)

    def ended(self, name, count):
        """The ids of jobs of this name that have succeeded."""
        ids = []
        for _ in range(count):
            ids.append(self.client.ok("POST", "/v1/jobs", {"name": name})["id"])
            job = self.client.ok("POST", "/v1/claims", {"worker": "w", "names": [name]})["jobs"][0]
            report = {"lease": job["lease"], "type": "success", "result": None, "finished_at": now()}
            self.client.ok("POST", f"/v1/jobs/{job['id']}/outcome", report)
        return ids

    def kept(self):
        return {job["id"] for job in self.client.ok("GET", "/v1/jobs?state=succeeded&limit=500")["jobs"]}

    def test_a_change_reaches_jobs_that_are_there_and_survives_a_kill(self):
        many, few = self.ended("many", 5), self.ended("few", 5)
        self.client.ok("PUT", "/v1/retention/few", {"succeeded": {"count": 2}})
        until(lambda: self.kept() == {*many, *few[3:]}, what="few of that name")
        self.master.kill()
        self.master.start()
        self.client.close()
        settings = self.client.ok("GET", "/v1/retention")
        self.assertEqual([(row["name"], row["succeeded"]) for row in settings["names"]], [("few", {"count": 2})])
        few += self.ended("few", 1)
        until(lambda: self.kept() == {*many, *few[4:]}, what="few of that name")
        self.client.ok("PUT", "/v1/retention", {"succeeded": {"count": 3}})
        until(lambda: self.kept() == {many[4], *few[4:]}, what="few of all")
        self.client.ok("DELETE", "/v1/retention/few")
        few += self.ended("few", 1)
        until(lambda: self.kept() == set(few[4:]), what="few of all, of that name, too")

    def test_a_name_keeps_its_jobs_longer_than_all_others(self):
        self.client.ok("PUT", "/v1/retention/long", {"succeeded": {"age": 3600}})
        self.client.ok("PUT", "/v1/retention", {"succeeded": {"age": 1}})
        long = self.ended("long", 2)
        short = self.ended("short", 2)
        until(lambda: self.kept() == set(long), what="the end of the others")
        long += self.ended("long", 1)
        self.assertTrue(set(long) <= self.kept())
        self.assertFalse(set(short) & self.kept())
        self.client.ok("DELETE", "/v1/retention/long")
        until(lambda: not self.kept(), what="the end of all")


if __name__ == "__main__":
    unittest.main()
