"""Values that contradict each other end `helm template` with a sentence: what, where, how to mend it."""

import re
import unittest

import chart
from chart import refusal, render

SLURM = {"url": "http://a:6820", "user": "alice", "tokenSecret": {"name": "token"}}
JOB_API = {"project": "p", "region": "r", "cluster": "c"}
NO_SLURM = {"slurm": {"url": "", "user": "", "tokenSecret": {"name": ""}}}
GUARDED = {"tls": {"secretName": "tls"}, "bearerToken": {"secretName": "token"}}


def job_api(**credentials):
    return {**NO_SLURM, "slurmJobApi": {**JOB_API, "credentials": credentials}}


def git(**values):
    return {"gitSync": values}


# What is wrong, and the beginning of the sentence about it.
CASES = {
    "no cluster at all": (NO_SLURM, "slurm.url: no cluster is given"),
    "two short ways": ({"slurmJobApi": JOB_API}, "slurm.url: slurm and slurmJobApi both"),
    "the cluster default twice": ({"clusters": {"default": {"slurmrestd": SLURM}}}, "clusters.default: slurm describes"),
    "a user without an address": (
        {"slurm": {"url": ""}, "clusters": {"a": {"slurmrestd": SLURM}}}, "slurm.url: slurm.user, tokenSecret or tls"),
    "an address without a user": ({"slurm": {"user": ""}}, "slurm.user: the Slurm user"),
    "an address without a token": ({"slurm": {"tokenSecret": {"name": ""}}}, "slurm.tokenSecret.name: the Secret"),
    "a cluster without an address": (
        {"clusters": {"lab": {"slurmrestd": {"user": "alice", "tokenSecret": {"name": "token"}}}}},
        "clusters.lab.slurmrestd.url: the address"),
    "a cluster without a token": (
        {"clusters": {"lab": {"slurmrestd": {"url": "http://a", "user": "alice"}}}},
        "clusters.lab.slurmrestd.tokenSecret.name: the Secret"),
    "a cluster reached in no way": ({"clusters": {"lab": {"concurrency": 3}}}, "clusters.lab: nothing says how"),
    "a cluster reached in two ways": (
        {"clusters": {"lab": {"slurmrestd": SLURM, "slurmJobApi": JOB_API}}}, "clusters.lab.slurmJobApi: a cluster is"),
    "authorities for plain HTTP": ({"slurm": {"tls": {"caSecret": "ca"}}}, "slurm.tls.caSecret: authorities are given"),
    "a cluster's authorities for plain HTTP": (
        {"clusters": {"lab": {"slurmrestd": SLURM, "caSecret": {"name": "ca"}}}}, "clusters.lab.caSecret.name: authorities"),
    "half of a training cluster": (
        {**NO_SLURM, "slurmJobApi": {"project": "p", "region": "r"}}, "slurmJobApi.cluster: the cluster's cluster is"),
    "tokens over plain HTTP": (
        {**NO_SLURM, "slurmJobApi": {**JOB_API, "endpoint": "http://gateway.svc:9820"}},
        "slurmJobApi.endpoint: access tokens would travel unprotected"),
    "two credentials": (
        job_api(secret={"name": "a"}, accessTokenSecret={"name": "b"}),
        "slurmJobApi.credentials: secret and accessTokenSecret are given"),
    "impersonation without a provider": (
        job_api(externalAccount={"serviceAccountEmail": "a@b"}), "slurmJobApi.credentials.externalAccount.audience: an"),
    "a token that nothing reads": (
        job_api(serviceAccountToken={"audience": "x"}), "slurmJobApi.credentials.serviceAccountToken.audience: nothing"),
    "a default cluster that is none": ({"config": {"defaultCluster": "prod"}}, "config.defaultCluster: there is no"),
    "several clusters and no default": (
        {**NO_SLURM, "clusters": {"a": {"slurmrestd": SLURM}, "b": {"slurmJobApi": JOB_API}}}, "config.defaultCluster: there are"),
    "an existing configuration and clusters": ({"existingConfigMap": "c"}, "existingConfigMap: the configuration of"),
    "an existing configuration and settings": (
        {**NO_SLURM, "existingConfigMap": "c", "config": {"controllerId": "x"}}, "existingConfigMap: the configuration of"),
    "an existing configuration and a pace": (
        {**NO_SLURM, "existingConfigMap": "c", "config": {"interval": "1m"}}, "existingConfigMap: the configuration of"),
    "no repository": (git(repo=""), "gitSync.repo: the repository with the specs is not given"),
    "a repository that is not used": (
        {"source": {"type": "existingClaim", "existingClaim": {"name": "x"}}}, "gitSync.repo: it is given, and"),
    "a claim that is not used": ({"source": {"existingClaim": {"name": "x"}}}, "source.existingClaim.name: it is given"),
    "no claim": ({"gitSync": {"repo": ""}, "source": {"type": "existingClaim"}}, "source.existingClaim.name: the claim"),
    "no ConfigMap": ({"gitSync": {"repo": ""}, "source": {"type": "configMap"}}, "source.configMap.name: the ConfigMap"),
    "two ConfigMaps": (
        {"gitSync": {"repo": ""}, "source": {"type": "configMap", "configMap": {"name": "a", "files": {"a.yaml": "b"}}}},
        "source.configMap.files: both"),
    "a path that leads out": ({"source": {"subPath": "jobs/../../etc"}}, "source.subPath: jobs/../../etc leads out"),
    "an absolute path": ({"source": {"subPath": "/jobs"}}, "source.subPath: /jobs leads out"),
    "nothing that fills": ({"gitSync": {"repo": ""}, "source": {"type": "emptyDir"}}, "source.type: nothing fills"),
    "a password in the address": (git(repo="https://me:pw@git.example.com/a.git"), "gitSync.repo: a user name or"),
    "a Secret of no kind": (git(credentials={"secretName": "s"}), "gitSync.credentials.type: a Secret is given"),
    "no Secret": (git(credentials={"type": "https"}), "gitSync.credentials.secretName: the Secret for https"),
    "a password for ssh": (
        git(repo="git@a:b", credentials={"type": "https", "secretName": "s"}), "gitSync.credentials.type: a password is"),
    "a key for https": (git(credentials={"type": "ssh", "secretName": "s"}), "gitSync.credentials.type: a key is for"),
    "ssh without a key": (git(repo="git@a:b.git"), "gitSync.credentials.type: git@a:b.git is reached by ssh"),
    "known hosts without ssh": (git(knownHosts={"configMapName": "k"}), "gitSync.knownHosts.configMapName: servers' keys"),
    "metrics for anybody": ({"metrics": {"enabled": True}}, "metrics.enabled: what other pods reach needs TLS and a"),
    "metrics with TLS alone": (
        {"metrics": {"enabled": True, "tls": {"secretName": "tls"}}}, "metrics.enabled: what other pods reach needs"),
    "insecure and yet guarded": ({"metrics": {"enabled": True, "insecure": True, **GUARDED}}, "metrics.insecure: TLS"),
    "a certificate without a listener": ({"metrics": GUARDED}, "metrics.enabled: metrics.tls is given"),
    "both monitors": (
        {"metrics": {"enabled": True, **GUARDED}, "podMonitor": {"enabled": True}, "serviceMonitor": {"enabled": True}},
        "podMonitor.enabled: a ServiceMonitor"),
    "a PodMonitor without a listener": ({"podMonitor": {"enabled": True}}, "podMonitor.enabled: Prometheus could not"),
    "a ServiceMonitor without a listener": (
        {"serviceMonitor": {"enabled": True}}, "serviceMonitor.enabled: Prometheus could not"),
    "TLS of a scrape without TLS": (
        {"metrics": {"enabled": True, "insecure": True}, "podMonitor": {"tlsConfig": {"serverName": "a"}}},
        "podMonitor.tlsConfig: metrics are served without TLS"),
    "a load balancer for nothing": ({"service": {"type": "LoadBalancer"}}, "service.type: a LoadBalancer would show the"),
    "a load balancer for anybody": (
        {"metrics": {"enabled": True, "insecure": True}, "service": {"type": "NodePort"}},
        "service.type: a NodePort would show metrics"),
    "one port twice": ({"ports": {"metrics": 8081}}, "ports.metrics: 8081 is the port of ports.health"),
    "the sidecar's port twice": ({"gitSync": {"port": 8080}}, "ports.metrics: 8080 is the port of gitSync.port"),
    "a claim that is switched off": (
        {"config": {"controllerId": "x"}, "persistence": {"enabled": False, "existingClaim": "c"}},
        "persistence.existingClaim: a claim is given"),
    "no state and no name": ({"persistence": {"enabled": False}}, "persistence.enabled: without a volume"),
    "annotations of no account": (
        {"serviceAccount": {"create": False, "annotations": {"a": "b"}}}, "serviceAccount.annotations: they are for"),
    "two budgets": (
        {"podDisruptionBudget": {"minAvailable": 0, "maxUnavailable": 1}}, "podDisruptionBudget.minAvailable: maxUnav"),
    "a pod that must stay": ({"podDisruptionBudget": {"minAvailable": 1}}, "podDisruptionBudget: there is one pod"),
    "a pod that may not go": ({"podDisruptionBudget": {"maxUnavailable": "0%"}}, "podDisruptionBudget: there is one pod"),
    "addresses that nobody knows": (
        {**NO_SLURM, "existingConfigMap": "c", "networkPolicy": {"enabled": True}}, "networkPolicy.egress.extra: the"),
    "a token in a variable": ({"extraEnv": [{"name": "SLURM_JWT", "value": "x"}]}, "extraEnv: SLURM_JWT is a token"),
    "a variable of the chart's": (
        {"extraEnv": [{"name": "SCONVERGE_LISTEN", "value": ":80"}]}, "extraEnv: SCONVERGE_LISTEN would overrule"),
    "variables of a Secret": ({"envFrom": [{"secretRef": {"name": "s"}}]}, "envFrom: the variables of Secret s could"),
    "a flag of the chart's": ({"extraArgs": ["--listen=0.0.0.0:1"]}, "extraArgs: --listen=0.0.0.0:1 would overrule"),
    "a volume of the chart's": ({"extraVolumes": [{"name": "specs", "emptyDir": {}}]}, "extraVolumes: specs is a volume"),
}

GATEWAY = {"enabled": True, "project": "p", "region": "r", "cluster": "c", "tokens": {"secretName": "t"}, "tls": {"secretName": "s"}}
CASES |= {
    "a gateway before nothing": (
        {**NO_SLURM, "slurmJobApi": JOB_API, "gateway": GATEWAY}, "gateway.enabled: a gateway stands in front of"),
    "a gateway without a name": ({"gateway": {**GATEWAY, "region": ""}}, "gateway.region: callers name the cluster"),
    "a gateway without tokens": ({"gateway": {**GATEWAY, "tokens": {"secretName": ""}}}, "gateway.tokens.secretName: the Secret with the"),
    "a gateway without TLS": ({"gateway": {**GATEWAY, "tls": {"secretName": ""}}}, "gateway.tls.secretName: tokens must not travel"),
}

# What the schema refuses before: types, ranges, closed sets, and keys that nobody knows.
WRONG_BY_SCHEMA = {
    "two controllers": ({"replicaCount": 2}, "replicaCount"),
    "an unknown key": ({"metric": {}}, "metric"),
    "an unknown key below": ({"metrics": {"perSpec": {"maxSpec": 3}}}, "maxSpec"),
    "an unknown cluster key": ({"clusters": {"lab": {"slurmd": {}}}}, "slurmd"),
    "a cluster name that is none": ({"clusters": {"My_Lab": {"slurmrestd": SLURM}}}, "My_Lab"),
    "an unknown source": ({"source": {"type": "s3"}}, "source"),
    "an address that is none": ({"slurm": {"url": "slurm.example.com:6820"}}, "url"),
    "a duration that is none": ({"config": {"interval": "ten"}}, "interval"),
    "too many specs": ({"metrics": {"perSpec": {"maxSpecs": 100001}}}, "maxSpecs"),
    "a privileged port": ({"ports": {"health": 80}}, "health"),
    "an unknown alert": ({"prometheusRule": {"rules": {"SconvergeTired": {"enabled": False}}}}, "SconvergeTired"),
    "a threshold of an alert that has none": (
        {"prometheusRule": {"rules": {"SconvergeDown": {"threshold": 1}}}}, "threshold"),
    "an unknown severity": ({"prometheusRule": {"rules": {"SconvergeDown": {"severity": "bad"}}}}, "severity"),
    "a digest that is none": ({"image": {"digest": "latest"}}, "digest"),
    "a pinned version nobody speaks": ({"slurm": {"apiVersion": "v0.0.39"}}, "apiVersion"),
    "an unknown log level": ({"log": {"level": "trace"}}, "level"),
    "text for a switch": ({"podMonitor": {"enabled": "no"}}, "enabled"),
    "a map that is taken away": ({"gitSync": {"knownHosts": None}}, "knownHosts"),
    "a number that is taken away": ({"ports": {"health": None}}, "health"),
    "a selector that is none": ({"prometheusRule": {"selector": "job=sconverge"}}, "selector"),
}


def sentences(text):
    return [line[2:] for line in text.splitlines() if line.startswith("- ")]


class ContradictionsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.told = {case: sentences(refusal(values)) for case, (values, _) in CASES.items()}

    def test_each_contradiction_is_told_in_one_sentence_that_says_where_what_and_how_to_mend_it(self):
        for case, (_, beginning) in CASES.items():
            with self.subTest(case):
                told = self.told[case]
                self.assertEqual([], [s for s in told if not s.startswith(beginning)])
                self.assertEqual(1, len(told))
                self.assertRegex(told[0], r"^[a-zA-Z.0-9]+: .+; .+[^.]$")

    def test_every_sentence_of_the_chart_is_provoked_by_a_case(self):
        source = (chart.CHART / "templates" / "_problems.tpl").read_text()
        lines = [line for line in source.splitlines() if re.match(r"([a-z]|\{\{ )", line) and ": " in line]
        self.assertGreater(len(lines), 40)
        for line in lines:
            fixed = re.split(r"\{\{ if .*\{\{ end \}\}|\{\{.*?\}\}", line)
            pattern = ".*".join(re.escape(part) for part in fixed)
            with self.subTest(line):
                self.assertTrue([s for told in self.told.values() for s in told if re.fullmatch(pattern, s)])

    def test_all_of_them_are_told_at_once(self):
        text = refusal({"slurm": {"user": ""}, "gitSync": {"repo": ""}, "podMonitor": {"enabled": True}})
        self.assertIn("3 problems in the values:", text)
        self.assertEqual(3, len(sentences(text)))

    def test_helm_4_says_the_same(self):
        for case, (values, _) in list(CASES.items())[::6]:
            with self.subTest(case):
                self.assertEqual(self.told[case], sentences(refusal(values, helm=chart.HELM_4)))

    def test_the_default_values_say_what_nobody_can_guess(self):
        told = sentences(refusal({}, base={}))
        self.assertEqual(["slurm.url", "gitSync.repo"], [s.split(":")[0] for s in told])


class SchemaTest(unittest.TestCase):
    def test_wrong_types_ranges_words_and_unknown_keys_are_refused_by_their_name(self):
        for case, (values, named) in WRONG_BY_SCHEMA.items():
            with self.subTest(case):
                text = refusal(values)
                self.assertRegex(text, "values don't meet the specifications of the schema")
                self.assertIn(named, text)

    def test_a_probe_may_be_switched_off(self):
        self.assertNotIn("startupProbe", render({"startupProbe": None}).container())


if __name__ == "__main__":
    unittest.main()
