#!/bin/sh
# Puts a base backup in the place of the data of a stopped PostgreSQL: restore-postgres.sh <archive> <data folder> [<time>]. At its next start
# PostgreSQL applies the segments of <archive>/wal up to <time> (such as 2026-11-22 07:30:00+00), without it up to the last one.
# The data that were there are kept beside it. Settings in the data folder, and passwords of roles, are those of the backup.
set -eu
archive=$1
data=$2
until=${3:-}

if [ -e "$data/postmaster.pid" ]; then
  echo "PostgreSQL runs on $data, or was killed on it: stop it, or remove postmaster.pid" >&2
  exit 1
fi
# The newest backup that ended before the time. Names are times in UTC.
limit=$(date -u ${until:+-d "$until"} +%Y%m%dT%H%M%SZ)
name=$(ls "$archive/base" | sort | awk -v limit="$limit" '$0 <= limit' | tail -n 1)
if [ -z "$name" ]; then
  echo "there is no base backup before ${until:-now} in $archive/base" >&2
  exit 1
fi

rm -rf "$data.restored"
cp -a "$archive/base/$name" "$data.restored"
{
  echo "restore_command = 'cp \"$archive/wal/%f\" \"%p\"'"
  echo "recovery_target_action = 'promote'"
  # No connections before the end: a service that reads an earlier state would act on it.
  echo "hot_standby = 'off'"
  if [ -n "$until" ]; then echo "recovery_target_time = '$until'"; else echo "recovery_target_time = ''"; fi
} >>"$data.restored/postgresql.auto.conf"
touch "$data.restored/recovery.signal"
# The script may run as root, PostgreSQL does not.
chown --reference "$data.restored/PG_VERSION" "$data.restored/recovery.signal"
if [ -e "$data" ]; then mv "$data" "$data.before-$(date -u +%Y%m%dT%H%M%SZ)"; fi
mv "$data.restored" "$data"
echo "$name"
