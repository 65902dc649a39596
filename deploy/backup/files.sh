#!/bin/sh
# Copies the files that are new since the last run: files.sh <store> <archive>. Run it after the backup of the databases: files are stored
# before their rows and never change, so that every file of a row is in the copy. What the public log replaces stays out: a checkpoint that is
# older than what readers have seen would let the ledger sign another log (docs/operations.md).
set -eu
store=$1
archive=$2
# Nanoseconds: two runs never have one name.
name=$(date -u +%Y%m%dT%H%M%S.%NZ)

mkdir -p "$archive/files"
# What has been copied. Replaced after the copy is complete: an interrupted run is repeated from the state before it.
if [ -e "$archive/files/copied" ]; then cp "$archive/files/copied" "$archive/files/.copied"; else rm -f "$archive/files/.copied"; fi
# The object store keeps metadata in extended attributes.
tar --create --xattrs --listed-incremental "$archive/files/.copied" --directory "$store" \
  --exclude ledger/log/checkpoint --exclude ledger/log/edge --file "$archive/files/.part" .
mv "$archive/files/.part" "$archive/files/$name.tar"
mv "$archive/files/.copied" "$archive/files/copied"
echo "$name"
