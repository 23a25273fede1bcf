"""Faults to plant: small stories with one each, under the rule that must find it."""

STORIES = {}


def planted(rule):
    def keep(make):
        STORIES[make.__name__.replace("_", " ")] = (rule, make)
        return make
    return keep


# --- H1
@planted("H1 lost job")
def lost_job(s):
    s.push()
    return s.end(j1=None)


@planted("H1 not read")
def job_nobody_looked_for(s):
    s.push()
    s.push("j2")
    s.report(s.claim())
    return s.end(j1="succeeded")


@planted("H1 unfinished")
def never_run(s):
    s.push()
    return s.end(j1="ready")


@planted("H1 lost success")
def success_forgotten(s):
    s.push()
    s.report(s.claim())
    return s.end(j1="failed")


@planted("H1 lost cancel")
def cancel_forgotten(s):
    s.push()
    s.report(s.claim(), outcome="unknown")
    s.add("cancel", id="j1", state="cancelled")
    return s.end(j1="succeeded")


@planted("H1 lost job")
def lost_long_before_redis_was_killed(s):
    s.push()
    s.wait(5000)
    s.lines.append({"op": "fault", "kind": "redis", "at": s.time, "shaky_ms": 2000})
    return s.end(j1=None)


# --- H2
@planted("H2 phantom")
def executed_but_never_enqueued(s):
    s.push()
    s.report(s.claim())
    s.claim("j9")
    return s.end()


@planted("H2 phantom")
def executed_before_enqueued(s):
    s.report(s.claim())
    s.push()
    return s.end()


@planted("H2 phantom")
def a_refused_enqueue_ran(s):
    s.add("enqueue", "fail", mark="j1", key="j1", spec={"name": "a"}, code="store_full")
    s.report(s.claim())
    return s.end()


@planted("H2 changed")
def another_priority(s):
    s.push(priority=1)
    s.report(s.claim(priority=2))
    return s.end()


@planted("H2 changed")
def two_jobs_mixed_up(s):
    s.push()
    s.push("j2")
    s.report(s.claim("j1", mark="j2", argument="arg-j2"))
    return s.end(j1="succeeded", j2="succeeded")


@planted("H2 wrong bytes")
def argument_changed(s):
    s.push()
    s.report(s.claim(argument="arg-other"))
    return s.end()


@planted("H2 phantom success")
def succeeded_by_itself(s):
    s.push()
    s.claim()
    return s.end()


@planted("H2 double enqueue")
def one_key_two_jobs(s):
    s.push("j1", mark="m", key="k")
    s.push("j2", mark="m", key="k")
    return s.end(j1="succeeded", j2="succeeded")


@planted("H2 double enqueue")
def pushed_once_ran_as_two(s):
    s.push("j1", outcome="unknown")
    s.report(s.claim("j1"))
    s.report(s.claim("j2", mark="j1", argument="arg-j1"))
    return s.end(j1="succeeded", j2="succeeded")


# --- H3
@planted("H3 overlap")
def leases_overlap(s):
    s.push(max_retry=3)
    s.claim(lease_ms=10_000)
    s.wait(5000)
    s.report(s.claim(attempt=2))
    return s.end()


@planted("H3 overlap")
def lease_renewed_and_yet_taken(s):
    s.push(max_retry=3)
    job = s.claim(lease_ms=1000)
    s.wait(500)
    s.add("heartbeat", id="j1", lease=job["lease"], expires=s.time + 2000)
    s.wait(1000)
    s.report(s.claim(attempt=2))
    return s.end()


@planted("H3 overlap")
def heartbeat_of_a_dead_lease(s):
    s.push(max_retry=3)
    job = s.claim(lease_ms=1000)
    s.wait(1500)
    second = s.claim(attempt=2)
    s.add("heartbeat", id="j1", lease=job["lease"], expires=s.time + 2000)
    s.report(second)
    return s.end()


@planted("H3 same lease")
def one_lease_for_two_workers(s):
    s.push()
    s.claim()
    s.report(s.claim())
    return s.end()


@planted("H3 attempt")
def attempt_does_not_grow(s):
    s.push(max_retry=3)
    s.claim(lease_ms=1000)
    s.wait(1500)
    s.report(s.claim(attempt=1, lease="1.other"))
    return s.end()


@planted("H3 overlap")
def the_record_overlaps_itself(s):
    s.push(max_retry=1)
    s.report(s.claim())
    s.add("final", id="j1", present=True, state="succeeded", attempts=[{"attempt": 1, "started": 10, "ended": 50},
                                                                      {"attempt": 2, "started": 40, "ended": 60}])
    return s.lines


@planted("H3 record")
def the_record_has_other_times(s):
    s.push()
    job = s.claim()
    s.report(job)
    s.add("final", id="j1", present=True, state="succeeded", attempts=[{"attempt": 1, "started": job["at"] - 50, "ended": job["at"]}])
    return s.lines


# --- H4
@planted("H4 double acceptance")
def accepted_twice(s):
    s.push(max_retry=3)
    first = s.claim(lease_ms=1000)
    s.wait(1500)
    second = s.claim(attempt=2)
    s.report(first)
    s.report(second)
    return s.end()


@planted("H4 stale report")
def a_stale_success_is_accepted(s):
    s.push(max_retry=3)
    first = s.claim(lease_ms=1000)
    s.wait(1500)
    s.claim(attempt=2)
    s.report(first)
    return s.end()


@planted("H4 stale report")
def a_stale_release_is_accepted(s):
    s.push(max_retry=3)
    first = s.claim(lease_ms=1000)
    s.wait(1500)
    second = s.claim(attempt=2)
    s.add("release", id="j1", lease=first["lease"], state="ready")
    s.report(second)
    return s.end()


@planted("H4 foreign lease")
def a_made_up_lease_is_accepted(s):
    s.push()
    job = s.claim()
    s.report({**job, "lease": "1.guessed"})
    return s.end()


@planted("H4 run after success")
def run_after_success(s):
    s.push(max_retry=3)
    s.report(s.claim(lease_ms=1000))
    s.wait(1500)
    s.claim(attempt=2)
    return s.end()


@planted("H4 run after cancel")
def run_after_cancel(s):
    s.push()
    s.add("cancel", id="j1", state="cancelled")
    s.claim()
    return s.end(j1="cancelled")


@planted("H4 executions")
def too_many_executions(s):
    s.push(max_retry=1)
    for attempt in (1, 2, 3):
        s.claim(attempt=attempt, lease_ms=1000)
        s.wait(4000)
    return s.end(j1="failed")


# --- H7
@planted("H7 wrong bytes")
def wrong_bytes_in_a_result(s):
    s.push(keep_result=True)
    s.report(s.claim(), digest="sent")
    s.fetch(digest="other")
    return s.end()


@planted("H7 wrong bytes")
def the_result_of_a_lost_attempt(s):
    s.push(keep_result=True, max_retry=1, backoff={"base": 0})
    first = s.claim(lease_ms=1000)
    s.wait(1500)
    second = s.claim(attempt=2)
    s.report(first, outcome="fail", digest="first")
    s.report(second, digest="second")
    s.fetch(digest="first")
    return s.end()


@planted("H7 wrong bytes")
def wrong_bytes_in_an_error(s):
    s.push(keep_result=True)
    s.report(s.claim(), kind="failure", state="failed", digest="sent")
    s.fetch(type="failure", reason="other", digest="other")
    return s.end(j1="failed")


@planted("H7 wrong bytes")
def one_receipt_two_objects(s):
    s.push(keep_result=True)
    job = s.claim()
    s.report(job, digest="a", outcome="unknown")
    s.report(job, digest="b")
    s.fetch(digest="a", receipt="r")
    s.fetch(digest="b", receipt="r")
    return s.end()


@planted("H7 twice")
def a_result_fetched_twice(s):
    s.push(keep_result=True)
    s.report(s.claim())
    s.fetch()
    s.fetch()
    return s.end()


@planted("H7 twice")
def fetched_by_two_receipts(s):
    s.push(keep_result=True)
    s.report(s.claim())
    s.fetch(receipt="r")
    s.fetch(receipt="q")
    return s.end()


@planted("H7 twice")
def a_receipt_that_never_ends(s):
    s.push(keep_result=True)
    s.report(s.claim())
    s.fetch(receipt="r")
    s.wait(61_000)
    s.fetch(receipt="r")
    return s.end()


@planted("H7 lost result")
def a_lost_result(s):
    s.push(keep_result=True)
    s.report(s.claim())
    s.fetch(answer="gone")
    return s.end()


# --- H8
@planted("H8 early")
def started_before_due(s):
    s.push(delay=5, state="scheduled")
    s.wait(1000)
    s.report(s.claim())
    return s.end()


@planted("H8 early")
def started_before_run_at(s):
    s.push(run_at=s.time + 60_000, state="scheduled")
    s.report(s.claim())
    return s.end()


@planted("H8 early")
def retried_before_its_backoff(s):
    s.push(max_retry=1, backoff={"base": 2})
    s.report(s.claim(), kind="failure", state="scheduled")
    s.wait(1000)
    s.report(s.claim(attempt=2))
    return s.end()


@planted("H8 early")
def retried_before_retry_after(s):
    s.push(max_retry=1, backoff={"base": 0})
    s.report(s.claim(), kind="failure", state="scheduled", retry_after=3)
    s.wait(1000)
    s.report(s.claim(attempt=2))
    return s.end()


@planted("H8 early")
def released_with_a_delay_and_run_at_once(s):
    s.push()
    job = s.claim()
    s.add("release", id="j1", lease=job["lease"], delay=2, state="scheduled")
    s.report(s.claim(attempt=2))
    return s.end()


@planted("H8 expired")
def started_after_it_expired(s):
    s.push(expires_in=1)
    s.wait(3000)
    s.report(s.claim())
    return s.end()


@planted("H8 dependency")
def a_child_before_its_dependency(s):
    s.push("j1")
    s.push("j2", depends_on=["j1"], state="depends")
    child = s.claim("j2")
    s.report(s.claim("j1"))
    s.report(child)
    return s.end(j1="succeeded", j2="succeeded")


@planted("H8 dependency")
def a_follow_up_before_its_parent(s):
    s.push("j1", then=[{"name": "a", "mark": "j2"}])
    s.report(s.claim("j2", argument=None))
    s.report(s.claim("j1"))
    return s.end(j1="succeeded")
