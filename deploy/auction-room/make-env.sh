#!/bin/sh
# Prints the lines of .env for the auction room: sh deploy/auction-room/make-env.sh >> .env
set -eu

# Hex only: the password is part of a URL, where other characters would need escaping.
secret() { od -An -tx1 -N32 /dev/urandom | tr -d ' \n'; }

echo '# Made by deploy/auction-room/make-env.sh. Secrets: not for the repository.'
echo "AUCTION_ROOM_DB_PASSWORD=$(secret)"
# Master keys of links and sessions, newest first. 64 hex digits are also base64url, of 48 bytes.
echo "ROOM_SECRETS=1:$(secret)"
cat <<'REST'
# The key that `brokers add auction --groups auction` of the gateway printed:
# ROOM_API_KEY=
# Origin of the pages and of the links that bidders get, and where the port is published:
# ROOM_PUBLIC_URL=https://auctions.example.org
# ROOM_PUBLISH=127.0.0.1:8089
# Address of the portal, where there is one: the header of the pages leads there.
# PORTAL_PUBLIC_URL=https://procurement.example.org
# Operators, name:sha256 of the key. To make one: printf %s "$key" | sha256sum
# OPERATOR_KEYS=
REST
