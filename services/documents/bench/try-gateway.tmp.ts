import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openBus } from '@procurement/kit/bus';
import { makeLog } from '@procurement/kit/log';
import { subjectOf } from '@procurement/contracts/events/envelope';
import { setup, teardown } from '@procurement/testing/global-setup';
import { freshBus } from '@procurement/testing/bus';
import { waitFor } from '@procurement/testing/wait-for';
import { facts, bidFacts } from '../test-support/document-facts.ts';
import { eventOf } from '../test-support/events.ts';
let url = '';
await setup({ provide: (_n: string, v: string) => (url = v) } as any);
const nats = await freshBus();
const admin = new pg.Client({ connectionString: url });
await admin.connect();
for (const n of ['documents', 'gateway']) await admin.query(`CREATE DATABASE ${n}`);
await admin.end();
const of = (n: string) => {
  const u = new URL(url);
  u.pathname = '/' + n;
  return u.href;
};
const common = {
  ...process.env,
  NATS_URL: nats.url,
  IDENTITY_SECRET: 'x'.repeat(40),
  PUBLIC_BASE_URL: 'http://127.0.0.1:18080',
  SANDBOX_MODE: 'on',
  LOG_LEVEL: 'warn',
};
const docs = spawn(process.execPath, ['/work/main/services/documents/dist/main.js'], {
  env: {
    ...common,
    PORT: '18084',
    DATABASE_URL: of('documents'),
    STORAGE: 'folder:' + mkdtempSync(join(tmpdir(), 'f-')),
    MAX_FILE_BYTES: String(300 * 1024 * 1024),
    LEGACY_GUARDS: 'strict',
  },
  stdio: 'inherit',
});
const gw = spawn('npx', ['tsx', '--conditions=source', '/tmp/gw/services/gateway/src/main.ts'], {
  cwd: '/tmp/gw',
  env: { ...common, PORT: '18080', DATABASE_URL: of('gateway'), DOCUMENTS_URL: 'http://127.0.0.1:18084' },
  stdio: 'inherit',
});
await waitFor(async () => (await fetch('http://127.0.0.1:18084/ready')).ok, { what: 'docs', timeoutMs: 30000 });
await waitFor(async () => (await fetch('http://127.0.0.1:18080/live')).ok, { what: 'gw', timeoutMs: 30000 });
const bus = await openBus(nats.url, 'b', makeLog('b', 'fatal'));
for (const [k, status] of [
  ['f', 'active.enquiries'],
  ['e', 'complete'],
] as const) {
  const t = facts({ id: k.repeat(32), status });
  await waitFor(
    async () =>
      bus.connection.request(
        subjectOf('tenders', 'tender.changed', t.id),
        JSON.stringify(eventOf('tenders', 'tender.changed', t.id, t)),
        { timeout: 500 },
      ),
    { what: 'stream' },
  );
}
console.log('UP');
process.on('SIGTERM', async () => {
  docs.kill('SIGTERM');
  gw.kill('SIGTERM');
  await bus.close();
  await nats.stop();
  await teardown();
  process.exit(0);
});
setInterval(() => undefined, 1000);
