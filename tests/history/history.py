"""A recorded history, read and sorted by job.

A history is a file of JSON lines, one for each operation of each client. Times are milliseconds on Redis' clock as the client can bound it:
what the operation did, it did between `invoke` and `complete`. Common fields: op, client, invoke, complete, outcome. The outcome is `ok`,
`fail` (surely refused: nothing was done, `code` says why) or `unknown` (no answer: it may have been done, even later). A client that may be
killed writes each operation twice under one number `n`: first with `"phase": "invoke"`, then with its answer; the first alone is unknown.

  enqueue    mark (names this job in the argument, too), key (idempotency), spec {name priority max_retry keep_result timeout delay run_at
             backoff result_ttl unique depends_on on_dependency_failure expires_in then buckets: as in the API, run_at in ms}, argument
             (digest); answer: id state duplicate
  claim      names (null: all), limit; answer: jobs [{id mark name priority argument attempt lease at expires timeout}], `at` and `expires`
             exact on Redis' clock
  report     id lease type (success or failure) digest (of result or error) should_retry retry_after; answer: state
  heartbeat  id lease; answer: expires, cancel         release   id lease delay; answer: state
  handoff    id lease; answer: state                   message   id type digest; answer: state
  cancel     id force; answer: state                   retry     id; answer: state          edit  id fields; answer: state
  fetch      id receipt; answer: answer (ready, pending or gone), type, reason, digest
  final      id mark present state reason failures kept attempts [{attempt started ended how}]: the job after everything ended
  limit      bucket, and concurrency or rate, per_ms, burst
  fault      kind at shaky_ms (what was acknowledged so shortly before may be undone by it)
  end        drained
"""

import collections
import json


class Event:
    """One operation. Fields that a line does not have are None."""

    def __init__(self, line, fields):
        self.__dict__.update(fields)
        self.line = line
        self.shaky = False
        self.fields = fields

    def __getattr__(self, name):  # only for what is missing
        return None

    @property
    def ok(self):
        return self.outcome == "ok"

    @property
    def possible(self):
        """It was done, or may have been."""
        return self.outcome != "fail"

    def __repr__(self):
        return f"line {self.line}: {json.dumps(self.fields, ensure_ascii=False)}"


class Claim:
    """One job of one claim's answer."""

    def __init__(self, event, fields):
        self.__dict__.update(fields)
        self.event = event
        self.shaky = event.shaky

    def __getattr__(self, name):
        return None

    def __repr__(self):
        return f"line {self.event.line}: claim by {self.event.client}: {json.dumps(self.__dict__, default=lambda _: None)}"


class Job:
    """Everything recorded of one id, each list in the order of time."""

    def __init__(self, identity):
        self.id = identity
        self.spec = {}
        self.mark = None
        self.parent = None  # the id whose `then` made this one
        self.enqueues, self.claims, self.reports, self.heartbeats, self.releases = [], [], [], [], []
        self.handoffs, self.messages, self.cancels, self.retries = [], [], [], []
        self.edits, self.fetches = [], []
        self.final = None

    def events(self):
        for group in (self.enqueues, self.reports, self.heartbeats, self.releases, self.handoffs, self.messages, self.cancels, self.retries,
                      self.edits, self.fetches):
            yield from group
        for claim in self.claims:
            yield claim.event

    @property
    def shaky(self):
        return any(event.shaky for event in self.events())

    def asked_under(self, lease):
        """Reports, releases and handoffs of this lease, refused ones, too."""
        return [event for group in (self.reports, self.releases, self.handoffs) for event in group if event.lease == lease]

    def under(self, lease):
        """What may have ended this lease: reports, releases and handoffs that were not refused."""
        return [event for event in self.asked_under(lease) if event.possible]

    def successes(self):
        return [event for event in self.reports + self.messages if event.type == "success"]


LISTS = {"report": "reports", "heartbeat": "heartbeats", "release": "releases", "handoff": "handoffs", "message": "messages",
         "cancel": "cancels", "retry": "retries", "edit": "edits", "fetch": "fetches"}


class History:
    def __init__(self):
        self.events = []
        self.jobs = {}
        self.by_mark = collections.defaultdict(list)  # mark: enqueue events
        self.by_key = collections.defaultdict(list)
        self.claims, self.limits, self.faults = [], [], []
        self.foreign = []  # claims of a job nobody can have enqueued
        self.drained = None

    def job(self, identity):
        if identity not in self.jobs:
            self.jobs[identity] = Job(identity)
        return self.jobs[identity]

    def finish(self):
        self.events.sort(key=lambda event: (event.invoke or event.at or 0, event.line))
        self.faults = [event for event in self.events if event.op == "fault"]
        undoing = [fault for fault in self.faults if fault.shaky_ms]
        for event in self.events:
            event.shaky = any(event.complete is not None and fault.at - fault.shaky_ms <= event.complete
                              and (event.invoke or 0) <= fault.at for fault in undoing)
            self.sort_in(event)
        for job in self.jobs.values():
            job.claims.sort(key=lambda claim: (claim.at, claim.attempt))
            born = next((self.by_mark[claim.mark] for claim in job.claims if claim.mark in self.by_mark), None)
            if born:  # what runs says best which enqueue made it: others may have met it under a unique key, or its answer was lost
                job.spec, job.mark, job.parent = born[0].spec, born[0].mark, born[0].parent
        return self

    def sort_in(self, event):
        if event.op == "enqueue":
            self.by_mark[event.mark].append(event)
            if event.key:
                self.by_key[event.key].append(event)
            if event.ok:
                job = self.job(event.id)
                job.enqueues.append(event)
                if not event.duplicate or not job.spec:
                    job.spec, job.mark = event.spec, event.mark
            for child in (event.spec or {}).get("then") or []:
                born = {"op": "enqueue", "spec": child, "mark": child["mark"], "invoke": event.invoke, "outcome": "unknown",
                        "parent": event.mark, "argument": child.get("digest")}
                self.by_mark[child["mark"]].append(Event(event.line, born))
        elif event.op == "claim":
            for fields in event.jobs or []:
                claim = Claim(event, fields)
                self.claims.append(claim)
                self.job(claim.id).claims.append(claim)
        elif event.op in LISTS:
            getattr(self.job(event.id), LISTS[event.op]).append(event)
        elif event.op == "final":
            self.job(event.id).final = event
        elif event.op == "limit":
            self.limits.append(event)
        elif event.op == "end":
            self.drained = event.drained


def read(lines):
    history = History()
    begun = {}
    for number, line in enumerate(lines, 1):
        try:
            fields = json.loads(line) if isinstance(line, str) else line
        except ValueError:
            continue  # the last line of a client that was killed while it wrote
        if fields.get("phase") == "invoke":
            begun[fields["client"], fields["n"]] = (number, fields)
            continue
        if "n" in fields:
            begun.pop((fields["client"], fields["n"]), None)
        history.events.append(Event(number, fields))
    for number, fields in begun.values():
        history.events.append(Event(number, {**fields, "outcome": "unknown"}))
    return history.finish()
