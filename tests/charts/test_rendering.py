"""What the values make of the pod and its configuration."""

import json
import re
import unittest

import chart
from chart import MATRIX, NAMESPACE, of_matrix, render
from looks import SECRETS, flags, mounts, projected, volume


def walk(value, key=""):
    if isinstance(value, dict):
        for k, v in value.items():
            yield from walk(v, k)
    else:
        yield key, value


def is_path(key):
    return key in ("specs", "state", "credentials") or key.endswith(("File", "Cert", "Key")) and key != "apiKey"


class MatrixTest(unittest.TestCase):
    def test_helm_3_and_helm_4_render_the_same(self):
        for name, path in MATRIX.items():
            with self.subTest(name):
                three = chart.template("--values", path)
                self.assertEqual(three, chart.template("--values", path, helm=chart.HELM_4))
                self.assertNotRegex(three, r"\n +\n", "lines of blanks alone")

    def test_helm_lint_finds_nothing(self):
        for helm in (chart.HELM, chart.HELM_4):
            for name, path in MATRIX.items():
                with self.subTest(f"{name} with {helm.parent.name}"):
                    self.assertIn("0 chart(s) failed", chart.call("lint", "--strict", chart.CHART, "--values", path, helm=helm))

    def test_every_path_that_the_configuration_names_is_mounted(self):
        for name in MATRIX:
            r = of_matrix(name)
            if r.container() is None or name == "existing-config":
                continue
            with self.subTest(name):
                named = re.findall(r"/[\w./-]+", json.dumps([v for k, v in walk(r.config) if is_path(k)]))
                self.assertTrue(named)
                for path in named:
                    inside = [m for m in mounts(r.container()) if path == m or path.startswith(m + "/")]
                    self.assertTrue(inside, path)
                    if inside == [SECRETS]:
                        self.assertIn(path, projected(r))

    def test_every_volume_is_mounted_and_every_mount_has_its_volume(self):
        for name in MATRIX:
            for pod_name, pod, _ in of_matrix(name).workloads():
                with self.subTest(f"{name} {pod_name}"):
                    volumes = {v["name"] for v in pod.get("volumes", [])}
                    used = {m["name"] for c in pod["containers"] for m in c.get("volumeMounts", [])}
                    self.assertEqual(volumes, used)

    def test_every_object_is_in_the_release_s_namespace_and_has_its_labels(self):
        for name in MATRIX:
            for o in of_matrix(name).objects:
                with self.subTest(f"{name} {o['kind']} {o['metadata']['name']}"):
                    self.assertEqual("slurm-jobs" if name == "everything" else NAMESPACE, o["metadata"]["namespace"])
                    if o["metadata"]["name"] not in ("sconverge-notes", "sconverge-more"):
                        self.assertEqual("sconverge", o["metadata"]["labels"]["app.kubernetes.io/instance"])
                        self.assertEqual("Helm", o["metadata"]["labels"]["app.kubernetes.io/managed-by"])

    def test_no_two_objects_have_one_name(self):
        for name in MATRIX:
            names = [(o["kind"], o["metadata"]["name"]) for o in of_matrix(name).objects]
            self.assertEqual(len(set(names)), len(names), name)

    def test_names_stay_within_63_characters_however_long_the_release_s_is(self):
        r = render({"dashboards": {"enabled": True}}, release="a" * 53)
        self.assertEqual([], [o["metadata"]["name"] for o in r.objects if len(o["metadata"]["name"]) > 63])


class PodTest(unittest.TestCase):
    def test_never_are_there_two_pods(self):
        for name in MATRIX:
            spec = of_matrix(name).deployment["spec"]
            self.assertEqual({"type": "Recreate"}, spec["strategy"], name)
            self.assertLessEqual(spec["replicas"], 1, name)
        self.assertEqual(0, of_matrix("stopped").deployment["spec"]["replicas"])

    def test_a_changed_configuration_restarts_the_pod_and_an_unchanged_one_does_not(self):
        def checksum(values):
            return render(values).deployment["spec"]["template"]["metadata"]["annotations"]["checksum/config"]
        self.assertEqual(checksum({}), checksum({"service": {"port": 9999}}))
        self.assertNotEqual(checksum({}), checksum({"config": {"interval": "20s"}}))

    def test_settings_without_a_key_of_their_own_reach_every_cluster_that_says_nothing_else(self):
        r = render({"clusters": {"lab": {"slurmrestd": {"url": "http://b", "user": "bob", "tokenSecret": {"name": "t"}},
                                         "concurrency": 2}},
                    "config": {"clusterDefaults": {"concurrency": 9, "requestTimeout": "5s"}}})
        self.assertEqual([9, 2], [r.config["clusters"][c]["concurrency"] for c in ("default", "lab")])
        self.assertEqual(["5s", "5s"], [r.config["clusters"][c]["requestTimeout"] for c in ("default", "lab")])

    def test_metrics_are_the_pod_s_own_unless_enabled(self):
        self.assertEqual("127.0.0.1:9810", of_matrix("default").config["listen"])
        ports = [p["name"] for p in of_matrix("default").container()["ports"]]
        self.assertEqual(["health"], ports)

    def test_enabled_metrics_are_served_with_tls_and_token(self):
        r = of_matrix("monitoring")
        self.assertEqual("0.0.0.0:8080", r.config["listen"])
        paths = projected(r)
        self.assertEqual(("secret", "sconverge-tls/tls.crt"), paths[r.config["tlsCert"]])
        self.assertEqual(("secret", "sconverge-tls/tls.key"), paths[r.config["tlsKey"]])
        self.assertEqual(("secret", "sconverge-scrape/token"), paths[r.config["listenTokenFile"]])
        self.assertNotIn("insecureListen", r.config)

    def test_insecure_metrics_are_asked_for_by_name(self):
        self.assertIs(True, of_matrix("service-monitor").config["insecureListen"])

    def test_probes_have_a_port_of_their_own_on_every_interface(self):
        for name in MATRIX:
            r = of_matrix(name)
            own = r.config["healthListen"] if name != "existing-config" else flags(r.container())["health-listen"]
            port = next(p["containerPort"] for p in r.container()["ports"] if p["name"] == "health")
            self.assertEqual(f"0.0.0.0:{port}", own, name)

    def test_a_configuration_that_is_not_the_chart_s_gets_the_pod_s_settings_as_flags(self):
        r = of_matrix("existing-config")
        given = flags(r.container())
        expected = {"config": "/etc/sconverge/sconverge.yaml", "specs": "/specs", "state": "/var/lib/sconverge",
                    "listen": "0.0.0.0:8080", "health-listen": "0.0.0.0:8081",
                    "log-level": "info", "metrics-max-specs": "1000", "tls-cert": f"{SECRETS}/metrics/tls.crt", "listen-token-file": f"{SECRETS}/metrics/token"}
        self.assertEqual(expected, {k: given.get(k) for k in expected})
        self.assertEqual("my-sconverge", volume(r, "config")["configMap"]["name"])
        self.assertEqual([], r.all("ConfigMap"))

    def test_state_outlives_the_release(self):
        claim = of_matrix("default").one("PersistentVolumeClaim")
        self.assertEqual("keep", claim["metadata"]["annotations"]["helm.sh/resource-policy"])
        self.assertEqual(claim["metadata"]["name"], volume(of_matrix("default"), "state")["persistentVolumeClaim"]["claimName"])
        self.assertEqual([], of_matrix("existing-claim").all("PersistentVolumeClaim"))
        self.assertEqual({}, volume(of_matrix("minimal"), "state")["emptyDir"])
        self.assertEqual("", render({"persistence": {"storageClass": "-"}}).one("PersistentVolumeClaim")["spec"]["storageClassName"])

    def test_a_digest_wins_over_a_tag(self):
        self.assertRegex(of_matrix("everything").container()["image"], r"^registry.example.com/hpc/sconverge@sha256:a{64}$")
        self.assertEqual("sconverge:1.2.3", render({"image": {"tag": "1.2.3"}}).container()["image"])

    def test_every_field_of_the_pod_that_has_a_value_takes_it(self):
        pod = of_matrix("everything").pod
        values = chart.load(MATRIX["everything"])
        for key in ("priorityClassName", "runtimeClassName", "schedulerName", "terminationGracePeriodSeconds", "hostAliases",
                    "dnsPolicy", "dnsConfig", "tolerations", "affinity", "imagePullSecrets"):
            self.assertEqual(values[key], pod[key], key)
        self.assertEqual(values["lifecycle"], of_matrix("everything").container()["lifecycle"])
        spread = pod["topologySpreadConstraints"][0]
        self.assertEqual("sconverge", spread["labelSelector"]["matchLabels"]["app.kubernetes.io/instance"])
        self.assertIn({"name": "TZ", "value": "Europe/Berlin"}, of_matrix("everything").container()["env"])

    def test_another_verb_in_the_pod_finds_the_controller_s_configuration(self):
        for name in MATRIX:
            container = of_matrix(name).container()
            path = next(e["value"] for e in container["env"] if e["name"] == "SCONVERGE_CONFIG")
            self.assertIn("--config=" + path, container["args"])

    def test_users_may_be_left_to_the_cluster(self):
        none = {"runAsUser": None, "runAsGroup": None}
        r = render({"podSecurityContext": {**none, "fsGroup": None}, "securityContext": none, "gitSync": {"securityContext": none}})
        self.assertNotRegex(r.text, "runAsUser|runAsGroup|fsGroup:")

    def test_extra_objects_are_templates(self):
        r = of_matrix("everything")
        self.assertEqual("hpc", r.one("ConfigMap", "sconverge-notes")["data"]["who"])
        self.assertEqual("0.1.0", r.one("ConfigMap", "sconverge-more")["data"]["version"])


if __name__ == "__main__":
    unittest.main()
