"""The archive that `helm package` makes."""

import pathlib
import tarfile
import tempfile
import unittest

import chart
from chart import CHART, MATRIX, ROOT


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        cls.archives = {}
        for helm in (chart.HELM, chart.HELM_4):
            where = pathlib.Path(cls.directory.name) / helm.parent.name
            chart.call("package", CHART, "--destination", where, helm=helm)
            (cls.archives[helm],) = where.glob("sconverge-*.tgz")

    def names(self, helm=chart.HELM):
        with tarfile.open(self.archives[helm]) as archive:
            return {m.name.removeprefix("sconverge/") for m in archive if m.isfile()}

    def test_alerts_and_dashboards_are_in_it_as_files(self):
        with tarfile.open(self.archives[chart.HELM]) as archive:
            for folder, pattern in (("alerts", "*.rules.yaml"), ("dashboards", "*.json")):
                for path in (ROOT / "metrics" / folder).glob(pattern):
                    held = archive.extractfile(f"sconverge/files/{folder}/{path.name}").read()
                    self.assertEqual(path.read_bytes(), held)

    def test_nothing_else_is_in_it_than_the_chart(self):
        files = {n for n in self.names() if n.startswith("files/")}
        self.assertEqual({"files/alerts/sconverge.rules.yaml", *(f"files/dashboards/{d}.json" for d in ("overview", "controller", "jobs"))}, files)
        others = {n for n in self.names() - files if not n.startswith("templates/")}
        self.assertEqual({"Chart.yaml", "README.md", "values.yaml", "values.schema.json", ".helmignore"}, others)

    def test_helm_4_packs_the_same_files(self):
        self.assertEqual(self.names(), self.names(chart.HELM_4))

    def test_it_renders_as_the_directory_does(self):
        for name, path in MATRIX.items():
            with self.subTest(name):
                packed = chart.template("--values", path, chart=self.archives[chart.HELM])
                self.assertEqual(chart.of_matrix(name).text, packed)


if __name__ == "__main__":
    unittest.main()
