#!/bin/sh
# Runs once, when the data folder is empty: a database and a role for each service, and no way into each other's.
set -eu

for service in gateway tenders bids awards documents auction; do
  variable="$(echo "$service" | tr '[:lower:]' '[:upper:]')_DB_PASSWORD"
  eval "password=\${$variable:?}"
  # The password goes through a psql variable, so that no character of it can end the statement.
  psql --username "$POSTGRES_USER" --set ON_ERROR_STOP=1 --set "role=$service" --set "password=$password" <<'SQL'
CREATE ROLE :"role" LOGIN PASSWORD :'password';
CREATE DATABASE :"role" OWNER :"role";
REVOKE ALL ON DATABASE :"role" FROM PUBLIC;
SQL
done
