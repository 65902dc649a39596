import { createHash } from 'node:crypto';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectSigningCompletesTender } from '../e2e/stories/sign-contract.ts';
import { untilAuctionsPlanned, untilTender } from '../e2e/stories/wait-for-tender.ts';
import { patientBroker, until, type Broker, type Json } from '../support/broker.ts';
import { publish, TENDERER } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { moveClock, moveToNextCheck } from '../support/sandbox.ts';
import { verifyAndStop } from '../support/verified.ts';

const BROKERS = Array.from({ length: 12 }, (_, n) => `bidder${n}`);
const BIDS_OF_BROKER = 4;
const BID_COUNT = BROKERS.length * BIDS_OF_BROKER;
/** About 200 KB: together the bids are larger than a message of NATS (8 MB). */
const LARGE_TENDERER = {
  ...TENDERER,
  additionalIdentifiers: Array.from({ length: 50 }, (_, n) => ({
    scheme: 'UA-EDR',
    id: `${n}`,
    legalName: 'ї'.repeat(2_000),
  })),
};

let stack: Stack;

beforeAll(async () => {
  stack = await startStack({ durable: false, env: { KEYS_REFRESH_SECONDS: '1' } });
});

afterAll(async () => {
  await verifyAndStop(stack);
});

async function query(service: 'gateway' | 'bids' | 'awards', text: string, values: unknown[] = []): Promise<Json[]> {
  const client = new pg.Client({ connectionString: stack.databaseUrl(service) });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Does what `brokers add` does, for all brokers at once. */
async function addBrokers(): Promise<void> {
  const hashes = BROKERS.map((name) => createHash('sha256').update(name).digest('hex'));
  await query('gateway', `INSERT INTO broker (name, "group", levels) SELECT unnest($1::text[]), 'brokers', '1234'`, [
    BROKERS,
  ]);
  await query('gateway', 'INSERT INTO broker_key (broker, key_hash) SELECT * FROM unnest($1::text[], $2::text[])', [
    BROKERS,
    hashes,
  ]);
}

const client = (key?: string): Broker => patientBroker(stack.gatewayUrl, key, '2.5');

async function postBids(path: string): Promise<void> {
  for (let n = 0; n < BIDS_OF_BROKER; n += 1) {
    const answers = await Promise.all(
      BROKERS.map(async (key, at) => {
        const amount = 400 + BROKERS.length * n + at;
        // The key may not have reached the gateway yet, which looks up few unknown keys at a time.
        return until(`a bid of ${key}`, async () => {
          const answer = await client(key).post(`${path}/bids`, { tenderers: [LARGE_TENDERER], value: { amount } });
          return answer.status !== 401 && answer.status !== 503 && answer;
        });
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(BROKERS.map(() => 201));
  }
}

/** Reports the offers unchanged, until the answer shows the first award. */
async function reportAuction(path: string): Promise<Json> {
  const auction = client('auction');
  const { data: record } = (await auction.get(`${path}/auction`)).body;
  const bids = record.bids.map(({ id, value, date }: Json) => ({ id, value: { amount: value.amount }, date }));
  return until('the answer with the award', async () => {
    const { status, body } = await auction.post(`${path}/auction`, { bids });
    return status === 200 && body.data.awards !== undefined && body.data;
  });
}

/** The bids service with its events, and those that need its data, are killed when the bids are opened. */
async function killAtOpening(): Promise<void> {
  await until('the opening', async () => {
    const [{ found }] = await query(
      'bids',
      `SELECT count(*)::int AS found FROM kit.outbox WHERE subject LIKE 'bids.bid-opened.%'`,
    );
    return found > 0;
  });
  const names = ['bids', 'tenders', 'awards'] as const;
  await Promise.all(names.map(async (name) => stack.parts[name].kill('SIGKILL')));
  await Promise.all([stack.parts.tenders.start(), stack.parts.awards.start()]);
  await stack.parts.bids.start();
}

describe('bids that are together larger than a message', () => {
  it('are opened, awarded and signed, also when their service is killed at the opening', async () => {
    await addBrokers();
    const buyer = client('broker1');
    const tender = await publish(buyer, minimalTender({ procurementMethodDetails: 'quick, accelerator=1440' }));
    const { id, path, tokenQuery } = tender;
    await moveToNextCheck(buyer, id);
    await postBids(path);
    await untilAuctionsPlanned(buyer, path);
    await moveToNextCheck(buyer, id);
    await moveToNextCheck(buyer, id);
    const [reported] = await Promise.all([reportAuction(path), killAtOpening()]);

    expect(reported.status).toBe('active.qualification');
    const opened = await untilTender(buyer, path, 'the first award', ({ awards }) => awards !== undefined);
    expect(opened.bids).toHaveLength(BID_COUNT);
    expect(opened.status).toBe('active.qualification');
    const [{ bytes }] = await query(
      'bids',
      `SELECT octet_length(envelope) AS bytes FROM kit.outbox WHERE subject LIKE 'bids.bid-opened.%'`,
    );
    expect(bytes).toBeGreaterThan(8 * 1024 * 1024);
    const [award] = opened.awards;
    expect(award.value.amount).toBe(400);

    const won = await buyer.patch(`${path}/awards/${award.id}${tokenQuery}`, { status: 'active' });
    expect(won.status).toBe(200);
    const awarded = await untilTender(
      buyer,
      path,
      'the contract',
      ({ contracts }) => contracts?.[0]?.items !== undefined,
    );
    await moveClock(buyer, id, { advance: 'PT10M' });
    const [contract] = awarded.contracts;
    await expectSigningCompletesTender({ buyer, operator: buyer, anyone: client() }, { path, tokenQuery }, contract.id);
    expect(await query('bids', 'SELECT error FROM kit.dead_letter')).toEqual([]);
    expect(await query('awards', 'SELECT error FROM kit.dead_letter')).toEqual([]);
  });
});
