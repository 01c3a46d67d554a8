"""Takes JSON schemas of Kubernetes' objects out of the wheel kubernetes-validate, in the form that kubeconform reads.

usage: kubernetes_schemas.py WHEEL DIRECTORY VERSION...      e.g. v1.37.0
In the wheel an object's schema refers to another file by a path of its own server; here each is whole.
"""

import json
import pathlib
import shutil
import sys
import zipfile

KINDS = ("configmap-v1", "deployment-apps-v1", "networkpolicy-networking-v1", "persistentvolumeclaim-v1", "pod-v1",
         "poddisruptionbudget-policy-v1", "service-v1", "serviceaccount-v1")


def main(wheel, directory, *versions):
    new = pathlib.Path(directory + ".new")
    shutil.rmtree(new, ignore_errors=True)
    with zipfile.ZipFile(wheel) as archive:
        for version in versions:
            folder = f"kubernetes_validate/kubernetes-json-schema/{version}-local-strict"
            definitions = archive.read(f"{folder}/_definitions.json").decode()
            whole = json.loads(definitions.replace("/api/_definitions.json#/$defs/", "#/$defs/"))
            (new / version).mkdir(parents=True)
            for kind in KINDS:
                text = archive.read(f"{folder}/{kind}.json").decode().replace("/api/_definitions.json#/$defs/", "#/$defs/")
                (new / version / f"{kind}.json").write_text(json.dumps({**json.loads(text), "$defs": whole["$defs"]}))
    new.rename(directory)


main(*sys.argv[1:])
