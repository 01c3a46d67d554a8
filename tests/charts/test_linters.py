"""Rules of kube-linter and Polaris that concern us, over every rendering.

Each is named as the tool names it. What belongs to the user's own containers or is a matter of the cluster (an admission
policy, a registry) is left to the tools themselves.
"""

import re
import unittest

from chart import MATRIX, of_matrix

SENSITIVE_PATHS = ("/", "/boot", "/dev", "/etc", "/lib", "/proc", "/sys", "/usr", "/var/run/docker.sock")


def security(pod, container, key):
    """As the kubelet sees it: the container's own word, else the pod's."""
    return container.get("securityContext", {}).get(key, pod.get("securityContext", {}).get(key))


def over_pods(check):
    """A test of every pod of every rendering: its specification, and whether it serves or is one of `helm test`."""
    def test(self):
        for name in MATRIX:
            for workload, pod, serves in of_matrix(name).workloads():
                with self.subTest(f"{name} {workload}"):
                    check(self, pod, serves)
    return test


def over_containers(check):
    """A test of every container of every pod."""
    def of_pod(self, pod, serves):
        for container in pod.get("initContainers", []) + pod["containers"]:
            with self.subTest(container["name"]):
                check(self, pod, container, serves)
    return over_pods(of_pod)


class SecurityRulesTest(unittest.TestCase):
    @over_containers
    def test_run_as_non_root(self, pod, c, _serves):
        self.assertIs(True, security(pod, c, "runAsNonRoot"))
        self.assertGreater(security(pod, c, "runAsUser"), 10000)

    @over_containers
    def test_no_read_only_root_fs(self, _pod, c, _serves):
        self.assertIs(True, c["securityContext"]["readOnlyRootFilesystem"])

    @over_containers
    def test_privilege_escalation_container_and_privileged_container(self, _pod, c, _serves):
        self.assertIs(False, c["securityContext"]["allowPrivilegeEscalation"])
        self.assertNotIn("privileged", c["securityContext"])

    @over_containers
    def test_drop_net_raw_capability_and_insecure_capabilities(self, _pod, c, _serves):
        self.assertEqual({"drop": ["ALL"]}, c["securityContext"]["capabilities"])

    @over_pods
    def test_seccomp_profile_of_the_restricted_pod_security_standard(self, pod, _serves):
        self.assertEqual("RuntimeDefault", pod["securityContext"]["seccompProfile"]["type"])

    @over_containers
    def test_host_network_host_pid_host_ipc_and_host_ports(self, pod, c, _serves):
        self.assertFalse({"hostNetwork", "hostPID", "hostIPC"} & set(pod))
        self.assertFalse([p for p in c.get("ports", []) if "hostPort" in p])

    @over_containers
    def test_sensitive_host_mounts_and_docker_sock(self, pod, c, _serves):
        self.assertFalse([v for v in pod.get("volumes", []) if "hostPath" in v])
        self.assertFalse([m for m in c.get("volumeMounts", []) if m["mountPath"] in SENSITIVE_PATHS])

    @over_containers
    def test_env_var_secret_and_read_secret_from_env_var(self, _pod, c, _serves):
        self.assertFalse([e for e in c.get("env", []) if re.search("(?i)secret|token|password|jwt", e["name"])])
        self.assertFalse([e for e in c.get("env", []) if "secretKeyRef" in e.get("valueFrom", {})])
        self.assertFalse([e for e in c.get("envFrom", []) if "secretRef" in e])

    @over_pods
    def test_automount_service_account_token(self, pod, _serves):
        self.assertIs(False, pod["automountServiceAccountToken"])

    def test_accounts_give_no_token_either(self):
        for name in MATRIX:
            for account in of_matrix(name).all("ServiceAccount"):
                self.assertIs(False, account["automountServiceAccountToken"])

    def test_no_role_of_any_kind_is_asked_for(self):
        for name in MATRIX:
            self.assertFalse([o["kind"] for o in of_matrix(name).objects if "Role" in o["kind"]], name)

    @over_containers
    def test_ssh_port_and_privileged_ports(self, _pod, c, _serves):
        self.assertFalse([p for p in c.get("ports", []) if p["containerPort"] < 1024])


class EfficiencyRulesTest(unittest.TestCase):
    @over_containers
    def test_unset_cpu_requirements_and_unset_memory_requirements(self, _pod, c, _serves):
        self.assertLessEqual({"cpu", "memory"}, set(c["resources"]["requests"]))
        self.assertIn("memory", c["resources"]["limits"])

    def test_cpu_limits_missing_where_the_values_are_strict(self):
        for c in of_matrix("everything").pod["containers"]:
            self.assertIn("cpu", c["resources"]["limits"])


class ReliabilityRulesTest(unittest.TestCase):
    @over_containers
    def test_liveness_port_readiness_port_and_probes_missing(self, _pod, c, serves):
        if not serves:
            return
        ports = {p["name"] for p in c.get("ports", [])}
        for kind in ("livenessProbe", "readinessProbe"):
            probe = c[kind]
            self.assertTrue("exec" in probe or probe["httpGet"]["port"] in ports, kind)
        if "startupProbe" in c:
            self.assertIn(c["startupProbe"]["httpGet"]["port"], ports)

    @over_containers
    def test_latest_tag_and_tag_not_specified(self, _pod, c, _serves):
        self.assertRegex(c["image"], r"@sha256:[0-9a-f]{64}$|:v?[0-9]+\.[0-9]+\.[0-9]+$")

    def test_pull_policy_not_always_where_the_values_are_strict(self):
        for c in of_matrix("everything").pod["containers"]:
            self.assertEqual("Always", c["imagePullPolicy"])

    def test_pdb_max_unavailable_pdb_min_available_and_pdb_unhealthy_pod_eviction_policy(self):
        budget = of_matrix("everything").one("PodDisruptionBudget")["spec"]
        self.assertEqual(1, budget["maxUnavailable"])
        self.assertNotIn("minAvailable", budget)
        self.assertEqual("AlwaysAllow", budget["unhealthyPodEvictionPolicy"])

    def test_missing_pod_disruption_budget_network_policy_topology_spread_and_priority_class_where_the_values_are_strict(self):
        r = of_matrix("everything")
        self.assertTrue(r.all("PodDisruptionBudget") and r.all("NetworkPolicy"))
        self.assertTrue(r.pod["topologySpreadConstraints"] and r.pod["priorityClassName"])

    def test_mismatching_selector_and_dangling_service_and_dangling_networkpolicy(self):
        for name in MATRIX:
            r = of_matrix(name)
            templates = {o["metadata"]["name"]: o["spec"]["template"]["metadata"]["labels"] for o in r.all("Deployment")}
            for o in r.all("Deployment") + r.all("Service") + r.all("NetworkPolicy") + r.all("PodDisruptionBudget"):
                selector = o["spec"].get("podSelector", o["spec"].get("selector"))
                selected = [w for w, labels in templates.items() if selector.get("matchLabels", selector).items() <= labels.items()]
                self.assertEqual([o["metadata"]["name"]], selected, o["kind"])

    def test_non_existent_service_account(self):
        for name in MATRIX:
            r = of_matrix(name)
            made = [a["metadata"]["name"] for a in r.all("ServiceAccount")]
            self.assertIn(r.pod["serviceAccountName"], made or ["default"])

    def test_metadata_and_instance_mismatched(self):
        for name in MATRIX:
            meta = of_matrix(name).deployment["metadata"]
            self.assertEqual(meta["name"], meta["labels"]["app.kubernetes.io/instance"], name)

    def test_no_anti_affinity(self):
        for name in MATRIX:
            for o in of_matrix(name).all("Deployment"):
                if o["spec"]["replicas"] > 1:
                    (term,) = o["spec"]["template"]["spec"]["affinity"]["podAntiAffinity"]["preferredDuringSchedulingIgnoredDuringExecution"]
                    self.assertEqual(o["spec"]["selector"], term["podAffinityTerm"]["labelSelector"], name)

    @over_containers
    def test_duplicate_env_var(self, _pod, c, _serves):
        names = [e["name"] for e in c.get("env", [])]
        self.assertEqual(len(set(names)), len(names))

    def test_invalid_target_ports(self):
        for name in MATRIX:
            for port in of_matrix(name).service["spec"]["ports"]:
                self.assertRegex(port["targetPort"], r"^(?=.*[a-z])[a-z0-9]([a-z0-9-]{0,13}[a-z0-9])?$")

    def test_use_namespace(self):
        for name in MATRIX:
            for o in of_matrix(name).objects:
                self.assertNotEqual("default", o["metadata"]["namespace"])


if __name__ == "__main__":
    unittest.main()
