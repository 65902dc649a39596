#!/bin/sh
# Prints an .env for docker-compose.yml with fresh secrets: sh deploy/compose/make-env.sh > .env
# Needs openssl, for the key pair of the gateway.
set -eu

# Hex only: passwords are part of URLs, where other characters would need escaping.
secret() { od -An -tx1 -N32 /dev/urandom | tr -d ' \n'; }

echo '# Made by deploy/compose/make-env.sh. Secrets: not for the repository.'
for name in IDEMPOTENCY_SECRET FILE_SECRET FEED_SECRET BIDS_KEYS REGISTER_KEYS \
  POSTGRES_PASSWORD GATEWAY_DB_PASSWORD TENDERS_DB_PASSWORD BIDS_DB_PASSWORD \
  AWARDS_DB_PASSWORD DOCUMENTS_DB_PASSWORD AUCTION_DB_PASSWORD REGISTER_DB_PASSWORD LEDGER_DB_PASSWORD \
  LEDGER_BLIND_KEY STORE_ROOT_PASSWORD DOCUMENTS_STORE_PASSWORD REGISTER_STORE_PASSWORD LEDGER_STORE_PASSWORD GRAFANA_PASSWORD; do
  echo "$name=$(secret)"
done
# Set by two statements, because a failed command in an argument of echo would go unnoticed.
private=$(openssl genpkey -algorithm ed25519 -outform DER | openssl base64 -A)
public=$(echo "$private" | openssl base64 -d -A | openssl pkey -inform DER -pubout -outform DER | openssl base64 -A)
echo "IDENTITY_PRIVATE_KEY=$private"
echo "IDENTITY_PUBLIC_KEYS=$public"
# Signs receipts of bids; the log tells its public key. Changing it later: deploy/README.md.
receipts=$(openssl genpkey -algorithm ed25519 -outform DER | openssl base64 -A)
public=$(echo "$receipts" | openssl base64 -d -A | openssl pkey -inform DER -pubout -outform DER | openssl base64 -A)
echo "BIDS_RECEIPT_KEY=$receipts"
echo "BIDS_RECEIPT_PUBLIC_KEYS=$public"
# Signs the public log. Back it up with LEDGER_BLIND_KEY: a log cannot go on without both.
ledger=$(openssl genpkey -algorithm ed25519 -outform DER | openssl base64 -A)
echo "LEDGER_KEY=$ledger"
# A letter first: NATS reads 12e3 as a number.
for user in GATEWAY TENDERS BIDS AWARDS DOCUMENTS AUCTION REGISTER LEDGER ROUTES; do
  echo "NATS_${user}_PASSWORD=n$(secret)"
done
cat <<'REST'

# The address of the gateway for clients: the beginning of Location headers and links.
PUBLIC_BASE_URL=http://127.0.0.1:8080
# Name of the public log: its public address, the gateway's with /log, without the scheme. It never changes after the first start.
LEDGER_ORIGIN=127.0.0.1:8080/log
# Independent servers that sign the log too: <name> <vkey> <address>, separated by commas.
# The network of the services has no way out: deploy/README.md has the override that gives ledger one.
# LEDGER_WITNESSES=
# Host address and port that the gateway is published on.
PUBLISH=127.0.0.1:8080

# Proxies before the gateway, addresses and networks separated by commas: without them all clients share one rate limit.
# TRUSTED_PROXIES=10.0.0.0/8
# Requests of one address and of one broker; files of one broker at the same time; the largest file.
# RATE_READS_PER_SECOND=140
# RATE_WRITES_PER_SECOND=20
# UPLOADS_MAX=4
# MAX_FILE_BYTES=52428800
# Days off of the country: {"daysOff": ["2026-01-01"], "workdays": []}
# CALENDAR_FILE=./calendar.json
# One more after every restore that lost commits (docs/operations.md).
# FEED_EPOCH=2

# Metrics, dashboards and traces (deploy/README.md). Share of requests that are traced: 0 to 1.
# COMPOSE_PROFILES=observability
# OTEL_EXPORTER_OTLP_ENDPOINT=http://jaeger:4318
# OTEL_TRACES_SAMPLER_ARG=0.01

# Three NATS servers instead of one (before the first start: streams of a single server do not move to a cluster):
# COMPOSE_PROFILES=ha
# NATS_CONFIG=cluster
# NATS_REPLICAS=3
# NATS_URL=tls://nats:4222,tls://nats-2:4222,tls://nats-3:4222
REST
