"""What the documents tell people to write renders."""

import re
import unittest

import yaml

from chart import CHART, ROOT, Loader, render


def examples(path):
    """Values in a document: its YAML blocks, and the files that its commands write."""
    text = path.read_text()
    return re.findall(r"(?ms)^```yaml\n(.*?)^```", text) + re.findall(r"(?ms)<<'END'\n(.*?)^END$", text)


class DocumentsTest(unittest.TestCase):
    def test_every_example_of_the_chart_s_readme_renders(self):
        found = examples(CHART / "README.md")
        self.assertGreater(len(found), 3)
        for text in found:
            with self.subTest(text):
                render(yaml.load(text, Loader))

    def test_the_example_of_installing_needs_nothing_else(self):
        (text,) = [t for t in examples(CHART / "README.md") if "gitSync:" in t]
        self.assertTrue(render(yaml.load(text, Loader), base={}).pod)

    def test_the_example_of_monitoring_renders_with_monitor_alerts_and_dashboards(self):
        rendering = render(yaml.load(examples(ROOT / "docs" / "monitoring.md")[0], Loader))
        self.assertLessEqual({"PodMonitor", "PrometheusRule"}, {o["kind"] for o in rendering.objects})

    def test_the_command_of_the_repository_s_readme_renders(self):
        (text,) = re.findall(r"\$ helm install sconverge charts/sconverge (--set .*?)```", (ROOT / "README.md").read_text(), re.S)
        values = {}
        for key, value in re.findall(r"([\w.]+)=([^,\s]+)", text):
            place = values
            for part in key.split(".")[:-1]:
                place = place.setdefault(part, {})
            place[key.split(".")[-1]] = value
        self.assertTrue(render(values, base={}).pod)


if __name__ == "__main__":
    unittest.main()
