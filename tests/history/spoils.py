"""Stories that only look faulty (CLEAN), and ways to spoil one event of a long history (SPOILS; false: there was nothing to spoil)."""

import copy

CLEAN = {}
SPOILS = {}


def clean(make):
    CLEAN[make.__name__.replace("_", " ")] = make
    return make


def spoil(make):
    SPOILS[make.__name__.replace("_", " ")] = make
    return make


@clean
def a_lost_answer_of_an_enqueue(s):
    s.push(outcome="unknown")
    s.push(duplicate=True)
    s.report(s.claim())
    return s.end()


@clean
def an_enqueue_never_answered_that_ran(s):
    s.push(outcome="unknown")
    s.report(s.claim())
    return s.end()


@clean
def the_same_report_again_after_the_next_claim(s):
    s.push(max_retry=1, backoff={"base": 0})
    first = s.claim()
    s.report(first, kind="failure", outcome="unknown")
    s.wait(10)
    second = s.claim(attempt=2)
    s.report(first, kind="failure", state="scheduled")
    s.report(second)
    return s.end()


@clean
def a_report_done_at_once_and_answered_after_the_next_attempt(s, **job):
    s.push(max_retry=1, backoff={"base": 0}, **job)
    first = s.claim()
    refused = s.report(first, kind="failure", outcome="fail")
    second = s.claim(attempt=2)
    s.report(second)
    refused["complete"] = s.time
    return s.wait(1).end()


@clean
def the_same_of_a_unique_job(s):
    return a_report_done_at_once_and_answered_after_the_next_attempt(s, unique={"key": "u"})


@clean
def a_late_success_before_the_next_claim(s):
    s.push(max_retry=1)
    job = s.claim(lease_ms=1000)
    s.wait(1500)
    s.report(job)
    return s.end()


@clean
def a_receipt_repeated_in_time(s):
    s.push(keep_result=True)
    s.report(s.claim())
    s.fetch(receipt="r", outcome="unknown")
    s.fetch(receipt="r")
    s.fetch(answer="gone")
    return s.end()


@clean
def a_result_lost_with_its_answer(s):
    s.push(keep_result=True)
    s.report(s.claim())
    s.fetch(outcome="unknown")
    s.fetch(answer="gone")
    return s.end()


@clean
def an_attempt_nobody_saw(s):
    s.push(max_retry=2)
    s.claim(lease_ms=1000)
    s.wait(9000)
    s.report(s.claim(attempt=3))
    return s.end()


@clean
def undone_by_a_kill_of_redis(s):
    s.push("j1", max_retry=3)
    s.wait(3000)
    first = s.claim("j1")
    s.report(first)
    s.push("j2")
    s.lines.append({"op": "fault", "kind": "redis", "at": s.time, "shaky_ms": 2000})
    s.wait(100)
    s.report(s.claim("j1", lease="1.again"))
    return s.end(j1="succeeded", j2=None)


@clean
def an_operator_runs_it_again(s):
    s.push(keep_result=True)
    s.report(s.claim(), kind="failure", state="failed", should_retry=False)
    s.fetch(type="failure", reason="other")
    s.add("retry", id="j1", state="ready")
    s.report(s.claim(attempt=2))
    s.fetch()
    return s.end()


@clean
def unique_pushers_wait_for_one_job(s):
    s.push("j1", mark="m1", key="k1", unique={"key": "u"})
    s.push("j1", mark="m2", key="k2", duplicate=True, unique={"key": "u"}, keep_result=True)
    s.report(s.claim("j1", mark="m1", argument="arg-m1", keep_result=True))
    s.push("j2", unique={"key": "u"})
    s.report(s.claim("j2"))
    return s.end(j1="succeeded", j2="succeeded")


@clean
def a_unique_job_whose_first_start_nobody_heard_of(s):
    s.push("j1", unique={"key": "u", "until": "started"}, max_retry=3, backoff={"base": 0})
    s.push("j2", unique={"key": "u", "until": "started"})  # the answer to a claim of j1 was lost before this
    s.report(s.claim("j2"))
    s.wait(40_000)
    s.report(s.claim("j1", attempt=2, max_retry=3))
    return s.end(j1="succeeded", j2="succeeded")


@clean
def a_unique_job_that_died_of_claims_nobody_heard_of(s):
    s.push("j1", unique={"key": "u"}, max_retry=3)
    s.wait(5000)
    ended = s.time
    s.push("j2", unique={"key": "u"})
    s.report(s.claim("j2"))
    s.push("j3", unique={"key": "u", "on_conflict": "replace"})
    s.report(s.claim("j3"))
    s.add("final", id="j1", present=True, state="failed", attempts=[{"attempt": 1, "started": ended - 2000, "ended": ended}])
    return s.end(j2="succeeded", j3="succeeded")


@clean
def a_replacing_push_that_was_asked_first_and_done_last(s):
    replacing = s.push("j2", unique={"key": "u", "on_conflict": "replace"})
    s.push("j1", unique={"key": "u"})
    s.wait(100)
    replacing["complete"] = s.time  # it waited for Redis, and then cancelled j1
    s.report(s.claim("j2"))
    s.push("j3", unique={"key": "u"})
    s.report(s.claim("j3"))
    s.push("j4", unique={"key": "u", "on_conflict": "replace"})
    s.report(s.claim("j4"))
    return s.end(j1="cancelled", j2="succeeded", j3="succeeded", j4="succeeded")


@clean
def a_worse_job_was_wanted_by_name(s):
    s.push("j1", priority=1)
    s.push("j2", priority=2, name="b")
    s.report(s.claim("j2", priority=2, name="b", names=["b"]))
    s.wait(10)
    s.report(s.claim("j1", priority=1))
    return s.end(j1="succeeded", j2="succeeded")


@clean
def a_limit_kept_by_releases(s):
    s.lines.append({"op": "limit", "bucket": "db", "concurrency": 1})
    s.lines.append({"op": "limit", "bucket": "db", "rate": 2, "per_ms": 1000, "burst": 0})
    for number in (1, 2, 3):
        s.push(f"j{number}", buckets=["db"])
        s.report(s.claim(f"j{number}"))
        s.wait(1000)
    return s.end(j1="succeeded", j2="succeeded", j3="succeeded")


@clean
def a_release_that_was_repeated_after_the_next_attempt(s):
    s.push("j1", unique={"key": "u"}, max_retry=3)
    lease = s.claim("j1", max_retry=3)["lease"]
    s.wait(70)
    release = s.add("release", id="j1", lease=lease, outcome="fail", code="lease_lost")
    s.report(s.claim("j1", attempt=2, max_retry=3))
    release["complete"] = s.time  # it was done; the answer was lost, and it was asked again only now
    return s.end()


@clean
def an_edited_job(s):
    s.push(priority=1, max_retry=0)
    s.add("edit", id="j1", fields={"priority": 4, "max_retry": 1}, state="ready")
    s.report(s.claim(priority=4, max_retry=1), kind="failure", state="scheduled")
    s.wait(3000)
    s.report(s.claim(attempt=2, priority=4))
    return s.end()


@clean
def a_follow_up_after_its_parent(s):
    s.push("j1", then=[{"name": "a", "mark": "j2"}])
    s.report(s.claim("j1"))
    s.report(s.claim("j2", argument=None))
    return s.end(j1="succeeded", j2="succeeded")


# --- Spoiling long histories -----------------------------------------------------------------------------------------------------
def pick(lines, source, fits):
    found = [line for line in lines if fits(line)]
    return source.choice(found) if found else None


def of(lines, op, identity):
    return [line for line in lines if line.get("op") == op and line.get("id") == identity]


def claimed(lines, identity):
    return [job for line in lines if line.get("op") == "claim" for job in line["jobs"] if job["id"] == identity]


def any_claim(lines, source):
    line = pick(lines, source, lambda line: line.get("op") == "claim" and line["jobs"])
    return line, source.choice(line["jobs"])


@spoil
def lose_a_job(lines, source):
    acknowledged = {line["id"] for line in lines if line["op"] == "enqueue" and line["outcome"] == "ok"}
    final = pick(lines, source, lambda line: line["op"] == "final" and line["id"] in acknowledged)
    final["present"] = False
    return True


@spoil
def leave_a_job_running(lines, source):
    acknowledged = {line["id"] for line in lines if line["op"] == "enqueue" and line["outcome"] == "ok"}
    pick(lines, source, lambda line: line["op"] == "final" and line["id"] in acknowledged)["state"] = "running"
    return True


@spoil
def forget_a_success(lines, source):
    done = {line["id"] for line in lines if line["op"] == "report" and line.get("state") == "succeeded"}
    pick(lines, source, lambda line: line["op"] == "final" and line["id"] in done)["state"] = "failed"
    return True


@spoil
def invent_an_execution(lines, source):
    _, job = any_claim(lines, source)
    job["id"], job["mark"] = "j99999", "j99999"
    return True


@spoil
def change_an_argument(lines, source):
    any_claim(lines, source)[1]["argument"] = "arg-other"
    return True


@spoil
def hand_a_lease_out_twice(lines, source):
    line, job = any_claim(lines, source)
    again = copy.deepcopy(line)
    again["jobs"] = [dict(job)]
    for field in ("invoke", "complete"):
        again[field] += 1
    lines.append(again)
    return True


@spoil
def start_again_while_the_lease_holds(lines, source):
    line, job = any_claim(lines, source)
    again = copy.deepcopy(line)
    again["jobs"] = [dict(job, attempt=job["attempt"] + 1, lease=job["lease"] + "x", at=job["at"] + 0.5, expires=job["at"] + 99)]
    ends = [one["invoke"] for one in lines if one["op"] in ("report", "release") and one.get("lease") == job["lease"]]
    if job["expires"] < job["at"] + 2 or any(end <= job["at"] + 2 for end in ends):
        return False
    lines.append(again)
    return True


@spoil
def run_again_after_a_success(lines, source):
    report = pick(lines, source, lambda line: line["op"] == "report" and line.get("state") == "succeeded")
    jobs = claimed(lines, report["id"])
    at = report["complete"] + 50
    lines.append({"op": "claim", "client": "x", "invoke": at - 5, "complete": at + 5, "outcome": "ok", "names": None,
                  "jobs": [dict(jobs[-1], attempt=99, lease="99.x", at=at, expires=at + 1000)]})
    return True


@spoil
def accept_a_refused_report(lines, source):
    report = pick(lines, source, lambda line: line["op"] == "report" and line["outcome"] == "fail"
                  and any(job["at"] + 2 < line["invoke"] and int(job["lease"].split(".")[0]) > int(line["lease"].split(".")[0])
                          for job in claimed(lines, line["id"])))
    if not report:
        return False
    report.update(outcome="ok", state="succeeded", type="success")
    return True


@spoil
def accept_a_guessed_lease(lines, source):
    report = pick(lines, source, lambda line: line["op"] == "report" and line["outcome"] == "ok")
    lines.append(dict(report, lease="7.guessed"))
    return True


@spoil
def run_a_cancelled_job(lines, source):
    cancel = pick(lines, source, lambda line: line["op"] == "cancel" and line["outcome"] == "ok")
    if not cancel:
        return False
    push = next(line for line in lines if line["op"] == "enqueue" and line["mark"] == cancel["id"])
    at = cancel["complete"] + 50
    lines.append({"op": "claim", "client": "x", "invoke": at - 5, "complete": at + 5, "outcome": "ok", "names": None,
                  "jobs": [{"id": cancel["id"], "mark": cancel["id"], "name": push["spec"]["name"], "priority": push["spec"]["priority"],
                            "attempt": 99, "lease": "99.x", "at": at, "expires": at + 1000}]})
    return True


@spoil
def change_a_result(lines, source):
    fetch = pick(lines, source, lambda line: line["op"] == "fetch" and line.get("answer") == "ready")
    if not fetch:
        return False
    fetch["digest"] = "other"
    return True


@spoil
def give_a_result_twice(lines, source):
    fetch = pick(lines, source, lambda line: line["op"] == "fetch" and line.get("answer") == "ready")
    if not fetch:
        return False
    lines.append(dict(fetch))
    return True


@spoil
def lose_a_result(lines, source):
    fetch = pick(lines, source, lambda line: line["op"] == "fetch" and line.get("answer") == "ready"
                 and of(lines, "report", line["id"])[-1]["outcome"] == "ok"
                 and of(lines, "report", line["id"])[-1]["complete"] + 2 < line["invoke"])
    if not fetch:
        return False
    fetch.update(answer="gone", type=None, digest=None)
    lines[:] = [line for line in lines if line is fetch or line.get("op") != "fetch" or line["id"] != fetch["id"]]
    return True


@spoil
def start_a_delayed_job_early(lines, source):
    push = pick(lines, source, lambda line: line["op"] == "enqueue" and line["spec"].get("delay", 0) > 0.1 and claimed(lines, line["mark"]))
    if not push:
        return False
    claimed(lines, push["mark"])[0]["at"] = push["invoke"] + 50
    return True


@spoil
def retry_too_early(lines, source):
    report = pick(lines, source, lambda line: line["op"] == "report" and line.get("state") == "scheduled"
                  and any(job["attempt"] == int(line["lease"].split(".")[0]) + 1 for job in claimed(lines, line["id"])))
    if not report:
        return False
    following = next(job for job in claimed(lines, report["id"]) if job["attempt"] == int(report["lease"].split(".")[0]) + 1)
    following["at"] = report["complete"] + 10
    return True


@spoil
def take_a_worse_job_first(lines, source):
    """A job of the best priority waits from the beginning of the history to its end, and is taken by the last claim."""
    first = next(line for line in lines if line["op"] == "enqueue")
    last = max(job["at"] for line in lines if line["op"] == "claim" for job in line["jobs"])
    spec = dict(first["spec"], priority=-99, name="a", delay=0)
    lines.append(dict(first, outcome="ok", complete=first["invoke"] + 1, id="j00000", mark="j00000", key="j00000", spec=spec, state="ready",
                      duplicate=False, argument="arg-j00000"))
    lines.append({"op": "claim", "client": "x", "invoke": last + 50, "complete": last + 60, "outcome": "ok", "names": None,
                  "jobs": [{"id": "j00000", "mark": "j00000", "name": "a", "priority": -99, "attempt": 1, "lease": "1.j00000",
                            "at": last + 55, "expires": last + 9999}]})
    return True
