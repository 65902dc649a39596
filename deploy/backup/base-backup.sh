#!/bin/sh
# A base backup of all databases, at one moment: base-backup.sh <archive> [how many to keep]. Runs where PostgreSQL runs, as its user.
# With the segments that archive-wal.sh collects in <archive>/wal, any moment after it can be restored.
set -eu
archive=$1
keep=${2:-7}

# Renamed when it is complete and its checksums are right.
rm -rf "$archive/base/.part"
pg_basebackup --username "${POSTGRES_USER:-postgres}" --pgdata "$archive/base/.part" --checkpoint fast --wal-method stream
pg_verifybackup --quiet "$archive/base/.part"
# The time of its end: earlier moments need an earlier backup.
name=$(date -u +%Y%m%dT%H%M%SZ)
mv "$archive/base/.part" "$archive/base/$name"

# Names sort by time. head -n -K: all but the last K.
ls "$archive/base" | sort | head -n "-$keep" | while read -r old; do rm -rf "$archive/base/${old:?}"; done
# Segments before the first one of the oldest backup serve no restore.
oldest=$(ls "$archive/base" | sort | head -n 1)
first=$(sed -n 's/^START WAL LOCATION: .*(file \([0-9A-F]*\))$/\1/p' "$archive/base/$oldest/backup_label")
pg_archivecleanup "$archive/wal" "$first"
echo "$name"
