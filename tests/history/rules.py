"""What must hold of one job's history (docs/semantics.md, "Histories"): H1–H4, H7, H8, and what hangs on them. Each rule yields
(rule, text, events).

A rule speaks only when the recorded data leave no other reading: an operation without an answer may have been done at any time after it
was sent, and what a crash of Redis may have undone excuses the job it belongs to.
"""

TICK = 1.0  # Redis' clock is read in whole milliseconds
RECEIPT = 60_000
BY_MASTER = ("dependency", "expired", "poison", "dropped")  # the master says why a job ended that nobody reported on
END_STATES = ("succeeded", "failed", "cancelled")


def before(event, at):
    return (event.invoke or 0) <= at + TICK


def h1(history, job):
    """What was acknowledged is there."""
    kept = [event for event in job.enqueues if not event.shaky]
    if history.drained is None or not kept:
        return
    final = job.final
    if final is None:
        yield "H1 not read", "nobody has read what became of an acknowledged job", kept[:1]
        return
    if not final.present:
        yield "H1 lost job", "an acknowledged job is neither there nor finished", [kept[0], final]
        return
    if history.drained and final.state not in END_STATES:
        yield "H1 unfinished", f"the job is still {final.state} although everything had the time to end", [kept[0], final]
    if job.shaky:
        return
    for success in job.successes():
        if success.ok and success.state == "succeeded" and final.state != "succeeded":
            yield "H1 lost success", f"an acknowledged success ended as {final.state}", [success, final]
    for cancel in job.cancels:
        if cancel.ok and cancel.state == "cancelled" and final.state != "cancelled" and not any(r.possible for r in job.retries):
            yield "H1 lost cancel", f"a cancelled job ended as {final.state}", [cancel, final]


def h2(history, job):
    """What runs was enqueued, once, and is what was enqueued."""
    for claim in job.claims:
        pushes = history.by_mark.get(claim.mark, [])
        if not any(before(event, claim.at) and event.possible for event in pushes):
            yield "H2 phantom", "a job runs that nobody had enqueued", [claim] + pushes[:1]
            continue
        other = [e for e in job.enqueues if e.mark != claim.mark and not (e.spec or {}).get("unique")]
        if other:
            yield "H2 changed", "a job runs under an id that was given to another", [claim, other[0]]
        spec = pushes[0].spec
        wrong = [field for field in ("name", "priority", "max_retry", "keep_result", "timeout") if field in spec and field in claim.__dict__
                 and claim.__dict__[field] != spec[field] and not (field == "keep_result" and spec.get("unique"))
                 and not any(field in (edit.fields.get("fields") or {}) for edit in job.edits)]
        if wrong:
            yield "H2 changed", f"{', '.join(wrong)} differ from what was enqueued", [claim, pushes[0]]
        digests = {event.argument for event in pushes if event.argument} | {e.argument for e in job.edits if e.argument}
        if claim.argument and digests and claim.argument not in digests:
            yield "H2 wrong bytes", "the argument's bytes are not those that were enqueued", [claim, pushes[0]]
    final = job.final
    if final and final.present and final.state == "succeeded" and not job.shaky and not any(s.possible for s in job.successes()):
        yield "H2 phantom success", "a job succeeded that nobody reported as a success", [final]


def known_expiry(job, claim, at):
    """The latest end of this lease that is known to have been promised before `at`."""
    return max([claim.expires] + [beat.expires for beat in job.heartbeats
                                  if beat.lease == claim.lease and beat.ok and beat.expires and beat.complete <= at])


def excused(job, claim, following):
    """Why the next claim was allowed to start: the events that can have ended this one's lease before."""
    at = following.at
    ends = [event for event in job.under(claim.lease) if before(event, at)]
    if known_expiry(job, claim, at) <= at + TICK:
        ends.append(claim)
    # A master asks Redis again when an answer is lost; by then the next attempt may have ended and taken this report's place in memory.
    ends += [report for report in job.reports + job.releases
             if report.lease == claim.lease and report.code == "lease_lost" and before(report, at) and report.complete > at
             and any(before(end, report.complete) for end in job.under(following.lease))]
    if any(cancel.force and cancel.possible and before(cancel, at) for cancel in job.cancels):
        ends += [retry for retry in job.retries if retry.possible and before(retry, at)]
    return ends


def h3(_, job):
    """Leases of one job do not overlap, and each is handed out once."""
    if job.shaky:
        return
    leases = {}
    for claim in job.claims:
        if claim.lease in leases:
            yield "H3 same lease", "one lease was handed out twice", [leases[claim.lease], claim]
        leases[claim.lease] = claim
    for first, second in zip(job.claims, job.claims[1:]):
        if second.attempt <= first.attempt:
            yield "H3 attempt", "the attempt's number does not grow", [first, second]
        if first.lease == second.lease:
            continue
        if not excused(job, first, second):
            yield "H3 overlap", "a second lease began while the first held", [first, second]
        late = [beat for beat in job.heartbeats if beat.lease == first.lease and beat.ok and beat.invoke > second.at + TICK]
        if late:
            yield "H3 overlap", "a heartbeat renewed a lease after the next one had begun", [first, second, late[0]]
    if job.final and job.final.attempts:
        attempts = job.final.attempts
        for first, second in zip(attempts, attempts[1:]):
            if second["attempt"] <= first["attempt"] or second["started"] + TICK < (first["ended"] or 0):
                yield "H3 overlap", "two attempts of the job's own record overlap", [job.final]
        for claim in job.claims:
            own = [attempt for attempt in attempts if attempt["attempt"] == claim.attempt]
            if own and abs(own[0]["started"] - claim.at) > 2 * TICK:
                yield "H3 record", "the job's own record dates an attempt otherwise than its claim", [claim, job.final]


def h4(_, job):
    """No execution without a reason; one accepted success; only the holder of the lease reports."""
    if job.shaky:
        return
    leases = {claim.lease for claim in job.claims}
    retries = [retry for retry in job.retries if retry.possible]
    accepted = [s for s in job.successes() if s.ok and s.state == "succeeded"]
    if len({s.lease for s in accepted}) > 1:
        yield "H4 double acceptance", "two successes of one job were accepted", accepted[:3]
    for success in accepted:
        for claim in job.claims:
            if claim.at > success.complete + TICK:
                yield "H4 run after success", "a job ran again after its success had been accepted", [success, claim]
                break
    for report in job.reports + job.releases + job.handoffs:
        if not report.ok:
            continue
        if report.lease not in leases:
            yield "H4 foreign lease", "a report under a lease that nobody was given was accepted", [report]
            continue
        claim = next(c for c in job.claims if c.lease == report.lease)
        later = next((c for c in job.claims if c.attempt > claim.attempt), None)
        if later and report.invoke > later.at + TICK:
            first = [e for e in job.under(report.lease) if e.op == report.op and e.type == report.type and before(e, later.at)]
            if not first:
                yield "H4 stale report", "a report was accepted although a later attempt had begun", [claim, later, report]
    for cancel in job.cancels:
        if cancel.ok and cancel.state == "cancelled" and not retries:
            ran = [claim for claim in job.claims if claim.at > cancel.complete + TICK]
            if ran:
                yield "H4 run after cancel", "a cancelled job ran", [cancel, ran[0]]
    tries = max([job.spec.get("max_retry", 0)] + [(e.fields.get("fields") or {}).get("max_retry", 0) for e in job.edits])
    released = {release.lease for release in job.releases if release.possible}
    allowed = (1 + tries) * (1 + len(retries)) + len(released)
    if job.spec and len(leases) > allowed:
        yield "H4 executions", f"{len(leases)} executions where at most {allowed} have a reason", job.claims


def h7(_, job):
    """A result is handed out unchanged, once, and is not lost."""
    if job.shaky or any(retry.possible for retry in job.retries):
        return
    ready = [fetch for fetch in job.fetches if fetch.ok and fetch.answer == "ready" and not fetch.peek]
    accepted = [s for s in job.successes() if s.ok and s.state == "succeeded"]
    for fetch in ready:
        if fetch.type == "success":
            reports = accepted or [s for s in job.successes() if s.possible]
            reports = [s for s in job.successes() if s.possible and s.lease in {r.lease for r in reports}]
            if fetch.digest not in {s.digest for s in reports}:
                yield "H7 wrong bytes", "a result is not what was reported", [fetch] + reports[:3]
        elif fetch.reason == "other" and fetch.digest and not (job.final and job.final.reason in BY_MASTER):
            reports = [r for r in job.reports if r.type == "failure" and r.possible]
            if fetch.digest not in {r.digest for r in reports}:
                yield "H7 wrong bytes", "an error is not what was reported", [fetch] + reports[:3]
    for index, first in enumerate(ready):
        for second in ready[index + 1:]:
            same = first.receipt and first.receipt == second.receipt
            if not same:
                yield "H7 twice", "a result was handed out twice", [first, second]
            elif second.invoke > first.complete + RECEIPT + TICK:
                yield "H7 twice", "a receipt was honoured after its time", [first, second]
            elif (first.digest, first.type) != (second.digest, second.type):
                yield "H7 wrong bytes", "the same receipt gave another object", [first, second]
    if job.spec.get("keep_result") and accepted:
        ttl = job.spec.get("result_ttl", 3600) * 1000
        for fetch in job.fetches:
            others = [f for f in job.fetches if f is not fetch and not f.peek and f.possible and f.answer in (None, "ready")
                      and before(f, fetch.complete or 0)]
            if (fetch.ok and fetch.answer == "gone" and not others and fetch.invoke > accepted[0].complete
                    and fetch.complete < accepted[0].invoke + ttl):
                yield "H7 lost result", "a kept result was gone although nobody had fetched it", [accepted[0], fetch]


def backoff(spec, failures):
    shape = spec.get("backoff") or {}
    return 1000 * min(shape.get("max", 3600), shape.get("base", 2) * shape.get("factor", 2) ** max(0, failures - 1))


def h8(history, job):
    """Nothing starts before it is due, nor what has expired."""
    if not job.claims or not job.spec:
        return
    spec, first = job.spec, job.claims[0]
    pushes = [e for e in history.by_mark.get(job.mark, []) if e.possible and not e.parent]
    edited = any("run_at" in (edit.fields.get("fields") or {}) for edit in job.edits)
    if any(retry.possible and before(retry, first.at) for retry in job.retries):
        return  # it had ended unstarted, and an operator runs it all the same
    if pushes and not edited:
        due = max(spec.get("run_at") or 0, int(pushes[0].invoke) + 1000 * (spec.get("delay") or 0))
        if first.at + TICK < due:
            yield "H8 early", f"a job started {due - first.at:.0f} ms before it was due", [pushes[0], first]
        acknowledged = [e for e in job.enqueues if not e.duplicate]
        if spec.get("expires_in") and acknowledged and not job.shaky and first.attempt == 1:
            end = acknowledged[0].complete + 1000 * spec["expires_in"]
            if first.at > end + TICK:
                yield "H8 expired", f"a job started {first.at - end:.0f} ms after it had expired", [acknowledged[0], first]
    if spec.get("on_dependency_failure", "fail") != "run" and not job.shaky:
        for parent in spec.get("depends_on") or []:
            if not any(before(s, first.at) and s.possible for s in history.job(parent).successes()):
                yield "H8 dependency", f"a job started before {parent}, which it depends on, had succeeded", [
                    first, *history.job(parent).claims[-1:]]
    if job.parent is not None and not any(before(s, first.at) and s.possible for id_ in parents(history, job.parent)
                                          for s in history.job(id_).successes()):
        yield "H8 dependency", "a follow-up ran before the job it follows had succeeded", [first]
    if job.shaky or edited or any(retry.possible for retry in job.retries):
        return
    for number, claim in enumerate(job.claims[:-1]):
        following = job.claims[number + 1]
        if following.attempt != claim.attempt + 1:
            continue
        for event in job.under(claim.lease):
            since = int(min(e.invoke for e in job.under(claim.lease) if (e.op, e.type) == (event.op, event.type)))
            if event.op == "release" and event.ok and event.delay and following.at + TICK < since + 1000 * event.delay:
                yield "H8 early", "a released job started before its delay was over", [event, following]
            if event.op == "report" and event.type == "failure" and event.ok and event.state == "scheduled":
                wait = max(1000 * (event.retry_after or 0), backoff(spec, 1))
                if following.at + TICK < since + wait:
                    yield "H8 early", f"a retry started before its backoff of {wait:.0f} ms was over", [event, following]


def parents(history, mark):
    return {event.id for event in history.by_mark.get(mark, []) if event.ok and event.id}


PER_JOB = (h1, h2, h3, h4, h7, h8)
