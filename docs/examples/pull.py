"""A worker that asks for jobs. `python3 pull.py http://127.0.0.1:7717 NAME`. As with junbanctl, JUNBAN_TOKEN is the token, or JUNBAN_TOKEN_FILE
the file with it, and JUNBAN_CA the file with the certificates to believe."""

import datetime
import http.client
import json
import os
import signal
import ssl
import sys
import time
import urllib.error
import urllib.request

url, name = sys.argv[1:]
token = os.environ.get("JUNBAN_TOKEN", "")
if not token and os.environ.get("JUNBAN_TOKEN_FILE"):
    with open(os.environ["JUNBAN_TOKEN_FILE"]) as file:
        token = file.read().strip()
trust = ssl.create_default_context(cafile=os.environ.get("JUNBAN_CA"))
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
        request = urllib.request.Request(f"{url}/v1/outcomes", json.dumps(body).encode(), fields)
        try:
            with urllib.request.urlopen(request, timeout=30, context=trust) as answer:
                return json.load(answer).get("jobs", [])
        except urllib.error.HTTPError as refusal:
            trouble = refusal.read().decode(errors="replace")
            if refusal.code < 500 and refusal.code != 429:
                sys.exit(trouble)
        except (OSError, http.client.HTTPException) as fault:
            trouble = fault
        print(f"{url}: {trouble}", file=sys.stderr)  # also that its certificate is not believed
        if stopping and not outcomes:
            return []
        time.sleep(1)


signal.signal(signal.SIGTERM, stop)
jobs = []
while not stopping or jobs:
    jobs = report([outcome(job) for job in jobs])
