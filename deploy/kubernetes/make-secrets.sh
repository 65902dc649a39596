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
      value = substr(line, equals + 1)
      # Compose reads quoted values without their quotes.
      if (value ~ "^(\".*\"|" quote ".*" quote ")$") value = substr(value, 2, length(value) - 2)
      if (line !~ /^#/ && equals > 1) values[substr(line, 1, equals - 1)] = value
    }
    if (read < 0) { print "make-secrets.sh: cannot read " env > "/dev/stderr"; failed = 1; exit 1 }
  }
  /^#/ { next }
  {
    line = ""
    rest = $0
    while (match(rest, /\$\{[A-Z0-9_]+\}/)) {
      name = substr(rest, RSTART + 2, RLENGTH - 3)
      value = values[name]
      if (value == "") { print "make-secrets.sh: set " name " in " env > "/dev/stderr"; failed = 1; exit 1 }
      gsub(quote, quote quote, value)
      line = line substr(rest, 1, RSTART - 1) value
      rest = substr(rest, RSTART + RLENGTH)
    }
    printed = printed line rest "\n"
  }
  END { if (failed) exit 1; printf "%s", printed }
' "$template"
