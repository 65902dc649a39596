"""Checks an export with the libraries of the Open Contracting Partnership: see tools/ocds-check.ts."""

import json
import sys

from jsonschema import Draft4Validator, FormatChecker
from ocdsmerge import Merger


def by_ocid(path):
    """Releases of a JSON Lines file, of one ocid at a time: they follow each other in an export."""
    releases = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            release = json.loads(line)
            if releases and releases[0]["ocid"] != release["ocid"]:
                yield releases
                releases = []
            releases.append(release)
    if releases:
        yield releases


def main(schema_path, releases_path, records_path):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    validator = Draft4Validator(schema, format_checker=FormatChecker())
    merger = Merger(schema)
    count = failures = 0
    with open(records_path, encoding="utf-8") as records:
        for releases in by_ocid(releases_path):
            ocid = releases[0]["ocid"]
            record = json.loads(next(records, "{}"))
            errors = [error.message for release in releases for error in validator.iter_errors(release)]
            if merger.create_compiled_release(releases) != record.get("compiledRelease"):
                errors.append("the compiled release is not that of ocdsmerge")
            for error in errors:
                print(f"{ocid}: {error}", file=sys.stderr)
            count += len(releases)
            failures += len(errors)
    print(f"{count} releases, {failures} findings")
    return 1 if failures else 0


sys.exit(main(*sys.argv[1:]))
