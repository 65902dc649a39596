#!/bin/sh
# Dumps each database of compose into a folder: dump.sh <folder>, in the folder of docker-compose.yml. For looking into old rows, for one table, or
# for another release of PostgreSQL. The dumps are of different moments: to restore the whole system from them, stop the services before.
set -eu
folder=$1

mkdir -p "$folder"
chmod 700 "$folder"
for service in gateway tenders bids awards documents auction register ledger; do
  docker compose exec -T postgres pg_dump --username postgres --format custom "$service" >"$folder/.$service.part"
  mv "$folder/.$service.part" "$folder/$service.dump"
done
