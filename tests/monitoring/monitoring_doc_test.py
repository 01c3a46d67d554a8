"""docs/monitoring.md names alerts and metrics that exist."""

import re
import unittest

import yaml

import alert_rules
from files import DASHBOARDS, ROOT


class MonitoringDoc(unittest.TestCase):
    def setUp(self):
        self.text = (ROOT / "docs/monitoring.md").read_text(encoding="utf-8")
        self.alerts = alert_rules.alerts_of(alert_rules.read())
        # By the section's heading.
        self.blocks = {heading: [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", body, re.DOTALL)]
                       for heading, body in re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", self.text, re.DOTALL | re.MULTILINE)}

    def names_in(self, matchers):
        """Every alert that these matchers pick; those that name none count as a name that is no alert."""
        out = set()
        for name in re.findall(r'alertname =~? "?([^"]*)"?', " ".join(matchers)):
            words = re.fullmatch(r"(\w*)\(([^)]*)\)", name)
            out |= {words[1] + word for word in words[2].split("|")} if words else set(name.split("|"))
        return out

    def test_the_inhibitions_are_of_alerts_that_exist_and_by_labels_that_they_have(self):
        for rule in self.blocks["What follows from what"][0]["inhibit_rules"]:
            sources, targets = self.names_in(rule["source_matchers"]), self.names_in(rule["target_matchers"])
            with self.subTest(sources=sources):
                self.assertTrue(sources and targets)
                self.assertLessEqual(sources | targets, set(self.alerts))
                if "cluster" in rule["equal"]:
                    for name in sources | targets:
                        self.assertIn("$labels.cluster", self.alerts[name]["annotations"]["description"])

    def test_the_alerts_in_the_values_of_the_chart_exist(self):
        alert_rules.changed(alert_rules.read(), alerts=self.blocks["With the Helm chart"][0]["prometheusRule"]["rules"])

    def test_the_values_of_the_chart_exist(self):
        chart = yaml.safe_load((ROOT / "charts/sconverge/values.yaml").read_text(encoding="utf-8"))

        def hold(shown, real, path):
            for key, value in shown.items():
                self.assertIn(key, real, path)
                if isinstance(value, dict):
                    hold(value, real[key], f"{path}{key}.")

        hold(self.blocks["With the Helm chart"][0], chart, "")

    def test_the_scrape_configuration_has_the_job_that_the_alerts_select(self):
        self.assertEqual(self.blocks["Without it"][0]["scrape_configs"][0]["job_name"], "sconverge")

    def test_it_counts_the_alerts_and_shows_every_dashboard(self):
        self.assertIn(f"{len(self.alerts)} alerts", self.text)
        for path in DASHBOARDS.glob("*.json"):
            self.assertIn(f"dashboards/{path.stem}.png", self.text)

    def test_its_links_lead_to_files(self):
        for target in re.findall(r"\]\(([^)#:]+)\)", self.text):
            with self.subTest(link=target):
                self.assertTrue((ROOT / "docs" / target).exists())


if __name__ == "__main__":
    unittest.main()
