import { startStack, type Stack } from '@procurement/local-stack/stack';
import { AUTHOR } from '@procurement/testing/bodies';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilAuctionsPlanned } from '../e2e/stories/wait-for-tender.ts';
import { broker, patientBroker, until, type ApiResponse, type Broker } from '../support/broker.ts';
import { holdRow, queryService } from '../support/hold-row.ts';
import { publish, TENDERER, type PublishedTender } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { moveClock, moveToNextCheck } from '../support/sandbox.ts';
import { verifyAndStop } from '../support/verified.ts';

const RACES = 15;
/** Races of one kind that run at the same time. */
const AT_ONCE = 6;
/** Longest time for which a race holds the lock of a decision: longer than a cancellation waits for acknowledgements. */
const HOLD_MS_MAX = 400;

let stack: Stack;
let buyer: Broker;
let seller: Broker;
/** The same, where only a slow service answers 503. */
let patientBuyer: Broker;
let patientSeller: Broker;

beforeAll(async () => {
  stack = await startStack({ durable: false });
  buyer = broker(stack.gatewayUrl, 'broker1', '2.5');
  seller = broker(stack.gatewayUrl, 'broker2', '2.5');
  patientBuyer = patientBroker(stack.gatewayUrl, 'broker1', '2.5');
  patientSeller = patientBroker(stack.gatewayUrl, 'broker2', '2.5');
});

afterAll(async () => {
  await verifyAndStop(stack);
});

async function tendering(): Promise<PublishedTender> {
  const tender = await publish(patientBuyer, minimalTender({ procurementMethodDetails: 'quick, accelerator=1440' }));
  await moveToNextCheck(patientBuyer, tender.id);
  return tender;
}

async function postBid({ path }: PublishedTender, client = seller): Promise<ApiResponse> {
  return client.post(`${path}/bids`, { tenderers: [TENDERER], value: { amount: 400 } });
}

/** A tender with one bid and its pending award. */
async function inQualification(): Promise<PublishedTender & { readonly award: string }> {
  const tender = await tendering();
  expect((await postBid(tender, patientSeller)).status).toBe(201);
  await untilAuctionsPlanned(patientBuyer, tender.path);
  await moveToNextCheck(patientBuyer, tender.id);
  const award = await until('the award', async () => {
    const { awards } = (await patientBuyer.get(tender.path)).body.data;
    return awards?.[0]?.id as string | undefined;
  });
  return { ...tender, award };
}

/** A tender whose contract may be signed. */
async function readyToSign(): Promise<PublishedTender & { readonly contract: string }> {
  const tender = await inQualification();
  await patientBuyer.patch(`${tender.path}/awards/${tender.award}${tender.tokenQuery}`, { status: 'active' });
  const contract = await until('the contract', async () => {
    const { contracts } = (await patientBuyer.get(tender.path)).body.data;
    return contracts?.[0]?.id as string | undefined;
  });
  await moveClock(patientBuyer, tender.id, { advance: 'PT3M' });
  return { ...tender, contract };
}

async function cancel({ path, tokenQuery }: PublishedTender): Promise<ApiResponse> {
  return buyer.post(`${path}/cancellations${tokenQuery}`, { reason: 'Потреба відпала', status: 'active' });
}

/** Cancels until it is accepted. */
async function cancelled(tender: PublishedTender): Promise<ApiResponse> {
  return until('the cancellation', async () => {
    const answer = await cancel(tender);
    return answer.status === 201 && answer;
  });
}

/** A decision that the owner's lock holds up, and a request that must not be acknowledged before it. */
interface Race {
  readonly holds: { readonly service: 'awards' | 'bids'; readonly table: string; readonly id: string };
  readonly decide: () => Promise<ApiResponse>;
  readonly oppose: () => Promise<ApiResponse>;
}

interface RaceResult {
  readonly decision: ApiResponse;
  readonly opposition: ApiResponse;
  /** Whether the opposition was acknowledged while the decision still waited for its lock. */
  readonly opposedFirst: boolean;
}

/**
 * Holds the decision at its lock while the opposition is sent, for `holdMs` or until the opposition is acknowledged. With 0 the
 * opposition is sent first and nothing is held.
 */
async function race({ holds, decide, oppose }: Race, holdMs: number): Promise<RaceResult> {
  if (holdMs === 0) {
    const [opposition, decision] = await Promise.all([oppose(), decide()]);
    return { decision, opposition, opposedFirst: false };
  }
  const held = await holdRow(stack, holds.service, holds.table, holds.id);
  let isDecided = false;
  const deciding = decide().finally(() => (isDecided = true));
  await held.someoneWaits(() => isDecided);
  const opposing = oppose();
  const releaseAt = performance.now() + holdMs;
  let acknowledged = false;
  void opposing.then(({ status }) => (acknowledged = status < 300));
  await waitFor(() => acknowledged || performance.now() > releaseAt, { what: 'the end of the hold', intervalMs: 2 });
  const opposedFirst = acknowledged;
  await held.release();
  return { decision: await deciding, opposition: await opposing, opposedFirst };
}

/** Runs a race many times with different holds, a fifth of them without, and returns what each found wrong. */
async function runRaces(one: (holdMs: number) => Promise<string | undefined>): Promise<readonly string[]> {
  const wrong: string[] = [];
  const next = Array.from({ length: RACES }, (_, n) => n).values();
  const work = async (): Promise<void> => {
    for (const n of next) {
      const fault = await one(n % 5 === 0 ? 0 : (HOLD_MS_MAX * n) / (RACES - 1));
      if (fault !== undefined) wrong.push(fault);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return wrong;
}

describe('a cancellation against decisions of other services (architecture.md, handshake 3)', () => {
  it('no award is decided after the cancellation', async () => {
    const wrong = await runRaces(async (holdMs) => {
      const tender = await inQualification();
      const { path, tokenQuery, award } = tender;
      const { decision, opposition, opposedFirst } = await race(
        {
          holds: { service: 'awards', table: 'awarding', id: tender.id },
          decide: async () => buyer.patch(`${path}/awards/${award}${tokenQuery}`, { status: 'active' }),
          oppose: async () => cancel(tender),
        },
        holdMs,
      );
      expect([201, 503]).toContain(opposition.status);
      const isDecided = decision.status === 200;
      const isLate = opposedFirst || decision.body.data?.date > opposition.body.data?.date;
      return isDecided && opposition.status === 201 && isLate ? `${holdMs} ms: ${decision.text}` : undefined;
    });
    expect(wrong).toEqual([]);
  });

  it('no bid is accepted after the cancellation', async () => {
    const wrong = await runRaces(async (holdMs) => {
      const tender = await tendering();
      // Makes the row that the next bid waits for.
      expect((await postBid(tender, patientSeller)).status).toBe(201);
      const { decision, opposition, opposedFirst } = await race(
        {
          holds: { service: 'bids', table: 'bidding', id: tender.id },
          decide: async () => postBid(tender),
          oppose: async () => cancel(tender),
        },
        holdMs,
      );
      expect([201, 503]).toContain(opposition.status);
      const isLate = opposedFirst || decision.body.data?.date > opposition.body.data?.date;
      return decision.status === 201 && opposition.status === 201 && isLate
        ? `${holdMs} ms: ${decision.text}`
        : undefined;
    });
    expect(wrong).toEqual([]);
  });

  it('while the bus hangs, a cancellation is refused with 503 and nothing happens; bids go on', async () => {
    const tender = await tendering();
    await until('tendering in bids', async () => isTenderingInBids(tender.id));
    process.kill(stack.parts.nats.pid(), 'SIGSTOP');
    try {
      const refused = await cancel(tender);
      expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
      expect((await postBid(tender)).status).toBe(201);
    } finally {
      process.kill(stack.parts.nats.pid(), 'SIGCONT');
    }
    const { status, cancellations } = (await patientBuyer.get(tender.path)).body.data;
    expect([status, cancellations]).toEqual(['active.tendering', undefined]);
    await cancelled(tender);
    expect((await postBid(tender, patientSeller)).status).toBe(403);
  });

  it('while awards is away, a cancellation is refused with 503 and nothing happens; later it is accepted', async () => {
    const tender = await tendering();
    await stack.parts.awards.kill('SIGKILL');
    const refused = await cancel(tender);
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
    const { status, cancellations } = (await patientBuyer.get(tender.path)).body.data;
    expect([status, cancellations]).toEqual(['active.tendering', undefined]);
    expect((await postBid(tender, patientSeller)).status).toBe(201);
    await stack.parts.awards.start();
    expect((await cancelled(tender)).body.data.status).toBe('active');
  });

  it('tenders killed between the freeze and its commit: the tender goes on once tenders is back', async () => {
    const tender = await tendering();
    const held = await holdSettling();
    const cancelling = cancel(tender).catch(() => undefined);
    await until('the freeze in bids', async () => isFrozen(tender.id));
    await stack.parts.tenders.kill('SIGKILL');
    await cancelling;
    await held.release();
    expect((await postBid(tender)).status).toBe(503);
    await stack.parts.tenders.start();
    await until('a bid after the freeze', async () => (await postBid(tender)).status === 201);
    expect((await patientBuyer.get(tender.path)).body.data.status).toBe('active.tendering');
    await cancelled(tender);
    expect((await postBid(tender, patientSeller)).status).toBe(403);
  });
});

/** While the bus hangs, bids decides by its copy. */
async function isTenderingInBids(tenderId: string): Promise<boolean> {
  const query = `SELECT FROM kit.replica WHERE kind = 'tender' AND id = $1 AND facts::json ->> 'status' = 'active.tendering'`;
  return (await queryService(stack, 'bids', query, [tenderId])).length === 1;
}

async function isFrozen(tenderId: string): Promise<boolean> {
  const query = 'SELECT FROM bidding WHERE tender_id = $1 AND frozen_at IS NOT NULL';
  return (await queryService(stack, 'bids', query, [tenderId])).length === 1;
}

/** Makes the transaction that confirms a freeze wait, for less than the longest statement of a service. */
async function holdSettling(): Promise<{ release(): Promise<void> }> {
  await queryService(
    stack,
    'tenders',
    `CREATE FUNCTION hold_confirming() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(14); RETURN NEW; END $$;
     CREATE TRIGGER hold_confirming BEFORE UPDATE ON kit.begun_freeze FOR EACH ROW EXECUTE FUNCTION hold_confirming();`,
  );
  return {
    async release() {
      // Sessions of the killed process, which hold the table until they notice its end.
      await queryService(
        stack,
        'tenders',
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
      );
      await queryService(
        stack,
        'tenders',
        'DROP TRIGGER hold_confirming ON kit.begun_freeze; DROP FUNCTION hold_confirming',
      );
    },
  };
}

describe('signing a contract against a complaint about the tender (architecture.md, handshake 4)', () => {
  it('never leaves a complete tender with a complaint that blocks it', async () => {
    const complainant = broker(stack.gatewayUrl, 'broker3', '2.3');
    const outcomes = new Set<string>();
    const wrong = await runRaces(async (holdMs) => {
      const tender = await readyToSign();
      const { path, tokenQuery, contract } = tender;
      const claim = { title: 'Умови', description: 'Умови', author: AUTHOR, status: 'claim' };
      const { decision, opposition } = await race(
        {
          holds: { service: 'awards', table: 'awarding', id: tender.id },
          decide: async () => buyer.patch(`${path}/contracts/${contract}${tokenQuery}`, { status: 'active' }),
          oppose: async () => complainant.post(`${path}/complaints`, claim),
        },
        holdMs,
      );
      outcomes.add(`signing ${decision.status}, complaint ${opposition.status}`);
      return decision.status === 200 && opposition.status === 201 ? `${holdMs} ms: ${opposition.text}` : undefined;
    });
    expect(wrong, [...outcomes].join('; ')).toEqual([]);
  });
});
