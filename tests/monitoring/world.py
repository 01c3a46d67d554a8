"""A real Slurm, controllers, a gateway, and a Prometheus that scrapes them every second, each with files of its own."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

import yaml

from files import ROOT

SCONVERGE = pathlib.Path(os.environ.get("SCONVERGE_BINARY", ROOT / "build/dev/sconverge"))
PATIENCE = 120  # seconds; for machines that do much else


def wait_until(what, holds, patience=PATIENCE):
    """Waits until `holds()` is true, and gives what it returned. Raises TimeoutError that says what did not come true."""
    deadline = time.monotonic() + patience
    while not (found := holds()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {patience} s: {what}")
        time.sleep(0.1)
    return found


def replace_file(path, text):
    """As a whole, so that no reader sees half of it."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_text(text, encoding="utf-8")
    fresh.chmod(0o600)
    fresh.rename(path)


class Process:
    """A program with its output in a file. It has ended when `stop` returns."""

    def __init__(self, log, *command):
        self.log, self.command = log, [str(word) for word in command]
        with open(log, "ab") as out:
            self.child = subprocess.Popen(self.command, stdout=out, stderr=out, stdin=subprocess.DEVNULL)

    def output(self):
        return self.log.read_text(encoding="utf-8", errors="replace")

    def send(self, number):
        self.child.send_signal(number)

    def stop(self):
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGCONT)
            self.child.terminate()
        try:
            return self.child.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.child.kill()
            return self.child.wait()


class Lab:
    """The lab's instance for these tests; see tests/lab/README.md."""

    def __init__(self, instance):
        self.instance = instance
        self.run("up", "--min-job-age", "5", "--fresh")
        lines = self.run("env").splitlines()
        self.variables = dict(line.removeprefix("export ").replace("'", "").split("=", 1) for line in lines)
        self.url, self.user = self.variables["SCONVERGE_SLURMRESTD"], self.variables["SCONVERGE_USER"]

    def run(self, *arguments):
        done = subprocess.run([ROOT / "tests/lab/lab", *arguments], capture_output=True, text=True, check=False,
                              env={**os.environ, "SCONVERGE_LAB_INSTANCE": self.instance})
        if done.returncode != 0:
            raise RuntimeError(f"lab {' '.join(arguments)} ended with {done.returncode}:\n{done.stderr}")
        return done.stdout

    def as_alice(self, *command):
        return self.run("exec", "--user", "alice", *command)

    def pid(self, service):
        pids = pathlib.Path(self.run("logs").strip()).parent / "pids"
        return int((pids / service).read_text(encoding="utf-8").split()[0])


class Sconverge:
    """`sconverge VERB`, with a configuration of its own, at a port that it keeps over restarts."""

    def __init__(self, directory, verb, settings):
        self.directory, self.verb, self.settings = directory, verb, settings
        directory.mkdir()
        self.file = directory / "sconverge.yaml"
        self.specs = directory / "specs"
        self.specs.mkdir()
        self.address = "127.0.0.1:0"
        self.configure()
        self.start()

    def configure(self, **changes):
        self.settings |= changes
        replace_file(self.file, yaml.safe_dump(self.settings))

    def start(self):
        self.process = Process(self.directory / "log", SCONVERGE, self.verb, "--config", self.file,
                               "--listen", self.address, "--log-format", "json")
        # The log goes on from start to start.
        starts = self.process.output().count('"msg":"started"')
        wait_until(f"{self.directory.name} starts:\n{self.process.output()}", lambda: self.started(starts), 60)

    def started(self, before):
        if self.process.child.poll() is not None:
            raise RuntimeError(f"{' '.join(self.process.command)} ended:\n{self.process.output()}")
        lines = [line for line in self.process.output().splitlines() if '"msg":"started"' in line]
        if len(lines) <= before:
            return False
        self.address = json.loads(lines[-1])["metrics"].removeprefix("http://").removesuffix("/metrics")
        return True

    def restart(self):
        self.process.stop()
        self.start()

    def stop(self):
        self.process.stop()

    def verb_json(self, verb, *arguments):
        done = subprocess.run([SCONVERGE, verb, *arguments, "--config", self.file, "-o", "json"],
                              capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    def declare(self, name, script="sleep 600", **fields):
        job = {"partition": "main", "time_limit": "1h", "current_working_directory": "/tmp", **fields}
        spec = {"apiVersion": "sconverge/v1", "kind": "Job", "metadata": {"name": name},
                "spec": {"job": job, "script": f"#!/bin/sh\n{script}\n"}}
        replace_file(self.specs / f"{name}.yaml", yaml.safe_dump(spec, sort_keys=False))

    def remove(self, *names):
        for name in names:
            (self.specs / f"{name}.yaml").unlink()

    def jobs(self):
        """{name: (phase, job id)}"""
        return {spec["name"]: (spec["phase"], spec.get("job")) for spec in self.verb_json("get")["items"]}

    def wait_for(self, phase, *names):
        wait_until(f"{', '.join(names)} of {self.directory.name} {phase}: {self.jobs()}",
                   lambda: all(self.jobs().get(name, ("", 0))[0] == phase for name in names))


class PrometheusServer:
    """Debian's Prometheus with a data directory of its own, never the machine's service."""

    def __init__(self, directory, rules):
        directory.mkdir()
        self.targets_file = directory / "targets.json"
        self.scrape({})
        (directory / "rules.yaml").write_text(yaml.safe_dump(rules), encoding="utf-8")
        (directory / "prometheus.yaml").write_text(yaml.safe_dump({
            "global": {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"},
            "rule_files": ["rules.yaml"],
            # A target's own label `job` wins over the name here.
            "scrape_configs": [{"job_name": "targets", "file_sd_configs": [{"files": ["targets.json"], "refresh_interval": "1s"}]}],
        }), encoding="utf-8")
        self.start(directory)

    def start(self, directory):
        """At a free port; another one if somebody else was faster to take it."""
        for _ in range(5):
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                self.url = f"http://127.0.0.1:{probe.getsockname()[1]}"
            self.process = Process(directory / "log", "prometheus", f"--config.file={directory}/prometheus.yaml",
                                   f"--storage.tsdb.path={directory}/data", f"--web.listen-address={self.url[7:]}")
            wait_until("Prometheus is ready or has ended", lambda: self.ready() or self.process.child.poll() is not None)
            if self.process.child.poll() is None:
                return
        raise RuntimeError(f"Prometheus does not start:\n{self.process.output()}")

    def ready(self):
        try:
            with urllib.request.urlopen(f"{self.url}/-/ready", timeout=5):
                return True
        except OSError:
            return False

    def scrape(self, targets):
        """`targets`: {job name: [address]}"""
        replace_file(self.targets_file, json.dumps([{"targets": addresses, "labels": {"job": job}} for job, addresses in targets.items()]))

    def stop(self):
        self.process.stop()


def temporary_directory():
    return tempfile.TemporaryDirectory(prefix="sconverge-monitoring-")
