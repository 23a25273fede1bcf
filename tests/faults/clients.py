"""Pushers, workers and collectors as careful users write them: they repeat a request whose answer was lost, with the same key, lease or
receipt. All operations are recorded for the history checker."""

import hashlib
import http.client
import random
import threading
import time
import uuid

import msgpack

from rig import Client, now_ms

EXPLAINED = ("store_full", "conflict")  # expected refusals of an enqueue
ACCEPTED = (200, 201, 202)
CLAIMED = ("id", "name", "priority", "max_retry", "keep_result", "timeout", "attempt", "lease")


def digest(value):
    return hashlib.sha1(msgpack.packb(value)).hexdigest()


def milliseconds(text):
    """An ISO time of the API in milliseconds."""
    whole = time.strptime(text[:19], "%Y-%m-%dT%H:%M:%S")
    return (time.mktime(whole) - time.timezone) * 1000 + int(text[20:23])


def iso(at_ms):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at_ms / 1000)) + f".{int(at_ms) % 1000:03}Z"


class Talker:
    """A client with one connection at a time, to any of the masters."""

    def __init__(self, name, ports, record, seed, timeout=15):
        self.name = name
        self.ports = ports
        self.record = record
        self.random = random.Random(seed)
        self.client = None
        self.timeout = timeout
        self.errors = []  # answers that are not explained by a fault

    def exchange(self, events, method, path, body=None, read=None, wait=0):
        """One request, which is one or more operations. `read` makes a map of fields from the answer for each of them. Returns the
        status and the answer, or None when there was no answer."""
        for event in events:
            event["client"] = self.name
        self.record.begin(events)
        if self.client is None:
            self.client = Client(self.random.choice(self.ports))
        try:
            status, answer = self.client.request(method, path, body, timeout=self.timeout + wait)
            if isinstance(answer, bytes):
                raise ValueError("the answer's head was cut")
        except ConnectionRefusedError:
            status, answer, outcome = None, None, {"outcome": "fail", "code": "not_sent"}
        except (OSError, http.client.HTTPException, msgpack.exceptions.UnpackException, ValueError):
            status, answer, outcome = None, None, {"outcome": "unknown"}
        if status is None:
            self.client.close()
            self.client = None
            self.finish(events, [outcome] * len(events))
            return None, None
        if status in ACCEPTED:
            answers = read(answer)
        else:
            answers = [refusal(status, answer)] * len(events)
            if status >= 500:
                self.client.close()
                self.client = None
        self.finish(events, answers)
        return status, answer

    def finish(self, events, answers):
        for event, answer in zip(events, answers):
            event.update(answer)
        self.record.end(events)

    def insist(self, make, until_s=60):
        """Calls make() until it returns true, which means that it was answered."""
        end = time.monotonic() + until_s
        pause = 0.02
        while not make():
            if time.monotonic() > end:
                raise AssertionError(f"{self.name} got no answer for {until_s} s")
            time.sleep(pause * self.random.uniform(0.5, 1.5))
            pause = min(0.5, pause * 1.6)

    # --- The verbs ---------------------------------------------------------------------------------------------------------------
    def push(self, specs):
        """Pushes jobs in one request, which is repeated until each job has an answer. Returns the ids, None for a job that was refused."""
        ids = {}

        def once():
            rest = [spec for spec in specs if spec["mark"] not in ids]
            events = [{"op": "enqueue", "mark": s["mark"], "key": s["key"], "spec": s["spec"], "argument": s["digest"]} for s in rest]
            if len(rest) == 1:
                self.exchange(events, "POST", "/v1/jobs", rest[0]["body"], lambda answer: [enqueued(answer)])
            else:
                self.exchange(events, "POST", "/v1/jobs/batch", {"jobs": [spec["body"] for spec in rest]},
                              lambda answer: [enqueued(result) for result in answer["results"]])
            for event in events:
                if event["outcome"] == "ok":
                    ids[event["mark"]] = event["id"]
                elif event["outcome"] == "fail" and event["code"] != "not_sent":
                    ids[event["mark"]] = None
                    if event["code"] not in EXPLAINED and not any(self.is_gone(one) for one in event["spec"].get("depends_on", ())):
                        self.errors.append(event)
            return len(ids) == len(specs)

        self.insist(once)
        return [ids[spec["mark"]] for spec in specs]

    def is_gone(self, identity):
        """Whether an acknowledged job does not exist. The checker decides whether a fault explains that."""
        return Client(self.random.choice(self.ports)).insist("GET", f"/v1/jobs/{identity}")[0] == 404

    def trip(self, reports, limit, wait=1.0, lease=2.0, names=None):
        """Sends reports and the next claim in one request. Returns the jobs, or None when there was no answer."""
        events = [dict(report["event"]) for report in reports]
        claim = {"limit": limit, "wait": wait, "lease": lease}
        if names:
            claim["names"] = names
        if limit:
            events.append({"op": "claim", "names": names, "limit": limit})
        body = {"worker": self.name, "outcomes": [report["body"] for report in reports], **({"claim": claim} if limit else {})}

        def read(answer):
            answers = [reported(result) for result in answer["results"]]
            return answers + ([{"outcome": "ok", "jobs": [claimed(job) for job in answer["jobs"]]}] if limit else [])

        status, answer = self.exchange(events, "POST", "/v1/outcomes", body, read, wait)
        if status is not None and status not in ACCEPTED and status < 500:
            self.errors.append(events[-1])
        for report, event in zip(reports, events):
            report["answer"] = event["outcome"], event.get("code")
        return answer["jobs"] if status in ACCEPTED else None

    def on_job(self, op, identity, verb, body, read, **fields):
        event = {"op": op, "id": identity, **fields}
        self.exchange([event], "POST", f"/v1/jobs/{identity}/{verb}", body, lambda answer: [{"outcome": "ok", **read(answer)}])
        return event

    def heartbeat(self, job):
        def read(answer):
            return {"expires": milliseconds(answer["lease_expires_at"]), "cancel": answer["cancel"]}

        return self.on_job("heartbeat", job["id"], "heartbeat", {"lease": job["lease"]}, read, lease=job["lease"])

    def release(self, job, delay):
        body = {"lease": job["lease"], **({"delay": delay} if delay else {})}
        return self.on_job("release", job["id"], "release", body, lambda answer: {"state": answer["state"]},
                           lease=job["lease"], delay=delay)

    def cancel(self, identity, force):
        return self.on_job("cancel", identity, "cancel", {"force": force}, lambda answer: {"state": answer["state"]}, force=force)

    def retry(self, identity):
        return self.on_job("retry", identity, "retry", {}, lambda answer: {"state": answer["state"]})

    def edit(self, identity, fields):
        event = {"op": "edit", "id": identity, "fields": fields}
        self.exchange([event], "PATCH", f"/v1/jobs/{identity}", fields, lambda answer: [{"outcome": "ok", "state": answer["state"]}])
        return event

    def hand_off(self, job, key, timeout):
        return self.on_job("handoff", job["id"], "handoff", {"lease": job["lease"], "key": key, "timeout": timeout},
                           lambda answer: {"state": answer["state"]}, lease=job["lease"])

    def message(self, job, key, value):
        """Sends the message that another process would send."""
        event = {"op": "message", "id": job["id"], "type": "success", "digest": digest(value)}
        body = {"type": "success", "finished_at": iso(now_ms()), "result": value}
        self.exchange([event], "POST", f"/v1/messages/{key}", body, lambda answer: [{"outcome": "ok", "state": answer["state"]}])
        return event

    def fetch(self, identity, receipt, wait=0.0):
        def read(answer):
            if answer is None:
                return [{"outcome": "ok", "answer": "gone"}]
            if "type" not in answer:
                return [{"outcome": "ok", "answer": "pending"}]
            what = answer.get("result") if answer["type"] == "success" else [answer.get("error"), answer.get("message")]
            return [{"outcome": "ok", "answer": "ready", "type": answer["type"], "reason": answer.get("reason"), "digest": digest(what)}]

        event = {"op": "fetch", "id": identity, "receipt": receipt}
        words = ([f"wait={wait}"] if wait else []) + ([f"receipt={receipt}"] if receipt else [])
        self.exchange([event], "GET", f"/v1/jobs/{identity}/result?{'&'.join(words)}", None, read, wait)
        return event


def refusal(status, answer):
    code = answer.get("code") if isinstance(answer, dict) else None
    sure = status < 500 or status == 507
    return {"outcome": "fail" if sure else "unknown", "code": code or str(status), "status": status}


def enqueued(result):
    if "error" in result:
        return refusal(result["error"]["status"], result["error"])
    return {"outcome": "ok", "id": result["id"], "state": result["state"], "duplicate": result.get("duplicate", False)}


def reported(result):
    if "error" in result:
        return refusal(result["error"]["status"], result["error"])
    return {"outcome": "ok", "state": result["state"]}


def claimed(job):
    argument = job["argument"] if isinstance(job["argument"], dict) else {}
    return {**{field: job[field] for field in CLAIMED}, "mark": argument.get("mark"), "argument": digest(job["argument"]),
            "at": milliseconds(job["deadline"]) - 1000 * job["timeout"], "expires": milliseconds(job["lease_expires_at"])}


def report_of(job, kind, value=None, lease=None, **fields):
    """A report for trip(): what is sent and what is recorded."""
    body = {"id": job["id"], "lease": lease or job["lease"], "type": kind, "finished_at": iso(now_ms())}
    if kind == "success":
        body["result"] = value
        what = value
    else:
        body.update({"reason": "other", "error": value, "message": "planned", **fields})
        what = [value, "planned"]
    event = {"op": "report", "id": job["id"], "lease": body["lease"], "type": kind, "digest": digest(what), **fields}
    return {"body": body, "event": event}


class Worker(threading.Thread):
    """Claims jobs. What it does with a job is in the job's argument, for each attempt:
    s success · f failure, again · F failure for good · r release · R release with a delay · d drop (the lease runs out)
    a handed off, and answered from elsewhere · l late success · m ten reports of one success · w a wrong lease first
    h slow, with heartbeats."""

    def __init__(self, talker, stop, limit=4, lease=2.0, names=None, slow=0.0):
        super().__init__(daemon=True)
        self.talker, self.stop, self.limit, self.lease, self.names, self.slow = talker, stop, limit, lease, names, slow
        self.later = []  # (when, what)
        self.wrong = []

    def run(self):
        try:
            self.work_on()
        except Exception as error:  # pylint: disable=broad-except
            self.wrong.append(f"{type(error).__name__}: {error}")

    def work_on(self):
        reports = []
        while not (self.stop.is_set() and not reports and not self.later):
            moment = time.monotonic()
            for entry in [entry for entry in self.later if entry[0] <= moment]:
                self.later.remove(entry)
                reports += entry[1]()
            limit = 0 if self.stop.is_set() else self.limit
            if not limit and not reports:
                time.sleep(0.05)
                continue
            jobs = self.talker.trip(reports, limit, 0.2 if self.later else 1.0, self.lease, self.names)
            if jobs is None:
                time.sleep(self.talker.random.uniform(0.02, 0.1))
                continue
            self.look(reports)
            reports = [report for report in reports if report["answer"][0] == "unknown"]
            if self.slow:
                time.sleep(self.slow)
            for job in jobs:
                reports += self.work(job)

    def look(self, reports):
        for report in reports:
            outcome, code = report["answer"]
            if report.get("must") and outcome != "unknown" and code != report["must"]:
                self.wrong.append(report)
            if outcome == "fail" and code not in ("lease_lost", "not_found"):
                self.wrong.append(report)

    def work(self, job):
        argument = job["argument"]
        step = argument["plan"][min(job["attempt"], len(argument["plan"])) - 1]
        value = {"of": argument["mark"], "attempt": job["attempt"], "bytes": argument.get("pad", b"")}
        if step == "s":
            return [report_of(job, "success", value)]
        if step in "fF":
            return [report_of(job, "failure", value, should_retry=step == "f")]
        if step in "rR":
            self.talker.release(job, 0.3 if step == "R" else 0)
            return []
        if step == "d":
            return []
        if step == "a":
            self.hand_off(job, value)
            return []
        if step == "m":
            return [report_of(job, "success", {**value, "copy": copy}) for copy in range(10)]
        if step == "w":
            wrong = report_of(job, "success", "stolen", lease=f"{job['attempt']}.{uuid.uuid4().hex}")
            wrong["must"] = "lease_lost"
            return [wrong, report_of(job, "success", value)]
        if step == "l":
            self.later.append((time.monotonic() + self.lease + 0.6, lambda: [report_of(job, "success", value)]))
            return []
        self.beat(job, value, 3)
        return []

    def hand_off(self, job, value):
        key = uuid.uuid4().hex

        def deliver():
            if self.talker.message(job, key, value)["outcome"] == "unknown":
                self.later.append((time.monotonic() + 0.1, deliver))
            return []

        if self.talker.hand_off(job, key, 5)["outcome"] != "fail":
            self.later.append((time.monotonic() + self.talker.random.uniform(0, 1), deliver))

    def beat(self, job, value, left):
        def again():
            if left == 0:
                return [report_of(job, "success", value)]
            event = self.talker.heartbeat(job)
            if event.get("code") == "lease_lost":
                return []
            self.beat(job, value, left - 1)
            return []

        self.later.append((time.monotonic() + self.lease / 3, again))
