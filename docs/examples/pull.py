"""A worker that asks for jobs. `python3 pull.py http://127.0.0.1:7717 NAME [TOKEN]`"""

import datetime
import json
import os
import signal
import sys
import time
import urllib.error
import urllib.request

url, name, token = (*sys.argv[1:3], sys.argv[3] if len(sys.argv) > 3 else "")
worker = f"pull.py-{os.getpid()}"
stopping = False


def stop(*_):
    global stopping
    stopping = True


def run(job):
    return {"pages": job["argument"]["pages"] * 2}  # the work itself


def outcome(job):
    begin = {"id": job["id"], "lease": job["lease"]}
    try:
        end = {"type": "success", "result": run(job)}
    except Exception as fault:
        end = {"type": "failure", "reason": "other", "should_retry": not isinstance(fault, KeyError),
               "message": f"{type(fault).__name__}: {fault}"}
    return {**begin, **end, "finished_at": datetime.datetime.now(datetime.timezone.utc).isoformat()}


def report(outcomes):
    """Reports, and takes the next job in the same trip. The same again is safe, so it is repeated until it is answered."""
    body = {"worker": worker, "outcomes": outcomes}
    if not stopping:
        body["claim"] = {"names": [name], "wait": 5}
    fields = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    while True:
        try:
            with urllib.request.urlopen(urllib.request.Request(f"{url}/v1/outcomes", json.dumps(body).encode(), fields), timeout=30) as answer:
                return json.load(answer).get("jobs", [])
        except urllib.error.HTTPError as refusal:
            if refusal.code < 500 and refusal.code != 429:
                raise
        except OSError:
            pass
        if stopping and not outcomes:
            return []
        time.sleep(1)


signal.signal(signal.SIGTERM, stop)
jobs = []
while not stopping or jobs:
    jobs = report([outcome(job) for job in jobs])
