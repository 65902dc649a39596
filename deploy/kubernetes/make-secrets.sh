#!/bin/sh
# Prints the Secrets of the manifests, with the values of the .env that deploy/compose/make-env.sh made:
#
#   sh deploy/compose/make-env.sh > .env
#   sh deploy/kubernetes/make-secrets.sh | kubectl -n procurement apply --server-side -f -
#
# Usage: make-secrets.sh [.env [template]]
set -eu
env=${1:-.env}
template=${2:-$(dirname "$0")/base/secrets.template.yaml}
# Prints nothing unless it knows all values: kubectl would apply the beginning. A quote within YAML quotes is doubled.
exec awk -v env="$env" -v quote="'" '
  BEGIN {
    while ((read = (getline line < env)) > 0) {
      equals = index(line, "=")
      if (line !~ /^#/ && equals > 1) values[substr(line, 1, equals - 1)] = substr(line, equals + 1)
    }
    if (read < 0) { print "make-secrets.sh: cannot read " env > "/dev/stderr"; failed = 1; exit 1 }
  }
  /^#/ { next }
  {
    while (match($0, /\$\{[A-Z0-9_]+\}/)) {
      name = substr($0, RSTART + 2, RLENGTH - 3)
      value = values[name]
      gsub(quote, quote quote, value)
      if (value == "") { print "make-secrets.sh: set " name " in " env > "/dev/stderr"; failed = 1; exit 1 }
      $0 = substr($0, 1, RSTART - 1) value substr($0, RSTART + RLENGTH)
    }
    printed = printed $0 "\n"
  }
  END { if (failed) exit 1; printf "%s", printed }
' "$template"
