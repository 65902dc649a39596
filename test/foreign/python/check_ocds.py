"""Reads processes of the register with libraries of the Open Contracting Partnership: libcoveocds judges the packages of releases and records,
ocdsmerge compiles the releases as we do, and Cardinal finds what it makes indicators of. What they would fetch, of the standard and of its
extensions, comes from `packages/ocds`.

Usage: check_ocds.py <packages/ocds> <address of the gateway> <only what changed after this timestamp>
"""

import functools
import io
import json
import pathlib
import sys
import tempfile
import zipfile
from urllib.parse import urlsplit

import jsonref
import ocdscardinal
import requests
from libcoveocds.api import ocds_json_output
from ocdsextensionregistry import extension_version, profile_builder
from ocdsmerge import Merger

STANDARD = pathlib.Path(sys.argv[1]).resolve()
PUBLISHED = "https://standard.open-contracting.org/schema/1__1__5/"
API = f"{sys.argv[2]}/api/ocds"
SINCE = sys.argv[3]
# What else it tells is counts, and codes beyond open lists.
FINDINGS = (
    "validation_errors",
    "all_additional_fields",
    "additional_closed_codelist_values",
    "additional_checks",
    "common_error_types",
    "deprecated_fields",
)
INDICATED = ("/bids/details[]/value/amount", "/awards[]/suppliers[]/id", "/contracts[]/implementation/transactions[]/value/amount")


def find_archive(extension):
    """Answers the address of the archive that the libraries fetch for the address of an `extension.json`."""
    owner, repository, version, _ = urlsplit(extension["url"]).path.strip("/").split("/")
    return f"https://github.com/{owner}/{repository}/archive/{version}.zip"


FOLDERS = {find_archive(one): STANDARD / one["path"] for one in json.loads((STANDARD / "extensions/registry.json").read_text())}


def open_archive(url, base=""):
    """Makes the archive of an address, whose files stand in one folder. `base` is the folder of the standard that is asked for."""
    folder = STANDARD / base if base else FOLDERS[url]
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.mkdir("archive")
        for file in folder.rglob("*.*"):
            archive.write(file, pathlib.PurePath("archive", base, file.relative_to(folder)))
    return zipfile.ZipFile(content)


def load_schema(url):
    return json.loads((STANDARD / "schema" / url.removeprefix(PUBLISHED)).read_text())


extension_version._resolve_zip = profile_builder._resolve_zip = open_archive
jsonref.replace_refs = functools.partial(jsonref.replace_refs, loader=load_schema)


def judge(package):
    """Lists what libcoveocds finds in a package, and the extensions that it cannot read."""
    with tempfile.TemporaryDirectory() as folder:
        found = ocds_json_output(folder, json_data=package)
    return [f"{kind}: {one}" for kind in FINDINGS for one in found[kind]] + list(found["extensions"]["invalid_extension"].items())


def make_compiler(package):
    return Merger(profile_builder.ProfileBuilder("1__1__5", package["extensions"]).patched_release_schema())


def find_uncovered(releases):
    """Lists the members that no compiled release has for Cardinal."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(f"{json.dumps(release)}\n" for release in releases)
        file.flush()
        counts = ocdscardinal.coverage(file.name)
    return [f"{path}: Cardinal finds none" for path in INDICATED if path not in counts]


def read_pages(path):
    address = f"{API}/{path}"
    while address:
        answer = requests.get(address, timeout=60)
        answer.raise_for_status()
        package = answer.json()
        # libcoveocds knows nothing of what the extension for pagination adds to packages.
        address = package.pop("links", {}).get("next")
        if package.get("releases") or package.get("records"):
            yield package


if __name__ == "__main__":
    findings, compiled = [], []
    for package in read_pages(f"releases.json?since={SINCE}"):
        findings += judge(package)
    for package in read_pages(f"records.json?embed=1&since={SINCE}"):
        findings += judge(package)
        compiler = make_compiler(package)
        for record in package["records"]:
            compiled.append(record["compiledRelease"])
            if compiler.create_compiled_release(record["releases"]) != compiled[-1]:
                findings.append(f"{record['ocid']}: ocdsmerge compiles another release")
    findings += find_uncovered(compiled)
    print(*findings, f"{len(compiled)} processes, {len(findings)} findings", sep="\n")
    sys.exit(1 if findings else 0)
