"""The chart can say everything that `sconverge run` can be told, and nothing that it does not know."""

import re
import subprocess
import unittest

from chart import MATRIX, ROOT, of_matrix

# Where a flag is not named as the last part of its key.
FLAGS = {
    "slurmrestd.url": "slurmrestd", "slurmrestd.user": "user", "slurmJobApi.user": "slurm-user", "log.level": "log-level",
    "log.format": "log-format", "metrics.perSpec": "metrics-per-spec", "metrics.maxSpecs": "metrics-max-specs",
}


def keys(value, path=()):
    if isinstance(value, dict) and path[-1:] != ("environment",):
        for key, part in value.items():
            yield from keys(part, path + (key,))
    else:
        yield path


def flag(path):
    """Of a key of the configuration; clusters have the same flags whatever they are called."""
    key = ".".join(path[2:] if path[0] == "clusters" else path)
    return FLAGS.get(key, re.sub(r"[A-Z]", lambda m: "-" + m[0].lower(), path[-1]))


class SettingsTest(unittest.TestCase):
    def test_every_setting_of_the_controller_is_made_by_a_rendering_and_no_other(self):
        told = subprocess.run([ROOT / "build" / "dev" / "sconverge", "run", "--help"], capture_output=True, text=True, check=True).stdout
        known = set(re.findall(r"(?m)^  --([a-z-]+)", told)) - {"config"}
        made = {flag(path) for name in MATRIX if name != "existing-config" for path in keys(of_matrix(name).config)}
        self.assertGreater(len(known), 30)
        self.assertEqual(known, made)


if __name__ == "__main__":
    unittest.main()
