#!/bin/sh
# Adds the files that are missing: restore-files.sh <store> <archive>. Removes and replaces nothing: files never change.
set -eu
store=$1
archive=$2

for copy in "$archive"/files/*.tar; do
  tar --extract --xattrs --xattrs-include='*' --skip-old-files --directory "$store" --file "$copy"
done
