#!/bin/sh
# Backs up the system of compose while it runs: backup.sh [how many to keep], in the folder of docker-compose.yml. Every day, by a timer.
set -eu
docker compose exec -T --user postgres postgres sh /backup/base-backup.sh /archive "${1:-7}"
# After the databases: see files.sh.
docker compose run --rm --no-deps backup /backup/files.sh /store /archive
