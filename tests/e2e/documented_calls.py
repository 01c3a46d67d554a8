"""Submits, watches and cancels a job through the Slurm Job API with google-auth, as its users do.

usage: documented_calls.py URL PARTITION DIRECTORY
Prints one JSON object: the job, and its state after the submit and after the cancel.
"""

import json
import sys
import time

import google.auth
import google.auth.transport.requests

SCOPE = "https://www.googleapis.com/auth/cloud-platform"
ENDED = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT"}


class SlurmJobApi:
    def __init__(self, url):
        credentials, _ = google.auth.default(scopes=[SCOPE])
        self.session = google.auth.transport.requests.AuthorizedSession(credentials)
        self.url = url

    def call(self, method, path, body=None):
        envelope = {"method": "HTTP_METHOD_" + method, "path": "/slurm/v0.0.42/" + path}
        if body is not None:
            envelope["body"] = body
        response = self.session.post(self.url, json=envelope)
        response.raise_for_status()
        answer = response.json()
        slurm = answer.get("structuredBody", {})
        if answer["status"] != 200 or slurm.get("errors"):
            raise SystemExit(f"{method} {path}: {answer}")
        return slurm

    def states(self, job):
        return set(self.call("GET", f"job/{job}")["jobs"][0]["job_state"])


def main():
    url, partition, directory = sys.argv[1:]
    api = SlurmJobApi(url)
    job = api.call("POST", "job/submit", {
        "job": {
            "name": "my-run",
            "partition": partition,
            "current_working_directory": directory,
            "minimum_nodes": 1,
            "tasks_per_node": 1,
            "environment": ["PATH=/bin:/usr/bin"],
            "time_limit": {"set": True, "number": 120},
        },
        "script": "#!/bin/bash\nsleep 300\n",
    })["job_id"]
    submitted = api.states(job)
    api.call("DELETE", f"job/{job}")
    deadline = time.monotonic() + 60
    while not (cancelled := api.states(job)) & ENDED and time.monotonic() < deadline:
        time.sleep(0.2)
    print(json.dumps({"job": job, "submitted": sorted(submitted), "cancelled": sorted(cancelled)}))


main()
