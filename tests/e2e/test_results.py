"""Results that wait for their pushers, as operators see them. JUNBAN_ENGINE says which engine decides."""

import unittest

from harness import OneMaster, success


class Results(OneMaster):
    def succeed(self, name, result, **fields):
        self.client.ok("POST", "/v1/jobs", {"name": name, "keep_result": True, **fields})
        job = self.client.ok("POST", "/v1/claims", {"worker": "w", "names": [name]})["jobs"][0]
        report = success(job, result)
        del report["id"]
        self.client.ok("POST", f"/v1/jobs/{job['id']}/outcome", report)
        return job["id"]

    def listed(self):
        """Page by page."""
        found, cursor = [], ""
        while True:
            page = self.client.ok("GET", f"/v1/results?limit=2{cursor}")
            found += page["results"]
            if "next" not in page:
                self.assertEqual(page["total"], len(found))
                return found
            cursor = f"&cursor={page['next']}"

    def test_results_are_listed_extended_discarded_and_survive_a_kill(self):
        made = [self.succeed("a", n, result_ttl=ttl) for n, ttl in enumerate((3000, 1000, 2000))]
        self.assertEqual([row["id"] for row in self.listed()], [made[1], made[2], made[0]])
        self.assertEqual({row["name"] for row in self.listed()}, {"a"})
        self.client.ok("PATCH", f"/v1/jobs/{made[1]}/result", {"ttl": 4000})
        self.assertEqual(self.client.request("DELETE", f"/v1/jobs/{made[2]}/result")[0], 200)
        self.master.kill()
        self.master.start()
        self.client.close()
        rows = self.listed()
        self.assertEqual([row["id"] for row in rows], [made[0], made[1]])
        self.assertGreater(rows[0]["bytes"], 0)
        self.assertEqual(self.client.ok("GET", f"/v1/jobs/{made[1]}/result")["result"], 1)
        self.assertEqual([row["id"] for row in self.listed()], [made[0]])
        for method, body in (("PATCH", {"ttl": 10}), ("DELETE", None)):
            status, problem = self.client.request(method, f"/v1/jobs/{made[1]}/result", body)
            self.assertEqual((status, problem["reason"]), (404, "result_not_found"))


if __name__ == "__main__":
    unittest.main()
