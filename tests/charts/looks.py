"""How tests look into a rendering: volumes, mounts, flags, and what of which Secret lies where."""

SECRETS = "/var/run/secrets/sconverge"


def volume(rendering, name):
    return next((v for v in rendering.pod["volumes"] if v["name"] == name), None)


def projected(rendering):
    """Paths of the volume of secrets, each with the kind and name of what is there."""
    paths = {}
    for source in (volume(rendering, "secrets") or {"projected": {"sources": []}})["projected"]["sources"]:
        for kind, value in source.items():
            if kind == "serviceAccountToken":
                paths[f"{SECRETS}/{value['path']}"] = (kind, value["audience"])
            else:
                for item in value["items"]:
                    paths[f"{SECRETS}/{item['path']}"] = (kind, f"{value['name']}/{item['key']}")
    return paths


def mounts(container):
    return {m["mountPath"]: m for m in container["volumeMounts"]}


def flags(container):
    return dict(a.removeprefix("--").split("=", 1) for a in container["args"] if "=" in a)


def pod_labels(rendering):
    return rendering.deployment["spec"]["template"]["metadata"]["labels"]
