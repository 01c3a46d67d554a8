"""Any combination of values is refused with a sentence, or makes objects that are valid and a pod that starts.

The combinations are drawn by a seed, which each failure names; SCONVERGE_CHART_SEEDS says how many.
"""

import os
import pathlib
import random
import re
import tempfile
import unittest

import chart
from chart import render
from kubelet import Container
from test_objects import answers
from test_pod import Pod

SEEDS = int(os.environ.get("SCONVERGE_CHART_SEEDS", "100"))
STARTED = 10  # a start takes a second, a rendering a twentieth

SLURMRESTD = {"url": "http://slurmrestd.slurm.svc:6820", "user": "alice", "tokenSecret": {"name": "slurm-token"}}
JOB_API = {"project": "my-project", "region": "us-central1", "cluster": "cluster1"}
PROVIDER = "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/k8s/providers/prod"
# What is drawn from: for each part of the values its ways, of which the first is the default.
WAYS = {
    "slurm": [SLURMRESTD, {}, {**SLURMRESTD, "url": "https://slurm.example.com", "tls": {"caSecret": "slurm-ca"}},
              {**SLURMRESTD, "apiVersion": "v0.0.41"}, {"user": "alice"}],
    "slurmJobApi": [{}, {}, {}, JOB_API, {**JOB_API, "credentials": {"externalAccount": {"audience": PROVIDER}}},
                    {**JOB_API, "credentials": {"secret": {"name": "slurm-jobs-key", "key": "key.json"}}}, {"region": "x"}],
    "clusters": [{}, {}, {"lab": {"slurmrestd": {**SLURMRESTD, "tokenSecret": {"name": "lab-token"}}, "concurrency": 2}},
                 {"gcp": {"slurmJobApi": JOB_API}, "gateway": {
                     "slurmJobApi": {**JOB_API, "endpoint": "https://gateway.svc:9820", "credentials": {"accessTokenSecret": {"name": "gateway-token"}}},
                     "caSecret": {"name": "gateway-ca", "key": "ca.pem"}}},
                 {"lab": {}}],
    "config": [{}, {"controllerId": "prod"}, {"defaultCluster": "lab"}, {"interval": "1m30s", "clusterDefaults": {"environment": {"A": "b=c, d"}}}],
    "existingConfigMap": ["", "", "", "", "my-sconverge"],
    "log": [{}, {"level": "debug", "format": "logfmt"}, {"format": "auto"}],
    "source": [{}, {}, {"type": "existingClaim", "existingClaim": {"name": "jobs"}}, {"subPath": "jobs/"}, {"type": "emptyDir"},
               {"type": "configMap", "configMap": {"name": "jobs"}}, {"type": "configMap", "configMap": {"files": {"a.yaml": "{}"}}}],
    "gitSync": [{"repo": "https://git.example.com/jobs.git"}, {}, {"repo": "git@a:b", "credentials": {"type": "ssh", "secretName": "jobs-deploy-key"}},
                {"repo": "https://a:8443/b", "credentials": {"type": "https", "secretName": "jobs-password"}, "metrics": {"enabled": True}},
                {"repo": "https://a/b", "resources": {}, "depth": 0}],
    "metrics": [{}, {}, {"enabled": True, "insecure": True}, {"enabled": True, "tls": {"secretName": "sconverge-tls"}},
                {"enabled": True, "tls": {"secretName": "sconverge-tls"}, "bearerToken": {"secretName": "sconverge-scrape"}},
                {"enabled": True, "insecure": True, "bearerToken": {"secretName": "sconverge-scrape"}, "perSpec": {"enabled": False}}],
    "podMonitor": [{}, {}, {"enabled": True, "sampleLimit": 5}],
    "serviceMonitor": [{}, {}, {"enabled": True, "interval": "15s"}],
    "prometheusRule": [{}, {"enabled": True}, {"enabled": True, "runbookUrl": "https://a/b", "rules": {"SconvergeDown": {"enabled": False}}}],
    "dashboards": [{}, {"enabled": True}],
    "persistence": [{}, {}, {"enabled": False}, {"existingClaim": "sconverge-state"}, {"keep": False, "storageClass": "fast"}],
    "service": [{}, {}, {"type": "LoadBalancer"}, {"headless": False, "port": 80}],
    "serviceAccount": [{}, {"create": False}, {"name": "robot", "annotations": {"a": "b"}}],
    "gateway": [{}, {}, {"enabled": True}, {"enabled": True, "project": "p", "region": "r", "cluster": "c", "tokens": {"secretName": "gateway-tokens"},
                                            "tls": {"secretName": "gateway-tls"}}],
    "podDisruptionBudget": [{}, {"enabled": True}, {"enabled": True, "minAvailable": 0}, {"enabled": True, "maxUnavailable": "50%"}],
    "networkPolicy": [{}, {"enabled": True}, {"enabled": True, "egress": {"slurm": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]}}],
    "ports": [{}, {}, {"metrics": 9000, "health": 9001}, {"metrics": 8082}],
    "image": [{}, {"registry": "registry.example.com", "tag": "1.0.0"}, {"digest": "sha256:" + "a" * 64}],
    "replicaCount": [1, 1, 0],
    "startupProbe": [{}, None],
    "nodeSelector": [{}, None],
    "commonLabels": [{}, {"team": "hpc"}],
    "extraEnv": [[], [{"name": "TZ", "value": "UTC"}]],
    "extraContainers": [[], [], [{"name": "fetch", "image": "fetch:1.0.0", "volumeMounts": [{"name": "specs", "mountPath": "/specs"}]}]],
    "fullnameOverride": ["", "jobs"],
    "nameOverride": ["", "keeper"],
}


def drawn(seed):
    """Most parts as by default, so that a fair share of the combinations contradicts nothing."""
    chance = random.Random(seed)
    return {part: chance.choice(ways) if chance.random() < 0.35 else ways[0] for part, ways in WAYS.items()}


class CombinationsTest(Pod):
    def plan(self, rendering):
        """Exit code of `sconverge plan` in the pod, which reads all of the configuration; 64: it was refused."""
        self.directory = pathlib.Path(tempfile.mkdtemp(dir=self.top))
        self.directory.chmod(0o755)
        arguments = [a for a in rendering.container()["args"][1:] if a.startswith(("--config", "--specs", "--state"))]
        spec = {**rendering.container(), "args": ["plan", *arguments]}
        container = Container(rendering.pod, spec, self.volumes(rendering), self.directory / "plan.log")
        self.addCleanup(container.kill)
        return container.end()

    def test_each_is_refused_with_a_sentence_or_valid_and_starts(self):
        rendered = {}
        for seed in range(SEEDS):
            with self.subTest(seed=seed):
                try:
                    rendered[seed] = render(drawn(seed), base={})
                except chart.Refused as refused:
                    self.assertRegex(str(refused), r"(?s)problems? in the values:\n- \S+: .+; .+")
        self.assertGreater(len(rendered), SEEDS // 5)
        self.assertLess(len(rendered), SEEDS)
        objects = [(seed, o) for seed, r in rendered.items() for o in r.objects]
        for (seed, o), problem in zip(objects, answers([o for _, o in objects]), strict=True):
            with self.subTest(seed=seed, kind=o["kind"]):
                self.assertEqual("", problem)
        for seed, r in rendered.items():
            with self.subTest(seed=seed):
                self.assertNotEqual(64, self.plan(r), (self.directory / "plan.log").read_text())
        for seed in list(rendered)[:STARTED]:
            with self.subTest(seed=seed):
                self.directory = self.top / str(seed)
                self.directory.mkdir()
                container = self.start_with_specs(rendered[seed])
                self.assertEqual(0, container.stop(60), container.log())

    def test_refusals_never_come_from_the_templates_themselves(self):
        for seed in range(SEEDS, 2 * SEEDS, 5):
            with self.subTest(seed=seed):
                try:
                    render(drawn(seed), base={}, helm=chart.HELM_4)
                except chart.Refused as refused:
                    self.assertFalse(re.search("nil pointer|wrong type|can't evaluate|YAML parse", str(refused)), refused)


if __name__ == "__main__":
    unittest.main()
