"""Values, their schema, their description and the versions say one thing."""

import json
import re
import subprocess
import unittest

import jsonschema

import chart
from chart import CHART, DEFAULTS, MATRIX, ROOT, load

SCHEMA = json.loads((CHART / "values.schema.json").read_text())


def resolved(schema):
    while "$ref" in schema:
        schema = SCHEMA["definitions"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


def schemas(schema):
    """Every schema within one."""
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from schemas(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from schemas(value)


class SchemaTest(unittest.TestCase):
    def test_the_schema_is_one_of_draft_07_and_takes_the_default_values(self):
        jsonschema.Draft7Validator.check_schema(SCHEMA)
        jsonschema.Draft7Validator(SCHEMA).validate(DEFAULTS)

    def test_every_map_with_named_keys_refuses_others(self):
        for schema in schemas(SCHEMA):
            whose = SCHEMA["definitions"]["named"]["items"]  # Kubernetes' own: containers, volumes, variables
            if isinstance(schema.get("properties"), dict) and schema is not whose:
                self.assertIs(False, schema.get("additionalProperties"), schema)

    def test_values_and_schema_have_the_same_keys(self):
        def compare(values, schema, path):
            schema = resolved(schema)
            if not values or not isinstance(values, dict) or "properties" not in schema:
                return  # nothing by default, e.g. config.clusterDefaults
            known = set(schema["properties"]) - ({"global"} if path == "" else set())
            self.assertEqual(known, set(values), path)
            for key, value in values.items():
                compare(value, schema["properties"][key], f"{path}.{key}")
        compare(DEFAULTS, {k: v for k, v in SCHEMA.items() if k != "$ref"}, "")

    def test_every_definition_is_used(self):
        text = json.dumps(SCHEMA)
        for name in SCHEMA["definitions"]:
            self.assertIn(f'"#/definitions/{name}"', text)


class DescriptionTest(unittest.TestCase):
    def test_the_readme_holds_the_table_of_the_values(self):
        done = subprocess.run([ROOT / "tests" / "charts" / "readme", "--check"], capture_output=True, text=True, check=False)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)

    def test_every_value_has_a_description(self):
        done = subprocess.run([ROOT / "tests" / "charts" / "readme", "--undescribed"], capture_output=True, text=True, check=True)
        self.assertEqual("", done.stdout)

    def test_every_values_file_of_the_matrix_says_what_it_is_for(self):
        for name, path in MATRIX.items():
            self.assertRegex(path.read_text(), r"^# [A-Z].*\.\n", name)


class VersionTest(unittest.TestCase):
    def test_chart_image_and_project_have_one_version(self):
        project = re.search(r"project\(sconverge VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
        meta = load(CHART / "Chart.yaml")
        self.assertEqual([project, project], [str(meta["version"]), str(meta["appVersion"])])
        self.assertEqual(f"sconverge:{project}", chart.of_matrix("default").container()["image"])

    def test_the_image_runs_the_program_as_the_user_that_the_chart_names(self):
        image = (ROOT / "Dockerfile").read_text()
        self.assertRegex(image, r'(?m)^ENTRYPOINT \["/usr/bin/sconverge"\]$')
        user, group = (DEFAULTS["podSecurityContext"][key] for key in ("runAsUser", "runAsGroup"))
        self.assertRegex(image, rf"(?m)^USER {user}:{group}$")

    def test_images_of_others_are_pinned(self):
        self.assertRegex(DEFAULTS["gitSync"]["image"]["tag"], r"^v4\.[0-9]+\.[0-9]+$")

    def test_yaml_of_the_chart_is_tidy(self):
        rules = "{extends: default, rules: {line-length: disable, document-start: disable, braces: {max-spaces-inside: 0}, " \
                "comments-indentation: disable, octal-values: disable}}"
        files = [CHART / "Chart.yaml", CHART / "values.yaml", *MATRIX.values()]
        done = subprocess.run(["yamllint", "--strict", "--config-data", rules, *files], capture_output=True, text=True, check=False)
        self.assertEqual(0, done.returncode, done.stdout)


if __name__ == "__main__":
    unittest.main()
