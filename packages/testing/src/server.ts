import type { Logger } from '@procurement/kit/runtime/log';
import type { Metrics } from '@procurement/kit/runtime/metrics';
import { JSON_BYTES_MAX } from '@procurement/kit/http/body';
import type pg from 'pg';
import { buildServer } from '@procurement/kit/http/server';
import { verifyTestIdentity } from './identity.ts';

/** The server of a service, for routes that tests mount. It accepts `signedIdentity` and is always ready. */
export function testServer({
  log,
  metrics,
  auditPool,
}: {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly auditPool: pg.Pool;
}): ReturnType<typeof buildServer> {
  return buildServer({
    log,
    metrics,
    auditPool,
    verifyIdentity: verifyTestIdentity,
    bodyBytesMax: JSON_BYTES_MAX,
    readiness: async () => ({ ready: true, checks: {} }),
  });
}
