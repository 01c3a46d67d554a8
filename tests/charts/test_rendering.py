"""What the values make of the pod, its configuration and the objects around it."""

import json
import re
import unittest

import chart
from chart import MATRIX, NAMESPACE, of_matrix, render

SECRETS = "/var/run/secrets/sconverge"
GUARDED = {"enabled": True, "tls": {"secretName": "web-tls"}, "bearerToken": {"secretName": "web-token"}}


def volume(rendering, name):
    return next((v for v in rendering.pod["volumes"] if v["name"] == name), None)


def projected(rendering):
    """Paths of the volume of secrets, each with the kind and name of what is there."""
    paths = {}
    for source in (volume(rendering, "secrets") or {"projected": {"sources": []}})["projected"]["sources"]:
        for kind, value in source.items():
            if kind == "serviceAccountToken":
                paths[f"{SECRETS}/{value['path']}"] = (kind, value["audience"])
            else:
                for item in value["items"]:
                    paths[f"{SECRETS}/{item['path']}"] = (kind, f"{value['name']}/{item['key']}")
    return paths


def mounts(container):
    return {m["mountPath"]: m for m in container["volumeMounts"]}


def flags(container):
    return dict(a.removeprefix("--").split("=", 1) for a in container["args"] if "=" in a)


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


def walk(value, key=""):
    if isinstance(value, dict):
        for k, v in value.items():
            yield from walk(v, k)
    else:
        yield key, value


def is_path(key):
    return key in ("specs", "state", "credentials") or key.endswith(("File", "Cert", "Key")) and key != "apiKey"


class SecretsTest(unittest.TestCase):
    def test_tokens_are_files_of_secrets_and_never_variables_arguments_or_configuration(self):
        for name in MATRIX:
            for pod_name, pod, _ in of_matrix(name).workloads():
                with self.subTest(f"{name} {pod_name}"):
                    for c in pod["containers"]:
                        self.assertNotIn("secretKeyRef", json.dumps(c.get("env", [])))
                        self.assertNotIn("secretRef", json.dumps(c.get("envFrom", [])))
                        self.assertNotIn("--password=", " ".join(c.get("args", [])))

    def test_secrets_are_mounted_read_only_and_not_for_others(self):
        r = of_matrix("everything")
        for name in ("secrets", "git-credentials"):
            self.assertEqual(0o440, volume(r, name)["projected"]["defaultMode"])
        self.assertTrue(mounts(r.container())[SECRETS]["readOnly"])
        self.assertTrue(mounts(r.container("git-sync"))["/etc/git-secret"]["readOnly"])
        self.assertNotIn(SECRETS, mounts(r.container("git-sync")))

    def test_a_slurmrestd_s_token_and_authorities_come_from_the_named_keys(self):
        r = of_matrix("git-sync")
        cluster = r.config["clusters"]["default"]
        self.assertEqual(("secret", "slurm-token/jwt"), projected(r)[cluster["slurmrestd"]["tokenFile"]])
        self.assertEqual(("secret", "slurm-ca/ca.crt"), projected(r)[cluster["caFile"]])

    def test_workload_identity_federation_needs_no_secret_at_all(self):
        r = of_matrix("job-api")
        api = r.config["clusters"]["default"]["slurmJobApi"]
        self.assertEqual(("configMap", "sconverge/default.credentials.json"), projected(r)[api["credentials"]])
        account = json.loads(r.one("ConfigMap", "sconverge")["data"]["default.credentials.json"])
        self.assertEqual("external_account", account["type"])
        self.assertIn("slurm-jobs@my-project.iam", account["service_account_impersonation_url"])
        token = account["credential_source"]["file"]
        self.assertEqual(("serviceAccountToken", "https:" + account["audience"]), projected(r)[token])

    def test_each_cluster_gets_the_credentials_that_it_names(self):
        r = of_matrix("job-api")
        paths = projected(r)
        apis = {name: c.get("slurmJobApi", {}) for name, c in r.config["clusters"].items()}
        self.assertEqual(("secret", "slurm-jobs-key/key.json"), paths[apis["keyed"]["credentials"]])
        self.assertEqual(("configMap", "federation/credentials.json"), paths[apis["federated"]["credentials"]])
        self.assertEqual("serviceAccountToken", paths[f"{SECRETS}/clusters/federated/identity"][0])
        self.assertEqual(("secret", "gateway-token/token"), paths[apis["gateway"]["accessTokenFile"]])
        self.assertEqual(("secret", "gateway-ca/ca.pem"), paths[r.config["clusters"]["gateway"]["caFile"]])
        self.assertEqual({"project", "region", "cluster", "quotaProject"}, set(apis["gke"]))

    def test_a_pod_without_secrets_has_no_volume_of_them(self):
        slurm = {"url": "", "user": "", "tokenSecret": {"name": ""}}
        r = render({"slurm": slurm, "slurmJobApi": {"project": "p", "region": "r", "cluster": "c"}})
        self.assertIsNone(volume(r, "secrets"))
        self.assertNotIn(SECRETS, mounts(r.container()))


class SourceTest(unittest.TestCase):
    def test_git_sync_writes_where_sconverge_reads(self):
        r = of_matrix("git-sync")
        given = flags(r.container("git-sync"))
        self.assertEqual(f"{given['root']}/{given['link']}/clusters/prod/jobs", r.config["specs"])
        self.assertNotIn("readOnly", mounts(r.container("git-sync"))["/specs"])
        self.assertTrue(mounts(r.container())["/specs"]["readOnly"])
        self.assertNotEqual("/specs", given["root"], "git-sync replaces its root, and no one replaces a volume")

    def test_git_sync_gets_what_the_values_say(self):
        given = flags(of_matrix("git-sync").container("git-sync"))
        expected = {"repo": "git@git.example.com:hpc/jobs.git", "ref": "main", "period": "10s", "depth": "1",
                    "max-failures": "10", "stale-worktree-timeout": "60s", "http-metrics": "true", "verbose": "1"}
        self.assertEqual(expected, {k: given[k] for k in expected})

    def test_ssh_never_goes_without_known_hosts(self):
        own = render({"gitSync": {"repo": "git@a:b", "credentials": {"type": "ssh", "secretName": "key"}}})
        for r, hosts in ((of_matrix("git-sync"), ("configMap", "git-known-hosts")), (own, ("secret", "key"))):
            given = flags(r.container("git-sync"))
            self.assertEqual("true", given["ssh-known-hosts"])
            sources = volume(r, "git-credentials")["projected"]["sources"]
            paths = {"/etc/git-secret/" + v["items"][0]["path"]: (k, v["name"]) for s in sources for k, v in s.items()}
            self.assertEqual(hosts, paths[given["ssh-known-hosts-file"]])
            self.assertEqual("secret", paths[given["ssh-key-file"]][0])

    def test_a_password_is_read_from_a_file(self):
        r = of_matrix("git-sync-https")
        given = flags(r.container("git-sync"))
        self.assertEqual(("deploy", "/etc/git-secret/password"), (given["username"], given["password-file"]))
        self.assertEqual("jobs-password", volume(r, "git-credentials")["projected"]["sources"][0]["secret"]["name"])

    def test_git_sync_is_there_for_git_alone(self):
        for name in ("existing-claim", "configmap", "empty-dir"):
            self.assertIsNone(of_matrix(name).container("git-sync"), name)

    def test_a_claim_is_mounted_read_only(self):
        claim = volume(of_matrix("existing-claim"), "specs")["persistentVolumeClaim"]
        self.assertEqual({"claimName": "shared-jobs", "readOnly": True}, claim)
        self.assertEqual("/specs/jobs", of_matrix("existing-claim").config["specs"])

    def test_specs_in_the_values_become_files_of_a_configmap(self):
        r = of_matrix("configmap")
        name = volume(r, "specs")["configMap"]["name"]
        self.assertIn("kind: Job", r.one("ConfigMap", name)["data"]["hello.yaml"])
        self.assertEqual("jobs", volume(of_matrix("minimal"), "specs")["configMap"]["name"])


class PodTest(unittest.TestCase):
    def test_never_are_there_two_pods(self):
        for name in MATRIX:
            spec = of_matrix(name).one("Deployment")["spec"]
            self.assertEqual({"type": "Recreate"}, spec["strategy"], name)
            self.assertLessEqual(spec["replicas"], 1, name)
        self.assertEqual(0, of_matrix("stopped").one("Deployment")["spec"]["replicas"])

    def test_a_changed_configuration_restarts_the_pod_and_an_unchanged_one_does_not(self):
        def checksum(values):
            return render(values).one("Deployment")["spec"]["template"]["metadata"]["annotations"]["checksum/config"]
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
                    "tls-cert": f"{SECRETS}/metrics/tls.crt", "listen-token-file": f"{SECRETS}/metrics/token"}
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

    def test_users_may_be_left_to_the_cluster(self):
        none = {"runAsUser": None, "runAsGroup": None}
        r = render({"podSecurityContext": {**none, "fsGroup": None}, "securityContext": none, "gitSync": {"securityContext": none}})
        self.assertNotRegex(r.text, "runAsUser|runAsGroup|fsGroup:")

    def test_extra_objects_are_templates(self):
        r = of_matrix("everything")
        self.assertEqual("hpc", r.one("ConfigMap", "sconverge-notes")["data"]["who"])
        self.assertEqual("0.1.0", r.one("ConfigMap", "sconverge-more")["data"]["version"])


class AroundTest(unittest.TestCase):
    def test_a_monitor_scrapes_as_metrics_are_served(self):
        secure = of_matrix("monitoring").one("PodMonitor")["spec"]["podMetricsEndpoints"][0]
        self.assertEqual("https", secure["scheme"])
        self.assertEqual({"secret": {"name": "sconverge-tls", "key": "ca.crt"}}, secure["tlsConfig"]["ca"])
        self.assertEqual(f"sconverge.{NAMESPACE}.svc", secure["tlsConfig"]["serverName"])
        self.assertEqual({"type": "Bearer", "credentials": {"name": "sconverge-scrape", "key": "token"}}, secure["authorization"])
        plain = of_matrix("service-monitor").one("ServiceMonitor")["spec"]["endpoints"][0]
        self.assertEqual("http", plain["scheme"])
        self.assertFalse({"tlsConfig", "authorization"} & set(plain))
        own = of_matrix("everything").one("ServiceMonitor")["spec"]["endpoints"][0]["tlsConfig"]
        self.assertEqual({"minVersion": "TLS12", "serverName": "sconverge.example.com"}, own)

    def test_a_monitor_finds_pod_and_port_by_what_they_are_called(self):
        for name, kind, found in (("monitoring", "PodMonitor", "pod"), ("service-monitor", "ServiceMonitor", "service")):
            r = of_matrix(name)
            monitor = r.one(kind)["spec"]
            service = r.one("Service")
            labels = service["metadata"]["labels"] if found == "service" else pod_labels(r)
            ports = service["spec"]["ports"] if found == "service" else [p for c in r.pod["containers"] for p in c["ports"]]
            self.assertLessEqual(monitor["selector"]["matchLabels"].items(), labels.items())
            self.assertIn(monitor["jobLabel"], labels)
            for endpoint in monitor.get("endpoints", monitor.get("podMetricsEndpoints")):
                self.assertIn(endpoint["port"], [p["name"] for p in ports])
                self.assertFalse(set(endpoint) - ENDPOINT_KEYS)

    def test_a_monitor_takes_its_values(self):
        monitor = of_matrix("monitoring").one("PodMonitor")
        endpoint = monitor["spec"]["podMetricsEndpoints"][0]
        self.assertEqual(20000, monitor["spec"]["sampleLimit"])
        self.assertEqual(("30s", "10s"), (endpoint["interval"], endpoint["scrapeTimeout"]))
        self.assertEqual("env", endpoint["relabelings"][0]["targetLabel"])
        self.assertEqual("drop", endpoint["metricRelabelings"][0]["action"])
        self.assertEqual("kube-prometheus-stack", monitor["metadata"]["labels"]["release"])

    def test_git_sync_is_never_taken_for_a_controller(self):
        git = of_matrix("monitoring").one("PodMonitor")["spec"]["podMetricsEndpoints"][1]
        self.assertEqual("git-sync", git["port"])
        self.assertIn({"targetLabel": "job", "replacement": "sconverge-git-sync"}, git["relabelings"])

    def test_a_monitor_that_is_enabled_does_not_bring_the_other(self):
        self.assertEqual([], of_matrix("monitoring").all("ServiceMonitor"))
        self.assertEqual([], of_matrix("service-monitor").all("PodMonitor"))

    def test_the_service_reaches_the_pod(self):
        for name in MATRIX:
            r = of_matrix(name)
            service = r.one("Service")["spec"]
            self.assertLessEqual(service["selector"].items(), pod_labels(r).items(), name)
            ports = {p["name"] for c in r.pod["containers"] for p in c.get("ports", [])}
            self.assertLessEqual({p["targetPort"] for p in service["ports"]}, ports, name)

    def test_pods_of_helm_test_are_outside_of_service_policy_and_budget(self):
        r = of_matrix("everything")
        selectors = [r.one("Service")["spec"]["selector"], r.one("NetworkPolicy")["spec"]["podSelector"]["matchLabels"],
                     r.one("PodDisruptionBudget")["spec"]["selector"]["matchLabels"]]
        for pod in r.all("Pod"):
            for selector in selectors:
                self.assertFalse(selector.items() <= pod["metadata"]["labels"].items())

    def test_helm_test_asks_the_service_s_probe_and_slurm(self):
        r = of_matrix("everything")
        readiness = r.one("Pod", "sconverge-test-readiness")
        self.assertEqual("test", readiness["metadata"]["annotations"]["helm.sh/hook"])
        self.assertIn("--slurmrestd=http://sconverge.slurm-jobs.svc:9080", readiness["spec"]["containers"][0]["args"])
        self.assertIn({"name": "health", "port": 9080, "targetPort": "health", "protocol": "TCP"}, r.one("Service")["spec"]["ports"])
        slurm = r.one("Pod", "sconverge-test-slurm")["spec"]["containers"][0]
        self.assertEqual(["check", "--config=/etc/sconverge/sconverge.yaml"], slurm["args"])
        self.assertEqual([], of_matrix("minimal").all("Pod"))
        self.assertEqual([], of_matrix("stopped").all("Pod"))

    def test_a_network_policy_lets_out_what_is_needed(self):
        def ports(name):
            rules = of_matrix(name).one("NetworkPolicy")["spec"]["egress"]
            return [sorted((p["port"], p["protocol"]) for p in rule["ports"]) for rule in rules]
        dns = [(53, "TCP"), (53, "UDP")]
        self.assertEqual([dns, [(6820, "TCP")], [(8443, "TCP")]], ports("git-sync-https"))
        self.assertEqual([dns, [(8443, "TCP")], [(2222, "TCP")], [(3128, "TCP")]], ports("networkpolicy"))
        self.assertEqual([dns, [(8443, "TCP")], [(443, "TCP")], [(80, "TCP")], [(988, "TCP")], [(22, "TCP")]], ports("everything"))
        self.assertEqual([dns, [(6820, "TCP")], [(443, "TCP"), (9820, "TCP")], [(80, "TCP")], [(988, "TCP")]], ports("job-api"))
        rules = of_matrix("networkpolicy").one("NetworkPolicy")["spec"]["egress"]
        self.assertEqual([{"ipBlock": {"cidr": "10.1.0.0/24"}}], rules[1]["to"])
        self.assertEqual([{"ipBlock": {"cidr": "10.2.0.7/32"}}], rules[2]["to"])

    def test_the_metadata_server_is_reached_where_it_gives_the_credentials_alone(self):
        text = of_matrix("networkpolicy").text
        self.assertNotIn("169.254", text)
        self.assertIn("169.254.169.254/32", of_matrix("job-api").text)

    def test_a_network_policy_lets_in_probes_from_anywhere_and_readers_of_metrics_as_named(self):
        rules = of_matrix("networkpolicy").one("NetworkPolicy")["spec"]["ingress"]
        self.assertEqual(["health", "git-sync"], [p["port"] for p in rules[0]["ports"]])
        self.assertNotIn("from", rules[0])
        self.assertEqual(["metrics"], [p["port"] for p in rules[1]["ports"]])
        self.assertIn("namespaceSelector", rules[1]["from"][0])
        self.assertEqual(1, len(of_matrix("git-sync-https").one("NetworkPolicy")["spec"]["ingress"]))

    def test_an_account_of_somebody_else_s_is_used_by_its_name(self):
        r = render({"serviceAccount": {"create": False, "name": "robot"}})
        self.assertEqual([], r.all("ServiceAccount"))
        self.assertEqual("robot", r.pod["serviceAccountName"])

    def test_google_s_workload_identity_is_an_annotation_of_the_account(self):
        account = of_matrix("job-api").one("ServiceAccount")
        self.assertIn("iam.gke.io/gcp-service-account", account["metadata"]["annotations"])
        self.assertEqual(account["metadata"]["name"], of_matrix("job-api").pod["serviceAccountName"])

    def test_each_dashboard_is_a_configmap_that_grafana_s_sidecar_finds(self):
        r = of_matrix("monitoring")
        found = [o for o in r.all("ConfigMap") if o["metadata"]["labels"].get("grafana_dashboard") == "1"]
        files = sorted((chart.ROOT / "metrics" / "dashboards").glob("*.json"))
        self.assertEqual(len(files), len(found))
        for file in files:
            held = r.one("ConfigMap", f"sconverge-dashboard-{file.stem}")
            self.assertEqual(json.loads(file.read_text()), json.loads(held["data"][f"sconverge-{file.name}"]))
            self.assertEqual("Slurm", held["metadata"]["annotations"]["grafana_folder"])


ENDPOINT_KEYS = {"port", "path", "scheme", "interval", "scrapeTimeout", "honorLabels", "relabelings", "metricRelabelings",
                 "tlsConfig", "authorization"}


def pod_labels(rendering):
    return rendering.one("Deployment")["spec"]["template"]["metadata"]["labels"]


if __name__ == "__main__":
    unittest.main()
