#!/bin/sh
# Runs once, for an empty data folder: creates a database and a role for each service. A role can connect to its database only.
set -eu

for service in gateway tenders bids awards documents auction register ledger; do
  variable="$(echo "$service" | tr '[:lower:]' '[:upper:]')_DB_PASSWORD"
  eval "password=\${$variable:?}"
  # A psql variable quotes the password.
  psql --username "$POSTGRES_USER" --set ON_ERROR_STOP=1 --set "role=$service" --set "password=$password" <<'SQL'
CREATE ROLE :"role" LOGIN PASSWORD :'password';
CREATE DATABASE :"role" OWNER :"role";
REVOKE ALL ON DATABASE :"role" FROM PUBLIC;
SQL
done
