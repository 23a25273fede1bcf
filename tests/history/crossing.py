"""What must hold across jobs: H5 (order), H6 (limits), one job for one key, one living job for one unique key."""

import bisect
import collections

from rules import TICK, known_expiry

FIRST_COME = 1000.0  # ids of two masters follow their clocks' estimates, which differ by far less


def surely_ready(job):
    """The times (from, to) during which a job certainly waited: from an answer that said so to the claim that came next."""
    if job.shaky or job.edits or job.cancels or job.retries or job.spec.get("buckets") or job.spec.get("windows"):
        return
    claims = {claim.attempt: claim for claim in job.claims}
    for event in job.enqueues:
        if event.state == "ready" and 1 in claims:
            yield event.complete, claims[1].at
            break
    for release in job.releases:
        own = [claim for claim in job.claims if claim.lease == release.lease]
        if release.ok and release.state == "ready" and not release.delay and own and own[0].attempt + 1 in claims:
            yield release.complete, claims[own[0].attempt + 1].at


def h5(history):
    """No claim took a job while a better one certainly waited for that worker."""
    moves = []
    for job in history.jobs.values():
        for since, until in surely_ready(job):
            if until - TICK > since + TICK:
                entry = (job.spec.get("priority", 0), job.id)
                moves.append((since + TICK, 0, "in", job.spec["name"], entry))
                moves.append((until, 0, "out", job.spec["name"], entry))
    by_answer = collections.defaultdict(list)
    for claim in history.claims:
        job = history.jobs[claim.id]
        if not claim.shaky and job.spec and not job.edits:
            by_answer[id(claim.event), claim.at].append(claim)
    for claims in by_answer.values():
        worst = max(claims, key=lambda claim: (claim.priority, claim.id))
        order = [(claim.priority, claim.id) for claim in claims]
        if order != sorted(order):
            yield "H5 order", "one answer's jobs are not best first", claims
        moves.append((worst.at, 1, "claim", None, worst))
    moves.sort(key=lambda move: move[:2])
    waiting = collections.defaultdict(list)
    for at, _, what, name, entry in moves:
        if what == "in":
            bisect.insort(waiting[name], entry)
        elif what == "out":
            waiting[name].remove(entry)
        else:
            names = entry.event.names or list(waiting)
            best = min((waiting[n][0] for n in names if waiting.get(n)), default=None)
            if best and best < (entry.priority, entry.id):
                yield "H5 inversion", f"a worse job was taken while {best[1]} (priority {best[0]}) was ready", [
                    entry, history.jobs[best[1]].enqueues[0], history.jobs[best[1]].claims[0]]


def arrival(history):
    """Among equals the earlier one comes first: ids grow with the time of the enqueue."""
    made = sorted((e for job in history.jobs.values() for e in job.enqueues[:1] if not e.duplicate), key=lambda e: e.complete)
    biggest, at = None, 0
    by_invoke = sorted(made, key=lambda e: e.invoke)
    for event in by_invoke:
        while at < len(made) and made[at].complete + FIRST_COME < event.invoke:
            if biggest is None or made[at].id > biggest.id:
                biggest = made[at]
            at += 1
        if biggest is not None and biggest.id > event.id:
            yield "H5 arrival", "a job enqueued later got a smaller id", [biggest, event]


def occupied(job):
    """The times during which each lease of a job certainly held. What was refused may have been done when it was first sent."""
    for claim in job.claims:
        ends = [event.invoke for event in job.asked_under(claim.lease)] + [c.invoke for c in job.cancels if c.force and c.possible]
        until = min(ends + [known_expiry(job, claim, float("inf"))]) - TICK
        if until > claim.at:
            yield claim.at, until, claim


def h6(history):
    """Limits hold at every time on Redis' clock."""
    for limit in history.limits:
        jobs = [job for job in history.jobs.values() if not job.shaky and limit.bucket in (job.spec.get("buckets") or ())]
        if limit.concurrency:
            moves = []
            for job in jobs:
                for since, until, claim in occupied(job):
                    moves += [(since, 1, claim), (until, 0, claim)]
            running = []
            for _, begins, claim in sorted(moves, key=lambda move: move[:2]):
                if not begins:
                    running.remove(claim)
                    continue
                running.append(claim)
                if len(running) > limit.concurrency:
                    yield "H6 limit", f"{len(running)} jobs of {limit.bucket} ran at once, {limit.concurrency} may", [limit] + running
                    break
        if limit.rate:
            starts = sorted((claim for job in jobs for claim in job.claims), key=lambda claim: claim.at)
            for index, claim in enumerate(starts):
                last = bisect.bisect_right([c.at for c in starts], claim.at + limit.per_ms - TICK)
                if last - index > limit.rate + (limit.burst or 0):
                    yield "H6 rate", f"{last - index} jobs of {limit.bucket} started within {limit.per_ms} ms", [limit] + starts[index:last]
                    break


def one_for_one_key(history):
    for key, events in history.by_key.items():
        sure = [event for event in events if event.ok and not event.shaky]
        if len({event.id for event in sure}) > 1:
            yield "H2 double enqueue", f"the key {key} made several jobs", sure[:3]
    ran = collections.defaultdict(dict)
    for claim in history.claims:
        if claim.mark is not None and not history.jobs[claim.id].shaky:
            ran[claim.mark].setdefault(claim.id, claim)
    for mark, claims in ran.items():
        if len(claims) > 1 and not any(event.recurring for event in history.by_mark[mark]):
            yield "H2 double enqueue", f"what was pushed once ran as {len(claims)} jobs", list(claims.values())[:3]


def follow_ups(history):
    """The jobs that follow an acknowledged success ran, or ended otherwise."""
    if not history.drained:
        return
    seen = {claim.mark for claim in history.claims} | {job.final.mark for job in history.jobs.values() if job.final}
    for job in history.jobs.values():
        accepted = [s for s in job.successes() if s.ok and s.state == "succeeded"]
        for child in job.spec.get("then") or []:
            if accepted and not job.shaky and child["mark"] not in seen:
                yield "H1 lost follow-up", f"{child['mark']} was to follow a success, and nobody ever saw it", [accepted[0]]


def living(job, replacing):
    """From when to when a job with a unique key certainly lived. `replacing` are pushes that may have cancelled it."""
    born = [event for event in job.enqueues if not event.duplicate]
    if not born:
        return None
    ends = [event.invoke for group in (job.reports, job.messages, job.cancels) for event in group if event.possible]
    if job.spec["unique"].get("until", "finished") == "started":
        if min((claim.attempt for claim in job.claims), default=0) != 1:
            return None  # its first start was heard of by nobody
        ends += [claim.at for claim in job.claims]
    ends += [claim.expires for claim in job.claims]
    if job.final and job.final.attempts:  # there may be some of which no client ever heard
        ends += [attempt["ended"] for attempt in job.final.attempts if attempt["ended"]]
    ends += [push.invoke for push in replacing if push is not born[0] and (push.complete or float("inf")) + TICK > born[0].invoke]
    if job.spec.get("expires_in"):
        ends.append(born[0].invoke + 1000 * job.spec["expires_in"])
    if not ends and not (job.final and job.final.state not in ("succeeded", "failed", "cancelled")):
        return None  # nobody saw its end
    return born[0], min(ends, default=float("inf"))


def unique(history):
    """No second job was made beside a living one with the same unique key."""
    groups, replacing = collections.defaultdict(list), collections.defaultdict(list)
    for pushes in history.by_mark.values():
        for push in pushes:
            if push.possible and (push.spec or {}).get("unique", {}).get("on_conflict") == "replace":
                replacing[push.spec["name"], push.spec["unique"].get("key") or push.argument].append(push)
    for job in history.jobs.values():
        wanted = job.spec.get("unique")
        if wanted and not job.shaky and not job.spec.get("depends_on") and job.enqueues:
            key = job.spec["name"], wanted.get("key") or job.enqueues[0].argument
            life = living(job, [push for push in replacing[key] if push.mark != job.mark])
            if life:
                groups[key].append((life[0], life[1], job))
    for key, lives in groups.items():
        lives.sort(key=lambda life: life[0].complete)
        for index, (first, end, _) in enumerate(lives):
            for second, _, job in lives[index + 1:]:
                if first.complete < second.invoke and second.complete < end and job.spec["unique"].get("on_conflict") != "replace":
                    yield "unique", f"two living jobs under the unique key {key}", [first, second]
        moves = []
        for _, _, job in lives:
            if job.spec["unique"].get("until", "finished") == "finished" and not any(retry.possible for retry in job.retries):
                for since, until, claim in occupied(job):
                    moves += [(since, 1, claim), (until, 0, claim)]
        running = []
        for _, begins, claim in sorted(moves, key=lambda move: move[:2]):
            if begins:
                running.append(claim)
                if len(running) > 1:
                    yield "unique", f"two jobs ran at once under the unique key {key}", running
                    break
            else:
                running.remove(claim)


ACROSS = (h5, arrival, h6, one_for_one_key, follow_ups, unique)
