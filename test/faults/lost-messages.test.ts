import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patientBroker, until, type Broker, type Json } from '../support/broker.ts';
import { publish, TENDERER, type PublishedTender } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { moveToNextCheck } from '../support/sandbox.ts';
import { verifyAndStop } from '../support/verified.ts';

let dataDir: string;
let stack: Stack;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'procurement-lost-'));
  stack = await startStack({ durable: false, dataDir });
});

afterAll(async () => {
  await verifyAndStop(stack);
  rmSync(dataDir, { recursive: true, force: true });
});

async function queryTenders(text: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: stack.databaseUrl('tenders') });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const buyer = (): Broker => patientBroker(stack.gatewayUrl, 'broker1', '2.5');

const read = async ({ path }: PublishedTender): Promise<Json> =>
  (await patientBroker(stack.gatewayUrl, undefined, '2.5').get(path)).body.data;

async function health(): Promise<{ readonly status: number; readonly body: Json }> {
  const response = await fetch(`http://127.0.0.1:${stack.ports.tenders}/health`);
  return { status: response.status, body: await response.json() };
}

async function bidFor(tender: PublishedTender): Promise<void> {
  const bid = { tenderers: [TENDERER], value: { amount: 400 } };
  const posted = await patientBroker(stack.gatewayUrl, 'broker2', '2.5').post(`${tender.path}/bids`, bid);
  expect(posted.status).toBe(201);
}

/** NATS has acknowledged every event, and loses all of them, its streams and its consumers. */
async function loseMessages(): Promise<void> {
  await until(
    'acknowledgements',
    async () => (await queryTenders('SELECT FROM kit.outbox WHERE sent_at IS NULL')).length === 0,
  );
  await stack.parts.nats.kill('SIGKILL');
  rmSync(join(dataDir, 'nats'), { recursive: true });
  await stack.parts.nats.start();
}

describe('a request that NATS acknowledged and lost with its disk, while the service that answers was down', () => {
  it.each([
    ['bids', 'closing', async (tender: Json) => tender.status === 'active.qualification'],
    ['awards', 'opening', async (tender: Json) => tender.status === 'active.qualification'],
    ['auction', 'planning', async (tender: Json) => tender.auctionPeriod?.startDate !== undefined],
  ] as const)(
    '%s, %s: is asked again, and an alarm says until then that the tender waits',
    async (service, flow, hasMovedOn) => {
      if (service !== 'bids') await stack.parts[service].stop();
      const tender = await publish(buyer(), minimalTender({ procurementMethodDetails: 'quick, accelerator=1440' }));
      await moveToNextCheck(buyer(), tender.id);
      await bidFor(tender);
      if (service === 'bids') await stack.parts[service].stop();
      if (service !== 'auction') await moveToNextCheck(buyer(), tender.id);
      const waits = `SELECT FROM kit.flow_wait WHERE flow = '${flow}' AND id = '${tender.id}'`;
      await until('the wait', async () => (await queryTenders(waits))[0]);
      await loseMessages();

      // As if a minute had passed, and the time to ask again not come.
      await queryTenders(`UPDATE kit.flow_wait SET waiting_since = now() - interval '2 minutes', ask_at = 'infinity'`);
      // The health may be bad before, while the loss of the streams is repaired.
      const alarm = await until('the alarm', async () => {
        const { status, body } = await health();
        return status === 503 && body.ready && body.details?.find(({ name }: Json) => name === flow);
      });
      expect(alarm).toMatchObject({ kind: 'flow', count: 1 });

      await stack.parts[service].start();
      await queryTenders('UPDATE kit.flow_wait SET ask_at = now()');
      await until('the answer', async () => hasMovedOn(await read(tender)));
      await until('the end of the alarm', async () => (await queryTenders(waits)).length === 0);
    },
  );
});
