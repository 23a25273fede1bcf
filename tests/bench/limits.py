"""What limits cost over the API. Each figure has a master of its own; those to be compared stand next to each other."""

from rig import Master, load


def matcher(master, name, expression, *constraints):
    master.call("PUT", f"/v1/matchers/{name}", {"title": name, "expression": expression, "constraints": list(constraints)}, **{"If-None-Match": "*"})


def never_binds(master):
    matcher(master, "wide", 'job.name.startsWith("bench")', {"kind": "concurrency", "limit": 1_000_000})


def by_name(count):
    """One of them is for the jobs that are measured, the others for other names."""
    def prepare(master):
        for number in range(count):
            name = "bench.job" if number == 0 else f"other.{number}"
            matcher(master, f"m{number}", f'job.name == "{name}"', {"kind": "concurrency", "limit": 1_000_000})
    return prepare


def held(count):
    def prepare(master):
        matcher(master, "one", 'job.name == "held"', {"kind": "concurrency", "limit": 1})
        master.call("POST", "/v1/jobs/batch", {"jobs": [{"name": "held", "priority": 10}] * (count + 1)})
        taken = master.call("POST", "/v1/claims", {"worker": "holder", "limit": 1, "lease": 3600})["jobs"]
        assert len(taken) == 1, taken
    return prepare


def one_at_a_time(master):
    matcher(master, "one", "true", {"kind": "concurrency", "limit": 1})


def figure(prepare, key, *words):
    def once():
        with Master() as master:
            prepare(master)
            return load(master.port, *words)[key]
    return once


def rows(jobs):
    cycle = ("cycle", "--connections", 16, "--jobs", jobs)
    enqueue = ("enqueue", "--connections", 50, "--jobs", jobs)
    latency = ("latency", "--rate", 200, "--jobs", 2000)
    handover = ("handover", "--jobs", 1000)
    return [
        ("full cycle with a limit that never binds", "/s", figure(never_binds, "jobs_per_s", *cycle)),
        ("enqueue with 1 matcher of its name", "/s", figure(by_name(1), "jobs_per_s", *enqueue)),
        ("enqueue with 1,000 matchers, 1 of its name", "/s", figure(by_name(1000), "jobs_per_s", *enqueue)),
        ("latency at 200/s beside 500 held jobs of higher priority, p50", "ms", figure(held(500), "p50_ms", *latency)),
        ("latency at 200/s beside 500 held jobs of higher priority, p99", "ms", figure(held(500), "p99_ms", *latency)),
        ("a freed slot to a waiting worker, p50", "ms", figure(one_at_a_time, "p50_ms", *handover)),
        ("a freed slot to a waiting worker, p99", "ms", figure(one_at_a_time, "p99_ms", *handover)),
    ]
