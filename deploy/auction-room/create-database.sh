#!/bin/sh
# Creates the database and the role of the auction room, unless they exist. The role can connect to its database only.
set -eu

# psql variables quote the password.
psql --set ON_ERROR_STOP=1 --set "password=${AUCTION_ROOM_DB_PASSWORD:?}" postgres <<'SQL'
SELECT 'CREATE ROLE auction_room LOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'auction_room') \gexec
ALTER ROLE auction_room PASSWORD :'password';
SELECT 'CREATE DATABASE auction_room OWNER auction_room'
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'auction_room') \gexec
REVOKE ALL ON DATABASE auction_room FROM PUBLIC;
SQL
