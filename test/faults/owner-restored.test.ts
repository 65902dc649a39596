import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceName } from '@procurement/local-stack/ports';
import { loadOrCreateSecrets } from '@procurement/local-stack/secrets';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playTwoBids } from '../e2e/stories/two-bids.ts';
import { broker, patientBroker, until, type Json } from '../support/broker.ts';
import { fileUpload } from '../support/file-upload.ts';
import { PATIENCE } from '../support/patience.ts';
import { publish, type PublishedTender } from '../support/published-tender.ts';
import { interfaceBid, minimalTender } from '../support/request-bodies.ts';
import { serviceCommand } from '../support/service-command.ts';
import { noRecorder } from '../support/story-context.ts';
import { expectVerified, verifyAndStop } from '../support/verified.ts';

const OWNERS = ['documents', 'awards', 'bids', 'auction', 'tenders'] as const;
type Owner = (typeof OWNERS)[number];
/** The services that keep copies of each. */
const FOLLOWERS: Readonly<Record<Owner, readonly ServiceName[]>> = {
  documents: ['tenders', 'awards'],
  awards: ['tenders', 'documents'],
  bids: ['tenders', 'awards', 'documents'],
  auction: ['tenders', 'bids'],
  tenders: ['bids', 'awards', 'documents', 'auction', 'register'],
};
/** Every service that keeps copies of others. */
const REBUILDING = ['tenders', 'bids', 'awards', 'documents', 'auction'] as const;

let dataDir: string;
let stack: Stack;
let feedEpoch = 1;
/** A tender that was there before every restore. */
let old: PublishedTender;

const buyer = () => patientBroker(stack.gatewayUrl, 'broker1', '2.5');

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'procurement-owner-'));
  chmodSync(dataDir, 0o755);
  stack = await startStack({
    dataDir,
    durable: false,
    env: { ...PATIENCE, POSITION_CHECK_SECONDS: '1' },
    adjustEnv: (env) => ({ ...env, FEED_EPOCH: String(feedEpoch) }),
  });
  await playStory();
  old = await publish(buyer(), minimalTender({ mode: 'test' }));
  await addFile(old);
});

afterAll(async () => {
  await verifyAndStop(stack);
  rmSync(dataDir, { recursive: true, force: true });
});

/** A whole procedure, from the tender to the contract. */
async function playStory(): Promise<void> {
  await playTwoBids({ broker: (key) => patientBroker(stack.gatewayUrl, key, '2.5'), recorder: noRecorder });
}

async function addFile({ path, tokenQuery }: PublishedTender): Promise<void> {
  const file = fileUpload('a.txt', 'text/plain', 'a');
  expect((await buyer().request('POST', `${path}/documents${tokenQuery}`, file)).status).toBe(201);
}

/** What each service stores and a restore of it alone loses. */
async function writeEverywhere(): Promise<PublishedTender> {
  await playStory();
  const made = await publish(buyer(), minimalTender({ mode: 'test' }));
  await addFile(made);
  await addFile(old);
  expect((await buyer().patch(`${old.path}${old.tokenQuery}`, { description: made.id })).status).toBe(200);
  return made;
}

async function asSuperuser(...statements: readonly string[]): Promise<void> {
  const { databasePasswords } = await loadOrCreateSecrets(dataDir);
  const url = `postgresql://postgres:${databasePasswords.postgres}@127.0.0.1:${stack.ports.postgres}/postgres`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function databaseOf(service: ServiceName): { readonly name: string; readonly user: string } {
  const { pathname, username } = new URL(stack.databaseUrl(service));
  return { name: pathname.slice(1), user: username };
}

async function backUp(service: ServiceName): Promise<void> {
  const { name, user } = databaseOf(service);
  await stack.parts[service].kill('SIGKILL');
  await endSessions(name);
  await asSuperuser(`CREATE DATABASE ${name}_backup TEMPLATE ${name} OWNER ${user}`);
  await stack.parts[service].start();
}

async function restore(service: ServiceName): Promise<void> {
  const { name } = databaseOf(service);
  await stack.parts[service].kill('SIGKILL');
  await asSuperuser(`DROP DATABASE ${name} WITH (FORCE)`, `ALTER DATABASE ${name}_backup RENAME TO ${name}`);
  // The step of operators for tenders (docs/operations.md, "Restore").
  if (service === 'tenders') feedEpoch += 1;
  await stack.parts[service].start();
}

/** Ends the sessions of a process that was killed, which the server may not have noticed. */
async function endSessions(database: string): Promise<void> {
  await asSuperuser(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`);
}

async function health(service: ServiceName): Promise<{ readonly status: number; readonly body: Json }> {
  const answer = await fetch(`http://127.0.0.1:${stack.ports[service]}/health`);
  return { status: answer.status, body: await answer.json() };
}

/** The log of a service. A line comes half a second after it was logged at the latest. */
function readLog(service: ServiceName): string {
  return readFileSync(join(dataDir, 'logs', `${service}.log`), 'utf8');
}

/** Waits until the health of a service is red and names this owner. */
async function untilAlarmed(service: ServiceName, owner: Owner): Promise<void> {
  await until(`an alarm of ${service} about ${owner}`, async () => {
    const { status, body } = await health(service);
    return status === 503 && body.details.some((one: Json) => one.kind === 'owner' && one.name === owner);
  });
  const metrics = await (await fetch(`http://127.0.0.1:${stack.ports[service]}/metrics`)).text();
  expect(metrics).toMatch(new RegExp(`service_stuck\\{[^}]*kind="owner",name="${owner}"[^}]*\\} 1`));
}

async function untilHealthy(): Promise<void> {
  for (const service of [...REBUILDING, 'register'] as const)
    await until(`a healthy ${service}`, async () => (await health(service)).status === 200);
}

/** A write that reaches each owner. What it would answer otherwise does not matter: it is refused before it is read. */
async function writeTo(
  owner: Owner,
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: Json }> {
  const { path, tokenQuery } = old;
  const client = broker(stack.gatewayUrl, owner === 'auction' ? 'auction' : 'broker1', '2.5');
  const paths: Readonly<Record<Owner, string>> = {
    documents: `${path}/documents${tokenQuery}`,
    awards: `${path}/awards${tokenQuery}`,
    bids: `${path}/bids`,
    auction: `${path}/auction`,
    tenders: '/tenders',
  };
  return client.post(paths[owner], owner === 'tenders' ? minimalTender({ mode: 'test' }) : interfaceBid(400));
}

describe('the database of one service that was restored alone', () => {
  it.each(OWNERS)(
    '%s: refuses writes and tells, until its operator accepts the loss; then all agree',
    async (owner) => {
      await backUp(owner);
      const made = await writeEverywhere();
      await restore(owner);

      for (const service of [owner, ...FOLLOWERS[owner]]) await untilAlarmed(service, owner);
      await until('a line of the log', async () => readLog(owner).includes('it was restored alone'));
      const refused = await writeTo(owner);
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
      expect(refused.body).toMatchObject({ status: 'error', errors: [{ name: 'service_unavailable' }] });
      expect((await buyer().get(old.path)).status).toBe(200);
      expect((await buyer().get(made.path)).status).toBe(owner === 'tenders' ? 404 : 200);

      expect(await serviceCommand(stack, owner, 'accept-loss')).toContain('accepted: ');
      for (const service of [...REBUILDING, ...REBUILDING]) await serviceCommand(stack, service, 'rebuild');
      await until('a write that is taken', async () => (await writeTo(owner)).status !== 503);
      await expectVerified(stack);
      await untilHealthy();
      await playStory();
    },
  );

  it('register: follows again what it has lost, without a word', async () => {
    await backUp('register');
    const { id } = await writeEverywhere();
    await restore('register');
    await until('the lost tender', async () => {
      const { status, body } = await buyer().get(`/lookup?ids=${id}`);
      return status === 200 && body.missing.length === 0;
    });
    await expectVerified(stack);
    await untilHealthy();
  });
});
