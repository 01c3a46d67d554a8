"""The chart, rendered by a real Helm: what every test here begins with."""

import copy
import functools
import json
import pathlib
import re
import subprocess
import tempfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHART = ROOT / "charts" / "sconverge"
BUILD = ROOT / "build" / "charts"
HELM = BUILD / "helm-v31" / "helm"  # Helm 3; most tests need one of them alone
HELM_4 = BUILD / "helm-v33" / "helm"
MATRIX = {path.name.removesuffix("-values.yaml"): path for path in sorted((CHART / "ci").glob("*-values.yaml"))}
RELEASE, NAMESPACE = "sconverge", "slurm"


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """YAML as Kubernetes reads it: a key that stands twice is an error."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        twice = [key for key in keys if keys.count(key) > 1]
        if twice:
            raise yaml.constructor.ConstructorError(None, None, f"the key {twice[0]} stands twice", node.start_mark)
        return super().construct_mapping(node, deep)


class Refused(Exception):
    """Helm would not render; the text is what it said."""


class Rendering:
    def __init__(self, text):
        self.text = text
        self.objects = [o for o in yaml.load_all(text, Loader) if o]

    def all(self, kind):
        return [o for o in self.objects if o["kind"] == kind]

    def one(self, kind, name=None):
        found = [o for o in self.all(kind) if name in (None, o["metadata"]["name"])]
        assert len(found) == 1, f"{len(found)} objects of kind {kind} named {name or 'anything'}"
        return found[0]

    @property
    def deployment(self):
        """The controller's; the gateway has one, too."""
        (found,) = [o for o in self.all("Deployment") if o["spec"]["template"]["spec"]["containers"][0]["name"] == "sconverge"]
        return found

    @property
    def service(self):
        (found,) = [o for o in self.all("Service") if o["spec"]["ports"][0]["name"] == "health"]
        return found

    @property
    def pod(self):
        return self.deployment["spec"]["template"]["spec"]

    def container(self, name="sconverge"):
        return next((c for c in self.pod["containers"] if c["name"] == name), None)

    @property
    def config(self):
        (text,) = [o["data"]["sconverge.yaml"] for o in self.all("ConfigMap") if "sconverge.yaml" in o["data"]]
        return yaml.load(text, Loader)

    @property
    def specs(self):
        """The directory that the controller watches: a flag, or a key of the configuration."""
        flags = [a.partition("=")[2] for a in self.container()["args"] if a.startswith("--specs=")]
        return flags[0] if flags else self.config["specs"]

    def workloads(self):
        """Pod specifications with the name of the object and whether it serves."""
        for o in self.objects:
            if o["kind"] == "Deployment":
                yield o["metadata"]["name"], o["spec"]["template"]["spec"], True
            elif o["kind"] == "Pod":
                yield o["metadata"]["name"], o["spec"], False


def call(*arguments, helm=HELM):
    done = subprocess.run([helm, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refused(re.sub(r"^walk\.go.*\n", "", done.stderr, flags=re.M).strip())
    return done.stdout


def template(*arguments, helm=HELM, chart=CHART, release=RELEASE):
    return call("template", release, chart, "--namespace", NAMESPACE, *arguments, helm=helm)


@functools.cache
def of_matrix(name):
    return Rendering(template("--values", MATRIX[name]))


def merged(base, over):
    """As Helm merges values: maps key by key, everything else as a whole."""
    out = copy.deepcopy(base)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(out.get(key), dict)
        out[key] = merged(out[key], value) if both else copy.deepcopy(value)
    return out


def load(path):
    return yaml.load(path.read_text(), Loader)


DEFAULTS = load(CHART / "values.yaml")
NECESSARY = load(MATRIX["default"])


def render(values=None, base=NECESSARY, **options):
    """Renders the default values with what is necessary and `values` over them."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(merged(base, values or {}), file)
        file.flush()
        return Rendering(template("--values", file.name, **options))


def refusal(values, **options):
    """What Helm says about values that it must not render."""
    try:
        render(values, **options)
    except Refused as refused:
        return str(refused)
    raise AssertionError(f"rendered without complaint: {values}")
