#!/bin/sh
# Entrypoint of PostgreSQL in deploy/backup/compose.yml: the image, with an archive of its log.
set -eu
install -d -o postgres -g postgres -m 700 /archive /archive/wal /archive/base
# A minute is what an accident of the host may cost, beside what is in the volume of PostgreSQL.
exec docker-entrypoint.sh postgres -c archive_mode=on -c archive_timeout=60 \
  -c 'archive_command=sh /backup/archive-wal.sh %p %f /archive/wal'
