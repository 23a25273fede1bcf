"""Faults to plant that only several jobs together show."""

from plants import planted


# --- H5
@planted("H5 inversion")
def priority_inversion(s):
    s.push("j1", priority=5)
    s.push("j2", priority=1)
    s.report(s.claim("j1", priority=5))
    s.wait(10)
    s.report(s.claim("j2", priority=1))
    return s.end(j1="succeeded", j2="succeeded")


@planted("H5 inversion")
def last_come_first_served(s):
    s.push("j1")
    s.push("j2")
    s.report(s.claim("j2"))
    s.wait(10)
    s.report(s.claim("j1"))
    return s.end(j1="succeeded", j2="succeeded")


@planted("H5 inversion")
def a_released_job_is_passed_over(s):
    s.push("j1", priority=1)
    s.push("j2", priority=2)
    job = s.claim("j1", priority=1)
    s.add("release", id="j1", lease=job["lease"], state="ready")
    s.wait(10)
    s.report(s.claim("j2", priority=2))
    s.wait(10)
    s.report(s.claim("j1", attempt=2, priority=1))
    return s.end(j1="succeeded", j2="succeeded")


@planted("H5 order")
def an_answer_out_of_order(s):
    s.push("j1", priority=1)
    s.push("j2", priority=2)
    jobs = []
    for identity, priority in (("j2", 2), ("j1", 1)):
        jobs += s.claim(identity, priority=priority) and s.lines.pop()["jobs"]
    for job in jobs:
        job["at"] = s.time
    s.add("claim", jobs=jobs)
    for job in jobs:
        s.report(job)
    return s.end(j1="succeeded", j2="succeeded")


@planted("H5 arrival")
def a_later_job_is_numbered_earlier(s):
    s.push("j5")
    s.wait(5000)
    s.push("j1")
    s.report(s.claim("j1"))
    s.report(s.claim("j5"))
    return s.end(j1="succeeded", j5="succeeded")


# --- What follows
@planted("H1 lost follow-up")
def a_follow_up_that_never_came(s):
    s.push("j1", then=[{"name": "a", "mark": "j2"}])
    s.report(s.claim("j1"))
    return s.end(j1="succeeded")


# --- H6
@planted("H6 limit")
def limit_exceeded(s):
    s.lines.append({"op": "limit", "bucket": "db", "concurrency": 2})
    for number in (1, 2, 3):
        s.push(f"j{number}", buckets=["db"])
        s.claim(f"j{number}")
    return s.end(j1="failed", j2="failed", j3="failed")


@planted("H6 rate")
def rate_exceeded(s):
    s.lines.append({"op": "limit", "bucket": "api", "rate": 3, "per_ms": 1000, "burst": 1})
    for number in range(5):
        s.push(f"j{number}", buckets=["api"])
        s.report(s.claim(f"j{number}"))
    return s.end(**{f"j{number}": "succeeded" for number in range(5)})


# --- unique
@planted("unique")
def two_living_unique_jobs(s):
    s.push("j1", unique={"key": "u"})
    s.push("j2", unique={"key": "u"})
    s.report(s.claim("j1"))
    s.report(s.claim("j2"))
    return s.end(j1="succeeded", j2="succeeded")


@planted("unique")
def a_unique_key_that_ended_at_the_start(s):
    s.push("j1", unique={"key": "u", "until": "finished"})
    first = s.claim("j1")
    s.push("j2", unique={"key": "u", "until": "finished"})
    s.report(first)
    s.report(s.claim("j2"))
    return s.end(j1="succeeded", j2="succeeded")


@planted("unique")
def one_that_replaces_runs_beside_the_running_one(s):
    s.push("j1", unique={"key": "u"})
    first = s.claim("j1")
    s.push("j2", unique={"key": "u", "on_conflict": "replace"}, state="depends")
    second = s.claim("j2")
    s.report(first)
    s.report(second)
    return s.end(j1="succeeded", j2="succeeded")
