import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isListening, readyPort, SERVICES, type ServiceName } from '@procurement/local-stack/ports';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportedSeries, observedQueries, parseSelections } from '../../tools/deploy/metrics.ts';
import { patientBroker, until, type Json } from '../support/broker.ts';
import { queryService } from '../support/hold-row.ts';
import { publish } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { openSlowWay } from '../support/slow-way.ts';
import { verifyAndStop } from '../support/verified.ts';

/** A key of docs/spec/proof/notes.json. The witness never answers: metrics of witnesses are there all the same. */
const WITNESS = 'witness-one.example/w+c16131f9+BPTTrdrtOxhS7xjdFNOkGbisNyDGq8dAvHxs6tUPDtgl';

let stack: Stack;

beforeAll(async () => {
  stack = await startStack({ durable: false, env: { LEDGER_WITNESSES: `away ${WITNESS} http://127.0.0.1:1` } });
});

afterAll(async () => {
  await verifyAndStop(stack);
});

async function fetchReadiness(service: ServiceName): Promise<Json> {
  return (await fetch(`http://127.0.0.1:${readyPort(service, stack.ports)}/ready`)).json();
}

/** The gateway calls it by another name than the services. */
async function isOnBus(service: ServiceName): Promise<boolean> {
  const { checks } = await fetchReadiness(service);
  return (checks.bus ?? checks.stream) === 'ok';
}

/** The log of a service. */
function readLog(service: ServiceName): string {
  return readFileSync(stack.serviceOptions(service).logFile, 'utf8');
}

const forAll = async (act: (service: ServiceName) => Promise<unknown>): Promise<void> =>
  void (await Promise.all(SERVICES.map(act)));

describe('start and stop in any order', () => {
  it('services end by themselves when PostgreSQL and NATS have ended before them', async () => {
    await Promise.all([stack.parts.postgres.stop(), stack.parts.nats.stop()]);
    await forAll(async (service) => stack.parts[service].stop());
    await forAll(async (service) => {
      expect(readLog(service)).toContain('shutting down');
      expect(readLog(service)).not.toContain('shutdown timed out');
    });
  });

  it('services that start first wait for the database, and log it', async () => {
    const starting = forAll(async (service) => stack.parts[service].start());
    await forAll(async (service) =>
      until(`the log of ${service}`, async () => readLog(service).includes('database not available yet')),
    );
    await stack.parts.postgres.start();
    await starting;
    await forAll(async (service) => expect((await fetchReadiness(service)).ready).toBe(true));
  });

  it('without NATS they serve, and readiness says what is missing until it is there', async () => {
    await until('tenders without the bus', async () => !(await isOnBus('tenders')));
    await until('the reason', async () => /refused/.test((await fetchReadiness('tenders')).busFault));
    const { id } = await publish(patientBroker(stack.gatewayUrl, 'broker1', '2.5'), minimalTender());
    await until('an event that waits', async () => (await fetchReadiness('tenders')).outbox.waiting > 0);
    await stack.parts.nats.start();
    await forAll(async (service) => until(`${service} on the bus`, async () => isOnBus(service)));
    await until('the event', async () => (await fetchReadiness('tenders')).outbox.waiting === 0);
    expect((await patientBroker(stack.gatewayUrl, undefined, '2.5').get(`/tenders/${id}`)).status).toBe(200);
  });

  // Its `/ready` has a port of its own, which answers while the start still asks NATS.
  it('the gateway is not ready before it listens', async () => {
    const wayToNats = await openSlowWay(`nats://127.0.0.1:${stack.ports.nats}`, 300);
    const replica = await stack.addReplica('gateway', { NATS_URL: wayToNats.url });
    expect(await isListening(Number(new URL(replica.url).port))).toBe(true);
    await replica.stop();
    wayToNats.close();
  });
});

describe('what Prometheus reads', () => {
  /** Labels that Prometheus itself adds. */
  const OF_TARGETS = ['instance', 'job'];
  // Prometheus itself makes `up`, and the auction room has a test of its own.
  const isElsewhere = (metric: string): boolean => metric === 'up' || metric.startsWith('room_');

  it('is exported, with the labels by which alerts and dashboards select and group it', async () => {
    const exported = new Map<string, Set<string>>();
    await forAll(async (service) => {
      const answer = await fetch(`http://127.0.0.1:${readyPort(service, stack.ports)}/metrics`);
      for (const [name, labels] of exportedSeries(await answer.text()))
        exported.set(name, new Set([...(exported.get(name) ?? []), ...labels]));
    });
    const selections = observedQueries()
      .flatMap(parseSelections)
      .filter(({ metric }) => !isElsewhere(metric));
    expect(selections.length).toBeGreaterThan(40);
    const missing = selections.flatMap(({ metric, labels }) => {
      const there = exported.get(metric);
      if (there === undefined) return [metric];
      // This metric has no sample yet.
      if (there.size === 0) return [];
      return labels
        .filter((label) => !there.has(label) && !OF_TARGETS.includes(label))
        .map((label) => `${metric}{${label}}`);
    });
    expect(missing).toEqual([]);
    const withSamples = selections.filter(({ metric }) => (exported.get(metric)?.size ?? 0) > 0);
    expect(withSamples.length).toBeGreaterThan(selections.length / 2);
  });
});

/** This limit only ends a command that hangs. */
const RUN_MS_MAX = 240_000;

/** Runs the command of operators against the databases of the stack. */
function runVerify(...words: readonly string[]): SpawnSyncReturns<string> {
  const main = fileURLToPath(new URL('../../packages/local-stack/src/verify/main.ts', import.meta.url));
  const urls = SERVICES.map((service) => [`${service.toUpperCase()}_DATABASE_URL`, stack.databaseUrl(service)]);
  const env = { ...process.env, ...Object.fromEntries(urls) };
  const args = ['--conditions=source', '--import=tsx', main, ...words];
  return spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: RUN_MS_MAX });
}

/** A change that no event made, how it is undone, and what `verify` then reports. */
const DAMAGES: readonly (readonly [ServiceName, string, string, RegExp])[] = [
  [
    'bids',
    `UPDATE kit.replica SET facts = replace(facts, '"status":"', '"status":"damaged ') WHERE kind = 'tender'`,
    `UPDATE kit.replica SET facts = replace(facts, '"status":"damaged ', '"status":"') WHERE kind = 'tender'`,
    /^tenders in bids: \w{32} is \w+, and its owner has \w+$/m,
  ],
  ['tenders', 'UPDATE tender_view SET rev = rev + 1', 'UPDATE tender_view SET rev = rev - 1', /^views of tenders: /m],
  [
    'awards',
    `UPDATE kit.replica SET facts = replace(facts, '"owner":"', '"owner":"not ') WHERE facts LIKE '%"status":"draft"%'`,
    `UPDATE kit.replica SET facts = replace(facts, '"owner":"not ', '"owner":"') WHERE facts LIKE '%"status":"draft"%'`,
    /^drafts in awards: \w{32} is \w+, and its owner has \w+$/m,
  ],
  [
    'register',
    "UPDATE tender_body SET body = body || ' '",
    'UPDATE tender_body SET body = rtrim(body)',
    /^tenders in register: /m,
  ],
  [
    'awards',
    "INSERT INTO kit.dead_letter (durable, subject, envelope, error, attempts) VALUES ('d', 's', '{}', 'broken', 1)",
    "DELETE FROM kit.dead_letter WHERE durable = 'd'",
    /^dead letters of awards: \d+ should not be there \(d s broken\)$/m,
  ],
];

describe('npm run verify', () => {
  it('finds no difference on a running system, and each damage', async () => {
    const { path } = await publish(
      patientBroker(stack.gatewayUrl, 'broker1', '2.5'),
      minimalTender({ status: 'draft' }),
    );
    // Awards ask for the draft, and keep a copy; bids have none.
    expect((await patientBroker(stack.gatewayUrl, undefined, '2.5').get(`${path}/awards`)).status).toBe(200);
    expect(runVerify('--wait', '120')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /1 {2}tenders in bids\n[^]*0 {2}drafts in bids\n[^]*1 {2}drafts in awards\n[^]*no difference\n$/,
      ),
    });
    for (const [service, damage] of DAMAGES) await queryService(stack, service, damage);
    const { status, stdout } = runVerify('--wait', '0');
    for (const [service, , repair] of DAMAGES) await queryService(stack, service, repair);
    expect(status).toBe(1);
    for (const [, , , line] of DAMAGES) expect(stdout).toMatch(line);
    expect(runVerify('--wait', 'soon').status).toBe(2);
  });
});
