#!/bin/sh
# Creates the bucket, and the user `documents` with rights in that bucket only. Runs at each start; sets the password again.
set -eu

mc mb --ignore-existing store/documents
mc admin user add store documents "$DOCUMENTS_STORE_PASSWORD"
mc admin policy create store documents /setup/documents-policy.json
# An error when it is attached already.
mc admin policy attach store documents --user documents || true
# The image has no grep.
case "$(mc --json admin user info store documents)" in
  *'"policyName":"documents"'* | *'"policyName": "documents"'*) ;;
  *) echo 'the policy is not attached' >&2; exit 1 ;;
esac
