"""Every object is one that Kubernetes or the Prometheus operator knows, with fields of the right types."""

import copy
import json
import shutil
import subprocess
import unittest

from chart import BUILD, MATRIX, ROOT, of_matrix


def answers(objects):
    program = shutil.copy(ROOT / "tests" / "charts" / "kubernetes_models.mjs", BUILD)
    done = subprocess.run(["node", program], text=True, check=True, stdout=subprocess.PIPE,
                          input="".join(json.dumps(o) + "\n" for o in objects))
    return done.stdout.split("\n")[:-1]


class ObjectsTest(unittest.TestCase):
    def test_every_object_of_every_rendering_is_valid(self):
        objects = [(name, o) for name in MATRIX for o in of_matrix(name).objects]
        found = answers([o for _, o in objects])
        self.assertEqual(len(objects), len(found))
        for (name, o), problem in zip(objects, found):
            with self.subTest(f"{name} {o['kind']} {o['metadata']['name']}"):
                self.assertEqual("", problem)

    def test_a_wrong_type_and_a_missing_field_of_each_kind_are_found(self):
        def broken(name, kind, path, value):
            o = copy.deepcopy(of_matrix(name).one(kind))
            place = o
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = value
            return o
        cases = [
            (broken("default", "Deployment", ("spec", "replicas"), "one"), "/replicas must be integer"),
            (broken("default", "Deployment", ("spec", "template"), {"spec": {"containers": [{}]}}), "property name"),
            (broken("default", "Service", ("spec", "ports"), [{"name": "a"}]), "property port"),
            (broken("monitoring", "PodMonitor", ("spec", "podMetricsEndpoints"), [{"port": 9}]), "/port must be string"),
            (broken("service-monitor", "ServiceMonitor", ("spec", "selector"), "sconverge"), "/selector must be object"),
            (broken("monitoring", "PrometheusRule", ("spec", "groups"), [{"rules": []}]), "property name"),
            (broken("networkpolicy", "NetworkPolicy", ("spec", "egress"), {"ports": []}), "/egress must be array"),
            ({"apiVersion": "apps/v1", "kind": "Deploiment"}, "there is no Deploiment"),
        ]
        for (o, expected), problem in zip(cases, answers([o for o, _ in cases]), strict=True):
            with self.subTest(o["kind"]):
                self.assertIn(expected, problem)

    def test_all_kinds_that_the_chart_can_make_are_in_the_matrix(self):
        kinds = {o["kind"] for name in MATRIX for o in of_matrix(name).objects}
        self.assertEqual({"ConfigMap", "Deployment", "NetworkPolicy", "PersistentVolumeClaim", "Pod", "PodDisruptionBudget",
                          "PodMonitor", "PrometheusRule", "Service", "ServiceAccount", "ServiceMonitor"}, kinds)


if __name__ == "__main__":
    unittest.main()
