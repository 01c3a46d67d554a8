#!/usr/bin/python3
"""Says of JSON documents whether a JSON Schema takes them.

usage: schema_verdicts.py SCHEMA DOCUMENTS

DOCUMENTS holds one JSON value in each line. Prints a line for each: "valid", or "invalid" and a tab
and why. The schema itself is checked first.
"""
import json
import sys

import jsonschema


def main() -> int:
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    validator_class = jsonschema.validators.validator_for(schema)
    validator_class.check_schema(schema)
    validator = validator_class(schema)
    with open(sys.argv[2], encoding="utf-8") as lines:
        for line in lines:
            error = jsonschema.exceptions.best_match(validator.iter_errors(json.loads(line)))
            if error is None:
                print("valid")
            else:
                place = "/".join(str(part) for part in error.absolute_path)
                print("invalid\t" + json.dumps(f"{place}: {error.message}"[:300]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
