"""The objects around the pod: Service, monitors, NetworkPolicy, accounts, dashboards, `helm test`."""

import json
import unittest

import chart
from chart import MATRIX, NAMESPACE, of_matrix, render
from looks import pod_labels

ENDPOINT_KEYS = {"port", "path", "scheme", "interval", "scrapeTimeout", "honorLabels", "relabelings", "metricRelabelings",
                 "tlsConfig", "authorization"}


class SurroundingsTest(unittest.TestCase):
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
            service = r.service
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
            service = r.service["spec"]
            self.assertLessEqual(service["selector"].items(), pod_labels(r).items(), name)
            ports = {p["name"] for c in r.pod["containers"] for p in c.get("ports", [])}
            self.assertLessEqual({p["targetPort"] for p in service["ports"]}, ports, name)

    def test_pods_of_helm_test_are_outside_of_service_policy_and_budget(self):
        r = of_matrix("everything")
        selectors = [r.service["spec"]["selector"], r.one("NetworkPolicy")["spec"]["podSelector"]["matchLabels"],
                     r.one("PodDisruptionBudget")["spec"]["selector"]["matchLabels"]]
        for pod in r.all("Pod"):
            for selector in selectors:
                self.assertFalse(selector.items() <= pod["metadata"]["labels"].items())

    def test_helm_test_asks_the_service_s_probe_and_slurm(self):
        r = of_matrix("everything")
        readiness = r.one("Pod", "sconverge-test-readiness")
        self.assertEqual("test", readiness["metadata"]["annotations"]["helm.sh/hook"])
        self.assertIn("--slurmrestd=http://sconverge.slurm-jobs.svc:9080", readiness["spec"]["containers"][0]["args"])
        self.assertIn({"name": "health", "port": 9080, "targetPort": "health", "protocol": "TCP"}, r.service["spec"]["ports"])
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


if __name__ == "__main__":
    unittest.main()
