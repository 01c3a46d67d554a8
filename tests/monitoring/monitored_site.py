"""Two controllers and a gateway before one Slurm, and the Prometheus that watches them."""

import sys
import time
import unittest

import alert_rules
import world
from files import DASHBOARDS

sys.path.insert(0, str(DASHBOARDS))
import prometheus  # noqa: E402

# As a site would change them: durations and thresholds that a test can cross.
SHORTER = {name: {"for": "1s"} for name in alert_rules.alerts_of(alert_rules.read())}
SHORTER["SconvergeRestarting"] |= {"threshold": 1}
SHORTER["SconvergeSlurmLatencyHigh"] |= {"threshold": 2}
SHORTER["SconvergeSourceStale"] |= {"threshold": 8}
SHORTER["SconvergeReconcileStuck"] |= {"threshold": 5}
SHORTER["SconvergeConvergenceSlow"] |= {"threshold": 5}
# Of the last five minutes' requests and ticks, few are in an outage of seconds.
SHORTER["SconvergeSlurmRequestErrors"] |= {"threshold": 0.002}
SHORTER["SconvergeReconcileErrors"] |= {"threshold": 0.002}


class Site:
    """The world of these tests. `main` talks to slurmrestd, `second` through the gateway."""

    def __init__(self, directory):
        self.lab = world.Lab("monitoring")
        unittest.addModuleCleanup(self.lab.run, "down")
        self.server = world.PrometheusServer(directory / "prometheus", alert_rules.changed(alert_rules.read(), alerts=SHORTER))
        unittest.addModuleCleanup(self.server.stop)
        self.prometheus = prometheus.Prometheus(self.server.url)
        self.token = directory / "token"
        self.new_token(86400)
        self.main = self.controller(directory / "main", "main", {"slurmrestd": self.slurmrestd()})
        self.gateway = self.start_gateway(directory / "gateway")
        self.second = self.controller(directory / "second", "second", {"slurmJobApi": {
            "project": "p", "region": "r", "cluster": "lab", "endpoint": f"http://{self.gateway.address}",
            "accessTokenFile": str(directory / "access-token")}}, metrics={"maxSpecs": 1})
        self.targets = {"sconverge": [self.main.address, self.second.address], "sconverge-gateway": [self.gateway.address]}
        self.began = time.time()
        self.server.scrape(self.targets)

    def slurmrestd(self):
        return {"url": self.lab.url, "user": self.lab.user, "tokenFile": str(self.token)}

    def new_token(self, lifespan):
        self.lab.run("token", "--lifespan", str(lifespan), "--output", str(self.token))

    def controller(self, directory, cluster, connection, **more):
        settings = {"controllerId": f"test-{cluster}", "specs": str(directory / "specs"), "state": str(directory / "state"),
                    "interval": "1s", "pruneGrace": "1s", "clusters": {cluster: {**connection, "requestTimeout": "10s"}}, **more}
        controller = world.Sconverge(directory, "run", settings)
        unittest.addModuleCleanup(controller.stop)
        return controller

    def start_gateway(self, directory):
        access = directory.parent / "access-token"
        access.write_text("a-token-for-the-tests-only\n", encoding="utf-8")
        self.tokens = directory.parent / "tokens.yaml"
        self.permit("run")
        gateway = world.Sconverge(directory, "gateway", {
            "clusters": {"lab": {"slurmrestd": self.slurmrestd(), "slurmJobApi": {"project": "p", "region": "r", "cluster": "lab"}}},
            "gateway": {"tokens": str(self.tokens)}})
        unittest.addModuleCleanup(gateway.stop)
        return gateway

    def permit(self, what):
        """What the gateway lets `second` do: `read` or `run`."""
        world.replace_file(self.tokens, f"tokens: [{{token: a-token-for-the-tests-only, permission: {what}, name: test}}]\n")

    def firing(self):
        return {alert["labels"]["alertname"]: alert for alert in self.prometheus.alerts() if alert["state"] == "firing"}
