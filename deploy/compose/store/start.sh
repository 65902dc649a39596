#!/bin/sh
# Starts the object store with three accounts besides root: documents, register and ledger. Each makes and owns its bucket, and sees no
# other. The passwords are hex (make-env.sh), so that they need no escaping.
set -eu
umask 077
mkdir -p /data/accounts /data/buckets
# At each start, so that a changed password takes effect.
cat > /data/accounts/users.json <<ACCOUNTS
{"accessAccounts":{"documents":{"access":"documents","secret":"$DOCUMENTS_STORE_PASSWORD","role":"userplus"},"register":{"access":"register","secret":"$REGISTER_STORE_PASSWORD","role":"userplus"},"ledger":{"access":"ledger","secret":"$LEDGER_STORE_PASSWORD","role":"userplus"}}}
ACCOUNTS
exec versitygw --port :9000 --iam-dir /data/accounts --health /health posix /data/buckets
