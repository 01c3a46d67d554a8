"""The alerts of metrics/alerts, as the values have them."""

import re
import subprocess
import tempfile
import unittest

import yaml

import chart
from chart import DEFAULTS, NAMESPACE, RELEASE, load, of_matrix, render

FILE = chart.ROOT / "metrics" / "alerts" / "sconverge.rules.yaml"
THRESHOLD = re.compile(r"(?:[<>]=?|[!=]=)\s*([-+0-9.eE]+)\s*$")


def rules(groups):
    return {rule["alert"]: rule for group in groups for rule in group["rules"]}


def rendered(values=None):
    return rules(render({"prometheusRule": {"enabled": True, **(values or {})}}).one("PrometheusRule")["spec"]["groups"])


def threshold(rule):
    found = THRESHOLD.search(rule["expr"])
    return float(found[1]) if found else None


class AlertsTest(unittest.TestCase):
    def setUp(self):
        self.file = rules(load(FILE)["groups"])
        self.values = DEFAULTS["prometheusRule"]["rules"]

    def test_values_list_every_alert_of_the_file_with_its_own_settings(self):
        self.assertEqual(list(self.file), list(self.values))
        for alert, rule in self.file.items():
            with self.subTest(alert):
                value = self.values[alert]
                self.assertTrue(value["enabled"])
                self.assertEqual(rule.get("for", "0s"), value["for"])
                self.assertEqual(rule["labels"]["severity"], value["severity"])
                self.assertEqual(threshold(rule), value.get("threshold"))

    def test_without_a_word_the_alerts_are_those_of_the_file(self):
        self.assertEqual(self.file, rendered())

    def test_groups_are_those_of_the_file(self):
        groups = render({"prometheusRule": {"enabled": True}}).one("PrometheusRule")["spec"]["groups"]
        self.assertEqual([g["name"] for g in load(FILE)["groups"]], [g["name"] for g in groups])

    def test_an_alert_is_switched_off_by_its_name(self):
        self.assertNotIn("SconvergeWatchOverflow", rules(of_matrix("monitoring").one("PrometheusRule")["spec"]["groups"]))

    def test_a_group_without_alerts_is_left_out(self):
        off = {alert: {"enabled": alert == "SconvergeDown"} for alert in self.values}
        groups = render({"prometheusRule": {"enabled": True, "rules": off}}).one("PrometheusRule")["spec"]["groups"]
        self.assertEqual([["SconvergeDown"]], [[r["alert"] for r in g["rules"]] for g in groups])

    def test_for_severity_and_threshold_are_replaced_and_nothing_else(self):
        for alert, value in self.values.items():
            with self.subTest(alert):
                new = {"for": "7m", "severity": "info"} | ({"threshold": 4321.5} if "threshold" in value else {})
                got = rendered({"rules": {alert: new}})[alert]
                self.assertEqual(("7m", "info"), (got["for"], got["labels"]["severity"]))
                expected = self.file[alert]["expr"]
                if "threshold" in value:
                    self.assertEqual(4321.5, threshold(got))
                    expected = expected[: THRESHOLD.search(expected).start(1)] + "4321.5"
                self.assertEqual(expected, got["expr"])
                self.assertEqual(self.file[alert]["annotations"], got["annotations"])

    def test_with_a_monitor_the_alerts_are_about_this_release_alone(self):
        for rule in rules(of_matrix("monitoring").one("PrometheusRule")["spec"]["groups"]).values():
            self.assertNotRegex(rule["expr"].replace(f'job="{RELEASE}", namespace="{NAMESPACE}"', ""), "job=")
            self.assertIn(f'job="{RELEASE}", namespace="{NAMESPACE}"', rule["expr"])

    def test_a_selector_of_the_user_s_wins(self):
        for rule in rules(of_matrix("everything").one("PrometheusRule")["spec"]["groups"]).values():
            self.assertIn('job="sconverge", env="prod"', rule["expr"])

    def test_links_lead_to_the_user_s_runbook_and_grafana(self):
        for alert, rule in rules(of_matrix("monitoring").one("PrometheusRule")["spec"]["groups"]).items():
            notes = rule["annotations"]
            self.assertEqual(f"https://wiki.example.com/sconverge#{alert.lower()}", notes["runbook_url"])
            self.assertRegex(notes["dashboard_url"], r"^https://grafana\.example\.com/d/sconverge-")

    def test_no_alert_is_about_series_that_are_switched_off(self):
        self.assertNotIn("SconvergeSpecNotReady", of_matrix("service-monitor").text)

    def test_promtool_accepts_every_rendering_of_them(self):
        for name in ("monitoring", "service-monitor", "everything"):
            with self.subTest(name), tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
                yaml.safe_dump({"groups": of_matrix(name).one("PrometheusRule")["spec"]["groups"]}, file)
                file.flush()
                done = subprocess.run(["promtool", "check", "rules", file.name], capture_output=True, text=True, check=False)
                self.assertEqual(0, done.returncode, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
