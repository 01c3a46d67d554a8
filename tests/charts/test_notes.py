"""What Helm prints after an installation."""

import unittest

import chart
from chart import MATRIX


def notes(name):
    # Helm 3.17 asks a cluster even for this.
    said = chart.call("install", "sconverge", chart.CHART, "--dry-run=client", "--namespace", chart.NAMESPACE, "--values", MATRIX[name],
                      helm=chart.HELM_4)
    return said.partition("\nNOTES:\n")[2]


class NotesTest(unittest.TestCase):
    def test_they_say_whence_the_specs_come_and_how_to_look(self):
        for name, source in (("git-sync", "git@git.example.com:hpc/jobs.git (main), directory clusters/prod/jobs"),
                             ("existing-claim", "the claim shared-jobs, directory jobs"), ("minimal", "the ConfigMap jobs"),
                             ("configmap", "the ConfigMap sconverge-specs"), ("empty-dir", 'the volume "specs"')):
            with self.subTest(name):
                text = notes(name)
                self.assertIn(f"as declared in {source}.\n", text)
                for command in ("helm test sconverge --namespace slurm", "logs deploy/sconverge --follow", "-- sconverge get --state"):
                    self.assertIn(command, text)

    def test_they_name_the_port_and_scheme_that_are_served(self):
        self.assertRegex(notes("default"), r"deploy/sconverge 9810\n\s+http://localhost:9810")
        self.assertRegex(notes("monitoring"), r"deploy/sconverge 8080\n\s+https://localhost:8080")

    def test_they_say_where_the_gateway_is(self):
        self.assertIn("https://sconverge-gateway.slurm.svc/v1beta1/projects/my-project/locations/us-central1/", notes("gateway"))
        self.assertNotIn("callSlurmRestApi", notes("default"))

    def test_they_warn_of_what_is_risky_and_of_nothing_else(self):
        warnings = {"minimal": "there is no volume for the state", "stopped": "replicaCount is 0", "service-monitor": "served without TLS and without a token"}
        for name in MATRIX:
            with self.subTest(name):
                text = notes(name)
                if name == "networkpolicy":
                    self.assertIn("WARNING: metrics, status page and API are served", text)
                    self.assertNotIn("Nothing of this chart keeps", text)
                elif name in warnings:
                    self.assertIn(f"WARNING: {warnings[name]}", text.replace("metrics, status page and API are ", ""))
                else:
                    self.assertNotIn("WARNING", text)

    def test_a_configuration_of_the_user_s_is_restarted_by_hand(self):
        self.assertIn("rollout restart deploy/sconverge", notes("existing-config"))

    def test_alerts_without_a_monitor_are_told_about(self):
        self.assertNotIn("NOTE", notes("monitoring"))


if __name__ == "__main__":
    unittest.main()
