#!/bin/sh
# Restores the system of compose: restore.sh [<time>], such as '2026-11-22 07:30:00+00', in the folder of docker-compose.yml and .env. Without a
# time up to the last archived segment. What was written after the time is lost; docs/operations.md says who must hear of it.
set -eu
in_backup() { docker compose run --rm --no-deps backup "$@"; }

docker compose --profile ha stop
# The streams have events that the restored databases have not written. Services fill new streams, and rebuild their copies.
in_backup -c 'rm -rf /nats/1/* /nats/2/* /nats/3/*'
in_backup /backup/restore-files.sh /store /archive
in_backup /backup/restore-postgres.sh /archive /var/lib/postgresql/18/docker "$@"

# Readers of the feed learn by it that positions after the time are void.
epoch=$(sed -n 's/^FEED_EPOCH=//p' .env | tail -n 1)
sed -i '/^FEED_EPOCH=/d' .env
echo "FEED_EPOCH=$((${epoch:-1} + 1))" >>.env
docker compose up --detach --wait
