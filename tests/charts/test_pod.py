"""The rendered pod runs: the real binary with the rendered arguments, configuration, volumes, user and probes."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import chart
from chart import MATRIX, of_matrix
from kubelet import Container, Volumes, config_data, write_volume

HELLO = """\
apiVersion: sconverge/v1
kind: Job
metadata: {name: %s}
spec:
  job: {partition: main, time_limit: 5m, current_working_directory: /tmp}
  script: |
    #!/bin/bash
    echo hello
"""
OWN_CONFIGURATION = """\
interval: 3s
clusters:
  lab: {slurmrestd: {url: "http://slurmrestd.lab.svc:6820", user: alice, tokenFile: /run/slurm/token}}
"""
GATEWAY_TOKEN = "00112233445566778899aabbccddeeff"


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


def certificates(directory):
    """An authority, and a certificate of it for every name that a monitor of the matrix expects."""
    names = "DNS:sconverge.slurm.svc,DNS:sconverge.example.com,DNS:sconverge-gateway.slurm.svc"
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=test authority",
            "-keyout", f"{directory}/ca.key", "-out", f"{directory}/ca.crt")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=sconverge", "-keyout", f"{directory}/tls.key", "-out", f"{directory}/tls.csr")
    (pathlib.Path(directory) / "extensions").write_text(f"subjectAltName={names}\n")
    openssl("x509", "-req", "-days", "2", "-in", f"{directory}/tls.csr", "-CA", f"{directory}/ca.crt", "-CAkey", f"{directory}/ca.key",
            "-CAcreateserial", "-extfile", f"{directory}/extensions", "-out", f"{directory}/tls.crt")
    return {name: (pathlib.Path(directory) / name).read_text() for name in ("tls.crt", "tls.key", "ca.crt")}


class Pod(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.shared.cleanup)
        cls.tls = certificates(cls.shared.name)
        key = {"type": "service_account", "client_email": "robot@my-project.iam.gserviceaccount.com", "private_key_id": "1",
               "private_key": cls.tls["tls.key"], "token_uri": "https://oauth2.googleapis.com/token"}
        account = {"type": "external_account", "audience": "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/k8s/providers/prod",
                   "subject_token_type": "urn:ietf:params:oauth:token-type:jwt", "token_url": "https://sts.googleapis.com/v1/token",
                   "credential_source": {"file": "/var/run/secrets/sconverge/clusters/federated/identity"}}
        token = {"token": "a-token"}
        cls.secrets = {
            "slurm-token": {**token, "jwt": "a-token"}, "lab-token": token, "gateway-token": token, "slurm-jobs-key": {"key.json": json.dumps(key)},
            "slurm-ca": cls.tls, "gateway-ca": {"ca.pem": cls.tls["ca.crt"]}, "sconverge-tls": cls.tls,
            "sconverge-scrape": {"token": "0123456789abcdef0123456789abcdef", "bearer": "fedcba9876543210fedcba9876543210"}, "jobs-deploy-key": {"ssh": "key", "known_hosts": "hosts"},
            "jobs-password": {"password": "pw"}, "gateway-tls": cls.tls, "gateway-tokens": {"tokens.yaml": json.dumps({"tokens": [
                {"name": "ci", "token": GATEWAY_TOKEN, "permission": "run"}]})},
        }
        cls.config_maps = {"federation": {"credentials.json": json.dumps(account)}, "jobs": {"hello.yaml": HELLO % "hello"},
                           "my-sconverge": {"sconverge.yaml": OWN_CONFIGURATION}, "git-known-hosts": {"known_hosts": "hosts"}, "zoneinfo": {"UTC": "x"}}

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.top = pathlib.Path(directory.name)
        self.top.chmod(0o755)
        self.directory = self.top

    def over(self, names, check):
        """Checks each rendering of the matrix by its name, in a directory of its own."""
        for name in names:
            with self.subTest(name):
                self.directory = self.top / name
                self.directory.mkdir()
                check(of_matrix(name))

    def volumes(self, rendering, pod=None):
        made = [o["metadata"]["name"] for o in rendering.all("PersistentVolumeClaim")]
        claims = {name: self.directory / f"claim-{name}" for name in (*made, "sconverge-state", "shared-jobs", "jobs")}
        where = self.directory / ("volumes" if pod is None else pod["containers"][0]["name"])
        where.mkdir()
        where.chmod(0o755)
        given = {"claim": claims, "secret": self.secrets, "configMap": {**self.config_maps, **config_data(rendering)}}
        return Volumes(where, pod or rendering.pod, given)

    def start(self, rendering, volumes=None, **options):
        volumes = volumes or self.volumes(rendering)
        container = Container(rendering.pod, rendering.container(), volumes, self.directory / "log", **options)
        self.addCleanup(container.kill)
        return container

    def start_with_specs(self, rendering):
        """Starts the pod with a spec where its source has them, and waits until it is ready."""
        volumes = self.volumes(rendering)
        if "git-sync" in [c["name"] for c in rendering.pod["containers"]]:
            self.check_out(volumes, rendering.specs.removeprefix("/specs/root/current").strip("/"), "a1b2c3", "hello")
        elif "configMap" not in next(v for v in rendering.pod["volumes"] if v["name"] == "specs"):
            self.write_specs(volumes.paths["specs"] / "jobs", ["hello"])
        container = self.start(rendering, volumes)
        self.ready(container)
        return container

    @staticmethod
    def write_specs(directory, names):
        directory.mkdir(parents=True, exist_ok=True)
        for name in names:
            (directory / f"{name}.yaml").write_text(HELLO % name)

    def check_out(self, volumes, sub_path, commit, *names):
        """What git-sync does: a worktree named after the commit, then the link flips."""
        root = volumes.paths["specs"] / "root"
        self.write_specs(root / ".worktrees" / commit / sub_path, names)
        (root / "tmp-link").symlink_to(f".worktrees/{commit}")
        (root / "tmp-link").rename(root / "current")

    def ready(self, container):
        for kind in ("startupProbe", "livenessProbe", "readinessProbe"):
            if kind in container.spec:
                container.wait(lambda kind=kind: container.probe(kind), f"success of the {kind}")

    def get_specs(self, volumes, rendering):
        """`sconverge get` in the container, as NOTES.txt says it."""
        again = {**rendering.container(), "name": "get", "args": ["get", "--state", "/var/lib/sconverge"]}
        container = Container(rendering.pod, again, volumes, self.directory / "get")
        self.addCleanup(container.kill)
        container.end()
        return container.log()


class RenderedPodTest(Pod):
    def test_every_rendering_starts_becomes_ready_and_ends_at_a_sigterm(self):
        def check(rendering):
            container = self.start_with_specs(rendering)
            grace = rendering.pod["terminationGracePeriodSeconds"]
            self.assertEqual(0, container.stop(grace), container.log())
        self.over(MATRIX, check)

    def test_every_port_of_a_rendering_is_listened_on_and_no_other(self):
        def check(rendering):
            container = self.start_with_specs(rendering)
            lines = pathlib.Path(f"/proc/{container.pid}/net/tcp").read_text().splitlines()[1:]
            listening = {int(line.split()[1].split(":")[1], 16) for line in lines if line.split()[3] == "0A"}
            named = {p["containerPort"] for p in rendering.container()["ports"]}
            own = {9810} if rendering is of_matrix("default") else set()  # on the loopback, for kubectl port-forward
            self.assertEqual(named | own, listening)
            container.kill()
        self.over(("default", "monitoring", "everything"), check)

    def test_the_user_is_nobody_and_the_root_is_read_only(self):
        rendering = of_matrix("default")
        container = self.start(rendering)
        container.wait(lambda: container.probe("livenessProbe"), "life")
        child = pathlib.Path(f"/proc/{container.pid}/task/{container.pid}/children").read_text().split()[0]
        status = pathlib.Path(f"/proc/{child}/status").read_text()
        self.assertRegex(status, r"Uid:\t65532\t65532\t65532")
        self.assertRegex(status, r"CapEff:\t0+\n")
        self.assertRegex(status, r"NoNewPrivs:\t1")
        mounts = pathlib.Path(f"/proc/{child}/mounts").read_text()
        self.assertRegex(mounts, r"(?m)^\S+ / \S+ ro,")


class SourceTest(Pod):
    def test_a_pod_whose_git_is_not_there_yet_lives_and_takes_the_first_checkout_when_it_comes(self):
        rendering = of_matrix("git-sync")
        volumes = self.volumes(rendering)
        container = self.start(rendering, volumes)
        self.ready(container)
        self.assertIn("cannot be read whole, so nothing is cancelled", self.get_specs(volumes, rendering))
        self.check_out(volumes, "clusters/prod/jobs", "a1b2c3", "first")
        container.wait(lambda: "first" in self.get_specs(volumes, rendering), "spec of the first commit")

    def test_a_commit_reaches_the_controller_by_a_flip_of_the_link(self):
        rendering = of_matrix("git-sync")
        volumes = self.volumes(rendering)
        self.check_out(volumes, "clusters/prod/jobs", "a1b2c3", "first")
        container = self.start(rendering, volumes)
        self.ready(container)
        self.check_out(volumes, "clusters/prod/jobs", "d4e5f6", "first", "second")
        container.wait(lambda: "second" in self.get_specs(volumes, rendering), "spec of the second commit")

    def test_specs_in_a_configmap_are_read(self):
        rendering = of_matrix("configmap")
        volumes = self.volumes(rendering)
        container = self.start(rendering, volumes)
        self.ready(container)
        container.wait(lambda: "hello" in self.get_specs(volumes, rendering), "spec of the ConfigMap")


class GatewayPod(Pod):
    def start_gateway(self, **options):
        rendering = of_matrix("gateway")
        pod = rendering.one("Deployment", "sconverge-gateway")["spec"]["template"]["spec"]
        container = Container(pod, pod["containers"][0], self.volumes(rendering, pod), self.directory / "log", **options)
        self.addCleanup(container.kill)
        self.ready(container)
        return container

    def call(self, container, path, token=GATEWAY_TOKEN):
        """A call as Google's guide makes it, by the name of the gateway's Service."""
        host = f"sconverge-gateway.{chart.NAMESPACE}.svc"
        port = container.spec["ports"][0]["containerPort"]
        return container.get(
            f"https://{host}:{port}/v1beta1/projects/my-project/locations/us-central1/modelDevelopmentClusters/cluster1:callSlurmRestApi",
            "--resolve", f"{host}:{port}:127.0.0.1", "--cacert", f"{self.shared.name}/ca.crt", "--header", f"Authorization: Bearer {token}",
            "--header", "Content-Type: application/json", "--data", json.dumps({"method": "HTTP_METHOD_GET", "path": path}))


class GatewayTest(GatewayPod):
    def test_it_starts_becomes_ready_and_ends_at_a_sigterm(self):
        container = self.start_gateway()
        self.assertEqual(0, container.stop(60), container.log())

    def test_it_takes_its_callers_tokens_and_no_others(self):
        container = self.start_gateway()
        self.assertEqual(401, self.call(container, "/slurm/v0.0.42/ping/", "0" * 32)[0])
        status, body = self.call(container, "/slurm/v0.0.42/ping/")
        self.assertEqual(503, status, body)  # nothing listens at the slurmrestd of the values
        self.assertIn("UNAVAILABLE", body)


class MetricsTest(Pod):
    def scrape(self, rendering):
        """Starts the pod of a rendering; the address and what Prometheus would send by its monitor."""
        container = self.start_with_specs(rendering)
        (monitor,) = [m["spec"] for m in rendering.all("PodMonitor") + rendering.all("ServiceMonitor")]
        endpoint = monitor.get("podMetricsEndpoints", monitor.get("endpoints"))[0]
        port = next(p["containerPort"] for p in container.spec["ports"] if p["name"] == endpoint["port"])
        host, options = "127.0.0.1", []
        if "tlsConfig" in endpoint:
            host = endpoint["tlsConfig"]["serverName"]
            options = ["--resolve", f"{host}:{port}:127.0.0.1", "--cacert", f"{self.shared.name}/ca.crt"]
        if "authorization" in endpoint:
            reference = endpoint["authorization"]["credentials"]
            options += ["--header", f"Authorization: Bearer {self.secrets[reference['name']][reference['key']]}"]
        return container, f"{endpoint['scheme']}://{host}:{port}{endpoint['path']}", options

    def test_a_scrape_as_the_monitor_says_is_answered(self):
        def check(rendering):
            container, url, options = self.scrape(rendering)
            status, body = container.get(url, *options)
            self.assertEqual(200, status, body)
            self.assertIn("sconverge_build_info", body)
            container.kill()
        self.over(("monitoring", "service-monitor", "everything"), check)

    def test_a_scrape_without_the_token_is_refused(self):
        container, url, options = self.scrape(of_matrix("monitoring"))
        self.assertEqual(401, container.get(url, *options[:-2])[0])

    def test_a_renewed_token_is_taken_without_a_restart(self):
        container, url, options = self.scrape(of_matrix("monitoring"))
        volume = self.directory / "volumes" / "secrets"
        files = {str(p.relative_to(volume / "..data")): p.read_text() for p in (volume / "..data/").rglob("*") if p.is_file()}
        write_volume(volume, {**files, "metrics/token": "renewed-renewed-renewed"}, 0o440, 65532)
        renewed = [*options[:-1], "Authorization: Bearer renewed-renewed-renewed"]
        container.wait(lambda: container.get(url, *renewed)[0] == 200, "answer to the renewed token")


class HelmTest(Pod):
    def run_test_pod(self, rendering, name, network, hosts=""):
        pod = rendering.one("Pod", f"sconverge-test-{name}")["spec"]
        container = Container(pod, pod["containers"][0], self.volumes(rendering, pod), self.directory / f"{name}.log", network=network, hosts=hosts)
        self.addCleanup(container.kill)
        return container.end(), container.log()


class HelmTestTest(HelmTest):
    def test_the_readiness_test_passes_when_the_pod_is_ready(self):
        rendering = of_matrix("git-sync")
        container = self.start(rendering)
        self.ready(container)
        service = f"127.0.0.1 sconverge.{chart.NAMESPACE}.svc\n"
        code, said = self.run_test_pod(rendering, "readiness", container.pid, service)
        self.assertEqual((0, "ok"), (code, said.strip()))

    def test_the_readiness_test_fails_when_nothing_answers(self):
        code, said = self.run_test_pod(of_matrix("git-sync"), "readiness", None)
        self.assertNotEqual(0, code)
        self.assertIn(f"sconverge.{chart.NAMESPACE}.svc", said)

    def test_the_slurm_test_says_what_is_wrong_where_slurm_does_not_answer(self):
        rendering = of_matrix("default")
        container = self.start(rendering)
        code, said = self.run_test_pod(rendering, "slurm", container.pid)
        self.assertEqual(7, code, said)
        self.assertIn("slurmrestd.slurm.svc", said)


@unittest.skipUnless("SCONVERGE_SLURMRESTD" in os.environ, "no lab; tests/charts/run brings one up")
class SlurmTest(HelmTest, GatewayPod):
    """The same pods with a real Slurm behind the address that their values name."""

    def forward(self, network):
        """Leads the pod's 127.0.0.1:6820 to the lab's slurmrestd, by a socket that both networks see."""
        socket = self.directory / "slurmrestd"
        lab = os.environ["SCONVERGE_SLURMRESTD"].removeprefix("http://")
        outer = ["socat", f"UNIX-LISTEN:{socket},fork,unlink-early", f"TCP:{lab}"]
        inner = ["nsenter", f"--net=/proc/{network}/ns/net", "socat", "TCP-LISTEN:6820,bind=127.0.0.1,fork,reuseaddr", f"UNIX-CONNECT:{socket}"]
        for command in (outer, inner):
            process = subprocess.Popen(command, start_new_session=True)
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)

    def with_the_lab_s_token(self):
        token = pathlib.Path(os.environ["SCONVERGE_TOKEN_FILE"]).read_text()
        self.secrets = {**self.secrets, "slurm-token": {"token": token}}
        return "127.0.0.1 slurmrestd.slurm.svc\n"

    def test_a_call_to_the_gateway_is_answered_by_slurm(self):
        container = self.start_gateway(hosts=self.with_the_lab_s_token())
        self.forward(container.pid)
        container.wait(lambda: self.call(container, "/slurm/v0.0.42/ping/")[0] == 200, "answer of Slurm")
        status, body = self.call(container, "/slurm/v0.0.42/jobs/")
        self.assertEqual(200, status, body)
        answer = json.loads(body)
        self.assertEqual(200, answer["status"], body)
        self.assertIn("jobs", answer["structuredBody"])

    def test_a_job_of_the_values_runs_in_slurm_and_helm_test_is_content(self):
        rendering, hosts = of_matrix("configmap"), self.with_the_lab_s_token()
        volumes = self.volumes(rendering)
        container = self.start(rendering, volumes, hosts=hosts)
        self.forward(container.pid)
        self.ready(container)
        container.wait(lambda: "Succeeded" in self.get_specs(volumes, rendering), "success of the job", limit=60)
        code, said = self.run_test_pod(rendering, "slurm", container.pid, hosts)
        self.assertEqual(0, code, said)
        self.assertIn("can be used", said)
        self.assertEqual(0, container.stop(60), container.log())


if __name__ == "__main__":
    unittest.main()
